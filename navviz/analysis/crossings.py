"""Lights and crossings: what a walk passes, counted narrowly and widely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph
from navviz.world.pois import marked_pois, positions_of

_LIGHT_M: Final = 15.0
"""Of the 1,290 signals on Map2Seq's map eight in ten stand on a junction's own node; the rest stand
further than this from any junction.
"""

HALVES_M: Final = 16.0
"""Junctions nearer than this are one crossing in any case: a double light."""

_ONE_M: Final = 32.0
"""Junctions nearer than this are one crossing: the two halves of an avenue with a median."""


@dataclass(frozen=True, slots=True)
class Passed:
    """How many things of a kind a walk passed, counted narrowly and widely."""

    least: int
    """The start left out, and halves of one crossing taken together."""
    apart: int
    """The start left out, and only nodes within 16 m of each other taken together."""
    most: int
    """The start counted too, and each half alone."""
    nodes: tuple[str, ...]
    """Where they are, in walking order."""


@per_graph
def _lit(graph: Graph) -> NDArray[np.bool_]:
    """Whether each node, in the graph's order, has a traffic signal of its own."""
    signals = marked_pois(graph.pois, "traffic_signals")
    places = {poi.id: poi for poi in signals if "traffic_signals" in poi.tags.values()}
    lit = np.zeros(len(graph.ids), dtype=bool)
    if not places or graph.frame != "geo":
        return lit
    metric = graph.to_metric(positions_of(places, graph.positions.shape[1]))
    distances, _ = cKDTree(metric).query(graph.metric_positions, distance_upper_bound=_LIGHT_M)
    lit[np.isfinite(distances)] = True
    return lit


def has_light(graph: Graph, node: str) -> bool:
    """Whether a junction has a traffic signal of its own on the map."""
    return is_crossing(graph, node) and bool(_lit(graph)[graph.index[node]])


def is_crossing(graph: Graph, node: str) -> bool:
    """Whether more than two ways meet at a node."""
    return node in graph and bool(graph.junction_degrees[graph.index[node]] > 2)


def passed_things(
    graph: Graph, path: Sequence[str], is_thing: Callable[[Graph, str], bool]
) -> Passed:
    """Count what a walk passes or reaches."""
    nodes, merged, apart, along_m, last_m, half_m = [], 0, 0, 0.0, -np.inf, -np.inf
    started = bool(path) and path[0] in graph and is_thing(graph, path[0])
    before: str | None = None
    if started:
        # who starts on one half of a crossing does not pass another with its other half
        last_m = 0.0
    if path and is_crossing(graph, path[0]):
        # also where the light stands on its other half
        half_m = 0.0
    for node in path:
        if node not in graph:
            continue
        if before is not None:
            along_m += graph.link_m(before, node)
            if is_thing(graph, node):
                merged += along_m - last_m > _ONE_M
                apart += along_m - half_m > HALVES_M
                last_m = half_m = along_m
                nodes.append(node)
        before = node
    return Passed(merged, apart, len(nodes) + int(started), tuple(nodes))
