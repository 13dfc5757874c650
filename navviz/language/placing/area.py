"""The part of the street graph that a walk from the start can reach, and where the landmarks of the
text lie in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navviz.language.grammar.grammar import PlaceMention
from navviz.language.placing.features import ALONG_BINS_M, lookup
from navviz.language.placing.landmarks import QUALITIES, Matches
from navviz.language.placing.streets import Ints, Streets

_NEAR_M = 27.0
"""As far as the other side of a common street."""
_UNSURE_M = 4.0
"""A place on the middle line has no side; map positions are some metres off."""


@dataclass(frozen=True)
class SearchArea:
    """Links that walks from the start can use, renumbered from 0, and their transitions."""

    links: Ints
    """Numbers in `Streets` of the links here."""
    source: Ints
    target: Ints
    """Node numbers in the graph."""
    first_links: Ints
    """Local numbers of the links with which a walk may begin."""
    single_from: Ints
    """Transitions at plain nodes, where there is no choice: from, to."""
    single_to: Ints
    single_before: Ints
    """The same by the link they lead to: where from, -1 where a junction or nothing is before it.
    """
    no_single: NDArray[np.int64]
    """Links with -1 there."""
    choice_from: Ints
    """Transitions at junctions, sorted by `choice_to`."""
    choice_to: Ints
    choice_step: Ints
    """Number of the transition in `Streets`."""
    groups: Ints
    """Where in the choices each new `choice_to` begins."""


def reachable(
    streets: Streets,
    first: Sequence[int],
    hops: int,
    *,
    forced: Sequence[int] = (),
    only: NDArray[np.bool_] | None = None,
) -> SearchArea:
    """Links reached within `hops` from the links `first`.

    `forced` are links that every walk begins with; `only` (a mask over links) leaves out the rest.
    """
    inside = np.zeros(len(streets.source), bool)
    inside[list(first)] = True
    inside[list(forced)] = True
    # a fork grows from the end of what was walked
    front = np.array(list(forced)[-1:] or list(first), np.int64)
    for _ in range(hops - max(1, len(forced))):
        if not len(front):
            break
        begins = streets.first_step_out_of
        counts = begins[front + 1] - begins[front]
        offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        following = np.asarray(
            streets.targets_of_steps[np.repeat(begins[front], counts) + offsets], np.int64
        )
        if only is not None:
            following = following[only[following]]
        front = np.unique(following[~inside[following]])
        inside[front] = True
    links = np.flatnonzero(inside).astype(np.int32)
    local = np.full(len(streets.source), -1, np.int32)
    local[links] = np.arange(len(links), dtype=np.int32)
    begin = streets.first_step_into[links]
    counts = streets.first_step_into[links + 1] - begin
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    steps = np.repeat(begin, counts) + offsets
    steps = steps[local[streets.step_from[steps]] >= 0]
    choice = streets.junction[streets.source[streets.step_to[steps]]]
    singles, choices = steps[~choice], steps[choice]
    choice_to = local[streets.step_to[choices]]
    # steps are sorted by `step_to`, and local numbers rise with those of `Streets`: equal ones are
    # neighbours
    groups = np.flatnonzero(np.diff(choice_to, prepend=-1)).astype(np.int32)
    single_from, single_to = local[streets.step_from[singles]], local[streets.step_to[singles]]
    single_before = np.full(len(links), -1, np.int32)
    single_before[single_to] = single_from
    return SearchArea(
        links,
        streets.source[links],
        streets.target[links],
        local[np.array(list(first), np.int64)],
        single_from,
        single_to,
        single_before,
        np.flatnonzero(single_before < 0),
        local[streets.step_from[choices]],
        choice_to,
        choices.astype(np.int32),
        groups,
    )


@dataclass(frozen=True)
class Sightings:
    """Where one mention is seen: for each link the best POI near its target, slots and score."""

    link: Ints
    """Local link numbers, ascending, each at most once."""
    poi: Ints
    slots: Ints
    """Shape ``(k, 3)``: match, side, nearness."""
    score: NDArray[np.float32]
    along_m: NDArray[np.float64]
    """Metres ahead of the target, negative behind."""
    lateral_m: NDArray[np.float64]
    """Metres to the right, negative to the left."""


class Surroundings:
    """Pairs of a link here and a POI near its target: what sightings are picked from."""

    def __init__(self, streets: Streets, area: SearchArea) -> None:
        begin, end = streets.first_near[area.target], streets.first_near[area.target + 1]
        counts = end - begin
        offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        pairs = np.repeat(begin, counts) + offsets
        self.link = np.repeat(np.arange(len(area.links)), counts).astype(np.int32)
        self.poi = streets.near_poi[pairs]
        vector, heading = streets.near_vector_m[pairs], streets.heading_rad[area.links][self.link]
        sin, cos = np.sin(heading), np.cos(heading)
        # x is east, y north, and headings turn clockwise from north: ahead is (sin, cos)
        self.along_m = vector[:, 0] * sin + vector[:, 1] * cos
        self.lateral_m = vector[:, 0] * cos - vector[:, 1] * sin
        self.nearby = np.unique(self.poi)

    def pick(
        self,
        mention: PlaceMention,
        matches: Matches,
        context: str,
        weights: NDArray[np.float64],
        reach_m: float,
        *,
        best: bool = True,
    ) -> Sightings:
        """Sightings of a mention within `reach_m` of links' targets; the best a link, or all."""
        quality = np.full(int(self.poi.max(initial=-1)) + 1, -1, np.int8)
        for poi, grade in zip(matches.pois.tolist(), matches.quality.tolist(), strict=True):
            # a mention of two names may match one POI by both: the better grade counts
            quality[poi] = grade if quality[poi] < 0 else min(grade, quality[poi])
        keep = np.flatnonzero(quality[self.poi] >= 0)
        distance = np.hypot(self.along_m[keep], self.lateral_m[keep])
        keep, distance = keep[distance <= reach_m], distance[distance <= reach_m]
        slots = np.column_stack(
            [
                lookup(context + "-match:{}", QUALITIES)[quality[self.poi[keep]]],
                lookup(context + "-side:{}", ("agrees", "contradicts", "unsure", "unsaid"))[
                    _side_class(mention, self.lateral_m[keep])
                ],
                lookup(context + "-near:{}", ("near", "far"))[(distance > _NEAR_M).astype(int)],
            ]
        ).astype(np.int32)
        score = weights[slots].sum(axis=1)
        if best:
            # lexsort takes its last key first: by link, then the best score, then the nearest POI
            order = np.lexsort((distance, -score, self.link[keep]))
            order = order[np.flatnonzero(np.diff(self.link[keep][order], prepend=-1))]
            keep, slots, score = keep[order], slots[order], score[order]
        return Sightings(
            self.link[keep],
            self.poi[keep],
            slots,
            score.astype(np.float32),
            self.along_m[keep],
            self.lateral_m[keep],
        )


def _side_class(mention: PlaceMention, lateral_m: NDArray[np.float64]) -> NDArray[np.int64]:
    if mention.side is None:
        return np.full(len(lateral_m), 3)
    toward = lateral_m if mention.side == "right" else -lateral_m
    return np.where(np.abs(lateral_m) < _UNSURE_M, 2, np.where(toward > 0, 0, 1))


def along_bin(along_m: NDArray[np.float64]) -> NDArray[np.int64]:
    """Bin of a distance ahead, for the stopping phrase."""
    return np.digitize(along_m, ALONG_BINS_M)
