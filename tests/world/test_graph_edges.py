"""What a graph answers at its edges: on a few viewpoints whose figures are read off."""

import dataclasses
import math

import networkx as nx
import numpy as np
import pytest

from navviz.world.graph import Graph, Poi
from navviz.world.info import WorldInfo
from tests.grids import corridor, grid, house

ROOMS = house({"a": (0, 0, 0), "b": (4, 0, 0), "c": (4, 3, 0), "d": (4, 3, 2)}, "abcd", "ca")


def test_distances_are_measured_between_any_two_places():
    assert ROOMS.distance_m("b", "c") == 3.0
    assert ROOMS.distance_m("d", "b") == pytest.approx(math.sqrt(13))


def test_nodes_may_be_asked_by_number():
    line = corridor("abcde", 10.0)
    assert sorted(line.indices_around(1, 10.0)) == [0, 1, 2]
    assert line.indices_around(4, 9.9) == [4]
    assert (line.targets_of(0), line.targets_of(1), line.targets_of(4)) == ([1], [2, 0], [3])


def test_the_nearest_of_equals_come_in_file_order_however_many():
    ids = ["o", *(f"n{k}" for k in range(60))]
    positions = np.array([(0.0, 0.0, 0.0), *[(1.0, 0.0, 0.0), (2.0, 0.0, 0.0)] * 30])
    star = Graph(
        "star", "metric", ids, positions, np.zeros(60, np.int32), np.arange(1, 61, dtype=np.int32)
    )
    assert list(star.geodesics_from("o")) == ["o", *ids[1::2], *ids[2::2]]


def test_a_part_is_a_whole_graph_again():
    pois = {"p": Poi("p", (4.0, 1.0, 0.0), {})}
    whole = dataclasses.replace(ROOMS, pois=pois, info=WorldInfo(attribution="us"))
    part = whole.subgraph("dcb")
    assert (part.name, part.frame, part.ids, part.info.attribution) == (
        "house",
        "metric",
        ["b", "c", "d"],
        "us",
    )
    assert [part.position(node) for node in part.ids] == [whole.position(node) for node in "bcd"]
    assert [poi.id for poi in part.pois_near((4.0, 0.0, 0.0), 2.0)] == ["p"]
    assert (part.sources.dtype, part.targets.dtype) == (np.int32, np.int32)
    assert part.links("c") == [link for link in whole.links("c") if link[0] != "a"]
    assert part.poi_links("b") == []


def test_a_graph_of_networkx_takes_the_name_it_is_given():
    shape = nx.DiGraph(name="theirs")
    shape.add_node("a", position=(0.0, 0.0, 0.0))
    shape.add_node("b", position=(1.0, 0.0, 0.0))
    shape.add_edge("a", "b")
    assert Graph.from_networkx(shape, "ours", "metric").name == "ours"
    assert Graph.from_networkx(shape, frame="metric").name == "theirs"


def test_links_without_a_heading_lead_straight_to_their_target():
    assert [(node, round(heading)) for node, heading in ROOMS.links("b")] == [("c", 0), ("a", 270)]
    assert corridor("a").headings_deg.tolist() == []
    assert [
        round(heading, 3)
        for _, heading in dataclasses.replace(grid(2), headings_deg=None).links("r0c0")
    ] == [0.0, 90.0]


def test_paths_lead_from_the_first_to_the_last():
    assert ROOMS.hops("d", "a") == ROOMS.shortest_path("d", "a") == ("d", "c", "a")


def test_of_two_paths_of_one_length_the_first_in_the_file_is_taken():
    square = house({"a": (0, 0, 0), "b": (5, 0, 0), "c": (0, 5, 0), "d": (5, 5, 0)}, "abd", "acd")
    assert square.shortest_path("a", "d") == square.hops("a", "d") == ("a", "b", "d")
    assert square.shortest_path("d", "a") == ("d", "b", "a")


def test_links_in_any_order_of_the_file_keep_their_headings_and_their_order():
    count = 40
    ids = ["o", "p", *(f"n{k}" for k in range(count))]
    sources = np.array([1, 0] * count, np.int32)
    targets = np.repeat(np.arange(2, count + 2), 2).astype(np.int32)
    headings = np.arange(2.0 * count)
    star = Graph("star", "metric", ids, np.zeros((count + 2, 3)), sources, targets, headings)
    assert star.links("o") == [(f"n{k}", 2.0 * k + 1) for k in range(count)]
    assert star.links("p") == [(f"n{k}", 2.0 * k) for k in range(count)]
