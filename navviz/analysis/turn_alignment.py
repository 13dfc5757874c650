"""Align the turns that an instruction describes with the turns that its route makes.

Dynamic programming over both sequences. A pair on different sides is a disagreement; whether it is
proved depends on what the next best alignment without that pair costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from navviz.analysis.described_route import DescribedTurn
from navviz.analysis.route_turns import RouteTurn

Pair = tuple[int, int]

_OTHER_SIDE: Final = 1.0
_UNMADE: Final = 1.2
"""A certain turn of the text for which the route has none."""
_UNMADE_AT_END: Final = 0.8
"""The first may be made on the spot, the last where the route ends."""
_UNSAID: Final = 1.2
"""A clear turn of the route for which the text has no words."""
_MAYBE: Final = 0.1
"""A possible turn, or an unclear bend, that is left out."""
_OPEN: Final = 0.6
"""A clear turn of the route told by words that leave the side open."""
_POSSIBLE: Final = 0.4
"""A clear turn of the route told by words that may repeat or deny a turn."""
_DOUBTFUL: Final = 0.8
"""A clear turn of the route told by words that only mention a street or a bend."""
_BEND: Final = 0.5
"""A bend of less than 40 degrees told as a turn."""
_BEND_DEG: Final = 40.0
_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class TurnAlignment:
    """The cheapest alignment."""

    pairs: tuple[Pair, ...]
    """Indices of a described turn and of the turn of the route that it is."""
    cost: float


def align_turns(
    described: Sequence[DescribedTurn],
    route: Sequence[RouteTurn],
    *,
    without: Pair | None = None,
    with_words: int | None = None,
) -> TurnAlignment:
    """Align described turns with the turns of a route at the least cost.

    Parameters
    ----------
    described
        Turns of the text in order.
    route
        Turns of the route in order.
    without
        A pair that must not be aligned: what the proof of a disagreement is compared with.
    with_words
        A turn of the route that must have some words, whatever that costs: what the proof
        that the text leaves it out is compared with.
    """
    rows, columns = len(described), len(route)
    best = [[_NEVER] * (columns + 1) for _ in range(rows + 1)]
    best[0][0] = 0.0
    unmade = _unmade_costs(described)
    unsaid = [_unsaid_cost(turn) for turn in route]
    if with_words is not None:
        unsaid[with_words] = _NEVER
    for i, j in product(range(rows + 1), range(columns + 1)):
        # 0 at the very beginning, infinite everywhere else
        steps = [best[i][j]]
        if i:
            steps.append(best[i - 1][j] + unmade[i - 1])
        if j:
            steps.append(best[i][j - 1] + unsaid[j - 1])
        if i and j and (i - 1, j - 1) != without:
            steps.append(best[i - 1][j - 1] + _pair_cost(described[i - 1], route[j - 1]))
        best[i][j] = min(steps)
    return TurnAlignment(_pairs(described, route, best, unmade, without), best[rows][columns])


def _pairs(
    described: Sequence[DescribedTurn],
    route: Sequence[RouteTurn],
    best: Sequence[Sequence[float]],
    unmade: Sequence[float],
    without: Pair | None,
) -> tuple[Pair, ...]:
    """Trace the cheapest alignment back."""
    i, j = len(described), len(route)
    pairs: list[Pair] = []
    while i or j:
        pair = (i - 1, j - 1)
        if i and j and pair != without:
            cost = best[i - 1][j - 1] + _pair_cost(described[i - 1], route[j - 1])
            # exactly equal, since the same two numbers were added before
            if best[i][j] == cost:
                pairs.append(pair)
                i, j = pair
                continue
        if i and best[i][j] == best[i - 1][j] + unmade[i - 1]:
            i -= 1
        else:
            j -= 1
    return tuple(reversed(pairs))


def _unmade_costs(described: Sequence[DescribedTurn]) -> list[float]:
    certain = [k for k, turn in enumerate(described) if turn.certainty == "certain"]
    costs = []
    for k, turn in enumerate(described):
        if turn.certainty == "open":
            costs.append(0.0)
        elif turn.certainty in {"possible", "doubtful"}:
            costs.append(_MAYBE)
        else:
            costs.append(_UNMADE_AT_END if k in (certain[0], certain[-1]) else _UNMADE)
    return costs


def _unsaid_cost(turn: RouteTurn) -> float:
    return _UNSAID if turn.clear else _MAYBE


def _pair_cost(described: DescribedTurn, made: RouteTurn) -> float:
    if described.side is None:
        return _OPEN if made.clear else 0.0
    certain = described.certainty == "certain"
    if described.side != made.side:
        # a pair may disagree only where both sides are beyond doubt
        return _OTHER_SIDE if certain and made.clear else _NEVER
    if certain:
        return _BEND if abs(made.angle_deg) < _BEND_DEG else 0.0
    if not made.clear:
        return 0.0
    return _DOUBTFUL if described.certainty == "doubtful" else _POSSIBLE
