"""Turns that words tell and turns that walks make."""

from __future__ import annotations

import pytest

from navviz.analysis.turns import (
    instruction_turns,
    missing_turns,
    possible_sides,
    spoken_sides,
    turn_ahead,
    walked_turns,
)
from tests.grids import grid

GRAPH = grid(9)


def test_turns_of_a_walk():
    path = (*(f"r0c{k}" for k in range(5)), "r1c4", "r2c4", "r3c4", "r3c5", "r3c6", "r3c7")
    turns = walked_turns(path, GRAPH)
    assert [(turn.node, turn.side) for turn in turns] == [("r0c4", "left"), ("r3c4", "right")]
    assert walked_turns(("r0c0", "nowhere", "r0c1"), GRAPH) == []
    # turning back is no turn to a side
    assert walked_turns((*path[:3], "r0c1", "r0c0"), GRAPH) == []


def test_the_turn_that_a_route_makes_beyond_the_end_of_a_walk():
    route = (*(f"r0c{k}" for k in range(5)), "r1c4", "r2c4", "r3c4", "r3c5", "r3c6", "r3c7")
    node, ahead_m = turn_ahead(route, "r0c2", "left", GRAPH)
    assert (node, ahead_m) == ("r0c4", pytest.approx(2 * GRAPH.link_m("r0c2", "r0c3")))
    assert turn_ahead(route, "r0c4", "left", GRAPH) == ("r0c4", 0.0)
    # it is made already, there is none, or the walk ended elsewhere
    assert turn_ahead(route, "r1c4", "left", GRAPH) is None
    assert turn_ahead(route, "r3c5", "right", GRAPH) is None
    assert turn_ahead(route, "r8c8", "left", GRAPH) is None


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Go to the light and turn left. Stop with the bank on your right.", ["left"]),
        ("TURN_RIGHT at the bank", ["right"]),
        ("A church should be ahead and to the right.", []),
        ("Take a right, then make a left at the T.", ["right", "left"]),
    ],
)
def test_turns_of_a_text(text, sides):
    assert [side for side, _ in instruction_turns(text)] == sides
    assert list(spoken_sides(text)) == sides


def test_possible_sides_are_generous():
    assert possible_sides("MOVE_FORWARD and right, the park on the left") == ("right",)
    assert possible_sides("Cross with a slight turn to the right") == ("right",)


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
