"""Which reader handles a path is remembered, also while another thread forgets everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz import formats
from navviz.support.installation.files import samples_dir


def test_a_reader_is_found_while_another_thread_empties_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Forgetful(dict[tuple[object, ...], object]):
        """A cache that another thread empties right after each entry."""

        def __setitem__(self, key: tuple[object, ...], value: object) -> None:
            super().__setitem__(key, value)
            self.clear()

    monkeypatch.setattr(formats, "_RECOGNISED", Forgetful())
    folder: Path = samples_dir() / "harbour" / "runs" / "rules"
    assert formats.is_results(folder)
    assert formats.format_of("results", folder) == "NavViz traces"
