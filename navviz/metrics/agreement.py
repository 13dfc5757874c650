"""Do annotators agree? Kappas, Krippendorff's alpha, and a distance between sets of labels.

Ratings come as one row for each rater and one column for each item; ``None`` is a rating that is
missing. A statistic that is not defined (no two ratings to compare, or no variation at all) is
``None``, never zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import krippendorff
import numpy as np
from numpy.typing import NDArray

from navviz.errors import SettingsError
from navviz.metrics.intervals import (
    StatisticInterval,
    bootstrap_interval,
    holm,
)

Level = Literal["nominal", "ordinal", "interval", "set"]
"""``set`` compares sets of labels by their MASI distance."""

Row = Sequence[Any]

Weights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Cohen's kappa of two raters."""

    first: str
    second: str
    kappa: StatisticInterval
    observed: float | None
    """Share of items on which both gave the same rating."""


def masi_distance(a: AbstractSet[Hashable], b: AbstractSet[Hashable]) -> float:
    """Distance of two sets of labels, 0 (equal) to 1 (nothing in common).

    One minus Jaccard's index times a weight for the kind of overlap: 1 for equal sets, 2/3 where
    one holds the other, 1/3 where they overlap otherwise, 0 where they are disjoint (Passonneau
    2006, LREC, "Measuring Agreement on Set-valued Items (MASI)"). Two empty sets are equal.
    """
    if a == b:
        return 0.0
    shared = len(a & b)
    # of two sets one may be empty: it shares nothing, so that the union below is never empty
    if not shared:
        return 1.0
    weight = 2 / 3 if a <= b or b <= a else 1 / 3
    return 1.0 - weight * shared / len(a | b)


def confusion_matrix(first: Row, second: Row, categories: Sequence[Hashable]) -> NDArray[np.int64]:
    """Return counts ``[i, j]`` of items that both raters put into ``categories``.

    Items that either left out are not counted. Raises `ValueError` for a rating that is not among
    the categories.
    """
    place = {category: i for i, category in enumerate(categories)}
    counts = np.zeros((len(categories), len(categories)), dtype=np.int64)
    for a, b in zip(first, second, strict=True):
        if a is None or b is None:
            continue
        if a not in place or b not in place:
            raise ValueError(f"rating {a if a not in place else b!r} is not among the categories")
        counts[place[a], place[b]] += 1
    return counts


def cohen_kappa(first: Row, second: Row, *, weights: Weights = "none") -> float | None:
    """Cohen's kappa of two raters, from -1 to 1.

    ``1 - sum(w * observed) / sum(w * expected)`` with disagreement weights `w` that are 0 or 1
    (Cohen 1960, doi:10.1177/001316446002000104), or the distance, or squared distance, of the
    ratings as numbers (Cohen 1968, doi:10.1037/h0026256). ``None`` where no item was rated by both,
    or where both gave one and the same rating all the time.
    """
    categories = _values([first, second])
    return _kappa(confusion_matrix(first, second, categories), _weights(categories, weights))


def _weights(categories: Sequence[Any], weights: Weights) -> NDArray[np.float64]:
    if weights == "none":
        return 1.0 - np.eye(len(categories))
    values = np.array([float(value) for value in categories])
    distance: NDArray[np.float64] = np.abs(values[:, None] - values[None, :])
    return distance if weights == "linear" else np.square(distance)


def _kappa(counts: NDArray[np.int64], weights: NDArray[np.float64]) -> float | None:
    n = counts.sum()
    if n == 0:
        return None
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / n
    by_chance = float((weights * expected).sum())
    return None if by_chance == 0 else 1.0 - float((weights * counts).sum()) / by_chance


def _values(rows: Sequence[Row]) -> list[Any]:
    """Distinct ratings: in order where they can be ordered, else by their text."""
    values_used: set[Any] = set()
    for row in rows:
        values_used.update(row)
    values_used.discard(None)
    if any(isinstance(value, frozenset) for value in values_used):  # "<" of sets is no order
        return sorted(values_used, key=lambda labels: sorted(map(str, labels)))
    try:
        return sorted(values_used)
    except TypeError:
        # numbers and words in one column have no common order
        return sorted(values_used, key=repr)


def cohen_kappa_pairs(
    raters: Sequence[str],
    rows: Sequence[Row],
    *,
    weights: Weights = "none",
    resamples: int = 1000,
    seed: int = 0,
) -> list[PairAgreement]:
    """Cohen's kappa of each pair of raters, with bootstrap intervals over items."""
    pairs = combinations(zip(raters, rows, strict=True), 2)
    return [_pair(a, b, weights, resamples, seed) for a, b in pairs]


def _pair(
    a: tuple[str, Row], b: tuple[str, Row], weights: Weights, resamples: int, seed: int
) -> PairAgreement:
    both = [(x, y) for x, y in zip(a[1], b[1], strict=True) if x is not None and y is not None]
    categories = _values(both)
    place = {category: i for i, category in enumerate(categories)}
    # numbers instead of ratings: a resample is then one bincount
    codes = np.array([(place[x], place[y]) for x, y in both], dtype=np.int64).reshape(-1, 2)
    size, weight = len(categories), _weights(categories, weights)

    def kappa(chosen: NDArray[np.int64]) -> float | None:
        flat = codes[chosen, 0] * size + codes[chosen, 1]
        return _kappa(np.bincount(flat, minlength=size * size).reshape(size, size), weight)

    same = sum(x == y for x, y in both) / len(both) if both else None
    interval = bootstrap_interval(kappa, len(both), codes.tolist(), resamples=resamples, seed=seed)
    return PairAgreement(a[0], b[0], interval, same)


def fleiss_kappa(rows: Sequence[Row], *, resamples: int = 0, seed: int = 0) -> StatisticInterval:
    """Fleiss' kappa over the items that every rater rated, from below 0 to 1.

    ``(P - P_e) / (1 - P_e)``: P is the mean share of agreeing pairs of an item, P_e the sum of the
    squared shares of the categories (Fleiss 1971, doi:10.1037/h0031619). It has no room for missing
    ratings: items that a rater left out do not count; Krippendorff's alpha uses them.
    """
    complete = [column for column in zip(*rows, strict=True) if None not in column]
    counts = _counts(list(zip(*complete, strict=True)), _values(complete))

    def kappa(chosen: NDArray[np.int64]) -> float | None:
        return _fleiss(counts[chosen])

    return bootstrap_interval(kappa, len(complete), counts.tolist(), resamples=resamples, seed=seed)


def _fleiss(counts: NDArray[np.int64]) -> float | None:
    if not len(counts):
        return None
    raters = int(counts[0].sum())
    if raters < 2:
        return None
    # ordered pairs of raters; no rater is paired with themselves
    agreeing = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    shares = counts.sum(axis=0) / counts.sum()
    by_chance = float((shares**2).sum())
    return None if by_chance >= 1 else (float(agreeing.mean()) - by_chance) / (1 - by_chance)


def _counts(rows: Sequence[Row], values: Sequence[Hashable]) -> NDArray[np.int64]:
    """How many raters gave each value to each item, shape ``(items, values)``."""
    place = {value: i for i, value in enumerate(values)}
    counts = np.zeros((len(rows[0]) if rows else 0, len(values)), dtype=np.int64)
    for row in rows:
        for item, value in enumerate(row):
            if value is not None:
                counts[item, place[value]] += 1
    return counts


def krippendorff_alpha(
    rows: Sequence[Row], level: Level = "nominal", *, resamples: int = 0, seed: int = 0
) -> StatisticInterval:
    """Krippendorff's alpha, for any number of raters, with missing ratings and an interval.

    One minus observed over expected disagreement; the disagreement of two ratings is by `level`:
    nominal 0 or 1, ordinal by ranks (by the library ``krippendorff``), interval by squared
    difference, set by `masi_distance` of two frozen sets (Krippendorff 2011, "Computing
    Krippendorff's Alpha-Reliability", https://repository.upenn.edu/handle/20.500.14332/2089; sets:
    Passonneau 2006). `rows`: one row for each rater: numbers, text (nominal only), frozen sets
    (set), or ``None``. `resamples`: Bootstrap resamples; 0 gives no interval.
    """
    values = _values(rows)
    counts = _counts(rows, values)
    counts = counts[counts.sum(axis=1) >= 2]  # a single rating cannot agree with another
    if level == "ordinal":
        alpha = _ordinal_alpha(counts, values)
    else:
        alpha = _alpha(counts, _distances(values, level))
    return bootstrap_interval(alpha, len(counts), counts.tolist(), resamples=resamples, seed=seed)


Statistic = Callable[[NDArray[np.int64]], float | None]


def _ordinal_alpha(counts: NDArray[np.int64], values: Sequence[Any]) -> Statistic:
    """Alpha of a choice of items; the distance of two ranks depends on the ratings between them."""
    domain = np.array([float(value) for value in values])

    def alpha(chosen: NDArray[np.int64]) -> float | None:
        some = counts[chosen]
        # the library raises where there is only one value
        if np.count_nonzero(some.sum(axis=0)) < 2:
            return None
        return float(
            krippendorff.alpha(
                value_counts=some, value_domain=domain, level_of_measurement="ordinal"
            )
        )

    return alpha


def _alpha(counts: NDArray[np.int64], distances: NDArray[np.float64]) -> Statistic:
    """Alpha of a choice of items for distances that are fixed."""
    # the library's memory grows with items * values**2, which sets of labels (nearly as many values
    # as items) would exhaust; this one's with values**2. A test holds the two against each other
    # of each item once: a resample only adds up the items that it has
    within = np.array([_disagreement(row, distances) for row in counts])
    ratings = counts.sum(axis=1)

    def alpha(chosen: NDArray[np.int64]) -> float | None:
        total, n = counts[chosen].sum(axis=0), int(ratings[chosen].sum())
        by_chance = float(total @ distances @ total) / (n - 1) if n > 1 else 0.0
        return None if by_chance == 0 else 1.0 - float(within[chosen].sum()) / by_chance

    return alpha


def _disagreement(row: NDArray[np.int64], distances: NDArray[np.float64]) -> float:
    """Sum of distances of all ordered pairs of an item's ratings, over one less than these."""
    # an item has a few of the many sets of labels: their small block is enough
    used = np.flatnonzero(row)
    given = row[used]
    return float(given @ distances[np.ix_(used, used)] @ given) / int(row.sum() - 1)


def _distances(values: Sequence[Any], level: Level) -> NDArray[np.float64]:
    if level == "set":
        distances = np.zeros((len(values), len(values)))
        for i, a in enumerate(values):
            for j, b in enumerate(values):
                distances[i, j] = masi_distance(a, b)
        return distances
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    numbers = np.array([float(value) for value in values])
    apart: NDArray[np.float64] = np.square(numbers[:, None] - numbers[None, :])
    return apart


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
    """Lower end of the 95 % interval, by Fisher's z and the t distribution of `p`."""
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
    each with the p value of SciPy (t distribution), and the interval that belongs to this test:
    Fisher's z with the test's own critical value for its half-width.
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
    from scipy import stats

    result = stats.pearsonr(*data.T) if method == "pearson" else stats.spearmanr(*data.T)
    coefficient, p = float(result.statistic), float(result.pvalue)
    low, high = _ends(coefficient, len(data))
    return Correlation(metric, method, coefficient, p, low, high, len(data), missing, p)


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _ends(coefficient: float, episodes: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval: it holds 0 exactly where the t test gives p > .05."""
    from scipy import stats

    t = float(stats.t.ppf(0.975, episodes - 2))
    least = t / math.sqrt(t * t + episodes - 2)
    if abs(coefficient) >= 1.0:  # its z is infinite
        return coefficient, coefficient
    z, half = math.atanh(coefficient), math.atanh(least)
    return math.tanh(z - half), math.tanh(z + half)


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


Band = Literal["easy", "medium", "hard"]

DEFAULT_CUTS = (0.35, 0.65)
"""Below the first: easy; below the second: medium; else hard (GROKE, Shami et al. 2026)."""


def normalised_means(ratings: Mapping[str, Sequence[float]]) -> dict[str, float | None]:
    """Mean rating of each episode over its axes, min-max-normalised over the episodes to 0 ... 1.

    ``(mean - smallest mean) / (largest mean - smallest mean)``. The means are normalised, not the
    axes: this is the order that gives the numbers of the paper. ``None`` for an episode without
    ratings, and for all where the means do not vary (there is nothing to normalise by). `ratings`:
    all ratings of an episode (every axis, every annotator) by episode id.
    """
    means = {episode: sum(values) / len(values) for episode, values in ratings.items() if values}
    normalised: dict[str, float | None] = dict.fromkeys(ratings)
    low, high = min(means.values(), default=0.0), max(means.values(), default=0.0)
    if low < high:
        for episode, mean in means.items():
            normalised[episode] = (mean - low) / (high - low)
    return normalised


def band(value: float | None, cuts: tuple[float, float] = DEFAULT_CUTS) -> Band | None:
    """Band of one normalised mean; raises `SettingsError` for cut points out of order."""
    if not 0 <= cuts[0] <= cuts[1] <= 1:
        raise SettingsError(
            f"The cut points {cuts[0]:g} and {cuts[1]:g} must be in order and between 0 and 1."
        )
    if value is None:
        return None
    if value < cuts[0]:
        return "easy"
    return "medium" if value < cuts[1] else "hard"


def bands(
    ratings: Mapping[str, Sequence[float]], cuts: tuple[float, float] = DEFAULT_CUTS
) -> dict[str, Band | None]:
    """Band of each episode; see `normalised_means` and `band`."""
    return {episode: band(value, cuts) for episode, value in normalised_means(ratings).items()}
