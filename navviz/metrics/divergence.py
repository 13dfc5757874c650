"""Where an agent failed to follow its reference path, in numbers and in a sentence.

`navviz.metrics.departures` lists every departure. The one that is named here decided the end: of a
failed walk the departure that was never repaired, or the stop where all were; of a walk that came
to its goal the first one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from navviz.metrics.departures import Departure, ReferenceWalk, Route, follow, moves_of, route_of
from navviz.metrics.free_walks import Line, apart_m, free_scores, walk_line
from navviz.metrics.walked import unknown_places
from navviz.records import Episode, Step, Trace
from navviz.records.base import plural
from navviz.world.graph import Graph

_SPACING_M = 0.25
"""Distance of the points that stand for a reference: one forward step of VLN-CE."""


class Excursion(NamedTuple):
    """A stretch of a walk outside of the corridor."""

    step: int
    """Index of the step that left, counted from 1."""
    node: str
    """The last place inside."""
    returned_step: int | None
    returned_node: str | None
    off_route_m: float
    """How far from the reference it got."""


def leaves_corridor(trace: Trace) -> Excursion | None:
    """Return the last stretch of a free walk farther from the reference than the success radius.

    Distances are straight lines to the expert's whole walk where it is known, else to the reference
    path. ``None`` for a walk that stayed, or that cannot be compared.
    """
    line, reference = walk_line(trace), _reference(trace.episode)
    if line is None or reference is None or reference.shape[1] != line.shape[1]:
        return None
    off_m = apart_m(line, reference).min(axis=1)
    outside = np.flatnonzero(off_m > trace.episode.success_radius_m)
    # a walk that begins outside of the corridor cannot leave it
    if len(outside) == 0 or outside[0] == 0:
        return None
    last = int(outside[-1])
    first = last
    # back to where the stretch began; earlier ones were repaired
    while first - 1 in outside:
        first -= 1
    # the step that came to each place of the walk; 0 for the start
    arrivals, here = [0], trace.episode.start
    for step in trace.steps:
        for node in step.path:
            if node != here:
                arrivals.append(step.index)
                here = node
    path = trace.path
    back = last + 1 if last + 1 < len(path) else None
    return Excursion(
        step=arrivals[first],
        node=path[first - 1],
        returned_step=None if back is None else arrivals[back],
        returned_node=None if back is None else path[back],
        off_route_m=float(off_m[first : last + 1].max()),
    )


def _reference(episode: Episode) -> Line | None:
    if episode.reference_positions:
        return np.asarray(episode.reference_positions, dtype=float)
    points = [episode.places.get(node) for node in episode.reference_path]
    placed = [point for point in points if point is not None]
    if not placed or len(placed) != len(points) or len({len(point) for point in placed}) != 1:
        return None
    # one in degrees stays as it is
    line = np.asarray(placed, dtype=float)
    if line.shape[1] == 2 or len(line) < 2:
        return line
    parts = [line[:1]]
    for start, end in pairwise(line):
        count = max(1, int(np.ceil(np.linalg.norm(end - start) / _SPACING_M)))
        # without its start, with which the part before ends
        shares = np.linspace(0, 1, count + 1)[1:, None]
        parts.append(start + shares * (end - start))
    return np.concatenate(parts)


Kind = Literal[
    "none",
    "wrong turn",
    "overshoot",
    "undershoot",
    "did not stop",
    "illegal decision",
    "off the route",
    "no reference",
]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The departure from the reference path that decided the end."""

    kind: Kind
    """``none``: followed it and stopped at the goal.

    ``wrong turn``: took another link than the reference, or turned back. ``overshoot``: followed it
    to the goal and went on. ``undershoot``: followed it and stopped too early. ``did not stop``:
    followed it, but the run ended before the agent stopped. ``illegal decision``: followed it until
    decisions that could not be carried out ended the run. ``off the route``: a free walk got
    farther from the reference than the success radius. ``no reference``: nobody knows the route,
    or the end.
    """
    sentence: str
    step: int | None = None
    """Index of the step, counted from 1, whose move left the reference, or that stopped or failed.
    """
    node: str | None = None
    """The node where it left, stopped or failed."""
    returned_step: int | None = None
    """The step that came back to the reference, at or after `node`."""
    returned_node: str | None = None
    error_m: float | None = None
    """How far in metres from the goal the agent ended."""
    off_route_m: float | None = None
    """How far in metres from the nearest node of the reference it got before it came back, in a
    straight line.
    """
    departures: tuple[Departure, ...] = ()
    """All departures in order, the repaired ones too."""
    gave_up: int | None = None
    """Index of the sub-goal in which the agent gave up, counted from 0; only where it missed the
    goal.
    """

    @property
    def left(self) -> bool:
        """Whether the walk left the reference path where this says."""
        return self.kind in {"wrong turn", "overshoot", "off the route"}


def find_divergence(trace: Trace, graph: Graph) -> Divergence:
    """Find the departure from the reference path that decided the end, and explain it.

    An episode without a reference path gives the kind ``no reference``; so does one whose route,
    goal or walk has places that the graph lacks, and a walk of which nobody can tell where it
    ended.
    """
    episode = trace.episode
    if not trace.end_is_known:
        return Divergence(
            "no reference",
            "The log does not say where this walk ended, so nothing can be compared.",
        )
    if trace.is_free:
        return _free(trace)
    unknown = unknown_places(trace, graph)
    if unknown:
        places = plural(len(trace.path), "place")
        return Divergence(
            "no reference",
            f"The map lacks {len(unknown)} of {places} of this walk, so nothing can be compared.",
        )
    # the end of a route is its goal, where the episode names no other
    needed = (*episode.reference_path, *(() if episode.goal is None else (episode.goal,)))
    lacking = [node for node in dict.fromkeys(needed) if node not in graph]
    if episode.reference_path and lacking:
        places = plural(len(set(needed)), "place")
        return Divergence(
            "no reference",
            f"The map lacks {len(lacking)} of {places} of this route, so nothing can be compared.",
        )
    if not episode.reference_path:
        return Divergence(
            "no reference",
            "Nobody knows the route of this episode, so nothing can be compared with it.",
        )
    moves = [(step, node) for step, node in moves_of(trace) if node in graph]
    route = route_of(episode, graph, [episode.start, *(node for _, node in moves)])
    walk = follow(route, moves, graph)
    decisive = _decisive(route, walk)
    return (
        _followed(trace, route, walk) if decisive is None else _left(trace, route, walk, decisive)
    )


def _free(trace: Trace) -> Divergence:
    """Explain where a free walk left the corridor around its reference."""
    if not trace.steps:
        return Divergence("no reference", "No walk was recorded, so nothing can be compared.")
    if not trace.episode.reference_path:
        return Divergence(
            "no reference",
            "Nobody knows the route of this episode, so nothing can be compared with it.",
        )
    # a free walk has no links to measure along
    error_m = free_scores(trace).get("NE_est")
    ended = ""
    if error_m is not None:
        ended = f"; it ended {error_m:.1f} m from the goal in a straight line"
    radius_m = trace.episode.success_radius_m
    away = leaves_corridor(trace)
    if away is None:
        within = f"The agent stayed within {radius_m:g} m of the route"
        return Divergence("none", f"{within}{ended}.")
    back = away.returned_step
    how = "and never came back" if back is None else f"and came back in step {back}"
    sentence = (
        f"In step {away.step} the agent got more than {radius_m:g} m off the route (up to"
        f" {away.off_route_m:.0f} m) {how}{ended}."
    )
    return Divergence(
        "off the route",
        sentence,
        away.step,
        away.node,
        back,
        away.returned_node,
        off_route_m=away.off_route_m,
    )


def _decisive(route: Route, walk: ReferenceWalk) -> Departure | None:
    """Return the departure that decided the end."""
    if not walk.departures:
        return None
    # only the last departure can be without a return: `follow` ends at it
    if walk.place is None:
        return walk.departures[-1]
    return walk.departures[0] if route.to_goal_m[walk.end] <= route.radius_m else None


def _left(trace: Trace, route: Route, walk: ReferenceWalk, departure: Departure) -> Divergence:
    error_m = route.to_goal_m[walk.end]
    sentence = f"In step {departure.step} the agent left the route"
    if departure.off_route_m >= 1.0:
        sentence += f", got {departure.off_route_m:.0f} m off it"
    back = departure.returned_step
    sentence += " and never came back" if back is None else f" and came back in step {back}"
    return Divergence(
        departure.kind,
        f"{sentence}; it ended {_error(error_m, route.radius_m)}.",
        departure.step,
        departure.node,
        back,
        departure.returned_node,
        error_m,
        departure.off_route_m,
        walk.departures,
        _gave_up(trace, error_m, route),
    )


def _gave_up(trace: Trace, error_m: float, route: Route) -> int | None:
    """Return the sub-goal that was in progress at the end of a walk that missed its goal."""
    if trace.end is None or error_m <= route.radius_m:
        return None
    return next((k for k, goal in enumerate(trace.end.plan) if goal.status == "IN_PROGRESS"), None)


def _error(error_m: float, radius_m: float) -> str:
    if not np.isfinite(error_m):
        return "where no way leads to the goal"
    if error_m <= 0.5:  # would read as 0 m
        return "at the goal"
    inside = "within" if error_m <= radius_m else "outside"
    return f"{error_m:.0f} m from the goal, {inside} the success radius of {radius_m:g} m"


def _followed(trace: Trace, route: Route, walk: ReferenceWalk) -> Divergence:
    """Explain a walk that ended on the reference."""
    error_m, here = route.to_goal_m[walk.end], walk.end
    last = trace.steps[-1] if trace.steps else None
    did = "never left the route" if not walk.departures else "had come back to the route"
    sentence = f"The agent {did} and ended {_error(error_m, route.radius_m)}."
    if _stopped(trace) and error_m <= route.radius_m:
        return Divergence("none", sentence, error_m=error_m)
    first: Step | None = None
    for step in reversed(trace.steps):
        if step.decision is None or step.decision.legal:
            break
        first = step
    kind: Kind = "did not stop"
    blamed = last
    # within the radius the walk lacks nothing but its stop
    if trace.unanswered is not None:
        sentence += f" The service did not answer ({trace.unanswered}), so it could not go on."
    elif first is not None and error_m > route.radius_m:
        kind, blamed = "illegal decision", first
    elif _stopped(trace):
        kind = "undershoot"
    return Divergence(
        kind,
        sentence,
        blamed.index if blamed else None,
        here,
        error_m=error_m,
        departures=walk.departures,
        gave_up=_gave_up(trace, error_m, route),
    )


def _stopped(trace: Trace) -> bool:
    """Whether the agent ended its walk itself."""
    last = trace.steps[-1].decision if trace.steps else None
    return (trace.end is not None and trace.end.status == "done") or (
        last is not None and last.stop
    )
