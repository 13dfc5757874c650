"""The parser's table of cases: which reply decides what, and which rule forces it."""

from __future__ import annotations

import json

import pytest

from navviz.systems.msnav.place_map.prompt import NO_PLAN, Option, read_reply

MOVES = (Option("A", "go forward", 1), Option("B", "turn left", 2))
STOP = (Option("A", None, None), Option("B", "go forward", 1), Option("C", "turn left", 2))


def said(action: object = None, **more: object) -> str:
    return json.dumps({"Thought": "t", "New Planning": "p", "Action": action} | more)


@pytest.mark.parametrize(
    ("reply", "early", "late", "rule"),
    [
        (said("A"), 0, None, None),
        (said("B"), 1, 0, None),
        (said("C"), 0, 1, "early"),
        (said("Z"), 0, None, "both"),
        (said("b"), 0, None, "both"),
        (said("B. turn left"), 0, None, "both"),
        (said(None), 0, None, "both"),
        (said(3), 0, None, "both"),
        ("[]", 0, None, "both"),
        ("I go left.", None, None, "both"),
        ("", None, None, "both"),
        ('{"Action": "B"', None, None, "both"),
    ],
)
def test_decisions(reply, early, late, rule):
    first, then = read_reply(reply, MOVES), read_reply(reply, STOP)
    assert (first.candidate, then.candidate) == (early, late)
    assert (first.rule is not None) == (rule in {"early", "both"})
    assert (then.rule is not None) == (rule == "both")


def test_the_rule_says_what_it_did():
    assert (
        read_reply(said("Z"), MOVES).rule
        == "the action 'Z' is not among the options: the first move is taken"
    )
    assert (
        read_reply(said("Z"), STOP).rule
        == "the action 'Z' is not among the options: the walk stops"
    )
    wrong = read_reply("no", STOP)
    assert wrong.rule == "a reply that is no JSON stops the walk"
    assert wrong.parse_error is not None
    assert wrong.letter is None
    assert read_reply(said("Z"), ()).stop


def test_a_missing_plan_is_told_as_the_published_code_does():
    assert read_reply('{"Action": "A"}', MOVES).planning == NO_PLAN
    assert read_reply(said("A"), MOVES).planning == "p"
    assert read_reply(said("A", **{"New Planning": ["x", 1]}), MOVES).planning == '["x", 1]'


def test_a_fence_is_forgiven():
    assert read_reply(f"```json\n{said('B')}\n```", MOVES).candidate == 1
