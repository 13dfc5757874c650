"""Shortest lengths towards a goal."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.formats import open_graph
from navviz.metrics import path
from navviz.metrics.path import geodesic_m
from navviz.world.graph import Graph
from tests.grids import grid

GRID = grid()


@given(st.sampled_from(GRID.ids), st.sampled_from(GRID.ids))
def test_outdoors_as_dijkstra_finds_it(a, b):
    assert geodesic_m(GRID, a, b) == pytest.approx(GRID.geodesic_m(a, b), rel=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_indoors_as_dijkstra_finds_it(seed):
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 12, 30, dtype=np.int32), random.integers(0, 12, 30, dtype=np.int32)
    graph = Graph("g", "metric", [str(i) for i in range(12)], random.uniform(0, 9, (12, 3)), a, b)
    for goal in graph.ids:
        assert geodesic_m(graph, "0", goal) == pytest.approx(graph.geodesic_m("0", goal), rel=1e-12)


def test_no_way():
    graph = Graph(
        "g", "metric", ["a", "b"], np.eye(2, 3), np.empty(0, np.int32), np.empty(0, np.int32)
    )
    assert geodesic_m(graph, "a", "b") == math.inf
    assert geodesic_m(graph, "a", "a") == 0.0


def test_a_length_is_searched_once_for_each_graph_and_few_are_kept(monkeypatch):
    searched = []
    monkeypatch.setattr(
        path, "shortest_m", lambda graph, *pair: searched.append((graph, pair)) or len(searched)
    )
    monkeypatch.setattr(path, "_KEPT", 2)
    one, other = grid(), grid()
    a, b, c, *_ = one.ids
    assert [
        geodesic_m(one, a, b),
        geodesic_m(one, a, b),
        geodesic_m(other, a, b),
        geodesic_m(one, b, a),
    ] == [1, 1, 2, 3]
    assert [geodesic_m(one, a, c), geodesic_m(one, a, b)] == [4, 5]


@pytest.mark.data
def test_on_the_published_graph(data_dir):
    graph = open_graph(data_dir / "map2seq")
    for k in range(0, 36_000, 1_500):
        a, b = graph.ids[k], graph.ids[k + 40]
        assert geodesic_m(graph, a, b) == pytest.approx(graph.geodesic_m(a, b), rel=1e-9)
