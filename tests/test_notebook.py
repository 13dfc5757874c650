"""``navviz.replay`` finds the graph of what ``navviz.open_run`` read."""

from __future__ import annotations

import gc

import pytest

import navviz
from navviz.runs import opened
from navviz.runs.sources import samples_dir


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
    copied = next(iter(run.traces.values())).model_copy()
    with pytest.raises(TypeError, match="graph="):
        navviz.replay(copied)
    key = copied.episode.id
    assert navviz.replay(copied, graph=run.graph(key)).graph is run.graph(key)


def test_what_is_forgotten_is_not_kept() -> None:
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    keys = {id(trace) for trace in run.traces.values()}
    assert keys <= set(opened._graphs_of)
    del run
    gc.collect()
    assert not keys & set(opened._graphs_of)


def test_msnavs_memory_joins_an_indoor_walk() -> None:
    run = navviz.open_run(samples_dir() / "house" / "runs" / "rules-indoors")
    plain, shown = navviz.replay(run, "101_0"), navviz.replay(run, "101_0", memory=True)
    assert "Map (as MSNav)" in shown.html()
    assert "Map (as MSNav)" not in plain.html()
