"""Correlations on hand-worked cases."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from navviz.formats import open_graph, open_results
from navviz.metrics.agreement import METHODS, correlate, correlation_table
from navviz.metrics.score import score_run
from navviz.systems.groke.printed import TABLES


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
