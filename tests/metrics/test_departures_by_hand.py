"""What counts as following a route, and what is kept of each departure: on corridors measured in
metres.
"""

import numpy as np
import pytest

from navviz.metrics.departures import Route, follow, moves_of, route_of
from navviz.records import Decision, Step
from tests.grids import corridor, episode, house, trace

CORRIDOR = corridor("abcde")


def _route(reference="abcde", radius_m=25.0, walked="", graph=CORRIDOR, **changes):
    return route_of(
        episode(tuple(reference), success_radius_m=radius_m, **changes), graph, tuple(walked)
    )


def _walk(moves, reference="abcde", radius_m=25.0, graph=CORRIDOR, **changes):
    own_episode = episode(tuple(reference), success_radius_m=radius_m, **changes)
    made = trace(own_episode, [tuple(path) for path in moves])
    steps = list(moves_of(made))
    return follow(
        route_of(own_episode, graph, [own_episode.start, *(node for _, node in steps)]),
        steps,
        graph,
    )


def test_a_route_knows_what_is_left_of_it_and_how_far_its_goal_is():
    route = _route(walked="cx")
    assert route.rest_m.tolist() == [400.0, 300.0, 200.0, 100.0, 0.0]
    assert route.to_goal_m == {"c": 200.0, "a": 400.0}
    assert _route("abab").places == {"a": [0, 2], "b": [1, 3]}


@pytest.mark.parametrize(("goal", "distance_m"), [("d", 200.0), (None, 300.0), ("nowhere", 300.0)])
def test_the_goal_is_the_episodes_own_else_where_the_route_ends(goal, distance_m):
    assert _route(walked="b", goal=goal).to_goal_m["b"] == distance_m


@pytest.mark.parametrize(("at", "node", "radius_m", "place"), [
    (0, "a", 25.0, 0), (0, "b", 25.0, 1), (0, "c", 25.0, None), (0, "c", 199.0, None),
    (0, "c", 200.0, 2), (0, "d", 299.0, None), (2, "b", 25.0, None),
])  # fmt: skip
def test_a_cut_corner_follows_the_route_where_it_saves_no_more_than_the_radius(
    at, node, radius_m, place
):
    assert _route(radius_m=radius_m, walked="abcde").following(at, node) == place


@pytest.mark.parametrize(
    ("rest_m", "to_goal_m", "place"), [(5.0, 5.0, 0), (5.1, 5.0, None), (5.0, 5.1, None)]
)
def test_near_the_goal_any_node_within_the_radius_follows(rest_m, to_goal_m, place):
    route = Route(("a", "b"), {"a": [0], "b": [1]}, np.array([rest_m, 0.0]), {"x": to_goal_m}, 5.0)
    assert route.following(0, "x") == place


def test_a_step_without_a_path_stands_at_its_node():
    own_episode = episode(("a", "b"))
    made = trace(own_episode, [("a", "b")])
    still = Step(index=2, node="b", decision=Decision(stop=True))
    nowhere = Step(index=3, node=None, decision=Decision(stop=True))
    walked = list(moves_of(made.model_copy(update={"steps": (*made.steps, still, nowhere)})))
    assert [(step.index, node) for step, node in walked] == [(1, "a"), (1, "b"), (2, "b")]


def test_who_never_moves_ends_at_the_start_of_the_route():
    walk = _walk([])
    assert (walk.departures, walk.end, walk.place) == ((), "a", 0)


def test_the_first_move_may_leave_the_route():
    graph = house({"a": (0, 0, 0), "b": (9, 0, 0), "x": (0, 4, 0)}, "ab", "ax")
    (departure,) = _walk(["x"], "ab", 3.0, graph).departures
    assert (departure.node, departure.taken, departure.place, departure.step) == ("a", "x", 0, 1)
    assert (departure.before, departure.after) == (("a",), ("a", "x"))


def test_how_far_off_is_a_straight_line_through_the_house():
    graph = house(
        {"a": (0, 0, 0), "b": (20, 0, 0), "x": (-9, 0, 0), "y": (-9, 6, 0), "z": (0, 6, 0)},
        "ab",
        "axyz",
    )
    (departure,) = _walk(["axyz"], "ab", 3.0, graph).departures
    assert departure.off_route_m == pytest.approx(np.hypot(9, 6))


def test_a_corner_cut_too_far_is_a_departure_that_never_leaves_the_nodes_of_the_route():
    (departure,) = _walk(["abe"]).departures
    assert (departure.node, departure.taken, departure.returned_node, departure.off_route_m) == (
        "b",
        "e",
        "e",
        0.0,
    )
    assert departure.returned_step == 1
    (departure,) = _walk(["ac", "cde"]).departures
    assert (departure.node, departure.taken, departure.place) == ("a", "c", 0)


def test_each_departure_keeps_the_way_before_it():
    graph = house(
        {"a": (0, 0, 0), "b": (9, 0, 0), "c": (18, 0, 0), "x": (9, 4, 0), "y": (18, 4, 0)},
        "abc",
        "bxyc",
    )
    walk = _walk(["abxbxycy"], "abc", 3.0, graph)
    assert [departure.before for departure in walk.departures] == [
        ("a", "b"),
        ("a", "b", "x", "b"),
        ("a", "b", "x", "b", "x", "y", "c"),
    ]
    assert [departure.after for departure in walk.departures] == [
        ("b", "x", "b"),
        ("b", "x", "y", "c"),
        ("c", "y"),
    ]


@pytest.mark.parametrize(("radius_m", "kind"), [(100.0, "overshoot"), (99.9, "wrong turn")])
def test_who_leaves_within_the_radius_of_the_end_has_overshot(radius_m, kind):
    graph = house(
        {"a": (0, 0, 0), "b": (100, 0, 0), "c": (200, 0, 0), "x": (100, 150, 0)}, "abc", "bx"
    )
    (departure,) = _walk(["abx"], "abc", radius_m, graph).departures
    assert departure.kind == kind


def test_only_the_node_before_is_walking_backwards():
    (departure,) = _walk(["aba"]).departures
    assert departure.backwards
    loop = house({"a": (0, 0, 0), "b": (100, 0, 0), "c": (100, 100, 0), "d": (0, 100, 0)}, "abcda")
    (departure,) = _walk(["ad"], "abcd", 25.0, loop).departures
    assert (departure.taken, departure.returned_node) == ("d", "d")
    assert not departure.backwards
