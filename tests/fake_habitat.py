"""A package with the attributes of `habitat` that evaluations use; it replays recorded locations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

TURN_DEG = {2: 15.0, 3: -15.0}
"""Yaw of a turn, positive to the left."""


class Quaternion:
    """As numpy-quaternion has it: attributes, and no sequence."""

    def __init__(self, x: float, y: float, z: float, w: float) -> None:
        self.x, self.y, self.z, self.w = x, y, z, w


def yaw_quaternion(yaw_deg: float) -> Quaternion:
    half = math.radians(yaw_deg) / 2
    return Quaternion(0.0, math.sin(half), 0.0, math.cos(half))


def yaw_deg_of(rotation: Sequence[float]) -> float:
    return math.degrees(2 * math.atan2(rotation[1], rotation[3]))


class PathFinder:
    """A walkable square of 2 by 3 m."""

    def get_topdown_view(self, metres_per_pixel: float, height: float) -> list[list[bool]]:
        del height
        rows, columns = round(3 / metres_per_pixel), round(2 / metres_per_pixel)
        return [[True] * columns for _ in range(rows)]

    def get_bounds(self) -> tuple[list[float], list[float]]:
        return [-1.0, 0.0, -2.0], [1.0, 2.0, 1.0]


class Env:
    """`habitat.Env`, of which the agent follows recorded locations whatever it is told."""

    def __init__(
        self, episodes: Sequence[Mapping[str, Any]], walks: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._walks = walks
        self._queue: Iterator[Mapping[str, Any]] = iter(episodes)
        self.sim = SimpleNamespace(get_agent_state=self._state, pathfinder=PathFinder())
        self.episode_over = True
        self.closed = False

    def _state(self) -> SimpleNamespace:
        return SimpleNamespace(position=self._position, rotation=yaw_quaternion(self._yaw_deg))

    @property
    def actions(self) -> list[int]:
        actions: list[int] = self._walks[str(self.current_episode.episode_id)]["actions"]
        return actions

    def reset(self) -> dict[str, Any]:
        result = next(self._queue)
        self.current_episode = SimpleNamespace(
            **{
                **result,
                "episode_id": str(result["episode_id"]),
                "instruction": SimpleNamespace(**result["instruction"]),
                "goals": [SimpleNamespace(**goal) for goal in result["goals"]],
            }
        )
        self._places = iter(self._walks[self.current_episode.episode_id]["locations"])
        self._position = next(self._places)
        self._yaw_deg = yaw_deg_of(result["start_rotation"])
        self.episode_over = False
        self._taken = 0
        return {"rgb": None}

    def step(self, action: Any) -> dict[str, Any]:
        number = action["action"] if isinstance(action, dict) else action
        self._taken += 1
        if number == 1:
            self._position = next(self._places)
        self._yaw_deg += TURN_DEG.get(number, 0.0)
        self.episode_over = number == 0
        return {"rgb": None}

    def get_metrics(self) -> dict[str, Any]:
        goal = self.current_episode.goals[0].position
        return {
            "distance_to_goal": math.dist(goal, self._position),
            "success": float(self.episode_over),
            "steps_taken": self._taken,
            "top_down_map_vlnce": {"map": [[0]]},
            "oracle_navigation_error": math.inf,
        }

    def close(self) -> None:
        self.closed = True
