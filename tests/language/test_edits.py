"""Edits of instructions as rules: what they change, what they leave, how they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.errors import SettingsError
from navviz.language.edits import TextEdit, edit_episodes, likely_edit, parse_edits
from navviz.records import Episode


@pytest.mark.parametrize(("rule", "text", "edited"), [
    ("replace:left=>right", "Turn left. Left again, leftmost.", "Turn right. Right again, leftmost."),
    ("replace:traffic lights=>signals", "To the Traffic lights.", "To the Signals."),
    ("replace:very=>", "A very long, very, street.", "A long,, street."),
    ("replace:{x}=>y", "see {x}!", "see y!"),
    ("prepend:Please.", "Go on.", "Please. Go on."),
    ("append:Stop there.", "Go on. ", "Go on. Stop there."),
    ("template:Do: {instruction} Now.", "Go.", "Do: Go. Now."),
    ("replace:absent=>x", "Go on.", "Go on."),
])  # fmt: skip
def test_a_rule_by_hand(rule, text, edited):
    edit = TextEdit.parse(rule)
    assert edit.apply(text) == edited
    assert TextEdit.parse(str(edit)) == edit


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("left=>right", "is no rule; write replace:OLD=>NEW"),
        ("swap:a=>b", "is no rule"),
        ("replace:left", "lacks =>"),
        ("replace:=>x", "lacks the words"),
        ("template:no field", r"lacks \{instruction\}"),
        ("append: ", "has no text"),
        ("append:" + "x" * 2001, "2,000 characters"),
    ],
)
def test_a_rule_that_is_none_is_one_sentence(rule, sentence):
    with pytest.raises(SettingsError, match=sentence):
        TextEdit.parse(rule)


def test_episodes_without_the_word_stand_apart():
    episodes = [
        Episode(id="1", dataset="d", instruction="Turn left.", start="a", goal="g"),
        Episode(id="2", dataset="d", instruction="Go on.", start="a"),
    ]
    edited = edit_episodes(episodes, parse_edits(["replace:left=>right", "replace:turn=>bear"]))
    assert [(each.id, each.instruction) for each in edited.changed] == [("1", "Bear right.")]
    assert edited.changed[0].goal == "g"
    assert edited.unchanged == ("2",)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("Turn left at the light.", "Turn right at the light.", "replace:left=>right"),
        ("Left, then left.", "Right, then right.", None),
        ("Go on.", "Please. Go on.", "prepend:Please."),
        ("Go on.", "Go on. Stop there.", "append:Stop there."),
        ("Go past the old pub.", "Go past the pub.", "replace:old=>"),
        ("Turn left here.", "Bear right there.", "replace:Turn left here=>Bear right there"),
        ("Go on.", "Go on.", None),
        ("", "Go.", None),
    ],
)
def test_the_rule_of_an_edit_at_one_place(old, new, rule):
    found = likely_edit(old, new)
    assert (None if found is None else str(found)) == rule


@given(st.text("ab .", max_size=12), st.text("ab .", max_size=12))
def test_a_rule_that_is_found_makes_the_edit(old, new):
    found = likely_edit(old, new)
    if found is not None:
        assert found.apply(old.strip()).split() == new.split()
