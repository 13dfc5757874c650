"""How human ratings relate to metrics: Pearson and Spearman with p values and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from navviz.metrics.intervals import holm, resampled_counts, statistic_ends

Method = Literal["pearson", "spearman"]
METHODS: tuple[Method, ...] = ("pearson", "spearman")
_RESAMPLES: Final = 2_000
"""A page shows twenty coefficients; the ends of an interval err by a twentieth of a standard error.
"""


@dataclass(frozen=True, slots=True)
class Correlation:
    """One coefficient; what is not defined is ``None``."""

    metric: str
    method: Method
    value: float | None
    p: float | None
    """Two-sided, of the hypothesis that there is no correlation."""
    low: float | None
    """Lower end of the 95 % interval: bootstrap over episodes."""
    high: float | None
    episodes: int
    """Episodes with both a rating and a metric."""
    missing: int
    """Rated episodes that the metric has no finite value for."""
    p_holm: float | None = None
    """Adjusted over all coefficients of the page (Holm 1979); of a single one, `p` itself."""


def correlate(
    ratings: Mapping[str, float | None],
    values: Mapping[str, float | None],
    *,
    metric: str,
    method: Method = "pearson",
) -> Correlation:
    """Correlate ratings with one metric over the episodes that have both.

    Pearson's r (with a yes / no rating it is the point-biserial coefficient) or Spearman's rho,
    each with the p value of SciPy (t distribution), and a bootstrap interval over the episodes
    (`navviz.metrics.intervals`, 2,000 resamples; those in which one side does not vary are left
    out).
    """
    pairs = []
    missing = 0
    for episode, rating in ratings.items():
        if rating is None:
            continue
        value = _finite(values.get(episode))
        if value is None:
            missing += 1
        else:
            pairs.append((float(rating), value))
    # another order of the episodes changes nothing
    data = np.array(sorted(pairs), dtype=float).reshape(-1, 2)
    # any two points lie on a line, so that two episodes say nothing
    if len(data) < 3 or np.ptp(data[:, 0]) == 0 or np.ptp(data[:, 1]) == 0:
        return Correlation(metric, method, None, None, None, None, len(data), missing)
    coefficient, p = _coefficient(data, method)
    low, high = _interval(data, method)
    return Correlation(metric, method, coefficient, p, low, high, len(data), missing, p)


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _coefficient(data: NDArray[np.float64], method: Method) -> tuple[float, float]:
    from scipy import stats

    result = stats.pearsonr(*data.T) if method == "pearson" else stats.spearmanr(*data.T)
    return float(result.statistic), float(result.pvalue)


def _interval(data: NDArray[np.float64], method: Method) -> tuple[float | None, float | None]:
    """Return the ends of a coefficient's interval, by how often resamples have each pair."""
    drawn = []
    for counts in resampled_counts(len(data), _RESAMPLES):
        x, y = (_column(column, counts, method) for column in data.T)
        drawn.append(_weighted(x, y, counts))
    return statistic_ends(np.concatenate(drawn))


def _column(
    values: NDArray[np.float64], counts: NDArray[np.float64], method: Method
) -> NDArray[np.float64]:
    """Return the values of each resample, or their ranks in it; shape ``(resamples, n)``."""
    if method == "pearson":
        # a shift leaves r as it is, and sums of centred squares lose fewer digits
        return np.broadcast_to(values - values.mean(), counts.shape)
    order = np.argsort(values, kind="stable")
    # equal values share the mean of their ranks, as Spearman's rho has it
    _, starts, group = np.unique(values[order], return_index=True, return_inverse=True)
    sizes = np.add.reduceat(counts[:, order], starts, axis=1)
    middle = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    ranks = np.empty_like(counts)
    ranks[:, order] = middle[:, group]
    return ranks - (len(values) + 1) / 2


def _weighted(
    x: NDArray[np.float64], y: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Pearson's r of each resample; no number where one side does not vary."""
    total = counts.shape[1]
    mean_x, mean_y = (counts * x).sum(axis=1) / total, (counts * y).sum(axis=1) / total
    both = (counts * x * y).sum(axis=1) / total - mean_x * mean_y
    own_x = (counts * x * x).sum(axis=1) / total - mean_x**2
    own_y = (counts * y * y).sum(axis=1) / total - mean_y**2
    scale = np.sqrt(np.maximum(own_x, 0.0) * np.maximum(own_y, 0.0))
    # rounding leaves a tiny spread where a side does not vary
    least = 1e-12 * max(float(np.abs(x).max() * np.abs(y).max()), 1e-300)
    r: NDArray[np.float64] = np.divide(
        both, scale, out=np.full(len(counts), np.nan), where=scale > least
    )
    return r.clip(-1.0, 1.0)


def correlation_table(
    ratings: Mapping[str, float | None],
    metrics: Mapping[str, Mapping[str, float | None]],
    methods: Iterable[Method] = METHODS,
) -> list[Correlation]:
    """Every metric (values by episode, by name) by every method, p adjusted over them all."""
    rows = []
    for method in methods:
        for metric, values in metrics.items():
            row = correlate(ratings, values, metric=metric, method=method)
            rows.append(row)
    # what has no p value is no test, so that it must not make the others stricter
    defined = [k for k, row in enumerate(rows) if row.p is not None]
    adjusted = holm([row.p for row in rows if row.p is not None])
    for k, p_holm in zip(defined, adjusted, strict=True):
        rows[k] = replace(rows[k], p_holm=p_holm)
    return rows
