"""Damaged parts never vanish without a word: what is read, what is skipped, and why."""

from __future__ import annotations

import gzip
import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from navviz.errors import InputError, Problems
from navviz.formats import open_episodes, open_graph, open_results
from navviz.formats.files import json_items, json_lines
from navviz.records.trace_files import write_trace
from navviz.support.guarded import taking_notes
from navviz.world.info import Scene
from navviz.world.scene_graph import scene_graph
from tests.grids import episode, grid, split_item, straight, trace, write_grid
from tests.systems.lhvln.logs.easi_run import EPISODES, write_run
from tests.systems.lhvln.logs.test_folders import CONFIG

ITEMS = [
    split_item(straight(), number, note=sha256(bytes(number)).hexdigest()) for number in range(2000)
]


def _cut(path: Path, text: str) -> Path:
    raw = gzip.compress(text.encode())
    path.write_bytes(raw[: len(raw) // 2])
    return path


@pytest.mark.parametrize("count", [20, 2000])
def test_a_gzip_file_that_is_cut_off_gives_what_it_holds(tmp_path: Path, count: int) -> None:
    """A small one, too, of which all is unpacked at once."""
    read = open_episodes(_cut(tmp_path / "split.json.gz", json.dumps(ITEMS[:count])))
    assert 0 < len(read) < count
    (problem,) = read.problems.kept
    assert problem.what.startswith("is a damaged gzip file (")
    assert problem.what.endswith(f"): it breaks after {len(read):,} entries")
    assert read.problems.skipped == {("split.json.gz", ""): 1}


def test_lines_that_are_cut_off_by_gzip(tmp_path: Path) -> None:
    panos = [
        {"id": k, "route_panoids": ["a", "b"], "navigation_text": "Go.", "start_heading": k}
        for k in range(300)
    ]
    text = "\n".join(map(json.dumps, panos))
    read = open_episodes(_cut(tmp_path / "pano.jsonl.gz", text))
    assert 0 < len(read) < 300
    assert f"breaks after {len(read)} entries" in str(read.problems.kept[-1])


def test_what_follows_the_end_of_a_list_is_told(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_text(json.dumps(ITEMS[:2]) + "\n" + json.dumps(ITEMS[2:4]))
    problems = Problems()
    with taking_notes() as notes:
        assert len(list(json_items(path, problems))) == 2
    assert (
        str(problems.kept[0])
        == "twice.json: goes on after its JSON ends; write one list or one object."
    )
    assert notes.entries == {path: 3}


def test_broken_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n\n{"a": \n{"a": 3}\n')
    problems = Problems()
    with taking_notes() as notes:
        assert [number for number, _ in json_lines(path, problems)] == [1, 4]
    assert notes.entries == {path: 3}
    assert problems.skipped == {("a.jsonl", ""): 1}


def test_links_of_which_none_fits_are_refused(tmp_path: Path) -> None:
    graph = write_grid(tmp_path / "town") / "graph"
    text = (graph / "links.txt").read_text()
    (graph / "links.txt").write_text(text.replace("r", "q"))
    with pytest.raises(
        InputError,
        match=r"links.txt: not one of its 168 links can be used \(links.txt: link q0c0 to",
    ):
        open_graph(tmp_path / "town")


@pytest.mark.parametrize("place", [0, 1])
def test_a_binary_trajectory_leaves_the_other_episodes(tmp_path: Path, place: int) -> None:
    run = write_run(tmp_path)
    damaged = sorted(run.glob("episodes/*/trajectory.jsonl"))[place]
    damaged.write_bytes(b"\x80\x04\x95" + bytes(range(256)) * 20)
    (read,) = open_results(
        run, lambda world: scene_graph(Scene(world.removeprefix("hm3d:")), world)
    )
    assert len(read) == len(EPISODES) - 1
    name = damaged.parent.name.partition("_")[2]
    said = [str(problem) for problem in read.problems.kept if "pickle" in problem.what]
    assert said == [
        f"{damaged.parent.name}/trajectory.jsonl, episode {name}: is a pickle of Python, no text; unpack or convert it, and open the text."
    ]


def test_a_latin_1_trajectory_is_read_and_told(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    first = min(run.glob("episodes/*/trajectory.jsonl"))
    first.write_bytes(first.read_bytes().replace(b"OK", "schön".encode("latin-1")))
    (read,) = open_results(
        run, lambda world: scene_graph(Scene(world.removeprefix("hm3d:")), world)
    )
    assert len(read) == len(EPISODES)
    assert read.traces["a1"].steps[0].decision.reason == "schön"
    assert [problem.file for problem in read.problems.kept if "Latin-1" in problem.what] == [
        "trajectory.jsonl"
    ]


def test_every_row_that_is_left_out_is_counted(tmp_path: Path) -> None:
    """Also beyond those that are put into words."""
    graph = write_grid(tmp_path / "town") / "graph"
    with (graph / "links.txt").open("a") as file:
        file.writelines(f"r0c0,90,q{number}\n" for number in range(500))
        file.write("r0c0,90\n")
    with taking_notes() as notes:
        problems = open_graph(tmp_path / "town").info.problems
    assert (len(problems.kept), problems.count) == (200, 501)
    assert problems.skipped == {("links.txt", ""): 501}
    assert notes.entries[graph / "links.txt"] == 168 + 501


def test_lines_of_one_id_are_told(tmp_path: Path) -> None:
    line = {"id": "e1", "dataset": "d", "instruction": "Go.", "start": "1", "world": "w"}
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join([json.dumps(line)] * 3))
    read = open_episodes(path)
    assert len(read) == 1
    assert read.problems.skipped == {("tasks.jsonl", "e1"): 2}


def test_a_damaged_task_is_told(tmp_path: Path) -> None:
    for name, text in {
        "a": json.dumps(CONFIG),
        "b": json.dumps(CONFIG)[:-20],
        "c": '{"of": "something else"}',
    }.items():
        (tmp_path / "task" / "batch_7" / name).mkdir(parents=True)
        (tmp_path / "task" / "batch_7" / name / "config.json").write_text(text)
    read = open_episodes(tmp_path)
    assert len(read) == 1
    assert [problem.file for problem in read.problems.kept] == ["b/config.json"]


def test_an_episode_without_a_trajectory_is_told(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    min(run.glob("episodes/*/trajectory.jsonl")).unlink()
    (read,) = open_results(
        run, lambda world: scene_graph(Scene(world.removeprefix("hm3d:")), world)
    )
    assert "000_a1, episode a1: holds no trajectory.jsonl; get the run again, or remove it." in map(
        str, read.problems.kept
    )


def test_a_pipe_among_traces_is_told(tmp_path: Path) -> None:
    write_trace(trace(episode(straight()), [straight()]), tmp_path / "e1.trace.jsonl")
    os.mkfifo(tmp_path / "e2.trace.jsonl")
    (run,) = open_results(tmp_path, grid())
    assert list(run.traces) == ["e1"]
    assert [str(problem) for problem in run.problems.kept] == [
        "e2.trace.jsonl: is a pipe, not a file; choose a regular file."
    ]
