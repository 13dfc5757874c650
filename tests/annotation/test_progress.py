"""How a study goes, and what the lead does to a queue that runs, on SQLite and on PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from navviz.annotation import ratings as ratings_module
from navviz.annotation.progress import FEW_ITEMS, disagreements, is_done, is_news, queue_report
from navviz.annotation.questions import questions
from navviz.annotation.ratings import Mark
from navviz.annotation.records import Item, Navigability, Queue
from navviz.annotation.store import AnnotationStore, Desk, deliver
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import ConflictError, StoreError

YES, NO = Navigability(navigable=True), Navigability(navigable=False, comment="which <b>bank</b>?")
ITEMS = tuple(Item(dataset="d", episode=str(n)) for n in range(6))
QUEUE = Queue(name="q", task="navigability", items=ITEMS, annotators=("fox", "owl"), source="walks")
NAVIGABLE = next(one for one in questions(bundled_taxonomy()) if one.task == "navigability")


def work(
    desk: Desk, answers: dict[int, Navigability], seconds: dict[int, float] | None = None
) -> None:
    for number, value in answers.items():
        taken = (seconds or {}).get(number, 10.0)
        desk.save(
            ITEMS[number], value, seen=0, mark=Mark(f"{desk.name}-window-{number}", None, taken)
        )


def save_of(
    item: Item, value: Navigability, name: str = "window-late", **expected: Any
) -> dict[str, Any]:
    action = {
        "id": name,
        "kind": "save",
        "item": item.model_dump(),
        "value": value.model_dump(mode="json"),
    }
    return {**action, **expected}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The time at which ratings are saved: one minute after the one before."""
    at = [datetime(2026, 3, 1, 9, tzinfo=UTC)]

    def now() -> str:
        at[0] += timedelta(minutes=1)
        return at[0].isoformat()

    monkeypatch.setattr(ratings_module, "now", now)
    return at


@pytest.mark.parametrize("jump_h", [2, 24, -1, -24])
def test_pace_counts_work_and_clock_apart_and_leaves_breaks_out(
    store: AnnotationStore, clock: list[datetime], jump_h: int
) -> None:
    study = store.study()
    study.queues.create(QUEUE)
    fox = store.sign_in("fox")
    work(fox, {0: YES, 1: YES, 2: NO}, {0: 20.0, 1: 10.0, 2: 30.0})
    clock[0] += timedelta(hours=jump_h)  # lunch, or a clock that was set
    work(fox, {3: YES, 4: YES}, {3: 20.0, 4: 100.0})
    fox.skip("q", ITEMS[5], reason="I know this place")
    values = {one.annotator: one for one in queue_report(study, QUEUE).annotators}
    mine = values["fox"]
    assert (mine.rated, mine.total, len(mine.skipped), len(mine.waiting)) == (5, 6, 1, 0)
    assert mine.skipped[0].reason == "I know this place"
    assert mine.work_pace == pytest.approx(3600 * 5 / 180)
    assert (mine.clock_s, mine.clock_items) == (180.0, 3)
    assert mine.clock_pace == pytest.approx(60)
    assert mine.median_s == 20
    assert mine.long_items == {ITEMS[4]: 100.0}
    assert (values["owl"].work_pace, values["owl"].clock_pace, values["owl"].median_s) == (
        None,
        None,
        None,
    )


def test_who_disagrees_with_whom(store: AnnotationStore) -> None:
    study = store.study()
    study.queues.create(QUEUE.model_copy(update={"annotators": ("fox", "owl", "wren")}))
    work(store.sign_in("fox"), {0: YES, 1: NO, 2: YES, 3: NO})
    work(store.sign_in("owl"), {0: YES, 1: NO, 2: YES, 3: YES})
    work(store.sign_in("wren"), {0: NO, 1: YES})
    report = queue_report(study, study.queues.all()[0])
    pairs = {(one.first, one.second): one for one in disagreements(report.ratings, NAVIGABLE)}
    assert list(pairs)[-1] == ("fox", "owl")
    close = pairs["fox", "owl"]
    assert (close.shared, close.different, close.kappa.value) == (
        4,
        (ITEMS[3],),
        pytest.approx(0.5),
    )
    assert close.shared < FEW_ITEMS
    assert (close.kappa.low, close.kappa.items) == (None, 4), "no resamples, no interval"
    resampled = disagreements(report.ratings, NAVIGABLE, 200)
    [again] = [one for one in resampled if (one.first, one.second) == ("fox", "owl")]
    assert again.kappa.low is not None
    assert again.kappa.high is not None
    assert again.kappa.low <= 0.5 <= again.kappa.high
    assert (pairs["fox", "wren"].kappa.value, pairs["fox", "wren"].different) == (
        pytest.approx(-1.0),
        ITEMS[:2],
    )


def test_imported_ratings_of_an_open_queue_count_as_progress(store: AnnotationStore) -> None:
    study = store.study()
    everybodys = QUEUE.model_copy(update={"annotators": ()})
    study.queues.create(everybodys)
    study.take_in(ITEMS[0], "heron", YES)
    [heron] = queue_report(study, everybodys).annotators
    assert (heron.annotator, heron.rated, heron.total, heron.clock_pace) == ("heron", 1, 6, None)
    assert not is_done(study.queues.everyone("q"))


def test_items_are_handed_over_and_the_history_says_so(store: AnnotationStore) -> None:
    study = store.study("lead")
    study.queues.create(QUEUE.model_copy(update={"overlap": 0.0}))
    fox, owl, hare = (store.sign_in(name) for name in ("fox", "owl", "hare"))
    part = [entry.item for entry in fox.items("q")]
    fox.save(part[0], YES, seen=0)
    assert hare.queues() == []
    assert study.queues.hand_over("q", "fox", "hare", part, "lead") == part[1:]
    assert [entry.item for entry in fox.items("q")] == part[:1]
    assert [entry.item for entry in hare.items("q")] == part[1:]
    assert [queue.name for queue in hare.queues()] == ["q"]
    study.queues.hand_over("q", "hare", "owl", part[1:2], "lead")
    assert [entry.item for entry in owl.items("q")][-1] == part[1]
    assert study.queues.hand_over("q", "hare", "owl", part[1:2], "lead") == []
    values = [
        (one.who, one.action, one.annotator, one.item, one.note) for one in study.queues.events("q")
    ]
    assert values[0] == ("lead", "hand over", "fox", part[1], "to hare")
    assert values[-1] == ("lead", "hand over", "hare", part[1], "to owl")
    [refused] = deliver(fox, QUEUE, [save_of(part[1], NO)])
    assert (refused.state, study.ratings()[0].item) == ("refused", part[0])


def test_there_is_nothing_to_hand_over_where_everybody_has_everything(
    store: AnnotationStore,
) -> None:
    study = store.study()
    study.queues.create(QUEUE.model_copy(update={"annotators": ()}))
    with pytest.raises(StoreError, match="Everybody who comes gets all items of q"):
        study.queues.hand_over("q", "fox", "owl", ITEMS, "lead")


def test_nothing_more_is_rated_in_a_closed_queue(store: AnnotationStore) -> None:
    study, fox = store.study("lead"), store.sign_in("fox")
    study.queues.create(QUEUE)
    work(fox, {0: YES})
    study.queues.close("q", "lead")
    [closed] = fox.queues()
    assert closed.closed is not None
    [answer] = deliver(fox, closed, [save_of(ITEMS[1], NO)])
    assert (answer.state, answer.message) == (
        "refused",
        "The queue q is closed; nothing more is rated in it.",
    )
    assert [rating.item for rating in fox.ratings()] == [ITEMS[0]]
    study.queues.close("q", "lead", closed=False)
    [answer] = deliver(fox, fox.queues()[0], [save_of(ITEMS[1], NO)])
    assert answer.state == "saved"
    assert [one.action for one in study.queues.events("q")] == ["close", "open"]
    with pytest.raises(StoreError, match="no queue called gone"):
        study.queues.close("gone", "lead")


def test_an_item_is_opened_again_with_its_history_kept(store: AnnotationStore) -> None:
    study, fox = store.study("lead"), store.sign_in("fox")
    study.queues.create(QUEUE)
    work(fox, {0: YES, 1: NO})
    fox.skip("q", ITEMS[2], reason="later")
    study.reopen(QUEUE, "fox", ITEMS[0], "look again")
    study.reopen(QUEUE, "fox", ITEMS[2])
    assert [entry.is_open for entry in fox.items("q")[:3]] == [True, False, True]
    assert [
        (edit.who, edit.action, edit.before, edit.after)
        for edit in fox.history(ITEMS[0], "navigability")
    ] == [
        ("fox", "save", None, YES),
        ("lead", "reopen", YES, None),
    ]
    with pytest.raises(ConflictError):  # a window that has not seen it
        fox.save(ITEMS[0], NO, seen=1)
    assert fox.undo("navigability").item == ITEMS[1]
    # what the lead took back is not brought back by an undo
    assert fox.undo("navigability") is None
    fox.save(ITEMS[0], NO, seen=2)
    assert fox.undo("navigability").value is None
    events = study.queues.events("q")
    assert [(one.action, one.annotator, one.item, one.note) for one in events] == [
        ("reopen", "fox", ITEMS[0], "look again"),
        ("reopen", "fox", ITEMS[2], ""),
    ]
    with pytest.raises(StoreError, match="not in the queue q of owl"):
        study.reopen(QUEUE, "owl", Item(dataset="d", episode="none"))


def test_a_researcher_is_told_once_that_a_queue_is_done(store: AnnotationStore) -> None:
    study, queue = store.study("lead"), QUEUE.model_copy(update={"overlap": 0.0})
    study.queues.create(queue)
    for desk in (store.sign_in("fox"), store.sign_in("owl")):
        assert not is_done(study.queues.everyone("q"))
        for entry in desk.items("q"):
            desk.save(entry.item, YES, seen=0)
    assert is_done(study.queues.everyone("q"))
    assert is_news(study.queues.events("q"), "lead")
    study.queues.see_done("q", "lead")
    assert not is_news(study.queues.events("q"), "lead")
    assert is_news(study.queues.events("q"), "another")
    item = store.sign_in("fox").items("q")[0].item
    study.reopen(queue, "fox", item)
    assert not is_done(study.queues.everyone("q"))
    assert is_news(study.queues.events("q"), "lead")
