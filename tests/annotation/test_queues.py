"""Queues to the last field: who has which items, what was done to them, and what is said where that
cannot be.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from navviz.annotation import queues as module
from navviz.annotation.gold import with_gold
from navviz.annotation.queues import MOST_GUIDELINES, QueuePlace, deal, progress_of, sample
from navviz.annotation.records import (
    Difficulty,
    Item,
    Navigability,
    Queue,
    QueueEvent,
    QueueItem,
    QueueProgress,
)
from navviz.errors import InputError, StoreError

YES = Navigability(navigable=True)
ITEMS = tuple(Item(dataset="d", episode=str(n), run="r") for n in range(6))
QUEUE = Queue(name="q", task="navigability", items=ITEMS[:3], annotators=("fox", "owl"))
OPEN = QUEUE.model_copy(update={"annotators": ()})
GOLD = tuple(Item(dataset="d", episode=f"g{n}") for n in range(4))
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
GONE = "There is no queue called gone; the researcher may have deleted it."


def _copy(queue: Queue = QUEUE, **changes: Any) -> Queue:
    return queue.model_copy(update=changes)


@pytest.fixture
def study(store):
    return store.study("lead")


@pytest.fixture
def queues(study):
    return study.queues


@pytest.fixture
def times(monkeypatch):
    """The time of the next changes; it stands still."""
    at = [START]

    def now() -> str:
        return at[0].isoformat()

    monkeypatch.setattr(module, "now", now)
    return at


def _numbers(entries: list[QueueItem]) -> list[str]:
    return [entry.item.episode for entry in entries]


def _said(error: pytest.ExceptionInfo[Exception]) -> str:
    return str(error.value)


def test_a_share_of_the_items_is_everybody_s_and_the_others_are_dealt_in_turn():
    assert [item.episode for item in sample(ITEMS, 2, 1)] == ["1", "4"]
    assert len(sample(ITEMS, 99, 1)) == 6
    parts = deal(ITEMS, ["a", "b", "c"], 0.34, 1)
    assert {name: [item.episode for item in part] for name, part in parts.items()} == {
        "a": ["0", "1", "4", "5"], "b": ["1", "2", "4"], "c": ["1", "3", "4"]
    }  # fmt: skip


def test_a_queue_is_read_as_it_was_made(queues):
    copied = _copy(overlap=0.5, seed=3, source="s", note="n", guidelines="g", training=ITEMS[3:4], gold=ITEMS[4:5],
                 gold_share=0.25)  # fmt: skip
    queues.create(copied)
    assert queues.all() == [copied]


def test_queues_stand_in_the_order_they_were_made_then_by_name(queues, times):
    for name, minute in (("c", 0), ("a", 1), ("b", 0)):
        times[0] = START + timedelta(minutes=minute)
        queues.create(_copy(name=name))
    assert [queue.name for queue in queues.all()] == ["b", "c", "a"]


def test_an_annotator_sees_queues_that_are_open_to_all_or_hold_something_of_theirs(queues):
    queues.create(_copy(name="theirs", annotators=("fox",)))
    queues.create(_copy(OPEN, name="open"))
    queues.create(_copy(name="handed", annotators=("fox", "crow")))
    queues.hand_over("handed", "fox", "owl", ITEMS[:1], "lead")
    assert [queue.name for queue in queues.all("fox")] == ["theirs", "open", "handed"]
    assert [queue.name for queue in queues.all("owl")] == ["open", "handed"]
    assert [queue.name for queue in queues.all("wren")] == ["open"]


@pytest.mark.parametrize("changes", [{"items": ()}, {"name": " "}])
def test_a_queue_needs_a_name_and_items(queues, changes):
    with pytest.raises(InputError) as error:
        queues.create(_copy(**changes))
    assert (
        _said(error)
        == "field items: the queue has no name or no items; choose at least one episode."
    )
    assert queues.all() == []


def test_a_name_is_taken_once(queues):
    queues.create(_copy(items=ITEMS[:1]))
    with pytest.raises(StoreError) as error:
        queues.create(QUEUE)
    assert _said(error) == "There already is a queue called q; choose another name."
    assert _numbers(queues.items("q", "fox")) == ["0"]


def test_training_items_come_first_and_are_told_apart(queues, study):
    queues.create(_copy(training=ITEMS[4:5]))
    entries = [QueueItem(position=0, item=ITEMS[4], training=True)]
    entries += [QueueItem(position=i, item=item) for i, item in enumerate(ITEMS[:3], 1)]
    assert queues.items("q", "fox") == entries
    assert queues.everyone("q") == {"fox": entries, "owl": entries}
    placed = queues.placed()
    assert placed["navigability", "owl", ITEMS[4]] == QueuePlace(("q",), "training")
    assert placed["navigability", "owl", ITEMS[0]] == QueuePlace(("q",), "main")
    assert queues.hand_over("q", "fox", "crow", (*ITEMS[:2], ITEMS[4]), "lead") == list(ITEMS[:2])


def test_an_item_is_rated_where_it_is_the_same_in_every_field(queues, store):
    queues.create(OPEN)
    fox, owl = store.sign_in("fox"), store.sign_in("owl")
    others = (ITEMS[0].model_copy(update={name: "else"}) for name in ("dataset", "episode", "run"))
    for item in others:
        fox.save(item, YES, seen=0)
    fox.save(ITEMS[0], Difficulty(linguistic=1, topological=1, operational=1), seen=0)
    owl.save(ITEMS[0], YES, seen=0)
    assert [entry.rated for entry in queues.items("q", "fox")] == [False] * 3
    assert [entry.rated for entry in queues.items("q", "owl")] == [True, False, False]
    assert queues.progress("q") == [
        QueueProgress(queue="q", annotator="fox", total=3, rated=0, skipped=0),
        QueueProgress(queue="q", annotator="owl", total=3, rated=1, skipped=0),
    ]


def test_progress_counts_an_item_once():
    states = ((False, False), (True, False), (False, True), (True, True), (True, True))
    items = [
        QueueItem(position=0, item=ITEMS[0], rated=rated, skipped=skipped)
        for rated, skipped in states
    ]
    assert progress_of("q", "fox", items) == QueueProgress(
        queue="q", annotator="fox", total=5, rated=3, skipped=1
    )


def test_who_comes_to_an_open_queue_gets_its_items_once(queues):
    queues.create(OPEN)
    queues.create(_copy(OPEN, name="rest", items=ITEMS[3:5]))
    assert queues.everyone("q") == {}
    assert (
        _numbers(queues.items("q", "fox")) == _numbers(queues.items("q", "fox")) == ["0", "1", "2"]
    )
    assert _numbers(queues.items("rest", "fox")) == ["3", "4"]
    assert _numbers(queues.items("q", "owl")) == ["0", "1", "2"]
    queues.close("q", "lead")
    assert queues.items("q", "wren") == []
    assert _numbers(queues.items("q", "fox")) == ["0", "1", "2"]
    with pytest.raises(StoreError) as error:
        queues.items("gone", "fox")
    assert _said(error) == GONE


@pytest.mark.parametrize("queue", [QUEUE, OPEN, _copy(OPEN, items=ITEMS[:1])])
def test_a_part_can_be_read_where_nothing_can_be_written(opened, tmp_path, queue):
    store = opened(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    queues = store.study().queues
    queues.create(queue)
    entries = queues.items("q", "fox")
    read_only = opened(f"sqlite:///file:{store.name}?mode=ro&uri=true").study().queues
    assert read_only.items("q", "fox") == entries != []


@pytest.mark.parametrize("queue", [QUEUE, OPEN])
def test_a_part_is_drawn_by_the_queue_s_seed_and_its_annotator(queues, queue):
    copied = _copy(queue, items=ITEMS, overlap=0.5, seed=7, gold=GOLD, gold_share=0.3)
    queues.create(copied)
    dealt = (
        deal(ITEMS, ("fox", "owl"), 0.5, 7)
        if queue.annotators
        else dict.fromkeys(("fox", "owl"), ITEMS)
    )
    for name in ("fox", "owl"):
        part = [(one.item, one.training) for one in queues.items("q", name)]
        assert part == with_gold(copied, name, dealt[name])


def _refuse(*_: object) -> None:
    raise IntegrityError("INSERT", {}, Exception("UNIQUE constraint failed"))


def test_another_window_that_was_quicker_is_no_fault(queues, monkeypatch):
    queues.create(OPEN)
    monkeypatch.setattr(module, "_assign", _refuse)
    assert queues.items("q", "fox") == []


def test_an_item_is_put_off_with_its_reason_and_taken_up_again(queues):
    queues.create(QUEUE)
    queues.create(_copy(name="rest"))
    queues.skip("q", "fox", ITEMS[1], reason="later")
    plain = [QueueItem(position=i, item=item) for i, item in enumerate(ITEMS[:3])]
    late = plain[1].model_copy(update={"skipped": True, "reason": "later"})
    assert queues.items("q", "fox") == [plain[0], late, plain[2]]
    assert queues.items("q", "owl") == queues.items("rest", "fox") == plain
    queues.skip("q", "fox", ITEMS[1], skipped=False, reason="none")
    assert queues.items("q", "fox") == plain


@pytest.mark.parametrize(
    ("name", "who", "item"),
    [("gone", "fox", ITEMS[0]), ("q", "crow", ITEMS[0]),
     *(("q", "fox", ITEMS[0].model_copy(update={field: "9"})) for field in ("dataset", "episode", "run"))],
)  # fmt: skip
def test_what_is_not_in_a_part_cannot_be_put_off(queues, name, who, item):
    queues.create(QUEUE)
    with pytest.raises(StoreError) as error:
        queues.skip(name, who, item)
    assert _said(error) == f"Episode {item.episode} is not in the queue {name} of {who}."


def test_items_move_to_the_end_of_another_part(queues, store, times):
    queues.create(_copy(items=ITEMS, annotators=("fox",)))
    queues.create(_copy(name="rest", annotators=("fox",)))
    fox = store.sign_in("fox")
    fox.save(ITEMS[0], YES, seen=0)
    fox.skip("q", ITEMS[1])
    unknown = Item(dataset="d", episode="none")
    assert queues.hand_over("q", "fox", "owl", (ITEMS[3], ITEMS[2], ITEMS[1], ITEMS[0], unknown), "lead") == [
        ITEMS[2], ITEMS[3]
    ]  # fmt: skip
    assert queues.hand_over("q", "fox", "owl", (ITEMS[2], ITEMS[4]), "lead") == [ITEMS[4]]
    assert [(one.position, one.item) for one in queues.items("q", "owl")] == list(
        enumerate(ITEMS[2:5])
    )
    assert not any(one.training for one in queues.items("q", "owl"))
    assert _numbers(queues.items("q", "fox")) == ["0", "1", "5"]
    assert _numbers(queues.items("rest", "fox")) == ["0", "1", "2"]
    fields = {
        "queue": "q", "who": "lead", "at": START, "action": "hand over", "annotator": "fox",
        "note": "to owl",
    }  # fmt: skip
    assert queues.events("q") == [QueueEvent(**fields, item=item) for item in ITEMS[2:5]]
    assert queues.hand_over("q", "nobody", "owl", ITEMS, "lead") == []


def test_an_item_moves_alone_though_others_share_its_episode(queues):
    like = (ITEMS[0], *(ITEMS[0].model_copy(update={name: "else"}) for name in ("dataset", "run")))
    queues.create(_copy(items=like))
    assert queues.hand_over("q", "fox", "crow", like[:1], "lead") == [ITEMS[0]]
    assert [one.item for one in queues.items("q", "fox")] == list(like[1:])


def test_what_changed_in_the_meantime_stays_where_it_is(queues, monkeypatch):
    queues.create(_copy(annotators=("fox", "crow"), overlap=1.0))
    before = queues.everyone("q")
    queues.skip("q", "fox", ITEMS[0])
    monkeypatch.setattr(queues, "everyone", lambda _: before)
    assert queues.hand_over("q", "fox", "owl", ITEMS[:2], "lead") == [ITEMS[1]]
    assert [one.item for one in queues.events("q")] == [ITEMS[1]]
    with pytest.raises(StoreError) as error:  # the place in owl's part is taken since
        queues.hand_over("q", "fox", "owl", ITEMS[2:3], "lead")
    assert _said(error) == "The part of owl in q has just changed; try again."
    assert _numbers(queues.items("q", "fox")) == ["0", "2"]


def test_nothing_is_handed_over_where_that_cannot_be(queues):
    queues.create(_copy(name="both"))
    assert queues.hand_over("both", "fox", "owl", ITEMS, "lead") == []  # who has it already
    queues.create(OPEN)
    with pytest.raises(StoreError) as error:
        queues.hand_over("q", "fox", "owl", ITEMS, "lead")
    assert _said(error) == "Everybody who comes gets all items of q; there is nothing to hand over."
    with pytest.raises(StoreError) as error:
        queues.hand_over("gone", "fox", "owl", ITEMS, "lead")
    assert _said(error) == GONE


def test_a_queue_is_closed_and_opened_with_its_time(queues, times):
    queues.create(QUEUE)
    queues.create(_copy(name="rest"))
    queues.close("q", "lead")
    assert [queue.closed for queue in queues.all()] == [START, None]
    times[0] += timedelta(hours=1)
    queues.close("q", "second", closed=False)
    assert queues.all()[0] == QUEUE
    assert queues.events("q") == [
        QueueEvent(queue="q", who="lead", at=START, action="close"),
        QueueEvent(queue="q", who="second", at=times[0], action="open"),
    ]
    with pytest.raises(StoreError) as error:
        queues.close("gone", "lead")
    assert _said(error) == GONE
    assert queues.events("gone") == []


def test_guidelines_are_changed_alone(queues, times):
    copied = _copy(seed=4, note="all")
    queues.create(copied)
    queues.create(_copy(name="rest"))
    queues.close("q", "lead")
    long = "x" * MOST_GUIDELINES
    queues.guide("q", long, "lead")
    queues.guide("q", "  Look twice. \n", "second")
    assert queues.all() == [
        _copy(copied, guidelines="Look twice.", closed=START),
        _copy(name="rest"),
    ]
    queues.guide("q", " ", "lead")
    assert queues.all()[0].guidelines == ""
    assert [
        (one.who, one.action, one.note, one.annotator, one.item) for one in queues.events("q")[1:]
    ] == [
        ("lead", "guidelines", "20,000 characters", "", None),
        ("second", "guidelines", "11 characters", "", None),
        ("lead", "guidelines", "", "", None),
    ]
    with pytest.raises(InputError) as refused:
        queues.guide("q", long + "x", "lead")
    assert _said(refused) == "field guidelines: has 20,001 characters; write no more than 20,000."
    with pytest.raises(StoreError) as error:
        queues.guide("gone", "x", "lead")
    assert _said(error) == GONE


def test_an_item_is_opened_again_for_one_annotator(queues, times):
    queues.create(QUEUE)
    for name in ("fox", "owl"):
        queues.skip("q", name, ITEMS[0], reason="later")
    queues.reopen("q", "fox", ITEMS[0], "lead", "look again")
    queues.reopen("q", "fox", ITEMS[1], "lead")
    assert [queues.items("q", name)[0].skipped for name in ("fox", "owl")] == [False, True]
    fields = {"queue": "q", "who": "lead", "at": START, "action": "reopen", "annotator": "fox"}
    assert queues.events("q") == [
        QueueEvent(**fields, item=ITEMS[0], note="look again"),
        QueueEvent(**fields, item=ITEMS[1]),
    ]


def test_what_was_done_to_a_queue_outlives_it(queues, times):
    queues.create(QUEUE)
    queues.create(_copy(name="rest"))
    queues.see_done("rest", "lead")
    queues.see_done("q", "lead")
    queues.delete("q", "second")
    queues.delete("rest")
    assert queues.events("q") == [
        QueueEvent(queue="q", who="lead", at=START, action="see done"),
        QueueEvent(queue="q", who="second", at=START, action="delete"),
    ]
    assert [one.who for one in queues.events("rest")] == ["lead", ""]


def test_a_queue_is_deleted_with_its_parts_and_no_other(queues):
    queues.create(QUEUE)
    queues.create(_copy(name="rest"))
    queues.delete("q")
    assert [queue.name for queue in queues.all()] == ["rest"]
    assert _numbers(queues.items("rest", "fox")) == ["0", "1", "2"]
    queues.create(_copy(items=ITEMS[3:]))
    assert _numbers(queues.items("q", "fox")) == ["3", "4", "5"]
