"""The search: all forward walks from the start, their probabilities, and the node with the most of
it around.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from navviz.records import Episode
from navviz.systems.rules.grammar.grammar import Reading
from navviz.systems.rules.search import features as f
from navviz.systems.rules.search.alignment import NEVER, Lattice, align, promising
from navviz.systems.rules.search.area import SearchArea, Surroundings, reachable
from navviz.systems.rules.search.landmarks import PoiNames, match_mentions
from navviz.systems.rules.search.scoring import (
    Scored,
    Weights,
    expected,
    load_expected,
    load_weights,
    score_plan,
)
from navviz.systems.rules.search.streets import LinkScale, Streets, cut_around, scale_of, streets_of
from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph

_TOP_NODES = 400

"""The cut keeps the disk search around each candidate short; see MODEL.md, section 5."""

PRIOR_REACH_M = 500.0

"""With the length prior nothing longer than this is searched: no route that it was learned from is.
"""

_BEYOND_M = 100.0

"""... but from the last place of a fork always this far at least."""

WHOLE_NODES = 100_000

"""A map as large as Manhattan is prepared once, in half a second, for all episodes on it; a larger
one in parts.
"""

_BEAMS = (20.0, 12.0, 7.0, 4.0)

"""Where the lattice would be larger than `_ROOM`: how far walks may fall behind, tried in turn."""

_ROOM = 40_000_000

"""Largest lattice, in numbers (four bytes each)."""


@dataclass(frozen=True)
class Reach:
    """How far walks are searched."""

    longest_m: float
    length_prior: bool = field(kw_only=True)
    before_m: float = field(default=0.0, kw_only=True)
    """Metres walked before the start."""

    def hops(self, scale: LinkScale, forced: int) -> int:
        """Return the most links that a walk may have, of which it begins with `forced`."""
        longest_m = self.longest_m
        if self.length_prior:
            longest_m = min(longest_m, max(PRIOR_REACH_M - self.before_m, _BEYOND_M))
        return max(
            int(np.ceil(longest_m / scale.short_m)), forced + int(_BEYOND_M / scale.short_m), 1
        )


@dataclass(frozen=True)
class Search:
    """Everything that the search found out."""

    scored: Scored
    lattice: Lattice
    total: NDArray[np.float64]
    """Shape ``(hops, links)``: log score of every walk that ends there, length prior included."""
    length_bins: NDArray[np.int64]
    """Length bin of each number of hops."""
    node_mass: dict[int, float]
    """Probability of stopping at each node."""
    node: int
    """The answer."""
    confidence: float
    """Probability within the success radius of the answer."""


def first_links(streets: Streets, node: int, heading_deg: float | None) -> list[int]:
    """Return the link that the start heading points along; all of them where there is no
    heading.
    """
    links = list(range(int(streets.first_link[node]), int(streets.first_link[node + 1])))
    if heading_deg is None or not links:
        return links
    turn = np.degrees(streets.heading_rad[links]) - heading_deg
    return [links[int(np.argmin(np.abs((turn + 180.0) % 360.0 - 180.0)))]]


def searched_part(graph: Graph, start: int, walked: int, reach: Reach) -> Graph:
    """Return the part of a map that a search sees; a map of up to `WHOLE_NODES` whole."""
    if len(graph) <= WHOLE_NODES:
        return graph
    return cut_around(graph, [start], reach.hops(scale_of(graph), walked))


@per_graph
def names_of(graph: Graph) -> PoiNames:
    """Prepare the POI names of a graph, once for each graph that is alive."""
    return PoiNames(list(graph.pois.values()))


def search(
    graph: Graph,
    start: int,
    heading_deg: float | None,
    reading: Reading,
    weights: Weights,
    *,
    reach: Reach,
    radius_m: float,
    walked: Sequence[int] = (),
) -> Search:
    """Score all walks within reach and find the best place to stop."""
    streets = streets_of(graph)
    forced = forced_links(streets, walked)
    first = forced[:1] or first_links(streets, start, heading_deg)
    hops = reach.hops(LinkScale(streets.mean_m, streets.short_m), len(forced)) if first else 1
    # the lattice counts links and knows no metres; weights were learned with the same mean length
    reached_m = reach.before_m + np.arange(1, hops + 1) * streets.mean_m
    bins = np.asarray(
        np.minimum((reached_m / f.LENGTH_BIN_M + 0.5).astype(int), f.LENGTH_BINS - 1), np.int64
    )
    walks = _Walks(streets, tuple(first), tuple(forced), hops)
    table = load_expected("length-prior" if reach.length_prior else "no-length-prior")
    scored = _thinned(walks, lambda area: _score(graph, area, reading, weights), table)
    area = scored.area
    # where even the narrowest beam leaves too much, the longest walks are given up
    lattice = align(area, scored.model, min(hops, _room(scored)), forced=_local(area, forced))
    total = lattice.best[:, -1, :].astype(np.float64) + scored.stop[None, :]
    # a fork cannot stop on the way that was walked already
    total[: max(0, len(forced) - 1)] = NEVER
    if reach.length_prior:
        total += weights[f.lookup("length:{}", range(f.LENGTH_BINS))][bins[: len(total)]][:, None]
    mass = _node_mass(total, area.target)
    node, confidence = best_node(graph, mass, radius_m, start)
    return Search(scored, lattice, total, bins, mass, node, confidence)


def _score(graph: Graph, area: SearchArea, reading: Reading, weights: Weights) -> Scored:
    streets = streets_of(graph)
    around = Surroundings(streets, area)
    matches = match_mentions(reading.mentions, names_of(graph), around.nearby)
    return score_plan(streets, area, around, reading, matches, weights)


@dataclass(frozen=True)
class _Walks:
    """Which walks are searched."""

    streets: Streets
    first: tuple[int, ...]
    forced: tuple[int, ...]
    hops: int

    def area(self, only: NDArray[np.bool_] | None = None) -> SearchArea:
        return reachable(self.streets, self.first, self.hops, forced=self.forced, only=only)


def _thinned(
    walks: _Walks, score: Callable[[SearchArea], Scored], table: Mapping[str, float]
) -> Scored:
    """Return the plan scored on all that can be reached; where its lattice has no room, on what a
    beam search keeps.
    """
    scored = score(walks.area())
    for width in _BEAMS:
        if walks.hops <= _room(scored):
            break
        # each width thins out what the one before it left, until the lattice has room
        area = scored.area
        ahead = expected(scored.units, scored.reading, table)
        only = np.zeros(len(walks.streets.source), bool)
        kept = promising(
            area, scored.model, walks.hops, ahead, width, forced=_local(area, walks.forced)
        )
        only[area.links[kept]] = True
        scored = score(walks.area(only))
    return scored


def forced_links(streets: Streets, walked: Sequence[int]) -> list[int]:
    """Find the links along nodes that were walked; two nodes without a link between them give
    none.
    """
    links = []
    for a, b in itertools.pairwise(walked):
        first, last = int(streets.first_link[a]), int(streets.first_link[a + 1])
        # the first of several parallel links: a walk of nodes does not say which one it took
        links += [first + k for k in np.flatnonzero(streets.target[first:last] == b)[:1].tolist()]
    return links


def _room(scored: Scored) -> int:
    """How many links the lattice has room for."""
    return max(2, _ROOM // max(1, (len(scored.units) + 1) * len(scored.area.links)))


def _local(area: SearchArea, forced: Sequence[int]) -> list[int]:
    """Numbers of links within the area."""
    return np.searchsorted(area.links, np.array(forced, np.int64)).tolist() if len(forced) else []


def _node_mass(total: NDArray[np.float64], target: NDArray[np.int32]) -> dict[int, float]:
    if not total.size:
        return {}
    weight = np.exp(total - total.max()).sum(axis=0)
    nodes, where = np.unique(target, return_inverse=True)
    summed = np.bincount(where, weight)
    # before the cut, so that the confidence is a share of all probability
    mass = summed / summed.sum()
    order = np.argsort(-mass, kind="stable")[:_TOP_NODES]
    return {int(nodes[k]): float(mass[k]) for k in order}


def best_node(
    graph: Graph, mass: dict[int, float], radius_m: float, start: int
) -> tuple[int, float]:
    """Find the node with the most probability within `radius_m`, and that probability; else take
    the start.
    """
    if not mass:
        return start, 0.0
    nodes, share = np.array(list(mass)), np.array(list(mass.values()))
    position = graph.metric_positions[nodes, :2]
    around = (cdist(position, position) <= radius_m) @ share
    # among equals prefer the node that is itself likely
    best = int(np.lexsort((-share, -np.round(around, 3)))[0])
    return int(nodes[best]), float(min(1.0, around[best]))


class GivenRoute:
    """One route, prepared so that many readings can be compared on it.

    Attributes
    ----------
    part
        The route's surroundings; node and POI numbers of what `align` finds refer to it.

    Raises
    ------
    ValueError
        When two nodes in a row are not linked.
    """

    def __init__(self, graph: Graph, path: Sequence[str]) -> None:
        self.part = part = cut_around(graph, [graph.index[node] for node in path], 1)
        self._streets = streets_of(part)
        nodes = [part.index[node] for node in path]
        self._links = forced_links(self._streets, nodes)
        if len(self._links) != len(nodes) - 1 or not self._links:
            pairs = itertools.pairwise(path)
            apart = [f"{a} and {b}" for a, b in pairs if b not in graph.neighbours(a)]
            broken = apart[0] if apart else "none"
            raise ValueError(f"the route is no walk over links ({broken} are not linked)")
        self._area = reachable(self._streets, self._links[:1], len(self._links), forced=self._links)
        self._around = Surroundings(self._streets, self._area)
        # the length is given: how likely it is says nothing
        self._weights = load_weights("no-length-prior")

    @classmethod
    def of_episode(cls, episode: Episode, graph: Graph) -> GivenRoute | None:
        """Prepare an episode's reference path; ``None`` indoors, without one, or where the graph
        lacks a part of it.
        """
        path = episode.reference_path
        if graph.frame != "geo" or len(path) < 2 or any(node not in graph for node in path):
            return None
        try:
            return cls(graph, path)
        except ValueError:
            return None

    def align(self, reading: Reading) -> tuple[float, Search]:
        """Align a reading with the route."""
        matches = match_mentions(reading.mentions, names_of(self.part), self._around.nearby)
        scored = score_plan(
            self._streets, self._area, self._around, reading, matches, self._weights
        )
        local = np.searchsorted(self._area.links, np.array(self._links, np.int64))
        lattice = align(self._area, scored.model, len(local), forced=local.tolist())
        total = lattice.best[:, -1, :].astype(np.float64) + scored.stop[None, :]
        score = float(total[len(local) - 1, local[-1]])
        # the end is given: earlier stops are no answers
        total[: len(local) - 1] = NEVER
        end = int(self._area.target[local[-1]])
        # all probability lies on the given end, since it is compared with no other place
        return score, Search(
            scored, lattice, total, np.zeros(len(total), np.int64), {end: 1.0}, end, 1.0
        )
