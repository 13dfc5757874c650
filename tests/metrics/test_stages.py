"""Walks on graphs taken apart into sub-tasks."""

import numpy as np
import pytest

from navviz.metrics.score import score_trace
from navviz.metrics.stages import outcomes, reference_legs, walk_stages
from navviz.records import Decision, EndEvent, EndStatus, Episode, Step, Task, Trace, TraceHeader
from navviz.world.graph import Graph
from navviz.world.search import cut_at_goals, tour


def _line(count: int = 8) -> Graph:
    """Viewpoints 2 m apart on a line to the east: v0, v1 ..."""
    pairs = [(k, k + 1) for k in range(count - 1)]
    links = np.array(pairs + [(b, a) for a, b in pairs], np.int32)
    return Graph(
        name="line",
        frame="metric",
        ids=[f"v{k}" for k in range(count)],
        positions=np.array([[2.0 * k, 0.0, 0.0] for k in range(count)]),
        sources=links[:, 0],
        targets=links[:, 1],
    )


def _episode(*goals: tuple[str, ...], reference: tuple[str, ...] = ()) -> Episode:
    return Episode(
        id="e",
        dataset="tasks",
        instruction="Go there, then there.",
        world="line",
        start="v0",
        reference_path=reference,
        success_radius_m=1.0,
        tasks=tuple(Task(description=f"Go to {places[0]}", goals=places) for places in goals),
    )


def _trace(episode: Episode, moves: str, status: EndStatus = "done") -> Trace:
    """A walk: ``>`` a viewpoint on, ``<`` one back, ``.`` stop."""
    place, steps = 0, []
    for k, move in enumerate(moves, start=1):
        to = place + {">": 1, "<": -1}.get(move, 0)
        path = (f"v{place}", f"v{to}") if to != place else ()
        steps.append(
            Step(
                index=k,
                node=f"v{place}",
                heading_deg=90.0,
                path=path,
                decision=Decision(stop=move == "."),
            )
        )
        place = to
    header = TraceHeader(episode=episode, navigator="test")
    return Trace(header=header, steps=tuple(steps), end=EndEvent(status=status, node=f"v{place}"))


def test_each_stop_ends_a_stage_whatever_its_success():
    trace = _trace(_episode(("v2",), ("v5",), ("v0",)), ">>.>>.<<<<.")
    stages = walk_stages(trace, _line())
    assert [stage.status() for stage in stages] == ["reached", "stopped too far: 2.0 m", "reached"]
    assert [stage.begin_m for stage in stages] == [4.0, 6.0, 8.0]
    assert [stage.moves for stage in stages] == [2, 2, 4]
    assert [stage.walked_m for stage in stages] == [4.0, 4.0, 8.0]
    assert [stage.reference_moves for stage in stages] == [2, 3, 5]
    assert [stage.nearest_m for stage in stages] == [0.0, 2.0, 0.0]
    assert stages[0].oracle_step == 2


def test_scores_of_a_walk_with_its_terms():
    trace = _trace(_episode(("v2",), ("v5",)), ">>.>>.")
    scores = score_trace(trace, _line())
    assert scores["SR"] == 0.0
    assert scores["ISR"] == 0.5
    assert scores["CSR"] == 0.5
    assert scores["CGT"] == pytest.approx(2 / 5)
    assert scores["NE"] == 1.0
    assert scores["TAR"] == pytest.approx((1 + 1 - 1 / 6) / 2)
    assert scores["stops"] == 2


def test_passing_a_target_without_stopping_is_oracle_success():
    trace = _trace(_episode(("v1",), ("v3",)), ">>.>>>.")
    stages = walk_stages(trace, _line())
    assert [stage.oracle for stage in stages] == [True, True]
    assert [stage.oracle_step for stage in stages] == [1, 4]
    assert [stage.success() for stage in stages] == [False, False]


def test_a_cut_walk_ends_only_the_stage_it_was_in():
    trace = _trace(_episode(("v2",), ("v5",), ("v7",)), ">>.>", status="limit")
    stages = walk_stages(trace, _line())
    assert [stage.status() for stage in stages] == ["reached", "cut off: 4.0 m", "not attempted"]
    assert [each.ended for each in outcomes(stages)] == [True, True, False]
    running = walk_stages(trace.model_copy(update={"end": None}), _line())
    assert running[1].status() == "under way"


def test_a_navigator_that_ends_without_a_stop_has_stopped():
    stages = walk_stages(_trace(_episode(("v2",)), ">>"), _line())
    assert stages[0].status() == "reached"


def test_lengths_may_be_metres():
    stages = walk_stages(_trace(_episode(("v2",), ("v3",)), ">>>.."), _line())
    assert [(each.reference, each.walked) for each in outcomes(stages, lengths="metres")] == [
        (4.0, 6.0),
        (2.0, 0.0),
    ]


def test_success_may_ask_for_the_target_in_view():
    graph = _line()
    near = graph.position("v2")
    graph.positions[3] = [near[0] - 0.5, 0.0, 0.0]  # v3 lies half a metre behind v2
    stages = walk_stages(_trace(_episode(("v3",)), ">>."), graph)
    assert stages[0].success("distance") is True
    assert stages[0].in_view is False
    assert stages[0].success("distance+view") is False
    assert stages[0].status("distance+view") == "stopped near, but looked away"


def test_a_target_that_the_graph_lacks_leaves_figures_missing():
    stages = walk_stages(_trace(_episode(("nowhere",), ("v2",)), ">>.."), _line())
    assert stages[0].status() == "stopped too far: distance not known"
    scores = score_trace(_trace(_episode(("nowhere",), ("v2",)), ">>.."), _line())
    assert scores["SR"] is None
    assert scores["CSR"] is None
    assert scores["NE"] == 0.0


def test_a_target_out_of_reach_is_infinitely_far():
    graph = _line()
    island = graph.subgraph(["v0", "v1", "v2", "v5", "v6"])
    stages = walk_stages(_trace(_episode(("v6",)), ">>."), island)
    assert stages[0].status() == "stopped too far: cannot be reached"
    assert score_trace(_trace(_episode(("v6",)), ">>."), island)["TAR"] == 0.0


def test_the_way_through_targets_is_the_shortest_or_the_reference():
    graph = _line()
    assert tour(graph, "v2", [("v0", "v3"), ("v1",)]) == (("v2", "v3"), ("v3", "v2", "v1"))
    assert tour(graph, "v0", [("nowhere",)]) is None
    path = ("v0", "v1", "v2", "v1", "v2", "v3")
    assert cut_at_goals(path, [("v2",), ("v3",)]) == (path[:3], path[2:])
    assert cut_at_goals(path, [("v3",), ("v2",)]) is None
    assert reference_legs(_episode(("v2",), ("v3",), reference=path), graph) == (path[:3], path[2:])
    assert reference_legs(_episode(("v2",), ("v0",)), graph) == (
        ("v0", "v1", "v2"),
        ("v2", "v1", "v0"),
    )
