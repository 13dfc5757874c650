"""How a study goes, figure by figure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from navviz.annotation import ratings as ratings_module
from navviz.annotation.gold import Checked
from navviz.annotation.progress import (
    AnnotatorProgress,
    PairDisagreement,
    QueueReport,
    disagreements,
    is_done,
    is_news,
    queue_counts,
    queue_report,
)
from navviz.annotation.questions import questions
from navviz.annotation.ratings import Mark
from navviz.annotation.records import (
    Difficulty,
    Item,
    Mention,
    Mentions,
    Navigability,
    Queue,
    QueueEvent,
    QueueItem,
    QueueProgress,
    Rating,
    Value,
)
from navviz.annotation.store import Study
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.metrics.intervals import StatisticInterval

YES, NO = Navigability(navigable=True), Navigability(navigable=False)
ITEMS = tuple(Item(dataset="d", episode=str(n)) for n in range(6))
QUEUE = Queue(name="q", task="navigability", items=ITEMS[:3], annotators=("owl", "fox"))
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
QUESTIONS = {one.name.split(" (")[0]: one for one in questions(bundled_taxonomy())}


def _rating(item: Item, value: Value, name: str = "fox", seconds: float | None = None) -> Rating:
    return Rating(item=item, task=value.task, annotator=name, value=value, revision=1, created=START, changed=START,
                  seconds=seconds)  # fmt: skip


def _progress(*seconds: float | None, **changes: Any) -> AnnotatorProgress:
    ratings = tuple(
        _rating(item, YES, seconds=taken) for item, taken in zip(ITEMS, seconds, strict=False)
    )
    fields = {
        "entries": (), "ratings": ratings, "clock_s": None, "clock_items": 0, "checked": Checked(),
        **changes,
    }  # fmt: skip
    return AnnotatorProgress("fox", **fields)


def test_items_are_rated_skipped_or_waiting():
    states = ((True, False), (False, True), (True, True), (False, False))
    entries = tuple(
        QueueItem(position=i, item=ITEMS[i], rated=a, skipped=b) for i, (a, b) in enumerate(states)
    )
    progress = _progress(entries=entries)
    assert (progress.total, progress.rated, progress.skipped, progress.waiting) == (
        4,
        2,
        entries[1:2],
        entries[3:],
    )


def test_only_measured_times_count():
    progress = _progress(30.0, None, 0.0, 50.0, 10.0)
    assert progress.seconds == {ITEMS[0]: 30.0, ITEMS[3]: 50.0, ITEMS[4]: 10.0}
    assert (progress.median_s, progress.work_pace) == (30.0, 120.0)
    assert _progress(0.5).seconds == {ITEMS[0]: 0.5}
    assert (_progress().seconds, _progress().work_pace, _progress().long_items) == ({}, None, {})


def test_the_pace_by_the_clock_is_items_an_hour():
    assert _progress(clock_s=90.0, clock_items=3).clock_pace == 120.0
    assert (_progress(clock_s=0.0, clock_items=3).clock_pace, _progress().clock_pace) == (
        None,
        None,
    )


def test_long_items_take_three_times_the_median_and_twenty_seconds():
    progress = _progress(10.0, 10.0, 30.0, 29.5, 10.0, 40.0)
    assert progress.median_s == 19.75
    assert progress.long_items == {}
    assert list(_progress(10.0, 10.0, 30.0, 10.0, 10.0, 40.0).long_items.items()) == [
        (ITEMS[5], 40.0), (ITEMS[2], 30.0)
    ]  # fmt: skip
    assert _progress(2.0, 2.0, 2.0, 19.5, 20.0).long_items == {ITEMS[4]: 20.0}


@pytest.fixture
def study(store):
    return store.study("lead")


@pytest.fixture
def times(monkeypatch):
    """The time of the next rating; it stands still."""
    at = [START]

    def now() -> str:
        return at[0].isoformat()

    monkeypatch.setattr(ratings_module, "now", now)
    return at


def _save(
    study: Study, times: list[datetime], name: str, item: Item, after_s: float, value: Value = YES
) -> None:
    times[0] += timedelta(seconds=after_s)
    before = study._ratings.get(item, value.task, name)
    seen = 0 if before is None else before.revision
    study._ratings.save(
        item,
        name,
        value,
        seen=seen,
        mark=Mark(f"{name} {value.task} {item.episode} {seen}", seconds=1.5),
    )


def test_the_clock_runs_from_first_save_to_first_save_without_breaks(study, times):
    study.queues.create(QUEUE.model_copy(update={"items": ITEMS[:5]}))
    _save(study, times, "fox", ITEMS[5], 0)  # of no queue
    _save(study, times, "fox", ITEMS[0], 60)
    _save(study, times, "owl", ITEMS[0], 20)
    _save(study, times, "fox", ITEMS[1], 0, Difficulty(linguistic=1, topological=1, operational=1))
    _save(study, times, "fox", ITEMS[0], 10, NO)
    _save(study, times, "fox", ITEMS[1], 30)
    _save(study, times, "fox", ITEMS[2], 900)  # as long as a pause may be
    _save(study, times, "fox", ITEMS[3], 901)  # a break
    study.take_in(ITEMS[4], "fox", YES)
    fox, owl = queue_report(study, study.queues.all()[0]).annotators
    assert (fox.annotator, fox.clock_s, fox.clock_items, fox.rated) == ("fox", 960.0, 2, 5)
    assert (owl.annotator, owl.clock_s, owl.clock_items, owl.rated) == ("owl", None, 0, 1)
    assert [(one.item, one.value, one.seconds) for one in fox.ratings] == [
        (ITEMS[0], NO, 3.0), (ITEMS[1], YES, 1.5), (ITEMS[2], YES, 1.5), (ITEMS[3], YES, 1.5), (ITEMS[4], YES, None)
    ]  # fmt: skip


@pytest.mark.parametrize("jump_h", [-1, -24])
def test_a_clock_that_was_set_back_leaves_its_gap_out(study, times, jump_h):
    study.queues.create(QUEUE)
    for item, after_s in zip(ITEMS, (0, 60, jump_h * 3600), strict=False):
        _save(study, times, "fox", item, after_s)
    fox = queue_report(study, QUEUE).annotators[0]
    assert (fox.clock_s, fox.clock_items, fox.rated) == (60.0, 1, 3)


def test_saves_at_one_moment_have_no_pace(study, times):
    study.queues.create(QUEUE)
    for item in ITEMS[:2]:
        _save(study, times, "fox", item, 0)
    fox = queue_report(study, QUEUE).annotators[0]
    assert (fox.clock_s, fox.clock_items) == (None, 0)
    _save(study, times, "fox", ITEMS[2], 0.5)
    fox = queue_report(study, QUEUE).annotators[0]
    assert (fox.clock_s, fox.clock_items) == (0.5, 2)


def test_a_report_holds_everybody_s_part_by_name(study, times):
    study.queues.create(QUEUE)
    study.known_answers.put(ITEMS[0], NO, "", "lead")
    hard = Difficulty(linguistic=1, topological=1, operational=1)
    for name, item, value in (("owl", ITEMS[1], YES), ("fox", ITEMS[0], NO), ("crow", ITEMS[0], YES),
                              ("fox", ITEMS[1], hard), ("fox", ITEMS[4], YES)):  # fmt: skip
        _save(study, times, name, item, 1, value)
    report = queue_report(study, QUEUE)
    assert report.queue == QUEUE
    values = [
        (one.annotator, [entry.rated for entry in one.entries], one.checked)
        for one in report.annotators
    ]
    assert values == [("fox", [True, False, False], Checked(gold_right=1, gold=1)),
                    ("owl", [False, True, False], Checked())]  # fmt: skip
    assert [(one.annotator, one.item) for one in report.ratings] == [
        ("fox", ITEMS[0]),
        ("owl", ITEMS[1]),
    ]
    assert queue_counts(study, QUEUE) == [
        QueueProgress(queue="q", annotator=name, total=3, rated=1, skipped=0)
        for name in ("fox", "owl")
    ]


def test_who_rated_an_open_queue_elsewhere_counts_with_all_its_items(study, times):
    everybody = QUEUE.model_copy(update={"annotators": ()})
    study.queues.create(everybody)
    study.queues.items("q", "owl")
    _save(study, times, "owl", ITEMS[2], 1)
    _save(study, times, "heron", ITEMS[1], 1)
    _save(study, times, "crow", ITEMS[5], 1)  # an item of no queue
    assert queue_counts(study, everybody) == [
        QueueProgress(queue="q", annotator=name, total=3, rated=1, skipped=0)
        for name in ("heron", "owl")
    ]
    heron, _ = queue_report(study, everybody).annotators
    assert heron.entries == tuple(
        QueueItem(position=i, item=item, rated=i == 1) for i, item in enumerate(everybody.items)
    )


def test_items_that_were_handed_over_belong_to_the_queue(study, times):
    """Its gold and training items stand in nobody's list but in their part."""
    gold = QUEUE.model_copy(update={"gold": ITEMS[4:5], "gold_share": 0.25, "annotators": ("fox",)})
    study.queues.create(gold)
    _save(study, times, "fox", ITEMS[4], 1)
    [fox] = queue_report(study, gold).annotators
    assert ([one.item for one in fox.ratings], fox.total) == ([ITEMS[4]], 4)


def _answers(values: dict[str, list[Value | None]]) -> list[Rating]:
    return [
        _rating(item, value, name)
        for name, row in values.items()
        for item, value in zip(ITEMS, row, strict=False)
        if value is not None
    ]


def _kappa(value: Any, items: int) -> StatisticInterval:
    return StatisticInterval(value, None, None, items)


def test_the_pair_that_differs_most_comes_first_and_one_without_shared_items_last():
    ratings = _answers({
        "a": [YES, NO, YES, NO, None], "b": [YES, NO, YES, YES, None], "c": [NO, YES, None, None, None],
        "d": [None, None, None, None, YES],
    })  # fmt: skip
    pairs = disagreements(iter(ratings), QUESTIONS["Navigable"])
    assert pairs[:3] == [
        PairDisagreement("a", "c", 2, ITEMS[:2], _kappa(-1.0, 2)),
        PairDisagreement("b", "c", 2, ITEMS[:2], _kappa(-1.0, 2)),
        PairDisagreement("a", "b", 4, ITEMS[3:4], _kappa(pytest.approx(0.5), 4)),
    ]
    assert pairs[3:] == [PairDisagreement(name, "d", 0, (), _kappa(None, 0)) for name in "abc"]
    [last] = disagreements(
        [one for one in ratings if one.annotator in "ab"], QUESTIONS["Navigable"], resamples=200
    )
    assert last.kappa.low is not None
    assert last.kappa.high is not None
    assert last.kappa.low < 0.5 < last.kappa.high, "four items say little"


def test_pairs_that_agree_stand_before_those_without_shared_items():
    ratings = _answers({"a": [YES], "b": [None, YES], "c": [YES]})
    assert [(one.first, one.second, one.shared) for one in disagreements(ratings, QUESTIONS["Navigable"])] == [
        ("a", "c", 1), ("a", "b", 0), ("b", "c", 0)
    ]  # fmt: skip


def test_numbers_are_weighed_by_the_square_of_their_distance():
    """Observed 2, by chance 1.375; without weights kappa would be 0.2."""
    levels = {"a": (1, 2, 3, 1), "b": (1, 2, 1, 3)}
    hard = {
        name: [Difficulty(linguistic=n, topological=1, operational=1) for n in row]
        for name, row in levels.items()
    }
    sure = {
        name: [Navigability(navigable=True, confidence=n) for n in row]
        for name, row in levels.items()
    }
    for values, question in ((hard, "Difficulty: linguistic"), (sure, "Confidence")):
        [pair] = disagreements(_answers(values), QUESTIONS[question])
        assert pair.kappa.value == pytest.approx(1 - 2 / 1.375)
        assert pair.different == ITEMS[2:4]


def test_labels_differ_or_do_not():
    """Half agree, 0.375 by chance: labels have no distance."""
    labels = {"a": "xyzx", "b": "xyxz"}
    marked = {
        name: [Mentions(mentions=(Mention(start=0, end=1, text=text),)) for text in row]
        for name, row in labels.items()
    }
    [pair] = disagreements(_answers(marked), QUESTIONS["Landmark mentions"])
    assert pair.kappa.value == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("parts", "done"),
    [
        ({}, False), ({"fox": []}, False), ({"fox": "r"}, True), ({"fox": "rs", "owl": ""}, True),
        ({"fox": "r", "owl": "ro"}, False), ({"fox": "o", "owl": "r"}, False),
    ],
)  # fmt: skip
def test_a_queue_is_done_where_somebody_had_a_part_and_nobody_has_an_item_left(parts, done):
    states = {"r": {"rated": True}, "s": {"skipped": True}, "o": {}}
    entries = {
        name: [QueueItem(position=0, item=ITEMS[0], **states[state]) for state in part]
        for name, part in parts.items()
    }
    assert is_done(entries) is done


@pytest.mark.parametrize(
    ("events", "news"),
    [
        ([], True), ([("lead", "see done")], False), ([("other", "see done")], True),
        ([("lead", "see done"), ("other", "close")], False), ([("lead", "see done"), ("lead", "guidelines")], False),
        ([("lead", "see done"), ("lead", "hand over")], True), ([("lead", "see done"), ("x", "open")], True),
        ([("lead", "see done"), ("x", "reopen")], True), ([("x", "reopen"), ("lead", "see done")], False),
        ([("lead", "see done"), ("other", "see done")], False), ([("lead", "close")], True),
    ],
)  # fmt: skip
def test_one_is_told_again_after_something_was_opened(events, news):
    values = [QueueEvent(queue="q", who=who, at=START, action=action) for who, action in events]
    assert is_news(values, "lead") is news


def test_a_report_of_nobody_has_no_ratings():
    assert QueueReport(QUEUE, ()).ratings == ()
