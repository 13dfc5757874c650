"""The recorder: one file of the standard library that writes what a Habitat evaluation does."""

from __future__ import annotations

import ast
import gzip
import importlib.util
import json
import math
import os
import signal
import subprocess
import sys
import typing
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import navviz
from navviz.errors import Problems
from navviz.records import recorder
from navviz.records.recorder import Recorder, action_name, record
from navviz.records.trace_files import read_trace
from tests.fake_habitat import Env, Quaternion, yaw_deg_of

SOURCE = Path(recorder.__file__).read_text(encoding="utf-8")
EPISODE = {
    "episode_id": 7,
    "trajectory_id": 15,
    "scene_id": "data/scene_datasets/mp3d/zsNo4HB9uLZ/zsNo4HB9uLZ.glb",
    "start_position": [1.0, 0.25, -2.0],
    "start_rotation": [-0.0, math.sin(math.pi / 4), 0.0, math.cos(math.pi / 4)],
    "info": {"geodesic_distance": 0.5},
    "goals": [{"position": [0.5, 0.25, -2.0], "radius": 3.0}],
    "instruction": {"instruction_text": "Go left. "},
    "reference_path": [[1.0, 0.25, -2.0], [0.5, 0.25, -2.0]],
}
WALK = {"locations": [[1.0, 0.25, -2.0], [0.75, 0.25, -2.0]], "actions": [2, 1, 0]}


def walked(folder: Path, **options: Any) -> Path:
    env = record(Env([EPISODE], {"7": WALK}), "my run", str(folder), **options)
    env.reset()
    for action in env.actions:
        env.note(prompt="Where to?", thoughts="Hm.", reply=str(action))
        env.step({"action": action})
    return folder / "7.trace.jsonl"


def copied(folder: Path) -> ModuleType:
    path = folder / "navviz_recorder.py"
    path.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("navviz_recorder", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", [(3, 6), (3, 7)])
def test_it_is_one_file_for_old_environments(version):
    tree = ast.parse(SOURCE, feature_version=version)
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imported for alias in getattr(node, "names", [])}
    modules = {node.module for node in imported if isinstance(node, ast.ImportFrom)}
    assert modules == {"typing"}
    plain = names - set(typing.__all__)
    assert plain == {"datetime", "json", "math", "os", "re", "struct", "zlib"}


def test_an_episode_is_read_with_poses_texts_and_figures(tmp_path):
    problems = Problems()
    trace = read_trace(walked(tmp_path), problems)
    assert not problems.count
    assert trace.header.run == "my run"
    assert (trace.episode.id, trace.episode.world) == ("7", "zsNo4HB9uLZ")
    assert trace.episode.instruction == "Go left."
    assert trace.episode.path_id == "15"
    assert trace.episode.extra == {"geodesic_distance": 0.5}
    assert trace.episode.reference_path == ("reference 1", "reference 2")
    assert trace.poses["goal"] == (0.5, 2.0, 0.25)
    assert [step.decision.action for step in trace.steps if step.decision] == [
        "turn_left", "move_forward", "stop",
    ]  # fmt: skip
    assert [step.position for step in trace.steps] == [
        (1.0, 2.0, 0.25), (1.0, 2.0, 0.25), (0.75, 2.0, 0.25),
    ]  # fmt: skip
    headings = [step.heading_deg for step in trace.steps]
    assert headings == pytest.approx([270.0, 255.0, 255.0])
    assert trace.path == ("pose 0", "pose 1")
    assert trace.poses["pose 1"] == (0.75, 2.0, 0.25)
    call = trace.steps[0].calls[0]
    assert (call.messages[0].text, call.thoughts, call.reply) == ("Where to?", "Hm.", "2")
    assert trace.end is not None
    assert trace.end.status == "done"
    assert trace.end.figures["success"] == 1.0
    assert trace.end.figures["oracle_navigation_error"] is None
    assert "top_down_map_vlnce" not in trace.end.figures
    assert trace.steps[1].figures["distance_to_goal"] == 0.25


def test_the_wrapper_is_the_environment_otherwise(tmp_path):
    env = Env([EPISODE], {"7": WALK})
    wrapped = navviz.record(env, "run", str(tmp_path))
    assert wrapped.sim is env.sim
    assert wrapped.reset() == {"rgb": None}
    assert wrapped.current_episode.episode_id == "7"
    wrapped.close()
    assert env.closed
    end = read_trace(tmp_path / "7.trace.jsonl").end
    assert end is not None
    assert end.status == "stopped"


def test_plain_calls_write_the_same(tmp_path):
    plain = Recorder("my run", str(tmp_path / "plain"))
    plain.begin(EPISODE)
    plain.step(2, [1.0, 0.25, -2.0], [0.0, *_turned(105.0)])
    plain.step("MOVE_FORWARD", [0.75, 0.25, -2.0])
    plain.step(0)
    plain.end({"success": True})
    ours = read_trace(tmp_path / "plain" / "7.trace.jsonl")
    wrapped = read_trace(walked(tmp_path / "wrapped"))
    assert ours.path == wrapped.path
    assert [step.position for step in ours.steps] == [step.position for step in wrapped.steps]
    assert [step.heading_deg for step in ours.steps] == pytest.approx(
        [step.heading_deg for step in wrapped.steps]
    )


def _turned(yaw_deg: float) -> list[float]:
    half = math.radians(yaw_deg) / 2
    return [math.sin(half), 0.0, math.cos(half)]


def test_what_explanations_need_is_noted_by_name(tmp_path):
    by_hand = Recorder("by hand", str(tmp_path))
    by_hand.begin(EPISODE)
    by_hand.plan(["Go left."], ["sofa"])
    by_hand.note(sub_goal=0, sub_goal_status="COMPLETED", shown=["sofa"], rejected={"door": "far"})
    by_hand.step("move_forward", [0.75, 0.25, -2.0])
    by_hand.end()
    trace = read_trace(tmp_path / "7.trace.jsonl")
    (step,) = trace.steps
    assert [mark.name for mark in trace.landmarks] == ["sofa"]
    assert (step.sub_goal, step.decision.sub_goal_status) == (0, "COMPLETED")  # type: ignore[union-attr]
    seen = step.observation
    assert seen is not None
    assert [poi.name for poi in seen.pois] == ["sofa"]
    assert [(one.node, one.state, one.reason) for one in seen.candidates] == [
        ("door", "rejected", "far")
    ]
    assert step.calls == ()


def test_a_gym_like_environment_tells_its_end_itself(tmp_path):
    class Gym:
        def __init__(self, env: Env) -> None:
            self.env = env

        def reset(self) -> Any:
            return self.env.reset()

        def step(self, action: int) -> Any:
            seen = self.env.step(action)
            self.env.episode_over = False
            return seen, 0.0, action == 0, {}

    env = record(Gym(Env([EPISODE], {"7": WALK})), "gym", str(tmp_path))
    env.reset()
    for action in WALK["actions"]:
        env.step(action)
    end = read_trace(tmp_path / "7.trace.jsonl").end
    assert end is not None
    assert end.status == "done"


def test_frames_and_a_floor_view_lie_beside_the_trace(tmp_path):
    class Picture:
        shape = (2, 3, 3)

        def tobytes(self) -> bytes:
            return bytes(range(18))

    env = Env([EPISODE], {"7": WALK})
    env.reset = lambda reset=env.reset: {**reset(), "rgb": Picture()}  # type: ignore[method-assign]
    wrapped = record(env, "run", str(tmp_path), frames="rgb")
    wrapped.reset()
    wrapped.step(2)
    wrapped.close()
    (view,) = read_trace(tmp_path / "7.trace.jsonl").steps[0].views
    assert (view.source, view.kind) == ("7.views/0001.png", "picture")
    from PIL import Image

    with Image.open(tmp_path / "7.views" / "0001.png") as picture:
        assert picture.size == (3, 2)
        assert picture.getpixel((2, 1)) == (15, 16, 17)
    with Image.open(tmp_path / "zsNo4HB9uLZ_floor1.png") as floor:
        assert floor.size == (40, 60)
    document = json.loads((tmp_path / "zsNo4HB9uLZ_floor1.json").read_text(encoding="utf-8"))
    assert document["origin"] == [-1.0, 2.0]
    assert document["north_up"] is True


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", "<script>", "", "x" * 300, "\ud800", "..", "ep\n1"]
)
def test_no_episode_id_leaves_the_folder(tmp_path, name):
    hostile = Recorder("run", str(tmp_path / "run"))
    hostile.begin({**EPISODE, "episode_id": name, "instruction": "<img onerror=x>\ud800"})
    hostile.step(1, [float("nan"), 0, 0], [0, 0, 0, 0], {"spl": float("inf")}, reply="\udfff")
    hostile.end()
    files = list(tmp_path.rglob("*"))
    assert [path.parent.name for path in files if path.is_file()] == ["run"]
    trace = read_trace(next(path for path in files if path.is_file()))
    assert trace.steps[0].position == (1.0, 2.0, 0.25)


def test_one_id_in_two_scans_gives_two_traces(tmp_path):
    both = Recorder("run", str(tmp_path))
    both.begin(EPISODE)
    both.begin({**EPISODE, "scene_id": "hm3d/val/00800-TEEsavR23oF/TEEsavR23oF.basis.glb"})
    both.end()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["7.trace.jsonl", "TEEsavR23oF-7.trace.jsonl"]


def test_a_second_recording_keeps_the_first(tmp_path):
    walked(tmp_path)
    first = (tmp_path / "7.trace.jsonl").read_text(encoding="utf-8")
    walked(tmp_path)
    assert (tmp_path / "7.trace.jsonl.old").read_text(encoding="utf-8") == first


def test_a_failing_step_ends_the_trace(tmp_path):
    env = Env([EPISODE], {"7": WALK})
    wrapped = record(env, "run", str(tmp_path))
    wrapped.reset()
    env.step = lambda _action: 1 / 0  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        wrapped.step(1)
    end = read_trace(tmp_path / "7.trace.jsonl").end
    assert end is not None
    assert (end.status, end.reason) == ("error", "The step failed: ZeroDivisionError.")


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (0, "stop"), (3, "turn_right"), ("TURN_LEFT", "turn_left"), ({"action": 1}, "move_forward"),
        ({"action": {"action": "GO_TOWARD_POINT", "action_args": {}}}, "go_toward_point"),
        ([2], "turn_left"), (17, "action 17"), (SimpleNamespace(name="STOP"), "stop"),
        (None, "nonetype"),
    ],
)  # fmt: skip
def test_actions_have_names(action, name):
    assert action_name(action) == name


def test_kill_9_loses_no_step_that_was_taken(tmp_path):
    copied(tmp_path)
    code = f"""
import os, signal, navviz_recorder
recorder = navviz_recorder.Recorder("run", {str(tmp_path / "run")!r})
recorder.begin({EPISODE!r})
for k in range(40):
    recorder.step(1, [k * 0.25, 0.0, 0.0])
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=os.environ, check=False)
    assert done.returncode == -signal.SIGKILL
    trace = read_trace(tmp_path / "run" / "7.trace.jsonl")
    assert len(trace.steps) == 40
    assert trace.poses[trace.path[-1]] == (9.75, 0.0, 0.0)
    assert trace.end is None


@pytest.mark.data
@pytest.mark.parametrize("count", [30, pytest.param(778, marks=pytest.mark.nightly)])
def test_the_recorded_poses_are_those_of_the_simulator(tmp_path, data_dir, count):
    folder = data_dir / "vlnce" / "val_seen"
    episodes = json.loads(gzip.decompress((folder / "val_seen.json.gz").read_bytes()))["episodes"]
    episodes = episodes[:count]
    walks = json.loads(gzip.decompress((folder / "val_seen_gt.json.gz").read_bytes()))
    env = record(Env(episodes, walks), "gt", str(tmp_path))
    for each_episode in episodes:
        env.reset()
        for action in env.actions:
            env.step(action)
        trace = read_trace(tmp_path / f"{each_episode['episode_id']}.trace.jsonl")
        locations = walks[str(each_episode["episode_id"])]["locations"]
        moved = [locations[0]]
        for step, after in zip(trace.steps, [*trace.steps[1:], None], strict=True):
            assert step.decision is not None
            if step.decision.action == "move_forward":
                assert after is not None
                assert after.position is not None
                x, y, z = after.position
                moved.append([x, z, -y])
        assert moved == locations
        assert trace.steps[0].heading_deg == pytest.approx(
            -yaw_deg_of(each_episode["start_rotation"]) % 360.0, abs=1e-3
        )
    assert len(list(tmp_path.glob("*.trace.jsonl"))) == count


def test_quaternions_of_all_kinds_are_read():
    magnum = SimpleNamespace(vector=[0.0, 0.6, 0.0], scalar=0.8)
    for rotation in ([0.0, 0.6, 0.0, 0.8], Quaternion(0.0, 0.6, 0.0, 0.8), magnum):
        turn = recorder._quaternion(rotation)
        assert turn == (0.0, -0.0, 0.6, 0.8)
        assert recorder.heading_deg(turn) == pytest.approx(360 - math.degrees(2 * math.asin(0.6)))
