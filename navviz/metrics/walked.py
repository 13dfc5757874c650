"""One walk with its graph: the world, with the poses of an agent that walks freely."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.records import Trace
from navviz.world.geometry import great_circle_m
from navviz.world.graph import Graph
from navviz.world.scene_graph import with_places
from navviz.world.search import fewest_links

Distance = Literal["straight", "geodesic"]


class Ruler:
    """Measures distances between nodes of one graph.

    `distance`: ``straight`` (great-circle outdoors, Euclidean indoors) or ``geodesic`` (over the
    links); by default straight outdoors, as GROKE and Map2Seq measure, and geodesic indoors, as the
    Matterport3D simulator does.
    """

    def __init__(self, graph: Graph, distance: Distance | None = None) -> None:
        self.graph = graph
        self.distance: Distance = distance or ("straight" if graph.frame == "geo" else "geodesic")
        self._rows: dict[str, dict[str, float]] = {}

    def matrix_m(self, a: Sequence[str], b: Sequence[str]) -> NDArray[np.float64]:
        """Distances in metres from each of `a` to each of `b`, shape ``(len(a), len(b))``."""
        if self.distance == "geodesic":
            geodesic_m = np.empty((len(a), len(b)))
            for i, node in enumerate(a):
                if node not in self._rows:
                    # one search gives the distances to all other nodes
                    self._rows[node] = self.graph.geodesics_from(node)
                row = self._rows[node]
                geodesic_m[i] = [row.get(target, math.inf) for target in b]
            return geodesic_m
        index, positions = self.graph.index, self.graph.positions
        p = positions[[index[node] for node in a]][:, None]
        q = positions[[index[node] for node in b]][None]
        if self.graph.frame == "geo":
            return great_circle_m(p, q)
        return np.asarray(np.linalg.norm(p - q, axis=-1))


@dataclass(frozen=True, slots=True)
class ScoredPath:
    """What a family of metrics is given of one walk."""

    trace: Trace
    graph: Graph
    """The world, without poses that only the trace has."""
    path: Sequence[str]
    """The nodes that count, see `navviz.metrics.score.evaluated_path`."""
    ruler: Ruler
    """Measures distances on the walk's own graph."""


def with_walks(graph: Graph, traces: Iterable[Trace]) -> Graph:
    """Return a world with the poses of several walks, whose names must differ."""
    for trace in traces:
        graph = walked_graph(trace, graph)
    return graph


def walked_graph(trace: Trace, graph: Graph) -> Graph:
    """Return the world with the trace's own places (`Trace.poses`), linked as walked."""
    poses = trace.poses
    if not poses:
        return graph
    walks = [step.path for step in trace.steps if len(step.path) > 1]
    return with_places(graph, poses, [*walks, trace.episode.reference_path])


def unknown_places(trace: Trace, graph: Graph) -> list[str]:
    """Return the places of a walk that neither its world nor the trace itself knows.

    A walk with any is not measured: without them it would be shorter, and would end elsewhere. The
    start is left out, since the first step says again where the agent stood.
    """
    poses = trace.poses
    return [node for node in trace.path[1:] if node not in graph and node not in poses]


def published_path(graph: Graph, waypoints: Sequence[str | None]) -> tuple[str, ...]:
    """Return the path that GROKE evaluates: without repeats, joined by fewest links.

    An agent that comes back to an earlier waypoint is so evaluated as if it had not; `Trace.path`
    is what it walked. A waypoint out of reach is appended as it is, one that the graph lacks is
    skipped.
    """
    kept = list(dict.fromkeys(node for node in waypoints if node is not None and node in graph))
    path = kept[:1]
    for node in kept[1:]:
        leg = fewest_links(graph, path[-1], node)
        path.extend((node,) if leg is None else leg[1:])
    return tuple(path)
