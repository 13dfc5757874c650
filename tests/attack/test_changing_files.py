"""Files that change while NavViz reads them: cut, emptied, replaced by other content, deleted.

Whoever fills a shared folder can do that at any moment. NavViz shows what it read whole, or says in
one sentence that the file changed; it never shows a walk that nobody took.
"""

from __future__ import annotations

import gzip
import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

import navviz
from navviz.errors import NavVizError, Problems
from navviz.records import Trace
from navviz.records.trace_parts import TracePart, read_part, trace_parts
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


OPENED_TIMES = 15
CHANGES = [_cut, _empty, _replace, _delete]


@pytest.fixture
def joined(tmp_path: Path) -> Path:
    """One file of all traces of a sample run, and so with many pieces to read."""
    path = tmp_path / "joined.jsonl"
    texts = [trace.read_text().rstrip("\n") for trace in sorted(RUN.glob("*.trace.jsonl"))]
    path.write_text("\n".join(texts) + "\n")
    return path


@contextmanager
def _changing(path: Path, change: Callable[[Path], None]) -> Iterator[None]:
    """Let another thread change the file and put it back, over and over."""
    whole, end = path.read_bytes(), threading.Event()

    def flip() -> None:
        while not end.is_set():
            change(path)
            path.write_bytes(whole)

    thread = threading.Thread(target=flip)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def _opened(path: Path) -> Mapping[str, Trace]:
    """Open a run of one file; nothing where NavViz refuses it in one sentence."""
    try:
        run = navviz.open_run(path, graphs=GRAPH)
        return dict(run.traces)
    except NavVizError as error:
        text = str(error)
    assert path.name in text
    assert "\n" not in text
    return {}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_changes_while_it_is_read(
    change: Callable[[Path], None], joined: Path, *, packed: bool
) -> None:
    walks = {name: trace.path for name, trace in _opened(joined).items()}
    assert len(walks) == 14
    path = joined
    if packed:
        path = joined.with_name("packed.jsonl.gz")
        path.write_bytes(gzip.compress(joined.read_bytes()))
    with _changing(path, change):
        for _ in range(OPENED_TIMES):
            for name, trace in _opened(path).items():
                # a walk that was cut ends early; it never turns into another one
                assert walks[name][: len(trace.path)] == trace.path


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
