"""NavGen backward against the published step tasks of the one public episode."""

import pytest

from navviz.errors import InputError
from navviz.systems.lhvln.navgen.backward import (
    Segment,
    actions_of,
    segments,
    split,
    string_of,
    top_tags,
)

ANCHOR = (
    "LLLFFFFFLFLFFLFFFFFFFFFFFFFFFFFLLLFFFFFFFFFFFFFLFFFFFFFFFRFLFRFLFRFFFFLFFRFFFLF"
    "LLLLLLFRFFFFFLFFRFFLFRFLFFFFFFFFRFFFFFFFRRFRFLFRFFFFLF"
)
KETTLE = 79


def test_the_anchor_gives_the_published_step_tasks():
    actions = actions_of(ANCHOR)
    targets = ["kettle"] * KETTLE + ["coffee table"] * (len(actions) - KETTLE)
    assert len(actions) == 133
    first, second = split(actions, targets)
    assert (first.target, first.start, first.end) == ("kettle", 3, 78)
    assert (second.target, second.start, second.end) == ("coffee table", 87, 131)
    assert [(s.start, s.end, s.label) for s in first.segments] == [
        (3, 6, "move_forward"),
        (7, 10, "turn_left"),
        (11, 29, "move_forward"),
        (30, 32, "turn_left"),
        (33, 78, "move_forward"),
    ]
    assert [(s.start, s.end, s.label) for s in second.segments] == [
        (87, 117, "move_forward"),
        (118, 120, "turn_right"),
        (121, 131, "move_forward"),
    ]


def test_short_stretches_and_those_without_three_forwards_give_no_task():
    assert split(actions_of("FFFFF"), ["a"] * 5) == ()
    assert split(actions_of("FLFLFLFLFLF"), ["a"] * 11) == ()
    # the very last action is left out
    assert [task.end for task in split(actions_of("FFFFFFF"), ["a"] * 7)] == [5]


def test_turns_are_marked_merged_and_crossed():
    labels = {text: [s.label for s in segments(actions_of(text))] for text in _TEXTS}
    assert labels == _TEXTS


_TEXTS = {
    "FFFFFFF": ["move_forward"],
    "FFFFLLFFFF": ["move_forward", "turn_left", "move_forward"],
    "FFFFLLLLFFFF": ["move_forward", "make a left turn", "move_forward"],
    "FFFFRRFFRRFFF": ["move_forward", "make a right turn", "move_forward"],
    "FFFFLLRRFFFF": ["move_forward", "zigzag", "move_forward"],
    "FFFFLLFFFRRFFF": ["move_forward", "turn_left", "move_forward", "turn_right", "move_forward"],
}


def test_a_zigzag_is_not_compared_again():
    found = segments(actions_of("FFFFLLRRLLFFF"))
    assert [s.label for s in found] == ["move_forward", "zigzag", "turn_left", "move_forward"]
    assert found[1] == Segment(3, 7, "zigzag")


def test_a_stretch_that_begins_with_a_turn_keeps_it():
    assert segments(actions_of("LLLFFFF"), 10) == (
        Segment(10, 12, "turn_left"),
        Segment(13, 16, "move_forward"),
    )


def test_tags_leave_out_ceiling_and_floor():
    tags = [
        ["sofa", "ceiling lamp", "floor"], ["sofa", "lamp"], ["window", "lamp"], ["rug"], ["tv"],
        ["book"],
    ]  # fmt: skip
    assert top_tags(tags) == ("sofa", "lamp", "window", "rug", "tv")


def test_letters():
    assert string_of(actions_of("f L r")) == "FLR"
    with pytest.raises(InputError, match="'X' is no action"):
        actions_of("FX")
    with pytest.raises(InputError, match="1 targets for 2 actions"):
        split(actions_of("FF"), ["a"])
