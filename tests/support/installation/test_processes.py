"""What a process that NavViz starts is told."""

from __future__ import annotations

import os

import pytest

from navviz.support.installation.files import import_root
from navviz.support.installation.processes import child_environment


@pytest.mark.parametrize(("before", "after"), [(None, []), ("", []), ("/a", ["/a"])])
def test_a_child_imports_this_very_navviz_first(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: list[str]
) -> None:
    if before is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONPATH", before)
    assert child_environment()["PYTHONPATH"].split(os.pathsep) == [str(import_root()), *after]


def test_a_child_gets_this_process_s_variables_and_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVVIZ_WORKSPACE", "ours")
    monkeypatch.setenv("NAVVIZ_OTHER", "kept")
    environment = child_environment({"NAVVIZ_WORKSPACE": "theirs"})
    assert (environment["NAVVIZ_WORKSPACE"], environment["NAVVIZ_OTHER"]) == ("theirs", "kept")
