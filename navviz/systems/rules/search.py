"""The search: all forward walks from the start, their probabilities, and the node with the most of
it around.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from navviz.language.grammar.grammar import Reading
from navviz.language.placing import features as f
from navviz.language.placing.alignment import NEVER, align, promising
from navviz.language.placing.area import SearchArea, Surroundings, reachable
from navviz.language.placing.landmarks import match_mentions
from navviz.language.placing.routes import Search, forced_links, names_of
from navviz.language.placing.scoring import (
    Scored,
    Weights,
    expected,
    load_expected,
    score_plan,
)
from navviz.language.placing.streets import LinkScale, Streets, cut_around, scale_of, streets_of
from navviz.world.graph import Graph

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


def first_links(streets: Streets, node: int, heading_deg: float | None) -> list[int]:
    """Return the link that the start heading points along; all where there is none."""
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
    """Find the node with most probability within `radius_m`, and it; else take the start."""
    if not mass:
        return start, 0.0
    nodes, share = np.array(list(mass)), np.array(list(mass.values()))
    position = graph.metric_positions[nodes, :2]
    around = (cdist(position, position) <= radius_m) @ share
    # among equals prefer the node that is itself likely
    best = int(np.lexsort((-share, -np.round(around, 3)))[0])
    return int(nodes[best]), float(min(1.0, around[best]))
