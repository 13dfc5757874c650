"""``navviz.replay`` finds the graph of what ``navviz.open_run`` read."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest

import navviz
from navviz.records import Trace
from navviz.runs.opened import graph_walked_on
from navviz.runs.sources import samples_dir
from navviz.views.player import output_cells


def test_a_trace_of_an_opened_run_brings_its_graph() -> None:
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    key = next(iter(run.traces))
    trace, graph = run.trace(key), run.graph(key)
    del run
    gc.collect()
    shown = navviz.replay(trace)
    assert shown.graph is graph
    assert trace.episode.id in shown._repr_html_()


def test_any_other_trace_asks_for_its_graph() -> None:
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    other = Trace.model_validate(next(iter(run.traces.values())).model_dump())
    with pytest.raises(TypeError, match="graph="):
        navviz.replay(other)
    key = other.episode.id
    assert navviz.replay(other, graph=run.graph(key)).graph is run.graph(key)


def test_a_copy_keeps_its_graph_and_a_pickle_leaves_it_out() -> None:
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    trace = next(iter(run.traces.values()))
    whole = Trace.model_validate(trace.model_dump())
    for copied in (trace.model_copy(), copy.deepcopy(trace)):
        assert copied == whole
        assert navviz.replay(copied).graph is run.graph(trace.episode.id)
    pickled = pickle.loads(pickle.dumps(trace))
    assert pickled == trace == whole
    assert graph_walked_on(pickled) is None
    assert trace.model_dump_json() == whole.model_dump_json()


def test_nothing_of_a_run_outlives_its_last_trace() -> None:
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    trace = next(iter(run.traces.values()))
    graph = weakref.ref(run.graph(trace.episode.id))
    del run
    gc.collect()
    assert graph() is not None
    del trace
    gc.collect()
    assert graph() is None


def test_msnavs_memory_joins_an_indoor_walk() -> None:
    run = navviz.open_run(samples_dir() / "house" / "runs" / "rules-indoors")
    plain, shown = navviz.replay(run, "101_0"), navviz.replay(run, "101_0", memory=True)
    assert "Map (as MSNav)" in shown.html()
    assert "Map (as MSNav)" not in plain.html()
    own = navviz.open_run(samples_dir() / "house" / "runs" / "msnav-by-hand")
    assert "Map efficiency" in navviz.replay(own, "101_0").html(), (
        "one with a map of its own is measured without asking"
    )


OUTDOORS_BYTES, INDOORS_BYTES = 400_000, 1_500_000
"""What an output may weigh at most."""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook in which nothing was shown yet."""
    monkeypatch.setattr(output_cells, "SCRIPTS", output_cells.NotebookScripts())


def weight(replay: navviz.Replay) -> int:
    return len(replay._repr_html_().encode())


@pytest.mark.usefixtures("fresh")
def test_outputs_are_light_and_plotly_stands_once_in_a_notebook() -> None:
    town = navviz.open_run(samples_dir() / "harbour" / "runs" / "groke-by-hand")
    house = navviz.open_run(samples_dir() / "house" / "runs" / "navgpt-by-hand")
    assert max(weight(navviz.replay(town, key)) for key in town.traces) < OUTDOORS_BYTES
    first, *others = (navviz.replay(house, key)._repr_html_() for key in house.traces)
    assert first.count("<script>") == 1, "the carrier; all else stands in the frame's attribute"
    assert max(len(other.encode()) for other in others) < INDOORS_BYTES
    assert all("<script>" not in other for other in others)
    assert len(navviz.replay(house, alone=True)._repr_html_()) > INDOORS_BYTES


@pytest.mark.data
@pytest.mark.usefixtures("fresh")
def test_outputs_of_published_runs_are_light(data_dir: Path) -> None:
    published = data_dir / "groke" / "paper_results"
    steps = navviz.open_run(
        published / "ablation_study_json", graphs=data_dir / "map2seq/osm/graph"
    )
    longest = sorted(steps.traces, key=lambda key: -len(steps.trace(key).steps))[:3]
    assert max(weight(navviz.replay(steps, key)) for key in longest) < OUTDOORS_BYTES
    house = navviz.open_run(
        data_dir / "navgpt" / "detail_val_unseen.json", graphs=data_dir / "mp3d_all/connectivity"
    )
    first = weight(navviz.replay(house))
    assert weight(navviz.replay(house)) < min(INDOORS_BYTES, first - INDOORS_BYTES)


@pytest.mark.usefixtures("fresh")
def test_the_cell_that_carries_plotly_carries_it_again_when_it_runs_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its output may have been cleared: nobody tells Python, but running that cell again mends
    it.
    """
    shell = SimpleNamespace(
        execution_count=0, get_parent=lambda: {"metadata": {"cellId": shell.cell}}, cell=""
    )
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))

    def carries(cell: str | None, count: int) -> bool:
        shell.cell, shell.execution_count = cell, count
        return output_cells.SCRIPTS.carries_plotly()

    assert [carries("a", 1), carries("a", 1), carries("b", 2), carries("a", 3), carries("b", 4)] == [
        True, False, False, True, False,
    ]  # fmt: skip
    assert not carries(None, 5), "a notebook that does not name its cells: once a kernel"
