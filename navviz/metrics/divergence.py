"""Where and how an agent left the reference path, in numbers and in a sentence.

A walk follows the reference while its next node is the next of the reference (or one a little further on, where a link
cuts a corner). Once it has come to where the rest of the reference is no longer than the success radius, any node
within that radius of the goal still counts as following. The first step whose move does otherwise is the divergence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.metrics.path import Ruler
from navviz.records import Episode, Step, Trace
from navviz.world.geometry import compass, relative_direction
from navviz.world.graph import Graph

__all__ = ["Divergence", "Kind", "find_divergence"]

Kind = Literal["none", "wrong turn", "overshoot", "undershoot", "did not stop", "illegal decision", "no reference"]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first departure from the reference path."""

    kind: Kind
    """``none``: followed it and stopped at the goal. ``wrong turn``: took another link than the reference, or turned
    back. ``overshoot``: followed it to the goal and went on. ``undershoot``: followed it and stopped too early.
    ``did not stop``: followed it, but the run ended before the agent stopped. ``illegal decision``: followed it until
    decisions that could not be carried out ended the run. ``no reference``: nobody knows the route."""
    sentence: str
    step: int | None = None
    """Index of the step, counted from 1, whose move left the reference, or that stopped or failed."""
    node: str | None = None
    """The node where it left, stopped or failed."""
    returned_step: int | None = None
    """The step that came back to the reference, at or after `node`."""
    returned_node: str | None = None
    error_m: float | None = None
    """How far from the goal the agent ended."""
    off_route_m: float | None = None
    """How far from the nearest node of the reference it got before it came back, in a straight line."""

    @property
    def left(self) -> bool:
        """Whether the walk left the reference path."""
        return self.kind in {"wrong turn", "overshoot"}


@dataclass(frozen=True)
class _Route:
    """The reference path with what is asked of it again and again."""

    nodes: tuple[str, ...]
    places: dict[str, list[int]]
    rest_m: NDArray[np.float64]
    """Length of what is left of the reference at each of its nodes."""
    to_goal_m: dict[str, float]
    """Distance to the goal of each node walked."""
    radius_m: float

    def following(self, at: int, node: str) -> int | None:
        """Place on the reference after a move to `node` from place `at`; ``None`` where that leaves it."""
        ahead = [place for place in self.places.get(node, ()) if place >= at]
        if ahead and (ahead[0] <= at + 1 or self.rest_m[at] - self.rest_m[ahead[0]] <= self.radius_m):
            return ahead[0]
        near = self.rest_m[at] <= self.radius_m and self.to_goal_m[node] <= self.radius_m
        return at if near else None


def find_divergence(trace: Trace, graph: Graph) -> Divergence:
    """Find the first departure from the reference path and explain it.

    Nodes that the graph lacks are skipped; an episode without a reference path (or one that the graph lacks) gives
    the kind ``no reference``.
    """
    episode = trace.episode
    if not episode.reference_path or any(node not in graph for node in episode.reference_path):
        return Divergence("no reference", "Nobody knows the route of this episode, so nothing can be compared with it.")
    moves = [(step, node) for step, node in _moves(trace) if node in graph]
    route = _route(episode, graph, [episode.start, *(node for _, node in moves)])
    at, here, before = 0, route.nodes[0], None
    for k, (step, node) in enumerate(moves):
        if node == here:
            continue
        place = route.following(at, node)
        if place is None:
            return _left(trace, graph, route, moves[k:], _Fork(step, at, before, here, node))
        at, before, here = place, here, node
    return _followed(trace, route, here)


def _moves(trace: Trace) -> Iterator[tuple[Step, str]]:
    """Each node walked with the step that walked it."""
    for step in trace.steps:
        for node in step.path or ((step.node,) if step.node else ()):
            yield step, node


def _route(episode: Episode, graph: Graph, walked: Sequence[str]) -> _Route:
    nodes = episode.reference_path
    places: dict[str, list[int]] = {}
    for place, node in enumerate(nodes):
        places.setdefault(node, []).append(place)
    lengths = np.array([graph.distance_m(a, b) for a, b in pairwise(nodes)] + [0.0])
    rest_m = np.cumsum(lengths[::-1])[::-1]
    known = [node for node in dict.fromkeys((*walked, nodes[0])) if node in graph]
    goal = episode.goal if episode.goal is not None and episode.goal in graph else nodes[-1]
    to_goal_m = dict(zip(known, Ruler(graph).matrix_m([goal], known)[0].tolist(), strict=True))
    return _Route(nodes, places, rest_m, to_goal_m, episode.success_radius_m)


@dataclass(frozen=True)
class _Fork:
    """The move that left the reference."""

    step: Step
    at: int
    before: str | None
    node: str
    taken: str


def _left(trace: Trace, graph: Graph, route: _Route, moves: list[tuple[Step, str]], fork: _Fork) -> Divergence:
    kind: Kind = "overshoot" if route.rest_m[fork.at] <= route.radius_m else "wrong turn"
    off: list[str] = []
    back: tuple[Step, str] | None = None
    for step, node in moves:
        if any(place >= fork.at for place in route.places.get(node, ())):
            back = (step, node)
            break
        off.append(node)
    off_m = float(Ruler(graph, "straight").matrix_m(off, route.nodes).min(axis=1).max()) if off else 0.0
    error_m = route.to_goal_m[moves[-1][1]]
    how = _turn(trace.episode, graph, route, fork)
    how = _passed(route, fork, how) if kind == "overshoot" else how
    sentence = f"In step {fork.step.index}{_sub_goal(trace, fork.step)} the agent {how}"
    sentence += f", got {off_m:.0f} m off the route" if off_m >= 1.0 else ""
    sentence += f" and came back to it in step {back[0].index}" if back else " and never came back"
    return Divergence(
        kind,
        f"{sentence}; it ended {_error(error_m, route.radius_m)}.",
        fork.step.index,
        fork.node,
        back[0].index if back else None,
        back[1] if back else None,
        error_m,
        off_m,
    )


def _passed(route: _Route, fork: _Fork, turn: str) -> str:
    if fork.at == len(route.nodes) - 1:
        return "passed the goal and went on"
    how = turn if fork.node == route.nodes[fork.at] else "went on"
    return f"came within {route.to_goal_m[fork.node]:.0f} m of the goal and then {how}"


_DID = {"Forward": "went straight on", "Left": "turned left", "Right": "turned right", "Back": "turned back"}
_DOES = {"Forward": "goes straight on", "Left": "turns left", "Right": "turns right", "Back": "turns back"}


def _turn(episode: Episode, graph: Graph, route: _Route, fork: _Fork) -> str:
    """What the agent did where the route does something else."""
    taken_deg = graph.heading_deg(fork.node, fork.taken)
    due = route.nodes[min(fork.at + 1, len(route.nodes) - 1)]
    due_deg = graph.heading_deg(fork.node, due)
    facing_deg = episode.start_heading_deg if fork.before is None else graph.heading_deg(fork.before, fork.node)
    if facing_deg is not None:
        did, does = relative_direction(facing_deg, taken_deg), relative_direction(facing_deg, due_deg)
        if did != does:
            return f"{_DID[did]} where the route {_DOES[does]}"
    if compass(taken_deg) != compass(due_deg):
        return f"took the way to the {compass(taken_deg).lower()} where the route goes {compass(due_deg).lower()}"
    return "took another way than the route"


def _sub_goal(trace: Trace, step: Step) -> str:
    plan = step.plan or trace.sub_goals
    if step.sub_goal is None or not 0 <= step.sub_goal < len(plan):
        return ""
    return f" (sub-goal {step.sub_goal + 1}: “{plan[step.sub_goal].description}”)"


def _error(error_m: float, radius_m: float) -> str:
    if not np.isfinite(error_m):
        return "where no way leads to the goal"
    if error_m < 0.5:
        return "at the goal"
    inside = "within" if error_m <= radius_m else "outside"
    return f"{error_m:.0f} m from the goal, {inside} the success radius of {radius_m:g} m"


def _followed(trace: Trace, route: _Route, here: str) -> Divergence:
    """The walk never left the reference."""
    error_m = route.to_goal_m[here]
    last = trace.steps[-1] if trace.steps else None
    where = f"the agent never left the route and ended {_error(error_m, route.radius_m)}"
    if _stopped(trace) and error_m <= route.radius_m:
        return Divergence("none", f"{where[0].upper()}{where[1:]}.", None, None, error_m=error_m)
    failed = _failed(trace.steps)
    kind: Kind
    blamed: Step | None
    if failed is not None and error_m > route.radius_m:
        kind, blamed, why = "illegal decision", failed, _why_illegal(failed)
    elif _stopped(trace):
        kind, blamed, why = "undershoot", last, "it stopped too early"
    else:
        kind, blamed, why = "did not stop", last, _why_open(trace)
    head = f"In step {blamed.index}{_sub_goal(trace, blamed)} {why}" if blamed else f"Without a single step, {why}"
    return Divergence(kind, f"{head}: {where}.", blamed.index if blamed else None, here, error_m=error_m)


def _stopped(trace: Trace) -> bool:
    """Whether the agent ended its walk itself."""
    last = trace.steps[-1].decision if trace.steps else None
    return (trace.end is not None and trace.end.status == "done") or (last is not None and last.stop)


def _failed(steps: Sequence[Step]) -> Step | None:
    """First of the illegal decisions that the walk ended with."""
    found: Step | None = None
    for step in reversed(steps):
        if step.decision is None or step.decision.legal:
            break
        found = step
    return found


def _why_illegal(step: Step) -> str:
    reason = step.decision.reason if step.decision is not None else None
    return f"the decision could not be carried out ({reason})" if reason else "the decision could not be carried out"


def _why_open(trace: Trace) -> str:
    if trace.end is None:
        return "the trace breaks off before the agent stopped"
    reasons = {
        "limit": "the limit of steps was reached before the agent stopped",
        "budget": "the budget was used up before the agent stopped",
        "stopped": "the run was stopped by hand",
        "error": "an error ended the run",
    }
    return reasons.get(trace.end.status, "the run ended before the agent stopped")
