"""The figures that stand above a run: means with n and a 95 % interval, in the order of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.metrics.intervals import Interval, mean_interval
from navviz.metrics.registry import Metric, all_metrics, format_value
from navviz.metrics.score import RunScore

_POOLED = ("ISR", "TAR")
"""Counted over sub-tasks, not over episodes: an interval over episodes would be another thing's."""


@dataclass(frozen=True, slots=True)
class Headline:
    """One metric of a run."""

    metric: Metric
    interval: Interval

    @property
    def text(self) -> str:
        """The mean as people read it."""
        return format_value(self.metric.name, self.interval.mean)

    @property
    def span(self) -> str:
        """The interval as people read it; empty where there is none."""
        low, high = self.interval.low, self.interval.high
        if low is None or high is None:
            return ""
        name = self.metric.name
        return f"{format_value(name, low)} to {format_value(name, high)}"


def headlines(score: RunScore, metrics: Sequence[str] | None = None) -> list[Headline]:
    """Return the means of a run with their intervals, of those metrics that have a value.

    Parameters
    ----------
    score
        Of the run; episodes that a technical error ended are part of no mean.
    metrics
        Names as in the registry; all, where not given.
    """
    left_out = frozenset(score.errors)
    rows = [row for key, row in score.rows.items() if key not in left_out]
    means = []
    for metric in all_metrics():
        if metrics is not None and metric.name not in metrics:
            continue
        column = [row.get(metric.name) for row in rows]
        values = [value for value in column if value is not None]
        mean = score.means.get(metric.name)
        if mean is None or not values:
            continue
        if metric.name in _POOLED:
            means.append(Headline(metric, Interval(mean, None, None, len(values))))
        else:
            means.append(Headline(metric, mean_interval(values, yes_no=metric.yes_no)))
    return means
