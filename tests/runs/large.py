"""A folder of sample walks that counts as a large run, and runs of which every trace is in memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from navviz.formats import open_results
from navviz.runs.index import build, indexed
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.world.graph import Graph


def large_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, walks: Iterable[tuple[str, Path]], least: int
) -> Path:
    """Copy traces under new names into a folder; runs of `least` traces count as large, and nothing
    is cached yet.
    """
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(indexed, "AT_ONCE", least - 1)
    build._LAST.clear()
    folder = tmp_path / "walks"
    folder.mkdir()
    for name, file in walks:
        (folder / name).write_bytes(file.read_bytes())
    return folder


def read_whole(path: Path, graph: Graph) -> list[OpenRun]:
    """Read each trace once, in the order of the files, and let figures come from the traces
    themselves: what an index is compared with.
    """
    source = Source(path.name, "opened", (), None, path)
    runs = open_results(path, graph)
    return [OpenRun(source, run, lambda _world: graph, run.problems) for run in runs]
