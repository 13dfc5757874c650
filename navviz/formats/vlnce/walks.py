"""Poses as steps of a free walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from navviz.records import Decision, EndEvent, EndStatus, Episode, Step, Trace, TraceHeader
from navviz.records.episode import START_POSE
from navviz.records.folding import is_same_place
from navviz.records.frames import Position

ACTIONS = ("stop", "move_forward", "turn_left", "turn_right", "look_up", "look_down")
"""Names of Habitat's actions, by number."""
_TURNED_DEG = 0.01
"""Headings nearer than this are one: radians of a file are rounded."""


@dataclass(frozen=True, slots=True)
class FreePose:
    """Where an agent stands and looks, in NavViz's frame."""

    position: Position
    heading_deg: float | None = None


def action_between(before: FreePose, after: FreePose) -> str:
    """Name the action that led from one pose to the next: a move, else a turn, else a wait."""
    if not is_same_place(before.position, after.position):
        return "move_forward"
    if before.heading_deg is None or after.heading_deg is None:
        return "stay"
    # the short way round: from 350 to 5 degrees is a turn to the right
    turned_deg = (after.heading_deg - before.heading_deg + 180.0) % 360.0 - 180.0
    if abs(turned_deg) < _TURNED_DEG:
        return "stay"
    return "turn_right" if turned_deg > 0 else "turn_left"


@lru_cache(maxsize=256)
def _decision(action: str) -> Decision:
    # records are frozen, and a log of a million steps has few kinds of actions
    return Decision(action=action, stop=action == "stop")


def free_steps(
    poses: Sequence[FreePose], actions: Sequence[str], extras: Sequence[Mapping[str, Any]] = ()
) -> tuple[Step, ...]:
    """Make steps of poses and actions.

    Parameters
    ----------
    poses
        Before the first action and after each: one more than `actions`.
    actions
        Names in order.
    extras
        More fields of the first steps: calls, observation, views.
    """
    nodes = _nodes(poses)
    steps = []
    for k, action in enumerate(actions):
        here, there = poses[k], poses[k + 1]
        # forward against a wall leads nowhere, and is then no move
        moved = nodes[k] != nodes[k + 1]
        step = Step(
            index=k + 1,
            node=nodes[k],
            heading_deg=here.heading_deg,
            position=here.position,
            decision=_decision(action),
            path=(nodes[k], nodes[k + 1]) if moved else (),
            end_heading_deg=there.heading_deg,
            end_position=there.position,
            **(extras[k] if k < len(extras) else {}),
        )
        steps.append(step)
    return tuple(steps)


def _nodes(poses: Sequence[FreePose]) -> list[str]:
    """Return a name for each pose; who only turns stays on the same place."""
    # names of places, not of steps: who only turns stays on the same place
    nodes = [START_POSE]
    place = poses[0].position
    for k, pose in enumerate(poses[1:], start=1):
        if is_same_place(place, pose.position):
            nodes.append(nodes[-1])
        else:
            nodes.append(f"pose {k}")
            place = pose.position
    return nodes


def free_trace(
    episode: Episode,
    poses: Sequence[FreePose],
    actions: Sequence[str],
    *,
    run: str,
    source: str,
    pose_source: str,
    figures: dict[str, float | None] | None = None,
    extras: Sequence[Mapping[str, Any]] = (),
) -> Trace:
    """Make a trace of a walk; the episode begins where the walk does."""
    steps = free_steps(poses, actions, extras)
    first, last = poses[0], poses[-1]
    changes: dict[str, object] = {}
    # without an episode file the walk says where it began
    if episode.start not in episode.places:
        changes["places"] = {**episode.places, START_POSE: first.position}
        changes["start"] = START_POSE
    if episode.start_heading_deg is None:
        changes["start_heading_deg"] = first.heading_deg
    # an agent that ran out of steps did not stop, and may stand in the goal's circle
    stopped = bool(actions) and actions[-1] == "stop"
    return Trace(
        header=TraceHeader(
            run=run,
            episode=episode.model_copy(update=changes),
            navigator=run,
            source=source,
            pose_source=pose_source,
            frame="habitat",
        ),
        steps=steps,
        end=EndEvent(
            status=EndStatus.DONE if stopped else EndStatus.UNKNOWN,
            node=steps[-1].path[-1] if steps and steps[-1].path else _last_node(steps),
            position=last.position,
            figures=figures or {},
        ),
    )


def _last_node(steps: Sequence[Step]) -> str | None:
    return steps[-1].node if steps else START_POSE
