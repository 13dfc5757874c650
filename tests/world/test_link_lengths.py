"""Lengths and shapes of links: from networkx and osmnx, and all that is measured along them."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import networkx as nx
import numpy as np
import pytest

from navviz.formats import open_graph
from navviz.metrics.path import Ruler, score_path, shortest_m
from navviz.records import Episode
from navviz.world.geometry import bearing_deg, destination, great_circle_m
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg, line_of
from navviz.world.scene_graph import with_places
from tests.paths import SAMPLES

HERE = (54.0, 10.0)
"""South-west corner of a street that runs around three sides of a block: 35 m north, 19 m east, 35
m south.
"""
NORTH_WEST = destination(HERE, 0.0, 35.0)
NORTH_EAST = destination(NORTH_WEST, 90.0, 19.0)
SOUTH_EAST = destination(NORTH_EAST, 180.0, 35.0)


def curved(**edge: Any) -> nx.MultiDiGraph:
    """One street of 89 m between two nodes 19 m apart, as osmnx has it: longitude first."""
    shapely = pytest.importorskip("shapely")
    shape = nx.MultiDiGraph(crs="epsg:4326", created_with="OSMnx 2.1.1", name="block")
    shape.add_node(1, x=HERE[1], y=HERE[0])
    shape.add_node(2, x=SOUTH_EAST[1], y=SOUTH_EAST[0])
    line = shapely.LineString(
        [(lon, lat) for lat, lon in (HERE, NORTH_WEST, NORTH_EAST, SOUTH_EAST)]
    )
    shape.add_edge(1, 2, geometry=line, **edge)
    shape.add_edge(2, 1, geometry=line.reverse(), **edge)
    return shape


def test_a_curved_street_of_89_metres_counts_89():
    graph = open_graph(curved(length=89.0))
    assert graph.distance_m("1", "2") == pytest.approx(19.0, abs=0.01), "in a straight line"
    assert graph.link_m("1", "2") == 89.0
    assert graph.path_length_m(["1", "2", "1"]) == 178.0
    assert (
        graph.geodesic_m("1", "2")
        == shortest_m(graph, "1", "2")
        == graph.geodesics_from("1")["2"]
        == 89.0
    )
    assert graph.lengths_m.tolist() == [89.0, 89.0]


def test_without_a_length_a_link_is_as_long_as_its_shape():
    graph = open_graph(curved())
    assert graph.link_m("1", "2") == pytest.approx(89.0, abs=0.01)
    assert graph.link_m("2", "1") == pytest.approx(89.0, abs=0.01)


def test_one_leaves_along_the_first_segment_and_arrives_along_the_last():
    graph = open_graph(curved())
    assert dict(graph.links("1"))["2"] == pytest.approx(bearing_deg(HERE, NORTH_WEST), abs=1e-6)
    assert departure_deg(graph, "1", "2") == pytest.approx(0.0, abs=1e-6)
    assert arrival_deg(graph, "1", "2") == pytest.approx(180.0, abs=1e-3)
    assert departure_deg(graph, "2", "1") == pytest.approx(0.0, abs=1e-3), (
        "the way back leaves to the north, too"
    )
    assert graph.heading_deg("1", "2") == pytest.approx(90.0, abs=0.1), "straight there it is east"


def test_a_heading_that_the_graph_names_wins():
    graph = open_graph(curved(heading_deg=12.0))
    assert dict(graph.links("1")) == {"2": 12.0}


def test_a_path_is_drawn_with_its_bends():
    graph = open_graph(curved())
    expected = [HERE, NORTH_WEST, NORTH_EAST, SOUTH_EAST, NORTH_EAST, NORTH_WEST, HERE]
    np.testing.assert_allclose(line_of(graph, ["1", "2", "1"]), expected, atol=1e-12)
    assert line_of(graph, []).shape == (0, 2)
    assert line_of(graph, ["2"]).tolist() == [pytest.approx(SOUTH_EAST)]


def test_metrics_measure_along_the_street():
    graph = open_graph(curved(length=89.0))
    episode = Episode(
        id="1", dataset="d", instruction="Go round.", start="1", reference_path=("1", "2"), goal="2",
        success_radius_m=3.0,
    )  # fmt: skip
    scores = score_path(["1", "2", "1", "2"], episode, Ruler(graph))
    assert (scores["TL"], scores["RL"], scores["PLR"]) == (267.0, 89.0, 3.0)
    assert scores["SPL"] == pytest.approx(1 / 3)
    stays = score_path(["1"], episode, Ruler(graph))
    assert stays["NE"] == pytest.approx(19.0, abs=0.01), (
        "outdoors the error is the straight line, by definition"
    )
    assert score_path(["1"], episode, Ruler(graph, "geodesic"))["NE"] == 89.0


def test_of_parallel_edges_the_shortest_stays():
    shape = curved(length=89.0)
    shape.add_edge(1, 2, length=20.0)
    shape.add_edge(1, 2, length=40.0)
    graph = open_graph(shape)
    assert len(graph.targets) == 2
    assert graph.link_m("1", "2") == 20.0
    assert graph.link_m("2", "1") == 89.0
    assert len(graph.bends("1", "2")) == 0
    assert len(graph.bends("2", "1")) == 2


def test_an_undirected_edge_leads_both_ways_along_its_shape():
    shape = curved(length=89.0)
    one_way = nx.Graph(shape.to_undirected(), crs="epsg:4326")
    graph = open_graph(one_way)
    assert graph.lengths_m.tolist() == [89.0, 89.0]
    np.testing.assert_allclose(
        line_of(graph, ["1", "2"]), [HERE, NORTH_WEST, NORTH_EAST, SOUTH_EAST]
    )
    np.testing.assert_allclose(
        line_of(graph, ["2", "1"]), [SOUTH_EAST, NORTH_EAST, NORTH_WEST, HERE]
    )


def test_a_shape_that_runs_the_other_way_is_turned_round():
    shape = curved()
    shape.edges[1, 2, 0]["geometry"] = shape.edges[2, 1, 0]["geometry"]
    graph = open_graph(shape)
    np.testing.assert_allclose(
        line_of(graph, ["1", "2"]), [HERE, NORTH_WEST, NORTH_EAST, SOUTH_EAST]
    )


def test_a_shape_as_text_is_read():
    shape = curved()
    for _, _, data in shape.edges(data=True):
        data["geometry"] = data["geometry"].wkt
        data["length"] = "89.5"
    graph = open_graph(shape)
    assert graph.link_m("1", "2") == 89.5
    assert len(graph.bends("1", "2")) == 2


@pytest.mark.parametrize("length", ["long", float("nan"), float("inf"), -3.0, None, [1, 2]])
def test_a_length_that_is_none_is_named_and_the_shape_counts(length):
    shape = curved(length=89.0)
    shape.edges[1, 2, 0]["length"] = length
    graph = open_graph(shape)
    assert graph.link_m("1", "2") == pytest.approx(89.0, abs=0.01)
    said = [str(problem) for problem in graph.info.problems.kept]
    if length is None:
        assert not said, "an attribute that is empty is as good as missing"
    else:
        assert len(said) == 1
        assert "block" in said[0]
        assert "link 1 to 2 has the length" in said[0]


def test_a_shape_that_is_no_line_in_degrees_is_named_and_left_out():
    shapely = pytest.importorskip("shapely")
    shape = curved(length=89.0)
    shape.edges[1, 2, 0]["geometry"] = shapely.LineString(
        [(564_000.0, 4_180_000.0), (564_100.0, 4_180_100.0)]
    )
    graph = open_graph(shape)
    assert len(graph.bends("1", "2")) == 0
    assert graph.link_m("1", "2") == 89.0
    assert "the shape of link 1 to 2" in str(graph.info.problems.kept[0])


def test_links_shorter_than_a_straight_line_are_kept_and_named_and_the_search_stays_exact():
    shape = nx.DiGraph(frame="geo", name="feet")
    places = [
        HERE,
        destination(HERE, 90, 100),
        destination(HERE, 90, 200),
        destination(HERE, 0, 100),
    ]
    for k, place in enumerate(places):
        shape.add_node(str(k), position=place)
    shape.add_edge("0", "1", length=10.0)
    shape.add_edge("1", "2", length=10.0)
    shape.add_edge("0", "3", length=5.0)
    shape.add_edge("3", "2", length=12.0)
    graph = open_graph(shape)
    assert shortest_m(graph, "0", "2") == graph.geodesic_m("0", "2") == 17.0
    assert "4 links are shorter than the straight line between their nodes" in str(
        graph.info.problems.kept[0]
    )


def test_a_graph_without_lengths_keeps_none():
    graph = open_graph(SAMPLES / "harbour/osm/graph")
    assert graph.given_lengths_m is None
    assert graph.shapes is None
    again = Graph.from_networkx(graph.to_networkx())
    assert again.given_lengths_m is None
    assert again.shapes is None


def test_there_and_back_through_networkx():
    graph = open_graph(curved(length=89.0))
    shape = graph.to_networkx()
    assert shape.edges["1", "2"]["length_m"] == 89.0
    assert shape.edges["1", "2"]["shape"] == (HERE, NORTH_WEST, NORTH_EAST, SOUTH_EAST)
    assert_same_links(Graph.from_networkx(shape), graph)


def assert_same_links(one: Graph, other: Graph) -> None:
    assert list(one.ids) == list(other.ids)
    np.testing.assert_array_equal(one.positions, other.positions)
    links = dict(
        zip(zip(one.sources.tolist(), one.targets.tolist(), strict=True), itertools.count())
    )
    same = [
        links[pair] for pair in zip(other.sources.tolist(), other.targets.tolist(), strict=True)
    ]
    assert len(same) == len(links)
    np.testing.assert_allclose(one.lengths_m[same], other.lengths_m, rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        np.asarray(one.headings_deg)[same], np.asarray(other.headings_deg), atol=1e-9
    )
    for a, b in zip(other.sources.tolist(), other.targets.tolist(), strict=True):
        ends = other.ids[a], other.ids[b]
        np.testing.assert_allclose(one.bends(*ends), other.bends(*ends), atol=1e-9)


def test_cuts_keep_lengths_and_shapes():
    shape = curved(length=89.0)
    shape.add_node(3, x=HERE[1], y=HERE[0] - 0.001)
    shape.add_edge(3, 1, length=120.0)
    graph = open_graph(shape)
    cut = graph.subgraph(["2", "1"])
    assert (cut.link_m("1", "2"), len(cut.bends("1", "2")), len(cut.bends("2", "1"))) == (
        89.0,
        2,
        2,
    )


def test_links_are_sorted_with_what_they_carry():
    shape = nx.DiGraph(frame="metric", name="hall")
    for k, place in enumerate([(0, 0, 0), (10, 0, 0), (10, 10, 0)]):
        shape.add_node(f"n{k}", position=place)
    shape.add_edge("n2", "n1", length=30.0, geometry="LINESTRING (10 10, 20 5, 10 0)")
    shape.add_edge("n0", "n1", length=11.0)
    order = ["n0", "n1", "n2"]
    ordered = nx.DiGraph(**shape.graph)
    ordered.add_nodes_from((node, shape.nodes[node]) for node in order)
    ordered.add_edges_from(shape.edges(data=True))
    graph = Graph.from_networkx(ordered)
    assert graph.link_m("n0", "n1") == 11.0
    assert graph.link_m("n2", "n1") == 30.0
    assert graph.bends("n2", "n1").tolist() == [[20.0, 5.0, 0.0]]
    assert dict(graph.links("n2"))["n1"] == pytest.approx(math.degrees(math.atan2(10, -5)) % 360)


def test_poses_of_a_walk_leave_lengths_and_shapes_as_they_are():
    shape = nx.DiGraph(frame="metric", name="hall")
    for node, place in (("b", (0, 0, 0)), ("a", (10, 0, 0))):
        shape.add_node(node, position=place)
    shape.add_edge("b", "a", length=30.0, geometry="LINESTRING (0 0, 5 10, 10 0)")
    graph = with_places(open_graph(shape), {"pose": (10.0, 5.0, 0.0)}, [("a", "pose", "b")])
    assert (graph.link_m("b", "a"), graph.link_m("a", "pose")) == (30.0, 5.0)
    assert graph.bends("b", "a").tolist() == [[5.0, 10.0, 0.0]]
    assert len(graph.bends("pose", "b")) == 0


@pytest.fixture(scope="module", params=[True, False], ids=["simplified", "unsimplified"])
def oakland(request, data_dir):
    osmnx = pytest.importorskip("osmnx")
    return osmnx.graph_from_xml(
        data_dir / "osm/West-Oakland.osm.bz2", simplify=request.param, retain_all=True
    )


@pytest.mark.data
def test_oakland_is_as_long_as_osmnx_says(oakland):
    graph = open_graph(oakland)
    shortest: dict[tuple[int, int], float] = {}
    for a, b, length in oakland.edges(data="length"):
        shortest[a, b] = min(length, shortest.get((a, b), math.inf))
    assert graph.lengths_m.sum() == pytest.approx(sum(shortest.values()), abs=1e-6)
    assert not graph.info.problems.kept


@pytest.mark.data
def test_distances_in_oakland_are_networkx_dijkstras(oakland):
    graph = open_graph(oakland)
    chosen = random.Random(7)
    nodes = list(oakland)
    pairs = [(chosen.choice(nodes), chosen.choice(nodes)) for _ in range(300)]
    for a, b in pairs:
        try:
            expected = nx.dijkstra_path_length(oakland, a, b, weight="length")
        except nx.NetworkXNoPath:
            expected = math.inf
        assert graph.geodesic_m(str(a), str(b)) == pytest.approx(expected, abs=1e-6)
        assert shortest_m(graph, str(a), str(b)) == pytest.approx(expected, abs=1e-6)
        path = graph.shortest_path(str(a), str(b))
        assert (math.inf if path is None else graph.path_length_m(path)) == pytest.approx(
            expected, abs=1e-6
        )


@pytest.mark.data
def test_oakland_through_graphml_and_back_is_the_same(oakland, tmp_path):
    osmnx = pytest.importorskip("osmnx")
    osmnx.save_graphml(oakland, tmp_path / "oakland.graphml")
    graph = open_graph(oakland)
    assert_same_links(open_graph(tmp_path / "oakland.graphml"), graph)
    assert_same_links(open_graph(graph.to_networkx()), graph)


@pytest.mark.data
def test_shapes_of_oakland_are_as_long_as_their_links(oakland):
    graph = open_graph(oakland)
    for a, b in zip(graph.sources.tolist(), graph.targets.tolist(), strict=True):
        line = line_of(graph, [graph.ids[a], graph.ids[b]])
        assert great_circle_m(line[:-1], line[1:]).sum() == pytest.approx(
            graph.link_m(graph.ids[a], graph.ids[b]), rel=1e-5, abs=1e-3
        )
