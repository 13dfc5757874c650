"""The graph that agents walk: arrays inside, node ids (strings) outside.

Outdoors a position is ``(lat, lon)`` in degrees (the longitude runs on beyond 180 where a world
lies on both sides of it), indoors ``(x, y, z)`` in metres, z up;
`Graph.frame` says which. Links are directed and carry the heading in degrees clockwise from north
(indoors: from +y) with which one leaves along them. A link is as long as its source says, else as
its shape, else as the straight line (outdoors: great circle) between its nodes; see docs/worlds.md.
A graph is never changed after it was built.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

from navviz.errors import UnknownNodeError
from navviz.world.geometry import (
    EARTH_RADIUS_M,
    Frame,
    bearing_deg,
    great_circle_m,
    heading_metric_deg,
    run_on_at_180,
    turned_deg,
)
from navviz.world.info import WorldInfo
from navviz.world.link_shapes import LinkShapes
from navviz.world.networkx_graphs import read_networkx, to_networkx
from navviz.world.pois import Poi, PoiLink, moved_pois, positions_of

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Graph", "Poi", "PoiLink"]


def fewest(adjacency: Sequence[Sequence[int]], start: int, goal: int) -> list[int] | None:
    """Return the path with the fewest links (breadth first, first link wins ties), or ``None``."""
    if start == goal:
        return [start]
    parent, front = {start: start}, [start]
    while front:
        following: list[int] = []
        for node in front:
            for target in adjacency[node]:
                if target not in parent:
                    parent[target] = node
                    if target == goal:
                        return walk_back(parent, start, goal)
                    following.append(target)
        front = following
    return None


def cheapest(
    links: Sequence[Sequence[tuple[int, float]]], start: int, goal: int
) -> tuple[dict[int, float], dict[int, int]]:
    """Return distances and parents of the nodes that are done when `goal` is reached (Dijkstra)."""
    done: dict[int, float] = {}
    parent, best, queue = {start: start}, {start: 0.0}, [(0.0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        # heapq cannot lower a key, so a node may stand in the queue several times
        if node in done:
            continue
        done[node] = d
        if node == goal:
            break
        for target, length in links[node]:
            reached = d + length
            if reached < best.get(target, math.inf):
                best[target], parent[target] = reached, node
                heapq.heappush(queue, (reached, target))
    return done, parent


def walk_back(parent: Mapping[int, int], start: int, goal: int) -> list[int]:
    """Return the path from `start` to `goal` that the parents tell."""
    path = [goal]
    while path[-1] != start:
        path.append(parent[path[-1]])
    return path[::-1]


# a graph equals itself alone: its arrays have no truth, and caches are keyed on it
class _NodeIndex(dict[str, int]):
    """Index of each node; all methods of a graph look nodes up in it, so it alone refuses."""

    def __missing__(self, node: object) -> int:
        shown = f"{node!r} ({type(node).__name__})" if not isinstance(node, str) else repr(node)
        raise UnknownNodeError(f"the graph has no node {shown[:80]}", "choose one of graph.ids")


@dataclass(eq=False)
class Graph:
    """A directed graph with positions, headings and POIs.

    Parameters
    ----------
    name
        World name (a city, a sample, a scan).
    frame
        ``geo`` for ``(lat, lon)`` in degrees, ``metric`` for ``(x, y, z)`` in metres.
    ids
        Node ids, in file order.
    positions
        Shape ``(n, 2)`` or ``(n, 3)``.
    sources, targets
        Node indices of the links, shape ``(m,)``, in file order.
    headings_deg
        Heading with which one leaves along each link, shape ``(m,)``; ``None`` computes them:
        towards the first bend of a link that has a shape, else towards its end.
    given_lengths_m
        Length of each link in metres where the source gives lengths or shapes, shape ``(m,)``, else
        ``None``.
    shapes
        Bends of the links, where the source has any.
    pois
        By id.
    poi_links
        Indices and headings of the links from nodes to POIs, see `with_poi_links`.
    info
        What the world brings besides: attribution, floor names, problems of its files.
    """

    name: str
    frame: Frame
    ids: Sequence[str]
    positions: NDArray[np.float64]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    headings_deg: NDArray[np.float64] | None = None
    given_lengths_m: NDArray[np.float64] | None = None
    shapes: LinkShapes | None = None
    pois: Mapping[str, Poi] = field(default_factory=dict)
    poi_link_nodes: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    poi_link_pois: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    """Index into the order of `pois`."""
    poi_link_headings_deg: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    poi_link_positions: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))
    info: WorldInfo = field(default_factory=WorldInfo)

    def __post_init__(self) -> None:
        if self.frame == "geo" and len(self.positions):
            self._run_on_at_180()
        # the stable sort keeps the file's order within a node, which breaks ties in searches
        if (self.sources[1:] < self.sources[:-1]).any():
            order = np.argsort(self.sources, kind="stable")
            self.targets = self.targets[order]
            self.sources = self.sources[order]
            if self.headings_deg is not None:
                self.headings_deg = self.headings_deg[order]
            if self.given_lengths_m is not None:
                self.given_lengths_m = self.given_lengths_m[order]
            if self.shapes is not None:
                self.shapes = self.shapes.taken(order)
        if self.headings_deg is None:
            headings = np.array(
                list(map(self._heading, self.sources.tolist(), self.targets.tolist()))
            )
            if self.shapes is not None:
                ends = np.column_stack([self.sources, self.targets])
                self.shapes.set_departures(headings, self.positions[ends], self.frame)
            self.headings_deg = headings
        counts = np.bincount(self.sources, minlength=len(self.ids))
        self.begin: NDArray[np.int64] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        """Links of node ``i`` are ``begin[i]`` up to ``begin[i + 1]``; shape ``(n + 1,)``."""
        self._looked_up_m: dict[tuple[str, str], float] = {}

    def _run_on_at_180(self) -> None:
        """Let longitudes run on beyond 180 where the world lies on both sides of it."""
        # so it is one piece for all who draw it, measure it or look for what is near
        before = self.positions[:, 1]
        lon = run_on_at_180(before)
        if lon is not before:
            self.positions = np.column_stack([self.positions[:, 0], lon])
        if not self.positions[:, 1].max() > 180.0:
            return
        middle = float(self.positions[:, 1].mean())

        def turned(points: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.column_stack([points[:, 0], turned_deg(points[:, 1], middle)])

        self.poi_link_positions = turned(self.poi_link_positions)
        if self.pois:
            self.pois = moved_pois(self.pois, turned(positions_of(self.pois, 2)))
        if self.shapes is not None:
            self.shapes = LinkShapes(self.shapes.begin, turned(self.shapes.points))

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each id; an id that is not there raises `UnknownNodeError`."""
        return _NodeIndex(zip(self.ids, range(len(self.ids)), strict=True))

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, node: object) -> bool:
        return node in self.index

    def __repr__(self) -> str:
        return (
            f"Graph({self.name!r}, {len(self):,} nodes, {len(self.targets):,} links,"
            f" {len(self.pois):,} POIs)"
        )

    # --- positions

    def position(self, node: str) -> tuple[float, ...]:
        """Position of a node; raises `UnknownNodeError` for an unknown id."""
        return tuple(map(float, self.positions[self.index[node]].tolist()))

    def distance_m(self, a: str, b: str) -> float:
        """Straight distance between two nodes: great-circle outdoors, Euclidean indoors."""
        p, q = self.positions[self.index[a]], self.positions[self.index[b]]
        return float(great_circle_m(p, q)) if self.frame == "geo" else float(np.linalg.norm(p - q))

    def _straight_m(self, p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
        """Straight distances between positions ``(..., 2 or 3)``, shape ``(...)``."""
        if self.frame == "geo":
            return great_circle_m(p, q)
        return np.asarray(np.linalg.norm(q - p, axis=-1))

    def heading_deg(self, a: str, b: str) -> float:
        """Heading from one node straight to another, whether linked or not."""
        return self._heading(self.index[a], self.index[b])

    def path_length_m(self, path: Sequence[str]) -> float:
        """Sum of the lengths of the links along a path of node ids (`link_m`); 0 for one node."""
        if len(path) < 2:
            return 0.0
        if self.given_lengths_m is not None:
            return math.fsum(self.link_m(a, b) for a, b in pairwise(path))
        p = self.positions[[self.index[node] for node in path]]
        return float(self._straight_m(p[:-1], p[1:]).sum())

    @cached_property
    def metric_positions(self) -> NDArray[np.float64]:
        """Positions in metres; outdoors an equirectangular projection around the middle.

        Outdoors ``(n, 2)``, x to the east and y to the north; for nearest neighbours and drawing.
        """
        if self.frame == "metric":
            return self.positions
        return self.to_metric(self.positions)

    def to_metric(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project ``(k, 2)`` positions in degrees into the frame of `metric_positions`."""
        lat0, lon0 = self._middle
        k = math.radians(1.0) * EARTH_RADIUS_M
        x = (turned_deg(positions[:, 1], lon0) - lon0) * k * math.cos(math.radians(lat0))
        return np.column_stack([x, (positions[:, 0] - lat0) * k])

    @cached_property
    def _middle(self) -> tuple[float, float]:
        if not len(self):
            return 0.0, 0.0
        return float(self.positions[:, 0].mean()), float(self.positions[:, 1].mean())

    @cached_property
    def _tree(self) -> cKDTree:
        return cKDTree(self.metric_positions)

    def _to_query(self, position: Sequence[float]) -> NDArray[np.float64]:
        p = np.asarray([position])
        return np.asarray(self.to_metric(p)[0] if self.frame == "geo" else p[0])

    def nearest(self, position: Sequence[float]) -> tuple[str, float]:
        """Nearest node to a position of the graph's frame, and its distance in metres."""
        distance, i = self._tree.query(self._to_query(position))
        return self.ids[int(i)], float(distance)

    def within(self, position: Sequence[float], radius_m: float) -> list[str]:
        """Nodes within `radius_m` metres of a position, in file order."""
        nodes = self._tree.query_ball_point(self._to_query(position), radius_m)
        return [self.ids[i] for i in sorted(nodes)]

    def indices_around(self, i: int, radius_m: float) -> list[int]:
        """List the indices of the nodes within `radius_m` metres of node `i`, itself included."""
        near: list[int] = self._tree.query_ball_point(self.metric_positions[i], radius_m)
        return near

    def targets_of(self, i: int) -> list[int]:
        """Return the targets of node number `i` by index; `adjacency` lists those of all nodes."""
        targets: list[int] = self.targets[self.begin[i] : self.begin[i + 1]].tolist()
        return targets

    # --- links

    def neighbours(self, node: str) -> list[str]:
        """Nodes that can be reached by one link, in file order."""
        i = self.index[node]
        return [self.ids[j] for j in self.targets[self.begin[i] : self.begin[i + 1]].tolist()]

    def links(self, node: str) -> list[tuple[str, float]]:
        """Outgoing links as ``(node id, heading in degrees)``, as the file has them."""
        i = self.index[node]
        headings = np.asarray(self.headings_deg)  # __post_init__ filled them
        links = []
        for k in range(self.begin[i], self.begin[i + 1]):
            target = self.ids[self.targets[k]]
            links.append((target, float(headings[k])))
        return links

    def degree(self, node: str) -> int:
        """Return the number of outgoing links."""
        i = self.index[node]
        return int(self.begin[i + 1] - self.begin[i])

    @cached_property
    def junction_degrees(self) -> NDArray[np.int64]:
        """Number of other nodes linked with each node, either way; over 2 it is an intersection."""
        pairs = np.unique(np.sort(np.column_stack([self.sources, self.targets]), axis=1), axis=0)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        return np.bincount(pairs.ravel(), minlength=len(self.ids))

    def has_link(self, a: str, b: str) -> bool:
        """Whether a link leads from `a` to `b`."""
        i, j = self.index.get(a), self.index.get(b)
        return i is not None and j is not None and j in self.targets_of(i)

    @cached_property
    def adjacency(self) -> list[list[int]]:
        """Targets of each node by index, as plain lists (the fast way to search)."""
        targets, start = self.targets.tolist(), self.begin.tolist()
        return [targets[start[i] : start[i + 1]] for i in range(len(self.ids))]

    @cached_property
    def lengths_m(self) -> NDArray[np.float64]:
        """Length of each link in metres, in the order of `targets`: as given, else straight."""
        return self.straight_lengths_m() if self.given_lengths_m is None else self.given_lengths_m

    def straight_lengths_m(self) -> NDArray[np.float64]:
        """Straight distance between the ends of each link in metres, in the order of `targets`."""
        return self._straight_m(self.positions[self.sources], self.positions[self.targets])

    def _link(self, a: str, b: str) -> int | None:
        """Return the number of the shortest link from `a` to `b`; ``None`` where there is none."""
        i, j = self.index[a], self.index[b]
        several = [k for k in range(self.begin[i], self.begin[i + 1]) if self.targets[k] == j]
        return min(several, key=lambda k: float(self.lengths_m[k])) if several else None

    def link_m(self, a: str, b: str) -> float:
        """Length in metres of the link from `a` to `b`; of the straight line without a link."""
        # many walks share their streets: a look takes a twentieth of arithmetic on two places
        length_m = self._looked_up_m.get((a, b))
        if length_m is None:
            link = None if self.given_lengths_m is None else self._link(a, b)
            length_m = self.distance_m(a, b) if link is None else float(self.lengths_m[link])
            self._looked_up_m[a, b] = length_m
        return length_m

    def bends(self, a: str, b: str) -> NDArray[np.float64]:
        """Positions between `a` and `b` on their link; none where it is straight or missing."""
        link = None if self.shapes is None else self._link(a, b)
        if link is None or self.shapes is None:
            return self.positions[:0]
        return self.shapes.bends(link)

    @cached_property
    def weighted_adjacency(self) -> list[list[tuple[int, float]]]:
        """``(target index, length in metres)`` of each node's links, as plain lists."""
        start = self.begin.tolist()
        pairs = list(zip(self.targets.tolist(), self.lengths_m.tolist(), strict=True))
        return [pairs[start[i] : start[i + 1]] for i in range(len(self.ids))]

    # --- search

    def hops(self, a: str, b: str) -> tuple[str, ...] | None:
        """Path with the fewest links (breadth first, file order breaks ties), or ``None``."""
        path = fewest(self.adjacency, self.index[a], self.index[b])
        return None if path is None else tuple(self.ids[i] for i in path)

    def shortest_path(self, a: str, b: str) -> tuple[str, ...] | None:
        """Path of least length in metres (Dijkstra 1959); ``None`` where there is none."""
        start, goal = self.index[a], self.index[b]
        parent = cheapest(self.weighted_adjacency, start, goal)[1]
        if goal not in parent:
            return None
        return tuple(self.ids[i] for i in walk_back(parent, start, goal))

    def geodesic_m(self, a: str, b: str) -> float:
        """Length in metres of the shortest path; infinite where there is none."""
        start, goal = self.index[a], self.index[b]
        return cheapest(self.weighted_adjacency, start, goal)[0].get(goal, math.inf)

    def geodesics_from(self, node: str, limit_m: float = math.inf) -> dict[str, float]:
        """Shortest-path distances in metres to every node within `limit_m`, nearest first."""
        distances = dijkstra(self._links_csr, indices=[self.index[node]], limit=limit_m)[0]
        reached = np.flatnonzero(np.isfinite(distances))
        nearest_first = reached[np.argsort(distances[reached], kind="stable")]
        nodes = [self.ids[i] for i in nearest_first.tolist()]
        return dict(zip(nodes, distances[nearest_first].tolist(), strict=True))

    def nearest_m(self, nodes: Sequence[str]) -> NDArray[np.float64]:
        """Shortest-path distance in metres of each node from the nearest of `nodes`."""
        sources = [self.index[node] for node in nodes]
        return np.asarray(dijkstra(self._links_csr, indices=sources, min_only=True))

    @cached_property
    def _links_csr(self) -> csr_array:
        """Lengths of the links as a sparse matrix; it shares the graph's arrays."""
        # stored zeros stay links: SciPy's dijkstra takes only missing entries as missing links
        shape = (len(self.ids), len(self.ids))
        return csr_array(
            (self.lengths_m, self.targets.astype(np.int32), self.begin.astype(np.int32)),
            shape=shape,
        )

    def hop_ball(self, nodes: Iterable[str], hops: int) -> set[str]:
        """Nodes within `hops` links of any of `nodes` (which are included)."""
        seen = {self.index[node] for node in nodes}
        front = list(seen)
        for _ in range(hops):
            reached = set().union(*(self.adjacency[node] for node in front))
            front = list(reached - seen)
            seen.update(front)
        return {self.ids[i] for i in seen}

    # --- POIs

    @cached_property
    def poi_ids(self) -> list[str]:
        """POI ids in the order that `poi_link_pois` refers to."""
        return list(self.pois)

    @cached_property
    def _poi_links_of(self) -> dict[int, list[int]]:
        links_of: dict[int, list[int]] = {}
        for k, node in enumerate(self.poi_link_nodes.tolist()):
            links_of.setdefault(node, []).append(k)
        return links_of

    def poi_links(self, node: str) -> list[PoiLink]:
        """Links from a node to POIs near it, in file order."""
        return [self._poi_link(k) for k in self._poi_links_of.get(self.index[node], ())]

    def _poi_link(self, k: int) -> PoiLink:
        return PoiLink(
            self.ids[self.poi_link_nodes[k]],
            self.poi_ids[self.poi_link_pois[k]],
            float(self.poi_link_headings_deg[k]),
            tuple(float(value) for value in self.poi_link_positions[k]),
        )

    def pois_near(self, position: Sequence[float], radius_m: float) -> list[Poi]:
        """POIs within `radius_m` metres of a position, nearest first."""
        if not self.pois:
            return []
        query, tree = self._to_query(position), self.poi_tree
        near = tree.query_ball_point(query, radius_m)
        near.sort(key=lambda i: float(np.sum((tree.data[i] - query) ** 2)))
        return [self.pois[self.poi_ids[i]] for i in near]

    @cached_property
    def metric_poi_positions(self) -> NDArray[np.float64]:
        """Positions of all POIs in the frame of `metric_positions`, in the order of `poi_ids`."""
        positions = positions_of(self.pois, self.positions.shape[1])
        return self.to_metric(positions) if self.frame == "geo" else positions

    @cached_property
    def poi_tree(self) -> cKDTree:
        """Tree of `metric_poi_positions`."""
        return cKDTree(self.metric_poi_positions)

    # --- other shapes

    def subgraph(self, nodes: Iterable[str]) -> Graph:
        """Return the graph cut to some nodes; order of nodes and links is kept."""
        keep = sorted(self.index[node] for node in set(nodes))
        new = np.full(len(self.ids), -1, np.int32)
        new[keep] = np.arange(len(keep))
        links = (new[self.sources] >= 0) & (new[self.targets] >= 0)
        near = new[self.poi_link_nodes] >= 0
        return Graph(
            name=self.name,
            frame=self.frame,
            ids=[self.ids[i] for i in keep],
            positions=self.positions[keep],
            sources=new[self.sources[links]],
            targets=new[self.targets[links]],
            headings_deg=np.asarray(self.headings_deg)[links],
            given_lengths_m=None if self.given_lengths_m is None else self.given_lengths_m[links],
            shapes=None if self.shapes is None else self.shapes.taken(np.flatnonzero(links)),
            pois=self.pois,
            poi_link_nodes=new[self.poi_link_nodes[near]],
            poi_link_pois=self.poi_link_pois[near],
            poi_link_headings_deg=self.poi_link_headings_deg[near],
            poi_link_positions=self.poi_link_positions[near],
            info=self.info,
        )

    def to_networkx(self) -> nx.DiGraph:
        """Convert to a `networkx.DiGraph`, see `navviz.world.networkx_graphs.to_networkx`."""
        return to_networkx(self)

    @classmethod
    def from_networkx(
        cls, shape: nx.Graph, name: str | None = None, frame: Frame | None = None
    ) -> Graph:
        """Convert from networkx or osmnx, see `navviz.world.networkx_graphs.read_networkx`."""
        return cls(**read_networkx(shape, name, frame))

    def _heading(self, i: int, j: int) -> float:
        p, q = self.positions[i].tolist(), self.positions[j].tolist()
        if self.frame == "geo":
            return bearing_deg((p[0], p[1]), (q[0], q[1]))
        return heading_metric_deg(p, q)
