"""Files that change while NavViz reads them: cut, emptied, replaced by other content, deleted.

Whoever fills a shared folder can do that at any moment. NavViz shows what it read whole, or says in
one sentence that the file changed; it never shows a walk that nobody took.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import navviz
from navviz.errors import InputError, Problems
from navviz.formats.files import placed_line, placed_lines
from navviz.records.trace_parts import TracePart, read_part, trace_parts
from navviz.runs.index.indexed import FolderReader
from navviz.runs.index.inputs import inputs_of
from navviz.runs.logs import KeptLog
from navviz.runs.source import Source
from navviz.support.guarded import Notes
from tests.paths import SAMPLES

RUN = SAMPLES / "harbour" / "runs" / "rules"
GRAPH = SAMPLES / "harbour" / "osm" / "graph"


def _cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _replace(path: Path) -> None:
    path.write_bytes(b'{"type": "walk", "sample": [' + b"1, " * 2000)


def _delete(path: Path) -> None:
    path.unlink()


CHANGES = [_cut, _empty, _replace, _delete]


@pytest.fixture
def joined(tmp_path: Path) -> Path:
    """One file of all traces of a sample run, and so with many pieces to read."""
    path = tmp_path / "joined.jsonl"
    texts = [trace.read_text().rstrip("\n") for trace in sorted(RUN.glob("*.trace.jsonl"))]
    path.write_text("\n".join(texts) + "\n")
    return path


def test_a_header_that_was_not_whole_when_the_file_was_scanned(joined: Path) -> None:
    # the scan met the end of a cut file in the middle of the second header, and then the rest of it
    first, second = trace_parts(joined)[:2]
    both = TracePart(first.start, first.size + second.size, first.line)
    problems = Problems()
    trace = read_part(joined, both.name, problems)
    assert trace == read_part(joined, first.name)
    (problem,) = problems.kept
    assert "another trace begins here, so the file changed while it was read" in str(problem)
    assert f"joined.jsonl:{second.line}" in str(problem)


@pytest.mark.parametrize("change", CHANGES)
def test_a_trace_that_changes_after_its_run_was_opened(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(RUN, folder)
    run = navviz.open_run(folder, graphs=GRAPH)
    name = min(run.episodes)
    path = next(p for p in folder.glob("*.trace.jsonl") if p.name == f"{name}.trace.jsonl")
    header = json.loads(path.read_text().splitlines()[0])
    change(path)
    again = navviz.open_run(folder, graphs=GRAPH)
    others = set(run.episodes) - {name}
    assert others <= set(again.traces)
    if name in again.traces:
        assert again.traces[name].header.episode.id == header["episode"]["id"]


def test_two_walks_that_changed_places_after_their_run_was_opened(joined: Path) -> None:
    """The places of parts are those of the file before; both walks are whole, and neither is meant."""
    first, second = trace_parts(joined)[:2]
    run = navviz.open_run(joined, graphs=GRAPH)
    names = [read_part(joined, part.name).episode.id for part in (first, second)]
    # a run that was measured has its traces in memory; one that is read on demand has places alone
    reader = FolderReader(joined, dict(zip(names, (first.name, second.name), strict=True)))
    assert reader(names[0]).path == run.traces[names[0]].path
    swapped = FolderReader(joined, dict(zip(names, (second.name, first.name), strict=True)))
    for name in names:
        with pytest.raises(InputError, match=f"where {name} was when it was opened"):
            swapped(name)


def test_a_line_of_equal_length_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"key": "1", "reply": "left"}\n{"key": "2", "reply": "stop"}\n')
    places = [place for _, place, _ in placed_lines(path, Problems())]
    assert placed_line(places[1]) == {"key": "2", "reply": "stop"}
    path.write_text('{"key": "2", "reply": "stop"}\n{"key": "1", "reply": "left"}\n')
    for place in places:
        with pytest.raises(InputError, match="was changed while it was open"):
            placed_line(place)


def test_a_log_that_changed_is_not_read_again_beside_its_old_figures(tmp_path: Path) -> None:
    """A large log is kept without its texts; a whole walk comes from the log itself."""
    path = tmp_path / "log.json"
    path.write_text("{}")
    os.utime(path, ns=(1, 1))
    source = Source("log", "opened", (GRAPH,), None, path)
    log = KeptLog(source, path)
    runs = [SimpleNamespace(traces={"1": "the walk"})]
    log.read_all = lambda _finder: SimpleNamespace(runs=runs)  # type: ignore[method-assign]
    log.inputs = inputs_of(log.places, Notes(), time.time_ns() + 10**12)
    assert log.inputs is not None
    path.write_text('{"1": []}')
    with pytest.raises(InputError, match="has changed since it was opened"):
        log.trace(0, "1")
    log.inputs = inputs_of(log.places, Notes(), time.time_ns() + 10**12)
    assert log.trace(0, "1") == "the walk"
