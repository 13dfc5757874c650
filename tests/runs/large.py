"""A folder of sample walks that counts as a large run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from navviz.runs.index import current, files


def large_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, walks: Iterable[tuple[str, Path]], least: int
) -> Path:
    """Copy traces under new names into a folder; runs of `least` traces count as large, and nothing is cached yet."""
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(files, "LARGE", least)
    current._LAST.clear()
    folder = tmp_path / "walks"
    folder.mkdir()
    for name, file in walks:
        (folder / name).write_bytes(file.read_bytes())
    return folder
