"""The means that GROKE's own scripts print, where some episodes never moved."""

from __future__ import annotations

import pytest

from navviz.formats import open_episodes, open_graph, open_results
from navviz.metrics.score import RunScore, score_run
from navviz.records import Episode, Trace, TraceHeader
from navviz.systems.groke.metrics import as_authors


class Walks:
    name = "walks"

    def __init__(self, **waypoints: tuple[str | None, ...] | None) -> None:
        header = TraceHeader(
            episode=Episode(id="", dataset="d", instruction="", start="a"), navigator="groke"
        )
        self.traces = {
            key: Trace(header=header, waypoints=points) for key, points in waypoints.items()
        }


def test_who_never_moved_is_left_out_of_ne_and_perfect_in_ndtw():
    run = Walks(a=("x", "y"), b=("x", None), c=())
    rows = {
        "a": {"NE": 10.0, "SR": 1.0, "OSR": 1.0, "nDTW_groke": 0.5, "SDTW_groke": 0.5},
        "b": {"NE": 300.0, "SR": 0.0, "OSR": 0.0, "nDTW_groke": 0.01, "SDTW_groke": 0.0},
        "c": {"NE": None, "SR": None, "OSR": None, "nDTW_groke": None, "SDTW_groke": None},
    }
    found = as_authors(run, RunScore("walks", rows, {}, {}))
    assert found.never_moved == ("b", "c")
    third = pytest.approx(1 / 3)
    assert found.means == {
        "NE": 10.0,
        "SR": third,
        "OSR": third,
        "nDTW_groke": pytest.approx(2.5 / 3),
        "SDTW_groke": pytest.approx(0.5 / 3),
    }


def test_where_all_moved_their_means_are_ours():
    assert as_authors(Walks(a=("x", "y")), RunScore("walks", {"a": {"NE": 1.0}}, {}, {})) is None
    assert not Walks(own=None).traces["own"].never_moved, "our own traces keep no waypoints"


def test_where_nobody_moved_there_is_no_ne():
    found = as_authors(Walks(a=("x",)), RunScore("walks", {"a": {"NE": 3.0}}, {}, {}))
    assert found.means["NE"] is None
    assert found.means["nDTW_groke"] == 1.0


@pytest.mark.data
def test_the_grid_row_of_the_paper_comes_out_to_the_printed_digit(data_dir):
    graph = open_graph(data_dir / "map2seq")
    known = open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes
    path = data_dir / "groke" / "paper_results" / "test_seen.json"
    run = next(run for run in open_results(path, graph, known) if run.method == "grid")
    score = score_run(run, graph)
    theirs = as_authors(run, score)
    assert len(theirs.never_moved) == 2
    assert (f"{theirs.means['NE']:.1f}", f"{theirs.means['nDTW_groke']:.3f}") == ("175.4", "0.169")
    assert (f"{score.means['NE']:.1f}", f"{score.means['nDTW_groke']:.3f}") == ("176.7", "0.149"), (
        "ours, beside"
    )
