"""Recorded motions as steps of a trace: one step an action, poses as nodes of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.records import Call, Decision, Panel, Step, StepView
from navviz.systems.lhvln.logs.motion import Pose
from navviz.systems.lhvln.logs.subtasks import Places

_STAYED_M = 1e-4
"""Poses nearer than this are one place: a turn action moves the camera by rounding alone."""
_NODE = "pose {}"


@dataclass(frozen=True, slots=True)
class Motion:
    """One action of a log."""

    action: str
    stop: bool = False
    """Whether the agent declares its current target reached with, or right after, this action."""
    reason: str | None = None
    calls: tuple[Call, ...] = ()
    panels: tuple[Panel, ...] = ()
    views: tuple[StepView, ...] = ()
    """What the agent saw when it chose the action."""


@dataclass(frozen=True, slots=True)
class PoseWalk:
    """What motions and poses become."""

    steps: tuple[Step, ...]
    places: Places
    """Positions of the nodes."""
    start: str
    end: str
    start_heading_deg: float


def build_walk(poses: Sequence[Pose], motions: Sequence[Motion]) -> PoseWalk:
    """Make steps of motions.

    Parameters
    ----------
    poses
        Before the first action and after each: one more than `motions`.
    motions
        In order.
    """
    nodes, places = _nodes(poses)
    steps = []
    for k, motion in enumerate(motions):
        here, there = nodes[k], nodes[k + 1]
        step = Step(
            index=k + 1,
            node=here,
            # further digits are rounding noise of turns by 30 degrees
            heading_deg=round(poses[k].heading_deg, 2),
            calls=motion.calls,
            decision=Decision(action=motion.action, stop=motion.stop, reason=motion.reason),
            path=(here, there) if here != there else (),
            panels=motion.panels,
            views=motion.views,
        )
        steps.append(step)
    return PoseWalk(tuple(steps), places, nodes[0], nodes[-1], round(poses[0].heading_deg, 2))


def _nodes(poses: Sequence[Pose]) -> tuple[list[str], Places]:
    """Return a node id for each pose; who only turns, or is blocked, stays on the same node."""
    nodes: list[str] = []
    places: Places = {}
    for k, pose in enumerate(poses):
        if (
            nodes
            and max(abs(a - b) for a, b in zip(places[nodes[-1]], pose.position, strict=True))
            < _STAYED_M
        ):
            # a node a pose would give 12 nodes to a look around, each a step of 0 m on the map
            nodes.append(nodes[-1])
            continue
        x, y, z = (round(value, 4) for value in pose.position)
        nodes.append(_NODE.format(k))
        places[nodes[-1]] = (x, y, z)
    return nodes, places
