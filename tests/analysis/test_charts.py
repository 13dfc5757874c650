"""Charts of runs: where the points lie, how far their intervals reach, and what is left out."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from statistics import fmean

import pytest
from scipy import stats

from navviz.analysis.charts import (
    CHARTS,
    chart_by,
    cost_against_success,
    difference_chart,
    mean_chart,
    scatter_of_two,
    tokens_against_steps,
)
from navviz.analysis.significance import compare_to_baseline
from navviz.analysis.walks import GROUPINGS, Group, walks_of
from navviz.errors import InputError
from navviz.records import Call, Usage
from navviz.runs.facts import facts_of
from navviz.runs.opened import open_run
from navviz.views.figures.chart import chart_csv, chart_figure, paper_chart, shifted
from navviz.views.figures.figure import figure_bytes
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour" / "runs"


@pytest.fixture(scope="module")
def runs():
    return {name: open_run(HARBOUR / name) for name in ("rules", "rules-local")}


@pytest.fixture(scope="module")
def walks(runs):
    return walks_of(runs)


@pytest.fixture(scope="module")
def paid(walks):
    """The same walks with calls: 1,000 tokens of a model with a price for each step of the first
    run.
    """
    call = Call(model="gemini-3-pro-preview", usage=Usage(prompt_tokens=0, output_tokens=1000))
    return [
        replace(
            walk,
            facts=facts_of(
                walk.trace.model_copy(update={"plan_calls": (call,) * int(walk.scores["steps"])})
            ),
        )
        if walk.run == "rules"
        else walk
        for walk in walks
    ]


def test_success_by_sub_goals_has_exact_intervals_where_bands_are_small(walks):
    chart = chart_by(walks, "sub-goals")
    assert [one.name for one in chart.series] == ["rules", "rules-local"]
    assert list(chart.categories) == sorted(chart.categories, key=int)
    assert sum(point.episodes for point in chart.series[0].points) == 14
    for point in chart.series[1].points:
        test = stats.binomtest(round(point.y * point.episodes / 100), point.episodes)
        span = test.proportion_ci(method="exact")
        assert (point.low, point.high) == pytest.approx((100 * span.low, 100 * span.high))


def test_cost_against_success_has_intervals_both_ways_and_names_who_has_no_cost(paid):
    chart = cost_against_success(paid)
    (series,) = chart.series
    (point,) = series.points
    assert point.x == pytest.approx(
        fmean(1000 * w.scores["steps"] * 12e-6 for w in paid if w.run == "rules")
    )
    assert point.x_low <= point.x <= point.x_high
    assert point.low < point.y < point.high
    assert "Cost ($) is not known of rules-local" in chart.note


def test_tokens_against_steps_shows_episodes_behind_their_means(paid):
    chart = tokens_against_steps(paid)
    episodes, means = chart.series
    assert episodes.faint
    assert len(episodes.points) == 14
    assert all(point.y == 1000 * point.x for point in (*episodes.points, *means.points))
    assert all(point.episodes > 1 for point in means.points)


def test_runs_without_calls_have_neither_chart(walks):
    for make in (cost_against_success, tokens_against_steps):
        with pytest.raises(InputError, match="no run here has"):
            make(walks)
    with pytest.raises(InputError, match="no episode has a difficulty"):
        CHARTS["Success by difficulty"](walks)


def test_two_runs_against_each_other_name_their_episodes(runs, walks):
    chart = scatter_of_two(walks, "rules", "rules-local", "NE")
    (series,) = chart.series
    first, second = (runs[name].scores.rows for name in ("rules", "rules-local"))
    assert {(point.label, point.x, point.y) for point in series.points} == {
        (key, first[key]["NE"], second[key]["NE"]) for key in first
    }
    higher = sum(second[key]["NE"] > first[key]["NE"] for key in first)
    assert f"14 episodes: higher in rules-local {higher}" in chart.note


def test_means_and_differences_are_those_of_the_table(runs):
    inference = compare_to_baseline(
        {name: run.scores for name, run in runs.items()}, None, ("SR", "NE")
    )
    means = mean_chart(inference, "SR")
    assert [one.points[0].y for one in means.series] == pytest.approx(
        [100 * inference.means["SR"][run].mean for run in runs]
    )
    (difference,) = difference_chart(inference, "NE").series
    interval = inference.difference("NE", "rules-local").interval
    assert (difference.points[0].y, difference.points[0].low) == (interval.mean, interval.low)
    assert difference.colour == 1  # the run keeps its colour


def test_long_names_of_runs_stand_beside_their_rows(runs):
    inference = compare_to_baseline({name: run.scores for name, run in runs.items()}, None, ("SR",))
    assert not mean_chart(inference, "SR").in_rows
    names = {name: f"a-model-{'of-a-long-name-' * 6}{name}" for name in runs}
    chart = mean_chart(inference, "SR", names)
    assert chart.in_rows
    figure, upright = (chart_figure(one, "#000") for one in (chart, mean_chart(inference, "SR")))
    assert [trace.x for trace in figure.data] == [trace.y for trace in upright.data]
    assert figure.data[0].error_x.array == upright.data[0].error_y.array
    assert figure.layout.showlegend is False
    assert [text.count("<br>") for text in figure.layout.yaxis.ticktext] == [2, 2]
    assert all(
        text.endswith(name) for text, name in zip(figure.layout.yaxis.ticktext, runs, strict=True)
    )
    (axes,) = paper_chart(chart).axes
    assert [
        label.get_text().splitlines()[-1].split("-")[-1] for label in axes.get_yticklabels()
    ] == [name.split("-")[-1] for name in runs]
    assert not paper_chart(chart).legends


def test_a_band_without_episodes_is_a_gap_and_not_a_line(walks):
    cut = [walk for walk in walks if walk.facts.sub_goals != 3]
    counts = sorted({walk.facts.sub_goals for walk in cut})
    assert counts[0] < 3 < counts[-1]
    chart = chart_by(cut, "sub-goals")
    assert list(chart.categories) == [str(count) for count in range(counts[0], counts[-1] + 1)]
    (series, *_) = chart.series
    at = [point.x for point in series.points].index(4.0 - counts[0])
    assert at in series.breaks
    figure = chart_figure(chart, "#000000")
    assert list(figure.data[0].y)[at] is None
    assert figure.data[0].connectgaps is False
    assert len(figure.data[0].customdata) == len(figure.data[0].x) == len(figure.data[0].y)
    (axes,) = paper_chart(chart).axes
    assert [text.get_text() for text in axes.texts][: len(series.points)] == [
        f"n {point.episodes}" for point in series.points
    ]
    assert math.isnan(axes.lines[0].get_ydata()[at])


def test_the_number_of_episodes_stands_beside_each_point(walks):
    chart = chart_by(walks, "sub-goals")
    figure = chart_figure(chart, "#000000")
    values = [text for text in figure.data[0].text if text]
    assert values == [f"n {point.episodes}" for point in chart.series[0].points]
    assert "text" in figure.data[0].mode


@pytest.mark.parametrize(
    ("name", "ends", "labels"),
    [
        ("words", (0.0, 40.0), ["under 20 words", "20–30 words", "30–40 words", "40–50 words"]),
        ("length", (300.0, 600.0), ["300–400 m", "400–500 m", "500–600 m", "600 m and more"]),
        ("length", (6.0, 15.0), ["6–8 m", "8–10 m", "10–12 m", "12–15 m", "15 m and more"]),
        ("difficulty", (0.0, 2.0), ["easy", "medium", "hard"]),
        ("sub-tasks", (1.0, 3.0), ["1 sub-task", "2 sub-tasks", "3 sub-tasks"]),
    ],
)
def test_bands_between_others_are_known(name, ends, labels):
    first, last = (
        Group(order, label) for order, label in zip(ends, (labels[0], labels[-1]), strict=True)
    )
    assert [group.label for group in GROUPINGS[name].between(first, last)] == labels


def test_runs_of_one_category_stand_beside_each_other(walks):
    chart = chart_by(walks, "sub-goals")
    (_, first), (_, second) = shifted(chart)
    assert first[0] < 0 < second[0]
    assert second[0] - first[0] < 0.5


def test_a_chart_is_drawn_for_page_and_paper_with_the_same_names(walks):
    named = [replace(walk, run=walk.run.replace("rules", "<b>rules</b>")) for walk in walks]
    chart = chart_by(named, "sub-goals")
    figure = chart_figure(chart, "#000000")
    assert figure.data[0].name == "&lt;b&gt;rules&lt;/b&gt;"
    assert [y for y in figure.data[0].y if y is not None] == [
        point.y for point in chart.series[0].points
    ]
    assert list(figure.layout.xaxis.ticktext) == list(chart.categories)
    drawn = [figure_bytes(paper_chart(chart, width), "svg") for width in ("single", "double")]
    assert all(b"&lt;b&gt;rules&lt;/b&gt;" in one and b"SR (%)" in one for one in drawn)
    assert drawn[0] == figure_bytes(paper_chart(chart, "single"), "svg")


def test_points_are_written_as_csv(walks):
    chart = chart_by(walks, "sub-goals")
    rows = list(csv.DictReader(io.StringIO(chart_csv(chart))))
    assert len(rows) == sum(len(one.points) for one in chart.series)
    assert rows[0]["Sub-goals"] == chart.categories[0]
    assert float(rows[0]["SR (%)"]) == chart.series[0].points[0].y
