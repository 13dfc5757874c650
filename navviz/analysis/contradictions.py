"""Where an instruction and its reference path contradict each other, each with its proof.

The turns that the text describes are aligned with the turns of the route's geometry. A claim is
made only where every other alignment is clearly worse, so that the words can mean nothing else, and
where the alignment of `rules`, which knows lights and landmarks, prefers the same change. Sides of
places are compared for names that only one place near the route bears. This needs no model and no
run: it is about the data set.

docs/instructions.md states how often each kind of claim is right, and how that was measured.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from navviz.analysis.described_route import (
    DescribedSide,
    align_turns,
    clause_around,
    described_sides,
    described_turns,
)
from navviz.analysis.landmarks import bearers_of_name, pois_near_nodes
from navviz.analysis.turns import RouteTurn, Side, first_heading_deg, route_turns
from navviz.language.grammar.grammar import read_instruction
from navviz.language.placing.landmarks import normalise
from navviz.language.placing.routes import GivenRoute
from navviz.records import Episode
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph, Poi

_AROUND_M: Final = 90.0
"""A name must be the only one of its kind within this of the route."""

_BESIDE_M: Final = (5.0, 30.0)
"""How far to the side of a street a place stands that is beside it: nearer than 5 m its point may
be on the wrong side of the street's line, further than 30 m it is in another street."""

_AHEAD_M: Final = 25.0
"""A leg goes on beyond its corner: what stands across the junction is named with it."""

_PASSING_WORDS: Final = frozenset({"shop", "store", "restaurant", "cafe", "bar", "building"})
"""Words that walkers add to a name, and that rule out no place of that name."""

_STREET_WORDS: Final = frozenset({"place", "street", "avenue", "lane", "alley", "bowery"})
"""A name that ends so may be a street or a station, not the shop that is called after it."""

_AREA_KEYS: Final = ("leisure", "place", "landuse", "boundary")

_AREA_NAME: Final = re.compile(
    r"\b(?:park|square|garden|plaza|triangle|campus|university|cemetery|terminal|houses)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PlaceSide:
    """Where a place stands beside a route."""

    poi: str
    name: str
    side: Side
    along_m: float
    """Metres from the start to where the route comes nearest."""
    lateral_m: float
    """Metres to the side, positive to the right."""
    node: int
    """Index into the path of the nearest node."""


def find_place(name: str, path: Sequence[str], graph: Graph) -> Poi | None:
    """Return the one place within 60 m of a route that bears a name."""
    bearers = bearers_of_name(name, graph, path)
    if len(bearers) != 1:
        return None
    poi = graph.pois[bearers[0]]
    words, on_map = normalise(name).split(), normalise(poi.tags["name"]).split()
    if (
        words[-1] in _STREET_WORDS
        or set(words) - set(on_map) - _PASSING_WORDS
        or (
            any(key in poi.tags for key in _AREA_KEYS)
            or _AREA_NAME.search(poi.tags["name"]) is not None
        )
    ):
        return None
    around = pois_near_nodes(graph, path, _AROUND_M)
    names = [normalise(other.tags["name"]) for other in around if "name" in other.tags]
    alike = [other for other in names if words[0] in other.split()]
    return poi if len(alike) == 1 else None


def side_of_place(
    poi: Poi, path: Sequence[str], turns: Sequence[RouteTurn], graph: Graph
) -> PlaceSide | None:
    """Find the side of a route on which a place stands."""
    points = graph.metric_positions[[graph.index[node] for node in path]][:, :2]
    places = _points_of(poi, path, graph)
    cuts = sorted(
        {0, len(path) - 1, *(turn.first for turn in turns), *(turn.last for turn in turns)}
    )
    laterals: list[tuple[float, float, float, int]] = []
    for k in range(len(cuts) - 1):
        for place in places:
            seen = _beside(points, cuts[k], cuts[k + 1], place)
            if seen is not None:
                laterals.append(seen)
    if not laterals:
        return None
    sides_m = [seen[1] for seen in laterals]
    if min(abs(side_m) for side_m in sides_m) < _BESIDE_M[0]:
        return None
    if min(sides_m) < 0 < max(sides_m):
        return None
    # a leg that it stands beside goes before one that only points towards it
    near = min(laterals, key=lambda seen: (seen[0], abs(seen[1])))
    if near[0] > _AHEAD_M or abs(near[1]) > _BESIDE_M[1]:
        return None
    side: Side = "right" if near[1] > 0 else "left"
    return PlaceSide(poi.id, poi.name, side, near[2], near[1], near[3])


def _points_of(poi: Poi, path: Sequence[str], graph: Graph) -> NDArray[np.float64]:
    """Return the place's own point and the points of its outline that the route's nodes see."""
    places = [list(poi.position[:2])]
    # the links of one place are few; those of a street, as objects, took a tenth of the time
    links = np.flatnonzero(graph.poi_link_pois == graph.poi_ids.index(poi.id))
    points: dict[int, list[list[float]]] = {}
    for k, node in zip(links.tolist(), graph.poi_link_nodes[links].tolist(), strict=True):
        points.setdefault(node, []).append(graph.poi_link_positions[k, :2].tolist())
    for node in path:
        places += points.get(graph.index[node], [])
    return graph.to_metric(np.array(places, float))


def _beside(
    points: NDArray[np.float64], first: int, last: int, place: NDArray[np.float64]
) -> tuple[float, float, float, int] | None:
    """Measure a place against the straight leg between two nodes of the path."""
    length_m = math.dist(points[first].tolist(), points[last].tolist())
    # so short a leg has no direction of which a place could be left or right
    if length_m < 2.0:
        return None
    ahead = (points[last] - points[first]) / length_m
    offset = place - points[first]
    along_m = float(offset @ ahead)
    # x is east and y is north, so that the right side is positive
    lateral_m = float(offset[0] * ahead[1] - offset[1] * ahead[0])
    beyond_m = max(0.0, -along_m, along_m - length_m)
    if along_m < -5.0 or beyond_m > 2 * _AHEAD_M or abs(lateral_m) > 2 * _BESIDE_M[1]:
        return None
    steps_m = np.hypot(*np.diff(points[: last + 1], axis=0).T)
    before_m = float(steps_m[:first].sum())
    node = first + int(np.argmin(np.hypot(*(points[first : last + 1] - place).T)))
    return beyond_m, lateral_m, before_m + min(max(along_m, 0.0), length_m), node


ClaimKind = Literal["turn", "missing", "landmark", "heading"]

_MARGIN: Final = 0.29
"""How much dearer every alignment must be in which a claim would not hold."""

_CONFIRMED: Final = 0.5
"""Gain in log probability that the changed word brings in the alignment of `rules`."""

_FITS: Final = 0.85
"""Cost of all else in an alignment, above which the text as a whole is not understood."""

_END_M: Final = 30.0
"""A turn this near to the end of the route may be where the text stops."""

_AWAY_DEG: Final = 60.0
"""A start heading further than this from the first 25 m of the route points away from it."""

_SLACK_M: Final = 40.0
"""How far beyond the turns around its words a place may stand."""

_ORIENTS: Final = re.compile(
    r"^[^.!?]*\b(?:(?:re)?orient\w*|align\w*|position\w*|stand\w*|fac(?:e|ing)|behind|traffic"
    r"|turn (?:so|to|around|and|with|in)|toward\w*|(?:on|to|at) (?:your|the) (?:left|right))\b",
    re.IGNORECASE,
)
"""A first sentence that says how to stand: the start heading is none of the walker's."""

_GOES_BACK: Final = re.compile(r"\b(?:u-?turn|back the way|turn back|go back)\b", re.IGNORECASE)
"""A text that walks a street twice has turns that are told once."""


@dataclass(frozen=True, slots=True)
class RouteEvidence:
    """What of the route and its map proves a claim."""

    node: str
    """Node of the route at which it shows."""
    along_m: float
    """Metres from the start, along the route."""
    angle_deg: float | None = None
    """The route's turn there, or how far the start heading points away from it; positive to the
    right.
    """
    poi: str | None = None
    """Id of the place."""
    lateral_m: float | None = None
    """How far to the side of the route the place stands, positive to the right."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One contradiction between an instruction and its route."""

    kind: ClaimKind
    """``turn``: the route turns the other way. ``missing``: the route turns where the text has no
    turn. ``landmark``: a place stands on the other side. ``heading``: the start heading points away
    from the route.
    """
    sentence: str
    """The claim for users, with the words of the instruction and the numbers of the route."""
    words: tuple[int, int] | None
    """First character and the one after the last of the words in question: the word for the side,
    or the stretch of text that lacks a turn; ``None`` for a start heading.
    """
    named: str | None
    """What the text names: a side, or the start heading in degrees; ``None`` for a missing turn."""
    shown: str
    """What the route shows: ``left`` or ``right``, or its first heading in degrees."""
    evidence: RouteEvidence


def contradictions(episode: Episode, graph: Graph) -> tuple[Claim, ...]:
    """Find where the instruction of an outdoor episode contradicts its reference path."""
    path = episode.reference_path
    if graph.frame != "geo" or len(set(path)) < 2:
        return ()
    if any(node not in graph for node in path):
        return ()
    # a gap in the path would look like a turn
    if any(not graph.has_link(a, b) for a, b in pairwise(path) if a != b):
        return ()
    compared = _Comparison(episode, graph)
    return (*compared.heading(), *sorted(compared.of_text(), key=_place_in_text))


def _place_in_text(claim: Claim) -> tuple[int, float]:
    start = claim.words[0] if claim.words is not None else 0
    return start, claim.evidence.along_m


class _Comparison:
    """The text of an episode beside its route."""

    def __init__(self, episode: Episode, graph: Graph) -> None:
        path = episode.reference_path
        self.path = tuple(node for k, node in enumerate(path) if k == 0 or node != path[k - 1])
        self.graph = graph
        self.length_m = graph.path_length_m(self.path)
        self.text = episode.instruction
        self.facing_deg = episode.start_heading_deg
        self.made = route_turns(self.path, graph, episode.start_heading_deg)
        self.described = described_turns(self.text)
        self.aligned = align_turns(self.described, self.made)

    def of_text(self) -> Iterator[Claim]:
        """Yield what the words get wrong."""
        yield from self._turns()
        yield from self._missing_turns()
        yield from self._landmarks()

    def heading(self) -> Iterator[Claim]:
        """Compare the start heading with the first stretch of the route."""
        # 0 is what Touchdown's files hold where the walker takes up a heading by the text
        if not self.facing_deg or self._starts() or _ORIENTS.search(self.text) is not None:
            return
        due_deg = first_heading_deg(self.path, self.graph)
        off_deg = turn_deg(self.facing_deg, due_deg)
        # the first link may point elsewhere than the first stretch; to face either is good enough
        first_off_deg = turn_deg(self.facing_deg, self.graph.heading_deg(*self.path[:2]))
        if min(abs(off_deg), abs(first_off_deg)) <= _AWAY_DEG:
            return
        sentence = (
            f"The start heading is {self.facing_deg:.0f}°, but the route sets out to"
            f" {due_deg:.0f}°: {abs(off_deg):.0f}° apart."
        )
        evidence = RouteEvidence(self.path[0], 0.0, off_deg)
        yield Claim("heading", sentence, None, f"{self.facing_deg:.0f}", f"{due_deg:.0f}", evidence)

    def _starts(self) -> list[tuple[int, int]]:
        """Return the pairs in which words describe the turn at the start."""
        # a start that faces away from the route is its turn after 0 m
        if not self.made or self.made[0].along_m > 0:
            return []
        return [pair for pair in self.aligned.pairs if pair[1] == 0]

    def _turns(self) -> Iterator[Claim]:
        if _GOES_BACK.search(self.text) is not None:
            return
        disagreeing = [pair for pair in self.aligned.pairs if self._disagrees(*pair)]
        # a pair on opposite sides costs 1; what is left is how badly the rest of the text fits
        if self.aligned.cost - len(disagreeing) > _FITS:
            return
        for i, j in disagreeing:
            # the cheapest reading in which these words mean something else
            other = align_turns(self.described, self.made, without=(i, j))
            proved = other.cost - self.aligned.cost >= _MARGIN
            if proved and self._gain_of_other_side(i) >= _CONFIRMED:
                described = self.described[i]
                made = self.made[j]
                phrase = clause_around(self.text, described.start, described.end)
                sentence = (
                    f"The instruction says “{phrase}”; the route turns {made.side} there"
                    f" ({made.angle_deg:+.0f}° after {made.along_m:.0f} m)."
                )
                words = (described.start, described.end)
                yield Claim(
                    "turn", sentence, words, described.side, made.side, self._evidence(made)
                )

    def _disagrees(self, i: int, j: int) -> bool:
        side = self.described[i].side
        return side is not None and side != self.made[j].side

    def _gain_of_other_side(self, i: int) -> float:
        """Return how much better `rules` aligns the text with one side word changed."""
        turn = self.described[i]
        if turn.side is None or self._streets is None:
            return 0.0
        other = "right" if turn.side == "left" else "left"
        word = self.text[turn.start : turn.end].lower().replace(turn.side, other)
        changed = f"{self.text[: turn.start]}{word}{self.text[turn.end :]}"
        score, _ = self._streets.align(read_instruction(changed))
        return score - self._written

    @cached_property
    def _streets(self) -> GivenRoute | None:
        try:
            return GivenRoute(self.graph, self.path)
        except ValueError:
            return None

    @cached_property
    def _written(self) -> float:
        if self._streets is None:
            return 0.0
        score, _ = self._streets.align(read_instruction(self.text))
        return score

    def _evidence(self, made: RouteTurn) -> RouteEvidence:
        return RouteEvidence(self.path[made.first], made.along_m, made.angle_deg)

    def _missing_turns(self) -> Iterator[Claim]:
        matched = {j for _, j in self.aligned.pairs}
        for j, made in enumerate(self.made):
            if j in matched or not made.clear or made.along_m > self.length_m - _END_M:
                continue
            if self._is_missing(j):
                yield self._missing_claim(j)

    def _is_missing(self, j: int) -> bool:
        """Tell whether the text as a whole fits the route, but has no words for one clear turn."""
        if any(self._disagrees(*pair) for pair in self.aligned.pairs):
            return False
        covered = align_turns(self.described, self.made, with_words=j)
        dropped = align_turns(self.described, [*self.made[:j], *self.made[j + 1 :]])
        if dropped.cost > _FITS - 0.5 or covered.cost - self.aligned.cost < _MARGIN:
            return False
        first, last = self._neighbours(j)
        # words between the two neighbours may be those for this turn
        if last - first > 1:
            return False
        # a wrong side elsewhere would explain the misfit as well
        certain = [i for i, turn in enumerate(self.described) if turn.certainty == "certain"]
        return all(self._gain_of_other_side(i) < _CONFIRMED for i in certain)

    def _neighbours(self, j: int) -> tuple[int, int]:
        """Return the described turns aligned next before and next after a turn of the route."""
        before = [i for i, other in self.aligned.pairs if other < j]
        after = [i for i, other in self.aligned.pairs if other > j]
        return max(before, default=-1), min(after, default=len(self.described))

    def _missing_claim(self, j: int) -> Claim:
        made = self.made[j]
        before, after = self._neighbours(j)
        start, end = 0, len(self.text)
        gap: list[str] = []
        if before >= 0:
            turn = self.described[before]
            start = turn.end
            gap.append(f"after “{clause_around(self.text, turn.start, turn.end)}”")
        if after < len(self.described):
            turn = self.described[after]
            end = turn.start
            gap.append(f"before “{clause_around(self.text, turn.start, turn.end)}”")
        sentence = (
            f"The route turns {made.side} ({made.angle_deg:+.0f}° after {made.along_m:.0f} m);"
            f" the instruction has no turn {' and '.join(gap) or 'at all'}."
        )
        return Claim("missing", sentence, (start, end), None, made.side, self._evidence(made))

    def _landmarks(self) -> Iterator[Claim]:
        for described in described_sides(self.text):
            place = find_place(described.name, self.path, self.graph)
            if place is None:
                continue
            seen = side_of_place(place, self.path, self.made, self.graph)
            if seen is None or seen.side == described.side:
                continue
            if self._on_its_leg(described, seen):
                words = self.text[described.start : described.end]
                sentence = (
                    f"The instruction says “{words}”; on the map {seen.name} stands"
                    f" {abs(seen.lateral_m):.0f} m to the {seen.side} of the route,"
                    f" after {seen.along_m:.0f} m."
                )
                evidence = RouteEvidence(
                    self.path[seen.node], seen.along_m, poi=seen.poi, lateral_m=seen.lateral_m
                )
                places = (described.side_start, described.side_end)
                yield Claim("landmark", sentence, places, described.side, seen.side, evidence)

    def _on_its_leg(self, described: DescribedSide, seen: PlaceSide) -> bool:
        """Tell whether a place stands between the turns that the text has before and after it."""
        for i, j in self.aligned.pairs:
            turn, made = self.described[i], self.made[j]
            if turn.end <= described.start and made.along_m > seen.along_m + _SLACK_M:
                return False
            if turn.start >= described.end and made.along_m < seen.along_m - _SLACK_M:
                return False
        last = max((i for i, _ in self.aligned.pairs), default=-1)
        return not (last < len(self.described) - 1 and seen.along_m > self.length_m - _END_M)
