from __future__ import annotations

import pytest

from navviz.errors import InputError
from navviz.systems.groke.prompts.landmarks import ground, linked_pois, mentioned
from navviz.systems.groke.prompts.shown import arrival_heading_deg, exact_heading_deg, previous_path
from navviz.systems.groke.prompts.visible_area import (
    cut_to_route,
    is_intersection,
    look,
    pois_in_sight,
)
from navviz.world.geometry import great_circle_m
from tests.grids import grid
from tests.systems.groke.prompts.towns import crossing, town


def street(view):
    return [node.id for node in view.path]


def test_the_view_ends_three_nodes_after_the_intersection():
    view = look(crossing(), "s3", 0.0)
    assert street(view) == ["s3", "s2", "s1", "x", "n1", "n2", "n3"]
    assert [node.id for node in view.path if node.intersection] == ["x"]


def test_two_units_reach_to_the_second_intersection_or_the_end():
    assert street(look(crossing(), "s3", 0.0, units=2)) == [
        "s3",
        "s2",
        "s1",
        "x",
        "n1",
        "n2",
        "n3",
        "n4",
        "n5",
    ]


def test_links_that_lead_back_are_not_offered():
    at_x = look(crossing(), "s3", 0.0).path[3]
    assert {(link.target, link.direction) for link in at_x.connections} == {
        ("n1", "Forward"),
        ("w1", "Left"),
        ("e1", "Right"),
    }
    assert [branch.direction for branch in at_x.branches] == ["Forward", "Left", "Right"]
    assert [branch.nodes for branch in at_x.branches] == [("n1", "n2"), ("w1", "w2"), ("e1", "e2")]


def test_the_first_heading_is_cut_to_whole_degrees_and_the_others_are_bearings():
    view = look(crossing(), "s3", 0.97)
    assert view.heading_deg == 0.97
    assert view.path[0].heading_deg == 0
    assert view.path[1].heading_deg == pytest.approx(0.0, abs=1e-6) or view.path[
        1
    ].heading_deg == pytest.approx(360.0)


def test_a_dead_end_ends_the_view():
    assert street(look(crossing(), "n5", 0.0)) == ["n5"]
    assert look(crossing(), "n5", 0.0).path[0].connections == ()


def test_a_street_that_turns_by_less_than_100_degrees_is_followed():
    bend = town({"a": (0, 0), "b": (0, 20), "c": (20, 18)}, ["a b c"])
    assert street(look(bend, "a", 0.0)) == ["a", "b", "c"]
    hairpin = town({"a": (0, 0), "b": (0, 20), "c": (20, 10)}, ["a b c"])
    assert street(look(hairpin, "a", 0.0)) == ["a", "b"]


def test_a_ring_without_intersections_is_walked_once():
    ring = town({"a": (0, 0), "b": (0, 20), "c": (20, 20), "d": (20, 0)}, ["a b c d a"])
    seen = street(look(ring, "a", 0.0))
    assert set(seen) == {"a", "b", "c", "d"}
    assert len(seen) <= 6


def test_intersections_directly_after_another_are_counted_with_it():
    double = {
        "a": (0, 0),
        "x": (0, 20),
        "y": (0, 40),
        "b": (0, 60),
        "c": (0, 80),
        "d": (0, 100),
        "e": (0, 120),
    }
    double |= {"xe": (20, 20), "ye": (20, 40)}
    view = look(town(double, ["a x y b c d e", "x xe", "y ye"]), "a", 0.0)
    assert street(view) == ["a", "x", "y", "b", "c", "d"]


def test_one_way_links_count_for_intersections():
    graph = crossing()
    assert is_intersection(graph, "x")
    assert not is_intersection(graph, "s1")


def test_a_map_of_intersections_only_is_followed_along_its_edge_once():
    view = look(grid(5), "r0c0", 0.0)
    assert street(view)[:5] == [f"r{i}c0" for i in range(5)]
    assert len(view.path) <= len(set(street(view))) + 1


def landmarks(graph, *names, text=None):
    return mentioned(ground(linked_pois(graph), names), text or " ".join(names))


def test_pois_belong_to_the_nearest_node_of_the_path():
    graph = crossing()
    view = look(
        graph,
        "s3",
        0.0,
        landmarks(graph, "traffic signals", "Blue Door", "Harbour Bank", "Old Anchor"),
    )
    nearby = {poi.poi.id: (node.id, poi.direction, poi.position) for node, poi in view.nearby}
    assert nearby == {"cafe": ("x", "Right", "on the corner"), "bank": ("s2", "Left", "left")}
    at_x = view.path[3]
    assert at_x.here is not None
    assert (at_x.here.name, at_x.here.poi.id) == ("traffic signals", "signals")


def test_distances_are_great_circle_metres():
    graph = crossing()
    view = look(graph, "s3", 0.0, landmarks(graph, "Harbour Bank"))
    (node, poi) = view.nearby[0]
    assert poi.distance_m == pytest.approx(float(great_circle_m(node.position, poi.poi.position)))
    assert poi.distance_m == pytest.approx(15.0, abs=0.1)


def test_a_smaller_radius_sees_less():
    graph = crossing()
    found = landmarks(graph, "Harbour Bank")
    assert not look(graph, "s3", 0.0, found, poi_radius_m=14.0).nearby
    assert look(graph, "s3", 0.0, found, poi_radius_m=16.0).nearby


def test_pois_in_sight_leave_out_what_is_far():
    graph = crossing()
    assert {poi.id for poi in pois_in_sight(graph, "s3", 0.0)} == {"signals", "cafe", "bank"}
    assert "bank" not in {poi.id for poi in pois_in_sight(graph, "x", 0.0, poi_radius_m=20.0)}


def test_pois_in_sight_come_in_walking_order_the_nearest_to_each_node_first():
    graph = crossing()
    ids = [poi.id for poi in pois_in_sight(graph, "s3", 0.0, units=2)]
    steps = ["s3", "s2", "s1", "x", "n1", "n2", "n3", "n4", "n5"]
    first = {
        poi.id: next(
            (k, float(great_circle_m(graph.position(node), poi.position)))
            for k, node in enumerate(steps)
            if great_circle_m(graph.position(node), poi.position) <= 56.0
        )
        for poi in (graph.pois[key] for key in ids)
    }
    assert ids == sorted(ids, key=first.__getitem__)
    assert len(ids) > 2


def test_a_poi_is_attached_to_the_nearest_node_of_the_street():
    graph = crossing()
    view = look(graph, "s3", 0.0, landmarks(graph, "Harbour Bank"))
    [(node, poi)] = view.nearby
    distances = {at.id: float(great_circle_m(at.position, poi.poi.position)) for at in view.path}
    assert node.id == min(distances, key=distances.__getitem__)


@pytest.mark.parametrize("make", [look, pois_in_sight])
def test_a_place_off_the_map_is_one_sentence(make):
    with pytest.raises(
        InputError, match="node nowhere is not in the graph town; take a node of this map"
    ):
        make(crossing(), "nowhere", 0.0)


def test_the_map_is_cut_to_the_route_with_dead_ends_at_its_edge():
    cut = cut_to_route(crossing(), ["s3", "s2", "s1", "x"], 1)
    assert set(cut.ids) == {"s3", "s2", "s1", "x", "n1", "w1", "e1"}
    assert street(look(cut, "s3", 0.0)) == ["s3", "s2", "s1", "x", "n1"]
    assert cut_to_route(crossing(), ["x"], 0).ids == ["x"]


@pytest.mark.parametrize(
    ("route", "why"), [([], "there is no route"), (["x", "y"], "node y of the route is not in")]
)
def test_a_map_cannot_be_cut_to_no_route(route, why):
    with pytest.raises(InputError, match=why):
        cut_to_route(crossing(), route, 3)


def test_the_previous_path_lists_the_legs_without_the_current_place():
    passed = previous_path(crossing(), ["s3", "x", "e2"])
    assert [node.id for node in passed] == ["s3", "s2", "s1", "x", "e1"]
    assert [(link.target, link.direction) for link in passed[3].connections] == [("e1", "Forward")]
    assert passed[3].intersection


def test_the_previous_path_leaves_out_what_cannot_be_reached():
    assert previous_path(crossing(), ["s3"]) == ()
    assert previous_path(crossing(), ["s3", "s3"]) == ()
    assert previous_path(crossing(), ["s3", "nowhere"]) == ()


def test_the_heading_on_arrival_is_that_of_the_last_link():
    assert arrival_heading_deg(crossing(), "s3", "e2") == pytest.approx(90.0, abs=0.01)
    assert arrival_heading_deg(crossing(), "s3", "s3") is None
    assert arrival_heading_deg(crossing(), "s3", "nowhere") is None


def test_a_printed_heading_is_the_bearing_that_it_was_rounded_from():
    tilted = town({"a": (0, 0), "b": (0.001, 20)}, ["a b"])
    bearing = tilted.heading_deg("a", "b")
    assert 0 < bearing < 0.005
    assert exact_heading_deg(tilted, "b", 0.0) == bearing
    assert exact_heading_deg(tilted, "b", 0.02) == 0.02
    assert exact_heading_deg(tilted, "nowhere", 1.0) == 1.0
