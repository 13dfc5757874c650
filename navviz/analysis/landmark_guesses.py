"""What the navigator took for the landmarks of an instruction, where that was wrong.

Nobody knows for certain which place an instruction means, so that only two things count as wrong:
what stands away from the reference path, since an instruction speaks of what one walks by; and
another place than the one near the path that bears the landmark's very name. Of a kind ("the park")
any one near the path is right.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from navviz.analysis.landmarks import NEAR_M, bearers_of_name, fate_of_landmarks
from navviz.records import SeenPoi, Trace
from navviz.world.graph import Graph


def guesses_of_landmarks(trace: Trace, graph: Graph) -> dict[str, SeenPoi | None]:
    """Return by a landmark's name what the navigator took for it wrongly; ``None`` where it took
    nothing at all.

    A landmark that it took rightly in any step is not among them; neither is one for which it took
    nothing and which is not on the map. Empty where the trace does not say what the agent was
    shown, and without a reference path.
    """
    route = [node for node in trace.episode.reference_path if node in graph]
    if not route or all(step.observation is None for step in trace.steps):
        return {}
    guesses: dict[str, SeenPoi | None] = {}
    for fate in fate_of_landmarks(trace, graph):
        seen = _taken(trace, fate.name)
        if not seen and fate.poi is not None and fate.shown_in is None:
            guesses[fate.name] = None
        bearers = bearers_of_name(fate.name, graph, route)
        if seen and not any(_is_right(poi, bearers, graph, route) for poi in seen):
            guesses[fate.name] = seen[0]
    return guesses


def _taken(trace: Trace, name: str) -> list[SeenPoi]:
    """Return what was shown under a landmark's name."""
    shown: list[SeenPoi] = []
    for step in trace.steps:
        if step.observation is not None:
            shown += step.observation.pois
    return [poi for poi in shown if poi.name.casefold() == name.casefold()]


def _is_right(seen: SeenPoi, bearers: Sequence[str], graph: Graph, route: Sequence[str]) -> bool:
    if seen.poi_id is not None and seen.poi_id in graph.pois:
        if bearers:
            return seen.poi_id in bearers
        return _gap_m(_points(graph, seen.poi_id), _nodes(graph, route)) <= NEAR_M
    if seen.node is None or seen.node not in graph:
        return True  # nobody can tell
    here = _nodes(graph, [seen.node])
    places = [_points(graph, poi) for poi in bearers] or [_nodes(graph, route)]
    return min(_gap_m(here, points) for points in places) <= NEAR_M


def _nodes(graph: Graph, nodes: Sequence[str]) -> NDArray[np.float64]:
    return graph.metric_positions[[graph.index[node] for node in nodes]]


def _points(graph: Graph, poi: str) -> NDArray[np.float64]:
    """Points of a POI's outline in metres: the middle of a park may be far from its edge."""
    # the links give their place by its number in the map's file
    order = list(graph.pois).index(poi)
    linked = (
        graph.poi_link_positions[graph.poi_link_pois == order]
        if len(graph.poi_link_positions)
        else []
    )
    places = np.array([*linked, graph.pois[poi].position], dtype=float)
    return graph.to_metric(places) if graph.frame == "geo" else places


def _gap_m(points: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    # one of the two may have no heights
    size = min(points.shape[1], others.shape[1])
    return float(np.linalg.norm(points[:, None, :size] - others[None, :, :size], axis=2).min())
