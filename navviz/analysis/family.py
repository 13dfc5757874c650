"""The tests of a comparison: which belong together, and each figure with its interval and test.

All tests of the head's metrics against one baseline are one family, and p is adjusted over it (Holm
1979), whatever a table shows beside them. So one difference has one p in Python, on the command
line, on pages and in files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from navviz.metrics.intervals import (
    Interval,
    difference_interval,
    flip_test,
    holm,
    mean_interval,
)
from navviz.metrics.registry import all_metrics, shown_in
from navviz.records.base import plural


def mcnemar(before: ArrayLike, after: ArrayLike) -> float:
    """Test exactly whether two runs succeed equally often (McNemar 1947)."""
    from scipy import stats

    a, b = np.asarray(before, float) > 0.5, np.asarray(after, float) > 0.5
    gained, lost = int((~a & b).sum()), int((a & ~b).sum())
    return float(stats.binomtest(gained, gained + lost, 0.5).pvalue) if gained + lost else 1.0


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


def compared_metrics() -> tuple[str, ...]:
    """Return what a comparison shows and tests first."""
    return tuple(metric.name for metric in shown_in("compare"))


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of one run against the baseline, paired by episode."""

    metric: str
    run: str
    baseline: str
    interval: Interval
    """Of the difference, the run's minus the baseline's; it goes with `p`, not with `p_holm`."""
    p: float
    """McNemar's exact test for rates of success, a paired permutation test for all else; two-sided.
    """
    p_holm: float | None
    """Adjusted over the family; ``None`` for metrics outside of it."""
    test: str

    @property
    def significant(self) -> bool:
        """Whether the adjusted p is below 0.05."""
        return self.p_holm is not None and self.p_holm < 0.05


def head_metrics(means: Mapping[str, Mapping[str, float | None]]) -> tuple[str, ...]:
    """Return the metrics of the head that any run has, of means by metric and run."""
    present = []
    for name in (*compared_metrics(), *(metric.name for metric in shown_in("compare free"))):
        if any(mean is not None for mean in means.get(name, {}).values()):
            present.append(name)
    return tuple(present)


def differences_from(
    baseline: str,
    columns: Mapping[str, Mapping[str, Sequence[float | None]]],
    metrics: Iterable[str],
    family: Sequence[str],
    seed: int = 0,
) -> tuple[Difference, ...]:
    """Test the runs against a baseline: the metrics that are shown, and those of the family."""
    tested: dict[tuple[str, str], tuple[Interval, float, str]] = {}
    for name in dict.fromkeys([*family, *metrics]):
        runs = columns.get(name, {})
        for run, values in runs.items():
            if run == baseline or baseline not in runs:
                continue
            result = paired_test(name, runs[baseline], values, seed)
            if result is not None:
                tested[name, run] = result
    members = [key for key in tested if key[0] in family]
    adjusted = dict(zip(members, holm([tested[key][1] for key in members]), strict=True))
    differences = []
    for (name, run), (interval, p, test) in tested.items():
        p_holm = adjusted.get((name, run))
        differences.append(Difference(name, run, baseline, interval, p, p_holm, test))
    return tuple(differences)


def family_sentence(differences: Iterable[Difference]) -> str:
    """Say over which of the tests p is adjusted."""
    members = [one for one in differences if one.p_holm is not None]
    if not members:
        return "no metric of the head can be tested, so no p is adjusted"
    metrics = ", ".join(dict.fromkeys(one.metric for one in members))
    tests = plural(len(members), "test")
    return f"p is adjusted over {tests} of the head's metrics ({metrics}; Holm 1979)"
