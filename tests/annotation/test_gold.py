"""Known answers: gold items unseen among the others, the training round, and orders; on SQLite and
on PostgreSQL.
"""

from __future__ import annotations

import pytest

from navviz.annotation.gold import is_right, with_gold
from navviz.annotation.progress import queue_report
from navviz.annotation.queues import disagreement, in_order
from navviz.annotation.records import (
    Difficulty,
    FailureLabel,
    Failures,
    Follow,
    Item,
    Mention,
    Mentions,
    Navigability,
    Queue,
    SkillLabel,
    Skills,
    Value,
)
from navviz.annotation.store import AnnotationStore

YES, NO = Navigability(navigable=True, confidence=2), Navigability(navigable=False)
ITEMS = tuple(Item(dataset="d", episode=str(n)) for n in range(16))
GOLD = tuple(Item(dataset="d", episode=f"g{n}") for n in range(8))
TRAIN = tuple(Item(dataset="d", episode=f"t{n}") for n in range(2))
QUEUE = Queue(
    name="q", task="navigability", items=(*ITEMS, TRAIN[0]), annotators=("fox", "owl"), training=TRAIN, gold=GOLD,
    gold_share=0.2,
)  # fmt: skip


def labels(*codes: str) -> Failures:
    return Failures(
        taxonomy="t", taxonomy_version=1, labels=tuple(FailureLabel(code=code) for code in codes)
    )


def mentions(*texts: str) -> Mentions:
    return Mentions(mentions=tuple(Mention(start=0, end=len(text), text=text) for text in texts))


@pytest.mark.parametrize(
    ("given", "known", "right"),
    [
        (YES, Navigability(navigable=True, confidence=5, comment="sure"), True),
        (NO, YES, False),
        (Difficulty(linguistic=3, topological=5, operational=1), Difficulty(linguistic=4, topological=4, operational=1),
         True),
        (Difficulty(linguistic=3, topological=5, operational=1), Difficulty(linguistic=5, topological=5, operational=1),
         False),
        (Follow(walk=("a",), success=True), Follow(walk=("a", "b"), success=True), True),
        (Follow(walk=("a",), success=False), Follow(walk=("a", "b"), success=True), False),
        (labels("A1", "B2"), labels("B2", "A1"), True),
        (labels("A1"), labels("A1", "B2"), False),
        (mentions("the Bank"), mentions("the bank"), True),
        (mentions("bank"), mentions(), False),
        (Skills(labels=(SkillLabel(step=1, skill="stop", named="turn"),)),
         Skills(labels=(SkillLabel(step=1, skill="stop"),)), True),
        (YES, labels(), False),
    ],
)  # fmt: skip
def test_what_counts_as_the_known_answer(given: Value, known: Value, right: bool) -> None:
    assert is_right(given, known) is right


def test_training_comes_first_and_gold_is_mixed_in_for_each_annotator() -> None:
    fox, owl = (with_gold(QUEUE, name, QUEUE.items) for name in ("fox", "owl"))
    assert fox[:2] == [(TRAIN[0], True), (TRAIN[1], True)]
    assert [training for _, training in fox[2:]] == [False] * 20
    assert [item for item, _ in fox[2:] if item in ITEMS] == list(ITEMS)
    assert len({item for item, _ in fox[2:]} & set(GOLD)) == 4  # 20 % of 20
    assert fox == with_gold(QUEUE, "fox", QUEUE.items)
    places = [[i for i, (item, _) in enumerate(part) if item in GOLD] for part in (fox, owl)]
    assert places[0] != places[1]


def test_no_more_gold_than_there_is_and_none_twice() -> None:
    few = QUEUE.model_copy(update={"gold": (GOLD[0], ITEMS[3], TRAIN[1]), "gold_share": 0.5})
    own = [item for item, training in with_gold(few, "fox", ITEMS) if not training]
    assert sorted(own, key=str) == sorted((*ITEMS, GOLD[0]), key=str)


def test_first_answers_are_checked_and_training_counts_in_no_statistic(
    store: AnnotationStore,
) -> None:
    study, fox = store.study("lead"), store.sign_in("fox")
    for item in (*GOLD, *TRAIN):
        study.known_answers.put(item, YES, "the route <b>fits</b>", "lead")
    study.queues.create(QUEUE)
    entries = fox.items("q")
    gold = [entry.item for entry in entries if entry.item in GOLD]
    fox.save(TRAIN[0], NO, seen=0)
    fox.save(TRAIN[0], YES, seen=1)  # after the feedback
    fox.save(TRAIN[1], YES, seen=0)
    for item, value in zip(gold, (YES, NO, YES), strict=False):
        fox.save(item, value, seen=0)
    fox.save(ITEMS[0], NO, seen=0)
    part = {one.annotator: one for one in queue_report(study, QUEUE).annotators}["fox"]
    right = part.checked
    assert (right.training_right, right.training, right.gold_right, right.gold) == (1, 2, 2, 3)
    assert (part.rated, part.total) == (6, 22)
    assert {rating.item for rating in study.ratings()} == {*gold[:3], ITEMS[0]}


def test_an_annotator_learns_the_answer_of_a_training_item_after_their_own(
    store: AnnotationStore,
) -> None:
    study, fox = store.study("lead"), store.sign_in("fox")
    for item in (*GOLD, *TRAIN):
        study.known_answers.put(item, NO, "two banks", "lead")
    study.queues.create(QUEUE)
    assert fox.feedback(QUEUE) == {}
    for entry in fox.items("q"):
        if entry.item != TRAIN[1]:
            fox.save(entry.item, YES, seen=0)
    [(item, answer)] = fox.feedback(QUEUE).items()
    assert (item, answer.value, answer.comment) == (TRAIN[0], NO, "two banks")
    assert study.queues.hand_over("q", "fox", "owl", TRAIN, "lead") == []


def test_a_known_answer_can_be_changed_and_forgotten(store: AnnotationStore) -> None:
    study = store.study("lead")
    study.known_answers.put(GOLD[0], YES, "", "lead")
    study.known_answers.put(GOLD[0], NO, "look at the map", "second")
    [answer] = study.known_answers.all("navigability").values()
    assert (answer.value, answer.comment, answer.who) == (NO, "look at the map", "second")
    assert study.known_answers.all("difficulty") == {}
    study.known_answers.remove(GOLD[0], "navigability")
    assert study.known_answers.all("navigability") == {}


def test_items_on_which_navigators_disagree_come_first() -> None:
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
