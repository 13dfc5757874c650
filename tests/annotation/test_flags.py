"""Ratings that a lead should look at: too fast, one answer to all, gold items missed."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict

import pytest

from navviz.annotation.exchange import export
from navviz.annotation.progress import flags_of, flags_of_study, queue_report
from navviz.annotation.ratings import Mark
from navviz.annotation.records import Item, Navigability, Queue
from navviz.annotation.store import AnnotationStore, Study

ITEMS = tuple(Item(dataset="s", episode=str(n)) for n in range(40))


@pytest.fixture
def store(opened, tmp_path):
    return opened(f"sqlite:///{tmp_path / 'annotations.sqlite3'}")


def _queue(study: Study, **more: object) -> Queue:
    queue = Queue(name="q", task="navigability", items=ITEMS, source="r")
    queue = queue.model_copy(update=more)
    study.queues.create(queue)
    return queue


def _rate(store: AnnotationStore, name: str, answers: str, seconds: list[float]) -> None:
    """Rate by a letter an item: y or n."""
    desk = store.sign_in(name)
    for number, letter in enumerate(answers):
        mark = Mark(f"{name}-{number:08}", None, seconds[number % len(seconds)])
        value = Navigability(navigable=letter == "y")
        desk.save(ITEMS[number], value, seen=0, mark=mark)


def _flags(study: Study, queue: Queue) -> dict[tuple[str, str], str]:
    flags = flags_of(queue_report(study, queue))
    return {(flag.annotator, flag.kind): flag.sentence for flag in flags}


def test_seven_thousand_items_an_hour_raise_a_flag(store):
    study = store.study()
    queue = _queue(study)
    _rate(store, "fast", "yn" * 10, [0.5])
    _rate(store, "slow", "yn" * 10, [12.0])
    _rate(store, "slip", "yn" * 10, [12.0, 9.0, 8.0, 7.0, 1.0])  # one in five: corrections
    _rate(store, "few", "yn" * 4, [0.5])
    assert _flags(study, queue) == {
        ("fast", "speed"): "fast rated 20 of 20 items in less than 2 s each (7,200 items an hour);"
        " reading the text alone takes longer."
    }


def test_speed_goes_by_the_clock_where_no_time_was_measured(store, monkeypatch):
    study = store.study()
    queue = _queue(study)
    for name, step_s in (("script", 1), ("calm", 20)):
        desk = store.sign_in(name)
        for number in range(12):
            at = f"2026-01-02T03:{number * step_s // 60:02}:{number * step_s % 60:02}+00:00"
            monkeypatch.setattr("navviz.annotation.ratings.now", lambda at=at: at)
            desk.save(ITEMS[number], Navigability(navigable=number % 2 == 0), seen=0)
    assert _flags(study, queue) == {
        ("script", "speed"): "script saved 11 items 1.0 s after each other (3,600 an hour);"
        " reading the text alone takes longer."
    }


def test_one_answer_to_everything_is_flagged_where_chance_would_not_give_it(store):
    study = store.study()
    queue = _queue(study)
    _rate(store, "fox", "y" * 20, [12.0])
    assert _flags(study, queue) == {}, "0.8 ** 20 is above 1 %"
    _rate(store, "owl", "y" * 10 + "n" * 10, [12.0])
    assert _flags(study, queue) == {
        ("fox", "constant"): "fox gave the same answer to all 20 items; others give it to 10 of 20."
        " Chance alone does that in fewer than 1 of 100 studies."
    }
    other = queue.model_copy(update={"name": "alone", "items": ITEMS[:21]})
    study.queues.create(other)
    _rate(store, "hare", "y" * 21, [12.0])
    assert ("hare", "constant") in _flags(study, queue)


def test_missed_gold_items_are_flagged_with_their_interval(store):
    study = store.study()
    for item in ITEMS[:4]:
        study.known_answers.put(item, Navigability(navigable=True), "", "lead")
    queue = _queue(study, items=ITEMS[:12])
    _rate(store, "fox", "nyny" + "yn" * 4, [12.0])
    _rate(store, "owl", "yyyn" + "yn" * 4, [12.0])
    assert _flags(study, queue) == {
        (
            "fox",
            "gold",
        ): "fox has 2 of 4 gold items right (50 %, 95 % interval 7 to 93), below 70 %."
    }


def test_flags_go_out_with_the_ratings(store):
    study = store.study()
    _queue(study)
    _rate(store, "fast", "yn" * 10, [0.5])
    _rate(store, "slow", "yn" * 10, [12.0])
    [flag] = flags_of_study(study)
    text = export(study.ratings(), "jsonl", flags=[flag])
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line for line in lines if line["type"] == "flag"] == [{"type": "flag", **asdict(flag)}]
    table = csv.DictReader(io.StringIO(export(study.ratings(), "csv", flags=[flag])))
    assert {(row["annotator"], row["flags"]) for row in table} == {("fast", "speed"), ("slow", "")}


def test_the_stamp_changes_with_whatever_changes(store):
    study = store.study()
    stamps = [study.stamp()]
    _queue(study)
    stamps.append(study.stamp())
    desk = store.sign_in("fox")
    desk.items("q")
    stamps.append(study.stamp())
    _rate(store, "fox", "y", [5.0])
    stamps.append(study.stamp())
    desk.skip("q", ITEMS[1])
    stamps.append(study.stamp())
    study.queues.close("q", "lead")
    stamps.append(study.stamp())
    assert len(set(stamps)) == 6
    assert study.stamp() == stamps[-1]
