"""What is kept of a large run tells the same as reading all of its traces does."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.analysis.departure_slices import departure_slices, passages
from navviz.analysis.kept.marks import keep_marks, kept_marks, marks_place
from navviz.analysis.scanners.registry import get_scanners, scan_run
from navviz.analysis.slices import failed_episodes, find_slices, run_features
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
    assert kept_marks(run) is None
    keep_marks(marks_place(folder, (GRAPH,)))
    kept = kept_marks(run)
    assert kept is not None
    features = run_features(run.outlines, run.graph_of)
    assert {key: frozenset(own) for key, own in kept.features.items()} == features
    assert kept.slices == find_slices(features, failed_episodes(run.scores))
    assert kept.departures == departure_slices(run.traces, run.graph_of)
    assert kept.hits == scan_run(run.traces, run.graph_of, get_scanners())
    assert sum(map(len, kept.hits.values()))
    left = {
        key: {
            name for one in passages(trace, run.graph_of("")) if one.left for name in one.features
        }
        for key, trace in run.traces.items()
    }
    assert kept.left_at == left
    assert any(left.values())


def test_only_what_changed_is_read_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = marks_place(folder, (GRAPH,))
    keep_marks(place)
    first, second, *_ = sorted(folder.iterdir())
    lines = first.read_text().splitlines(keepends=True)
    first.write_text("".join(lines[:2]))
    second.write_text("no trace at all\n")
    assert kept_marks(_opened(folder)) is None
    read: list[str] = []
    original = keep_marks.__globals__["read_part"]

    def noted(path: Path, name: str, problems: Problems) -> Trace:
        read.append(name)
        return original(path, name, problems)

    monkeypatch.setitem(keep_marks.__globals__, "read_part", noted)
    keep_marks(place)
    assert read == [first.name, second.name]
    assert kept_marks(_opened(folder)) is not None
