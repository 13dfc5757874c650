"""Routes against phrases: a log-linear score of each way to lay the one along the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from navviz.systems.rules.indoors.alignment import NEVER, PhraseLattice
from navviz.systems.rules.indoors.standpoints import (
    FEATURES,
    PASSED,
    ROLE_TABLES,
    ROLES,
    HouseSurroundings,
    IndexedRoute,
    describe,
    read,
)
from navviz.systems.rules.indoors.texts import texts_of
from navviz.systems.rules.indoors.weights import GAPS, LENGTH_STEP_M, Weights
from navviz.world.graph import Graph

Floats = NDArray[np.float32]
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
    """Remembers what places are like; worth it where a walk looks at the same routes again and
    again.
    """

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
    """Vectors of phrases, given as rows of the words that were learned; words that were not count
    nothing.
    """
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
    """Return the text tables of a house as vectors, see `vectors_of`; computed once for a graph
    that is alive.
    """
    kept = _VECTORS.get(graph)
    if kept is None or kept[0] is not weights:
        kept = _VECTORS[graph] = (
            weights,
            vectors_of(weights, texts_of(graph, weights.tokens).tables),
        )
    return kept[1]


def vectors_of(weights: Weights, tables: Sequence[csr_matrix]) -> tuple[Floats, ...]:
    """Tables of counted words as vectors, shapes ``(rows + 1, width)``; the last row is zero, for
    texts not there.
    """
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
    """Return what was learned about how long the routes of R2R are, shape ``(K,)``; 0 for open
    routes.
    """
    values = weights.values
    lengths = values["length"]
    size = min(phrases // 3, values["moves by size"].shape[1] - 1)
    moves = np.minimum(laid.last, GAPS - 1)
    scores = values["moves"][moves] + values["moves by size"][moves, size]
    scores = (
        scores + lengths[np.minimum((laid.length_m / LENGTH_STEP_M).astype(int), len(lengths) - 1)]
    )
    return np.asarray(np.where(laid.open, 0.0, scores), np.float32)
