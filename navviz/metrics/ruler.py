"""Distances between the nodes of one graph, in a straight line or over its links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.world.geometry import great_circle_m
from navviz.world.graph import Graph

Distance = Literal["straight", "geodesic"]


class Ruler:
    """Measures distances between nodes of one graph.

    Parameters
    ----------
    graph
        The graph.
    distance
        ``straight`` (great-circle outdoors, Euclidean indoors) or ``geodesic`` (over the links); by
        default straight outdoors, as GROKE and Map2Seq measure, and geodesic indoors, as the
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
                row = self._row(node)
                geodesic_m[i] = [row.get(target, math.inf) for target in b]
            return geodesic_m
        index, positions = self.graph.index, self.graph.positions
        p = positions[[index[node] for node in a]][:, None]
        q = positions[[index[node] for node in b]][None]
        if self.graph.frame == "geo":
            return great_circle_m(p, q)
        return np.asarray(np.linalg.norm(p - q, axis=-1))

    def _row(self, node: str) -> dict[str, float]:
        if node not in self._rows:
            # one search gives the distances to all other nodes
            self._rows[node] = self.graph.geodesics_from(node)
        return self._rows[node]
