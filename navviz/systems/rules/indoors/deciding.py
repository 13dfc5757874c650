"""Where to go or to stop: the probability of each route, and of each choice of a walk in a house it
partly knows.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from navviz.systems.rules.indoors.texts import texts_of
from navviz.systems.rules.indoors.weights import (
    FEATURES,
    GAPS,
    LENGTH_STEP_M,
    MOST_MOVES,
    PASSED,
    ROLE_TABLES,
    ROLES,
    HouseSurroundings,
    IndexedRoute,
    Weights,
    describe,
    read,
)
from navviz.world.graph import Graph

Floats = NDArray[np.float32]

NEVER = -1e9
"""The logarithm of what cannot be; finite, so that differences stay numbers."""


def log_sum(values: Floats, axis: int) -> Floats:
    """Logarithm of the sum of exponentials along an axis."""
    # the greatest is taken off, so that exp cannot overflow; were it -inf, this would give nan
    top = values.max(axis, keepdims=True)
    return np.asarray((top + np.log(np.exp(values - top).sum(axis, keepdims=True))).squeeze(axis))


@dataclass(frozen=True)
class PhraseLattice:
    """Scores of all parts of all alignments; C phrases, K routes, J places."""

    speaks: Floats
    begins: Floats
    steps: Floats
    leaves: Floats
    silent: Floats


@dataclass(frozen=True)
class Alignment:
    """The sum over alignments of each route, and how much each part takes of it."""

    scores: Floats
    """Shape ``(K,)``."""
    forward: Floats
    """Shape ``(C, K, J)``: the sum up to phrase c at place j."""


def align(lattice: PhraseLattice) -> Alignment:
    """Sum over all alignments (forward)."""
    forward = np.empty_like(lattice.speaks)
    forward[0] = lattice.speaks[0] + lattice.begins
    for c in range(1, len(forward)):
        forward[c] = lattice.speaks[c] + log_sum(forward[c - 1][:, :, None] + lattice.steps, 1)
    count = len(lattice.silent)
    ends = (forward + lattice.leaves).transpose(1, 0, 2).reshape(count, -1)
    return Alignment(log_sum(np.concatenate([ends, lattice.silent[:, None]], axis=1), 1), forward)


def shares(lattice: PhraseLattice, alignment: Alignment, weight: Floats) -> PhraseLattice:
    """How much each part of the lattice adds to the weighted sum of the scores: its gradient."""
    speaks, steps = np.zeros_like(lattice.speaks), np.zeros_like(lattice.steps)
    total = alignment.scores[:, None]
    leaves = _part(alignment.forward + lattice.leaves - total, weight[:, None])
    behind = lattice.leaves[-1]
    speaks[-1] = leaves[-1]
    for c in range(len(speaks) - 2, -1, -1):
        onward = lattice.steps + (lattice.speaks[c + 1] + behind)[:, None, :]
        steps += _part(
            alignment.forward[c][:, :, None] + onward - total[:, :, None], weight[:, None, None]
        )
        behind = np.logaddexp(lattice.leaves[c], log_sum(onward, 2))
        speaks[c] = _part(alignment.forward[c] + behind - total, weight[:, None])
    silent = _part(lattice.silent - alignment.scores, weight)
    # wherever the first phrase speaks the alignment begins, so both have one gradient
    return PhraseLattice(speaks, speaks[0], steps, leaves, silent)


def _part(logarithm: Floats, weight: Floats) -> Floats:
    # a part is never more than the whole, but rounding in float32 may make it so
    return np.asarray(np.exp(np.minimum(logarithm, 0.0)) * weight)


def best(lattice: PhraseLattice, route: int) -> tuple[list[int], float]:
    """Return the best alignment of one route: the place of each phrase that it has reached, and its
    score (Viterbi).
    """
    speaks, steps = lattice.speaks[:, route], lattice.steps[route]
    value, came = [speaks[0] + lattice.begins[route]], []
    for c in range(1, len(speaks)):
        reached = value[-1][:, None] + steps
        came.append(reached.argmax(0))
        value.append(speaks[c] + reached.max(0))
    ends = np.stack(value) + lattice.leaves[:, route]
    last, place = np.unravel_index(int(ends.argmax()), ends.shape)
    if lattice.silent[route] >= ends[last, place]:
        return [], float(lattice.silent[route])
    places = [int(place)]
    for c in range(int(last) - 1, -1, -1):
        places.append(int(came[c][places[-1]]))
    return places[::-1], float(ends[last, place])


Ints = NDArray[np.int64]

_MOVES_OF_ANY_ROUTE = 3
"""Up to here most walks go on, in R2R as anywhere; no route of R2R has fewer moves."""


@dataclass(frozen=True)
class Laid:
    """Routes as arrays; K routes of up to J places."""

    features: Floats
    """Shape ``(K, J, features)``, zeros and ones."""
    rows: Ints
    """Shape ``(K, J, roles)``: rows of the text tables, -1 for none."""
    last: Ints
    """Shape ``(K,)``: index of the last place."""
    length_m: Floats
    open: NDArray[np.bool_]
    """Shape ``(K,)``: the route ends where nobody has been; it may go on."""

    @property
    def walked(self) -> NDArray[np.bool_]:
        """Shape ``(K, J)``: places of each route."""
        return np.asarray(np.arange(self.features.shape[1]) <= self.last[:, None])


@dataclass
class ScoreMemory:
    """Remembers what places are like, for walks that look at the same routes often."""

    descriptions: dict[tuple[object, ...], tuple[list[int], list[int]]] = field(
        default_factory=dict
    )


def lay(
    seen: HouseSurroundings,
    routes: Sequence[IndexedRoute],
    start_heading_deg: float,
    desk: ScoreMemory | None = None,
) -> Laid:
    """Describe all places of routes; those to viewpoints that were not visited are open."""
    descriptions = (desk or ScoreMemory()).descriptions
    places = max(len(route.nodes) for route in routes)
    features = np.zeros((len(routes), places, len(FEATURES)), np.float32)
    rows = np.full((len(routes), places, len(ROLES)), -1, np.int64)
    for k, route in enumerate(routes):
        for at, node in enumerate(route.nodes):
            # What a place is like depends on two places before, two after, and on which of these
            # were visited.
            near = route.nodes[max(0, at - 2) : at + 3]
            following = route.nodes[at + 1 : at + 2]
            key = (
                near,
                at,
                at == len(route.nodes) - 1,
                node in seen.ways,
                bool(following) and following[0] in seen.ways,
            )
            if key not in descriptions:
                place = (seen, route.nodes, at, start_heading_deg)
                descriptions[key] = describe(*place), read(*place)
            columns, texts = descriptions[key]
            features[k, at, columns] = 1.0
            rows[k, at] = texts
    last = np.array([len(route.nodes) - 1 for route in routes])
    lengths = np.array([route.length_m for route in routes], np.float32)
    return Laid(
        features,
        rows,
        last,
        lengths,
        np.array([route.nodes[-1] not in seen.ways for route in routes]),
    )


@dataclass(frozen=True)
class Terms:
    """Phrases as vectors."""

    vectors: Floats
    """Shape ``(C, width)``: what a phrase speaks of, in the space of the texts."""
    features: Floats
    """Shape ``(C, features)``: what it says of turns, stairs and places."""
    compared: Floats
    """Shape ``(roles, C, width)``: what it looks for in each role."""


def terms_of(weights: Weights, phrases: Sequence[Sequence[int]]) -> Terms:
    """Vectors of phrases, as rows of learned words; words not learned count nothing."""
    values = weights.values
    vectors = np.stack(
        [values["words"][list(p)].sum(0) / math.sqrt(max(len(p), 1)) for p in phrases]
    )
    features = (
        np.stack([values["word features"][list(p)].sum(0) for p in phrases]) + values["features"]
    )
    return Terms(vectors, features, np.einsum("cd,rde->rce", vectors, values["roles"]))


_VECTORS: WeakKeyDictionary[Graph, tuple[Weights, tuple[Floats, ...]]] = WeakKeyDictionary()


def text_vectors(weights: Weights, graph: Graph) -> tuple[Floats, ...]:
    """Return a house's text tables as vectors (`vectors_of`), once while a graph lives."""
    kept = _VECTORS.get(graph)
    if kept is None or kept[0] is not weights:
        kept = _VECTORS[graph] = (
            weights,
            vectors_of(weights, texts_of(graph, weights.tokens).tables),
        )
    return kept[1]


def vectors_of(weights: Weights, tables: Sequence[csr_matrix]) -> tuple[Floats, ...]:
    """Tables of counted words as vectors, ``(rows + 1, width)``; the last row is zero."""
    nothing = np.zeros((1, weights.values["tokens"].shape[1]), np.float32)
    return tuple(np.concatenate([table @ weights.values["tokens"], nothing]) for table in tables)


def speaks_of(terms: Terms, texts: Sequence[Floats], laid: Laid) -> Floats:
    """Score of each phrase at each place, shape ``(C, K, J)``."""
    count, places, width = laid.features.shape
    scores = (terms.features @ laid.features.reshape(-1, width).T).reshape(-1, count, places)
    for role, table in enumerate(ROLE_TABLES):
        # The row -1 is the last one: nothing to read, nothing to score.
        scores += (terms.compared[role] @ texts[table].T)[:, laid.rows[:, :, role]]
    return np.asarray(np.where(laid.walked, scores, NEVER))


def lattices_of(
    weights: Weights,
    terms: Terms,
    texts: Sequence[Floats],
    laid: Laid,
    sizes: Sequence[int],
    *,
    length_prior: bool = True,
) -> list[PhraseLattice]:
    """All parts of all alignments of the phrases of several instructions and routes.

    `sizes` tells how many of the phrases in `terms` belong to each instruction.

    A route that is open may be left by any phrase, before its end; what is expected of the phrases
    that are left is the weight ``left``; it depends on the moves so far, of which it forgets what
    it knows about the lengths of R2R's routes where `length_prior` is off. All others are left by
    the last phrase.
    """
    values, walked = weights.values, laid.walked
    count, places = walked.shape
    passed = np.where(walked, laid.features[:, :, list(PASSED)] @ values["passed"], 0.0)
    before = np.concatenate([np.zeros((count, 1)), np.cumsum(passed, axis=1)], axis=1).astype(
        np.float32
    )
    at, to = np.meshgrid(np.arange(places), np.arange(places), indexing="ij")
    # what passing the places between two phrases costs, both ends left out, is a difference of two
    # running sums
    steps = values["gap"][np.clip(to - at, 0, GAPS - 1)] + np.where(
        to > at, before[:, None, :-1] - before[:, 1:, None], 0
    )
    begins = values["gap before"][np.minimum(np.arange(places), GAPS - 1)] + before[:, :-1]
    steps = np.where(to < at, NEVER, steps)
    most_moves = GAPS - 1 if length_prior else _MOVES_OF_ANY_ROUTE
    speaks = np.split(speaks_of(terms, texts, laid), np.cumsum(sizes)[:-1])
    lattices = []
    for part in speaks:
        leaves = _leaves(weights, len(part), laid, before, most_moves)
        lattices.append(PhraseLattice(part, begins, steps, *leaves))
    return lattices


def _leaves(
    weights: Weights, phrases: int, laid: Laid, before: Floats, most_moves: int
) -> tuple[Floats, Floats]:
    values, (count, places) = weights.values, laid.walked.shape
    routes, place = np.arange(count), np.arange(places)
    rest = before[routes, laid.last + 1][:, None] - before[:, 1:]
    leaves = np.full((phrases, count, places), NEVER, np.float32)
    after = values["gap after"][np.clip(laid.last[:, None] - place, 0, GAPS - 1)]
    leaves[-1] = np.where(laid.walked & ~laid.open[:, None], after + rest, NEVER)
    silent = np.full(count, NEVER, np.float32)
    if laid.open.any():
        still = np.minimum(phrases - np.arange(phrases + 1), len(values["left"]) - 1)
        left = values["left"][still][:, np.minimum(laid.last, most_moves)]
        ahead = before[routes, laid.last][:, None] - before[:, 1:]
        inside = laid.open[:, None] & (place < laid.last[:, None])
        leaves = np.where(inside, ahead + left[1:, :, None], leaves)
        silent = np.where(laid.open, before[routes, laid.last] + left[0], NEVER).astype(np.float32)
    return leaves, silent


def length_scores(weights: Weights, phrases: int, laid: Laid) -> Floats:
    """Return what was learned of R2R's route lengths, shape ``(K,)``; 0 for open routes."""
    values = weights.values
    lengths = values["length"]
    size = min(phrases // 3, values["moves by size"].shape[1] - 1)
    moves = np.minimum(laid.last, GAPS - 1)
    scores = values["moves"][moves] + values["moves by size"][moves, size]
    scores = (
        scores + lengths[np.minimum((laid.length_m / LENGTH_STEP_M).astype(int), len(lengths) - 1)]
    )
    return np.asarray(np.where(laid.open, 0.0, scores), np.float32)


@dataclass
class ExploredHouse:
    """The part of a house that was seen: visited viewpoints, and those they are linked with."""

    graph: Graph
    start: int
    start_heading_deg: float
    seen: HouseSurroundings = field(init=False)
    desk: ScoreMemory = field(default_factory=ScoreMemory)

    def __post_init__(self) -> None:
        self.seen = HouseSurroundings(self.graph.positions, {})
        self.visit([self.start])

    def visit(self, nodes: Iterable[int]) -> None:
        """Look around at viewpoints: their ways and texts are known from now on."""
        for node in nodes:
            self.seen.ways[node] = self.graph.adjacency[node]

    def paths_from(self, start: int) -> dict[int, IndexedRoute]:
        """Shortest paths to all known places (Dijkstra 1959), through visited ones alone."""
        links = self.graph.weighted_adjacency
        paths: dict[int, IndexedRoute] = {}
        queue: list[tuple[float, tuple[int, ...]]] = [(0.0, (start,))]
        while queue:
            # of equal lengths the lower numbers come first, so that every walk comes out the same
            # again
            length, nodes = heapq.heappop(queue)
            if nodes[-1] in paths:
                continue
            paths[nodes[-1]] = IndexedRoute(nodes, length)
            if nodes[-1] in self.seen.ways:
                for target, metres in links[nodes[-1]]:
                    if target not in paths:
                        heapq.heappush(queue, (length + metres, (*nodes, target)))
        return paths

    def routes(
        self, most_moves: int = MOST_MOVES, *, must_stop: bool = False
    ) -> list[IndexedRoute]:
        """Routes from the start to all that is known and not too far.

        The start itself is no answer where there is another: whoever writes an instruction wants
        one to go. Where the walk must stop, and can so at visited viewpoints only, it is one if no
        other was visited.
        """
        paths = self.paths_from(self.start)
        reached = [route for route in paths.values() if 1 < len(route.nodes) <= most_moves + 1]
        if must_stop and all(route.nodes[-1] not in self.seen.ways for route in reached):
            reached.append(paths[self.start])
        return reached or [paths[self.start]]

    def lay(self, routes: list[IndexedRoute]) -> Laid:
        """Return the routes as arrays."""
        return lay(self.seen, routes, self.start_heading_deg, self.desk)


WALK_COST = 0.4
"""What a metre to a choice costs, in logarithms.

On held-out paths of R2R train 0 gives 54 % SR and 26 % SPL, 0.4 gives 52 % and 31 %.
"""

EARLY_STOP = -1.5
"""What stopping costs where the length prior is off; with it, routes of one or two moves pay for
being short.

On 60 paths of R2R train, prior off: 0 gives 47 % SR and 29 % SPL, -1.5 gives 58 % and 26 %, -3
gives 58 % and 19 %.
"""


@dataclass(frozen=True)
class Judged:
    """Routes with their scores."""

    routes: Sequence[IndexedRoute]
    laid: Laid
    lattice: PhraseLattice
    alignment: Alignment
    scores: Floats
    """Shape ``(K,)``, in logarithms."""


def judge(
    weights: Weights,
    terms: Terms,
    explored: ExploredHouse,
    routes: list[IndexedRoute],
    *,
    length_prior: bool,
    texts: Sequence[Floats] | None = None,
) -> Judged:
    """Score routes against an instruction; `texts` are the house's, looked up if missing."""
    vectors = text_vectors(weights, explored.graph) if texts is None else texts
    laid = explored.lay(routes)
    return judge_all(
        weights, terms, vectors, laid, [len(terms.vectors)], routes, length_prior=length_prior
    )[0]


def judge_all(
    weights: Weights,
    terms: Terms,
    texts: Sequence[Floats],
    laid: Laid,
    sizes: Sequence[int],
    routes: Sequence[IndexedRoute],
    *,
    length_prior: bool = True,
) -> list[Judged]:
    """Score routes against several instructions; see `lattices_of`."""
    judged = []
    for lattice in lattices_of(weights, terms, texts, laid, sizes, length_prior=length_prior):
        alignment = align(lattice)
        lengths = length_scores(weights, len(lattice.speaks), laid) if length_prior else 0.0
        judged.append(
            Judged(
                routes, laid, lattice, alignment, np.asarray(alignment.scores + lengths, np.float32)
            )
        )
    return judged


def probabilities(scores: Floats) -> NDArray[np.float64]:
    """Softmax."""
    weight = np.exp(scores.astype(float) - scores.max())
    return np.asarray(weight / weight.sum())


def settle(
    explored: ExploredHouse, judged: Judged, radius_m: float
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Return the route with the most probability around its end."""
    share = probabilities(judged.scores)
    ends = explored.graph.positions[[route.nodes[-1] for route in judged.routes]]
    near = np.linalg.norm(ends[:, None] - ends[None], axis=2) < radius_m
    around = near @ share
    # routes to one neighbourhood may have the same sum: then the likelier one wins
    return int((around + 1e-6 * share).argmax()), share, around


@dataclass(frozen=True)
class Choices:
    """What a walk can do next: stop at a visited viewpoint, or go to one that was only seen."""

    judged: Judged
    ways: dict[int, IndexedRoute]
    """Shortest known ways from where the agent stands, by their end."""
    values: Floats
    """Shape ``(K,)``, in logarithms."""

    @property
    def opens(self) -> NDArray[np.bool_]:
        """Which choices lead to a viewpoint that was not visited."""
        return self.judged.laid.open


def choices(
    weights: Weights,
    terms: Terms,
    explored: ExploredHouse,
    here: int,
    *,
    length_prior: bool,
    most_moves: int = MOST_MOVES,
    walk_cost: float = WALK_COST,
    texts: Sequence[Floats] | None = None,
    must_stop: bool = False,
) -> Choices:
    """All choices at a place, with their values; `must_stop` where the walk may not go on."""
    routes = explored.routes(most_moves, must_stop=must_stop)
    judged = judge(weights, terms, explored, routes, length_prior=length_prior, texts=texts)
    ways = explored.paths_from(here)
    ends = [route.nodes[-1] for route in judged.routes]
    metres = np.array([ways[end].length_m for end in ends], np.float32)
    stays = np.array([end == here for end in ends])
    stop = weights.values["stop"][0] + weights.values["stop"][1] * stays
    stop = stop + (0.0 if length_prior else EARLY_STOP)
    values = judged.scores + np.where(judged.laid.open, 0.0, stop) - walk_cost * metres
    return Choices(judged, ways, np.asarray(values, np.float32))
