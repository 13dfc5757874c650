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
    words_span,
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
    # a route may turn more often than its text tells: the next turn of that side is meant
    long = (*route[:8], *(f"r3c{k}" for k in range(5, 8)), "r4c7", "r5c7", "r6c7")
    ends = [turn_ahead(long, "r0c2", "left", GRAPH, number) for number in (1, 2, 3)]
    assert [end and end[0] for end in ends] == ["r0c4", "r3c7", "r3c7"]


@pytest.mark.parametrize(
    ("text", "words", "quoted"),
    [
        ("Go to the next light.", "turn left", None),
        (
            "Pass the next light and turn left at the next light.",
            "turn left · the next light",
            "turn left at the next light",
        ),
        (
            "Go past the next bar and at the next bar turn left.",
            "turn left · the next bar",
            "the next bar turn left",
        ),
        (
            "At the light, turn left and walk to the light.",
            "turn left · the light",
            "the light, turn left",
        ),
        ("Go to the light. Then turn left.", "turn left · the light", "turn left"),
    ],
)
def test_a_turn_is_quoted_with_its_own_place(text, words, quoted):
    span = words_span(text, words)
    found = None if span is None else text[span[0] : span[1]]
    assert found == quoted


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
