"""Words: what was said, searched for, and told of a house."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from navviz.language.house_told import act_spans, tells_stop, told_climb, told_side
from navviz.language.mentions import search_words
from navviz.language.said import said_counts, says_done, sides_of

_FOLDER = Path(__file__).parent / "said"


def _sentences(name):
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            meant, _, sentence = line.partition("\t")
            yield meant, sentence


def _sides(sentence):
    return "".join(side[0].upper() for side in sides_of(sentence)) or "-"


def _counts(sentence):
    counts = said_counts(sentence)
    return f"{counts[0].number} {counts[0].thing}" if counts else "-"


def _done(sentence):
    return {True: "done", False: "open", None: "-"}[says_done(sentence)]


@pytest.mark.parametrize(
    ("name", "read"), [("sides", _sides), ("counts", _counts), ("done", _done)]
)
def test_every_voice_is_read(name, read):
    wrong = []
    meant_something = 0
    for meant, sentence in _sentences(name):
        meant_something += meant != "-"
        if read(sentence) != meant:
            wrong.append((meant, read(sentence), sentence))
    assert meant_something >= 200
    assert not wrong


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Turn left at 8a42cd, by a café", ["turn", "left", "café"]),
        ("Идите до угла", ["идите", "угла"]),
        ("बैंक पर बाएँ मुड़ें", ["बैंक", "पर", "बाएँ", "मुड़ें"]),
        ("은행에서 왼쪽으로", ["은행에서", "왼쪽으로"]),
        ("在Starbucks左转。走到", ["左转", "走到", "starbucks"]),
        ("می\u200cخواهم به چپ", ["می\u200cخواهم", "به", "چپ"]),
        ("12 34 ... _", []),
    ],
)
def test_words_of_any_script(text, words):
    expected = [unicodedata.normalize("NFC", word) for word in words]
    assert search_words(text) == expected
    # another spelling of the same letters gives the same words
    assert search_words(unicodedata.normalize("NFD", text).upper()) == expected


@pytest.mark.parametrize(("text", "acts"), [
    ("Go past the sofa, table, and lamp, and turn left.", ["Go past the sofa, table, and lamp", "turn left"]),
    ("When you get to the blue door, turn right.  Then wait by the lamp, in the corner.",
        ["When you get to the blue door, turn right", "wait by the lamp, in the corner"]),
    ("Enter the den. At the end of it, stop in the bay, in front of the stove.", ["Enter the den",
        "At the end of it, stop in the bay, in front of the stove"]),
    ("Walk on, once you are in the den, go out the far door", ["Walk on",
        "once you are in the den, go out the far door"]),
    ("Turn left and look for the piano. Pass it.", ["Turn left", "Pass it"]),
    ("Cross the den. You will see a bench. Go right.", ["Cross the den", "Go right"]),
    ("Turn around facing the bench and stop", ["Turn around", "stop"]),
    ("Go stop by the stairs that go up", ["Go stop by the stairs that go up"]),
    ("walk ahead turn right wait near the oven", ["walk ahead", "turn right", "wait near the oven"]),
    ("Do not go into the den, instead turn left", ["Do not go into the den, instead turn left"]),
    ("A den with a bench.", []),
    ("", []),
])  # fmt: skip
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
