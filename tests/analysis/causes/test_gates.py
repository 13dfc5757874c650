"""What keeps a kind from saying too much: whose landmark, which words, which steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from navviz.analysis.causes.check import contradiction_of
from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.causes.shown import _is_one_name
from navviz.analysis.causes.texts import name_pattern
from tests.analysis.causes.planted import BLOCK, Move, city, faultless, onward, trace_of, turned
from tests.analysis.causes.plants import PLANTS
from tests.analysis.causes.test_check import _planted


def _ids(walk, seed=1):
    return [one.id for one in explain_episode(trace_of(walk, seed), city()).causes]


def _retold(walk, *goals):
    return replace(walk, goals=list(goals), instruction=". ".join(goals) + ".")


def _past_the_goal(walk, **changes):
    last = walk.moves[-1]
    way = [*last.path, *onward(last.path, BLOCK)[1:]]
    changed = replace(last, path=way, **changes)
    return replace(walk, moves=[*walk.moves[:-1], changed]), way


def test_a_landmark_tied_past_its_turn_leads_past_it():
    found = explain_episode(trace_of(PLANTS["landmark-tied-beyond"](faultless(1)), 1), city())
    name = faultless(1).names[0]
    assert f"ties “{name}” to a node straight on, 50 m past" in found.leading.sentence
    assert "the walk went on to it." in found.leading.sentence
    assert found.leading.repair.kind == "take_link"


@pytest.mark.parametrize("at", ["at the turn", "before it", "on the route behind it"])
def test_a_landmark_tied_to_the_turn_or_to_the_route_leads_nowhere_else(at):
    walk = PLANTS["landmark-tied-beyond"](faultless(1))
    turn = walk.turns[0]
    node = walk.route[turn + {"at the turn": 0, "before it": -1, "on the route behind it": 1}[at]]
    moved = replace(walk, moves=[walk.moves[0], replace(walk.moves[1], shown_at=node)])
    assert "landmark-tied-beyond" not in _ids(moved)


def test_the_stop_s_landmark_leads_past_the_end_where_its_node_is_out_of_the_radius():
    walk, way = _past_the_goal(faultless(1))
    for back, far in ((1, True), (BLOCK, False)):
        tied, _ = _past_the_goal(faultless(1), shown_at=way[-back])
        assert ("landmark-tied-beyond" in _ids(tied)) is far
    assert "landmark-tied-beyond" not in _ids(walk)


def test_a_landmark_of_another_sentence_is_not_the_one_that_was_never_shown():
    walk = faultless(1)
    side, name, words = walk.sides[0], walk.names[0], walk.goals[0]
    own = _retold(walk, words, f"Turn {side} at {name}", *walk.goals[2:])
    other = _retold(walk, f"{words}. Pass {name}", f"Turn {side} at the light", *walk.goals[2:])
    assert "landmark-never-shown" in _ids(PLANTS["landmark-never-shown"](own))
    assert "landmark-never-shown" not in _ids(PLANTS["landmark-never-shown"](other))


def test_nothing_is_missed_in_steps_without_a_prompt_of_their_own():
    context, leading = _planted("waits-for")
    name = context.act.act.landmarks[0]
    bare = leading.model_copy(update={"quotes": leading.quotes[-1:]})
    claim = f"Sub-goal 2 waits for “{name}”, which no prompt of its steps shows."
    waits = bare.model_copy(update={"sentence": claim, "sub_goal": context.due})
    assert contradiction_of(waits, context) is None
    step = context.step.model_copy(update={"calls": (), "observation": None, "index": 99})
    trace = context.trace.model_copy(update={"steps": (*context.trace.steps, step)})
    assert "has a prompt" in contradiction_of(waits, replace(context, trace=trace))


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("park", "Eleven Madison Park", False),
        ("Madison Park", "Eleven Madison Park", True),
        ("a park", "the park", True),
        ("bank", "TD Bank", False),
    ],
)
def test_a_kind_of_place_is_not_a_place_with_that_word_in_its_name(name, other, same):
    assert _is_one_name(name, other) is same


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("the park", "Park Avenue", False),
        ("park", "PARK_AVE 12", False),
        ("church", "corner of Church St.", False),
        ("park", "leisure: park, Avenue C", True),
        ("park", "Bryant Park", True),
        ("Park Slope Cafe", "Park Slope Cafe Street", True),
    ],
)
def test_a_kind_of_place_in_the_name_of_a_street_is_none(name, text, found):
    assert (name_pattern(name).search(text) is not None) is found


def test_a_turn_made_again_far_behind_the_end_of_the_route_is_a_repeated_one():
    walk = faultless(1)
    way = [*walk.moves[4].path, *onward(walk.moves[4].path, BLOCK)[1:]]
    again = [*way, *turned(way, walk.sides[1], 3)[1:]]
    left_open = replace(walk.moves[3], status="IN_PROGRESS")
    moved = replace(walk, moves=[*walk.moves[:3], left_open, Move(3, again)])
    found = explain_episode(trace_of(moved, 1), city())
    assert (found.act.how, found.leading.id) == ("went on", "repeated")
    other = {"left": "right", "right": "left"}[walk.sides[1]]
    away = [*way, *turned(way, other, 3)[1:]]
    assert "repeated" not in _ids(replace(moved, moves=[*moved.moves[:4], Move(3, away)]))


@pytest.mark.parametrize(
    "thoughts",
    [
        "“Turn {side} here” is what I was told. On.",
        "The text has 'turn {side} here'. On.",
        "Turn {side} at the following light, it reads. On.",
        "A turn {side} here does not fit yet. On.",
        "Since the turn {side} I count anew. On.",
        "**I turn {side}**\nOn.",
    ],
)
def test_what_thoughts_quote_deny_or_look_back_on_is_no_statement(thoughts):
    walk = PLANTS["against-thoughts"](faultless(1))
    assert "against-thoughts" in _ids(walk)
    said = replace(walk.moves[1], thoughts=thoughts.format(side=walk.sides[0]))
    assert "against-thoughts" not in _ids(replace(walk, moves=[walk.moves[0], said]))
