"""Intervals and tests: against scipy, by hand, and how often they cry wolf."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from navviz.analysis.compare import compare_scores
from navviz.analysis.family import mcnemar, paired_test
from navviz.analysis.significance import compare_to_baseline
from navviz.analysis.tables import inference_note, outcome_matrix
from navviz.errors import InputError
from navviz.metrics.intervals import (
    difference_interval,
    flip_test,
    holm,
    mean_interval,
    paired_rate_ends,
)
from navviz.metrics.registry import all_metrics
from navviz.metrics.score import RunScore


def test_the_bootstrap_interval_is_that_of_scipy():
    values = np.random.default_rng(3).exponential(40.0, 120)
    ours = mean_interval(values, seed=1)
    theirs = stats.bootstrap(
        (values,), np.mean, method="percentile", rng=np.random.default_rng(5)
    ).confidence_interval
    assert ours.mean == pytest.approx(values.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=0.03)
    assert mean_interval(values, seed=1) == ours
    assert ours.episodes == 120


def test_the_interval_covers_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(7)
    hits = sum(
        one.low <= 0.6 <= one.high
        for one in (mean_interval(rng.random(150) < 0.6, resamples=600, seed=k) for k in range(300))
    )
    assert 0.91 <= hits / 300 <= 0.98


def test_mcnemar_by_hand():
    before, after = [1] * 5 + [0] * 10, [1] * 4 + [0] + [1] * 6 + [0] * 4
    # gained 6, lost 1: 2 * (C(7, 0) + C(7, 1)) / 2**7
    assert mcnemar(before, after) == pytest.approx(2 * 8 / 128)
    assert mcnemar([1, 0], [1, 0]) == 1.0


def test_the_permutation_test_of_few_episodes_is_exact():
    steps = np.array([1.0, 2.0, 3.0, 4.0])
    # of 16 sign patterns two are as extreme as all plus
    assert flip_test(steps).p == flip_test(-steps).p == 2 / 16
    assert flip_test(np.zeros(4)).p == 1.0


@pytest.mark.parametrize("metric", ["NE", "SR"])
def test_two_runs_in_the_other_order_differ_by_as_much_and_as_surely(metric):
    rng = np.random.default_rng(11)
    before = rng.integers(0, 2, 60).astype(float)
    after = rng.integers(0, 2, 60).astype(float)
    if metric == "NE":
        before, after = before * rng.exponential(40, 60), after * rng.exponential(30, 60)
    there, p_there, _ = paired_test(metric, list(before), list(after))
    back, p_back, _ = paired_test(metric, list(after), list(before))
    assert p_there == p_back
    assert (back.mean, back.low, back.high) == (-there.mean, -there.high, -there.low)
    assert there.low < there.mean < there.high


def _paired_low(gained, lost, n):
    """The definition, by search: the least r (2q - 1) of the pairs with z_q^2 + z_r^2 <= 1.96^2."""
    m, least = gained + lost, 1.0
    for share in np.linspace(0.0, 1.0, 2_001):
        squared = stats.norm.isf(0.025) ** 2
        tail_q = stats.norm.sf(np.sqrt(squared * share))
        tail_r = stats.norm.sf(np.sqrt(squared * (1 - share)))
        q = stats.beta.ppf(tail_q, gained, lost + 1) if gained else 0.0
        fewest = stats.beta.ppf(tail_r, m, n - m + 1) if m else 0.0
        most = stats.beta.isf(tail_r, m + 1, n - m) if m < n else 1.0
        least = min(least, (2 * q - 1) * (most if q < 0.5 else fewest))
    return least


@pytest.mark.parametrize(
    ("gained", "lost", "n"), [(4, 0, 10), (0, 0, 3), (6, 1, 15), (40, 0, 40), (30, 10, 100)]
)
def test_the_interval_of_paired_rates_is_that_of_its_definition(gained, lost, n):
    low, high = paired_rate_ends(gained, lost, n)
    assert low == pytest.approx(_paired_low(gained, lost, n), abs=1e-4)
    assert high == pytest.approx(-_paired_low(lost, gained, n), abs=1e-4)


@pytest.mark.parametrize("n", [2, 7, 12, 31])
def test_interval_and_mcnemars_p_never_contradict_each_other(n):
    for gained in range(n + 1):
        for lost in range(n + 1 - gained):
            both = gained + lost
            p = stats.binomtest(gained, both).pvalue if both else 1.0
            low, high = paired_rate_ends(gained, lost, n)
            assert (low <= 0.0 <= high) == (p >= 0.05), (gained, lost)
            assert low <= (gained - lost) / n <= high


@pytest.mark.parametrize("n", [3, 10, 24])
def test_the_interval_of_paired_rates_covers_the_difference_as_often_as_it_says(n):
    counts = [(k, j) for k in range(n + 1) for j in range(n + 1 - k)]
    ends = np.array([paired_rate_ends(*each, n) for each in counts])
    table = np.array([(k, j, n - k - j) for k, j in counts])
    for alone, share in product(np.linspace(0.05, 1.0, 8), np.linspace(0.5, 1.0, 6)):
        chances = [alone * share, alone * (1 - share), 1 - alone]
        weights = stats.multinomial.pmf(table, n, chances)
        difference = alone * (2 * share - 1)
        inside = (ends[:, 0] <= difference + 1e-9) & (difference - 1e-9 <= ends[:, 1])
        assert weights[inside].sum() >= 0.95, (alone, share)


def test_four_won_and_none_lost_of_ten_prove_nothing():
    interval, p, test = paired_test("SR", [0.0] * 10, [1.0] * 4 + [0.0] * 6)
    assert (p, test) == (0.125, "McNemar, exact")
    assert (interval.mean, interval.episodes) == (0.4, 10)
    assert (interval.low, interval.high) == pytest.approx((-0.0967, 0.7376), abs=1e-4)


@pytest.mark.parametrize("n", [6, 9, 12])
def test_the_interval_of_means_holds_what_the_permutation_test_does_not_refuse(n):
    steps = np.random.default_rng(n).exponential(9.0, n) - 4.0
    interval, p, _ = paired_test("NE", [0.0] * n, steps.tolist())

    def scipys(difference):
        given = (steps - difference,)
        return stats.permutation_test(
            given, np.mean, permutation_type="samples", n_resamples=np.inf
        ).pvalue

    assert p == pytest.approx(scipys(0.0))
    for end, inwards in ((interval.low, 1e-6), (interval.high, -1e-6)):
        assert scipys(end + inwards) >= 0.05 > scipys(end - inwards)


def test_interval_and_p_of_means_never_contradict_each_other():
    rng = np.random.default_rng(0)
    decided = []
    for seed in range(150):
        n = int(rng.integers(2, 30))
        steps = np.round(rng.normal(rng.random() * 1.5, 2.0, n), int(seed % 2))
        result = flip_test(steps, resamples=999, seed=seed)
        leaves_out = result.low is not None and not result.low <= 0.0 <= result.high
        assert leaves_out == (result.p < 0.05) or len(set(steps)) == 1
        decided.append(leaves_out)
    assert 20 < sum(decided) < 130, "both cases are tried"


def test_five_episodes_can_prove_no_difference_of_means():
    interval, p, _ = paired_test("NE", [0.0] * 5, [1.0, 2.0, 3.0, 4.0, 5.0])
    assert (interval.mean, interval.low, interval.high, p) == (3.0, None, None, 2 / 32)


def test_two_runs_that_end_alike_on_three_episodes_may_still_differ():
    alike = difference_interval([1.0, 0.0, 1.0], [1.0, 0.0, 1.0], yes_no=True)
    end = 1 - 0.025 ** (1 / 3)  # of the share that one run alone solves
    assert (alike.mean, alike.low, alike.high) == (0.0, pytest.approx(-end), pytest.approx(end))
    turned = difference_interval([0.0] * 40, [1.0] * 40, yes_no=True)
    assert (turned.mean, turned.high) == (1.0, 1.0)
    assert 0.7 < turned.low < 0.9
    # metres have no such model: none can be given
    same = difference_interval([3.0, 8.0], [3.0, 8.0])
    assert (same.mean, same.low, same.high, same.episodes) == (0.0, None, None, 2)


@pytest.mark.parametrize(("gain", "loss"), [(0.1, 0.1), (0.3, 0.05), (0.02, 0.0)])
def test_the_interval_of_few_pairs_covers_the_difference_as_often_as_it_says(gain, loss):
    rng, hits = np.random.default_rng(5), 0
    for _ in range(400):
        fate = rng.random(12)
        before = np.where(fate < gain, 0.0, np.where(fate < gain + loss, 1.0, fate > 0.6))
        after = np.where(fate < gain, 1.0, np.where(fate < gain + loss, 0.0, fate > 0.6))
        one = difference_interval(before, after, yes_no=True)
        hits += one.low <= gain - loss <= one.high
    assert hits / 400 > 0.92


def test_what_describes_the_episode_is_not_tested():
    assert paired_test("RL", [1.0, 2.0], [1.0, 2.0]) is None
    assert paired_test("TL", [1.0, 2.0], [1.0, 2.0]) is not None


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def _score(name, **columns):
    rows = {
        str(k): dict(zip(columns, row, strict=True))
        for k, row in enumerate(zip(*columns.values(), strict=True))
    }
    return RunScore(name, rows, dict.fromkeys(columns, 0.0), dict.fromkeys(columns, 0))


def test_a_run_against_a_baseline():
    rng = np.random.default_rng(1)
    far = rng.exponential(60, 80)
    comparison = compare_to_baseline(
        {
            "a": _score("a", SR=(far < 25).astype(float).tolist(), NE=far.tolist()),
            "b": _score("b", SR=(far < 80).astype(float).tolist(), NE=(far - 20).tolist()),
            "c": _score("c", SR=(far < 25).astype(float).tolist(), NE=far.tolist()),
        },
        metrics=("SR", "NE"),
    )
    nearer = comparison.difference("NE", "b")
    assert (nearer.interval.mean, nearer.baseline, nearer.test) == (
        pytest.approx(-20.0),
        "a",
        "paired permutation",
    )
    assert nearer.significant
    assert comparison.difference("SR", "b").test == "McNemar, exact"
    assert (comparison.difference("NE", "c").p, comparison.difference("NE", "c").p_holm) == (
        1.0,
        1.0,
    )
    assert comparison.difference("NE", "a") is None
    assert all(one.p_holm >= one.p for one in comparison.differences)


def test_every_metric_of_yes_and_no_is_compared_by_mcnemars_test():
    yes_no = [known.name for known in all_metrics() if known.yes_no]
    assert yes_no == [
        "SR",
        "OSR",
        "SR_reverie",
        "OSR_reverie",
        "RGS",
        "SR_nuances",
        "OSR_nuances",
        "TC",
        "SR_rec",
        "OSR_rec",
        "SR_est",
        "OSR_est",
    ]
    before = {name: [0.0, 1.0, 1.0] for name in yes_no}
    after = {name: [1.0, 1.0, 0.0] for name in yes_no}
    comparison = compare_to_baseline(
        {"a": _score("a", **before), "b": _score("b", **after)}, metrics=tuple(yes_no)
    )
    assert {comparison.difference(name, "b").test for name in yes_no} == {"McNemar, exact"}


def test_missing_values_leave_the_pair_out_and_are_never_zero():
    a, b = _score("a", NE=[1.0, None, 3.0]), _score("b", NE=[2.0, 9.0, None])
    comparison = compare_to_baseline({"a": a, "b": b}, metrics=("NE",))
    assert comparison.difference("NE", "b").interval.episodes == 1
    assert comparison.means["NE"]["b"].mean == pytest.approx(5.5)
    assert (
        compare_to_baseline({"a": a, "b": _score("b", NE=[None] * 3)}, metrics=("NE",)).means["NE"][
            "b"
        ]
        is None
    )


def test_what_is_not_there_is_named():
    scores = {"a": _score("a", NE=[1.0]), "b": _score("b", NE=[2.0])}
    with pytest.raises(InputError, match="no run c"):
        compare_to_baseline(scores, "c", ("NE",))
    with pytest.raises(InputError, match="metric XY"):
        compare_to_baseline(scores, None, ("XY",))
    # `navviz score` pools it over sub-tasks: a mean over episodes would be another ISR
    staged = {name: _score(name, ISR=[0.5], ISR_paper=[0.5], TAR=[1.0]) for name in "ab"}
    assert "ISR" not in compare_scores(staged).means
    assert compare_scores(staged).means["ISR_paper"] == {"a": 0.5, "b": 0.5}
    with pytest.raises(InputError, match=r"ISR, TAR is counted over .* compare ISR_paper"):
        compare_to_baseline(staged, None, ("ISR", "TAR"))


def test_runs_that_do_not_differ_are_seldom_called_different():
    """Of 200 pairs of runs with the same chance of success few are called different over two
    metrics: at most 5 %.
    """
    rng, alarms = np.random.default_rng(11), 0
    for _ in range(200):
        a, b = (
            {
                "SR": (rng.random(60) < 0.5).astype(float).tolist(),
                "NE": rng.exponential(50, 60).tolist(),
            }
            for _ in "ab"
        )
        columns = [(a[name], b[name]) for name in ("SR", "NE")]
        steps = np.subtract(*columns[1])
        p = holm([mcnemar(*columns[0]), flip_test(steps, resamples=499).p])
        alarms += min(p) < 0.05
    assert alarms <= 13  # 5 % of 200 are 10; three more is one standard deviation


def test_the_outcome_matrix_tells_failure_from_not_known():
    table = outcome_matrix(
        {"a": _score("a", SR=[1.0, 0.0, None]), "b": _score("b", SR=[1.0, 1.0, 0.0])},
        ["0", "1", "2"],
    )
    assert table.to_dict("list") == {"a": ["✓", "✗", "–"], "b": ["✓", "✓", "✗"]}


def test_of_very_many_episodes_fewer_resamples_are_drawn_and_the_p_is_theirs() -> None:
    rng = np.random.default_rng(3)
    before = rng.normal(size=60_000)
    interval = mean_interval(before)
    assert interval.low < interval.mean < interval.high
    assert interval.high - interval.low == pytest.approx(2 * 1.96 / 60_000**0.5, rel=0.15)
    assert flip_test(np.ones_like(before)).p == pytest.approx(1 / 1_001)


def test_intervals_of_few_episodes_are_exact():
    rows = {str(k): {"SR": float(k % 3 > 0), "NE": float(k)} for k in range(12)}
    other = {
        key: {"SR": float(int(key) % 4 > 0), "NE": row["NE"] + int(key) % 2}
        for key, row in rows.items()
    }
    scores = {
        name: RunScore(name, each, {"SR": 0.0, "NE": 0.0}, {})
        for name, each in (("a", rows), ("b", other))
    }
    inference = compare_to_baseline(scores, "a", ["SR", "NE"])
    rate = inference.means["SR"]["a"]
    assert (rate.low, rate.high) == pytest.approx(
        stats.binomtest(8, 12).proportion_ci(method="exact")
    )
    difference = inference.difference("SR", "b").interval
    before, after = [[row["SR"] for row in each.values()] for each in (rows, other)]
    assert difference == difference_interval(before, after, yes_no=True)
    flips = np.array(after) - np.array(before)
    expected = paired_rate_ends(int((flips > 0).sum()), int((flips < 0).sum()), 12)
    assert (difference.low, difference.high) == expected
    turned = {
        name: RunScore(name, dict(reversed(score.rows.items())), score.means, {})
        for name, score in scores.items()
    }
    again = compare_to_baseline(turned, "a", ["SR", "NE"])
    assert (again.means, again.differences) == (inference.means, inference.differences)


def test_one_difference_has_one_p_whatever_is_shown():
    rng = np.random.default_rng(4)
    far, near = rng.exponential(40, 30), rng.exponential(30, 30)
    columns = []
    for metres in (far, near):
        rates = (metres < 25).astype(float).tolist()
        columns.append(
            {"SR": rates, "OSR": rates, "NE": metres.tolist(), "TL": (metres * 2).tolist()}
        )
    scores = {"a": _score("a", **columns[0]), "b": _score("b", **columns[1])}
    comparison, inference = compare_scores(scores), compare_to_baseline(scores)
    expected = holm([inference.difference(name, "b").p for name in ("SR", "OSR", "NE")])
    assert [one.p_holm for one in inference.differences] == expected
    table, pairs = comparison.table(), comparison.pairs().set_index("metric")
    for name, p_holm in zip(("SR", "OSR", "NE"), expected, strict=True):
        assert table.loc[(name, "b"), "p_holm"] == pairs.loc[name, "p_holm"] == p_holm
    # outside of the head: a p of its own, which no other p pays for
    assert table.loc[("TL", "b"), "p_holm"] is pd.NA
    assert table.loc[("TL", "b"), "p"] < 1.0
    # whatever is shown, the family stays the same
    alone = compare_to_baseline(scores, metrics=("NE",))
    assert alone.difference("NE", "b").p_holm == expected[2]
    sentence = "p is adjusted over 3 tests of the head's metrics (SR, OSR, NE; Holm 1979)"
    assert comparison.family_note == alone.family_note == sentence
    assert sentence in inference_note(alone)
    assert sentence.replace("'", "&#x27;") in comparison._repr_html_()
