"""What is kept of a large run tells the same as reading all of its traces does."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.analysis.kept.marks import RunMarks, keep_marks, known_marks, marks_place
from navviz.errors import Problems
from navviz.formats import open_graph
from navviz.records import Trace
from navviz.runs.opened import load
from navviz.runs.run import OpenRun
from navviz.runs.sources import Source
from tests.paths import SAMPLES
from tests.runs.large import large_folder

HARBOUR = SAMPLES / "harbour"
GRAPH = HARBOUR / "osm" / "graph"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    walks = ((file.name, file) for file in (HARBOUR / "runs" / "rules").glob("*.trace.jsonl"))
    return large_folder(tmp_path, monkeypatch, walks, 5)


def _opened(folder: Path) -> OpenRun:
    source = Source("walks", "opened", (GRAPH,), None, folder)
    return load(source, lambda _path, _world: open_graph(GRAPH))


def test_it_tells_what_reading_all_traces_tells(folder: Path) -> None:
    run = _opened(folder)
    run.finish()
    assert known_marks(run) is None
    keep_marks(marks_place(folder, (GRAPH,)))
    kept = known_marks(run)
    assert kept is not None
    whole = RunMarks(run)
    assert {key: frozenset(own) for key, own in kept.features.items()} == whole.features
    assert kept.slices == whole.slices
    assert kept.departures == whole.departures
    assert kept.hits == whole.hits
    assert sum(map(len, kept.hits.values()))
    assert kept.left_at == whole.left_at
    assert any(kept.left_at.values())


def test_only_what_changed_is_read_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = marks_place(folder, (GRAPH,))
    keep_marks(place)
    first, second, *_ = sorted(folder.iterdir())
    lines = first.read_text().splitlines(keepends=True)
    first.write_text("".join(lines[:2]))
    second.write_text("no trace at all\n")
    assert known_marks(_opened(folder)) is None
    read: list[str] = []
    original = keep_marks.__globals__["read_part"]

    def noted(path: Path, name: str, problems: Problems) -> Trace:
        read.append(name)
        return original(path, name, problems)

    monkeypatch.setitem(keep_marks.__globals__, "read_part", noted)
    keep_marks(place)
    assert read == [first.name, second.name]
    assert known_marks(_opened(folder)) is not None
