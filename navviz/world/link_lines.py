"""How links run between their nodes: lines along a path, and headings at a link's ends."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from navviz.world.graph import Graph
from navviz.world.link_shapes import first_heading_deg


def departure_deg(graph: Graph, a: str, b: str) -> float:
    """Heading in degrees from `a` towards the first bend of the link to `b`, else straight to `b`.

    It is computed from positions, unlike those of `Graph.links`, which are the file's where it has
    any.
    """
    bends = graph.bends(a, b)
    if not len(bends):
        return graph.heading_deg(a, b)
    return first_heading_deg([graph.position(a), *bends.tolist(), graph.position(b)], graph.frame)


def arrival_deg(graph: Graph, a: str, b: str) -> float:
    """Heading in degrees at `b` from the last bend of the link from `a`, else straight from `a`.

    Between nodes that no link joins it is the straight heading.
    """
    end = graph.position(b)
    # a last bend that lies on the node itself gives no direction
    before = [tuple(place) for place in graph.bends(a, b).tolist() if tuple(place) != end]
    if not before:
        return graph.heading_deg(a, b)
    return first_heading_deg([before[-1], end], graph.frame)


def line_of(graph: Graph, path: Sequence[str]) -> NDArray[np.float64]:
    """Return the positions along a path of node ids, with the bends of its links.

    Shape ``(k, 2)``, ``(lat, lon)`` in degrees, or ``(k, 3)`` in metres; straight where no link
    leads on.
    """
    nodes = graph.positions[[graph.index[node] for node in path]]
    if graph.shapes is None or len(path) < 2:
        return nodes
    parts: list[NDArray[np.float64]] = []
    for k, (a, b) in enumerate(pairwise(path)):
        parts += [nodes[k : k + 1], graph.bends(a, b)]
    return np.concatenate([*parts, nodes[-1:]])


def drawn_bends(graph: Graph, a: str, b: str) -> NDArray[np.float64]:
    """Return the points to draw from `a` to `b`: of their link, or of the reversed link back."""
    if graph.shapes is None:
        return graph.positions[:0]
    bends = graph.bends(a, b)
    return bends if len(bends) or graph.has_link(a, b) else graph.bends(b, a)[::-1]


def metric_line_of(graph: Graph, path: Sequence[str]) -> NDArray[np.float64]:
    """Return `line_of` a path in the metres of `Graph.metric_positions`, shape ``(k, 2)``.

    Nodes that the graph lacks are left out.
    """
    nodes = [node for node in path if node in graph.index]
    if graph.shapes is None:
        return graph.metric_positions[[graph.index[node] for node in nodes]][:, :2]
    line = line_of(graph, nodes)
    return graph.to_metric(line) if graph.frame == "geo" else line[:, :2]


def link_segments(graph: Graph, links: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the straight pieces of some links in the metres of `Graph.metric_positions`.

    Shape ``(k, 2, 2)``: beginning and end, x and y. Links that do not bend come first, in the given
    order.
    """
    numbers = np.column_stack([graph.sources[links], graph.targets[links]])
    ends: NDArray[np.float64] = graph.metric_positions[numbers][:, :, :2]
    if graph.shapes is None:
        return ends
    counts = np.diff(graph.shapes.begin)[links]
    pieces = [ends[counts == 0]]
    for link, (source, target) in zip(links[counts > 0].tolist(), ends[counts > 0], strict=True):
        bends = graph.shapes.bends(link)
        bends = graph.to_metric(bends) if graph.frame == "geo" else bends[:, :2]
        line = np.concatenate([source[None], bends, target[None]])
        pieces.append(np.stack([line[:-1], line[1:]], axis=1))
    return np.concatenate(pieces)
