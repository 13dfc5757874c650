"""The Compare page: two runs of an episode, and whole runs below."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from navviz.analysis.significance import P_AND_INTERVAL
from navviz.runs.opened import OPEN_VARIABLE
from navviz.ui.compare.page import _overlap
from tests.analysis.test_paired_runs import continuous, discrete, house
from tests.nights import by_day


def test_whole_runs_are_compared_with_intervals_and_tests(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    tables = [frame.value for frame in at.dataframe]
    (means,) = [table for table in tables if "SR 95 %" in table]
    assert list(means.index) == ["harbour/rules", "harbour/rules-local"]
    assert any(
        "14 shared episodes; p against harbour/rules" in caption.value for caption in at.caption
    )
    (outcomes,) = [
        table for table in tables if "harbour/rules-local" in table and "episode" in table
    ]
    assert len(outcomes) == 14
    at.multiselect(key="compare_more_harbour/rules_harbour/rules-local").set_value(
        ["harbour/random-walker"]
    ).run()
    assert not at.exception
    assert any(
        list(frame.value.index) == ["harbour/rules", "harbour/rules-local", "harbour/random-walker"]
        for frame in at.dataframe
    )


@pytest.mark.parametrize(
    "way",
    by_day(
        ["harbour/rules-local fails, harbour/rules succeeds", "all fail", "they differ"],
        ["they differ"],
    ),
)
def test_episodes_are_filtered_by_who_succeeds(page, way):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    at.selectbox(key="compare_harbour/rules_harbour/rules-local_way").set_value(way).run()
    assert not at.exception
    for table in (
        frame.value
        for frame in at.dataframe
        if "harbour/rules-local" in frame.value and "episode" in frame.value
    ):
        pairs = set(zip(table["harbour/rules"], table["harbour/rules-local"], strict=True))
        allowed = {"all fail": {("✗", "✗")}, "they differ": {("✓", "✗"), ("✗", "✓")}}
        assert pairs <= allowed.get(way, {("✓", "✗")})


def texts(at) -> str:
    return "\n".join(
        part.value for kind in ("text", "caption", "markdown") for part in at.get(kind)
    )


def test_only_runs_that_share_episodes_are_offered(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    offered = at.selectbox(key="compare_box_harbour/rules").options
    assert "harbour/regex-heuristic  (14 shared)" in offered
    assert not [name for name in offered if name.startswith(("house/", "harbour/rules  "))]


def test_several_runs_stand_beside_each_other_by_their_names(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    at.multiselect(key="compare_more_harbour/rules_harbour/rules-local").set_value(
        ["harbour/regex-heuristic"]
    ).run()
    assert not at.exception
    names = ["harbour/rules", "harbour/rules-local", "harbour/regex-heuristic"]
    (figures,) = [frame.value for frame in at.dataframe if frame.value.index.name == "figure"]
    assert list(figures.columns) == names
    assert {"outcome", "NE", "SR", "model calls"} <= set(figures.index)
    page_texts = texts(at)
    assert "They part" in page_texts
    assert all(name in page_texts for name in names)
    assert "Before" not in page_texts  # methods have no before and after
    (won,) = [frame.value for frame in at.dataframe if "Solved by" in frame.value]
    assert won["Solved by"].tolist() == [
        sum(row[name] == "✓" for name in names) for _, row in won.iterrows()
    ]
    assert len(at.get("plotly_chart")) == 2


def test_a_baseline_is_chosen(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    at.selectbox(key="compare_harbour/rules_harbour/rules-local_baseline").set_value(
        "harbour/rules-local"
    ).run()
    assert any("p against harbour/rules-local" in caption.value for caption in at.caption)


def test_previous_and_next_are_those_that_all_walked(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    assert at.button(key="compare_previous").disabled
    at.button(key="compare_next").click().run()
    assert not at.exception
    assert at.query_params["episode"] in ("2", ["2"])
    assert "2 of 14 episodes" in texts(at)


def test_a_walk_of_vlnce_stands_beside_one_of_r2r(page, tmp_path, monkeypatch):
    house(tmp_path)
    discrete(tmp_path)
    continuous(tmp_path)
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"data": str(tmp_path)}))
    at = page("compare", run="agent", episode="41_0", other="predictions")
    assert "predictions  (2 shared)" in at.selectbox(key="compare_box_agent").options
    shown = texts(at)
    assert "agent beside predictions: 2 episodes paired by path and instruction" in shown
    assert "in _est where they are estimated" in shown
    (figures,) = [frame.value for frame in at.dataframe if frame.value.index.name == "figure"]
    assert figures.loc["SR_est"].tolist() == ["–", "success"]
    assert figures.loc["SR"].tolist() == ["success", "–"]
    (means,) = [frame.value for frame in at.dataframe if "SR_est" in frame.value]
    assert means.loc["predictions", "SR"] == "–"
    assert not at.error


def test_compare_opens_on_what_differs_with_the_episodes_that_flipped(page):
    at = page(
        "compare",
        run="harbour/groke-by-hand",
        episode="7",
        other=["harbour/rules", "harbour/rules-local"],
    )
    drawn = next(part for part in at.get("bidi_component") if "run_differences" in str(part.proto))
    html = str(drawn.proto)
    assert "3 runs differ on 5 of 10 shared episodes." in html
    assert "40.0 % [12, 74]" in html
    # McNemar's exact p of 4 won, 0 lost refuses nothing, so neither does its interval
    assert "+40.0 points [-10, 74], p 0.125, adjusted 1.000" in html
    # one sentence below says how interval, p and adjusted p go together
    assert P_AND_INTERVAL in html
    assert "p is adjusted over 12 tests" in html
    for key in ("3", "7", "8", "13"):
        assert re.search(rf"data-value=\W+{key}\W", html), key


def test_all_compared_runs_stay_in_the_address(page):
    first, *others = [
        f"harbour/{name}"
        for name in (
            "rules", "rules-local", "groke-by-hand", "random-walker", "regex-heuristic",
        )
    ]  # fmt: skip
    at = page("compare", run=first, episode="7", other=others)
    assert at.query_params["other"] == others
    at.button(key="compare_next").click().run()
    assert at.query_params["other"] == others


def test_the_address_decides_which_runs_are_compared(page):
    at = page("compare", run="harbour/rules", episode="1", other=["harbour/rules-local"])
    at.selectbox(key="compare_box_harbour/rules").set_value("harbour/random-walker").run()
    assert at.query_params["other"] in ("harbour/random-walker", ["harbour/random-walker"])
    at.query_params["other"] = ["harbour/regex-heuristic"]  # as the browser's back button does
    at.run()
    assert at.selectbox(key="compare_box_harbour/rules").value == "harbour/regex-heuristic"


def test_runs_without_plans_are_named_and_not_struck_out(page):
    at = page(
        "compare",
        run="harbour/groke-by-hand",
        episode="7",
        other=["harbour/random-walker", "harbour/regex-heuristic"],
    )
    page_texts = texts(at)
    assert "harbour/random-walker made no plan." in page_texts


def test_a_run_that_names_a_folder_above_its_map_may_share_it():
    """``--graphs WORLD`` and the samples' own ``WORLD/osm/graph`` are one map."""
    world = Path("samples") / "harbour"
    assert _overlap([world], [world / "osm" / "graph"])
    assert _overlap([world / "osm" / "graph"], [Path("other"), world])
    assert not _overlap([world / "osm" / "graph"], [world / "osm" / "graph2", Path("harbour")])
    assert not _overlap([], [world])
