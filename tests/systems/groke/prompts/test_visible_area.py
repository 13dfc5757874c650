"""Where the visible area begins and ends, and what is said of each place in it: on maps drawn for
each case.
"""

import pytest

from navviz.errors import InputError
from navviz.systems.groke.prompts import visible_area
from navviz.systems.groke.prompts.landmarks import ground, linked_pois, mentioned
from navviz.systems.groke.prompts.shown import arrival_heading_deg, exact_heading_deg, previous_path
from navviz.systems.groke.prompts.visible_area import (
    PreviousNode,
    cut_to_route,
    is_intersection,
    look,
    pois_in_sight,
)
from navviz.world.geometry import great_circle_m, turn_deg
from tests.grids import grid, house
from tests.systems.groke.prompts.towns import crossing, town


def _street(view):
    return [node.id for node in view.path]


def _marks(graph, *names):
    return mentioned(ground(linked_pois(graph), names), " ".join(names))


TWO_CROSSINGS = {f"s{k}": (0, 20 * k) for k in range(12)} | {"e3": (20, 60), "w8": (-20, 160)}
STREETS = (" ".join(f"s{k}" for k in range(12)), "s3 e3", "s8 w8")
PUB = {"pub": (4.0, 203.0, {"amenity": "pub", "name": "Old Anchor"})}


def test_the_view_reaches_to_the_first_crossing_unless_asked_for_more():
    graph = town(TWO_CROSSINGS, STREETS, PUB)
    assert _street(look(graph, "s0", 0.0)) == [f"s{k}" for k in range(7)]
    assert _street(look(graph, "s0", 0.0, units=2)) == [f"s{k}" for k in range(12)]
    assert _street(look(graph, "s4", 0.0)) == [f"s{k}" for k in range(4, 12)]
    assert pois_in_sight(graph, "s0", 0.0) == []
    assert [poi.id for poi in pois_in_sight(graph, "s0", 0.0, units=2)] == ["pub"]


def test_pois_are_seen_three_nodes_past_the_crossing_whatever_these_are():
    places = {
        "a": (0, 0), "x": (0, 100), "y": (0, 200), "b": (0, 300), "c": (0, 400), "xe": (20, 100),
        "ye": (20, 200),
    }  # fmt: skip
    at = {
        "pub": (2.0, 400.0, {"name": "Old Anchor"}),
        "bank": (2.0, 300.0, {"name": "Harbour Bank"}),
    }
    graph = town(places, ["a x y b c", "x xe", "y ye"], at)
    assert _street(look(graph, "a", 0.0)) == ["a", "x", "y", "b", "c"]
    assert {poi.id for poi in pois_in_sight(graph, "a", 0.0)} == {"pub", "bank"}
    longer = town(
        {**places, "d": (0, 500)},
        ["a x y b c d", "x xe", "y ye"],
        {"far": (2.0, 500.0, {"name": "Far"})},
    )
    assert _street(look(longer, "a", 0.0)) == ["a", "x", "y", "b", "c", "d"]
    assert pois_in_sight(longer, "a", 0.0) == []
    assert [poi.id for poi in pois_in_sight(longer, "a", 0.0, units=2)] == ["far"]
    assert not look(longer, "a", 0.0, _marks(longer, "Far")).nearby
    row = {name: (0, 100 * k) for k, name in enumerate("axyzwbcd")} | {
        f"{k}e": (20, 100 * "axyzw".index(k)) for k in "xyzw"
    }
    four = town(
        row,
        ["a x y z w b c d", *(f"{k} {k}e" for k in "xyzw")],
        {"far": (2.0, 700.0, {"name": "Far"})},
    )
    assert _street(look(four, "a", 0.0, units=3))[-1] == "d"
    assert pois_in_sight(four, "a", 0.0, units=3) == []
    assert [poi.id for poi in pois_in_sight(four, "a", 0.0, units=4)] == ["far"]


@pytest.mark.parametrize(
    ("heading_deg", "ahead"), [(0.0, "r"), (720.0, "r"), (359.0, "l"), (-1.0, "l"), (0.99, "r")]
)
def test_headings_go_round_the_circle(heading_deg, ahead):
    """The two streets lie at 44.5 and -45 degrees: one degree of the heading decides."""
    places = {"a": (0, 0), "r": (14.02, 14.265), "l": (-14.142, 14.142)}
    graph = town(places, ["a r", "a l"], {"p": (42.0, 42.8, {"name": "P"})})
    assert _street(look(graph, "a", heading_deg)) == ["a", ahead]
    assert bool(pois_in_sight(graph, "a", heading_deg)) == (ahead == "r")


def test_of_two_streets_with_the_same_turn_the_first_in_the_file_is_followed():
    twins = {"a": (0, 0), "b": (0, 20), "c": (0, 20)}
    assert _street(look(town(twins, ["a b", "a c"]), "a", 0.0))[:2] == ["a", "b"]
    assert _street(look(town(twins, ["a c", "a b"]), "a", 0.0))[:2] == ["a", "c"]


@pytest.mark.parametrize(("turn_m", "street"), [(-3.4, ["a", "b", "c"]), (-3.6, ["a", "b"])])
def test_a_street_leads_ahead_up_to_100_degrees(turn_m, street):
    graph = town({"a": (0, 0), "b": (0, 20), "c": (20, 20 + turn_m)}, ["a b c"])
    assert _street(look(graph, "a", 0.0)) == street


def test_a_link_to_itself_leads_nowhere():
    graph = town({"a": (0, 0), "b": (0, 20)}, ["a a b b"])
    assert _street(look(graph, "a", 0.0)) == ["a", "b"]


def test_pois_a_metre_past_the_radius_may_still_be_near_enough():
    graph = town({"a": (0, 0)}, [], {"in": (50.5, 0.0, {}), "out": (51.5, 0.0, {})})
    assert [poi.id for poi in pois_in_sight(graph, "a", 0.0)] == ["in"]
    assert [poi.id for poi in pois_in_sight(graph, "a", 0.0, poi_radius_m=51.0)] == ["in", "out"]
    marks = _marks(
        town(
            {"a": (0, 0)},
            [],
            {"in": (49.5, 0.0, {"name": "In"}), "out": (50.5, 0.0, {"name": "Out"})},
        ),
        "In",
        "Out",
    )
    assert [poi.poi.id for _, poi in look(graph, "a", 0.0, marks).nearby] == ["in"]


def test_each_poi_has_its_side_its_letter_and_its_distance():
    places = {"s": (0, -20), "x": (0, 0), "n": (0, 20), "e": (20, 0), "w": (-20, 0)}
    at = {
        "left": (-9.0, 6.0, {"name": "Left Bank"}),
        "right": (9.0, 6.0, {"name": "Right Inn"}),
        "ahead": (1.0, 30.0, {"name": "Tower"}),
        "side": (-9.0, -20.0, {"name": "Kiosk"}),
        "behind": (0.0, -30.0, {"name": "Gate"}),
    }
    graph = town(places, ["s x n", "w x e"], at)
    marks = _marks(graph, "Left Bank", "Right Inn", "Tower", "Kiosk", "Gate")
    view = look(graph, "s", 0.0, marks)
    sides = {poi.poi.id: (node.id, poi.direction, poi.position) for node, poi in view.nearby}
    assert sides == {
        "left": ("x", "Left", "on the corner"),
        "right": ("x", "Right", "on the corner"),
        "ahead": ("n", "Forward", "forward"),
        "side": ("s", "Left", "left"),
        "behind": ("s", "Back", "back"),
    }
    letters = {mark.name: mark.letter for mark in marks}
    assert view.legend == letters == {poi.name: poi.letter for _, poi in view.nearby}
    for node, poi in view.nearby:
        assert poi.distance_m == float(great_circle_m(node.position, poi.poi.position))
    assert view.landmarks == tuple(marks)


def test_the_last_of_several_pois_at_a_node_is_shown(monkeypatch):
    at = {
        "one": (1.0, 0.0, {"name": "One"}),
        "two": (2.0, 0.0, {"name": "Two"}),
        "off": (6.0, 0.0, {"name": "Off"}),
    }
    graph = town({"a": (0, 0), "b": (0, 40)}, ["a b"], at)
    marks = _marks(graph, "One", "Two", "Off")
    node = look(graph, "a", 0.0, marks).path[0]
    assert (node.here.name, [poi.name for poi in node.nearby_pois]) == ("Two", ["Off"])
    monkeypatch.setattr(visible_area, "AT_NODE_M", node.here.distance_m)
    node = look(graph, "a", 0.0, marks).path[0]
    assert (node.here.name, [poi.name for poi in node.nearby_pois]) == ("One", ["Two", "Off"])


def test_side_streets_are_shown_at_crossings_alone_with_their_headings():
    view = look(crossing(), "s3", 0.0)
    for node in view.path:
        assert bool(node.branches) == node.intersection == is_intersection(crossing(), node.id)
        assert [branch.heading_deg for branch in node.branches] == [
            {link.target: link.heading_deg for link in node.connections}[branch.nodes[0]]
            for branch in node.branches
        ]
    assert [round(branch.heading_deg) % 360 for branch in view.path[3].branches] == [0, 270, 90]
    plain = view.path[0]
    assert [(link.target, link.direction) for link in plain.connections] == [("s2", "Forward")]
    assert (plain.position, plain.here, plain.nearby_pois) == (crossing().position("s3"), None, ())


def test_a_side_street_does_not_come_back_where_two_nodes_share_a_place():
    places = {"s": (0, -20), "x": (0, 0), "n": (0, 20), "e": (20, 0), "t": (0, 0)}
    at_x = look(town(places, ["s x n", "x e", "x t"]), "s", 0.0).path[1]
    assert [branch.nodes for branch in at_x.branches] == [("n",), ("t",), ("e",)]


def test_the_map_shown_holds_every_place_that_it_names():
    passed = (PreviousNode("s2", intersection=False), PreviousNode("s1", intersection=False))
    view = look(crossing(), "x", 0.0, previous=iter(passed))
    assert view.previous == passed
    assert set(view.positions) == {"s1", "s2", "x", "n1", "n2", "n3", "n4", "w1", "w2", "e1", "e2"}
    assert view.positions["w2"] == crossing().position("w2")
    assert view.links["x"] == ("n1", "w1", "e1")
    assert (view.links["w1"], view.links["n1"]) == (("w2",), ("n2",))
    assert (view.node, view.heading_deg) == ("x", 0.0)


def test_a_place_that_cannot_be_looked_at_is_one_sentence():
    with pytest.raises(InputError) as caught:
        look(house({"a": (0, 0, 0), "b": (1, 0, 0)}, "ab", name="villa"), "a", 0.0)
    assert (
        str(caught.value)
        == "the world villa is indoors; look around in a map with latitude and longitude."
    )
    for looked in (look, pois_in_sight):
        with pytest.raises(InputError) as caught:
            looked(crossing(), "nowhere", 0.0)
        assert (
            str(caught.value) == "node nowhere is not in the graph town; take a node of this map."
        )


def test_the_radius_and_the_widest_turn_themselves_count_and_count_not(monkeypatch):
    graph = town(
        {"a": (0, 0), "b": (0, 20), "c": (20, 17)}, ["a b c"], {"p": (30.0, 0.0, {"name": "Inn"})}
    )
    (mark,) = _marks(graph, "Inn")
    radius_m = float(great_circle_m(graph.position("a"), graph.pois["p"].position))
    assert look(graph, "a", 180.0, [mark], poi_radius_m=radius_m).nearby
    assert not look(graph, "a", 180.0, [mark], poi_radius_m=radius_m - 1e-6).nearby
    assert _street(look(graph, "a", 0.0)) == ["a", "b", "c"]
    turn = abs(turn_deg(graph.heading_deg("a", "b"), graph.heading_deg("b", "c")))
    monkeypatch.setattr(visible_area, "_AHEAD_DEG", turn)
    assert _street(look(graph, "a", 0.0)) == ["a", "b"]


def test_the_view_ends_three_nodes_after_the_intersection():
    view = look(crossing(), "s3", 0.0)
    assert _street(view) == ["s3", "s2", "s1", "x", "n1", "n2", "n3"]
    assert [node.id for node in view.path if node.intersection] == ["x"]


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
    assert _street(look(crossing(), "n5", 0.0)) == ["n5"]
    assert look(crossing(), "n5", 0.0).path[0].connections == ()


def test_a_ring_without_intersections_is_walked_once():
    ring = town({"a": (0, 0), "b": (0, 20), "c": (20, 20), "d": (20, 0)}, ["a b c d a"])
    seen = _street(look(ring, "a", 0.0))
    assert set(seen) == {"a", "b", "c", "d"}
    assert len(seen) <= 6


def test_intersections_directly_after_another_are_counted_with_it():
    double = {
        "a": (0, 0), "x": (0, 20), "y": (0, 40), "b": (0, 60), "c": (0, 80), "d": (0, 100),
        "e": (0, 120),
    }  # fmt: skip
    double |= {"xe": (20, 20), "ye": (20, 40)}
    view = look(town(double, ["a x y b c d e", "x xe", "y ye"]), "a", 0.0)
    assert _street(view) == ["a", "x", "y", "b", "c", "d"]


def test_a_map_of_intersections_only_is_followed_along_its_edge_once():
    view = look(grid(5), "r0c0", 0.0)
    assert _street(view)[:5] == [f"r{i}c0" for i in range(5)]
    assert len(view.path) <= len(set(_street(view))) + 1


def _marks(graph, *names, text=None):
    return mentioned(ground(linked_pois(graph), names), text or " ".join(names))


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


def test_the_map_is_cut_to_the_route_with_dead_ends_at_its_edge():
    cut = cut_to_route(crossing(), ["s3", "s2", "s1", "x"], 1)
    assert set(cut.ids) == {"s3", "s2", "s1", "x", "n1", "w1", "e1"}
    assert _street(look(cut, "s3", 0.0)) == ["s3", "s2", "s1", "x", "n1"]
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
