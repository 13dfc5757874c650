"""Turns that words tell and turns that walks make."""

from __future__ import annotations

import pytest

from navviz.analysis.turns import (
    instruction_turns,
    missing_turns,
    possible_sides,
    walked_turns,
    words_span,
)
from navviz.language.said import sides_of
from tests.grids import grid

GRAPH = grid(9)


def test_turns_of_a_walk():
    path = (*(f"r0c{k}" for k in range(5)), "r1c4", "r2c4", "r3c4", "r3c5", "r3c6", "r3c7")
    turns = walked_turns(path, GRAPH)
    assert [(turn.node, turn.side) for turn in turns] == [("r0c4", "left"), ("r3c4", "right")]
    assert walked_turns(("r0c0", "nowhere", "r0c1"), GRAPH) == []
    # turning back is no turn to a side
    assert walked_turns((*path[:3], "r0c1", "r0c0"), GRAPH) == []


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
    assert list(sides_of(text)) == sides


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
