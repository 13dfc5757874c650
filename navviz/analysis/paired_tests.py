"""Test one metric of two runs, paired by episode: exactly for rates, else by permutation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from navviz.metrics.intervals import (
    RESAMPLES,
    Interval,
    blocks_of,
    difference_interval,
    mean_interval,
)
from navviz.metrics.registry import all_metrics


def mcnemar(before: ArrayLike, after: ArrayLike) -> float:
    """Test whether two runs succeed equally often, exactly (McNemar 1947): p of the episodes that
    only one solves.

    Parameters
    ----------
    before, after
        0 or 1 for each episode, the same episodes in the same order.

    Returns
    -------
    Two-sided p; 1 where the runs never differ.
    """
    from scipy import stats

    a, b = np.asarray(before, float) > 0.5, np.asarray(after, float) > 0.5
    gained, lost = int((~a & b).sum()), int((a & ~b).sum())
    return float(stats.binomtest(gained, gained + lost, 0.5).pvalue) if gained + lost else 1.0


def paired_permutation(
    before: ArrayLike, after: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0
) -> float:
    """Test whether a paired mean difference is zero by flipping signs (Fisher 1935; Good 2005,
    section 3.2).

    Returns
    -------
    Two-sided p, ``(1 + count as extreme) / (1 + resamples)``, so never 0; 1 where the runs never
    differ.
    """
    steps = np.asarray(after, float) - np.asarray(before, float)
    # the same episodes in another order, or the runs in the other order, get the same signs: those
    # of a difference are drawn at random, so only its size counts
    sizes = np.sort(np.abs(steps[steps != 0.0]))
    total = abs(float(steps.sum()))
    if not sizes.size:
        return 1.0
    rng, extreme = np.random.default_rng(seed), 0
    slack = 1e-9 * float(sizes.sum())  # sums in another order differ in their last digits
    blocks = blocks_of(resamples, len(sizes))
    for count in blocks:
        # one byte a sign: this is the largest array of the test
        signs = rng.integers(0, 2, (count, len(sizes)), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ sizes) >= total - slack).sum())
    return (1 + extreme) / (1 + sum(blocks))


def interval_of(metric: str, values: Sequence[float | None], seed: int = 0) -> Interval | None:
    """Return the mean of a metric with its interval; ``None`` where no episode has a value."""
    present = [value for value in values if value is not None]
    return mean_interval(present, yes_no=_is_rate(metric), seed=seed) if present else None


def _is_rate(name: str) -> bool:
    return any(metric.name == name and metric.yes_no for metric in all_metrics())


def _is_of_episode(name: str) -> bool:
    return any(metric.name == name and metric.of_episode for metric in all_metrics())


def paired_test(
    metric: str, before: Sequence[float | None], after: Sequence[float | None], seed: int = 0
) -> tuple[Interval, float, str] | None:
    """Return the mean difference with its interval, p, and the name of the test.

    ``None`` where no episode has both values, and for what describes the episode alone: a test that
    cannot fail would only weaken the others when p is adjusted over a table. With the two runs in
    the other order the difference is mirrored, and p is the same.
    """
    if _is_of_episode(metric):
        return None
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if a is not None and b is not None]
    if not pairs:
        return None
    a, b = np.array(pairs, float).T
    is_rate = _is_rate(metric)
    interval = difference_interval(a, b, yes_no=is_rate, seed=seed)
    if is_rate:
        return interval, mcnemar(a, b), "McNemar, exact"
    return interval, paired_permutation(a, b, seed=seed), "paired permutation"
