"""Habitat's frame and LH-VLN's actions: where an agent stands after turns of 30 degrees and steps
of 0.25 m.

Habitat has x, y up, z, and a yaw that is 180 at the start and grows to the left; forward at yaw 180
is -z. Here positions are ``(x, y, z)`` in metres, z up, and headings are degrees clockwise from +y:
``X = x, Y = -z, Z = y, 180 - yaw``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from navviz.formats.files import Json
from navviz.formats.texts import as_count, as_number

Position = tuple[float, float, float]

FORWARD_M = 0.25
"""One forward action of LH-VLN's agent."""
TURN_DEG = 30.0
"""One turn action of LH-VLN's agent."""
START_YAW_DEG = 180.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Where an agent stands and looks, in the frame of NavViz."""

    position: Position
    heading_deg: float


def to_metric(position: Sequence[float]) -> Position:
    """Return a position in habitat's frame (y up) in ours (z up)."""
    x, y, z = position
    # habitat's z grows to the south, ours is the height: a turn about x, so left stays left
    return float(x), -float(z), float(y)


def metric_place(place: Json) -> Position | None:
    """Return a logged position in our frame; ``None`` where it is no list of three numbers."""
    if not isinstance(place, list) or len(place) != 3:
        return None
    numbers = [number for number in map(as_number, place) if number is not None]
    return to_metric(numbers) if len(numbers) == 3 else None


def step_counts(counts: Json) -> list[int] | None:
    """Return the ground-truth steps of each sub-task; ``None`` where any is no whole number."""
    if not isinstance(counts, list):
        return None
    whole = [count for count in map(as_count, counts) if count is not None]
    # the counts are matched to the sub-tasks by place
    return whole if len(whole) == len(counts) else None


def heading_deg(yaw_deg: float) -> float:
    """Heading of a yaw, both in degrees."""
    return (180.0 - yaw_deg) % 360.0


def turned(heading: float, action: str) -> float:
    """Heading after an action."""
    # headings grow clockwise, habitat's yaw counterclockwise
    return (heading + {"turn_left": -TURN_DEG, "turn_right": TURN_DEG}.get(action, 0.0)) % 360.0


def advance(pose: Pose, action: str) -> Pose:
    """Return the pose after an action where nothing is in the way; ``stop`` and what is no motion
    leave it as it is.
    """
    if action != "move_forward":
        return Pose(pose.position, turned(pose.heading_deg, action))
    # headings run clockwise from +y, so that the sine goes along x
    angle = math.radians(pose.heading_deg)
    x, y, z = pose.position
    return Pose(
        (x + FORWARD_M * math.sin(angle), y + FORWARD_M * math.cos(angle), z), pose.heading_deg
    )


def dead_reckon(start: Pose, actions: Sequence[str]) -> tuple[Pose, ...]:
    """Poses before and after each action, one more than `actions`.

    Good to about 0.2 m: the simulator slides along walls, which this does not know (0.16 m off
    after 87 actions of the one public episode).
    """
    poses = [start]
    for action in actions:
        poses.append(advance(poses[-1], action))
    return tuple(poses)
