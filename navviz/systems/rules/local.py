"""The navigator `rules-local`: the same grammar and weights, walking with no more than GROKE's
visible area.

At each step it knows GROKE's visible area from where it stands (`look` in `visible_area`: the
street ahead to the next intersection and three nodes more, the streets that leave there, POIs
within 50 m), the street it came along since the last intersection, and how well the parts of the
plan fit what it has walked. From that it decides: stop in sight, or take a street at the
intersection. It never goes back, and the whole map never reaches the decision.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from navviz.language.grammar.grammar import Reading
from navviz.language.placing import features as f
from navviz.language.placing.alignment import NEVER, Lattice, align
from navviz.language.placing.area import SearchArea, Surroundings, reachable
from navviz.language.placing.landmarks import PoiNames, match_mentions
from navviz.language.placing.scoring import Scored, Weights, expected, score_plan
from navviz.language.placing.streets import Streets, build_streets
from navviz.systems.groke.prompts.visible_area import View, is_intersection, look, pois_in_sight
from navviz.systems.rules.search import PRIOR_REACH_M, first_links
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

UNITS = 1
"""Intersections that the visible area reaches to."""
STEP_LIMIT = 80
"""Looks before a walk has to stop, so that one that circles ends."""
PATIENCE = 0.0
"""How much less than a stop that was passed going on may promise."""


@dataclass(frozen=True, eq=False)
class StepSight:
    """What is known at a step, as a small graph of its own; nothing of the instruction."""

    view: View
    world: Graph
    arrived: tuple[str, str] | None
    """The link that was walked last; ``None`` at the start."""

    @cached_property
    def ground(self) -> _Ground:
        """Streets and places, prepared once for all walks that come here."""
        # not `streets_of`: each view is a graph of its own
        streets = build_streets(self.world)
        if self.arrived is None:
            first = first_links(streets, self.world.index[self.view.node], self.view.heading_deg)
        else:
            a, b = (self.world.index[node] for node in self.arrived)
            first = np.flatnonzero((streets.source == a) & (streets.target == b)).tolist()
        area = reachable(streets, first, len(self.view.path) + 4)
        names = PoiNames(list(self.world.pois.values()))
        return _Ground(streets, area, Surroundings(streets, area), names)


@dataclass(frozen=True)
class _Ground:
    """What a sight says of streets and places, whatever is looked for."""

    streets: Streets
    area: SearchArea
    around: Surroundings
    names: PoiNames


def see(graph: Graph, node: str, heading_deg: float, trail: Sequence[str]) -> StepSight:
    """Join the visible area with the street walked since the last intersection."""
    view = look(graph, node, heading_deg, units=UNITS)
    pois = pois_in_sight(graph, node, heading_deg, units=UNITS)
    positions = dict(view.positions)
    positions |= {past: graph.position(past) for past in trail}
    # a dictionary for its order: that of a set of names changes from run to run
    links: dict[tuple[str, str], None] = {}
    for a, targets in view.links.items():
        for b in targets:
            links |= {(a, b): None, (b, a): None}
    for a, b in itertools.pairwise(trail):
        links |= {(a, b): None, (b, a): None}
    ids = list(positions)
    index = {node_id: number for number, node_id in enumerate(ids)}
    pairs = np.array([(index[a], index[b]) for a, b in links], np.int32).reshape(-1, 2)
    given_m = None
    if graph.given_lengths_m is not None:
        given_m = np.array([graph.link_m(a, b) for a, b in links])
    world = Graph(
        name=graph.name,
        frame=graph.frame,
        ids=ids,
        positions=np.array(list(positions.values()), float),
        sources=pairs[:, 0],
        targets=pairs[:, 1],
        given_lengths_m=given_m,
        pois={poi.id: poi for poi in pois},
    )
    return StepSight(view, world, (trail[-2], trail[-1]) if len(trail) > 1 else None)


@dataclass(frozen=True)
class StepOption:
    """One thing that could be done at a step."""

    path: tuple[str, ...]
    """Nodes from where the walker stands."""
    stop: bool
    score: float
    fits: NDArray[np.float32]
    """Scores by units done, at the end of `path`."""
    node: str
    """The end of `path`."""
    fixed: float
    """The part of the score that does not depend on what is expected of the unseen."""
    way: str
    """``stop``, or which way is taken where, as `WAYS` names it."""


WAYS = ("straight-lit", "straight-dark", "turn-lit", "turn-dark", "on")
"""Ways to go on: straight or turning, with or without a light; on where no intersection is in
sight.
"""
_TURN_FROM_DEG = 35.0
"""Between the bend of a street that goes on and a slight turn."""


@dataclass
class LocalWalk:
    """The state of one walk and its decisions."""

    reading: Reading
    weights: Weights
    ahead: NDArray[np.float64]
    """Expected score of what remains, by units done."""
    table: dict[str, float]
    """Expected scores and the bonus of each way, see `scoring.load_expected`."""
    length_prior: bool
    fits: NDArray[np.float32]
    """Scores by units done where the walker stands."""
    passed: float = -np.inf
    """The best score of a stop that was passed by."""
    matched: tuple[tuple[int, str], ...] = ()
    """Mentions and the ids of POIs in sight that they may mean, at the step looked at last."""
    before_m: float = 0.0
    """Length walked before this walk, in metres."""
    scored: dict[StepSight, Scored] = field(default_factory=dict)
    """The plan at each sight; copies of a walk share it."""

    @classmethod
    def begin(
        cls, reading: Reading, weights: Weights, table: dict[str, float], *, length_prior: bool
    ) -> LocalWalk:
        """Return a walk at its start, no unit done."""
        fits = np.full(len(reading.units) + 1, NEVER, np.float32)
        fits[0] = 0.0
        return cls(
            reading, weights, expected(reading.units, reading, table), table, length_prior, fits
        )

    def choices(self, sight: StepSight, walked_m: float) -> list[StepOption]:
        """Return what can be done from a place, best first; `walked_m` is the length so far."""
        aligned = _align(sight, self)
        ids = sight.world.poi_ids
        matched: list[tuple[int, str]] = []
        for m, matches in enumerate(aligned.scored.matches):
            matched += [(m, ids[poi]) for poi in matches.pois.tolist()]
        self.matched = tuple(matched)
        stops, streets = self._stops(aligned, walked_m), self._streets(aligned, walked_m)
        if stops and self._too_far(streets, walked_m):
            streets = []
        return sorted(stops + streets, key=lambda choice: -choice.score)

    def take(self, choice: StepOption, choices: Sequence[StepOption]) -> None:
        """Walk on with a choice."""
        self.fits = choice.fits
        self.passed = max([self.passed, *(other.score for other in choices if other.stop)])

    def _too_far(self, streets: Sequence[StepOption], walked_m: float) -> bool:
        """Whether going on promises less than a stop that was passed, or no route is as long."""
        if self.length_prior and walked_m > PRIOR_REACH_M:
            return True
        return not streets or max(choice.score for choice in streets) < self.passed - PATIENCE

    @property
    def done(self) -> int:
        """How many units are most probably done."""
        return int((self.fits + self.ahead).argmax())

    def _stops(self, aligned: _Known, walked_m: float) -> list[StepOption]:
        """Return stops at the nodes in sight, up to the intersection ahead."""
        stops = []
        for k, (node, state) in enumerate(aligned.states):
            # places past the intersection are stops of a later step, once a street was chosen
            if state is None or (aligned.crossing is not None and k > aligned.crossing):
                continue
            hop, link = state
            path = aligned.path[: k + 1]
            fits = aligned.lattice.best[hop, :, link]
            fixed = float(fits[-1]) + float(aligned.scored.stop[link])
            fixed += self._length(walked_m + aligned.sight.world.path_length_m(path))
            score = fixed + self.table["stop-bonus"]
            stops.append(
                StepOption(
                    path, stop=True, score=score, fits=fits, node=node, fixed=fixed, way="stop"
                )
            )
        return stops

    def _streets(self, aligned: _Known, walked_m: float) -> list[StepOption]:
        """Streets that leave the intersection ahead."""
        if aligned.crossing is None:
            # go on as far as one can see
            _, state = aligned.states[-1]
            if len(aligned.path) < 2 or state is None:
                return []
            return [self._go(aligned.path, state, aligned, walked_m, "on")]
        path, choices = aligned.path[: aligned.crossing + 1], []
        for target in aligned.ways_on:
            state = aligned.state(aligned.crossing + 1, path[-1], target)
            if state is None:
                continue
            choices.append(self._go((*path, target), state, aligned, walked_m, aligned.way(target)))
        return choices

    def _go(
        self,
        path: tuple[str, ...],
        state: tuple[int, int],
        aligned: _Known,
        walked_m: float,
        way: str,
    ) -> StepOption:
        fits = aligned.lattice.best[state[0], :, state[1]]
        # going on may end at any length from here on: the best of their weights is what it can hope
        # for
        fixed = self._best_length_after(walked_m + aligned.sight.world.path_length_m(path))
        score = fixed + float((fits + self.ahead).max()) + self.table[way]
        return StepOption(
            path, stop=False, score=score, fits=fits, node=path[-1], fixed=fixed, way=way
        )

    def _length_weights(self) -> NDArray[np.float64]:
        return np.asarray(self.weights[f.lookup("length:{}", range(f.LENGTH_BINS))])

    def _length(self, length_m: float) -> float:
        if not self.length_prior:
            return 0.0
        return float(
            self._length_weights()[min(int(length_m / f.LENGTH_BIN_M + 0.5), f.LENGTH_BINS - 1)]
        )

    def _best_length_after(self, length_m: float) -> float:
        if not self.length_prior:
            return 0.0
        return float(
            self._length_weights()[
                min(int(length_m / f.LENGTH_BIN_M + 0.5), f.LENGTH_BINS - 1) :
            ].max()
        )


@dataclass(frozen=True)
class _Known:
    """The plan aligned with what is in sight."""

    sight: StepSight
    scored: Scored
    lattice: Lattice
    path: tuple[str, ...]
    """The street ahead, from where the walker stands."""
    crossing: int | None
    """Index into `path` of the intersection ahead."""
    ways_on: tuple[str, ...]
    """Nodes that streets lead to from there."""
    lit: bool
    """Whether the intersection has traffic signals."""
    offset: int
    """Links of the lattice that were walked before the walker's place (1, or 0 at the start)."""

    def way(self, target: str) -> str:
        """How one goes on from the intersection to `target`, as `WAYS` names it."""
        world, at = self.sight.world, self.path[self.crossing or 0]
        before = (
            self.path[self.crossing - 1] if self.crossing else (self.sight.arrived or (at, at))[0]
        )
        turn = abs(turn_deg(world.heading_deg(before, at), world.heading_deg(at, target)))
        return f"{'turn' if turn > _TURN_FROM_DEG else 'straight'}-{'lit' if self.lit else 'dark'}"

    def state(self, steps: int, a: str, b: str) -> tuple[int, int] | None:
        """Hop and link in the lattice of the link `a` to `b`, `steps` links from here."""
        world, area = self.sight.world, self.scored.area
        hop = steps + self.offset - 1
        links = np.flatnonzero((area.source == world.index[a]) & (area.target == world.index[b]))
        return (hop, int(links[0])) if len(links) and 0 <= hop < len(self.lattice.best) else None

    @property
    def states(self) -> list[tuple[str, tuple[int, int] | None]]:
        """Node and state of each place on the path."""
        arrived = self.sight.arrived
        here = None if arrived is None else self.state(0, *arrived)
        states = [(self.path[0], here)]
        for k, (a, b) in enumerate(itertools.pairwise(self.path), start=1):
            states.append((b, self.state(k, a, b)))
        return states


def _align(sight: StepSight, walk: LocalWalk) -> _Known:
    world, view = sight.world, sight.view
    path = tuple(node.id for node in view.path)
    # at the start the heading alone says which street is taken, so an intersection there counts
    # only when one has come to it
    crossing = next(
        (k for k, node in enumerate(view.path) if node.intersection and (k or sight.arrived)), None
    )
    ways_on = (
        tuple(c.target for c in view.path[crossing].connections) if crossing is not None else ()
    )
    ground = sight.ground
    scored = walk.scored.get(sight)
    if scored is None:
        matches = match_mentions(walk.reading.mentions, ground.names, ground.around.nearby)
        scored = walk.scored[sight] = score_plan(
            ground.streets, ground.area, ground.around, walk.reading, matches, walk.weights,
            keep_all=True,
        )  # fmt: skip
    begin = None if sight.arrived is None else walk.fits
    lattice = align(ground.area, scored.model, len(path) + 3, begin=begin)
    lit = crossing is not None and bool(ground.streets.lit[world.index[path[crossing]]])
    return _Known(
        sight, scored, lattice, path, crossing, ways_on, lit, 0 if sight.arrived is None else 1
    )


@dataclass(frozen=True)
class LocalStep:
    """One step of a walk: what was known, what could be done, what was chosen."""

    sight: StepSight
    choices: tuple[StepOption, ...]
    chosen: StepOption
    heading_deg: float
    matched: tuple[tuple[int, str], ...]
    """Mentions and the ids of POIs in sight that they may mean."""


def walk_on(
    graph: Graph,
    walk: LocalWalk,
    walked: Sequence[str],
    heading_deg: float,
    *,
    step_limit: int = STEP_LIMIT,
    sights: Sights | None = None,
) -> Iterator[LocalStep]:
    """Walk until a stop, a dead end or the limit; `walked` ends where the walker stands."""
    look_from = sights or Sights(graph, 0)
    trail, walked_m = list(walked), walk.before_m + graph.path_length_m(walked)
    for _ in range(step_limit):
        sight = look_from(trail, heading_deg)
        choices = walk.choices(sight, walked_m)
        if not choices:
            return
        chosen = choices[0]
        yield LocalStep(sight, tuple(choices), chosen, heading_deg, walk.matched)
        if chosen.stop:
            return
        walk.take(chosen, choices)
        walked_m += graph.path_length_m(chosen.path)
        trail += chosen.path[1:]
        heading_deg = arrival_deg(graph, trail[-2], trail[-1])


def retrace(
    graph: Graph,
    walk: LocalWalk,
    walked: Sequence[str],
    heading_deg: float,
    *,
    begin: int = 0,
    sights: Sights | None = None,
) -> float:
    """Take up the state of a walk along nodes already walked; the heading at their end.

    `begin` is the place on them where the state and the heading are known.
    """
    look_from, at = sights or Sights(graph, 0), begin
    while at < len(walked) - 1:
        trail = list(walked[: at + 1])
        sight = look_from(trail, heading_deg)
        choices = walk.choices(sight, graph.path_length_m(trail))
        ahead = tuple(walked[at:])
        moves = [choice for choice in choices if len(choice.path) > 1]
        fitting = [choice for choice in moves if ahead[: len(choice.path)] == choice.path]
        best = max(fitting, key=lambda choice: len(choice.path), default=None)
        if best is not None:
            walk.take(best, choices)
        # where no choice fits what was walked (by another agent), the state stays and the next node
        # is tried
        at += len(best.path) - 1 if best is not None else 1
        heading_deg = arrival_deg(graph, walked[at - 1], walked[at])
    return heading_deg


def since_crossing(graph: Graph, trail: Sequence[str]) -> list[str]:
    """Return the end of a trail, from the last intersection before its last node."""
    for k in range(len(trail) - 2, -1, -1):
        if is_intersection(graph, trail[k]):
            return list(trail[k:])
    return list(trail)


class Sights:
    """What was seen on a map, kept for walks that come to the same place the same way.

    `most`: how many sights are kept, each about 100 kB; those looked at longest ago make room.
    """

    def __init__(self, graph: Graph, most: int = 2000) -> None:
        self.graph = graph
        self._seen = lru_cache(most)(self._see)

    def __call__(self, trail: Sequence[str], heading_deg: float) -> StepSight:
        """Look ahead from the end of a trail."""
        return self._seen(tuple(since_crossing(self.graph, trail)), heading_deg)

    def _see(self, trail: tuple[str, ...], heading_deg: float) -> StepSight:
        return see(self.graph, trail[-1], heading_deg, trail)
