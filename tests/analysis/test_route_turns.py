"""Turns of a route from its geometry, on lines drawn in metres."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navviz.analysis.turns import route_turns
from navviz.world.graph import Graph
from tests.grids import LAT0, LON0, grid, route

GRAPH = grid(9)
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
