"""The figures that stand above a run: means with n and a 95 % interval, in the order of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.metrics.intervals import Interval, mean_interval
from navviz.metrics.long_horizon import POOLED
from navviz.metrics.registry import Metric, all_metrics, format_value
from navviz.metrics.score import RunScore

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Headline:
    """One metric of a run."""

    metric: Metric
    interval: Interval
    near: bool = False
    """Whether centimetres may decide, so that lengths are shown with them."""

    @property
    def text(self) -> str:
        """The mean as people read it."""
        return self._shown(self.interval.mean)

    @property
    def span(self) -> str:
        """The interval as people read it; empty where there is none."""
        low, high = self.interval.low, self.interval.high
        if low is None or high is None:
            return ""
        return f"{self._shown(low)} to {self._shown(high)}"

    def _shown(self, value: float) -> str:
        return format_value(self.metric.name, value, near=self.near)


def headlines(
    score: RunScore, metrics: Sequence[str] | None = None, *, near: bool = False
) -> list[Headline]:
    """Return the means of a run with their intervals, of those metrics that have a value.

    Parameters
    ----------
    score
        Of the run; episodes that a technical error ended are part of no mean.
    metrics
        Names as in the registry; all, where not given.
    near
        See `navviz.metrics.registry.is_near_radius`.
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
        # LH-VLN's code counts some tasks in its means that have no value of their own
        is_mean = abs(mean - sum(values) / len(values)) <= _SAME * max(1.0, abs(mean))
        # counted over sub-tasks: an interval over episodes would be another figure's
        if metric.name in POOLED or not is_mean:
            means.append(Headline(metric, Interval(mean, None, None, len(values)), near))
        else:
            means.append(Headline(metric, mean_interval(values, yes_no=metric.yes_no), near))
    return means
