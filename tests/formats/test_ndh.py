"""NDH: episodes with their dialogue, results, people's walks, goal progress."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from navviz import open_run
from navviz.errors import InputError
from navviz.formats import open_episodes, open_results, open_worlds
from navviz.metrics.goal_progress import goal_progress_m
from navviz.metrics.score import score_run
from navviz.metrics.walked import Ruler
from navviz.views.player.document import replay_document
from navviz.world.graph import Graph

NODES = list("abcd")
HOSTILE = "</script><img src=x onerror=alert(1)>"


def house() -> Graph:
    """Return a - b - c - d in a row, 2 m apart."""
    pairs = [(k, k + 1) for k in range(3)]
    links = np.array([*pairs, *((b, a) for a, b in pairs)], np.int32)
    places = np.array([[0, 2 * k, 1.5] for k in range(4)], float)
    return Graph(name="house", frame="metric", ids=NODES, positions=places, sources=links[:, 0],
                 targets=links[:, 1])  # fmt: skip


def entry(**changes: Any) -> dict[str, Any]:
    """Return one entry: asked at b, the person walks b, c, d."""
    fields = {
        "inst_idx": 7, "game_idx": 2, "scan": "house", "target": "lamp",
        "start_pano": {"pano": "b", "heading": 1.5, "elevation": 17.5},
        "dialog_history": [
            {"nav_idx": 0, "role": "navigator", "message": "Which way? "},
            {"nav_idx": 1, "role": "oracle", "message": "Ahead."},
        ],
        "nav_history": ["a", "b"], "player_path": ["b", "c", "d"], "planner_path": ["b", "c"],
        "end_panos": ["c", "d"], "nav_camera": [],
    }  # fmt: skip
    return {**fields, **changes}


def write(folder: Path, *entries: Any, name: str = "NDH_val_seen.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(entries))
    return path


def test_an_episode_holds_target_and_dialogue(tmp_path: Path) -> None:
    found = open_episodes(write(tmp_path, entry()))
    episode = found.episodes["7"]
    assert (found.name, found.format, found.problems.count) == ("NDH val-seen", "NDH episodes", 0)
    assert episode.instruction == "Target: lamp\nNavigator: Which way?\nOracle: Ahead."
    assert (episode.start, episode.goal, episode.path_id) == ("b", "d", "2")
    assert episode.start_heading_deg == pytest.approx(np.degrees(1.5))
    assert episode.reference_path == ("b", "c", "d"), "the person passes the planner's end"
    other = open_episodes(write(tmp_path, entry(planner_path=["b", "a"]))).episodes["7"]
    assert (other.reference_path, other.extra["reference"]) == (("b", "a"), "the planner's path")


def test_a_test_split_has_no_route(tmp_path: Path) -> None:
    bare = entry()
    for field in ("player_path", "planner_path", "end_panos"):
        del bare[field]
    episode = open_episodes(write(tmp_path, bare)).episodes["7"]
    assert (episode.reference_path, episode.goal, "end_panos" in episode.extra) == ((), None, False)


def test_people_walk_and_the_dialogue_stands_at_the_first_step(tmp_path: Path) -> None:
    (run,) = open_results(write(tmp_path, entry(), entry(inst_idx=8, dialog_history=[])), house())
    trace = run.traces["7"]
    assert (trace.path, trace.end.node, run.navigator) == (("b", "c", "d"), "d", "people")
    (panel,) = trace.steps[0].panels
    assert panel.data["rows"] == [["Navigator", "Which way?", "a"], ["Oracle", "Ahead.", "b"]]
    assert not run.traces["8"].steps[0].panels
    # two metres from c, which is in the end region; d is in it, too
    assert score_run(run, house()).rows["7"]["GP"] == pytest.approx(2.0)


def test_results_are_joined_by_inst_idx(tmp_path: Path) -> None:
    write(tmp_path, entry())
    results = [{"inst_idx": 7, "trajectory": [["b", 0.0, 0.0], ["a", 0.0, 0.0]]}]
    path = tmp_path / "my_results.json"
    path.write_text(json.dumps(results))
    (run,) = open_results(path, house())
    assert run.traces["7"].steps[0].panels[0].title == "Dialogue so far"
    assert score_run(run, house()).rows["7"]["GP"] == pytest.approx(-2.0)


def test_goal_progress_is_missing_without_a_way() -> None:
    graph = house()
    assert goal_progress_m("a", "d", ["d"], Ruler(graph)) == pytest.approx(6.0)
    alone = Graph(name="x", frame="metric", ids=["a", "b"], positions=np.zeros((2, 3)),
                  sources=np.array([], np.int32), targets=np.array([], np.int32))  # fmt: skip
    assert goal_progress_m("a", "a", ["b"], Ruler(alone)) is None


WRONG: list[Any] = [
    entry(inst_idx=None), entry(inst_idx=[]), entry(scan=3), entry(start_pano="b"),
    entry(start_pano={"pano": 3}), entry(player_path={"a": 1}), entry(nav_history=[[]]), 3, None, [],
]  # fmt: skip
ODD: list[Any] = [
    entry(dialog_history={"a": 1}), entry(dialog_history=[3, {"message": []}]),
    entry(dialog_history=[{"nav_idx": -1, "role": [], "message": HOSTILE}], target=HOSTILE),
    entry(dialog_history=[{"nav_idx": 9**30, "role": HOSTILE, "message": "x"}]),
    entry(start_pano={"pano": "b", "heading": 1e400}), entry(game_idx={}), entry(end_panos=["gone"]),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_no_episode_is_named_and_left_out(tmp_path: Path, number: int) -> None:
    path = write(tmp_path, entry(inst_idx=1), WRONG[number])
    found = open_episodes(path)
    assert (list(found.episodes), found.problems.count) == (["1"], 1)
    assert "NDH_val_seen.json" in str(found.problems.kept[0])
    if isinstance(WRONG[number], dict):
        with pytest.raises(InputError, match="the smallest file is"):
            open_episodes(write(tmp_path, WRONG[number]))


@pytest.mark.parametrize("number", range(len(ODD)))
def test_hostile_values_do_no_harm(tmp_path: Path, number: int) -> None:
    (run,) = open_results(write(tmp_path, ODD[number]), house())
    document = replay_document(run.traces["7"], house())
    assert document["episode"]["id"] == "7"


@pytest.mark.nightly
@pytest.mark.data
def test_the_published_upper_bounds(data_dir: Path) -> None:
    """Table 2 of Thomason et al. 2019, val seen: people's walks 7.63 m, the planner's 8.29 m."""
    path = data_dir / "wild" / "ndh" / "NDH_val_seen.json"
    run = open_run(path, graphs=data_dir / "mp3d_all" / "connectivity")
    assert (len(run.traces), run.problems.count) == (382, 0)
    assert run.scores.means["GP"] == pytest.approx(7.63, abs=0.005)
    worlds = open_worlds(data_dir / "mp3d_all" / "connectivity")
    rulers: dict[str, Ruler] = {}
    progress_m = []
    for item in json.loads(path.read_text()):
        scan = item["scan"]
        if scan not in rulers:
            rulers[scan] = Ruler(worlds(scan))
        start, last = item["start_pano"]["pano"], item["planner_path"][-1]
        progress_m.append(goal_progress_m(start, last, item["end_panos"], rulers[scan]))
    assert np.mean(progress_m) == pytest.approx(8.29, abs=0.005)


@pytest.mark.data
def test_the_published_run(data_dir: Path) -> None:
    folder = data_dir / "wild" / "ndh"
    run = open_run(
        folder / "ndh_val_seen_results.json",
        graphs=data_dir / "mp3d_all" / "connectivity",
        episodes=folder / "NDH_val_seen.json",
    )
    assert (len(run.traces), run.problems.count, run.scores.counts["GP"]) == (382, 0, 382)
    assert run.scores.means["GP"] == pytest.approx(0.6636, abs=1e-4)
