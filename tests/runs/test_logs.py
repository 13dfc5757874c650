"""Foreign logs are read once: the second open takes rows and episodes from what is kept, and shows
what reading the log shows.
"""

from __future__ import annotations

import bz2
import gzip
import logging
import os
import shutil
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from navviz.errors import InputError, ReadingStoppedError
from navviz.formats import open_graph
from navviz.runs import logs, opened
from navviz.runs.index import build, inputs, measuring
from navviz.runs.index.measuring import MeasuredWalks
from navviz.runs.logs import KeptLog
from navviz.runs.opened import OpenRun, load_all
from navviz.runs.sources import Source
from navviz.support.guarded import ReadProgress, reporting_to, taking_notes
from tests.runs.large import read_whole
from tests.worlds import write_states, write_world

WALKS: dict[str, dict[str, list[str | None]]] = {
    "1": {"json": ["s1", "e1"], "grid": ["s1", "n0"]},
    "2": {"json": ["s1", "x", "w1"], "grid": ["s1", None, "e1"]},
    "10": {"json": ["s1"], "grid": ["s1", "nowhere", "x"]},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A small world and a state file, which count as written long ago."""
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    # a clock of the file system may stand still while a test writes, reads and writes again
    monkeypatch.setattr(inputs, "TICK_NS", -(10**18))
    data = tmp_path / "data"
    data.mkdir()
    write_world(data)
    write_states(data / "walks.json", WALKS)
    return data


def _source(folder: Path, results: Path | None = None) -> Source:
    return Source(
        "walks", "opened", (folder / "osm" / "graph",), None, results or folder / "walks.json"
    )


def _facts(run: OpenRun) -> dict[str, Any]:
    return {
        "traces": dict(run.traces),
        "rows": dict(run.scores.rows),
        "means": run.scores.means,
        "counts": run.scores.counts,
        "facts": dict(run.facts),
        "worlds": dict(run.worlds),
        "problems": [str(each) for each in run.problems.kept],
        "count": run.problems.count,
        "skipped": run.problems.skipped,
        "name": (run.label, run.run.name, run.run.navigator, run.run.method, run.run.details),
        "starts": run.starts(walked=True),
        "divergences": dict(run.divergences),
        "walks": [run.map_walks(world)[1] for world in run.worlds],
    }


def _assert_same(runs: list[OpenRun], others: list[OpenRun]) -> None:
    assert [run.label for run in runs] == [run.label for run in others]
    for one, other in zip(runs, others, strict=True):
        pd.testing.assert_frame_equal(one.table(), other.table())
        assert _facts(one) == _facts(other)


def _refused(*_arguments: object, **_options: object) -> Any:
    raise AssertionError("the log was read again")


def _unread(monkeypatch: pytest.MonkeyPatch, source: Source) -> list[OpenRun]:
    """Open without any reader."""
    with monkeypatch.context() as patched:
        patched.setattr(logs, "open_results", _refused)
        patched.setattr(logs, "open_episodes", _refused)
        return load_all(source)


def _plain(raw: bytes) -> bytes:
    return raw


def _marked(raw: bytes) -> bytes:
    return b"\xef\xbb\xbf" + raw


def test_who_stops_measuring_goes_on_from_there(folder, monkeypatch):
    monkeypatch.setattr(build, "_CHUNK", 1)
    whole = _facts(load_all(_source(folder))[0])
    shutil.rmtree(folder.parent / "cache")
    seen: list[tuple[int, int]] = []
    reading = ReadProgress()

    def tell(now: ReadProgress) -> None:
        if now.total_walks:
            seen.append((now.done_walks, now.total_walks))
            if now.done_walks == 1:
                now.stop()

    reading.report = tell
    run = load_all(_source(folder))[0]
    with reporting_to(reading), pytest.raises(ReadingStoppedError):
        run.finish()
    # it stops at the next look, and keeps what was measured until then
    assert (seen, run.view.measured) == ([(1, 3)], 2)
    run.finish()
    assert _facts(run) == whole


def test_another_process_measures_what_this_one_does(folder):
    run = load_all(_source(folder))[0]
    keys = list(run.traces)
    here = MeasuredWalks(run.run, run.graph_of, 0, "walks.json").measure(keys)
    assert logs._KeptMeasurer(run.source, 0)(keys).equals(here)
    (folder / "walks.json").write_text("{}")
    with pytest.raises(InputError, match="has changed since it was opened"):
        logs._KeptMeasurer(run.source, 0)(keys)


def test_what_other_processes_cannot_measure_is_measured_here(folder, monkeypatch):
    whole = _facts(load_all(_source(folder))[0])
    shutil.rmtree(folder.parent / "cache")
    begun: list[tuple[list[str], int]] = []

    def work(left: list[str], make: Any, processes: int) -> Any:
        begun.append((left, processes))
        if not processes:
            yield from usual(left, make, 0)
            return
        yield make()(left[:1])
        raise InputError("has changed since it was opened", "open it again")

    usual = build.work_through
    monkeypatch.setattr(measuring, "work_through", work)
    monkeypatch.setattr(logs, "_SHARED", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert _facts(load_all(_source(folder))[0]) == whole
    assert begun == [(["1", "2", "10"], 2), (["2", "10"], 0)]


@pytest.mark.parametrize(("name", "spelled"), [
    ("walks.json", _plain), ("walks.json", _marked), ("walks.json.gz", gzip.compress),
    ("walks.json.bz2", bz2.compress),
])  # fmt: skip
def test_the_second_open_shows_what_reading_shows(folder, monkeypatch, name, spelled):
    raw = (folder / "walks.json").read_bytes()
    (folder / "walks.json").unlink()
    (folder / name).write_bytes(spelled(raw))
    source = _source(folder, folder / name)
    graph = open_graph(folder / "osm" / "graph")
    whole = read_whole(folder / name, graph)
    _assert_same(load_all(source), whole)
    with taking_notes() as notes:
        again = _unread(monkeypatch, source)
    _assert_same(again, whole)
    # an account counts the file and its entries, whether it was read now or before
    assert notes.files.keys() >= {folder / name}
    assert [run.read_files.files for run in again] == [
        run.read_files.files for run in load_all(source)
    ]


def test_each_method_keeps_its_rows(folder, monkeypatch):
    load_all(_source(folder))[0].table()
    load_all(_source(folder))[1].table()
    for run in _unread(monkeypatch, _source(folder)):
        assert run.view.complete
        assert run.view.measured == len(WALKS)


def _add_walk(folder: Path) -> None:
    write_states(folder / "walks.json", {**WALKS, "11": {"json": ["s1", "x"]}})


def _turn_around(folder: Path) -> None:
    """Change the file in its place, to another content of the same length and time."""
    path = folder / "walks.json"
    state, raw = path.stat(), path.read_bytes()
    path.write_bytes(raw.replace(b'"s1", "e1"', b'"e1", "s1"', 1))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def _add_sibling(folder: Path) -> None:
    (folder / "predictions.json").write_text("[]")


def _move_node(folder: Path) -> None:
    path = folder / "osm" / "graph" / "nodes.txt"
    first, *others = path.read_text().splitlines()
    name, lat, lon = first.split(",")
    path.write_text("\n".join([f"{name},{float(lat) + 1e-4},{lon}", *others]) + "\n")


@pytest.mark.parametrize("change", [_add_walk, _turn_around, _add_sibling, _move_node])
def test_a_change_is_seen(folder, change):
    for run in load_all(_source(folder)):
        run.table()
    change(folder)
    whole = read_whole(folder / "walks.json", open_graph(folder / "osm" / "graph"))
    read = list[str]()
    with pytest.MonkeyPatch.context() as patched:
        usual = logs.open_results

        def counted(path: Path, *arguments: Any) -> Any:
            read.append(path.name)
            return usual(path, *arguments)

        patched.setattr(logs, "open_results", counted)
        _assert_same(load_all(_source(folder)), whole)
    assert read == ["walks.json"]


def test_what_was_written_just_now_is_not_kept(folder, monkeypatch):
    # as if the file system's clock had stood still since
    monkeypatch.setattr(inputs, "TICK_NS", 10**18)
    load_all(_source(folder))[0].table()
    assert not KeptLog(_source(folder), folder / "walks.json").sibling(".traces").exists()


def test_another_state_of_the_code_reads_anew(folder, monkeypatch):
    load_all(_source(folder))
    monkeypatch.setattr(logs, "code_stamp", lambda: "another reader")
    with pytest.raises(AssertionError, match="read again"):
        _unread(monkeypatch, _source(folder))


def _empty(_raw: bytes) -> bytes:
    return b""


def _cut_off(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def _contents_damaged(raw: bytes) -> bytes:
    return raw[:-60] + bytes([raw[-60] ^ 0xFF]) + raw[-59:]


def _episode_damaged(raw: bytes) -> bytes:
    return raw[:20] + bytes([raw[20] ^ 0xFF]) + raw[21:]


@pytest.mark.parametrize("damage", [_empty, _cut_off, _contents_damaged, _episode_damaged])
def test_damage_costs_time_and_no_figure(folder, damage, caplog):
    """That of the rows: `test_large_runs.py`."""
    source = _source(folder)
    for run in load_all(source):
        run.table()
    path = KeptLog(source, folder / "walks.json").sibling(".traces")
    path.write_bytes(damage(path.read_bytes()))
    with caplog.at_level(logging.INFO):
        _assert_same(
            load_all(source),
            read_whole(folder / "walks.json", open_graph(folder / "osm" / "graph")),
        )
    assert path.name in caplog.text


def test_a_writer_that_was_killed_leaves_nothing(folder, monkeypatch):
    usual = logs._write_run

    def killed(file: Any, run: Any) -> dict[str, Any]:
        usual(file, run)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(logs, "_write_run", killed)
        with pytest.raises(KeyboardInterrupt):
            load_all(_source(folder))
    assert not [path for path in (folder.parent / "cache").rglob("*.traces*") if path.is_file()]
    runs = load_all(_source(folder))
    _assert_same(runs, _unread(monkeypatch, _source(folder)))


def test_a_cache_folder_that_cannot_be_written_is_no_reason_to_fail(folder, monkeypatch):
    monkeypatch.setenv("NAVVIZ_CACHE", str(folder / "walks.json"))
    graph = open_graph(folder / "osm" / "graph")
    _assert_same(load_all(_source(folder)), read_whole(folder / "walks.json", graph))


def test_two_at_once_keep_one_whole_state(folder, monkeypatch):
    begin = threading.Barrier(2)
    tables: list[list[pd.DataFrame]] = []

    def open_and_list() -> None:
        begin.wait()
        tables.append([run.table() for run in load_all(_source(folder))])

    threads = [threading.Thread(target=open_and_list) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second = tables
    again = [run.table() for run in _unread(monkeypatch, _source(folder))]
    for one, other, kept in zip(first, second, again, strict=True):
        pd.testing.assert_frame_equal(one, other)
        pd.testing.assert_frame_equal(one, kept)


def test_an_episode_of_a_file_that_was_replaced_is_read_from_its_log(folder):
    whole = read_whole(folder / "walks.json", open_graph(folder / "osm" / "graph"))
    load_all(_source(folder))
    run = load_all(_source(folder))[0]
    # the newest logs have taken its room meanwhile
    KeptLog(_source(folder), folder / "walks.json").sibling(".traces").unlink()
    assert dict(run.traces) == dict(whole[0].traces)


def test_an_episode_that_went_away_is_named(folder):
    load_all(_source(folder))
    run = load_all(_source(folder))[0]
    KeptLog(_source(folder), folder / "walks.json").sibling(".traces").unlink()
    write_states(folder / "walks.json", {"1": WALKS["1"]})
    with pytest.raises(InputError, match=r"walks\.json: has changed since it was opened"):
        run.trace("10")


def test_a_graph_in_memory_and_an_upload_keep_nothing(folder):
    graph = open_graph(folder / "osm" / "graph")
    opened.open_run(folder / "walks.json", graphs=graph).table()
    load_all(replace(_source(folder), origin="upload"))[0].table()
    assert not (folder.parent / "cache").exists()


def test_what_would_come_back_otherwise_is_not_kept(folder, monkeypatch):
    """A reader may put into a record what JSON cannot tell, such as a pair."""
    usual = logs.open_results

    def paired(path: Path, graph_of: Any, episodes: Mapping[str, Any] | None) -> Any:
        runs = usual(path, graph_of, episodes)
        for run in runs:
            for key, trace in list(run.traces.items()):
                header = trace.header.model_copy(update={"settings": {"pair": (1, 2)}})
                run.traces[key] = trace.model_copy(update={"header": header})
        return runs

    monkeypatch.setattr(logs, "open_results", paired)
    for _ in range(2):
        run = load_all(_source(folder))[0]
        assert run.trace("1").header.settings == {"pair": (1, 2)}
    assert not KeptLog(_source(folder), folder / "walks.json").sibling(".traces").exists()
