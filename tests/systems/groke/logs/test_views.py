"""The map in GROKE's JSON prompts, field by field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from navviz.records import Candidate, SeenPoi
from navviz.systems.groke.logs.calls import Prompt
from navviz.systems.groke.logs.views import MapView, observation, read_view
from navviz.world.graph import Graph
from tests.grids import grid

FIELDS: dict[str, Any] = {
    "current_position": {"node_id": "r0c0", "heading": 350},
    "current_path_nodes": [
        {
            "id": "r0c0",
            "type": "waypoint",
            "connections": [
                {"target_node_id": "r0c1", "heading": 20.004, "direction": "Forward"},
                {"heading": 5.0},
                "r9c9",
                {"target_node_id": "r1c0"},
            ],
        },
        {"type": "waypoint", "connections": [{"target_node_id": "r5c5"}]},
        {
            "id": "r0c1",
            "type": "intersection",
            "connections": [{"target_node_id": "r0c0", "heading": 200.0, "direction": 4}],
            "branches": [
                {"direction": "Left", "heading": 270.0, "nodes": ["r1c1", "r2c1", "r3c1"]},
                {"direction": "Back", "heading": 180.0, "nodes": ["r0c0", "r1c0"]},
                None,
            ],
            "poi_at_location": {"name": "signal", "letter": "T"},
        },
        {"id": 7, "poi_at_location": {"letter": 1}},
    ],
    "pois": [
        {"name": "Kiosk", "letter": "K", "nearby_node_id": "r1c0", "direction": "Left", "position": "ahead",
         "distance_meters": 7.5},
        {"letter": 3},
    ],
    "poi_legend": {"T": "signal", "K": "Kiosk", "Z": 5},
}  # fmt: skip


def prompt(fields: dict[str, Any], text: str = "the map") -> Prompt:
    return Prompt("Go.", (), None, text, fields)


@pytest.fixture
def view():
    return read_view(prompt(FIELDS))


def test_where_the_walker_stands_and_what_is_shown(view):
    assert (view.node, view.heading_deg) == ("r0c0", 350.0)
    assert view.visible == ("r0c0", "r0c1", "7")
    assert view.crossings == {"r0c1"}
    assert view.letters == {"signal": "T", "Kiosk": "K"}
    assert read_view(prompt({"current_position": {"node_id": 0}})).node == "0"


def test_links_come_from_connections_and_from_chains_of_branches(view):
    assert view.links == {
        "r0c0": ("r0c1", "r1c0"),
        "r0c1": ("r0c0", "r1c1"),
        "r1c1": ("r2c1",),
        "r2c1": ("r3c1",),
    }


def test_a_node_is_entered_as_its_first_link_says(view):
    assert view.headings == {
        "r0c1": (20.004, "Forward"),
        "r1c0": (None, None),
        "r0c0": (200.0, None),
        "r1c1": (270.0, "Left"),
        "r2c1": (None, None),
        "r3c1": (None, None),
    }


def test_landmarks_lie_beside_nodes_and_at_them(view):
    assert view.pois == (
        SeenPoi(
            name="Kiosk",
            letter="K",
            node="r1c0",
            direction="Left",
            position="ahead",
            distance_m=7.5,
        ),
        SeenPoi(name=""),
        SeenPoi(name="signal", letter="T", node="r0c1", position="here"),
        SeenPoi(name="", node="7", position="here"),
    )


@pytest.mark.parametrize(
    "fields", [{}, {"current_position": 3, "current_path_nodes": {"id": "a"}, "pois": "x"}]
)
def test_a_map_that_is_none_gives_an_empty_view(fields):
    assert replace(read_view(prompt(fields)), format=None) == MapView()


def test_routes_have_the_fewest_links_nearest_first():
    links = {"a": ("b", "a", "c"), "b": ("d", "a"), "c": ("d", "e"), "e": ("f",), "lone": ("g",)}
    ways = MapView(node="a", links=links).routes()
    assert list(ways.items()) == [
        ("b", ("a", "b")),
        ("c", ("a", "c")),
        ("d", ("a", "b", "d")),
        ("e", ("a", "c", "e")),
        ("f", ("a", "c", "e", "f")),
    ]
    assert MapView(links=links).routes() == {}
    assert MapView(node="z", links=links).routes() == {}


def test_candidates_tell_turn_and_length_and_which_was_chosen(view):
    seen = observation(prompt(FIELDS), view, "json", grid(), "r1c1")
    assert (seen.format, seen.text, seen.visible_nodes, seen.pois) == (
        "json-optimised", "the map", view.visible, view.pois
    )  # fmt: skip
    assert seen.candidates == (
        Candidate(node="r0c1", state="rejected", label="intersection", direction="Forward", heading_deg=20.004,
                  angle_deg=30.0, distance_m=20.0),
        Candidate(node="r1c0", state="rejected", distance_m=20.0),
        Candidate(node="r1c1", state="chosen", direction="Left", heading_deg=270.0, angle_deg=-80.0, distance_m=40.0),
        Candidate(node="r2c1", state="rejected", distance_m=60.0),
        Candidate(node="r3c1", state="rejected", distance_m=80.0),
    )  # fmt: skip


def test_a_turn_needs_the_walkers_heading():
    here = {"node_id": "r0c0"}
    blind = read_view(prompt({**FIELDS, "current_position": here}))
    (first, *_) = observation(prompt(FIELDS), blind, "json", grid(), None).candidates
    assert (first.heading_deg, first.angle_deg, first.state) == (20.004, None, "rejected")


def test_turns_and_lengths_are_rounded():
    nodes = [{"id": "a", "connections": [{"target_node_id": "b", "heading": 12.34567}]}]
    view = read_view(
        prompt({"current_position": {"node_id": "a", "heading": 0.0}, "current_path_nodes": nodes})
    )
    ends = np.array([[48.0, 11.0], [48.0 + 1.23e-4, 11.0]])  # 13.677 m
    (one,) = observation(prompt({}), view, "json", _pair("geo", ends), None).candidates
    assert (one.angle_deg, one.distance_m) == (12.35, 13.7)
    (one,) = observation(
        prompt({}), view, "json", _pair("metric", np.zeros((2, 3))), None
    ).candidates
    assert (one.angle_deg, one.distance_m) == (12.35, None)


def _pair(frame: Any, positions: np.ndarray) -> Graph:
    link = (np.array([0], np.int32), np.array([1], np.int32), np.array([0.0]))
    return Graph(name="pair", frame=frame, ids=["a", "b"], positions=positions,
                 sources=link[0], targets=link[1], headings_deg=link[2])  # fmt: skip


def test_lengths_are_missing_where_the_graph_lacks_a_node():
    view = MapView(node="r0c0", links={"r0c0": ("r0c1",), "r0c1": ("elsewhere",)})
    seen = observation(prompt({}), view, "json", grid(), None)
    assert [(one.node, one.distance_m) for one in seen.candidates] == [
        ("r0c1", None),
        ("elsewhere", None),
    ]


@pytest.mark.parametrize(("method", "name"), [
    ("json", "json-optimised"), ("textual", "textual"), ("graph_vis", "graphviz"), ("grid", "grid"),
    ("new", "new"),
])  # fmt: skip
def test_formats_have_names_of_ours(method, name):
    seen = observation(prompt({}), MapView(node="a"), method, grid(), None)
    assert (seen.format, seen.candidates) == (name, ())
