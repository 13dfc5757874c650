"""Decide whether one run is better than another: intervals, paired differences, adjusted tests.

Runs are compared on the episodes that all of them walked (`navviz.analysis.compare`). Everything
that draws random numbers takes a seed, so that a table comes out the same tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from navviz.analysis.compare import Comparison, compare_scores
from navviz.analysis.family import (
    Difference,
    differences_from,
    family_sentence,
    interval_of,
    mcnemar,
)
from navviz.errors import InputError
from navviz.metrics.intervals import Interval, difference_interval, mean_interval
from navviz.metrics.long_horizon import POOLED
from navviz.metrics.score import RunScore

P_AND_INTERVAL = (
    "The first p and its interval say the same: the interval leaves out 0 where p is below 0.05."
    " Only the adjusted p allows for the number of tests:"
)
"""How p, its interval and the adjusted p of one difference go together."""


@dataclass(frozen=True)
class Inference:
    """Means of several runs with intervals, and their differences from a baseline."""

    comparison: Comparison
    baseline: str
    means: Mapping[str, Mapping[str, Interval | None]]
    """By metric, then by run; ``None`` where no episode has a value."""
    differences: tuple[Difference, ...]
    """Of the metrics that are shown, and of those of the head, over which p is adjusted."""

    @property
    def family_note(self) -> str:
        """Over which tests p is adjusted."""
        return family_sentence(self.differences)

    def difference(self, metric: str, run: str) -> Difference | None:
        """Return the difference of a run from the baseline; ``None`` where nothing is known."""
        return next(
            (each for each in self.differences if (each.metric, each.run) == (metric, run)), None
        )


def compare_to_baseline(
    scores: Mapping[str, RunScore],
    baseline: str | None = None,
    metrics: Sequence[str] | None = None,
    *,
    seed: int = 0,
) -> Inference:
    """Compare two or more runs with a baseline, on the episodes that all of them walked.

    Raises `InputError` for fewer than two runs, runs without a common episode, an unknown baseline
    or metric.
    """
    comparison = compare_scores(scores)
    chosen = baseline if baseline is not None else comparison.runs[0]
    if chosen not in scores:
        raise InputError(f"there is no run {chosen}", f"choose one of: {', '.join(scores)}")
    shown = comparison.family if metrics is None else metrics
    unknown = [name for name in shown if name not in comparison.means]
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
    for name in shown:
        means[name] = {}
        for run, column in comparison.columns[name].items():
            means[name][run] = interval_of(name, column, seed)
    differences = differences_from(chosen, comparison.columns, shown, comparison.family, seed)
    return Inference(comparison, chosen, means, differences)


@dataclass(frozen=True, slots=True)
class PairedResult:
    """Success of the same episodes in two runs."""

    before: Interval
    """Success rate of the baseline, 0 to 1."""
    after: Interval
    change: Interval
    """Mean of the paired differences."""
    gained: tuple[str, ...]
    """Ids that fail before and succeed after."""
    lost: tuple[str, ...]
    p: float
    """McNemar's exact test, two-sided."""
    unpaired: tuple[str, ...]
    """Ids that only one of the two has judged: no part of any figure here."""

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.before.episodes


def paired_result(
    before: Mapping[str, float | None], after: Mapping[str, float | None], ids: Iterable[str]
) -> PairedResult | None:
    """Compare success episode by episode; ``None`` where not one has both."""
    pairs: dict[str, tuple[float, float]] = {}
    unpaired = []
    for key in ids:
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            unpaired.append(key)
        else:
            pairs[key] = (old, new)
    if not pairs:
        return None
    old_values = [old for old, _ in pairs.values()]
    new_values = [new for _, new in pairs.values()]
    return PairedResult(
        before=mean_interval(old_values, yes_no=True),
        after=mean_interval(new_values, yes_no=True),
        change=difference_interval(old_values, new_values, yes_no=True),
        gained=tuple(key for key, (old, new) in pairs.items() if new > old),
        lost=tuple(key for key, (old, new) in pairs.items() if new < old),
        p=mcnemar(old_values, new_values),
        unpaired=tuple(unpaired),
    )
