"""Decide whether one run is better than another: intervals, paired differences, adjusted tests.

Runs are compared on the episodes that all of them walked (`navviz.analysis.compare`). Everything
that draws random numbers takes a seed, so that a table comes out the same tomorrow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from navviz.analysis.compare import Comparison, compare_scores
from navviz.analysis.paired_tests import interval_of, paired_test
from navviz.errors import InputError
from navviz.metrics.intervals import Interval, holm
from navviz.metrics.long_horizon import POOLED
from navviz.metrics.score import RunScore

P_AND_INTERVAL = (
    "p is adjusted over all tests, each interval stands for its own difference: where an interval"
    " leaves out 0 and p is above 0.05, no difference is proven."
)
"""How to read p and interval of one difference that seem to disagree."""


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
        pooled = [name for name in unknown if name in POOLED]
        if pooled:
            raise InputError(
                f"{', '.join(pooled)} is counted over the sub-tasks of all episodes, so that it has"
                " no value for a pair of episodes",
                "compare ISR_paper, the mean over episodes of the share of sub-tasks that are done",
            )
        raise InputError(f"no run has the metric {', '.join(unknown)}", f"choose among: {names}")
    means: dict[str, dict[str, Interval | None]] = {}
    raw = []
    for name in metrics:
        columns = {}
        for run, score in scores.items():
            columns[run] = [score.rows[key].get(name) for key in comparison.episodes]
        means[name] = {run: interval_of(name, column, seed) for run, column in columns.items()}
        for run, column in columns.items():
            tested = None if run == chosen else paired_test(name, columns[chosen], column, seed)
            if tested is not None:
                raw.append((name, run, *tested))
    # over all metrics and runs of the page at once
    adjusted = holm([p for *_, p, _ in raw])
    differences = []
    for (name, run, interval, p, test), p_holm in zip(raw, adjusted, strict=True):
        differences.append(Difference(name, run, chosen, interval, p, p_holm, test))
    return Inference(comparison, chosen, means, tuple(differences))
