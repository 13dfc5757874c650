"""Every departure of a walk, and which of them decided the end."""

import pytest

from navviz.formats import open_graph, open_results
from navviz.metrics.divergence import find_divergence
from navviz.metrics.score import score_run
from navviz.records import EndEvent, SubGoal
from tests.grids import episode, grid, route, straight, trace

GRAPH = grid(9)
REFERENCE = route(GRAPH, "r0c0", "r0c4", "r4c4")


def _find(*moves, status="done", **changes):
    own_episode = episode(
        REFERENCE, **{"success_radius_m": 25.0, "start_heading_deg": 90.0, **changes}
    )
    return find_divergence(trace(own_episode, moves, status), GRAPH)


def test_the_departure_that_was_not_repaired_is_named():
    found = _find(
        straight(0, 0, 2),
        route(GRAPH, "r0c2", "r1c2"),
        route(GRAPH, "r1c2", "r1c3", "r0c3"),
        route(GRAPH, "r0c3", "r0c7"),
    )
    assert [(d.step, d.node, d.returned_step) for d in found.departures] == [
        (2, "r0c2", 3),
        (4, "r0c4", None),
    ]
    assert (found.kind, found.step, found.node, found.returned_step) == (
        "wrong turn",
        4,
        "r0c4",
        None,
    )


def test_a_repaired_departure_and_an_early_stop_is_an_undershoot():
    found = _find(
        straight(0, 0, 1), route(GRAPH, "r0c1", "r1c1", "r1c2", "r0c2"), straight(0, 2, 3)
    )
    assert (found.kind, found.step, found.left) == ("undershoot", 3, False)
    assert "The agent had come back to the route and ended 82 m" in found.sentence
    assert len(found.departures) == 1


def test_walking_the_route_backwards_is_a_departure():
    found = _find(straight(0, 0, 3), straight(0, 3, 0))
    assert (found.kind, found.step, found.node) == ("wrong turn", 2, "r0c3")
    assert found.departures[0].backwards


def test_the_way_back_after_a_return_starts_where_it_came_back():
    found = _find(straight(0, 0, 2), route(GRAPH, "r0c2", "r1c2", "r0c2"), straight(0, 2, 0))
    assert [(d.node, d.taken) for d in found.departures] == [("r0c2", "r1c2"), ("r0c2", "r0c1")]
    assert found.departures[1].before[-3:] == ("r0c2", "r1c2", "r0c2")
    assert found.departures[1].after == ("r0c2", "r0c1", "r0c0")


def _plan(*status):
    return tuple(SubGoal(description=f"part {k}", status=s) for k, s in enumerate(status, start=1))


@pytest.mark.parametrize(("path", "plan", "gave_up"), [
    (straight(0, 0, 2), _plan("COMPLETED", "IN_PROGRESS", "TODO"), 1),
    (straight(0, 0, 2), _plan("COMPLETED", "TODO"), None),
    (REFERENCE, _plan("COMPLETED", "IN_PROGRESS"), None),
], ids=["in a sub-goal", "between two", "at the goal"])  # fmt: skip
def test_giving_up_in_a_sub_goal_is_told(path, plan, gave_up):
    made = trace(episode(REFERENCE), [path])
    found = find_divergence(
        made.model_copy(update={"end": EndEvent(status="done", plan=plan)}), GRAPH
    )
    assert found.gave_up == gave_up


@pytest.fixture(scope="module")
def published(data_dir):
    graph = open_graph(data_dir / "map2seq" / "osm" / "graph")
    (run,) = open_results(data_dir / "groke" / "paper_results" / "main_test_seen.json", graph)
    return graph, run, {key: find_divergence(one, graph) for key, one in run.traces.items()}


@pytest.mark.data
class TestPublished:
    @pytest.mark.nightly
    def test_no_failure_is_blamed_on_a_departure_that_was_repaired(self, published):
        graph, run, found = published
        missed = [key for key, row in score_run(run, graph).rows.items() if not row["SR"]]
        assert len(missed) == 235
        assert not [key for key in missed if found[key].returned_step is not None]
        assert sum(found[key].gave_up is not None for key in missed) == 53
        assert not [
            key for key, one in found.items() if one.gave_up is not None and key not in missed
        ]

    def test_walking_a_loop_back_is_named_where_it_began_for_good(self, published):
        found = published[2]["5741"]
        assert (found.kind, found.step) == ("wrong turn", 7)
        assert "never came back" in found.sentence
