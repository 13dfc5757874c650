"""Turns that words tell and turns that walks make."""

from __future__ import annotations

import pytest

from navviz.analysis.turns import missing_turns, walked_turns
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
