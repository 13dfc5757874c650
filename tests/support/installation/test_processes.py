"""What a process that NavViz starts is told."""

import os

import pytest

from navviz.support.installation.files import import_root
from navviz.support.installation.processes import child_environment


@pytest.mark.parametrize(("before", "after"), [(None, []), ("", []), ("/a", ["/a"])])
def test_a_child_imports_this_very_navviz_first(monkeypatch, before, after):
    if before is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONPATH", before)
    assert child_environment()["PYTHONPATH"].split(os.pathsep) == [str(import_root()), *after]


def test_a_child_gets_this_process_s_variables_and_its_own(monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", "ours")
    monkeypatch.setenv("NAVVIZ_OTHER", "kept")
    environment = child_environment({"NAVVIZ_WORKSPACE": "theirs"})
    assert (environment["NAVVIZ_WORKSPACE"], environment["NAVVIZ_OTHER"]) == ("theirs", "kept")


def test_a_child_gets_keys_only_where_it_asks_models(monkeypatch):
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "OF_A_PLUGIN_API_KEY"):
        monkeypatch.setenv(name, "canary")
    assert "canary" not in child_environment().values()
    assert child_environment({"GEMINI_API_KEY": "typed"})["GEMINI_API_KEY"] == "typed"
    assert list(child_environment(keys=True).values()).count("canary") == 3
