"""Known answers to the last field: what is kept of them, where gold items lie, and which answers
count.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from navviz.annotation import gold as module
from navviz.annotation.gold import Checked, KnownAnswer, checked, is_right, with_gold
from navviz.annotation.queues import disagreement, in_order
from navviz.annotation.records import (
    Difficulty,
    Edit,
    EditAction,
    FailureLabel,
    Failures,
    Follow,
    Item,
    Mention,
    Mentions,
    Navigability,
    Queue,
    QueueItem,
    SkillLabel,
    Skills,
    Value,
)

YES, NO = Navigability(navigable=True), Navigability(navigable=False)
HARD = Difficulty(linguistic=5, topological=5, operational=5)
ITEMS = tuple(Item(dataset="d", episode=str(n)) for n in range(8))
GOLD = tuple(Item(dataset="d", episode=f"g{n}") for n in range(4))
QUEUE = Queue(name="q", task="navigability", items=ITEMS, seed=3, gold=GOLD, gold_share=0.2)
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def known(store):
    return store.study("lead").known_answers


def test_a_known_answer_is_that_of_one_item_and_task(known, monkeypatch):
    monkeypatch.setattr(module, "now", START.isoformat)
    item = Item(dataset="d", episode="1", run="r")
    others = [item.model_copy(update={name: "else"}) for name in ("dataset", "episode", "run")]
    for one in (item, *others):
        known.put(one, YES, "why", "lead")
    known.put(item, HARD, "", "lead")
    known.put(item, NO, "look", "second")
    first = KnownAnswer(
        item=item, task="navigability", value=NO, comment="look", who="second", at=START
    )
    assert known.all("navigability")[item] == first
    assert {one: known.all("navigability")[one].value for one in others} == dict.fromkeys(
        others, YES
    )
    known.remove(item, "navigability")
    assert set(known.all("navigability")) == set(others)
    assert {one: answer.value for one, answer in known.all("difficulty").items()} == {item: HARD}


def test_known_answers_stand_in_the_order_they_were_given(known, monkeypatch):
    for minute, episode in ((1, "a"), (0, "c"), (0, "b")):
        monkeypatch.setattr(module, "now", (START + timedelta(minutes=minute)).isoformat)
        known.put(Item(dataset="d", episode=episode), YES, "", "lead")
    assert [item.episode for item in known.all("navigability")] == ["b", "c", "a"]


def _hard(*axes: int) -> Difficulty:
    return Difficulty(linguistic=axes[0], topological=axes[1], operational=axes[2])


def _labels(*codes: str) -> Failures:
    labels = tuple(FailureLabel(code=code) for code in codes)
    return Failures(taxonomy="t", taxonomy_version=1, labels=labels)


def _mentions(*texts: str) -> Mentions:
    return Mentions(mentions=tuple(Mention(start=0, end=len(text), text=text) for text in texts))


@pytest.mark.parametrize(
    ("given", "answer", "right"),
    [
        (YES, Navigability(navigable=True, confidence=5, comment="sure"), True), (NO, YES, False),
        (Follow(walk=("a",), success=True), Follow(walk=("a", "b"), success=True), True),
        (Follow(walk=("a",), success=False), Follow(walk=("a", "b"), success=True), False),
        (_labels("A1", "B2"), _labels("B2", "A1"), True), (_labels("A1"), _labels("A1", "B2"), False),
        (_mentions("the Bank"), _mentions("the bank"), True), (_mentions("bank"), _mentions(), False),
        (Skills(labels=(SkillLabel(step=1, skill="a", named="b"),)), Skills(labels=(SkillLabel(step=1, skill="a"),)), True),
        (_hard(5, 5, 6), HARD, True), (_hard(5, 5, 4), HARD, True), (_hard(5, 5, 7), HARD, False),
        (_hard(5, 3, 5), HARD, False), (HARD, YES, False), (YES, HARD, False),
        (Mentions(mentions=(Mention(start=0, end=4, text="bank"),)),
         Mentions(mentions=(Mention(start=9, end=13, text="bank", poi_id="7"),)), True),
        (Mentions(), Skills(), False),
        (Failures(taxonomy="t", taxonomy_version=1), Failures(taxonomy="u", taxonomy_version=2), True),
        (Skills(labels=(SkillLabel(step=1, skill="a"),)), Skills(labels=(SkillLabel(step=2, skill="a"),)), False),
        (Skills(labels=(SkillLabel(step=1, skill="a"),)), Skills(labels=(SkillLabel(step=1, skill="b"),)), False),
    ],
)  # fmt: skip
def test_what_counts_as_right(given, answer, right):
    assert is_right(given, answer) is right


def _part(queue: Queue, annotator: str = "fox") -> str:
    return " ".join(
        f"{item.episode}{'*' * training}"
        for item, training in with_gold(queue, annotator, queue.items)
    )


@pytest.mark.parametrize(("changes", "part"), [
    ({}, "0 1 2 g0 3 g2 4 5 6 7"),
    ({"seed": 4}, "0 1 2 3 4 5 6 g2 7 g0"),
    ({"name": "p"}, "0 g2 1 2 3 4 5 6 g0 7"),
    ({"gold_share": 0.0}, "0 1 2 3 4 5 6 7"),
    ({"gold_share": 0.3}, "0 g2 g3 1 2 3 4 g0 5 6 7"),
    ({"gold_share": 0.5}, "0 g0 g2 1 g3 2 3 4 5 g1 6 7"),
    ({"gold_share": 0.5, "gold": (GOLD[0], GOLD[0], ITEMS[2], GOLD[1])}, "0 g1 1 2 3 4 g0 5 6 7"),
    ({"training": (ITEMS[1], GOLD[2], GOLD[2])}, "1* g2* 0 g3 2 3 4 5 g0 6 7"),
])  # fmt: skip
def test_gold_items_are_drawn_by_seed_and_names(changes, part):
    """The same for ever: who comes back finds the items where they were."""
    assert _part(QUEUE.model_copy(update=changes)) == part
    assert _part(QUEUE, "owl") == "g3 0 1 2 3 4 5 g1 6 7"


def _edit(item: Item, after: Value | None, name: str = "fox", action: EditAction = "save") -> Edit:
    return Edit(item=item, task="navigability", annotator=name, revision=1, who=name, at=START, action=action,
                before=None, after=after)  # fmt: skip


def test_the_first_answer_that_somebody_saved_counts():
    answers = {
        item: KnownAnswer(item=item, task="navigability", value=YES, who="lead", at=START)
        for item in ITEMS[:5]
    }
    edits = [
        _edit(ITEMS[0], NO, action="import"),
        _edit(ITEMS[0], None),
        _edit(ITEMS[0], YES),
        _edit(ITEMS[0], NO),
        _edit(ITEMS[1], NO),
        _edit(ITEMS[1], YES),
        _edit(ITEMS[2], YES),
        _edit(ITEMS[3], YES),
        _edit(ITEMS[5], YES),  # has no known answer
        _edit(ITEMS[4], YES, "owl"),
        _edit(ITEMS[2], NO, "owl"),
    ]
    training = {ITEMS[0], ITEMS[1]}
    entries = [
        QueueItem(position=i, item=item, training=item in training)
        for i, item in enumerate(ITEMS[:6])
    ]
    result = checked(
        {"fox": entries, "owl": entries[2:], "wren": entries, "crow": []}, iter(edits), answers
    )
    assert result == {
        "fox": Checked(training_right=1, training=2, gold_right=2, gold=2),
        "owl": Checked(gold_right=1, gold=2),
        "wren": Checked(),
        "crow": Checked(0, 0, 0, 0),
    }


def test_items_on_which_navigators_disagree_come_first():
    outcomes = {
        "0": [(1.0, 2.0), (1.0, 4.0), (1.0, 3.0)],
        "1": [(1.0, 2.0), (0.0, 90.0), (0.0, 80.0)],
        "2": [(0.0, 20.0), (0.0, 200.0), (0.0, 90.0)],
        "3": [(1.0, 1.0)],
        "4": [(1.0, 2.0), (0.0, 50.0), (1.0, 3.0)],
    }
    assert disagreement(outcomes["1"])[0] == pytest.approx(8 / 9)
    assert disagreement(outcomes["3"]) == (0.0, 0.0)
    assert disagreement([(1.0, None), (0.0, None)]) == (1.0, 0.0)
    listed = in_order(ITEMS[:6], "disagreement", outcomes=outcomes)
    assert [item.episode for item in listed] == ["1", "4", "2", "0", "3", "5"]
    assert in_order(ITEMS, "listed", seed=3) == list(ITEMS)
    mixed = in_order(ITEMS, "random", seed=3)
    assert mixed != list(ITEMS)
    assert set(mixed) == set(ITEMS)
    assert mixed == in_order(ITEMS, "random", seed=3)
