"""Which items of a queue an annotator gets, and in which order: as listed, at random, or those
first on which navigators disagree.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import pstdev
from typing import Literal

from navviz.annotation.records import Item

Order = Literal["listed", "random", "disagreement"]
ORDERS: tuple[Order, ...] = ("listed", "random", "disagreement")
Outcome = tuple[float | None, float | None]
"""Success (0 or 1) and navigation error in m of one run of an episode."""


def disagreement(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    """How far navigators disagree on an episode, to sort by.

    Returns
    -------
    Share of pairs of runs of which one arrives and one does not, times two (``4 p (1 - p)``, from 0
    to 1), and the standard deviation of the navigation error in m. Both 0 where fewer than two runs
    know it.
    """
    successes = [success for success, _ in outcomes if success is not None]
    errors_m = [error_m for _, error_m in outcomes if error_m is not None]
    share = sum(successes) / len(successes) if len(successes) > 1 else 0.0
    spread_m = pstdev(errors_m) if len(errors_m) > 1 else 0.0
    return 4 * share * (1 - share), spread_m


def in_order(
    items: Sequence[Item],
    order: Order,
    *,
    seed: int = 0,
    outcomes: Mapping[str, Sequence[Outcome]] | None = None,
) -> list[Item]:
    """Sort the items of a queue.

    Parameters
    ----------
    items
        As listed; equals keep this order.
    order
        ``disagreement`` puts those first on which the runs of `outcomes` differ in success, then
        those whose errors spread most.
    seed
        Of the random order.
    outcomes
        What the runs did, by episode id.
    """
    if order == "random":
        return random.Random(seed).sample(list(items), len(items))  # noqa: S311 (no secret)
    if order == "listed":
        return list(items)
    ranks = {item: disagreement((outcomes or {}).get(item.episode, ())) for item in items}
    # `reverse` keeps the order of equals as listed
    return sorted(items, key=lambda item: ranks[item], reverse=True)


def sample(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """Draw a random sample without replacement; the same seed gives the same sample."""
    return random.Random(seed).sample(list(items), min(size, len(items)))  # noqa: S311 (no secret)


def deal(
    items: Sequence[Item], annotators: Sequence[str], overlap: float, seed: int
) -> dict[str, list[Item]]:
    """Items for each annotator: a share that all of them get, the others dealt out evenly.

    The shared items are chosen by `seed`; everybody keeps the order of `items`.
    """
    shared = set(sample(items, round(overlap * len(items)), seed))
    others = [item for item in items if item not in shared]
    dealt = {}
    for i, name in enumerate(annotators):
        # every n-th item and not a block: all parts have easy and hard stretches of the list
        mine = shared | set(others[i :: len(annotators)])
        dealt[name] = [item for item in items if item in mine]
    return dealt
