"""Every place where a walk leaves its reference path, and where it comes back.

A walk follows the reference while its next node is the next of the reference (or one a little
further on, where a link cuts a corner). Once it has come to where the rest of the reference is no
longer than the success radius, any node within that radius of the goal still counts as following. A
move that does otherwise is a departure; the walk is back when it comes to a node of the reference
that is not behind the place it left. So walking the reference backwards is a departure too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.metrics.path import Ruler
from navviz.records import Episode, Step, Trace
from navviz.world.graph import Graph


@dataclass(frozen=True)
class Route:
    """The reference path with what is looked up again and again."""

    nodes: tuple[str, ...]
    places: dict[str, list[int]]
    """Where on the path each node comes, counted from 0."""
    rest_m: NDArray[np.float64]
    """Length in metres of what is left of the reference at each of its nodes."""
    to_goal_m: dict[str, float]
    """Distance in metres to the goal of each node walked."""
    radius_m: float

    def following(self, at: int, node: str) -> int | None:
        """Return the place on the reference after a move; ``None`` where the move leaves it."""
        ahead = [place for place in self.places.get(node, ()) if place >= at]
        if ahead and (
            ahead[0] <= at + 1 or self.rest_m[at] - self.rest_m[ahead[0]] <= self.radius_m
        ):
            return ahead[0]
        near = self.rest_m[at] <= self.radius_m and self.to_goal_m[node] <= self.radius_m
        return at if near else None


@dataclass(frozen=True, slots=True)
class Departure:
    """One move that left the reference path."""

    kind: Literal["wrong turn", "overshoot"]
    """``overshoot``: what was left of the reference was no longer than the success radius."""
    step: int
    """Index of the step that moved, counted from 1."""
    node: str
    """Where it left."""
    taken: str
    """The node it went to."""
    place: int
    """Where on the reference path it left, counted from 0."""
    before: tuple[str, ...]
    """The nodes walked so far, up to `node`: the way it came."""
    after: tuple[str, ...]
    """The nodes walked from `node` on, up to where it came back or ended."""
    off_route_m: float
    """How far in metres from the nearest node of the reference it got, in a straight line."""
    backwards: bool = False
    """Whether it went to the node before it on the reference: it walked the route backwards."""
    returned_step: int | None = None
    returned_node: str | None = None


@dataclass(frozen=True, slots=True)
class ReferenceWalk:
    """How a walk went along its reference path."""

    departures: tuple[Departure, ...]
    end: str
    """The node where the agent ended."""
    place: int | None
    """Where on the reference it ended; ``None`` where it had left it."""


def moves_of(trace: Trace) -> Iterator[tuple[Step, str]]:
    """Yield each node walked with the step that walked it."""
    for step in trace.steps:
        for node in step.places:
            yield step, node


def route_of(episode: Episode, graph: Graph, walked: Sequence[str]) -> Route:
    """Measure a reference path, and how far each node of `walked` is from the goal."""
    nodes = episode.reference_path
    places: dict[str, list[int]] = {}
    for place, node in enumerate(nodes):
        places.setdefault(node, []).append(place)
    # the zero is the last node's, from which nothing is left
    lengths = np.array([graph.link_m(a, b) for a, b in pairwise(nodes)] + [0.0])
    rest_m = np.cumsum(lengths[::-1])[::-1]
    nodes_on_map = [node for node in dict.fromkeys((*walked, nodes[0])) if node in graph]
    goal = episode.goal if episode.goal is not None and episode.goal in graph else nodes[-1]
    to_goal_m = dict(
        zip(nodes_on_map, Ruler(graph).matrix_m([goal], nodes_on_map)[0].tolist(), strict=True)
    )
    return Route(nodes, places, rest_m, to_goal_m, episode.success_radius_m)


def follow(route: Route, moves: Sequence[tuple[Step, str]], graph: Graph) -> ReferenceWalk:
    """Follow a walk along its reference path and list its departures in order."""
    departures: list[Departure] = []
    walked, at, k = [route.nodes[0]], 0, 0
    while k < len(moves):
        _, node = moves[k]
        # the path of a step begins where the step before ended
        if node == walked[-1]:
            k += 1
            continue
        place = route.following(at, node)
        if place is None:
            back = _return(route, at, moves, k)
            departures.append(_departure(route, graph, walked, moves, (k, back), at))
            if back is None:
                return ReferenceWalk(tuple(departures), moves[-1][1], None)
            detour = [name for _, name in moves[k : back + 1]]
            walked = list(_without_repeats([*walked, *detour]))
            # a reference may pass a node twice: the first pass that is not behind counts
            k, place = back, next(p for p in route.places[moves[back][1]] if p >= at)
        else:
            walked.append(node)
        at, k = place, k + 1
    return ReferenceWalk(tuple(departures), walked[-1], at)


def _return(route: Route, at: int, moves: Sequence[tuple[Step, str]], k: int) -> int | None:
    """Return the first move from `k` on that comes to a place of the reference not behind `at`."""
    for i in range(k, len(moves)):
        places = route.places.get(moves[i][1], [])
        if places and max(places) >= at:
            return i
    return None


def _departure(
    route: Route,
    graph: Graph,
    walked: Sequence[str],
    moves: Sequence[tuple[Step, str]],
    span: tuple[int, int | None],
    at: int,
) -> Departure:
    k, back = span
    off = [node for _, node in moves[k:back]]
    off_m = 0.0
    if off:
        # straight lines: over links, a parallel street would count as far away
        nearest_m = Ruler(graph, "straight").matrix_m(off, route.nodes).min(axis=1)
        off_m = float(nearest_m.max())
    after = [walked[-1], *off]
    if back is not None:
        after.append(moves[back][1])
    return Departure(
        "overshoot" if route.rest_m[at] <= route.radius_m else "wrong turn",
        moves[k][0].index,
        walked[-1],
        moves[k][1],
        at,
        tuple(walked),
        tuple(_without_repeats(after)),
        off_m,
        at > 0 and route.nodes[at - 1] == moves[k][1],
        moves[back][0].index if back is not None else None,
        moves[back][1] if back is not None else None,
    )


def _without_repeats(nodes: Sequence[str]) -> Iterator[str]:
    return (node for node, _ in groupby(nodes))
