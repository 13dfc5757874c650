"""Searches over links that the graph itself does not offer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from navviz.world.geometry import great_circle_m
from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph

UNREACHED = "cannot be reached"
"""Why a step has no path: no links lead to its target."""


def fewest_links(graph: Graph, a: str, b: str) -> tuple[str, ...] | None:
    """Path with the fewest links, the shortest in metres among several, or ``None``.

    Breadth-first search a layer at a time; within a layer the cheapest way to each node is kept.
    GROKE's scripts break ties by the order of their adjacency lists, which is not published; with
    this rule the paper's figures come out.
    """
    start, goal = graph.index[a], graph.index[b]
    if start == goal:
        return (a,)
    # two small discs hold half of the nodes of one large one, and most time goes into such searches
    layers = _layers_before(graph, start, goal)
    if layers is None:
        return None
    links, parent, front = graph.weighted_adjacency, {start: start}, {start: 0.0}
    for layer in layers:
        following: dict[int, float] = {}
        for node, walked_m in front.items():
            for target, length_m in links[node]:
                # nodes off all ways with the fewest links decide nothing, not even a tie: who
                # comes first to a node of such a way stands on one itself
                if target not in layer or (
                    target in following and walked_m + length_m >= following[target]
                ):
                    continue
                parent[target] = node
                following[target] = walked_m + length_m
        front = following
    path = [goal]
    while path[-1] != start:
        path.append(parent[path[-1]])
    return tuple(graph.ids[i] for i in reversed(path))


def _layers_before(graph: Graph, start: int, goal: int) -> list[set[int]] | None:
    """Return the nodes that a way with the fewest links may come to after its first link, its
    second, and so on up to the goal; ``None`` where no way leads there.
    """
    onward, back = graph.adjacency, _incoming(graph)
    seen, met = {start}, {goal}
    ahead, behind = [seen.copy()], [met.copy()]
    # whole layers on the smaller side: so the first meeting is one of the fewest links
    while not ahead[-1] & behind[-1]:
        if len(ahead[-1]) <= len(behind[-1]):
            ahead.append(_reached(onward, ahead[-1], seen))
        else:
            behind.append(_reached(back, behind[-1], met))
        if not ahead[-1] or not behind[-1]:
            return None
    # the layers before the meeting may hold more nodes than those of the ways: they do no harm
    ahead[-1] &= behind[-1]
    return [*ahead[1:], *reversed(behind[:-1])]


@per_graph
def _incoming(graph: Graph) -> list[list[int]]:
    """Return the sources of the links that lead to each node by index, as plain lists."""
    order = np.argsort(graph.targets, kind="stable")
    ends = np.searchsorted(graph.targets[order], range(1, len(graph.ids)))
    return [part.tolist() for part in np.split(graph.sources[order], ends)]


def _reached(links: Sequence[Iterable[int]], front: set[int], seen: set[int]) -> set[int]:
    following = set().union(*(links[node] for node in front)) - seen
    seen |= following
    return following


_KEPT = 64
"""Targets whose distances are kept for a graph, as long as they are few enough."""

_KEPT_DISTANCES = 8_000_000
"""Distances that are kept for a graph, 64 MB: those to eight targets on a map of a million nodes.
"""

_SAME_FLOOR_M = 2.0
"""Straight lines count height from this difference on: below it is a table, above it a floor."""

Legs = tuple[tuple[str, ...], ...]


@per_graph
def _tables(graph: Graph) -> dict[tuple[str, ...], NDArray[np.float64]]:  # noqa: ARG001 - one for each graph
    """Distances of all nodes to targets, by their places; many walks share the same targets."""
    return {}


class TargetRuler:
    """Distances in metres from nodes to the nearest place of a target.

    They are geodesic over the links. In a world without links (a scene without a navigation mesh)
    they are straight lines seen from above, as `WorldInfo.distances` says.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.straight = graph.info.distances is not None
        self._distances_m = _tables(graph)

    def to(self, goals: Sequence[str]) -> Callable[[str], float | None]:
        """Return a function from a node to its distance, ``None`` for what is not in the graph."""
        there = tuple(goal for goal in goals if goal in self.graph)
        if not there:
            return lambda _node: None
        if self.straight:
            return lambda node: self._nearest_flat_m(node, there)
        nearest = self._distances_m.get(there)
        if nearest is None:
            nearest = self.graph.nearest_m(there)
            if (
                len(self._distances_m) >= _KEPT
                or (len(self._distances_m) + 1) * len(nearest) > _KEPT_DISTANCES
            ):
                self._distances_m.clear()
            self._distances_m[there] = nearest
        table, index = nearest, self.graph.index
        return lambda node: float(table[index[node]]) if node in index else None

    def _nearest_flat_m(self, node: str, goals: Sequence[str]) -> float | None:
        if node not in self.graph:
            return None
        return min(self._flat_m(node, goal) for goal in goals)

    def _flat_m(self, a: str, b: str) -> float:
        p, q = self.graph.position(a), self.graph.position(b)
        if self.graph.frame == "geo":
            return float(great_circle_m(p, q))
        return math.dist(p, q) if abs(p[2] - q[2]) > _SAME_FLOOR_M else math.dist(p[:2], q[:2])


def tour(graph: Graph, start: str, goals: Sequence[Sequence[str]]) -> Legs | None:
    """Shortest path through targets in order, each time to the target's nearest place.

    `goals`: for each target the nodes at which it counts as reached. Returns one path a target,
    each from where the last one ends; ``None`` where a target cannot be reached.
    """
    legs: list[tuple[str, ...]] = []
    here = start
    for places in goals:
        reached = graph.geodesics_from(here)
        within_reach = [place for place in places if place in reached]
        if not within_reach:
            return None
        nearest = min(within_reach, key=lambda place: reached[place])
        path = graph.shortest_path(here, nearest)
        if path is None:
            return None
        legs.append(path)
        here = path[-1]
    return tuple(legs)


def cut_at_goals(path: Sequence[str], goals: Sequence[Sequence[str]]) -> Legs | None:
    """Cut a path where it first comes to each target in turn; the last leg takes what is left.

    Returns one leg a target, sharing their ends; ``None`` where the path misses a target.
    """
    legs: list[tuple[str, ...]] = []
    begin = 0
    for k, places in enumerate(goals):
        last = k == len(goals) - 1
        # from where the last leg ended, not after it: two targets may share a place
        hit = next((i for i in range(begin, len(path)) if path[i] in set(places)), None)
        if hit is None:
            return None
        end = len(path) - 1 if last else hit
        legs.append(tuple(path[begin : end + 1]))
        begin = end
    return tuple(legs)
