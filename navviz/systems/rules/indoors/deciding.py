"""Where to go or to stop: the probability of each route, and of each choice of a walk in a house it
partly knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navviz.systems.rules.indoors.alignment import Alignment, PhraseLattice, align
from navviz.systems.rules.indoors.explored import ExploredHouse
from navviz.systems.rules.indoors.scoring import (
    Floats,
    Laid,
    Terms,
    lattices_of,
    length_scores,
    text_vectors,
)
from navviz.systems.rules.indoors.standpoints import IndexedRoute
from navviz.systems.rules.indoors.weights import MOST_MOVES, Weights

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
    """Score routes against an instruction; `texts` are the house's text tables as vectors, looked
    up where missing.
    """
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
    """Score routes against several instructions; see
    `navviz.systems.rules.indoors.scoring.lattices_of`.
    """
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
    """Return the route with the most probability around its end.

    Returns
    -------
    Its index; the probability of each route; the probability within `radius_m` (straight) of each
    route's end.
    """
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
