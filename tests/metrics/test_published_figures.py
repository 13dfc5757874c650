"""The figures that GROKE prints, from its published runs."""

from collections import Counter

import pytest

from navviz.formats import open_episodes, open_graph, open_results
from navviz.metrics.divergence import find_divergence
from navviz.metrics.score import score_run, score_trace
from navviz.records.trace_files import read_trace, write_trace
from navviz.systems.groke.printed import TABLES

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def graph(data_dir):
    return open_graph(data_dir / "map2seq")


@pytest.fixture(scope="module")
def runs(data_dir, graph):
    folder = data_dir / "groke" / "paper_results"
    known = open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes
    files = ("main_test_seen", "test_seen_json", "test_seen")
    return {
        (file, run.method): run
        for file in files
        for run in open_results(folder / f"{file}.json", graph, known)
    }


@pytest.fixture(scope="module")
def walked(runs, graph):
    """Scores of the 700 walks as they were walked, and where each parts from its route; read by two
    tests, changed by none.
    """
    run = runs["main_test_seen", "json"]
    divergences = {key: find_divergence(trace, graph) for key, trace in run.traces.items()}
    return score_run(run, graph, "walked").rows, divergences


def _printed(means):
    return (
        f"{means['NE']:.1f}",
        f"{100 * means['SR']:.1f}",
        f"{100 * means['OSR']:.1f}",
        f"{means['nDTW_groke']:.3f}",
        f"{means['SDTW_groke']:.3f}",
    )


OWN = [
    (table, row)
    for table in TABLES
    for row in table.rows
    if row.run in {"main_test_seen.json", "test_seen.json"}
    and not row.band
    and row.method != "grid"
]
"""Rows over whole runs whose figures are ours, too: of the grid GROKE's scripts leave episodes out.
"""


@pytest.mark.parametrize(("table", "row"), OWN, ids=lambda one: one.name)
def test_figures_come_out_to_the_printed_digit(runs, graph, table, row):
    scores = score_run(runs[row.run.removesuffix(".json"), row.method], graph)
    found = dict(
        zip(("NE", "SR", "OSR", "nDTW_groke", "SDTW_groke"), _printed(scores.means), strict=True)
    )
    printed = table.printed(row)
    assert {column: found[table.columns[column]] for column in printed} == printed


def test_the_success_rate_of_the_grid_is_the_printed_one(runs, graph):
    scores = score_run(runs["test_seen", "grid"], graph)
    assert (len(scores), _printed(scores.means)[1]) == (100, "10.0")


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_trace_that_was_saved_scores_as_the_run_does(runs, graph, tmp_path, every):
    """Four of the 700 come back to an earlier waypoint, which the path alone does not tell."""
    run, path = runs["main_test_seen", "json"], tmp_path / "a.trace.jsonl"
    assert len(run.traces) == 700
    walks = list(run.traces.values())
    returning = [trace for trace in walks if len(set(trace.path)) < len(trace.path)]
    assert len(returning) == 7
    for trace in [*returning, *walks[::every]]:
        write_trace(trace, path)
        assert score_trace(read_trace(path), graph) == score_trace(trace, graph), trace.episode.id


def test_the_grid_is_about_175_m_off(runs, graph):
    assert score_run(runs["test_seen", "grid"], graph).means["NE"] == pytest.approx(175, abs=2)


def test_every_failure_has_a_kind_and_the_counts_add_up(walked):
    rows, found = walked
    success = {key: row["SR"] == 1.0 for key, row in rows.items()}
    kinds = Counter((divergence.kind, success[key]) for key, divergence in found.items())
    assert sum(kinds.values()) == 700
    assert sum(count for (_, ok), count in kinds.items() if ok) == 465
    assert kinds["none", False] == kinds["undershoot", True] == kinds["illegal decision", True] == 0
    assert kinds["none", True] + kinds["wrong turn", True] + kinds["overshoot", True] == 465
    assert kinds["wrong turn", False] > kinds["overshoot", False] > kinds["undershoot", False] > 0
    assert all(
        divergence.step is not None for divergence in found.values() if divergence.kind != "none"
    )


def test_overshoots_are_oracle_successes(walked):
    rows, found = walked
    assert all(
        rows[key]["OSR"] == 1.0
        for key, divergence in found.items()
        if divergence.kind == "overshoot"
    )
