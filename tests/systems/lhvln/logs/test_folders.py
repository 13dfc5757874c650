"""Task folders: the one public episode, and made-up ones with recorded poses, failures and
faults.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results, open_worlds
from navviz.metrics.score import score_run
from navviz.metrics.stages import walk_stages
from navviz.metrics.walked import walked_graph
from navviz.runs.opened import load
from navviz.runs.sources import Source
from navviz.systems.lhvln.logs.motion import Pose, advance, dead_reckon, heading_deg, to_metric
from navviz.systems.lhvln.logs.scenes import bare_scene
from tests.systems.lhvln.logs.test_scenes import LIST, VOTES


@pytest.fixture
def real(data_dir):
    """The one public episode."""
    return data_dir / "lhvln" / "lhpr"


def test_the_public_episode_is_a_replay_of_two_stages(real):
    worlds = open_worlds(real.parent / "scene")
    (run,) = open_results(real, worlds)
    (trace,) = run.traces.values()
    assert run.problems.count == 0
    assert len(trace.steps) == 133
    assert [step.index for step in trace.steps if step.decision and step.decision.stop] == [79, 133]
    assert [task.goals for task in trace.episode.tasks] == [("kettle 240",), ("coffee table 171",)]
    assert [task.actions for task in trace.episode.tasks] == [
        ("Grab('kettle')",),
        ("Release('kettle')",),
    ]
    assert trace.episode.extra["gt_step"] == [80, 54]
    assert trace.episode.split == "val"
    assert trace.header.pose_source is not None
    assert trace.header.pose_source.startswith("dead reckoned")
    stages = walk_stages(trace, walked_graph(trace, worlds(trace.episode.world)))
    assert [stage.error_m for stage in stages] == pytest.approx([0.86, 0.44], abs=0.005)
    assert stages[0].note == "straight line, no navmesh"


def test_the_public_episode_scores_one(real):
    worlds = open_worlds(real.parent / "scene")
    means = score_run(open_results(real, worlds)[0], worlds).means
    assert [means[name] for name in ("SR", "ISR", "ISR_paper", "CSR", "CGT")] == [1, 1, 1, 1, 1]


def test_both_step_tasks_lie_on_the_walk_with_navgens_segments(real):
    (trace,) = open_results(real, bare_scene)[0].traces.values()
    first, second = trace.episode.step_tasks
    assert (first.first_step, first.last_step) == (4, 79)  # actions 3 to 78
    assert (second.first_step, second.last_step) == (88, 132)
    assert [label for _, _, label in first.segments] == [
        "move_forward", "turn_left", "move_forward", "turn_left", "move_forward",
    ]  # fmt: skip
    assert [(a, b) for a, b, _ in second.segments] == [(88, 118), (119, 121), (122, 132)]


def test_poses_agree_with_those_worked_out_for_the_data(real):
    (trace,) = open_results(real, bare_scene)[0].traces.values()
    result = next(real.rglob("poses_dead_reckoned.jsonl")).read_text().splitlines()
    places = [json.loads(line) for line in result]
    moves = [place for place in places if place["action"] != "stop"]
    for step, place in zip(trace.steps, moves, strict=True):
        x, y, _ = trace.header.poses[step.path[-1] if step.path else str(step.node)]
        assert (x, y) == pytest.approx((place["pos"][0], -place["pos"][2]), abs=1e-3)
    heights = [
        position[2] for node, position in trace.header.poses.items() if node.startswith("pose")
    ]
    assert heights[0] == pytest.approx(3.3365, abs=1e-3)
    assert heights[-1] == pytest.approx(0.1365, abs=1e-3)


def test_without_scene_lists_it_still_opens(real):
    run = load(Source("lhpr", "opened", (), None, real))
    (key,) = run.traces
    assert run.scores.rows[key]["ISR"] is None
    assert run.graph(key).path_length_m(run.trace(key).path) == pytest.approx(24.3, abs=0.1)
    assert "rooms and targets are not on the map" in str(run.problems.kept[0])


def test_motion_in_both_frames():
    assert to_metric((1.0, 2.0, 3.0)) == (1.0, -3.0, 2.0)
    assert [heading_deg(yaw) for yaw in (180.0, 150.0, -150.0, 90.0)] == [0.0, 30.0, 330.0, 90.0]
    start = Pose((0.0, 0.0, 1.0), heading_deg(180.0))
    assert advance(start, "move_forward").position == pytest.approx((0.0, 0.25, 1.0))
    poses = dead_reckon(start, ["turn_right", "turn_right", "turn_right", "move_forward", "stop"])
    assert poses[-1].position == pytest.approx((0.25, 0.0, 1.0))
    assert poses[-1].heading_deg == 90.0


# --- made-up folders

CONFIG: dict[str, Any] = {
    "Task instruction": "Take the kettle to the bed.",
    "Subtask list": ["Move_to('kettle_10')", "Grab('kettle')", "Move_to('bed_1')", "Release('kettle')"],
    "Robot": "stretch",
    "Scene": "00999-TestHouse",
    "Object": [["kettle", "Region 10: Kitchen"], ["bed", "Region 1: Bedroom"]],
}  # fmt: skip
ACTIONS = [(-1, "stop", "kettle"), (0, "move_forward", "kettle"), (0, "stop", "kettle"), (1, "turn_left", "bed"),
           (2, "move_forward", "bed"), (2, "stop", "bed")]  # fmt: skip


def _task(folder: Path, config: dict[str, Any] = CONFIG, kind: str = "success/trial_1") -> Path:
    task = folder / "task" / "batch_7" / "2" / "Take the kettle to the bed"
    (task / kind).mkdir(parents=True)
    (task / "config.json").write_text(json.dumps(config))
    for step, action, target in ACTIONS:
        (task / kind / f"{step}_{action}_for_{target}").mkdir()
    scenes = folder / "scene"
    scenes.mkdir(exist_ok=True)
    (scenes / "00999-TestHouse.txt").write_text(LIST)
    (scenes / "Per_Scene_Region_Weighted_Votes.csv").write_text(VOTES)
    return task / kind


def _trial(positions: list[list[float]]) -> dict[str, Any]:
    first, second = positions[:3], positions[3:]
    return {
        "trial": {
            "trial_0": {
                "pos": first,
                "yaw": [180.0] * 3,
                "action": ["stop", "move_forward", "stop"],
            },
            "trial_1": {
                "pos": second,
                "yaw": [-150.0] * 3,
                "action": ["turn_left", "move_forward", "stop"],
            },
        }
    }


def test_recorded_poses_come_before_dead_reckoning(tmp_path):
    trial = _task(tmp_path)
    places = [
        [5.0, 0.0, 1.0], [5.0, 0.0, 0.5], [5.0, 0.0, 0.5], [5.0, 0.0, 0.5], [1.2, 0.0, -2.0],
        [1.2, 0.0, -2.0],
    ]  # fmt: skip
    (trial / "task.json").write_text(json.dumps(CONFIG | _trial(places)))
    worlds = open_worlds(tmp_path / "scene")
    (run,) = open_results(tmp_path, worlds)
    (trace,) = run.traces.values()
    assert trace.header.pose_source == "recorded by the simulator"
    assert [step.heading_deg for step in trace.steps] == [0.0, 0.0, 330.0]
    assert [trace.header.poses[node] for node in trace.path] == [
        (5.0, -1.0, 0.0),
        (5.0, -0.5, 0.0),
        (1.2, 2.0, 0.0),
    ]
    stages = walk_stages(trace, walked_graph(trace, worlds(trace.episode.world)))
    assert [stage.error_m for stage in stages] == pytest.approx([0.5, 0.2])
    assert trace.episode.extra["gt_step"] == [2, 2]


def test_failed_tries_are_a_run_of_their_own(tmp_path):
    _task(tmp_path)
    _task(tmp_path / "other", kind="fail/trial_1_1-2")
    runs = open_results(tmp_path, bare_scene)
    assert [(run.method, len(run)) for run in runs] == [(None, 1)]
    (failed,) = open_results(tmp_path / "other", bare_scene)
    (trace,) = failed.traces.values()
    assert trace.end is not None
    assert (trace.end.status, trace.end.reason) == ("limit", "recorded as trial_1_1-2")
    assert trace.episode.reference_path == ()


def test_faults_are_sentences_and_the_rest_is_shown(tmp_path):
    config = CONFIG | {"Subtask list": ["Move_to('spoon_10')", "Open('door')", "Move_to('bed_1')"]}
    trial = _task(tmp_path, config)
    (trial / "notes").mkdir()
    (trial / "task.json").write_text(json.dumps(config | _trial([[0.0, 0.0, 0.0]] * 5)))
    (run,) = open_results(tmp_path, open_worlds(tmp_path / "scene"))
    result = " ".join(str(problem) for problem in run.problems.kept)
    assert "'spoon' is not in Region 10: Kitchen of scene 00999-TestHouse" in result
    assert "\"Open('door')\" is none of Move_to, Grab, Release" in result
    assert "1 folder is not named STEP_ACTION_for_TARGET" in result
    assert "5 poses for 6 actions" in result
    assert "the walk is drawn from (0, 0, 0)" in result
    (trace,) = run.traces.values()
    assert [task.goals for task in trace.episode.tasks] == [(), ("bed 1",)]


def test_poses_that_cannot_be_read_are_dead_reckoned(tmp_path):
    trial = _task(tmp_path)
    broken = _trial([[5.0, 0.0, 1.0]] * 6)
    broken["trial"]["trial_0"]["pos"][1] = [5.0, "x"]
    broken["trial"]["trial_1"] = None
    (trial / "task.json").write_text(json.dumps(CONFIG | broken))
    (run,) = open_results(tmp_path, bare_scene)
    (trace,) = run.traces.values()
    assert len(trace.steps) == 3
    assert str(trace.header.pose_source).startswith("dead reckoned")
    assert any("2 poses for 6 actions" in str(problem) for problem in run.problems.kept)


def test_step_tasks_open_as_episodes_of_one_target(tmp_path):
    folder = tmp_path / "step_task" / "batch_6"
    folder.mkdir(parents=True)
    fields = {
        "trajectory path": "task/batch_6/2/x",
        "Robot": "spot",
        "Scene": "00999-TestHouse",
        "target": ["kettle"],
    }
    fields |= {
        "Region": ["10"],
        "start": 3,
        "end": 9,
        "start_pos": [3.0, 0.5, -2.0],
        "start_yaw": -60,
    }
    fields |= {"Task instruction": "Go ahead to the kettle."}
    (folder / "a.json").write_text(json.dumps(fields))
    (folder / "b.json").write_text("[1]")
    opened = open_episodes(tmp_path / "step_task")
    (episode,) = opened.episodes.values()
    assert (episode.split, episode.start_heading_deg, episode.extra["gt_step"]) == (
        "val",
        240.0,
        [7],
    )
    assert episode.extra["start_position"] == [3.0, 2.0, 0.5]
    assert [(task.target, task.region) for task in episode.tasks] == [("kettle", "Region 10")]
    assert [str(problem) for problem in opened.problems.kept] == [
        "b.json: is no step task; the others are shown."
    ]


def test_an_empty_trial_is_one_sentence(tmp_path):
    task = tmp_path / "task" / "batch_1" / "2" / "x"
    (task / "success" / "trial_1").mkdir(parents=True)
    (task / "config.json").write_text(json.dumps(CONFIG))
    with pytest.raises(InputError, match="holds no recorded trial"):
        open_results(tmp_path, bare_scene)


def test_the_tasks_alone_are_episodes(tmp_path):
    _task(tmp_path)
    episodes = open_episodes(tmp_path)
    (episode,) = episodes.episodes.values()
    assert episode.instruction == "Take the kettle to the bed."
    assert (episode.split, episode.extra["unseen_split"], episode.extra["robot"]) == (
        "test",
        "test",
        "stretch",
    )
    assert len(episode.tasks) == 2
    run = load(Source("tasks", "opened", (tmp_path / "scene",), tmp_path, None))
    assert run.trace(episode.id).episode.tasks[0].goals == ("kettle 4",)
    assert run.trace(episode.id).header.poses == {
        "kettle 4": (5.0, -0.0, 1.0),
        "bed 1": (1.0, 2.0, 0.5),
    }
