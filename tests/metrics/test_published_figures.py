"""The figures that GROKE prints, from its published runs."""

from __future__ import annotations

from collections import Counter

import pytest

from navviz.formats import open_episodes, open_graph, open_results
from navviz.metrics.divergence import find_divergence
from navviz.metrics.path import score_run, score_trace
from navviz.records.trace_files import read_trace, write_trace

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def graph(data_dir):
    return open_graph(data_dir / "map2seq")


@pytest.fixture(scope="module")
def runs(data_dir, graph):
    folder = data_dir / "groke" / "paper_results"
    known = open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes
    files = ("main_test_seen", "test_seen_json", "test_seen")
    return {(file, run.method): run for file in files for run in open_results(folder / f"{file}.json", graph, known)}


@pytest.fixture(scope="module")
def walked(runs, graph):
    """Scores of the 700 walks as they were walked, and where each parts from its route; read by two tests, changed by none."""
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


@pytest.mark.parametrize(
    ("file", "method", "count", "printed"),
    [
        ("main_test_seen", "json", 700, ("56.8", "66.4", "78.4", None, "0.634")),  # Table 2
        ("test_seen_json", "json", 100, ("41.3", "74.0", "82.0", None, "0.714")),  # Table 10, Auto
        ("test_seen", "json", 100, ("68.4", "63.0", "74.0", "0.643", None)),  # appendix A.1
        ("test_seen", "textual", 100, ("70.8", "61.0", "67.0", "0.633", None)),
        ("test_seen", "graph_vis", 100, ("96.7", "40.0", None, None, None)),
        ("test_seen", "grid", 100, (None, "10.0", None, None, None)),
    ],
)
def test_figures_come_out_to_the_printed_digit(runs, graph, file, method, count, printed):
    scores = score_run(runs[file, method], graph)
    assert len(scores) == count
    found = _printed(scores.means)
    assert tuple(b if a is not None else None for a, b in zip(printed, found, strict=True)) == printed


def test_a_trace_that_was_saved_scores_as_the_run_does(runs, graph, tmp_path):
    """Four of the 700 come back to an earlier waypoint, which the path alone does not tell."""
    run, path = runs["main_test_seen", "json"], tmp_path / "a.trace.jsonl"
    assert len(run.traces) == 700
    for trace in run.traces.values():
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
    assert all(divergence.step is not None for divergence in found.values() if divergence.kind != "none")


def test_overshoots_are_oracle_successes(walked):
    rows, found = walked
    assert all(rows[key]["OSR"] == 1.0 for key, divergence in found.items() if divergence.kind == "overshoot")
