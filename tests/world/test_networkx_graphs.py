"""Worlds to networkx and back, and graphs of networkx and osmnx as worlds."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from navviz.errors import InputError
from navviz.formats import open_graph
from navviz.world.graph import Graph
from navviz.world.networkx_graphs import is_networkx
from tests.paths import SAMPLES

ARRAYS = (
    "positions", "sources", "targets", "headings_deg",
    "poi_link_nodes", "poi_link_pois", "poi_link_headings_deg", "poi_link_positions",
)  # fmt: skip


def assert_same(one: Graph, other: Graph) -> None:
    assert (one.name, one.frame, list(one.ids)) == (other.name, other.frame, list(other.ids))
    assert one.info is other.info
    assert dict(one.pois) == dict(other.pois)
    assert list(one.pois) == list(other.pois)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def by_node(graph: Graph) -> dict[str, Any]:
    return {node: (graph.links(node), graph.poi_links(node)) for node in graph.ids}


@pytest.mark.parametrize("world", ["harbour/osm/graph", "house/connectivity"])
def test_a_sample_comes_back_unchanged(world):
    graph = open_graph(SAMPLES / world)
    again = Graph.from_networkx(graph.to_networkx())
    assert by_node(again) == by_node(graph)
    assert_same(Graph.from_networkx(again.to_networkx()), again)


@pytest.mark.data
@pytest.mark.nightly
def test_manhattan_comes_back_unchanged(data_dir):
    graph = open_graph(data_dir / "map2seq")
    shape = graph.to_networkx()
    assert (shape.number_of_nodes(), shape.number_of_edges()) == (36_108, 74_764)
    again = Graph.from_networkx(shape)
    assert (len(again.pois), len(again.poi_link_nodes)) == (6_794, len(graph.poi_link_nodes))
    assert len(graph.poi_link_nodes) > 59_000
    assert by_node(again) == by_node(graph)
    np.testing.assert_array_equal(again.positions, graph.positions)


def test_lengths_and_headings_stand_on_the_links():
    graph = open_graph(SAMPLES / "harbour/osm/graph")
    a = graph.ids[0]
    b, heading_deg = graph.links(a)[0]
    link = graph.to_networkx().edges[a, b]
    assert link == {"heading_deg": heading_deg, "length_m": pytest.approx(graph.distance_m(a, b))}


def test_a_graph_of_osmnx_keeps_its_nodes():
    streets = nx.MultiDiGraph(crs="epsg:4326", created_with="OSMnx 2.1.1")
    streets.add_node(11, x=10.0, y=54.0, street_count=1)
    streets.add_node(12, x=10.0, y=54.001, street_count=2)
    streets.add_node(13, x=10.002, y=54.001, street_count=1)
    streets.add_edges_from([(11, 12), (12, 11), (12, 13), (12, 13)])
    graph = open_graph(streets)
    assert (graph.frame, list(graph.ids), graph.info.attribution) == (
        "geo", ["11", "12", "13"], "© OpenStreetMap contributors",
    )  # fmt: skip
    assert graph.position("13") == (54.001, 10.002)
    assert [node for node, _ in graph.links("12")] == ["11", "13"]
    assert dict(graph.links("12"))["11"] == pytest.approx(180)
    assert dict(graph.links("12"))["13"] == pytest.approx(90, abs=0.01)


def test_a_plain_grid_is_a_world_in_metres():
    grid = nx.grid_2d_graph(2, 3)
    nx.set_node_attributes(grid, {node: node for node in grid}, "pos")
    graph = open_graph(grid, frame="metric")
    assert graph.positions.shape == (6, 3)
    assert len(graph.targets) == 2 * grid.number_of_edges()
    assert graph.geodesic_m("(0, 0)", "(1, 2)") == pytest.approx(3)


def _shape(**attributes: Any) -> nx.DiGraph:
    shape = nx.DiGraph(**attributes)
    shape.add_node("a", position=(1.0, 2.0))
    shape.add_node("b", position=(1.0, 3.0))
    shape.add_edge("a", "b")
    return shape


def test_what_cannot_be_a_world_says_why():
    with pytest.raises(
        InputError, match=r"town: does not say what its positions are; open it with .*frame='geo'"
    ):
        open_graph(_shape(name="town"))
    with pytest.raises(
        InputError, match=r"is projected \(epsg:32632\); give it in degrees: osmnx.project_graph"
    ):
        open_graph(_shape(crs="epsg:32632"))
    with pytest.raises(InputError, match="has no nodes"):
        open_graph(nx.Graph(), frame="geo")
    lost, twice, odd = _shape(frame="geo"), _shape(frame="geo"), _shape(frame="geo")
    lost.add_node("c")
    with pytest.raises(
        InputError,
        match="node c has no position; give each node a position, lat and lon, or x and y",
    ):
        open_graph(lost)
    twice.add_nodes_from([(1, {"position": (0, 0)}), ("1", {"position": (0, 0)})])
    with pytest.raises(InputError, match="two nodes with one name"):
        open_graph(twice)
    odd.nodes["a"]["position"] = (float("nan"), 2.0)
    with pytest.raises(
        InputError, match=r"node a has the position \(nan, 2.0\); give 2 finite numbers"
    ):
        open_graph(odd)


def test_anything_else_is_refused():
    with pytest.raises(InputError, match="a path or a graph of networkx, not int"):
        open_graph(7)  # type: ignore[arg-type]


def test_only_graphs_of_networkx_are_taken_for_such():
    assert is_networkx(nx.MultiDiGraph())
    assert not is_networkx("graph")
    assert not is_networkx(open_graph(SAMPLES / "harbour/osm/graph"))


def test_nodes_with_lat_and_lon_need_no_frame():
    shape = nx.path_graph(3)
    for node in shape:
        shape.nodes[node].update(lat=51.5 + node / 1000, lon=-0.1)
    graph = open_graph(shape)
    assert (graph.frame, graph.position("2")) == ("geo", (51.502, -0.1))
    del shape.nodes[1]["lon"]
    with pytest.raises(InputError, match="does not say what its positions are"):
        open_graph(shape)
