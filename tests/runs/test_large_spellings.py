"""Large runs that other programs wrote, or that are damaged: the index shows what reading all of
them shows.
"""

from __future__ import annotations

import gzip
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from navviz.formats import open_graph
from navviz.runs.index import build, indexed
from navviz.runs.opened import OpenRun, load_all
from navviz.runs.sources import Source, expanded
from navviz.support.installation.files import samples_dir
from tests.nights import alternating, by_day
from tests.records.spellings import PACKINGS, SPELLINGS
from tests.runs.large import read_whole

HARBOUR = samples_dir() / "harbour"
GRAPH = HARBOUR / "osm" / "graph"
RUNS = ("action-sampling", "rules")
IDS = ("1", "2", "3", "10", "11")
"""Of 14 episodes; 2 stands before 10."""
FILES = [HARBOUR / "runs" / run / f"{key}.trace.jsonl" for run in RUNS for key in IDS]


@pytest.fixture(scope="module")
def graph():
    return open_graph(GRAPH)


@pytest.fixture(autouse=True)
def _nothing_cached(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    build._LAST.clear()


Check = Callable[[Path], list[OpenRun]]


@pytest.fixture
def compared(graph, monkeypatch):
    """Open a path with an index in memory and with one in a file, hold each run's table, scores,
    traces and problems against those of traces that are read whole.
    """

    def opened(path: Path, at_once: int, whole: list[OpenRun]) -> list[OpenRun]:
        source = Source("walks", "opened", (GRAPH,), None, path)
        with monkeypatch.context() as patched:
            patched.setattr(indexed, "AT_ONCE", at_once)
            runs = load_all(source, lambda _path, _world: graph)
            tables = [run.table() for run in runs]
            names = [each.method for each in expanded(source)]
        labels = [run.label for run in whole]
        assert [run.label for run in runs] == labels
        assert names == (labels if len(labels) > 1 else [None])
        for one, other, table in zip(runs, whole, tables, strict=True):
            assert (one.kept_at is not None) is (at_once == 1)
            pd.testing.assert_frame_equal(table, other.table())
            assert dict(one.traces) == dict(other.traces)
            assert dict(one.scores.rows) == dict(other.scores.rows)
            assert one.scores.means == other.scores.means
            assert one.worlds == other.worlds
            assert one.facts == other.facts
            assert [str(each) for each in one.problems.kept] == [
                str(each) for each in other.problems.kept
            ]
            assert one.problems.count == other.problems.count
            assert one.problems.skipped == other.problems.skipped
        return runs

    def check(path: Path) -> list[OpenRun]:
        whole = read_whole(path, graph)
        opened(path, 1, whole)
        return opened(path, 1000, whole)

    return check


_OF_A_FOLDER = alternating(SPELLINGS)
_OF_ONE_FILE = [name for name in SPELLINGS if name not in _OF_A_FOLDER]
"""By day each spelling is indexed once, as a folder or as one file; at night both ways."""


def _file_name(file: Path) -> str:
    return f"{file.parent.name}-{file.name}"


@pytest.mark.parametrize("name", by_day(SPELLINGS, _OF_A_FOLDER))
def test_a_folder_in_another_spelling(name, tmp_path, compared):
    folder = tmp_path / "walks"
    folder.mkdir()
    for file in FILES:
        (folder / _file_name(file)).write_bytes(SPELLINGS[name](file.read_bytes()))
    runs = compared(folder)
    assert [len(run) for run in runs] == [5, 5]
    assert [run.problems.count for run in runs] == [0, 0]


@pytest.mark.parametrize("name", by_day(SPELLINGS, _OF_ONE_FILE))
def test_one_file_in_another_spelling(name, tmp_path, compared):
    path = tmp_path / "all.jsonl"
    path.write_bytes(SPELLINGS[name](b"".join(file.read_bytes() for file in FILES)))
    assert [len(run) for run in compared(path)] == [5, 5]


@pytest.mark.parametrize("ending", PACKINGS)
def test_packed(ending, tmp_path, compared):
    folder = tmp_path / "walks"
    folder.mkdir()
    for file in FILES:
        (folder / f"{_file_name(file)}{ending}").write_bytes(PACKINGS[ending](file.read_bytes()))
    path = tmp_path / f"all.jsonl{ending}"
    path.write_bytes(
        PACKINGS[ending](SPELLINGS["type last"](b"".join(file.read_bytes() for file in FILES)))
    )
    assert [len(run) for run in compared(folder)] == [5, 5]
    assert [len(run) for run in compared(path)] == [5, 5]


def test_the_list_tells_the_same_of_another_spelling_before_it_is_measured(
    tmp_path, graph, monkeypatch
):
    monkeypatch.setattr(indexed, "AT_ONCE", 1)
    tables = []
    for name in ("own", "type last", "indented"):
        folder = tmp_path / name
        folder.mkdir()
        for file in FILES:
            (folder / _file_name(file)).write_bytes(SPELLINGS[name](file.read_bytes()))
        source = Source("walks", "opened", (GRAPH,), None, folder)
        tables += [run.known_table() for run in load_all(source, lambda _path, _world: graph)]
    assert tables[0]["outcome"].isin(["success", "failure"]).all()
    for table, expected in zip(tables[2:], tables[:2] * 2, strict=True):
        pd.testing.assert_frame_equal(table, expected)


def test_files_of_several_among_files_of_one(tmp_path, compared, graph):
    folder = tmp_path / "walks"
    folder.mkdir()
    first, second, third, *others = FILES
    (folder / "a.trace.jsonl").write_bytes(first.read_bytes() + second.read_bytes())
    (folder / "b.trace.jsonl.gz").write_bytes(
        gzip.compress(third.read_bytes() + others[0].read_bytes())
    )
    for file in others[1:]:
        (folder / _file_name(file)).write_bytes(file.read_bytes())
    runs = compared(folder)
    assert [len(run) for run in runs] == [5, 5]
    # again from the cache, then after one of them grew by a trace
    assert [len(run) for run in compared(folder)] == [5, 5]
    with (folder / "a.trace.jsonl").open("ab") as file:
        file.write(first.read_bytes())
    (run, _) = compared(folder)
    (problem,) = run.problems.kept
    assert (problem.file, problem.episode, problem.what) == (
        "walks",
        next(iter(run.traces)),
        "has two traces",
    )


def test_what_is_no_file_is_named_and_never_opened(tmp_path, compared):
    folder = tmp_path / "walks"
    folder.mkdir()
    for file in FILES[:4]:
        (folder / file.name).write_bytes(file.read_bytes())
    os.mkfifo(folder / "x1.trace.jsonl")
    (folder / "x2.trace.jsonl").mkdir()
    (folder / "x3.trace.jsonl").symlink_to(folder / "gone")
    (folder / "x4.trace.jsonl").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(folder / "x5.trace.jsonl"))
        (run,) = compared(folder)
    assert [(each.file, each.what) for each in run.problems.kept] == [
        ("x1.trace.jsonl", "is a pipe, not a file"),
        ("x2.trace.jsonl", "is a folder, not a file"),
        ("x3.trace.jsonl", "cannot be opened (No such file or directory)"),
        ("x4.trace.jsonl", "is a device, not a file"),
        ("x5.trace.jsonl", "is a socket, not a file"),
    ]
    assert len(run) == 4


def test_a_packed_file_that_is_cut_off(tmp_path, compared):
    folder = tmp_path / "walks"
    folder.mkdir()
    for file in FILES[:3]:
        (folder / file.name).write_bytes(file.read_bytes())
    packed = gzip.compress(FILES[3].read_bytes() + FILES[4].read_bytes(), 1)
    (folder / "x.trace.jsonl.gz").write_bytes(packed[:-40])
    (folder / "y.trace.jsonl.gz").write_bytes(packed[:5])
    (folder / "z.trace.jsonl.gz").write_bytes(b"no gzip at all")
    (run,) = compared(folder)
    assert [each.file for each in run.problems.kept] == [
        "x.trace.jsonl.gz",
        "y.trace.jsonl.gz",
        "z.trace.jsonl.gz",
    ]
    assert "breaks after line" in run.problems.kept[0].what
    assert len(run) == 5


def test_unknown_fields_are_named_once_a_file_with_their_count(tmp_path, compared):
    raw = b"".join(file.read_bytes() for file in FILES)
    events = [json.loads(line) for line in raw.splitlines()]
    for event in events:
        event["mood"] = "good"
        if event["type"] == "header":
            event["episode"]["weather"] = {"rain": True}
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    runs = compared(path)
    assert [len(run) for run in runs] == [5, 5]
    problems = {(each.file, each.field, each.times) for each in runs[0].problems.kept}
    assert ("all.jsonl:1", "header.episode.weather", 10) in problems
    assert ("all.jsonl:1", "header.mood", 10) in problems
    kinds = {event["type"] for event in events}
    assert runs[0].problems.count == len(kinds) + 1
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(raw)
    for one, other in zip(runs, compared(plain), strict=True):
        assert dict(one.traces) == dict(other.traces)


def test_bad_numbers_are_named_and_left_out(tmp_path, compared):
    events = [json.loads(line) for file in FILES[:4] for line in file.read_bytes().splitlines()]
    steps = [event for event in events if event["type"] == "step"]
    steps[0]["heading_deg"] = float("nan")
    steps[1]["heading_deg"] = float("inf")
    steps[2]["index"] = float("nan")
    usage = {"prompt_tokens": 10**400, "output_tokens": 10**20, "thoughts_tokens": 3}
    events.insert(
        -2, {"type": "call", "call": {"usage": usage, "seconds": float("-inf"), "cost_usd": 0.5}}
    )
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events).replace("0.5}", "1e400}"))
    (run,) = compared(path)
    assert len(run) == 4
    assert [(each.field, each.what, each.do) for each in run.problems.kept] == [
        ("step.heading_deg", "holds NaN, which is no number", "it is left out"),
        ("step.heading_deg", "holds Infinity, which is no number", "it is left out"),
        ("step.index", "holds NaN, which is no number", "3 is used instead"),
        (
            "call.usage.prompt_tokens",
            "holds an integer of 401 digits, which is too large",
            "it is left out",
        ),
        (
            "call.usage.output_tokens",
            "holds the number 1e+20, which is too large",
            "it is left out",
        ),
        ("call.seconds", "holds -Infinity, which is no number", "it is left out"),
        ("call.cost_usd", "holds the number 1e400, which is too large", "it is left out"),
    ]


def test_a_broken_header_takes_no_other_episode_with_it(tmp_path, compared):
    """What follows it belongs to no episode; a killed writer leaves no line end before the next
    header.
    """
    first, second, third, fourth, fifth = (file.read_bytes() for file in FILES[:5])
    path = tmp_path / "all.jsonl"
    broken = b'{"type": "header", "episode"' + second[second.index(b"\n") :]
    cut = third[: third.rindex(b'"type":"end"') + 20]
    path.write_bytes(first + broken + cut + fourth + fifth[:40])
    (run,) = compared(path)
    assert len(run) == 3
    assert [each.what for each in run.problems.kept] == [
        "the trace's header is cut off or broken",
        "is no whole event (the run was cut off here?)",
        "the trace's header is cut off or broken",
    ]
