"""Decide whether one run is better than another: intervals, paired differences, adjusted tests.

Runs are compared on the episodes that all of them walked (`navviz.analysis.compare`). Everything
that draws random numbers takes a seed, so that a table comes out the same tomorrow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from navviz.analysis.compare import Comparison, compare_scores
from navviz.errors import InputError
from navviz.metrics.intervals import RESAMPLES, Interval, blocks_of, holm, mean_interval
from navviz.metrics.registry import all_metrics
from navviz.metrics.score import RunScore

__all__ = [
    "Difference",
    "Inference",
    "compare_to_baseline",
    "mcnemar",
    "paired_permutation",
]


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of one run against the baseline, paired by episode."""

    metric: str
    run: str
    baseline: str
    interval: Interval
    """Of the difference, the run's minus the baseline's."""
    p: float
    """McNemar's exact test for rates of success, a paired permutation test for all else; two-sided.
    """
    p_holm: float
    """Adjusted over all metrics and runs of one table (Holm 1979)."""
    test: str

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is below 0.05."""
        return self.p_holm < 0.05


@dataclass(frozen=True)
class Inference:
    """Means of several runs with intervals, and their differences from a baseline."""

    comparison: Comparison
    baseline: str
    means: Mapping[str, Mapping[str, Interval | None]]
    """By metric, then by run; ``None`` where no episode has a value."""
    differences: tuple[Difference, ...]

    def difference(self, metric: str, run: str) -> Difference | None:
        """Return the difference of a run from the baseline; ``None`` for the baseline, or where
        nothing is known.
        """
        return next(
            (each for each in self.differences if (each.metric, each.run) == (metric, run)), None
        )


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
    steps = np.sort(steps[steps != 0.0])  # the same episodes in another order get the same signs
    if not steps.size:
        return 1.0
    rng, observed, extreme = np.random.default_rng(seed), abs(float(steps.sum())), 0
    slack = 1e-9 * float(np.abs(steps).sum())  # sums in another order differ in their last digits
    blocks = blocks_of(resamples, len(steps))
    for count in blocks:
        signs = rng.integers(0, 2, (count, len(steps)), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ steps) >= observed - slack).sum())
    return (1 + extreme) / (1 + sum(blocks))


def compare_to_baseline(
    scores: Mapping[str, RunScore],
    baseline: str | None = None,
    metrics: Sequence[str] = ("SR", "OSR", "NE", "SPL", "nDTW", "SDTW"),
    *,
    seed: int = 0,
) -> Inference:
    """Compare two or more runs with a baseline, on the episodes that all of them walked.

    Parameters
    ----------
    scores
        By the names that the runs shall have.
    baseline
        One of these names; the first if not given.
    metrics
        Names as in the registry.

    Raises
    ------
    InputError
        For fewer than two runs, runs without a common episode, an unknown baseline or metric.
    """
    comparison = compare_scores(scores)
    chosen = baseline if baseline is not None else comparison.runs[0]
    if chosen not in scores:
        raise InputError(f"there is no run {chosen}", f"choose one of: {', '.join(scores)}")
    unknown = [name for name in metrics if name not in comparison.means]
    if unknown:
        names = ", ".join(comparison.means)
        raise InputError(f"no run has the metric {', '.join(unknown)}", f"choose among: {names}")
    means: dict[str, dict[str, Interval | None]] = {}
    raw = []
    for name in metrics:
        columns = {}
        for run, score in scores.items():
            columns[run] = [score.rows[key].get(name) for key in comparison.episodes]
        means[name] = {run: _interval(name, column, seed) for run, column in columns.items()}
        for run, column in columns.items():
            tested = None if run == chosen else _tested(name, columns[chosen], column, seed)
            if tested is not None:
                raw.append((name, run, *tested))
    # over all metrics and runs of the page at once
    adjusted = holm([p for *_, p, _ in raw])
    differences = []
    for (name, run, interval, p, test), p_holm in zip(raw, adjusted, strict=True):
        differences.append(Difference(name, run, chosen, interval, p, p_holm, test))
    return Inference(comparison, chosen, means, tuple(differences))


def _interval(name: str, values: Sequence[float | None], seed: int) -> Interval | None:
    present = [value for value in values if value is not None]
    return mean_interval(present, yes_no=_is_rate(name), seed=seed) if present else None


def _is_rate(name: str) -> bool:
    return any(metric.name == name and metric.yes_no for metric in all_metrics())


def _tested(
    name: str, before: Sequence[float | None], after: Sequence[float | None], seed: int
) -> tuple[Interval, float, str] | None:
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if a is not None and b is not None]
    if not pairs:
        return None
    a, b = np.array(pairs, float).T
    interval = mean_interval(b - a, seed=seed)
    if _is_rate(name):
        return interval, mcnemar(a, b), "McNemar, exact"
    return interval, paired_permutation(a, b, seed=seed), "paired permutation"
