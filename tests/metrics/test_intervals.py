"""Intervals: the cases that can be worked out by hand, and that the order of episodes plays no
part.
"""

import math
import random

import numpy as np
import pytest
from scipy import stats

from navviz.errors import InputError
from navviz.metrics.agreement import (
    cohen_kappa_pairs,
    correlate,
    correlation_table,
    krippendorff_alpha,
)
from navviz.metrics.intervals import (
    bootstrap_interval,
    grouped_mean_interval,
    holm,
    mean_interval,
    odds_ratio_ends,
    odds_ratio_p,
    resampled_counts,
    resamples_of,
)


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([1.0], 0.025, 1.0),  # 0.025 ** (1 / 1)
        ([0.0], 0.0, 0.975),
        ([1.0] * 10, 0.025**0.1, 1.0),
        ([0.0] * 10, 0.0, 1 - 0.025**0.1),
        ([1.0] * 100, 0.025**0.01, 1.0),  # above 30 too: resamples of a rate of 1 do not spread
        ([1.0] * 10 + [0.0] * 4, 0.4190, 0.9161),  # Clopper and Pearson 1934
    ],
)
def test_a_rate_of_few_episodes_is_exact(values, low, high):
    span = mean_interval(values, yes_no=True)
    assert (span.low, span.high) == pytest.approx((low, high), abs=5e-5)
    assert (span.mean, span.episodes) == (sum(values) / len(values), len(values))


def test_a_rate_of_thirty_episodes_is_resampled():
    exact = mean_interval([1.0] * 20 + [0.0] * 9, yes_no=True)
    assert (exact.low, exact.high) == pytest.approx(
        stats.binomtest(20, 29).proportion_ci(method="exact")
    )
    span = mean_interval([1.0] * 20 + [0.0] * 10, yes_no=True)
    quantiles = stats.binom(30, 2 / 3).ppf([0.025, 0.975]) / 30  # what the resamples tend to
    assert (span.low, span.high) == pytest.approx(quantiles)


def test_what_is_no_rate_is_never_exact():
    assert mean_interval([0.0, 1.0, 0.5], yes_no=True).low == mean_interval([0.0, 1.0, 0.5]).low
    assert mean_interval([1.0]).low is None, "one episode tells nothing of the spread of a mean"


def test_one_value_has_no_interval():
    span = mean_interval([3.0])
    assert (span.mean, span.low, span.high, span.episodes) == (3.0, None, None, 1)


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.1] * 7, [0.0] * 40])
def test_equal_values_have_an_interval_without_width(values):
    span = mean_interval(values)
    assert (span.mean, span.low, span.high) == pytest.approx((values[0],) * 3)
    assert span.episodes == len(values)


def test_no_value_has_no_mean():
    with pytest.raises(InputError, match="no value"):
        mean_interval([])


def test_two_values_by_hand():
    span = mean_interval([0.0, 8.0])  # a resample is 0, 4 or 8, with chances 1/4, 1/2, 1/4
    assert (span.mean, span.low, span.high) == (4.0, 0.0, 8.0)


def test_values_of_one_episode_are_drawn_together():
    # a resample has the mean 0, (0 + 0 + 0 + 1) / 4 or 1, with chances 1/4, 1/2, 1/4
    span = grouped_mean_interval([[0.0, 0.0, 0.0], [1.0], []])
    assert (span.mean, span.low, span.high, span.episodes) == (0.25, 0.0, 1.0, 2)
    assert grouped_mean_interval([[1.0], [0.0, 0.0, 0.0]]) == span
    alone = grouped_mean_interval([[0.0, 1.0]])
    assert (alone.mean, alone.low, alone.high, alone.episodes) == (0.5, None, None, 1)
    # one value each is the ordinary mean, and its resamples are others of the same spread
    values = np.random.default_rng(1).gamma(2.0, 30.0, 80).tolist()
    plain, grouped = mean_interval(values), grouped_mean_interval([[value] for value in values])
    assert grouped.mean == pytest.approx(plain.mean)
    assert (grouped.low, grouped.high) == pytest.approx((plain.low, plain.high), rel=0.02)
    with pytest.raises(InputError, match="no value"):
        grouped_mean_interval([[]])


def test_another_order_gives_the_same_interval():
    values = list(np.random.default_rng(1).gamma(2.0, 30.0, 80))
    mixed = random.Random(2).sample(values, len(values))
    assert mixed != values
    assert mean_interval(mixed) == mean_interval(values)
    assert mean_interval(values, seed=1) != mean_interval(values)
    pairs = (
        {str(k): float(k % 5) for k in range(60)},
        {str(k): (k * 37) % 11 + k % 5 for k in range(60)},
    )
    turned = tuple(dict(reversed(side.items())) for side in pairs)
    for method in ("pearson", "spearman"):
        assert correlate(*turned, metric="NE", method=method) == correlate(
            *pairs, metric="NE", method=method
        )


def test_another_order_of_items_gives_the_same_agreement():
    rows = [[1, 2, 2, 3, 1, 4, 4, 2], [1, 2, 3, 3, 1, 4, 3, 1]]
    turned = [list(reversed(row)) for row in rows]
    assert krippendorff_alpha(rows, "ordinal", resamples=200) == krippendorff_alpha(
        turned, "ordinal", resamples=200
    )
    assert cohen_kappa_pairs("ab", rows) == cohen_kappa_pairs("ab", turned)


def test_of_many_episodes_fewer_resamples_are_drawn():
    assert [resamples_of(size) for size in (1, 3_000, 30_000, 1_000_000)] == [
        9_999,
        9_999,
        1_000,
        1_000,
    ]
    values = np.random.default_rng(1).normal(0.0, 1.0, 40_000)
    span = mean_interval(values)
    assert span.low is not None
    assert span.high is not None
    assert span.high - span.low == pytest.approx(2 * 1.96 / 200, rel=0.1)


def test_resamples_count_every_item_as_often_as_it_is_drawn():
    counts = np.concatenate(list(resampled_counts(7, 3_000)))
    assert counts.shape == (3_000, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(7), abs=0.08)


def test_a_statistic_of_one_item_or_none_has_no_interval():
    span = bootstrap_interval(lambda _: 1.0, 9, resamples=50)
    assert (span.value, span.low, span.high, span.items) == (1.0, 1.0, 1.0, 9)
    assert bootstrap_interval(lambda _: 1.0, 1).low is None
    assert bootstrap_interval(lambda _: 1.0, 0).value is None


def test_interval_and_test_of_an_odds_ratio_agree():
    rng = np.random.default_rng(7)
    tables = [(0, 5, 5, 5), (5, 0, 0, 5), (0, 9, 0, 9), (8, 2, 5, 15), (1, 5, 4, 0)]
    tables += [tuple(map(int, rng.integers(0, 30, 4))) for _ in range(100)]
    refused = 0
    for cells in tables:
        low, high = odds_ratio_ends(cells)
        is_refused = odds_ratio_p(cells) < 0.05
        refused += is_refused
        assert is_refused == (not low <= 1.0 <= high), cells
    assert 20 < refused < 80


def test_p_of_an_odds_ratio_by_hand():
    # of 30, 10 have the feature and 13 fail: twice the chance of 8 or more among the 10
    tail = sum(math.comb(10, k) * math.comb(20, 13 - k) for k in (8, 9, 10)) / math.comb(30, 13)
    assert odds_ratio_p((8, 2, 5, 15)) == pytest.approx(2 * tail)
    assert odds_ratio_p((5, 5, 5, 5)) == 1.0


def test_the_interval_of_an_odds_ratio_is_near_woolfs():
    cells = (40, 60, 20, 80)
    low, high = odds_ratio_ends(cells)
    a, b, c, d = (count + 0.5 for count in cells)
    ratio, spread = a * d / (b * c), 1.96 * math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    assert low < ratio < high
    assert (math.log(low), math.log(high)) == pytest.approx(
        (math.log(ratio) - spread, math.log(ratio) + spread), abs=0.08
    )


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_the_interval_of_a_correlation_is_that_of_scipy(method):
    rng = np.random.default_rng(3)
    x = rng.integers(1, 6, 120).astype(float)
    y = x + rng.normal(0.0, 2.0, 120)
    ours = correlate(dict(enumerate(x)), dict(enumerate(y)), metric="m", method=method)
    of = stats.pearsonr if method == "pearson" else stats.spearmanr
    theirs = stats.bootstrap(
        (x, y), lambda a, b: of(a, b).statistic, paired=True, vectorized=False, n_resamples=1_500, method="percentile",
        rng=np.random.default_rng(5),
    ).confidence_interval  # fmt: skip
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.025)


def test_p_is_adjusted_over_all_coefficients_of_a_table():
    ratings = {str(k): float(k) for k in range(12)}
    values = {
        "A": {str(k): float(k) + (k % 3) for k in range(12)},
        "B": {str(k): float((k * 5) % 12) for k in range(12)},
        "C": dict.fromkeys(ratings, 1.0),
    }
    table = correlation_table(ratings, values)
    known = [row for row in table if row.p is not None]
    assert [row.p_holm for row in known] == holm([row.p for row in known])
    assert [row.p_holm for row in table if row.metric == "C"] == [None, None]
    assert [row.episodes for row in table] == [12] * 6
    assert min(row.p_holm for row in known) == pytest.approx(4 * min(row.p for row in known))
