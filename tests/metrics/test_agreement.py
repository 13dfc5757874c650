"""Agreement statistics against published and hand-worked numbers."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.metrics.agreement import (
    cohen_kappa,
    cohen_kappa_pairs,
    confusion_matrix,
    fleiss_kappa,
    krippendorff_alpha,
    masi_distance,
)
from navviz.metrics.intervals import bootstrap_interval

N = None
KRIPPENDORFF_2011 = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
"""Four observers, twelve units, missing values: the example of Krippendorff 2011, section D."""
FLEISS_EXAMPLE = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
"""Fourteen raters, ten subjects, five categories: kappa 0.210 (the worked example of the Wikipedia
article).
"""


def pairs(table: list[list[int]]) -> tuple[list[int], list[int]]:
    cells = [
        (i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)
    ]
    return [i for i, _ in cells], [j for _, j in cells]


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        ([[20, 5], [10, 15]], 0.4),  # po 0.7, pe 0.5
        ([[45, 15], [25, 15]], 0.1304),  # po 0.6, pe 0.54
        ([[25, 35], [5, 35]], 0.2593),  # po 0.6, pe 0.46
        ([[0, 5], [5, 0]], -1.0),
        ([[3, 0], [0, 4]], 1.0),
    ],
)
def test_cohen_kappa_on_worked_tables(table, kappa):
    assert cohen_kappa(*pairs(table)) == pytest.approx(kappa, abs=5e-5)


def test_weighted_kappa_by_hand():
    # Ratings 1, 2, 3 against 1, 3, 3. Linear: observed 1; expected 1/3 * sum over cells of row *
    # column * distance = (1*1*0 + 1*2*2 + 1*1*1 + 1*2*1 + 1*1*2 + 0) / 3 = 3, so 1 - 1/3.
    # Quadratic: observed 1, expected (8+1+2+4)/3 = 5.
    assert cohen_kappa([1, 2, 3], [1, 3, 3], weights="linear") == pytest.approx(2 / 3)
    assert cohen_kappa([1, 2, 3], [1, 3, 3], weights="quadratic") == pytest.approx(4 / 5)


def test_cohen_kappa_where_it_is_not_defined():
    assert cohen_kappa([True, N], [N, True]) is None
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert cohen_kappa([], []) is None


def test_fleiss_kappa_on_the_published_example():
    columns = [[k for k, count in enumerate(row) for _ in range(count)] for row in FLEISS_EXAMPLE]
    kappa = fleiss_kappa(list(zip(*columns, strict=True)))
    assert kappa.value == pytest.approx(0.210, abs=5e-4)
    assert kappa.items == 10


def test_fleiss_kappa_counts_only_what_all_rated():
    assert fleiss_kappa([[1, 2, 1], [1, 2, N], [1, 2, 2]]).items == 2
    assert fleiss_kappa([[1, N], [N, 1]]).value is None
    assert fleiss_kappa([[1, 1], [1, 1]]).value is None
    assert fleiss_kappa([[1, 2]]).value is None


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_on_the_published_example(level, alpha):
    result = krippendorff_alpha(KRIPPENDORFF_2011, level)
    assert result.value == pytest.approx(alpha, abs=5e-4)
    assert result.items == 11  # the last unit has one rating and cannot be paired


def test_alpha_of_binary_data_with_two_observers():
    # Krippendorff 2011, section A: ten units, alpha 0.095.
    first, second = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha([first, second]).value == pytest.approx(0.095, abs=5e-4)


def test_alpha_of_booleans_and_text_as_names():
    assert krippendorff_alpha([[True, False, True], [True, False, False]]).value == pytest.approx(
        krippendorff_alpha([["a", "b", "a"], ["a", "b", "b"]]).value
    )


def test_alpha_where_it_is_not_defined():
    assert krippendorff_alpha([[1, 1], [1, 1]]).value is None
    assert krippendorff_alpha([[1, N], [N, 2]]).value is None
    assert krippendorff_alpha([]).value is None


def test_alpha_of_sets_by_hand():
    # Units {a}/{a,b} and {c}/{c}: MASI of the first is 1 - 1/2 * 2/3 = 2/3. Observed: mean over 4
    # pairs in units = (2 * 2/3 + 0) / 4 = 1/3. Expected: over the 12 ordered pairs of the 4 values,
    # 2 are 2/3, 8 are 1 (c against a and ab), 2 are 0: (4/3 + 8) / 12 = 7/9. Alpha = 1 - (1/3) /
    # (7/9) = 4/7.
    first = [frozenset("a"), frozenset("c")]
    second = [frozenset("ab"), frozenset("c")]
    assert krippendorff_alpha([first, second], "set").value == pytest.approx(4 / 7)


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("", "", 0),
        ("ab", "ab", 0),
        ("a", "b", 1),
        ("a", "", 1),
        ("abc", "ab", 1 - 4 / 9),
        ("ab", "bc", 1 - 1 / 9),
    ],
)
def test_masi_distance(a, b, distance):
    assert masi_distance(frozenset(a), frozenset(b)) == pytest.approx(distance)


@given(st.frozensets(st.sampled_from("abcd")), st.frozensets(st.sampled_from("abcd")))
def test_masi_is_symmetric_and_bounded(a, b):
    assert masi_distance(a, b) == masi_distance(b, a)
    assert 0 <= masi_distance(a, b) <= 1
    assert (masi_distance(a, b) == 0) == (a == b)


def test_confusion_matrix_skips_missing_and_refuses_unknown():
    table = confusion_matrix(["x", "y", N, "y"], ["x", "x", "y", "y"], ["x", "y"])
    assert table.tolist() == [[1, 0], [1, 1]]
    with pytest.raises(ValueError, match="not among the categories"):
        confusion_matrix(["z"], ["x"], ["x", "y"])


def test_bootstrap_is_seeded_holds_the_value_and_counts_the_undefined():
    first, again = (
        krippendorff_alpha(KRIPPENDORFF_2011, "ordinal", resamples=200, seed=7) for _ in range(2)
    )
    assert first == again
    assert first.low < first.value < first.high
    assert krippendorff_alpha(KRIPPENDORFF_2011, "ordinal", resamples=200, seed=8) != first
    rare = krippendorff_alpha([[1, 1, 1, 2], [1, 1, 1, 2]], resamples=200)
    assert rare.undefined > 0  # resamples that never drew the last item


def test_bootstrap_interval_covers_the_mean():
    values = np.random.default_rng(1).normal(0.0, 1.0, 400)
    interval = bootstrap_interval(lambda chosen: float(values[chosen].mean()), 400, resamples=2000)
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)


def test_pairs_name_raters_and_say_how_often_they_agree():
    kappas = cohen_kappa_pairs(
        ["ann", "bo", "cy"], [[1, 2, 1, 2], [1, 2, 2, 2], [N, N, N, N]], resamples=100
    )
    assert [(pair.first, pair.second) for pair in kappas] == [
        ("ann", "bo"),
        ("ann", "cy"),
        ("bo", "cy"),
    ]
    assert kappas[0].observed == 0.75
    assert kappas[0].kappa.value == pytest.approx(0.5)
    assert kappas[1].kappa.value is None
    assert kappas[1].observed is None


RATINGS = st.lists(
    st.lists(st.none() | st.integers(1, 4), min_size=6, max_size=6), min_size=2, max_size=4
)


@given(RATINGS, st.sampled_from(["nominal", "interval"]))
def test_alpha_equals_the_library(rows, level):
    ours = krippendorff_alpha(rows, level).value
    data = np.array(
        [[np.nan if value is None else value for value in row] for row in rows], dtype=float
    )
    pairable = data[:, (~np.isnan(data)).sum(axis=0) >= 2]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        assert ours is None
    else:
        assert ours == pytest.approx(krippendorff.alpha(pairable, level_of_measurement=level))


def test_alpha_of_many_different_sets_needs_little_memory():
    first = [frozenset({str(i), "all"}) for i in range(700)]
    second = [frozenset({str(i + 1), "all"}) for i in range(700)]
    alpha = krippendorff_alpha([first, second], "set")
    assert alpha.items == 700
    # Every two sets of the form {i, all} with different i share one of three labels: MASI 8/9,
    # whether in one item or across items; only the pairs of equal sets across items agree, so that
    # chance is a little better.
    assert alpha.value == pytest.approx(0.0, abs=0.002)
