"""Where the visible area begins and ends, and what is said of each place in it: on maps drawn for
each case.
"""

from __future__ import annotations

import pytest

from navviz.errors import InputError
from navviz.systems.groke.prompts import visible_area
from navviz.systems.groke.prompts.landmarks import ground, linked_pois, mentioned
from navviz.systems.groke.prompts.visible_area import (
    PreviousNode,
    is_intersection,
    look,
    pois_in_sight,
)
from navviz.world.geometry import great_circle_m, turn_deg
from tests.grids import house
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
        "a": (0, 0),
        "x": (0, 100),
        "y": (0, 200),
        "b": (0, 300),
        "c": (0, 400),
        "xe": (20, 100),
        "ye": (20, 200),
    }
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
    with pytest.raises(InputError) as caught:
        pois_in_sight(crossing(), "nowhere", 0.0)
    assert str(caught.value) == "node nowhere is not in the graph town; take a node of this map."


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
