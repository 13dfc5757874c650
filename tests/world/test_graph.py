"""The graph."""

import dataclasses
import gc
import math
import weakref

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.formats import open_graph
from navviz.world.graph import Graph, Poi
from navviz.world.per_graph import per_graph
from tests.grids import LAT0, LON0, SPACING_M, grid, name, straight, write_grid

GRAPH = grid()
NODES = st.sampled_from(list(GRAPH.ids))


def _indoors():
    positions = np.array([[0.0, 0, 0], [0, 4, 0], [3, 4, 0], [3, 4, 3], [9, 9, 9]])
    a, b = np.array([2, 0, 1, 1, 2, 3], np.int32), np.array([3, 1, 2, 0, 1, 2], np.int32)
    return Graph("house", "metric", list("abcde"), positions, a, b)


def test_what_a_graph_says():
    assert len(GRAPH) == 49
    assert "r0c0" in GRAPH
    assert "x" not in GRAPH
    assert repr(GRAPH) == "Graph('grid', 49 nodes, 168 links, 0 POIs)"
    assert GRAPH.position("r0c0") == (LAT0, LON0)
    with pytest.raises(KeyError):
        GRAPH.position("x")


def test_links():
    assert GRAPH.neighbours("r1c1") == ["r2c1", "r1c2", "r0c1", "r1c0"]
    assert GRAPH.links("r0c0") == [("r1c0", 0.0), ("r0c1", 90.0)]
    assert (GRAPH.degree("r0c0"), GRAPH.degree("r1c1")) == (2, 4)
    assert GRAPH.has_link("r0c0", "r0c1")
    assert not GRAPH.has_link("r0c0", "r1c1")
    assert not GRAPH.has_link("r0c0", "x")


def test_links_of_an_unsorted_file_keep_their_order_by_node():
    graph = _indoors()
    assert graph.neighbours("b") == ["c", "a"]
    assert [round(h) for _, h in graph.links("b")] == [90, 180]
    assert graph.neighbours("e") == []


def test_junction_degrees_count_streets_once():
    degrees = dict(zip(GRAPH.ids, GRAPH.junction_degrees.tolist(), strict=True))
    assert (degrees["r0c0"], degrees["r0c1"], degrees["r1c1"]) == (2, 3, 4)


def test_distances():
    assert GRAPH.distance_m("r0c0", "r0c1") == pytest.approx(SPACING_M, rel=1e-4)
    assert GRAPH.path_length_m(straight()) == pytest.approx(4 * SPACING_M, rel=1e-4)
    assert GRAPH.path_length_m(("r0c0",)) == GRAPH.path_length_m(()) == 0.0
    assert _indoors().distance_m("a", "c") == 5.0
    assert _indoors().path_length_m("abcd") == 10.0
    assert GRAPH.lengths_m == pytest.approx(np.full(168, SPACING_M), rel=1e-3)


def test_headings():
    assert GRAPH.heading_deg("r0c0", "r3c0") == pytest.approx(0.0, abs=0.01)
    assert GRAPH.heading_deg("r0c0", "r0c3") == pytest.approx(90.0, abs=0.01)
    assert _indoors().heading_deg("a", "c") == pytest.approx(math.degrees(math.atan2(3, 4)))


@given(NODES, NODES)
def test_searches_agree_with_networkx(a, b):
    other = GRAPH.to_networkx()
    assert len(GRAPH.hops(a, b)) == nx.shortest_path_length(other, a, b) + 1
    path = GRAPH.shortest_path(a, b)
    assert GRAPH.path_length_m(path) == pytest.approx(
        nx.dijkstra_path_length(other, a, b, "length_m")
    )
    assert GRAPH.geodesic_m(a, b) == pytest.approx(GRAPH.path_length_m(path))


def test_no_way():
    graph = _indoors()
    assert graph.hops("a", "e") is None
    assert graph.shortest_path("a", "e") is None
    assert graph.geodesic_m("a", "e") == math.inf
    assert graph.hops("a", "a") == graph.shortest_path("a", "a") == ("a",)
    assert graph.geodesic_m("a", "a") == 0.0


def test_geodesics_within_a_limit():
    graph = _indoors()
    assert graph.geodesics_from("a") == {"a": 0.0, "b": 4.0, "c": 7.0, "d": 10.0}
    assert graph.geodesics_from("a", 7.0) == {"a": 0.0, "b": 4.0, "c": 7.0}


def test_a_ball_of_hops():
    assert GRAPH.hop_ball(["r0c0"], 0) == {"r0c0"}
    assert GRAPH.hop_ball(["r0c0"], 2) == {"r0c0", "r1c0", "r0c1", "r2c0", "r1c1", "r0c2"}


def test_places():
    node, distance = GRAPH.nearest((LAT0 + 1e-5, LON0))
    assert (node, round(distance, 1)) == ("r0c0", 1.1)
    assert set(GRAPH.within(GRAPH.position("r1c1"), SPACING_M * 1.1)) == {
        "r1c1",
        "r0c1",
        "r2c1",
        "r1c0",
        "r1c2",
    }
    assert _indoors().nearest((3, 4, 2.9))[0] == "d"


def test_the_metric_frame_keeps_distances():
    p = GRAPH.metric_positions
    i, j = GRAPH.index["r0c0"], GRAPH.index["r5c6"]
    assert float(np.linalg.norm(p[i] - p[j])) == pytest.approx(
        GRAPH.distance_m("r0c0", "r5c6"), rel=1e-4
    )
    assert p[GRAPH.index["r0c1"]][0] > p[i][0]
    assert p[GRAPH.index["r1c0"]][1] > p[i][1]


def test_pois(tmp_path):
    graph = open_graph(write_grid(tmp_path / "town"))
    (link,) = graph.poi_links("r0c0")
    assert (link.node, link.poi, link.heading_deg, link.position) == (
        "r0c0",
        "p1",
        10.0,
        (LAT0, LON0),
    )
    assert graph.poi_links("r5c5") == []
    assert [poi.id for poi in graph.pois_near((LAT0, LON0), 25.0)] == ["p1", "p2"]
    assert [poi.id for poi in graph.pois_near((LAT0, LON0), 5.0)] == ["p1"]
    assert GRAPH.pois_near((LAT0, LON0), 1e6) == []


def test_the_name_of_a_poi():
    assert Poi("1", (0, 0), {"amenity": "fast_food", "name": "Wok"}).name == "Wok"
    assert Poi("1", (0, 0), {"amenity": "fast_food"}).name == "fast food"
    assert Poi("1", (0, 0), {}).name == "1"


def test_a_part_of_a_graph(tmp_path):
    graph = open_graph(write_grid(tmp_path / "town"))
    part = graph.subgraph(["r0c1", "r0c0", "r1c0", "r0c0"])
    assert part.ids == ["r0c0", "r0c1", "r1c0"]
    assert part.links("r0c0") == graph.links("r0c0")
    assert part.neighbours("r1c0") == ["r0c0"]
    assert [link.poi for node in part.ids for link in part.poi_links(node)] == ["p1", "p2"]


def test_networkx():
    other = GRAPH.to_networkx()
    assert (other.number_of_nodes(), other.number_of_edges()) == (49, 168)
    assert other.nodes["r0c0"]["position"] == (LAT0, LON0)
    assert other.edges["r0c0", "r0c1"]["heading_deg"] == 90.0
    assert other.edges["r0c0", "r0c1"]["length_m"] == pytest.approx(SPACING_M, rel=1e-4)


def test_an_empty_graph():
    nothing = np.empty(0, np.int32)
    graph = Graph("none", "geo", [], np.empty((0, 2)), nothing, nothing)
    assert len(graph) == 0
    assert graph.to_networkx().number_of_nodes() == 0


def test_a_graph_equals_itself_alone_and_can_be_a_key():
    twin = GRAPH.subgraph(GRAPH.ids)
    assert GRAPH == GRAPH
    assert twin != GRAPH
    assert {GRAPH: 1, twin: 2} == {twin: 2, GRAPH: 1}


def test_what_is_computed_per_graph_is_computed_once_and_forgotten_with_it():
    requests = []

    @per_graph
    def size(graph):
        requests.append(len(graph))
        return [len(graph)]

    @per_graph
    def links(graph):
        return [len(graph.targets)]

    twin = GRAPH.subgraph(GRAPH.ids)
    assert size(twin) is size(twin)
    assert (size(GRAPH), links(GRAPH), requests) == (
        [len(GRAPH)],
        [len(GRAPH.targets)],
        [len(GRAPH)] * 2,
    )
    watched = weakref.ref(twin)
    del twin
    gc.collect()
    assert watched() is None


def test_links_of_no_length_and_parallel_links_are_links():
    positions = np.array([[0.0, 0, 0], [0, 0, 0], [0, 5, 0]])
    a, b = np.array([0, 1, 1, 1], np.int32), np.array([1, 0, 2, 2], np.int32)
    graph = Graph("flat", "metric", list("abc"), positions, a, b)
    assert graph.geodesics_from("a") == {"a": 0.0, "b": 0.0, "c": 5.0}
    assert graph.geodesics_from("c") == {"c": 0.0}
    assert graph.geodesics_from("a", 4.9) == {"a": 0.0, "b": 0.0}


def test_names_of_the_grid():
    assert GRAPH.ids[8] == name(1, 1)


@pytest.mark.data
def test_headings_of_the_published_links_are_those_of_the_positions(data_dir):
    graph = open_graph(data_dir / "map2seq")
    sample = range(0, len(graph.targets), 101)
    off = [
        abs((graph.headings_deg[k] - graph.heading_deg(graph.ids[graph.sources[k]], graph.ids[graph.targets[k]]) + 180) % 360 - 180)
        for k in sample
    ]  # fmt: skip
    assert max(off) <= 1.0


def _street(*metres):
    """Nodes of one street at these metres east of the origin, in this order in the file, and a POI
    at each.
    """
    count = len(metres)
    pois = {f"p{at}": Poi(f"p{at}", (float(at), 0.0, 0.0), {}) for at in metres}
    return Graph(
        "street",
        "metric",
        [str(at) for at in metres],
        np.array([(float(at), 0.0, 0.0) for at in metres]),
        np.repeat(np.arange(count), count).astype(np.int32),
        np.tile(np.arange(count), count).astype(np.int32),
        pois=pois,
    )


def test_the_nearest_come_first_whatever_the_order_of_the_file():
    graph = _street(40, 5, 30, 0, 20)
    assert list(graph.geodesics_from("0")) == ["0", "5", "20", "30", "40"]
    # of equals the first in the file
    assert list(graph.geodesics_from("30")) == ["30", "40", "20", "5", "0"]
    assert [poi.id for poi in graph.pois_near((0.0, 0.0, 0.0), 100.0)] == [
        "p0",
        "p5",
        "p20",
        "p30",
        "p40",
    ]
    assert [poi.id for poi in graph.pois_near((26.0, 0.0, 0.0), 15.0)] == ["p30", "p20", "p40"]
    assert graph.within((26.0, 0.0, 0.0), 15.0) == ["40", "30", "20"]


def test_the_nearest_pois_of_a_map_in_degrees_come_first():
    places = {f"p{k}": Poi(f"p{k}", (LAT0 + k * 1e-4, LON0), {}) for k in (3, 0, 2, 1)}
    graph = dataclasses.replace(GRAPH, pois=places)
    assert [poi.id for poi in graph.pois_near((LAT0, LON0), 100.0)] == ["p0", "p1", "p2", "p3"]
    assert [poi.id for poi in graph.pois_near((LAT0 + 2.9e-4, LON0), 15.0)] == ["p3", "p2"]


def test_nodes_within_a_radius_come_in_file_order_however_many():
    metres = [(k * 37) % 101 for k in range(101)]
    assert _street(*metres).within((50.0, 0.0, 0.0), 30.0) == [
        str(at) for at in metres if 20 <= at <= 80
    ]
