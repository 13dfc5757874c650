"""What the recorder adds to a step of a simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.records.recorder import Recorder

GOAL_S = 0.001
EPISODE: dict[str, Any] = {
    "episode_id": 1,
    "scene_id": "mp3d/s/s.glb",
    "start_position": [0.0, 0.0, 0.0],
    "start_rotation": [0.0, 0.0, 0.0, 1.0],
    "instruction": {"instruction_text": "Go on."},
}


@pytest.mark.nightly
def test_a_step_without_pictures_takes_under_a_millisecond(
    benchmark: BenchmarkFixture, tmp_path: Path
) -> None:
    recorder = Recorder("run", str(tmp_path))
    recorder.begin(EPISODE)
    metrics = {"distance_to_goal": 1.0, "success": 0.0, "path_length": 2.0}
    places = iter(range(10_000_000))

    def step() -> None:
        recorder.step(
            1, [0.25 * next(places), 0.0, 0.0], [0, 0, 0, 1], metrics, reply="Go ahead." * 20
        )

    benchmark(step)
    recorder.end()
    assert benchmark.stats["median"] < GOAL_S
