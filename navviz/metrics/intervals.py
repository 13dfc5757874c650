"""The one way in which NavViz computes an interval.

- A mean, a correlation, an agreement: the percentile bootstrap over episodes (Efron
  1979, doi:10.1214/aos/1176344552; Efron and Tibshirani 1993, chapter 13).
- A rate of fewer than 30 episodes, and one of 0 or 1: exact (Clopper and Pearson 1934,
  doi:10.1093/biomet/26.4.404), since resamples of few episodes spread too little, and those of a
  rate of 0 or 1 not at all.
- An odds ratio: exact, given the sums of its table; it inverts the Fisher test that is printed.
- A difference of two runs holds what its printed test does not refuse, so that test and interval
  never contradict each other: of rates `paired_rate_ends`, which goes with McNemar's exact test, of
  all else `flip_test`, which goes with the paired permutation test.

One episode says nothing of the spread, so it has no interval, except of a rate. Equal values have
an interval without width: the episodes are alike, which does not make the figure certain. Equal
differences of other figures have none: two runs that end alike on three episodes may part on the
fourth.
Episodes are sorted by their values before they are drawn, so that the same data in another order
give the same interval. The seed is 0 unless another one is named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from navviz.errors import InputError

RESAMPLES: Final = 9_999
"""SciPy's default."""
EXACT_BELOW: Final = 30
"""A rate of fewer episodes has an exact interval."""
_ANGLES: Final = 721
"""Directions in which an interval of a paired rate is searched, an eighth of a degree apart."""
_BLOCK: Final = 4_000_000
"""Numbers drawn at once, so that 50,000 episodes need no gigabytes."""
_DRAWN: Final = 30_000_000
"""Numbers drawn for one figure, in half a second.

All 9,999 resamples of up to 3,000 episodes, 1,000 of 30,000 and more: an end of the interval then
errs by a twelfth of a standard error, which is small itself.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its interval."""

    mean: float
    low: float | None
    """``None`` for one episode, which says nothing of the spread."""
    high: float | None
    episodes: int


@dataclass(frozen=True, slots=True)
class StatisticInterval:
    """A statistic of items with its bootstrap interval."""

    value: float | None
    low: float | None
    high: float | None
    items: int
    """Items with at least two ratings (Cohen's kappa: rated by both; Fleiss' kappa: rated by all).
    """
    undefined: int = 0
    """Resamples on which the statistic is not defined; they are left out of the interval."""


def interval_columns(name: str) -> tuple[str, str, str, str]:
    """Return the names of the numbers that a figure is: its value, both ends and its n."""
    return (name, f"{name}_low", f"{name}_high", f"{name}_n")


def interval_record(name: str, of: Interval | StatisticInterval | None) -> dict[str, float | None]:
    """Return a figure as numbers by `interval_columns`; all are missing where there is none."""
    numbers: tuple[float | None, ...] = (None, None, None, None)
    if isinstance(of, Interval):
        numbers = (of.mean, of.low, of.high, of.episodes)
    elif of is not None:
        numbers = (of.value, of.low, of.high, of.items)
    return dict(zip(interval_columns(name), numbers, strict=True))


def mean_interval(
    values: ArrayLike,
    *,
    yes_no: bool = False,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Estimate the mean of a figure over episodes.

    `values`: one number an episode, shape ``(n,)``, n at least 1; the differences of two runs for a
    paired difference. `yes_no`: whether it is a rate; it is one only where all values are 0 or 1.
    `resamples`: how often to draw; fewer above 3,000 episodes (`resamples_of`). Raises `InputError`
    without a value.
    """
    numbers = np.sort(np.asarray(values, float))
    if not numbers.size:
        raise InputError(
            "there is no value to take a mean of", "choose episodes that have this metric"
        )
    count, mean = len(numbers), fmean(numbers.tolist())
    if yes_no and bool(np.isin(numbers, (0.0, 1.0)).all()):
        ends = _rate_ends(int(numbers.sum()), count, level, resamples, seed)
        return Interval(mean, *ends, count)
    rng = np.random.default_rng(seed)
    drawn = []
    for block in blocks_of(resamples, count):
        chosen = rng.integers(0, count, (block, count))
        drawn.append(numbers[chosen].mean(axis=1))
    ends = (None, None) if count == 1 else _ends(np.concatenate(drawn), level)
    return Interval(mean, *ends, count)


def grouped_mean_interval(
    groups: Sequence[Sequence[float]], *, level: float = 0.95, seed: int = 0
) -> Interval:
    """Estimate the mean of values that come several an episode, drawn by whole episodes.

    The values of one episode are alike, so that drawing them one by one would give a narrower
    interval than the episodes allow. Equal values have no interval: an exact one would count them
    as if each were an episode. `groups`: the values of each episode; one without values plays no
    part. `level` and `seed`: as of `mean_interval`. Raises `InputError` without a value.
    """
    # sorted, so that episodes in another order give the same interval
    filled = sorted(sorted(group) for group in groups if group)
    if not filled:
        raise InputError(
            "there is no value to take a mean of", "choose episodes that have this metric"
        )
    sums = np.array([sum(group) for group in filled], float)
    sizes = np.array([len(group) for group in filled], float)
    mean, count = float(sums.sum() / sizes.sum()), len(filled)
    if len(set(chain.from_iterable(filled))) == 1 or count == 1:
        return Interval(mean, None, None, count)
    drawn = []
    for counts in resampled_counts(count, RESAMPLES, seed):
        drawn.append((counts @ sums) / (counts @ sizes))
    return Interval(mean, *_ends(np.concatenate(drawn), level), count)


def _rate_ends(
    successes: int, episodes: int, level: float, resamples: int, seed: int
) -> tuple[float | None, float | None]:
    from scipy import stats

    if episodes < EXACT_BELOW or successes in {0, episodes}:
        exact = stats.binomtest(successes, episodes).proportion_ci(level, method="exact")
        return float(exact.low), float(exact.high)
    # the number of successes in a resample of n episodes is binomial: no episode needs to be drawn
    rng = np.random.default_rng(seed)
    drawn = rng.binomial(episodes, successes / episodes, resamples) / episodes
    return _ends(drawn, level)


def difference_interval(
    before: ArrayLike,
    after: ArrayLike,
    *,
    yes_no: bool = False,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Estimate the mean difference of a figure in two runs, paired by episode.

    The interval leaves out 0 exactly where the test of `navviz.analysis.family` has a p below ``1 -
    level``. With the two runs in the other order it is mirrored. `before` and `after`: one number
    an episode each, the same episodes in the same order, at least one. `yes_no`: whether the figure
    is a rate; it is one only where all values are 0 or 1. `level` and `seed`: as of
    `mean_interval`.
    """
    old, new = np.asarray(before, float), np.asarray(after, float)
    steps = new - old
    count, mean = len(steps), float(steps.mean())
    if count > 1 and yes_no and bool(np.isin((old, new), (0.0, 1.0)).all()):
        gained, lost = int((steps > 0).sum()), int((steps < 0).sum())
        return Interval(mean, *paired_rate_ends(gained, lost, count, level), count)
    flipped = flip_test(steps, level=level, seed=seed)
    return Interval(mean, flipped.low, flipped.high, count)


def paired_rate_ends(
    gained: int, lost: int, count: int, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of a paired difference of rates that goes with McNemar's exact test.

    Of `count` episodes m = `gained` + `lost` are solved by one run alone, which happens with chance
    r; the second run is the one that solves such an episode with chance q. The difference of the
    two rates is r (2q - 1). Given m, `gained` is binomial (m, q), and McNemar's test asks whether
    q = 1/2; m is binomial (count, r). A pair (q, r) stays where z_q^2 + z_r^2 <= z^2: z_q and z_r
    are the normal scores of the exact one-sided p of each (Clopper and Pearson 1934,
    doi:10.1093/biomet/26.4.404), z that of `level`. The ends are the least and the largest
    difference of the pairs that stay, a profile as of the signed roots of a likelihood
    (Barndorff-Nielsen and Cox 1994, section 3.4). At q = 1/2 the term of r can be 0, so that 0 lies
    within the ends exactly where McNemar's two-sided p is at least ``1 - level``.

    For 3 to 50 episodes and all q and r it covers the difference in 95.4 % of cases or more, by
    enumeration.
    """
    # the second run mirrors the first
    return _paired_low(gained, lost, count, level), -_paired_low(lost, gained, count, level)


def _paired_low(gained: int, lost: int, count: int, level: float) -> float:
    from scipy import special

    angle = np.linspace(0.0, np.pi / 2, _ANGLES)
    z = float(special.ndtri((1 + level) / 2))
    tail_q, tail_r = special.ndtr(-z * np.sin(angle)), special.ndtr(-z * np.cos(angle))
    one_sided = gained + lost
    lowest_q = special.betaincinv(gained, lost + 1, tail_q) if gained else np.zeros(_ANGLES)
    least_r, most_r = np.zeros(_ANGLES), np.ones(_ANGLES)
    if one_sided:
        least_r = special.betaincinv(one_sided, count - one_sided + 1, tail_r)
    if one_sided < count:
        most_r = 1 - special.betaincinv(count - one_sided, one_sided + 1, tail_r)
    advantage = 2 * lowest_q - 1
    # a disadvantage counts most where many episodes are solved by one run alone
    return float((advantage * np.where(advantage < 0, most_r, least_r)).min())


@dataclass(frozen=True, slots=True)
class FlipTest:
    """A paired mean difference, tested by flipping signs."""

    p: float
    """Two-sided, of no difference."""
    low: float | None
    """``None`` of equal differences, and where no difference would be refused: below six episodes,
    at 95 %.
    """
    high: float | None


def flip_test(
    steps: ArrayLike, *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> FlipTest:
    """Test whether a paired mean difference is zero by flipping signs, and invert the test.

    All patterns of signs up to 13 episodes; above, patterns drawn at random, one of which is the
    observed one (Fisher 1935; Good 2005, section 3.2). A difference d below the mean is as extreme
    under a pattern as it was observed where the mean of the flipped steps, or that of the others,
    is at most d. So the ends are order statistics of the means of subsets (Hartigan 1969,
    doi:10.1080/01621459.1969.10501057), and 0 lies outside of them exactly where p is below ``1 -
    level``. `level` and `seed`: as of `mean_interval`. `resamples`: how many patterns are drawn;
    fewer above 3,000 episodes (`resamples_of`).
    """
    numbers = np.sort(np.asarray(steps, float))
    mirrored = np.sort(-numbers)
    # one orientation for both orders of two runs, so that they get the same patterns
    if numbers.tolist() < mirrored.tolist():
        turned = flip_test(mirrored, level=level, resamples=resamples, seed=seed)
        high = None if turned.low is None else -turned.low
        return FlipTest(turned.p, None if turned.high is None else -turned.high, high)
    count, mean = len(numbers), float(numbers.mean())
    if not numbers.any():
        return FlipTest(1.0, None, None)
    exact = 2**count <= resamples
    means = _subset_means(numbers, None if exact else resamples, seed)
    patterns = len(means) // 2 + (0 if exact else 1)
    lower = np.sort(np.nan_to_num(means, nan=-np.inf))
    upper = np.sort(np.nan_to_num(means, nan=np.inf))
    beyond = int((lower <= 0).sum()) if mean > 0 else int((upper >= 0).sum())
    p = min(1.0, (beyond + (0 if exact else 1)) / patterns)
    # the last of the values that refuse a difference
    place = math.ceil((1 - level) * patterns - 1e-9) - (1 if exact else 2)
    low, high = float(lower[place]), float(upper[-1 - place])
    are_alike = bool(numbers[0] == numbers[-1])
    if are_alike or place < 0 or math.isinf(low) or math.isinf(high):
        return FlipTest(p, None, None)
    # the patterns of differences that mirror themselves are drawn, so their ends are only about so
    if numbers.tolist() == mirrored.tolist():
        low, high = (low - high) / 2, (high - low) / 2
    return FlipTest(p, low, high)


def _subset_means(
    numbers: NDArray[np.float64], resamples: int | None, seed: int
) -> NDArray[np.float64]:
    """Return the mean of each subset and of what it leaves; NaN of none."""
    # all subsets without `resamples`
    count, total = len(numbers), float(numbers.sum())
    slack = 1e-9 * float(np.abs(numbers).sum())  # sums in another order differ in their last digits
    rng = np.random.default_rng(seed)
    means = []
    for block in [2**count] if resamples is None else blocks_of(resamples, count):
        if resamples is None:
            chosen = (np.arange(block)[:, None] >> np.arange(count) & 1).astype(np.int8)
        else:
            # one byte a sign: this is the largest array of the test
            chosen = rng.integers(0, 2, (block, count), dtype=np.int8)
        sums, sizes = chosen @ numbers, chosen.sum(axis=1, dtype=np.int64)
        for part, size in ((sums, sizes), (total - sums, count - sizes)):
            part[np.abs(part) <= slack] = 0.0
            means.append(np.divide(part, size, out=np.full(block, np.nan), where=size > 0))
    return np.concatenate(means)


def _ends(drawn: NDArray[np.float64], level: float) -> tuple[float | None, float | None]:
    # the statistic may be undefined on every resample
    if not drawn.size:
        return None, None
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bootstrap_interval(
    statistic: Callable[[NDArray[np.int64]], float | None],
    items: int,
    keys: Sequence[Any] | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> StatisticInterval:
    """Return any statistic of items with its percentile bootstrap interval.

    `statistic`: takes item numbers (repeats allowed) and gives the statistic on them, or ``None``
    where it is not defined. `items`: how many items there are; whole items are drawn, so that
    ratings of one item stay together. `keys`: what each item is made of, to be sorted by: items in
    another order then give the same interval. `resamples`: how often to draw; 0 gives no interval.
    `confidence`: share of the resamples that lies inside the interval.
    """
    value = statistic(np.arange(items)) if items else None
    if value is None or not resamples or items == 1:
        return StatisticInterval(value, None, None, items)
    order = np.arange(items)
    if keys is not None:
        order = np.array(sorted(range(items), key=keys.__getitem__))
    random = np.random.default_rng(seed)
    drawn = [statistic(order[random.integers(0, items, items)]) for _ in range(resamples)]
    defined = np.array([x for x in drawn if x is not None])
    return StatisticInterval(value, *_ends(defined, confidence), items, len(drawn) - len(defined))


def resampled_counts(items: int, resamples: int, seed: int = 0) -> Iterator[NDArray[np.float64]]:
    """Draw how often resamples have each item, in blocks ``(resamples, items)``."""
    rng = np.random.default_rng(seed)
    for block in blocks_of(resamples, items):
        # each resample counts in a range of its own, so that one bincount serves the whole block
        drawn = rng.integers(0, items, (block, items)) + items * np.arange(block)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=block * items)
        yield counts.reshape(block, items).astype(float)


def odds_ratio_p(cells: tuple[int, int, int, int]) -> float:
    """Return the p of Fisher's exact test: twice the smaller tail (Fay 2010,
    doi:10.1093/biostatistics/kxp050), so that `odds_ratio_ends` holds 1 exactly where p is 0.05 or
    more. The rule that adds up all rarer tables has no interval that always does.

    `cells`: numbers of episodes ``(a, b, c, d)``: a and b with the feature, a and c failed.
    """
    from scipy import stats

    a, b, c, d = cells
    given = stats.hypergeom(a + b + c + d, a + c, a + b)
    return float(min(1.0, 2 * min(given.cdf(a), given.sf(a - 1))))


def odds_ratio_ends(
    cells: tuple[int, int, int, int], *, level: float = 0.95
) -> tuple[float, float]:
    """Return the ends of an odds ratio's exact conditional interval (Cornfield 1956), which holds
    what `odds_ratio_p` does not refuse; the upper one is infinite where a cell is empty.
    """
    from scipy.stats.contingency import odds_ratio

    a, b, c, d = cells
    ends = odds_ratio(np.array([[a, b], [c, d]])).confidence_interval(level)
    return float(ends.low), float(ends.high)


def resamples_of(size: int, resamples: int = RESAMPLES) -> int:
    """Return how many resamples are drawn: fewer above 3,000 episodes, at least 1,000."""
    return min(resamples, max(1_000, _DRAWN // max(1, size)))


def blocks_of(resamples: int, size: int) -> list[int]:
    """Sizes of the blocks in which resamples are drawn; many episodes get fewer resamples."""
    block = max(1, _BLOCK // max(1, size))
    whole, rest = divmod(resamples_of(size, resamples), block)
    return [block] * whole + ([rest] if rest else [])


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for the chance of any false alarm among them (Holm 1979)."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    # a larger p-value must not end below a smaller one
    scaled = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(scaled, 1.0)
    return [float(value) for value in adjusted]
