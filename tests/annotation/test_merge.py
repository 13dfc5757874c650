"""Studies that become one: nothing is lost, nothing doubled, in whatever order they come."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine

from navviz.annotation import annotators, claims, database, gold, queues, ratings
from navviz.annotation.merge import MergeConflict
from navviz.annotation.ratings import Mark
from navviz.annotation.records import Item, Navigability, Queue
from navviz.annotation.store import AnnotationStore, deliver
from navviz.errors import ConflictError, InputError

ITEMS = tuple(Item(dataset="s", episode=str(i)) for i in range(6))
YES, NO = Navigability(navigable=True), Navigability(navigable=False, comment="no way")
QUEUE = Queue(name="q", task="navigability", items=ITEMS, training=ITEMS[:1])
TABLES = [table.name for table in database._tables.sorted_tables if table.name != "meta"]


def content(path: Path) -> dict[str, list[Any]]:
    """All rows of all tables, but for receipts, which belong to the browsers of one server."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        rows = {}
        for name in TABLES:
            if name != "receipts":
                query = f"SELECT * FROM {name} ORDER BY 1, 2, 3"
                rows[name] = [tuple(row) for row in connection.exec_driver_sql(query)]
    engine.dispose()
    return rows


@contextmanager
def study_in(path: Path) -> Iterator[AnnotationStore]:
    with closing(AnnotationStore(f"sqlite:///{path}")) as store:
        yield store


def merged(path: Path, *others: Path) -> list[MergeConflict]:
    with study_in(path) as target:
        sources = [AnnotationStore(f"sqlite:///{other}") for other in others]
        try:
            return target.merge(sources)
        finally:
            for source in sources:
                source.close()


@pytest.fixture
def clock(monkeypatch):
    """Every change a minute after the one before."""
    minutes = count()

    def now() -> str:
        return (datetime(2026, 1, 2, tzinfo=UTC) + timedelta(minutes=next(minutes))).isoformat()

    for module in (annotators, claims, gold, queues, ratings):
        monkeypatch.setattr(module, "now", now)


def answer(dice: random.Random, seen: int) -> Navigability:
    # another one each time: the same answer again is no change
    return Navigability(navigable=dice.random() < 0.5, comment=f"answer {seen}")


@pytest.fixture(scope="module")
def fifty(tmp_path_factory):
    """Fifty raters' files: each rates, changes and skips by its own dice; names come twice."""
    folder = tmp_path_factory.mktemp("fifty")
    paths = []
    for number in range(50):
        paths.append(folder / f"{number}.sqlite3")
        dice = random.Random(number)
        name = f"rater {number % 40}"
        with study_in(paths[-1]) as store:
            items = tuple(dice.sample(ITEMS, 4))
            store.study().queues.create(QUEUE.model_copy(update={"items": items}))
            desk = store.sign_in(name)
            for entry in desk.items("q"):
                for seen in range(dice.randint(0, 3)):
                    desk.save(entry.item, answer(dice, seen), seen=seen)
                if dice.random() < 0.2:
                    desk.skip("q", entry.item, reason="dark")
            if dice.random() < 0.5:
                desk.undo()
            store.study().known_answers.put(ITEMS[0], dice.choice((YES, NO)), "", "lead")
            if dice.random() < 0.3:
                store.study().queues.close("q", "lead")
    return paths


def test_fifty_files_in_any_order_give_the_same_rows(fifty, tmp_path_factory):
    folder, numbers = tmp_path_factory.mktemp("orders"), count()
    first = folder / "first.sqlite3"
    merged(first, *fifty)
    whole = content(first)
    changes = set()
    for path in fifty:
        ids = {row[0]: row[1:6] for row in content(path)["ratings"]}
        changes |= {(ids[row[1]], row[3:6], row[7]) for row in content(path)["edits"]}
    ids = {row[0]: row[1:6] for row in whole["ratings"]}
    kept = [(ids[row[1]], row[3:6], row[7]) for row in whole["edits"]]
    assert set(kept) == changes
    assert len(kept) == len(changes)

    @settings(max_examples=12, deadline=None)
    @given(st.permutations(fifty), st.integers(1, 49))
    def holds(order, cut):
        path, half = (folder / f"{next(numbers)}.sqlite3" for _ in range(2))
        merged(half, *order[cut:])
        merged(path, *order[:cut], half, order[0])
        assert content(path) == whole

    holds()


def test_what_one_side_alone_changed_is_taken_and_nothing_is_doubled(tmp_path, clock):
    here, there = tmp_path / "a.sqlite3", tmp_path / "b.sqlite3"
    with study_in(here) as store:
        store.study().queues.create(QUEUE)
        assert store.sign_in("fox").items("q")[0].training
        store.sign_in("fox").save(ITEMS[0], YES, seen=0, mark=Mark("mark one", seconds=2.0))
    merged(there, here)
    with study_in(there) as store:
        assert store.sign_in("fox").save(ITEMS[0], NO, seen=1).revision == 2
        store.sign_in("owl").save(ITEMS[1], NO, seen=0)
    assert merged(here, there) == []
    once = content(here)
    assert merged(here, there, here) == []
    assert content(here) == once == content(there)
    with study_in(here) as store:
        fox = store.sign_in("fox")
        assert [edit.after for edit in fox.history(ITEMS[0], "navigability")] == [YES, NO]
        assert fox.rating(ITEMS[0], "navigability").seconds == 2.0
        assert [rating.annotator for rating in store.study().ratings()] == ["owl"]


def test_two_answers_stand_side_by_side_and_the_later_one_counts(url, opened, tmp_path, clock):
    store, there = opened(url), tmp_path / "b.sqlite3"
    store.study().queues.create(QUEUE)
    store.sign_in("fox").save(ITEMS[0], YES, seen=0, mark=Mark("mark one"))
    with study_in(there) as other:
        other.sign_in("fox").save(ITEMS[0], NO, seen=0)
        other.study().known_answers.put(ITEMS[0], NO, "", "guest")
        [conflict] = store.merge([other])
        assert store.merge([other]) == []
    said = [
        "navigable: true (2026-01-02T00:0",
        "navigable: false, comment: no way (2026-01-02T00:0",
    ]
    assert [conflict.first.startswith(said[0]), conflict.second.startswith(said[1])] == [True] * 2
    assert (conflict.what, conflict.episode) == ("navigability by fox", "0")
    assert conflict.stands == conflict.second
    fox = store.sign_in("fox")
    assert [edit.after for edit in fox.history(ITEMS[0], "navigability")] == [YES, NO]
    assert [edit.before for edit in fox.history(ITEMS[0], "navigability")] == [None, YES]
    # a window that sends its action again, or rates on, finds its place
    assert fox.save(ITEMS[0], YES, seen=0, mark=Mark("mark one")).revision == 1
    with pytest.raises(ConflictError):
        fox.save(ITEMS[0], YES, seen=1)
    assert fox.save(ITEMS[0], YES, seen=2).revision == 3
    again = {"id": "mark-two", "kind": "save", "item": ITEMS[1], "value": NO}
    assert [answer.state for answer in deliver(fox, QUEUE, [again])] == ["saved"]
    store.study().queues.close("q", "lead")


def test_nobody_gets_in_by_what_another_server_gave_out(tmp_path):
    here, there = tmp_path / "a.sqlite3", tmp_path / "b.sqlite3"
    for path in (here, there):
        with study_in(path) as store:
            store.study().annotators.add("lead", "researcher", f"token of {path.stem}")
            store.study().annotators.add(f"boss {path.stem}", "researcher", "token of both")
    merged(here, there)
    with study_in(here) as store:
        people = {one.name: (one.role, one.has_token) for one in store.study().annotators.all()}
        assert people == {
            "lead": ("researcher", True),
            "boss a": ("researcher", True),
            "boss b": ("annotator", False),
        }
        assert store.check_token("lead", "token of a").name == "lead"


def test_queues_of_one_name_and_two_tasks_are_refused_and_nothing_is_written(tmp_path):
    here, there = tmp_path / "a.sqlite3", tmp_path / "b.sqlite3"
    for path, task in ((here, "navigability"), (there, "difficulty")):
        with study_in(path) as store:
            store.study().queues.create(QUEUE.model_copy(update={"task": task}))
            store.sign_in(path.stem)
    before = content(here)
    with pytest.raises(InputError, match="q is a queue of navigability here, of difficulty there"):
        merged(here, there)
    assert content(here) == before
