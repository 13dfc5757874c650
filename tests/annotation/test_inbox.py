"""What windows send: each action once, in order, and only what is the annotator's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from navviz.annotation.guidelines import DEFAULT_GUIDELINES, guidelines_of
from navviz.annotation.records import Difficulty, Follow, Item, Navigability, Queue, Value
from navviz.annotation.store import deliver
from navviz.errors import StoreError

ITEMS = tuple(Item(dataset="d", episode=key) for key in ("1", "2"))
QUEUE = Queue(name="q", task="navigability", items=ITEMS)


@pytest.fixture
def desk(store):
    store.study().queues.create(QUEUE)
    return store.sign_in("fox")


def action(name: str, value: Value | None = None, **fields: Any) -> dict[str, Any]:
    values = {"id": f"window-{name}", "kind": "save", "item": ITEMS[0].model_dump(), **fields}
    return values if value is None else {**values, "value": value.model_dump(mode="json")}


YES, NO = Navigability(navigable=True), Navigability(navigable=False)
SURE = Navigability(navigable=True, confidence=4)


def test_a_chain_of_keys_is_saved_in_order(desk):
    sent = [
        action("a", YES),
        action("b", SURE, after="window-a"),
        action("c", NO, after="window-b"),
    ]
    answers = deliver(desk, QUEUE, sent)
    assert [(one.state, one.revision) for one in answers] == [
        ("saved", 1),
        ("saved", 2),
        ("saved", 3),
    ]
    assert [edit.after for edit in desk.history(ITEMS[0], "navigability")] == [YES, SURE, NO]


@pytest.mark.parametrize("jump_h", [0, 24, -1, -24])
def test_what_is_sent_twice_counts_once_and_is_answered_as_before(desk, monkeypatch, jump_h):
    first = [action("a", YES, seconds=2.0), action("b", SURE, after="window-a", seconds=1.5)]
    answers = deliver(desk, QUEUE, first)
    at = datetime.now(UTC) + timedelta(hours=jump_h)
    monkeypatch.setattr("navviz.annotation.ratings.now", at.isoformat)
    assert deliver(desk, QUEUE, first) == answers
    [rating] = desk.ratings()
    assert (rating.revision, rating.seconds) == (2, 3.5)
    later = deliver(desk, QUEUE, [first[1], action("c", NO, after="window-b", seconds=1.0)])
    assert [one.revision for one in later] == [2, 3]
    assert [edit.seconds for edit in desk.history(ITEMS[0], "navigability")] == [2.0, 1.5, 1.0]


def test_two_windows_do_not_overwrite_each_other(desk):
    deliver(desk, QUEUE, [action("here-1", YES)])
    there = deliver(
        desk, QUEUE, [action("there-1", NO), action("there-2", SURE, after="window-there-1")]
    )
    assert [one.state for one in there] == ["conflict", "conflict"]
    assert (there[0].value, there[0].revision) == (YES, 1)
    assert desk.ratings()[0].value == YES
    [mine] = deliver(desk, QUEUE, [action("there-3", NO, seen=1)])
    assert mine.state == "saved"


def test_an_undo_that_is_sent_twice_takes_back_one_change(desk):
    deliver(desk, QUEUE, [action("a", YES), action("b", NO, after="window-a")])
    undo = {"id": "window-undo", "kind": "undo"}
    [answer] = deliver(desk, QUEUE, [undo])
    assert (answer.item, answer.value, answer.revision) == (ITEMS[0], YES, 3)
    assert deliver(desk, QUEUE, [undo]) == [answer]
    assert desk.ratings()[0].value == YES
    [nothing] = deliver(
        desk, Queue(name="q", task="difficulty", items=ITEMS), [{"id": "window-u2", "kind": "undo"}]
    )
    assert "nothing to undo" in nothing.message


def test_a_skip_keeps_its_reason(desk):
    deliver(desk, QUEUE, [action("a", kind="skip", reason="The map does not show it")])
    entry = desk.items("q")[0]
    assert (entry.skipped, entry.reason) == (True, "The map does not show it")
    deliver(desk, QUEUE, [action("b", kind="unskip")])
    entry = desk.items("q")[0]
    assert (entry.skipped, entry.reason) == (False, None)


@pytest.mark.parametrize(
    "sent",
    [
        action("a", YES, item={"dataset": "d", "episode": "404", "run": ""}),
        action("a", Difficulty(linguistic=1, topological=1, operational=1)),
        action("a", Follow(walk=("n",))),
        action("a"),
        action("a", YES, id="short"),
        action("a", YES, seconds=-1),
        action("a", YES, unknown=1),
        "no action at all",
        7,
    ],
)
def test_what_is_no_rating_of_this_queue_is_refused(desk, sent):
    refused, saved = deliver(desk, QUEUE, [sent, action("good-one", NO)])
    assert refused.state == "refused"
    assert refused.message
    assert saved.state == "saved"


def test_nothing_more_is_rated_in_a_closed_queue(store, desk):
    queues = store.study("lead").queues
    for closed, states in ((True, ["refused", "refused"]), (False, ["saved", "saved"])):
        queues.close("q", "lead", closed=closed)
        [queue] = desk.queues()
        answers = deliver(desk, queue, [action("a", YES), action("b", NO, after="window-a")])
        assert [one.state for one in answers] == states
        said = "The queue q is closed; nothing more is rated in it." if closed else ""
        assert answers[0].message == said
        assert len(desk.ratings()) == (0 if closed else 1)


def test_nothing_overtakes_what_the_database_could_not_take(desk, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise StoreError("the disk has no room left.")

    with monkeypatch.context() as broken:
        broken.setattr(desk, "save", full)
        answers = deliver(desk, QUEUE, [action("a", YES), action("b", NO, after="window-a")])
    assert [(one.id, one.state) for one in answers] == [("window-a", "failed")]
    assert desk.ratings() == []


def test_anothers_mark_is_no_receipt(store, desk):
    deliver(desk, QUEUE, [action("a", YES)])
    owl = store.sign_in("owl")
    deliver(owl, QUEUE, [action("b", NO, after="window-a", seen=0)])
    assert [rating.value for rating in owl.ratings()] == [NO]


@pytest.mark.parametrize("task", DEFAULT_GUIDELINES)
def test_guidelines_come_as_whole_paragraphs_with_examples(task):
    lines = guidelines_of(
        Queue.model_validate({"name": "q", "task": task, "items": ITEMS})
    ).splitlines()
    assert "## Worked examples" in lines
    assert lines.count("## Worked examples") == 1
    assert all(
        not line or line.startswith(("## ", "- ", "1. ", "2. ", "3. ")) or line[0].isupper()
        for line in lines
    )
    own = Queue.model_validate(
        {"name": "q", "task": task, "items": ITEMS, "guidelines": " Ours\nalone. "}
    )
    assert guidelines_of(own) == "Ours\nalone."
