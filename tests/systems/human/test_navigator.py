"""A person's walk: what is in sight, choosing, turning, going back, and the trace it leaves."""

from __future__ import annotations

import pytest

from navviz.errors import InputError
from navviz.formats import open_graph
from navviz.metrics.score import score_trace
from navviz.records import Episode
from navviz.records.trace_files import fold, read_trace, write_trace
from navviz.runs.opened import samples_dir
from navviz.systems.human.navigator import HumanWalk
from tests.worlds import ROUTE, write_world


@pytest.fixture
def graph(tmp_path):
    return open_graph(write_world(tmp_path))


def episode(**changes: object) -> Episode:
    fields = {
        "id": "1", "dataset": "tiny", "instruction": "Walk to the light and turn right.",
        "start": "s1",
        "start_heading_deg": 0.0, "reference_path": tuple(ROUTE), "goal": "e1",
    }  # fmt: skip
    return Episode.model_validate({**fields, **changes})


def test_only_what_an_agent_sees_can_be_chosen(graph):
    walk = HumanWalk(episode(), graph, "fox")
    assert "x" in walk.place.routes
    assert "e2" not in walk.place.routes
    assert [poi.name for poi in walk.place.observation.pois] == ["light"]
    with pytest.raises(InputError, match="not in sight"):
        walk.choose("e2")


def test_a_walk_is_a_trace_that_is_scored_like_any_other(graph, tmp_path):
    walk = HumanWalk(episode(), graph, "fox")
    for target in ("x", "e0", "e1"):
        walk.choose(target)
    assert walk.path == ROUTE
    trace = fold(walk.events("human-fox", "2026-01-01T00:00:00+00:00"))
    assert trace.path == tuple(ROUTE)
    assert (trace.end.status, trace.end.node, len(trace.steps)) == ("done", "e1", 4)
    assert score_trace(trace, graph)["SR"] == 1.0
    write_trace(trace, tmp_path / "t.trace.jsonl")
    assert read_trace(tmp_path / "t.trace.jsonl") == trace


def test_turning_and_going_back(graph):
    walk = HumanWalk(episode(), graph, "fox")
    walk.choose("x")
    walk.choose("x")
    assert walk.place.heading_deg == pytest.approx(180.0, abs=1.0)
    assert "s1" in walk.place.routes
    walk.back()
    walk.back()
    assert (walk.place.node, walk.choices, walk.path) == ("s1", [], ["s1"])
    walk.back()
    assert walk.place.node == "s1"


def test_giving_up_is_noted(graph):
    trace = fold(HumanWalk(episode(), graph, "fox").events("r", "", gave_up=True))
    assert (trace.end.status, trace.steps[-1].decision.stop) == ("done", True)
    assert score_trace(trace, graph)["SR"] == 0.0


def test_a_start_that_is_not_on_the_map(graph):
    with pytest.raises(InputError, match="the start nowhere is not in the graph"):
        HumanWalk(episode(start="nowhere"), graph, "fox")


def test_indoors_one_sees_the_linked_viewpoints():
    graph = open_graph(samples_dir() / "house" / "connectivity")
    start = graph.ids[0]
    walk = HumanWalk(episode(start=start, reference_path=(), goal=None), graph, "fox")
    assert set(walk.place.routes) == set(graph.neighbours(start))
    target = graph.neighbours(start)[0]
    walk.choose(target)
    assert fold(walk.events("r", "")).path == (start, target)
