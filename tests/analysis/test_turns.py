"""Turns that words tell, that routes have and that walks make."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navviz.analysis.described_route import clause_around, described_sides, described_turns
from navviz.analysis.turns import missing_turns, route_turns, walked_turns
from navviz.language.said import sides_of
from navviz.world.graph import Graph
from tests.grids import LAT0, LON0, grid, route

GRAPH = grid(9)


def test_turns_of_a_walk():
    path = (*(f"r0c{k}" for k in range(5)), "r1c4", "r2c4", "r3c4", "r3c5", "r3c6", "r3c7")
    turns = walked_turns(path, GRAPH)
    assert [(turn.node, turn.side) for turn in turns] == [("r0c4", "left"), ("r3c4", "right")]
    assert walked_turns(("r0c0", "nowhere", "r0c1"), GRAPH) == []
    # turning back is no turn to a side
    assert walked_turns((*path[:3], "r0c1", "r0c0"), GRAPH) == []


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Go to the light and turn left. Stop with the bank on your right.", ["left"]),
        ("TURN_RIGHT at the bank", ["right"]),
        ("A church should be ahead and to the right.", []),
        ("Take a right, then make a left at the T.", ["right", "left"]),
        ("MOVE_FORWARD and right, the park on the left", ["right"]),
        ("Cross with a slight turn to the right", ["right"]),
    ],
)
def test_turns_of_a_text(text, sides):
    assert list(sides_of(text)) == sides


@pytest.mark.parametrize(
    ("message", "made", "missing"),
    [
        (["left", "right"], ["left", "right"], []),
        (["left", "right"], ["left"], [1]),
        (["left", "right"], ["right"], [0]),
        (["left", "left", "right"], ["right", "left"], [1, 2]),
        ([], ["left"], []),
    ],
)
def test_missing_turns(message, made, missing):
    assert missing_turns(message, made) == missing


M_LAT = 1 / math.radians(1.0) / 6_371_000.0
M_LON = M_LAT / math.cos(math.radians(LAT0))


def line(*steps: tuple[float, float], side_street: int | None = None) -> Graph:
    """A street of steps ``(heading in degrees, length in m)``; a stub leaves it at one node."""
    east, north = 0.0, 0.0
    places = [(LAT0, LON0)]
    for heading_deg, length_m in steps:
        east += length_m * math.sin(math.radians(heading_deg))
        north += length_m * math.cos(math.radians(heading_deg))
        places.append((LAT0 + north * M_LAT, LON0 + east * M_LON))
    pairs = [(k, k + 1) for k in range(len(steps))]
    if side_street is not None:
        lat, lon = places[side_street]
        places.append((lat + 20 * M_LAT, lon + 20 * M_LON))
        pairs.append((side_street, len(places) - 1))
    links = np.array([*pairs, *((b, a) for a, b in pairs)], np.int32)
    return Graph(
        name="line",
        frame="geo",
        ids=[str(k) for k in range(len(places))],
        positions=np.array(places),
        sources=links[:, 0],
        targets=links[:, 1],
    )


def turns_of(graph: Graph, steps: int) -> list[tuple[int, str, bool]]:
    path = [str(k) for k in range(steps + 1)]
    turns = route_turns(path, graph)
    return [(round(turn.angle_deg), turn.side, turn.clear) for turn in turns]


def test_a_bow_of_short_links_is_one_turn():
    bow = [(0.0, 50.0), *((-10.0 * k, 5.0) for k in range(1, 10)), (-90.0, 50.0)]
    graph = line(*bow, side_street=5)
    (turn,) = route_turns([str(k) for k in range(len(bow) + 1)], graph)
    assert turn.angle_deg == pytest.approx(-90, abs=2)
    assert (turn.side, turn.clear) == ("left", True)
    assert turn.along_m == pytest.approx(70, abs=3)


def test_a_corner_of_a_grid_is_a_clear_turn():
    path = route(GRAPH, "r0c0", "r0c4", "r4c4")
    (turn,) = route_turns(path, GRAPH)
    assert (turn.side, turn.clear, path[turn.first]) == ("left", True, "r0c4")
    assert turn.angle_deg == pytest.approx(-90, abs=1)
    assert turn.along_m == pytest.approx(80, abs=1)


@pytest.mark.parametrize(
    ("steps", "turns"),
    [
        ([(0, 60), (12, 60)], []),  # no turn at all
        ([(0, 60), (35, 60)], [(35, "right", False)]),  # between straight and a turn
        ([(0, 60), (90, 15), (0, 60)], [(90, "right", False), (-90, "left", False)]),  # a jog
        ([(0, 10), (90, 60)], [(90, "right", False)]),  # at the start
    ],
)
def test_what_is_no_clear_turn(
    steps: list[tuple[float, float]], turns: list[tuple[int, str, bool]]
):
    assert turns_of(line(*steps, side_street=1), len(steps)) == turns


def test_a_bend_without_a_junction_is_not_clear():
    steps = [(0.0, 60.0), (90.0, 60.0)]
    assert turns_of(line(*steps), 2) == [(90, "right", False)]
    assert turns_of(line(*steps, side_street=1), 2) == [(90, "right", True)]


def test_a_run_back_over_a_crossing_leaves_the_turn():
    steps = [(0.0, 60.0), (90.0, 5.0), (180.0, 5.0), (270.0, 60.0)]
    assert turns_of(line(*steps, side_street=1), 4) == [(-90, "left", False)]


def test_a_start_that_faces_away_is_an_unclear_turn():
    path = route(GRAPH, "r0c0", "r0c4")
    (turn,) = route_turns(path, GRAPH, 0.0)
    assert (round(turn.angle_deg), turn.along_m, turn.clear) == (90, 0.0, False)
    assert route_turns(path, GRAPH, 80.0) == ()


def test_a_route_without_a_step_has_no_turns():
    assert route_turns(("r0c0", "r0c0"), GRAPH) == ()


def turns_of_described_route(text: str) -> list[tuple[str, str]]:
    return [(text[turn.start : turn.end], turn.certainty) for turn in described_turns(text)]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Walk to the light and turn left.", [("left", "certain")]),
        ("Make a left, then take a right.", [("left", "certain"), ("right", "certain")]),
        ("Make two left turns.", [("left", "certain"), ("left", "certain")]),
        ("Take two more rights.", [("right", "certain"), ("right", "certain")]),
        ("Take the first side street on the right.", [("right", "certain")]),
        ("After turning left, pass a bank.", []),
        ("Stop once you turn right.", [("right", "possible")]),
        ("Bear left at the bank.", [("left", "possible")]),
        ("Ignore the left turn.", [("left", "doubtful")]),
        ("If you turn left you went wrong.", [("left", "possible")]),
        ("Stop and turn to your left to see it.", [("left", "possible")]),
        ("Walk on with the bank on your left.", []),
        ("Stop right before the bank.", []),
        ("Follow the road around.", [("Follow", "open"), ("around", "open")]),
    ],
)
def test_turns(text: str, turns: list[tuple[str, str]]):
    assert turns_of_described_route(text) == turns


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Pass Corner Deli on your left.", [("Corner Deli", "left")]),
        ("Corner Deli will be on the far right corner.", [("Corner Deli", "right")]),
        ("Turn left so Corner Deli is now on your right.", [("Corner Deli", "right")]),
        ("Pass the bank on your left.", []),
        ("Corner Deli is across the street on the left.", []),
        ("If you see Corner Deli on the left, go back.", []),
        ("Pass Corner Deli on the left and right.", []),
        ("Corner Deli is on the left of the bank.", []),
        ("Corner Deli will be on the left after you turn.", []),
    ],
)
def test_sides_of_places(text: str, sides: list[tuple[str, str]]):
    assert [(each.name, each.side) for each in described_sides(text)] == sides


def test_the_clause_around_a_word():
    text = "Walk on. At the light turn left; then stop."
    start = text.index("left")
    assert clause_around(text, start, start + 4) == "At the light turn left"
    long = (
        "Walk along this very long street with many shops and cafes and trees and turn left there"
    )
    start = long.index("left")
    assert clause_around(long, start, start + 4).startswith("… ")
