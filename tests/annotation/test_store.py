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
from navviz.errors import ConflictError, InputError, RecordError, StoreError

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


def test_undo_goes_back_step_by_step_over_items(store):
    desk = store.sign_in("fox")
    desk.save(ONE, YES, seen=0)
    desk.save(TWO, YES, seen=0)
    desk.save(ONE, NO, seen=1)
    assert desk.undo().value == YES
    assert desk.undo().item == TWO
    assert desk.rating(TWO, "navigability").value is None
    assert desk.undo().value is None
    assert desk.undo() is None
    assert store.study().ratings() == []
    again = desk.save(ONE, NO, seen=desk.rating(ONE, "navigability").revision)
    assert again.value == NO
    assert [edit.action for edit in desk.history(ONE, "navigability")] == [
        "save",
        "save",
        "undo",
        "undo",
        "save",
    ]


def test_the_later_of_two_tabs_is_told_and_nothing_is_overwritten(store):
    desk = store.sign_in("fox")
    desk.save(ONE, YES, seen=0)
    with pytest.raises(ConflictError, match="another window"):
        desk.save(ONE, NO, seen=0)
    desk.save(ONE, NO, seen=1)
    with pytest.raises(ConflictError, match=r"Episode 1 was changed .* nothing was overwritten"):
        desk.save(ONE, YES, seen=1)
    assert desk.rating(ONE, "navigability").value == NO
    with pytest.raises(ConflictError):
        desk.save(TWO, NO, seen=3)


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


def test_with_tokens_one_cannot_come_in_as_another(store):
    study = store.study("lead")
    with pytest.raises(StoreError, match="researcher a token first"):
        study.annotators.require_tokens(required=True)
    study.annotators.add("lead", "researcher")
    study.annotators.add("fox")
    study.annotators.add("owl")
    lead, fox, owl = (study.annotators.set_token(name) for name in ("lead", "fox", "owl"))
    study.annotators.require_tokens(required=True)
    assert store.sign_in("fox", fox).name == "fox"
    for name, token in [
        ("fox", None),
        ("fox", ""),
        ("fox", owl),
        ("owl", fox),
        ("newcomer", None),
        ("newcomer", fox),
    ]:
        with pytest.raises(StoreError, match="not right"):
            store.sign_in(name, token)
    with pytest.raises(StoreError, match="no researcher"):
        store.study("fox", fox)
    with pytest.raises(StoreError, match="not right"):
        store.study()
    assert store.study("lead", lead).ratings() == []


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


def test_a_queue_goes_on_where_it_was_left(store):
    store.study().queues.create(Queue(name="pilot", task="navigability", items=ITEMS[:3]))
    desk = store.sign_in("fox")
    assert [entry.item for entry in desk.items("pilot")] == list(ITEMS[:3])
    desk.save(ITEMS[0], YES, seen=0)
    desk.skip("pilot", ITEMS[1])
    same = store.sign_in("fox")
    assert [(entry.rated, entry.skipped) for entry in same.items("pilot")] == [
        (True, False), (False, True), (False, False)
    ]  # fmt: skip
    assert (same.progress("pilot").rated, same.progress("pilot").skipped) == (1, 1)
    desk.skip("pilot", ITEMS[1], skipped=False)
    desk.undo()
    assert not any(entry.rated or entry.skipped for entry in desk.items("pilot"))
    assert [row.annotator for row in store.study().queues.progress("pilot")] == ["fox"]


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


def test_queues_are_named_once_and_deleted_without_their_ratings(store):
    study = store.study()
    queue = Queue(name="q", task="navigability", items=ITEMS)
    study.queues.create(queue)
    with pytest.raises(StoreError, match="already is a queue called q"):
        study.queues.create(queue)
    with pytest.raises(InputError, match="no items"):
        study.queues.create(Queue(name="empty", task="navigability", items=()))
    desk = store.sign_in("fox")
    desk.items("q")
    desk.save(ITEMS[0], YES, seen=0)
    study.queues.delete("q")
    assert study.queues.all() == []
    assert len(study.ratings()) == 1
    with pytest.raises(StoreError, match="no queue called q"):
        desk.items("q")
    with pytest.raises(StoreError, match="not in the queue"):
        desk.skip("q", ITEMS[0])


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
