"""Test one metric of two runs, paired by episode: exactly for rates, else by permutation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from navviz.metrics.intervals import (
    RESAMPLES,
    Interval,
    difference_interval,
    flip_test,
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
    Two-sided p: exact up to 13 episodes, above ``(1 + count as extreme) / (1 + resamples)``, so
    never 0; 1 where the runs never differ.
    """
    steps = np.asarray(after, float) - np.asarray(before, float)
    return flip_test(steps, resamples=resamples, seed=seed).p


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
    if _is_rate(metric) and bool(np.isin((a, b), (0.0, 1.0)).all()):
        interval = difference_interval(a, b, yes_no=True)
        return interval, mcnemar(a, b), "McNemar, exact"
    flipped = flip_test(b - a, seed=seed)
    interval = Interval(float((b - a).mean()), flipped.low, flipped.high, len(pairs))
    return interval, flipped.p, "paired permutation"
