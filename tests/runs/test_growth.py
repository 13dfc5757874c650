"""What is looked at and kept of runs that lie in folders, or grow."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from navviz import formats
from navviz.analysis.causes.counting import explained_run
from navviz.runs import folder_states
from navviz.runs import growth as module
from navviz.runs.folder_states import holds_name, state_of
from navviz.runs.growth import Growth
from navviz.runs.index import kept
from navviz.runs.index.kept import KeptRun
from navviz.runs.opened import load
from navviz.runs.sources import Source, from_folder, from_path
from tests.paths import SAMPLES
from tests.runs.large import large_folder
from tests.worlds import write_states, write_world


def write(path: Path, text: str, ago_s: float = 0.0) -> None:
    path.write_text(text)
    at = time.time() - ago_s
    os.utime(path, (at, at))


def test_a_look_sees_what_comes_grows_and_goes(tmp_path: Path) -> None:
    write(tmp_path / "1.trace.jsonl", "a", ago_s=30)
    growth = Growth(tmp_path)
    assert growth.look(0) == 0
    write(tmp_path / "2.trace.jsonl", "b", ago_s=20)
    assert growth.look(0) == 1
    write(tmp_path / "2.trace.jsonl", "b\nc", ago_s=10)
    assert growth.look(0) == 2
    assert growth.look(0) == 2
    (tmp_path / "1.trace.jsonl").unlink()
    assert growth.look(0) == 3
    assert growth.changed_s == pytest.approx(time.time() - 10, abs=5)


def test_a_file_alone_is_watched_too(tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    write(log, "a", ago_s=20)
    growth = Growth(log)
    write(log, "a\nb", ago_s=10)
    assert growth.look(0) == 1


def test_finished_files_are_looked_at_once_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        write(tmp_path / f"{number}.trace.jsonl", "a", ago_s=7200)
    write(tmp_path / "new.trace.jsonl", "a")
    growth = Growth(tmp_path)
    looked = list[str]()
    state_of = module._state_of

    def counted(name: str) -> tuple[int, int]:
        looked.append(Path(name).name)
        return state_of(name)

    monkeypatch.setattr(module, "_state_of", counted)
    growth.look(0)
    assert sorted(looked) == sorted([tmp_path.name, "new.trace.jsonl"])
    write(tmp_path / "7.trace.jsonl", "ab", ago_s=7100)
    assert growth.look(0) == 0
    monkeypatch.setattr(module, "_WHOLE_S", 0.0)
    assert growth.look(0) == 1


def test_two_who_watch_cost_one_look(tmp_path: Path) -> None:
    write(tmp_path / "1.trace.jsonl", "a", ago_s=30)
    growth = Growth(tmp_path)
    growth.look(0)
    write(tmp_path / "1.trace.jsonl", "ab", ago_s=20)
    assert growth.look(3600) == 0
    assert growth.look(0) == 1


@pytest.mark.parametrize(
    ("pauses_s", "silent_s", "has_stopped"),
    [((), 20, False), ((), 40, True), ((10, 10), 60, False), ((10, 10), 120, True)],
)
def test_a_writer_has_stopped_after_ten_of_its_pauses(
    tmp_path: Path, pauses_s: tuple[int, ...], silent_s: int, has_stopped: bool
) -> None:
    ago_s = silent_s + sum(pauses_s)
    write(tmp_path / "1.trace.jsonl", "a", ago_s=ago_s)
    growth = Growth(tmp_path)
    for pause_s in pauses_s:
        ago_s -= pause_s
        write(tmp_path / "1.trace.jsonl", "a" * ago_s, ago_s=ago_s)
        growth.look(0)
    assert growth.has_stopped() is has_stopped


def test_a_file_that_gets_older_or_lies_deep_changes_the_state(tmp_path):
    deep = tmp_path / "a" / "b" / "c.trace.jsonl"
    deep.parent.mkdir(parents=True)
    deep.write_text("one")
    before = state_of(tmp_path)
    os.utime(deep, ns=(1, 1))
    assert state_of(tmp_path).digest != before.digest
    deep.unlink()
    assert state_of(tmp_path).digest != before.digest


def test_the_newest_time_is_that_of_the_folder_or_of_what_lies_in_it(tmp_path):
    file = tmp_path / "1.trace.jsonl"
    file.write_text("one")
    os.utime(file, ns=(5_000, 7_000))
    os.utime(tmp_path, ns=(5_000, 6_000))
    assert state_of(tmp_path).newest_ns == 7_000
    assert state_of(tmp_path / "missing").newest_ns == 0


@pytest.fixture
def now_s(monkeypatch):
    """The time that passes for the module; a folder of three entries counts as large."""
    now = [100.0]
    monkeypatch.setattr(folder_states, "_MANY", 3)
    monkeypatch.setattr(folder_states.time, "monotonic", lambda: now[0])
    return now


def _large(folder: Path) -> Path:
    for name in "abc":
        (folder / name).write_text("one")
        os.utime(folder / name, ns=(1, 1))
    os.utime(folder, ns=(1, 1))
    return folder


def test_of_a_large_folder_what_came_is_seen_after_two_seconds(tmp_path, now_s):
    before = state_of(_large(tmp_path))
    (tmp_path / "d").write_text("two")
    assert state_of(tmp_path) == before
    now_s[0] += 2.5
    assert state_of(tmp_path).digest != before.digest


def test_of_a_large_folder_what_changed_is_looked_for_by_a_thread(tmp_path, now_s):
    before = state_of(_large(tmp_path))
    (tmp_path / "a").write_text("three")
    now_s[0] += 2.5
    assert state_of(tmp_path) == before
    folder_states._LOOKING[tmp_path].join()
    assert state_of(tmp_path).digest != before.digest


def test_what_is_known_of_a_large_folder_grows_old(tmp_path, now_s):
    before = state_of(_large(tmp_path))
    (tmp_path / "a").write_text("three")
    now_s[0] += 61.0
    assert state_of(tmp_path).digest != before.digest


def test_names_are_found_without_looking_into_files(tmp_path):
    assert not holds_name(tmp_path / "missing", ".trace.jsonl")
    assert not holds_name(tmp_path, ".trace.jsonl")
    (tmp_path / "1.trace.jsonl").write_text("")
    assert holds_name(tmp_path, ".trace.jsonl")


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


RUN = SAMPLES / "harbour" / "runs" / "rules"
GRAPH = SAMPLES / "harbour" / "osm" / "graph"


@pytest.fixture
def run(tmp_path, monkeypatch):
    walks = ((file.name, file) for file in RUN.glob("*.trace.jsonl"))
    folder = large_folder(tmp_path, monkeypatch, walks, 5)
    return load(Source("walks", "opened", (GRAPH,), None, folder))


def test_a_run_has_one_folder_and_the_oldest_makes_room(run, tmp_path, monkeypatch):
    (tmp_path / "cache" / "logs").mkdir()
    explained_run(run)
    (home,) = (tmp_path / "cache" / "runs").iterdir()
    assert {path.name.partition("-")[0] for path in home.iterdir()} >= {"rows.parquet", "causes"}
    assert not (tmp_path / "cache" / "logs").exists(), "an earlier layout makes room, too"
    monkeypatch.setattr(kept, "_KEPT", 1)
    KeptRun(RUN, (GRAPH,)).keep_table(run.view.table)
    assert not home.exists()


def test_what_is_found_in_a_large_run_is_kept_until_a_trace_changes(run, monkeypatch):
    explained = explained_run(run)
    monkeypatch.setattr("navviz.analysis.causes.counting.explain_run", lambda *_: {})
    assert explained_run(load(run.source)) == explained
    assert run.source.results is not None
    with next(run.source.results.iterdir()).open("a") as file:
        file.write("\n")
    assert explained_run(load(run.source)) == {}


def test_nothing_that_is_found_in_an_upload_is_kept(run, tmp_path):
    explained_run(load(replace(run.source, origin="upload")))
    assert not list((tmp_path / "cache").rglob("causes-*"))
