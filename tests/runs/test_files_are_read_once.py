"""Opening a run looks at each file's head and reads it once, however many formats, methods and
graphs there are.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from navviz import formats
from navviz.runs.opened import load
from navviz.runs.sources import from_folder, from_path
from tests.paths import SAMPLES
from tests.worlds import write_states, write_world

_OPENED: Counter[str] = Counter()
_LISTENING: list[Path] = []


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _LISTENING and isinstance(arguments[0], str):
        path = Path(arguments[0])
        if _LISTENING[-1] in path.parents and path.is_file():
            _OPENED[str(path.relative_to(_LISTENING[-1]))] += 1


sys.addaudithook(_listen)  # cannot be taken back; it does nothing while nobody listens


@contextmanager
def opened_in(folder: Path) -> Iterator[Counter[str]]:
    """Count how often each file of a folder is opened."""
    _OPENED.clear()
    _LISTENING.append(folder)
    try:
        yield _OPENED
    finally:
        _LISTENING.pop()


def two_towns(folder: Path) -> None:
    """Two graphs, so that the results have to tell which one they walk on."""
    write_world(folder / "tiny")
    shutil.rmtree(folder / "tiny" / "splits")
    shutil.copytree(SAMPLES / "harbour" / "osm", folder / "harbour" / "osm")


def test_a_state_file_with_several_methods(tmp_path):
    two_towns(tmp_path)
    write_states(tmp_path / "walks.json", {"1": {"json": ["s1", "e1"], "grid": ["s1", "n0"]}})
    with opened_in(tmp_path) as counts:
        sources = from_folder(tmp_path)
        run = load(sources[0])
    assert [source.method for source in sources] == ["json", "grid"]
    assert run.graph("1").name == "tiny"
    assert counts["walks.json"] == 2, "its head, then the whole"
    assert max(counts.values()) == 2


def test_a_folder_of_traces(tmp_path):
    two_towns(tmp_path)
    shutil.copytree(SAMPLES / "harbour" / "runs" / "rules", tmp_path / "runs" / "rules")
    with opened_in(tmp_path) as counts:
        run = load(from_folder(tmp_path)[0])
        names = {run.graph(key).name for key in run.traces}
    assert names == {"harbour"}
    traces = [count for name, count in counts.items() if name.endswith(".trace.jsonl")]
    assert len(traces) == len(run.traces) > 10
    assert max(counts.values()) == 2


def test_each_reader_is_asked_once(tmp_path, monkeypatch):
    two_towns(tmp_path)
    results = write_states(tmp_path / "walks.json", {"1": {"json": ["s1", "e1"]}})
    result: Counter[tuple[str, Path]] = Counter()
    for reader in {
        reader for kind in ("graph", "episodes", "results") for reader in formats.readers(kind)
    }:

        def handles(
            path: Path, usual: Callable[[Path], bool] = reader.handles, name: str = reader.name
        ) -> bool:
            result[name, path] += 1
            return usual(path)

        monkeypatch.setattr(reader, "handles", handles)
    load(from_path(results)[0])
    load(from_folder(tmp_path)[0])
    about = {name: count for (name, path), count in result.items() if path == results}
    assert about.keys() >= {"GROKE states", "episodes of GROKE states"}
    assert max(about.values()) == 1


@pytest.mark.data
def test_step_logs_with_the_state_file_beside_them(tmp_path, data_dir, monkeypatch):
    # where nothing can be kept, no text of a call is read before its episode is opened
    monkeypatch.setenv("NAVVIZ_CACHE", os.devnull)
    shutil.copytree(data_dir / "map2seq" / "osm" / "graph", tmp_path / "graph")
    published = data_dir / "groke" / "paper_results"
    logs = tmp_path / "logs"
    logs.mkdir()
    for k in (1, 2):
        for method in ("json", "copy"):
            shutil.copy(
                published / "ablation_study_json" / f"step{k}_json.jsonl",
                logs / f"step{k}_{method}.jsonl",
            )
    shutil.copy(published / "test_seen_json.json", logs / "states.json")
    with opened_in(tmp_path) as counts:
        run = load(from_folder(tmp_path)[0])
    assert run.traces
    assert counts["logs/states.json"] == 2
    assert max(counts.values()) == 2
