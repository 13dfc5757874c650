"""The turns and the sides of places that words describe."""

from __future__ import annotations

import pytest

from navviz.analysis.described_route import clause_around, described_sides, described_turns


def turns_of(text: str) -> list[tuple[str, str]]:
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
    assert turns_of(text) == turns


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
