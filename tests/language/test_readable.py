"""Texts are looked at for words as far as an instruction goes: a search over more may take hours,
and cannot be ended.
"""

import pytest

from navviz.language.mentions import LONGEST_READ, LONGEST_REPLY
from navviz.language.reorder import reorder_by_rules
from navviz.language.said import sides_of
from navviz.language.skills import relation_tags
from navviz.runner.drawn import clauses
from navviz.systems.navgpt.prompt import _NUMBERED
from navviz.systems.navgpt.prompts.text import parse_reply
from navviz.systems.skillnav.navigator import _SHARE

NEAR = "Turn left after the door. "
FAR = NEAR.ljust(LONGEST_READ + 10) + NEAR


@pytest.mark.parametrize("look", [relation_tags, sides_of, reorder_by_rules])
def test_what_stands_far_behind_an_instruction_is_not_looked_at(look):
    assert len(look(NEAR)) == len(look(FAR)) > 0
    assert len(look(NEAR * 2)) == 2 * len(look(NEAR))


@pytest.mark.parametrize("run", [" ", "\n", ".", "a", "then "])
def test_a_long_run_of_one_sign_is_no_hindrance(run):
    """Half a million signs would take a day where the time grows with their square."""
    text = NEAR + run * (500_000 // len(run)) + "\x00"
    for look in (relation_tags, sides_of, reorder_by_rules):
        assert look(text)
    assert "".join(clauses(text)).endswith("\x00")
    assert parse_reply(text)[1] is None


def test_clauses_lose_nothing_of_a_long_text():
    assert clauses("Go on. Then turn.") == ("Go on.", "Then turn.")
    long = "x" * LONGEST_READ + " then stop"
    assert clauses(long) == ("X" + long[1:],)


def test_a_reply_is_read_as_far_as_one_goes():
    action = "Thought: on.\nAction: go\nAction Input: 'x'"
    assert parse_reply(action)[1:3] == ("go", "x")
    assert parse_reply("a" * LONGEST_REPLY + action)[1:3] == (None, None)


def test_patterns_of_replies_read_long_ones():
    lines = "\n" * 300_000
    assert _NUMBERED.findall(f"{lines}1. Go.\n 2) Stop.\n") == ["Go.", "Stop."]
    assert _SHARE.findall("a" * 30_000 + " Stop: 60 %")[-1][1] == "60"
