"""What is measured of annotations: agreement, correlation, difficulty, extraction."""

from __future__ import annotations

import json
import math
from collections import Counter

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.annotation.exchange import read_extractions
from navviz.errors import InputError, Problems, SettingsError
from navviz.formats import open_graph, open_results
from navviz.metrics.agreement import (
    METHODS,
    band,
    bands,
    cohen_kappa,
    cohen_kappa_pairs,
    confusion_matrix,
    correlate,
    correlation_table,
    fleiss_kappa,
    krippendorff_alpha,
    masi_distance,
    normalised_means,
)
from navviz.metrics.extraction import match_names, normal_name, score_extractor
from navviz.metrics.intervals import bootstrap_interval
from navviz.metrics.score import score_run
from navviz.systems.groke.printed import TABLES

N = None
KRIPPENDORFF_2011 = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]
"""Four observers, twelve units, missing values: the example of Krippendorff 2011, section D."""
FLEISS_EXAMPLE = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
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


@pytest.mark.parametrize(("a", "b", "distance"), [
    ("", "", 0), ("ab", "ab", 0), ("a", "b", 1), ("a", "", 1), ("abc", "ab", 1 - 4 / 9),
    ("ab", "bc", 1 - 1 / 9),
])  # fmt: skip
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


def numbered(values: list[float | None]) -> dict[str, float | None]:
    return {str(i): value for i, value in enumerate(values)}


def test_pearson_and_spearman_by_hand():
    x, y = numbered([1, 2, 3, 4]), numbered([1, 4, 9, 16])
    # r = cov / sd sd: deviations (-1.5, -.5, .5, 1.5) and (-6.5, -3.5, 1.5, 8.5): 25 / sqrt(5 *
    # 129)
    assert correlate(x, y, metric="m").value == pytest.approx(25 / math.sqrt(5 * 129))
    assert correlate(x, y, metric="m", method="spearman").value == pytest.approx(1.0)


def test_missing_and_infinite_values_are_counted_not_guessed():
    correlation = correlate(
        numbered([1, 0, 1, 0, None, 1]), numbered([3.0, 1.0, 2.0, math.inf, 5.0, None]), metric="NE"
    )
    assert (correlation.episodes, correlation.missing) == (3, 2)


def test_what_is_not_defined_is_missing():
    assert correlate(numbered([1, 1, 1]), numbered([1, 2, 3]), metric="m").value is None
    assert correlate(numbered([1, 2]), numbered([1, 2]), metric="m").p is None
    perfect = correlate(numbered([1, 2, 3, 4]), numbered([2, 4, 6, 8]), metric="m")
    assert perfect.value == pytest.approx(1.0)
    assert perfect.low is None or perfect.low <= perfect.value


def test_interval_by_hand():
    x = numbered([0, 0, 0, 0, 1, 1, 1, 1])
    y = numbered([0, 0, 0, 1, 0, 1, 1, 1])
    correlation = correlate(x, y, metric="SR")
    assert correlation.value == pytest.approx(0.5)
    assert correlation.low < 0.5 < correlation.high
    rank = correlate(x, y, metric="SR", method="spearman")
    # ranks of yes and no are yes and no again
    assert (rank.low, rank.high) == pytest.approx((correlation.low, correlation.high))
    # the t of 6 degrees of freedom is 2.447, so that r is significant from 0.707 on
    half = math.atanh(2.4469 / math.sqrt(2.4469**2 + 6))
    assert correlation.low == pytest.approx(math.tanh(math.atanh(0.5) - half), abs=1e-4)


def test_table_holds_every_metric_by_every_method():
    table = correlation_table(
        numbered([1, 2, 3]), {"SR": numbered([0, 0, 1]), "NE": numbered([3, 2, 1])}
    )
    assert [(row.method, row.metric) for row in table] == [
        ("pearson", "SR"), ("pearson", "NE"), ("spearman", "SR"), ("spearman", "NE")
    ]  # fmt: skip


def _table_4() -> dict[str, dict[str, float]]:
    [table] = [table for table in TABLES if table.name == "Table 4"]
    printed = {row.correlated: table.printed(row) for row in table.rows}
    return {
        method.lower(): {metric: float(figures[method]) for metric, figures in printed.items()}
        for method in ("Pearson", "Spearman")
    }


TABLE_4 = _table_4()


@pytest.mark.data
def test_the_published_table_comes_out_to_the_printed_digit(data_dir):
    graph = open_graph(data_dir / "map2seq/osm/graph")
    [run] = open_results(data_dir / "groke/paper_results/test_seen_json.json", graph)
    rows = score_run(run, graph).rows
    metrics = {
        name: {episode: row[name] for episode, row in rows.items()} for name in TABLE_4["pearson"]
    }
    raw = json.loads((data_dir / "groke/annotations/correctness_hardness.json").read_text())
    human = {episode: float(entry["human_annotation"]) for episode, entry in raw.items()}
    found: dict[str, dict[str, float]] = {"pearson": {}, "spearman": {}}
    for row in correlation_table(human, metrics):
        assert (row.episodes, row.missing) == (100, 0)
        found[row.method][row.metric] = round(row.value, 4)
    assert found == TABLE_4


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [3, 5, 12, 200])
def test_the_interval_holds_zero_exactly_where_the_test_says_so(method, count):
    draw = np.random.default_rng(count)
    significant = 0
    for strength in np.linspace(0, 1.5, 40):
        x = draw.normal(size=count)
        y = strength * x + draw.normal(size=count)
        row = correlate(numbered(x), numbered(y), metric="m", method=method)
        assert row.p is not None
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.value <= row.high
        assert (row.low <= 0 <= row.high) == (row.p >= 0.05)
        significant += row.p < 0.05
    assert count == 3 or significant > 0


def test_means_are_normalised_over_the_episodes():
    assert normalised_means({"a": [1, 1, 1], "b": [4, 5, 6], "c": [3, 3, 3]}) == {
        "a": 0.0,
        "b": 1.0,
        "c": 0.5,
    }


def test_nothing_to_normalise_is_missing_not_zero():
    assert normalised_means({"a": [2, 2], "b": [2, 2]}) == {"a": None, "b": None}
    assert normalised_means({"a": [1], "b": [], "c": [2]})["b"] is None
    assert normalised_means({}) == {}
    assert bands({"a": [1], "b": []})["b"] is None


def test_cut_points_belong_to_the_band_above():
    assert [band(x) for x in (0.0, 0.3499, 0.35, 0.6499, 0.65, 1.0)] == [
        "easy", "easy", "medium", "medium", "hard", "hard"
    ]  # fmt: skip
    assert band(0.5, (0.2, 0.4)) == "hard"
    with pytest.raises(SettingsError, match="in order"):
        band(0.5, (0.7, 0.4))


@pytest.mark.data
def test_groke_ratings_give_the_published_bands(data_dir):
    raw = json.loads((data_dir / "groke/annotations/correctness_hardness.json").read_text())
    ratings = {episode: list(entry["complexity"].values()) for episode, entry in raw.items()}
    assert Counter(bands(ratings).values()) == {"easy": 49, "medium": 38, "hard": 13}


def test_names_are_compared_without_case_articles_and_punctuation():
    assert normal_name("The  Corner-Bakery!") == "corner bakery"
    assert match_names(["the light"], ["Light", "a light"]) == (1, 1, 1)
    assert match_names([], ["the"]) == (0, 0, 0)


def test_exact_and_overlapping_matches_by_hand():
    marked, found = (
        ["Corner Bakery", "traffic light", "park"],
        ["bakery", "light", "bus stop", "park"],
    )
    assert match_names(marked, found) == (1, 4, 3)
    assert match_names(marked, found, "overlap") == (3, 4, 3)
    assert match_names(["bank"], ["bank north", "bank south"], "overlap") == (1, 2, 1)  # one to one
    assert match_names([], [], "overlap") == (0, 0, 0)


def test_scores_over_episodes_by_hand():
    score = score_extractor(
        {"1": ["bank", "park"], "2": ["light"], "3": []},
        {"1": ["bank", "bar"], "3": ["cafe"], "unmarked": ["x"]},
    )
    assert (score.hits, score.extracted, score.marked, score.episodes) == (1, 3, 3, 3)
    assert score.precision == score.recall == score.f1 == pytest.approx(1 / 3)


def test_what_is_not_defined_is_missing_of_extraction():
    empty = score_extractor({}, {})
    assert (empty.precision, empty.recall, empty.f1) == (None, None, None)
    assert score_extractor({"1": ["a bank"]}, {}).recall == 0.0


def test_faults_in_a_file_are_told_and_the_rest_is_read(tmp_path):
    path = tmp_path / "found.json"
    path.write_text(
        json.dumps({"1": [{"name": "bank", "score": 0.9}, {"label": 1}, {"name": "bar"}], "2": "x"})
    )
    problems = Problems()
    assert read_extractions(path.read_text(), path.name, problems) == {
        "1": ("bank", "bar"),
        "2": (),
    }
    assert problems.count == 2
    assert (
        str(problems.kept[0])
        == "found.json, episode 1, field [1]: has no name; the other names are used."
    )
    assert read_extractions(path.read_text(), path.name, score=0.95)["1"] == ("bar",)


@pytest.mark.parametrize("content", ["[]", "{"])
def test_files_that_are_none(content):
    with pytest.raises(InputError, match="choose a file"):
        read_extractions(content, "x.json")


@pytest.mark.data
@pytest.mark.parametrize("name", ["bert", "gliner"])
def test_published_outputs_load_as_extractors(data_dir, name):
    problems = Problems()
    path = data_dir / f"groke/annotations/poi_analysis_{name}.json"
    found = read_extractions(path.read_text(), path.name, problems)
    assert len(found) == 100
    assert not problems.count
    assert score_extractor(found, found).f1 == 1.0
