"""Where a walk left the reference path: each kind by hand, and counts on published runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.metrics.divergence import find_divergence
from navviz.records import Decision, EndEvent, Trace
from tests.grids import episode, grid, name, route, straight, trace

GRAPH = grid(9)
REFERENCE = route(GRAPH, "r0c0", "r0c4", "r4c4")
"""East for four blocks, then north for four."""


def _find(*moves, status="done", legal=(), **changes):
    own_episode = episode(
        REFERENCE, **{"success_radius_m": 25.0, "start_heading_deg": 90.0, **changes}
    )
    return find_divergence(trace(own_episode, moves, status, legal=legal), GRAPH)


def test_followed_to_the_goal():
    found = _find(straight(0, 0, 4), route(GRAPH, "r0c4", "r4c4"))
    assert (found.kind, found.step, found.left) == ("none", None, False)
    assert found.sentence == "The agent never left the route and ended at the goal."


def test_stopped_within_the_radius():
    found = _find(straight(0, 0, 4), route(GRAPH, "r0c4", "r3c4"))
    assert found.kind == "none"
    assert found.error_m == pytest.approx(20, rel=1e-3)
    assert "20 m from the goal, within the success radius of 25 m" in found.sentence


def test_wrong_turn_without_return():
    found = _find(straight(0, 0, 4), straight(0, 4, 7), route(GRAPH, "r0c7", "r2c7"))
    assert (found.kind, found.step, found.node, found.returned_step, found.left) == (
        "wrong turn",
        2,
        "r0c4",
        None,
        True,
    )
    assert found.sentence == (
        "In step 2 the agent left the route, got 60 m off it and never came back; "
        "it ended 72 m from the goal, outside the success radius of 25 m."
    )


def test_wrong_turn_with_return():
    found = _find(
        straight(0, 0, 2), route(GRAPH, "r0c2", "r2c2"), route(GRAPH, "r2c2", "r2c4", "r4c4")
    )
    assert (found.kind, found.step, found.node) == ("wrong turn", 2, "r0c2")
    assert (found.returned_step, found.returned_node) == (3, "r2c4")
    assert found.off_route_m == pytest.approx(40, rel=1e-3)
    assert found.sentence.endswith("and came back in step 3; it ended at the goal.")


def test_wrong_at_the_very_start():
    found = _find(("r0c0", "r1c0"))
    assert (found.kind, found.step, found.node) == ("wrong turn", 1, "r0c0")


def test_turning_back_on_the_route_is_a_wrong_turn():
    found = _find(straight(0, 0, 3), straight(0, 3, 1))
    assert (found.kind, found.step, found.node) == ("wrong turn", 2, "r0c3")


def test_overshoot():
    found = _find(straight(0, 0, 4), route(GRAPH, "r0c4", "r8c4"))
    assert (found.kind, found.step) == ("overshoot", 2)
    assert found.off_route_m == pytest.approx(80, rel=1e-3)
    assert found.returned_step is None


def test_overshoot_that_came_back():
    found = _find(
        route(GRAPH, "r0c0", "r0c4", "r4c4"),
        route(GRAPH, "r4c4", "r7c4"),
        route(GRAPH, "r7c4", "r4c4"),
    )
    assert (found.kind, found.step, found.returned_step, found.returned_node) == (
        "overshoot",
        2,
        3,
        "r4c4",
    )
    assert found.sentence.endswith("it ended at the goal.")


def test_a_departure_from_within_the_radius_is_an_overshoot():
    found = _find(route(GRAPH, "r0c0", "r0c4", "r3c4"), route(GRAPH, "r3c4", "r3c7"))
    assert found.kind == "overshoot"


def test_a_few_metres_past_the_goal_are_no_departure():
    assert _find(route(GRAPH, "r0c0", "r0c4", "r5c4")).kind == "none"


def test_undershoot():
    found = _find(straight(0, 0, 4))
    assert (found.kind, found.step, found.node) == ("undershoot", 1, "r0c4")
    assert found.sentence.startswith("The agent never left the route and ended 80 m")


def test_a_run_without_a_step():
    assert _find().kind == "undershoot"
    assert _find(status=None).kind == "did not stop"


@pytest.mark.parametrize("status", ["limit", "budget", "stopped", "error", "unknown", None])
def test_never_left_but_did_not_stop(status):
    for moves in ((REFERENCE,), (straight(0, 0, 2),)):
        found = _find(*moves, status=status)
        assert (found.kind, found.step) == ("did not stop", 1)


def test_a_stop_decision_counts_as_stopped():
    made = trace(episode(REFERENCE), [REFERENCE], None)
    step = made.steps[0].model_copy(update={"decision": Decision(stop=True)})
    assert find_divergence(made.model_copy(update={"steps": (step,)}), GRAPH).kind == "none"


def test_illegal_decisions_that_end_the_run():
    found = _find(straight(0, 0, 2), (), (), status="error", legal=(True, False, False))
    assert (found.kind, found.step, found.node) == ("illegal decision", 2, "r0c2")


def test_an_illegal_decision_that_was_made_good_is_no_divergence():
    assert (
        _find(
            straight(0, 0, 2), (), route(GRAPH, "r0c2", "r0c4", "r4c4"), legal=(True, False, True)
        ).kind
        == "none"
    )


def test_illegal_at_the_goal_does_not_matter():
    assert _find(REFERENCE, (), status="done", legal=(True, False)).kind == "none"


def test_without_a_reference():
    assert find_divergence(
        trace(episode(("r0c0",)).model_copy(update={"reference_path": ()}), []), GRAPH
    ).kind == ("no reference")
    assert find_divergence(trace(episode(("r0c0", "nowhere")), []), GRAPH).kind == "no reference"


def test_nodes_that_the_graph_lacks_leave_nothing_to_compare():
    # left out, they would make a short cut of a walk that nobody can place
    found = _find((*REFERENCE[:3], "nowhere", *REFERENCE[3:]))
    assert found.kind == "no reference"
    assert found.sentence.startswith("The map lacks 1 of ")


def test_a_loop_must_be_walked():
    """The reference goes round a block and on; cutting the loop is a departure, walking it is
    none.
    """
    loop = (*route(GRAPH, "r0c0", "r0c4", "r4c4", "r4c0", "r0c0", "r0c1"), "r1c1", "r2c1", "r3c1")
    own_episode = episode(loop, success_radius_m=15.0)
    assert find_divergence(trace(own_episode, [loop]), GRAPH).kind == "none"
    short = find_divergence(
        trace(own_episode, [("r0c0", "r0c1"), ("r0c1", "r1c1", "r2c1", "r3c1")]), GRAPH
    )
    assert (short.kind, short.step, short.node) == ("wrong turn", 2, "r0c1")


@given(st.lists(st.sampled_from([name(r, c) for r in range(7) for c in range(7)]), max_size=6))
def test_any_walk_is_explained_in_one_sentence(stops):
    path = route(GRAPH, "r0c0", *stops)
    made: Trace = trace(episode(REFERENCE), [path])
    found = find_divergence(made, GRAPH)
    assert found.sentence.endswith(".")
    assert "nan" not in found.sentence
    assert found.kind != "no reference"
    if set(path) <= set(REFERENCE) and path == REFERENCE[: len(path)]:
        assert not found.left
    if found.left:
        assert found.step == 1
        assert found.error_m is not None


def test_an_end_event_of_another_kind_of_trace():
    made = trace(episode(REFERENCE), [REFERENCE]).model_copy(
        update={"end": EndEvent(status="done", reason="said so")}
    )
    assert find_divergence(made, GRAPH).kind == "none"
