"""Ratings, history, undo, queues and tokens, on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from navviz.annotation.ratings import Ratings
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
)
from navviz.annotation.store import AnnotationStore
from navviz.errors import ConflictError, RecordError

YES, NO = (
    Navigability(navigable=True, confidence=4),
    Navigability(navigable=False, comment="goal <b>missing</b>"),
)
ONE, TWO = Item(dataset="sample", episode="1"), Item(dataset="sample", episode="2", run="rules")


ITEMS = tuple(Item(dataset="sample", episode=str(i)) for i in range(20))


def test_every_kind_of_value_comes_back_as_it_was_saved(store):
    desk = store.sign_in("fox")
    values = [
        NO,
        Follow(walk=("a", "b"), distance_m=12.5, success=True, elapsed_s=31.0),
        Difficulty(linguistic=1, topological=10, operational=5, comment="naïve ☕"),
        Failures(
            taxonomy="navviz",
            taxonomy_version=1,
            labels=(FailureLabel(code="A1.1", step=3, suggested=True),),
        ),
        Mentions(mentions=(Mention(start=3, end=7, text="bank", poi_id="p1"),)),
    ]
    for value in values:
        desk.save(ONE, value, seen=0)
    assert [desk.rating(ONE, value.task).value for value in values] == values
    assert [rating.value for rating in store.study().ratings()] == values


def test_two_first_ratings_at_the_same_moment(store, monkeypatch):
    """Both saw no row, one was faster: the database refuses the second row, whatever `_put` had
    read.
    """
    desk = store.sign_in("fox")
    saved = desk.save(ONE, YES, seen=0)

    def refuse(*_: object) -> None:
        raise IntegrityError("INSERT INTO ratings", {}, Exception("UNIQUE constraint failed"))

    monkeypatch.setattr(Ratings, "_put", refuse)
    assert desk.save(ONE, YES, seen=0) == saved
    with pytest.raises(ConflictError, match="Episode 1 was changed in another window"):
        desk.save(ONE, NO, seen=0)
    with pytest.raises(ConflictError, match="This item was changed in another window"):
        desk.save(TWO, YES, seen=0)
    monkeypatch.undo()
    assert desk.rating(ONE, "navigability") == saved
    assert len(desk.history(ONE, "navigability")) == 1


def _meta(store: AnnotationStore) -> dict[str, str]:
    with store._database.read() as connection:
        return dict(map(tuple, connection.exec_driver_sql("SELECT key, value FROM meta")))


def test_asking_for_tokens_changes_one_row_and_leaves_the_others(store):
    annotators = store.study("lead").annotators
    annotators.add("lead", "researcher", token="sesame-open")
    before = _meta(store)
    assert before.keys() == {"study", "version"}
    annotators.require_tokens(required=True)
    annotators.require_tokens(required=True)
    assert _meta(store) == {**before, "tokens": "required"}
    assert store.tokens_required
    annotators.require_tokens(required=False)
    assert _meta(store) == before
    assert not store.tokens_required
    annotators.require_tokens(required=False)
    assert _meta(store) == before
    assert store.sign_in("newcomer").name == "newcomer"


def test_a_closed_queue_is_dealt_with_its_overlap(store):
    study = store.study()
    study.queues.create(
        Queue(
            name="q",
            task="navigability",
            items=ITEMS,
            annotators=("fox", "owl"),
            overlap=0.3,
            seed=5,
        )
    )
    fox, owl = ([entry.item for entry in store.sign_in(name).items("q")] for name in ("fox", "owl"))
    assert len(set(fox) & set(owl)) == 6
    assert set(fox) | set(owl) == set(ITEMS)
    assert len(fox) == len(owl) == 13
    assert store.sign_in("crow").queues() == []
    assert store.sign_in("crow").items("q") == []


@pytest.mark.parametrize(
    "make",
    [
        lambda: Difficulty(linguistic=0, topological=1, operational=1),
        lambda: Difficulty(linguistic=1, topological=11, operational=1),
        lambda: Navigability(navigable=True, confidence=6),
        lambda: Follow(walk=()),
        lambda: Mention(start=4, end=3, text="x"),
        lambda: Mention(start=0, end=2, text="  "),
        lambda: FailureLabel(code="A", step=0),
    ],
)
def test_values_out_of_range_are_refused(make):
    with pytest.raises(RecordError):
        make()
