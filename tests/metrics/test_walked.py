"""Waypoints joined to paths."""

from itertools import pairwise

import numpy as np
import pytest

from navviz.errors import Problem, Problems
from navviz.metrics.walked import published_path
from navviz.systems.groke.logs.states import join_legs
from navviz.world.graph import Graph
from navviz.world.search import fewest_links
from tests.grids import grid, name

GRAPH = grid(5)


def _graph(points, links):
    ids = list(points)
    pairs = [(ids.index(a), ids.index(b)) for a, b in links]
    a, b = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    return Graph("g", "metric", ids, np.array([points[i] for i in ids], float), a, b)


def test_fewest_links_first_then_least_length():
    points = {
        "a": (0, 0, 0), "far": (5, 50, 0), "near": (5, 1, 0), "b": (10, 0, 0), "m": (3, 0, 0),
        "n": (6, 0, 0),
    }  # fmt: skip
    links = [
        ("a", "far"), ("far", "b"), ("a", "near"), ("near", "b"), ("a", "m"), ("m", "n"),
        ("n", "b"),
    ]  # fmt: skip
    assert fewest_links(_graph(points, links), "a", "b") == ("a", "near", "b")
    assert fewest_links(_graph(points, links[::-1]), "a", "b") == ("a", "near", "b")


def test_a_cheaper_parent_in_the_same_layer_replaces_an_earlier_one():
    points = {"a": (0, 0, 0), "x": (0, 9, 0), "y": (0, 1, 0), "b": (0, 2, 0), "c": (0, 3, 0)}
    graph = _graph(points, [("a", "x"), ("x", "b"), ("a", "y"), ("y", "b"), ("b", "c")])
    assert fewest_links(graph, "a", "c") == ("a", "y", "b", "c")


def test_no_way_and_no_distance():
    graph = _graph({"a": (0, 0, 0), "b": (1, 0, 0), "c": (2, 0, 0)}, [("a", "b"), ("c", "b")])
    assert fewest_links(graph, "a", "c") is None
    assert fewest_links(graph, "a", "a") == ("a",)


def _layer_by_layer(graph, start):
    """Fewest links to each node and the least length among those ways, without any shortcut."""
    found, front = {start: (0, 0.0)}, [start]
    while front:
        reached = {}
        for node in front:
            links, walked_m = found[node]
            for target in graph.neighbours(node):
                length_m = walked_m + graph.link_m(node, target)
                if target not in found and length_m < reached.get(target, (0, np.inf))[1]:
                    reached[target] = (links + 1, length_m)
        found |= reached
        front = list(reached)
    return found


def test_one_way_streets_searched_from_both_ends_give_the_same():
    random = np.random.default_rng(0)
    ids = [str(number) for number in range(60)]
    sources, targets = random.integers(0, 60, (2, 110)).astype(np.int32)
    graph = Graph("g", "metric", ids, random.uniform(0, 50, (60, 3)), sources, targets)
    for start in ids[:20]:
        found = _layer_by_layer(graph, start)
        for goal in ids:
            path = fewest_links(graph, start, goal)
            assert (path is None) == (goal not in found)
            if path is not None:
                expected = (len(path) - 1, pytest.approx(graph.path_length_m(path)))
                assert found[goal] == expected


@pytest.mark.parametrize("goal", [name(r, c) for r in range(5) for c in range(5)])
def test_as_few_links_as_breadth_first_search(goal):
    path = fewest_links(GRAPH, "r0c0", goal)
    assert len(path) == len(GRAPH.hops("r0c0", goal))
    assert all(GRAPH.has_link(a, b) for a, b in pairwise(path))


def test_legs():
    problems, where = Problems(), Problem("", "", "f.json", "e")
    legs = join_legs(GRAPH, ["r0c0", "r0c2", None, "r0c2", "x", "r1c2"], where, problems)
    assert [leg.path for leg in legs] == [("r0c0", "r0c1", "r0c2"), (), (), (), ("r0c2", "r1c2")]
    assert [leg.fault for leg in legs] == [
        None,
        "the log names no node here",
        None,
        "is not in the graph",
        None,
    ]
    assert [str(p) for p in problems.kept] == [
        "f.json, episode e: waypoint 5 is not in the graph; choose the graph of this run; it is skipped."
    ]


@pytest.mark.parametrize("waypoints", [[], [None], [None, "r0c0"], ["x", "r0c0"]])
def test_no_legs_without_a_known_start(waypoints):
    assert join_legs(GRAPH, waypoints, Problem(""), Problems()) == []


def test_unreachable_waypoints_are_told():
    graph = _graph({"a": (0, 0, 0), "b": (1, 0, 0), "c": (2, 0, 0)}, [("a", "b"), ("c", "b")])
    problems = Problems()
    (leg,) = join_legs(graph, ["a", "c"], Problem(""), problems)
    assert (leg.path, leg.fault, problems.count) == ((), "cannot be reached", 1)
    assert published_path(graph, ["a", "c"]) == ("a", "c")


def test_the_published_path_drops_holes_and_all_repeats():
    assert published_path(GRAPH, ["r0c0", None, "r0c0", "r0c1", "r0c0", "x"]) == ("r0c0", "r0c1")
    assert published_path(GRAPH, []) == ()
    assert published_path(GRAPH, [None, "x"]) == ()
