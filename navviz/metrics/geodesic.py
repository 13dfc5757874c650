"""Length of the shortest path between two nodes, looking towards the goal only."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable

from navviz.world.geometry import EARTH_RADIUS_M
from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph

_KEPT = 20_000
"""Pairs whose length is kept for a graph, 3 MB."""
_MARGIN = 1.0 - 1e-9
"""Keeps the straight line below the length of the links in spite of rounding."""


def geodesic_m(graph: Graph, a: str, b: str) -> float:
    """Length in metres of the shortest path (`shortest_m`), searched once for a graph.

    Runs over the same episodes ask for the same lengths again.
    """
    lengths_m = _lengths_m(graph)
    length_m = lengths_m.get((a, b))
    if length_m is None:
        if len(lengths_m) >= _KEPT:
            # all at once: which pairs are old need not be noted
            lengths_m.clear()
        length_m = lengths_m[a, b] = shortest_m(graph, a, b)
    return length_m


@per_graph
def _lengths_m(graph: Graph) -> dict[tuple[str, str], float]:  # noqa: ARG001 - one for each graph
    return {}


def shortest_m(graph: Graph, a: str, b: str) -> float:
    """Length in metres of the shortest path from `a` to `b`; infinite where there is none.

    The same as `Graph.geodesic_m`, by A* with straight lines as the lower bound, which visits a
    fifth of the nodes. Where links are given shorter than the straight line, the bound shrinks as
    much.

    References
    ----------
    Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
    Paths", 1968. doi:10.1109/TSSC.1968.300136
    """
    start, goal = graph.index[a], graph.index[b]
    links, rest_m = graph.weighted_adjacency, _straight_to(graph, goal)
    best, done, queue = {start: 0.0}, set[int](), [(0.0, start)]
    while queue:
        node = heapq.heappop(queue)[1]
        # its length is the least only when it leaves the queue, not when it is first reached
        if node == goal:
            return best[node]
        # a node is queued again when a shorter way to it turns up
        if node in done:
            continue
        done.add(node)
        walked_m = best[node]
        for target, length_m in links[node]:
            reached_m = walked_m + length_m
            if reached_m < best.get(target, math.inf):
                best[target] = reached_m
                heapq.heappush(queue, (reached_m + rest_m(target), target))
    return math.inf


def _straight_to(graph: Graph, goal: int) -> Callable[[int], float]:
    """Straight distance to the goal; outdoors chords through the Earth, never too long."""
    positions, share = graph.positions, _MARGIN * _least_share(graph)
    if graph.frame == "metric":
        end = positions[goal].tolist()
        return lambda node: share * math.dist(positions[node].tolist(), end)
    end = _in_space(*positions[goal].tolist())
    return lambda node: share * math.dist(_in_space(*positions[node].tolist()), end)


@per_graph
def _least_share(graph: Graph) -> float:
    """Smallest length of a link as a share of the straight line between its nodes; 1 at most."""
    if graph.given_lengths_m is None:
        return 1.0
    straight_m = graph.straight_lengths_m()
    # two nodes in one place have no straight line to compare with
    apart = straight_m > 0
    return float((graph.given_lengths_m[apart] / straight_m[apart]).min(initial=1.0))


def _in_space(lat_deg: float, lon_deg: float) -> tuple[float, float, float]:
    lat, lon = math.radians(lat_deg), math.radians(lon_deg)
    across_m = EARTH_RADIUS_M * math.cos(lat)
    return across_m * math.cos(lon), across_m * math.sin(lon), EARTH_RADIUS_M * math.sin(lat)
