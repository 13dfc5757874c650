"""The part of a large map around a start or a route: all that a search of so many links can see,
and nothing else.

What a search finds in the section is what it finds on the whole map. For that the section holds
every node within reach, the streets on from there to the next junction both ways (a street's
direction and the metres since the last junction are read from them), and it keeps what only the
whole map knows: its middle and how long its links are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from navviz.world.geometry import inside_box
from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph
from navviz.world.pois import positions_of

POI_RADIUS_M = 60.0
"""The farthest place any feature asks for: a landmark of the stop."""
_CHAIN_LINKS = 520
"""Links of a street without a junction that are followed; the search adds up the metres of 512."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class LinkScale:
    """How long the links of a map are, in metres."""

    mean_m: float
    """Mean length."""
    short_m: float
    """Length that four of five links exceed, at least 3 m."""


@dataclass(frozen=True)
class Outlines:
    """Known points of the outlines of POIs."""

    points_m: NDArray[np.float64]
    """Shape ``(k, 2)``, in the frame of `Graph.metric_positions`."""
    owner: Numbers
    """Which POI each belongs to, index into `Graph.poi_ids`."""


@dataclass(eq=False, repr=False)
class Section(Graph):
    """A part of a graph whose nodes within reach look as they do in the whole; see `cut_around`."""

    middle: tuple[float, float] = (0.0, 0.0)
    """Where the whole graph's projection into metres has its origin, ``(lat, lon)``."""
    scale: LinkScale = LinkScale(10.0, 10.0)
    """Of the whole graph."""
    outlines: Outlines = field(
        default_factory=lambda: Outlines(np.empty((0, 2)), np.empty(0, np.int64))
    )
    """Of the POIs here."""

    @cached_property
    def _middle(self) -> tuple[float, float]:
        return self.middle


def scale_of(graph: Graph) -> LinkScale:
    """Return how long the links are, for a section those of the whole map."""
    return graph.scale if isinstance(graph, Section) else _scale_of_all(graph)


def outlines_of(graph: Graph) -> Outlines:
    """Return the known points of POIs' outlines."""
    return graph.outlines if isinstance(graph, Section) else _outlines_of_all(graph)


def walked_m(graph: Graph) -> NDArray[np.float64]:
    """Length of each link in metres: as given, else between its ends on the plane of
    `Graph.metric_positions`.
    """
    if graph.given_lengths_m is not None:
        return graph.given_lengths_m
    vector = graph.metric_positions[graph.targets, :2] - graph.metric_positions[graph.sources, :2]
    return np.asarray(np.hypot(vector[:, 0], vector[:, 1]))


@per_graph
def _scale_of_all(graph: Graph) -> LinkScale:
    length = walked_m(graph)
    if not len(length):
        return LinkScale(10.0, 10.0)
    return LinkScale(float(length.mean()), max(3.0, float(np.percentile(length, 20))))


@per_graph
def _outlines_of_all(graph: Graph) -> Outlines:
    points, owner = positions_of(graph.pois, graph.positions.shape[1]), np.arange(len(graph.pois))
    if len(graph.poi_link_pois):
        points = np.vstack([points, graph.poi_link_positions])
        owner = np.concatenate([owner, graph.poi_link_pois])
    return Outlines(
        graph.to_metric(points) if graph.frame == "geo" else points[:, :2], owner.astype(np.int64)
    )


@dataclass(frozen=True)
class _Ways:
    """Neighbours of all nodes: those of node ``i`` are ``nodes[begin[i]:begin[i + 1]]``."""

    begin: Numbers
    nodes: NDArray[np.int32]

    def of(self, nodes: Numbers) -> Numbers:
        """All neighbours of some nodes, one after the other."""
        return np.asarray(self.nodes[_spans(self.begin[nodes], self.begin[nodes + 1])], np.int64)


def _ways_out(graph: Graph) -> _Ways:
    return _Ways(graph.begin, graph.targets)


@per_graph
def _ways_in(graph: Graph) -> _Ways:
    out = _ways_out(graph)
    links = csr_array(
        (np.ones(len(graph.targets), bool), out.nodes, out.begin), shape=(len(graph), len(graph))
    ).tocsc()
    return _Ways(np.asarray(links.indptr, np.int64), links.indices)


def cut_around(graph: Graph, starts: Sequence[int], hops: int) -> Section:
    """Cut out what walks of `hops` links from some nodes (by number) can see.

    Nodes, links and POIs keep their order, so that ties are broken as on the whole map.
    """
    keep = _nodes_around(graph, starts, hops)
    new = np.full(len(graph), -1, np.int32)
    new[keep] = np.arange(len(keep), dtype=np.int32)
    out = _ways_out(graph)
    links = _spans(out.begin[keep], out.begin[keep + 1])
    links = links[new[graph.targets[links]] >= 0]
    pois, outlines = _places_around(graph, graph.metric_positions[keep])
    keys = [graph.poi_ids[i] for i in pois.tolist()]
    return Section(
        name=graph.name,
        frame=graph.frame,
        ids=[graph.ids[i] for i in keep.tolist()],
        positions=graph.positions[keep],
        sources=new[graph.sources[links]],
        targets=new[graph.targets[links]],
        headings_deg=None if graph.headings_deg is None else graph.headings_deg[links],
        given_lengths_m=None if graph.given_lengths_m is None else graph.given_lengths_m[links],
        shapes=None if graph.shapes is None else graph.shapes.taken(links),
        pois={key: graph.pois[key] for key in keys},
        info=graph.info,
        middle=graph._middle,  # noqa: SLF001
        scale=scale_of(graph),
        outlines=outlines,
    )


def _spans(begin: Numbers, end: Numbers) -> Numbers:
    counts = end - begin
    return np.asarray(
        np.repeat(begin - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    )


def _nodes_around(graph: Graph, starts: Sequence[int], hops: int) -> Numbers:
    """Return the nodes within reach, one more round, their streets to the next junctions, and one
    more round.
    """
    out, back = _ways_out(graph), _ways_in(graph)
    inside = np.zeros(len(graph), bool)
    front = _added(inside, np.array(starts, np.int64))
    for _ in range(hops + 1):
        front = _added(inside, out.of(front))
        if not len(front):
            break
    plain = np.diff(out.begin) <= 2
    front = np.flatnonzero(inside)
    for _ in range(_CHAIN_LINKS):
        front = front[plain[front]]
        if not len(front):
            break
        front = _added(inside, np.concatenate([out.of(front), back.of(front)]))
    # so that every node that matters has all its ways out
    _added(inside, out.of(np.flatnonzero(inside)))
    return np.flatnonzero(inside)


def _added(inside: NDArray[np.bool_], nodes: Numbers) -> Numbers:
    """Mark nodes as inside; those of them that were not, each once."""
    fresh = np.unique(nodes[~inside[nodes]])
    inside[fresh] = True
    return fresh


def _places_around(graph: Graph, positions_m: NDArray[np.float64]) -> tuple[Numbers, Outlines]:
    """Return the POIs within reach of some positions by number, and their outlines' points
    there.
    """
    whole = outlines_of(graph)
    # a box is enough: POIs farther off than the search looks change nothing, missing ones would
    low, high = (
        positions_m[:, :2].min(axis=0) - POI_RADIUS_M - 1,
        positions_m[:, :2].max(axis=0) + POI_RADIUS_M + 1,
    )
    near = np.flatnonzero(inside_box(whole.points_m, low, high))
    pois, owner = np.unique(whole.owner[near], return_inverse=True)
    return pois, Outlines(whole.points_m[near], owner)
