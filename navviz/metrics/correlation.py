"""How human ratings relate to metrics: Pearson and Spearman with p values and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["METHODS", "Correlation", "Method", "correlate", "correlation_table"]

Method = Literal["pearson", "spearman"]
METHODS: tuple[Method, ...] = ("pearson", "spearman")


@dataclass(frozen=True, slots=True)
class Correlation:
    """One coefficient; what is not defined is ``None``."""

    metric: str
    method: Method
    value: float | None
    p: float | None
    """Two-sided, of the hypothesis that there is no correlation."""
    low: float | None
    """Lower end of the 95 % interval (Fisher's z)."""
    high: float | None
    episodes: int
    """Episodes with both a rating and a metric."""
    missing: int
    """Rated episodes that the metric has no finite value for."""


def correlate(
    ratings: Mapping[str, float | None], values: Mapping[str, float | None], *, metric: str, method: Method = "pearson"
) -> Correlation:
    """Correlate ratings with one metric over the episodes that have both.

    Pearson's r (with a yes / no rating it is the point-biserial coefficient) or Spearman's rho, each with the p value
    of SciPy (t distribution), and an interval by Fisher's z with standard error ``1 / sqrt(n - 3)``, for rho times
    ``sqrt(1 + rho**2 / 2)`` (Bonett and Wright 2000, doi:10.1007/BF02294183).
    """
    rated = {episode: float(rating) for episode, rating in ratings.items() if rating is not None}
    pairs = [
        (rating, value) for episode, rating in rated.items() if (value := _finite(values.get(episode))) is not None
    ]
    missing = len(rated) - len(pairs)
    data = np.array(pairs, dtype=float).reshape(-1, 2)
    if len(data) < 3 or np.ptp(data[:, 0]) == 0 or np.ptp(data[:, 1]) == 0:
        return Correlation(metric, method, None, None, None, None, len(data), missing)
    value, p = _coefficient(data, method)
    low, high = _interval(value, len(data), method)
    return Correlation(metric, method, value, p, low, high, len(data), missing)


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _coefficient(data: NDArray[np.float64], method: Method) -> tuple[float, float]:
    from scipy import stats

    result = stats.pearsonr(*data.T) if method == "pearson" else stats.spearmanr(*data.T)
    return float(result.statistic), float(result.pvalue)


def _interval(value: float, n: int, method: Method) -> tuple[float | None, float | None]:
    from scipy import stats

    if n < 4 or abs(value) >= 1:
        return None, None
    spread = math.sqrt(1 + value**2 / 2) if method == "spearman" else 1.0
    half = float(stats.norm.ppf(0.975)) * spread / math.sqrt(n - 3)
    z = math.atanh(value)
    return math.tanh(z - half), math.tanh(z + half)


def correlation_table(
    ratings: Mapping[str, float | None],
    metrics: Mapping[str, Mapping[str, float | None]],
    methods: Iterable[Method] = METHODS,
) -> list[Correlation]:
    """Every metric by every method; `metrics` maps a metric's name to its values by episode."""
    return [
        correlate(ratings, values, metric=metric, method=method)
        for method in methods
        for metric, values in metrics.items()
    ]
