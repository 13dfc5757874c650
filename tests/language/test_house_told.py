"""Acts of an instruction for a house: words that belong together stay together."""

from __future__ import annotations

import pytest

from navviz.language.house_told import act_spans, tells_stop, told_climb, told_side


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        (
            "Go past the sofa, table, and lamp, and turn left.",
            ["Go past the sofa, table, and lamp", "turn left"],
        ),
        (
            "When you get to the blue door, turn right.  Then wait by the lamp, in the corner.",
            ["When you get to the blue door, turn right", "wait by the lamp, in the corner"],
        ),
        (
            "Enter the den. At the end of it, stop in the bay, in front of the stove.",
            ["Enter the den", "At the end of it, stop in the bay, in front of the stove"],
        ),
        (
            "Walk on, once you are in the den, go out the far door",
            ["Walk on", "once you are in the den, go out the far door"],
        ),
        ("Turn left and look for the piano. Pass it.", ["Turn left", "Pass it"]),
        ("Cross the den. You will see a bench. Go right.", ["Cross the den", "Go right"]),
        ("Turn around facing the bench and stop", ["Turn around", "stop"]),
        ("Go stop by the stairs that go up", ["Go stop by the stairs that go up"]),
        (
            "walk ahead turn right wait near the oven",
            ["walk ahead", "turn right", "wait near the oven"],
        ),
        (
            "Do not go into the den, instead turn left",
            ["Do not go into the den, instead turn left"],
        ),
        ("A den with a bench.", []),
        ("", []),
    ],
)
def test_an_act_is_a_verb_with_all_that_belongs_to_it(text, acts):
    assert [text[begin:end] for begin, end in act_spans(text)] == acts


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Turn right at the bench", "right"),
        ("make a left", "left"),
        ("Go to the left", "left"),
        ("take a right after the bed", "right"),
        ("turn around", "around"),
        ("make a U-turn", "around"),
        ("pass the bench on your left", None),
        ("enter the door to the right", None),
        ("walk along the left side of the pool", None),
        ("wait right before the stairs", None),
        ("bear slightly left", None),
        ("enter the right door", None),
    ],
)
def test_sides_where_things_lie_are_no_turns(text, side):
    assert told_side(text) == side


@pytest.mark.parametrize(
    ("text", "climb"),
    [("climb the four stone steps", 1), ("go downstairs", -1), ("stop by the stairs", 0)],
)
def test_stairs_are_climbed_where_the_words_say_so(text, climb):
    assert told_climb(text) == climb


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("Once inside, stand by the bed", True),
        ("and wait there", True),
        ("pass the bus stop", False),
    ],
)
def test_a_stop_is_a_verb(text, stops):
    assert tells_stop(text) == stops
