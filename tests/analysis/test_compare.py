"""Means on shared episodes and paired differences, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from navviz.analysis.compare import PairedDifference, compare_scores, same_episode
from navviz.errors import InputError
from navviz.metrics.score import RunScore


def score(
    name: str, rows: dict[str, dict[str, float | None]], errors: tuple[str, ...] = ()
) -> RunScore:
    return RunScore(name, rows, {"SR": None, "NE": None, "TL": None}, {}, errors)


OLD = score("old", {
    "1": {"SR": 0.0, "NE": 100.0, "TL": 50.0},
    "2": {"SR": 1.0, "NE": 10.0, "TL": 60.0},
    "3": {"SR": 1.0, "NE": None, "TL": 70.0},
    "4": {"SR": 0.0, "NE": 90.0, "TL": 80.0},
    "only old": {"SR": 1.0, "NE": 0.0, "TL": 1.0},
})  # fmt: skip
NEW = score("new", {
    "4": {"SR": 1.0, "NE": 0.0, "TL": 1.0},
    "3": {"SR": 1.0, "NE": 5.0, "TL": 30.0},
    "2": {"SR": 0.0, "NE": 40.0, "TL": 90.0},
    "1": {"SR": 1.0, "NE": 20.0, "TL": 50.0},
}, errors=("4",))  # fmt: skip


def test_only_what_both_walked_counts() -> None:
    compared = compare_scores({"old": OLD, "new": NEW})
    assert compared.episodes == ("1", "2", "3")
    assert compared.means["SR"] == {"old": pytest.approx(2 / 3), "new": pytest.approx(2 / 3)}
    assert compared.means["NE"] == {"old": 55.0, "new": pytest.approx(65 / 3)}
    assert list(compared.means) == ["NE", "SR", "TL"], "in the registry's order"


def test_differences_are_paired() -> None:
    compared = compare_scores({"old": OLD, "new": NEW})
    by_metric = {pair.metric: pair for pair in compared.differences}
    assert by_metric["SR"] == PairedDifference(
        "SR", "old", "new", 3, 0.0, better=1, worse=1, equal=1
    )
    # an error of 100 m that became 20 m is better; episode 3 has none in the old run
    assert by_metric["NE"] == PairedDifference(
        "NE", "old", "new", 2, -25.0, better=1, worse=1, equal=0
    )
    assert by_metric["TL"] == PairedDifference(
        "TL", "old", "new", 3, pytest.approx(-10 / 3), None, None, equal=1
    )


def test_every_pair_of_three_runs() -> None:
    compared = compare_scores({"old": OLD, "new": NEW, "again": OLD})
    pairs = [(pair.first, pair.second) for pair in compared.differences if pair.metric == "SR"]
    assert pairs == [("old", "new"), ("old", "again"), ("new", "again")]
    table = compared.pairs()
    assert len(table) == 9
    assert table.loc[table["metric"] == "TL", "better"].isna().all()


def test_a_metric_without_values_is_missing_and_not_zero() -> None:
    rows: dict[str, dict[str, float | None]] = {"1": {"SR": None, "NE": None, "TL": 1.0}}
    compared = compare_scores({"a": score("a", rows), "b": score("b", rows)})
    assert compared.means["SR"] == {"a": None, "b": None}
    assert compared.table().index.get_level_values("metric").unique().tolist() == ["TL"]
    assert compared.pairs()["metric"].tolist() == ["TL"]
    first = next(pair for pair in compared.differences if pair.metric == "SR")
    assert (first.episodes, first.mean, first.equal) == (0, None, 0)


def test_names_are_escaped_in_a_notebook() -> None:
    shown = compare_scores({"<script>": OLD, "b": NEW})._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_nothing_to_compare_is_said() -> None:
    with pytest.raises(InputError, match="at least two runs"):
        compare_scores({"old": OLD})
    with pytest.raises(
        InputError, match="the runs old, other share no episode that all of them walked"
    ):
        compare_scores({"old": OLD, "other": score("other", {"9": {"SR": 1.0}})})


def test_episodes_of_the_same_id_and_different_data_sets_are_no_pair() -> None:
    """Data sets number their episodes alike; a copy has another name, and one set may lie on two
    maps.
    """
    old = replace(OLD, origins={"1": ("R2R", "a"), "2": ("R2R", "b"), "3": ("", "c")})
    new = replace(NEW, origins={"1": ("copy", "a"), "2": ("mine", "x"), "3": ("", "c")})
    compared = compare_scores({"old": old, "new": new})
    assert (compared.episodes, compared.elsewhere) == (("1", "3"), ("2",))
    assert compared.means["NE"] == {"old": 100.0, "new": 12.5}


def test_runs_of_two_data_sets_are_refused() -> None:
    far = replace(NEW, origins=dict.fromkeys(NEW.rows, ("", "far")))
    near = replace(OLD, origins=dict.fromkeys(OLD.rows, ("", "near")))
    with pytest.raises(
        InputError,
        match="share ids, but of different data sets' episodes, which start elsewhere; choose runs on the same data",
    ):
        compare_scores({"old": near, "new": far})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("map2seq", "osm node"), ("Map2Seq", "panorama"), True),
        (("R2R", "a"), ("copy of R2R", "a"), True),
        (("", "a"), ("", "b"), False),
        (("R2R", "a"), ("REVERIE", "b"), False),
    ],
)
def test_data_set_or_start_tells_that_an_episode_is_the_same(
    one: tuple[str, str], other: tuple[str, str], *, same: bool
) -> None:
    assert same_episode(one, other) is same


def test_a_table_has_n_interval_and_paired_p_beside_each_mean() -> None:
    rows = {str(k): {"SR": float(k < 6), "NE": float(k)} for k in range(12)}
    better = {str(k): {"SR": 1.0, "NE": 0.0} for k in range(12)}
    compared = compare_scores({"a": score("a", rows), "b": score("b", better)})
    table = compared.table()
    assert table.loc[("SR", "a"), ["mean", "n"]].tolist() == [0.5, 12]
    assert table.loc[("SR", "a"), "low"] < 0.5 < table.loc[("SR", "a"), "high"]
    assert table.loc[("SR", "b"), "difference"] == 0.5
    assert table.loc[("SR", "b"), "p"] == 0.03125  # six of six go one way: 2 * 0.5**6
    assert table.loc[("SR", "b"), "test"] == "McNemar, exact"
    assert table.loc[[("SR", "a"), ("NE", "a")], "p"].isna().all()
    pairs = compared.pairs().set_index("metric")
    assert pairs.loc["SR", ["episodes", "mean", "better"]].tolist() == [12, 0.5, 6]
    assert pairs.loc["NE", "p_holm"] >= pairs.loc["NE", "p"]
