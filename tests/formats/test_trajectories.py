"""Results in the leaderboard's format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from navviz.errors import InputError, NotFoundError
from navviz.formats import open_episodes, open_results, open_worlds
from navviz.records import Episode
from navviz.world.graph import Graph
from navviz.world.info import WorldInfo
from tests.grids import house

EPISODES = {
    f"1_{k}": Episode(
        id=f"1_{k}", dataset="R2R", instruction="Go.", world="house", start="a", path_id="1"
    )
    for k in range(3)
}


@pytest.fixture
def graph() -> Graph:
    """a - b - c in a row, 2 m apart."""
    row = house({"a": (0, 0, 1.5), "b": (0, 2, 1.5), "c": (0, 4, 1.5)}, "abc")
    return replace(row, info=WorldInfo(excluded={"x": (0.0, 0.0, 0.0)}))


def write(folder: Path, *results: dict) -> Path:
    path = folder / "my_agent.json"
    path.write_text(json.dumps(list(results)))
    return path


def result(trajectory: object, name: str = "1_0", **more: object) -> dict:
    return {"instr_id": name, "trajectory": trajectory} | more


def test_a_flat_trajectory_becomes_steps(tmp_path: Path, graph: Graph) -> None:
    path = write(
        tmp_path, result([["a", 0.0, 0.0], ["a", np.pi / 2, 0.1], ["b", 0.5, 0.0], ["c", 0.5, 0.0]])
    )
    (run,) = open_results(path, graph, EPISODES)
    trace = run.traces["1_0"]
    assert run.name == "my_agent"
    assert trace.path == ("a", "b", "c")
    assert [step.path for step in trace.steps] == [("a", "b"), ("b", "c"), ()]
    assert trace.steps[0].heading_deg == pytest.approx(90), (
        "the heading on leaving, turns on the spot joined"
    )
    assert [step.index for step in trace.steps] == [1, 2, 3]
    assert trace.steps[-1].decision.stop
    assert trace.end.node == "c"
    assert run.problems.count == 0


def test_the_nested_variant_has_one_step_an_action(tmp_path: Path, graph: Graph) -> None:
    path = write(tmp_path, result([["a"], ["b", "c"], ["b"]]), result(["a", "b"], "1_1"))
    traces = open_results(path, graph, EPISODES)[0].traces
    assert [step.path for step in traces["1_0"].steps] == [("a", "b", "c"), ("c", "b"), ()]
    assert traces["1_0"].path == ("a", "b", "c", "b")
    assert traces["1_1"].path == ("a", "b")


def test_a_jump_is_counted_and_marked(tmp_path: Path, graph: Graph) -> None:
    path = write(tmp_path, result([["a", 0, 0], ["c", 0, 0], ["b", 0, 0]]))
    (run,) = open_results(path, graph, EPISODES)
    first = run.traces["1_0"].steps[0]
    assert first.path == ("a", "c")
    assert not first.decision.legal
    assert first.decision.reason == "jump: no link leads from a to c (4.0 m apart)"
    assert "jumps 1 time between viewpoints that are not linked" in str(run.problems.kept[0])


def test_an_action_without_a_viewpoint_is_said(tmp_path: Path, graph: Graph) -> None:
    """A lost last place ends the walk earlier: another figure."""
    path = write(tmp_path, result([["a", 0, 0], ["b", 0, 0], []]))
    (run,) = open_results(path, graph, EPISODES)
    assert run.traces["1_0"].path == ("a", "b")
    (problem,) = run.problems.kept
    assert problem.what == "1 of 3 actions of the trajectory name no viewpoint"


def test_degrees_are_detected_and_said(tmp_path: Path, graph: Graph) -> None:
    path = write(tmp_path, result([["a", 270.0, 0], ["b", 1.0, 0]]))
    (run,) = open_results(path, graph, EPISODES)
    assert [step.heading_deg for step in run.traces["1_0"].steps] == [270.0, 1.0]
    assert "in degrees where radians are due" in str(run.problems.kept[0])


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (result([["a", 0, 0]], "99_0"), "episode 99_0: no such instruction in the episodes"),
        (result([["x", 0, 0]], "1_1"), "viewpoint x is excluded from scan house"),
        (result([["q", 0, 0]], "1_1"), "viewpoint q is not in scan house"),
        (result([[1, 2]], "1_1"), "is no list of viewpoints"),
        (result([{"a": 1}], "1_1"), "is no list of viewpoints"),
    ],
)
def test_what_cannot_be_read_is_reported_and_the_rest_is_shown(
    tmp_path: Path, graph: Graph, bad: dict, says: str
) -> None:
    (run,) = open_results(write(tmp_path, result([["a", 0, 0], ["b", 0, 0]]), bad), graph, EPISODES)
    assert list(run.traces) == ["1_0"]
    assert says in str(run.problems.kept[0])


def test_another_house_is_a_missing_scan(tmp_path: Path, graph: Graph) -> None:
    episodes = EPISODES | {"1_0": EPISODES["1_0"].model_copy(update={"world": "other"})}
    with pytest.raises(InputError, match="scan other not found"):
        open_results(write(tmp_path, result([["a", 0, 0]])), graph, episodes)


def test_without_episodes_it_says_which_file_is_missing(tmp_path: Path, graph: Graph) -> None:
    with pytest.raises(InputError, match="open their episode file"):
        open_results(write(tmp_path, result([["a", 0, 0]])), graph)


def test_a_fault_of_a_house_is_told_as_it_is_and_not_as_a_missing_house(tmp_path: Path) -> None:
    def broken(world: str) -> Graph:
        raise InputError(
            f"the pose of viewpoint a was not found in {world}",
            "get the file again",
            file="house.json",
        )

    with pytest.raises(InputError, match="pose of viewpoint a was not found in house"):
        open_results(write(tmp_path, result([["a", 0.0, 0.0]])), broken, EPISODES)

    def missing(world: str) -> Graph:
        raise NotFoundError(f"no {world} here", "open it")

    with pytest.raises(InputError, match=r"scan house not found; put house_connectivity.json into"):
        open_results(write(tmp_path, result([["a", 0.0, 0.0]])), missing, EPISODES)


def test_a_start_elsewhere_is_said(tmp_path: Path, graph: Graph) -> None:
    (run,) = open_results(write(tmp_path, result([["b", 0, 0], ["c", 0, 0]])), graph, EPISODES)
    assert "the trajectory starts at b, the episode at a" in str(run.problems.kept[0])


def test_reveries_object_is_kept(tmp_path: Path, graph: Graph) -> None:
    (run,) = open_results(write(tmp_path, result([["a", 0, 0]], predObjId=12)), graph, EPISODES)
    assert run.traces["1_0"].header.settings == {"predObjId": 12}


@pytest.mark.data
def test_the_random_walks_of_val_seen_are_read(data_dir: Path) -> None:
    worlds = open_worlds(data_dir / "mp3d")
    episodes = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes
    raw = json.loads((data_dir / "r2r" / "val_seen_random_walk.json").read_text())
    (run,) = open_results(data_dir / "r2r" / "val_seen_random_walk.json", worlds, episodes)
    assert len(run) == 736
    assert run.problems.count == 0
    for item in raw:
        nodes = [node for node, _, _ in item["trajectory"]]
        walked = [
            node for node, before in zip(nodes, [None, *nodes], strict=False) if node != before
        ]
        assert list(run.traces[item["instr_id"]].path) == walked
