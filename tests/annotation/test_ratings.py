"""Ratings and their history: marks of windows, undo, reopening, and which rows a question is about."""

from __future__ import annotations

from datetime import timedelta

import pytest

from navviz.annotation.database import Database
from navviz.annotation.ratings import Mark, Ratings
from navviz.annotation.records import ADJUDICATED, Difficulty, Item, Navigability
from navviz.errors import ConflictError

YES, NO, MAYBE = (
    Navigability(navigable=True),
    Navigability(navigable=False),
    Navigability(navigable=True, confidence=1),
)
HARD = Difficulty(linguistic=9, topological=9, operational=9)
ONE = Item(dataset="s", episode="1")
ELSEWHERE = [
    Item(dataset="t", episode="1"),
    Item(dataset="s", episode="2"),
    Item(dataset="s", episode="1", run="r"),
]


@pytest.fixture
def ratings(store):
    for name in ("fox", "owl"):
        store.sign_in(name)
    return store._ratings


def _actions(
    ratings: Ratings, *question: object
) -> list[tuple[str, str, bool | None, bool | None]]:
    """Who did what, from what to what (whether it can be followed)."""
    return [
        (
            edit.who,
            edit.action,
            edit.before and edit.before.navigable,
            edit.after and edit.after.navigable,
        )
        for edit in ratings.history(*question)
    ]


def test_a_rating_is_its_item_its_task_and_its_annotator_alone(ratings):
    first = ratings.save(ONE, "fox", YES, seen=0)
    for item in ELSEWHERE:
        assert ratings.get(item, "navigability", "fox") is None
        assert ratings.save(item, "fox", NO, seen=0).revision == 1
    assert ratings.save(ONE, "owl", NO, seen=0).revision == 1
    assert ratings.save(ONE, "fox", HARD, seen=0).revision == 1
    assert ratings.get(ONE, "navigability", "fox") == first
    assert (first.item, first.task, first.annotator, first.value, first.revision) == (
        ONE,
        "navigability",
        "fox",
        YES,
        1,
    )
    assert (first.created, first.seconds) == (first.changed, None)
    assert first.created.utcoffset() == timedelta(0)


def test_questions_narrow_down_by_task_annotator_and_item(ratings):
    for item in (ONE, *ELSEWHERE):
        ratings.save(item, "fox", YES, seen=0)
    ratings.save(ONE, "fox", HARD, seen=0)
    ratings.save(ONE, "owl", NO, seen=0)
    assert [rating.item for rating in ratings.all()] == [ONE, *ELSEWHERE, ONE, ONE]
    assert [rating.item for rating in ratings.all("navigability", "fox")] == [ONE, *ELSEWHERE]
    assert [rating.value for rating in ratings.all("difficulty")] == [HARD]
    assert [rating.value for rating in ratings.all(annotator="owl")] == [NO]
    assert [rating.item for rating in ratings.all(items=iter(ELSEWHERE[:2]))] == ELSEWHERE[:2]
    assert ratings.all(items=()) == []
    assert len(ratings.history()) == 6
    assert [edit.item for edit in ratings.history(ONE)] == [ONE] * 3
    assert [(edit.task, edit.annotator) for edit in ratings.history(ONE, "navigability")] == [
        ("navigability", "fox"), ("navigability", "owl")
    ]  # fmt: skip
    for item in ELSEWHERE:
        assert [edit.item for edit in ratings.history(item)] == [item]
    assert [edit.annotator for edit in ratings.history(annotator="owl")] == ["owl"]
    assert len(ratings.history(task="difficulty")) == 1


def test_a_rating_that_was_taken_back_stands_no_more(ratings):
    ratings.save(ONE, "fox", YES, seen=0)
    gone = ratings.undo("fox")
    assert gone is not None
    assert (gone.value, gone.revision) == (None, 2)
    assert ratings.all() == []
    assert ratings.all(taken_back=True) == [gone]
    assert ratings.all("difficulty", taken_back=True) == []


def test_the_history_says_who_when_and_how_long(ratings):
    first = ratings.save(ONE, "fox", YES, seen=0, seconds=2.0)
    second = ratings.save(ONE, "fox", NO, seen=1, who="lead", action="import", seconds=3.5)
    third = ratings.save(ONE, "fox", MAYBE, seen=2)
    assert [rating.seconds for rating in (first, second, third)] == [2.0, 5.5, 5.5]
    assert second.created == third.created == first.created <= second.changed <= third.changed
    edits = ratings.history(ONE)
    assert [
        (e.revision, e.who, e.annotator, e.action, e.before, e.after, e.seconds) for e in edits
    ] == [
        (1, "fox", "fox", "save", None, YES, 2.0),
        (2, "lead", "fox", "import", YES, NO, 3.5),
        (3, "fox", "fox", "save", NO, MAYBE, None),
    ]
    assert [edit.at for edit in edits] == [first.changed, second.changed, third.changed]
    unmeasured = ratings.save(ELSEWHERE[0], "fox", YES, seen=0)
    assert ratings.save(unmeasured.item, "fox", NO, seen=1, seconds=1.5).seconds == 1.5


def test_an_action_that_is_sent_twice_counts_once_and_is_answered_as_it_left_things(ratings):
    ratings.save(ONE, "owl", MAYBE, seen=0, mark=Mark("o"))
    ratings.save(ELSEWHERE[0], "fox", MAYBE, seen=0, mark=Mark("p"))
    first = ratings.save(ONE, "fox", YES, seen=0, mark=Mark("a", seconds=2.0))
    second = ratings.save(ONE, "fox", NO, seen=1, mark=Mark("b", "a", 3.0))
    again = ratings.save(ONE, "fox", YES, seen=0, mark=Mark("a", seconds=2.0))
    assert (again.value, again.revision, again.changed, again.created) == (
        YES,
        1,
        first.changed,
        first.created,
    )
    assert ratings.save(ONE, "fox", NO, seen=1, mark=Mark("b", "a", 3.0)) == second
    assert ratings.get(ONE, "navigability", "fox") == second
    assert (second.seconds, len(ratings.history(ONE, annotator="fox"))) == (5.0, 2)
    with pytest.raises(ConflictError):  # another's mark is nobody else's receipt
        ratings.save(ONE, "owl", YES, seen=1, mark=Mark("a"))
    assert ratings.get(ONE, "navigability", "owl").value == MAYBE
    ratings.save(ONE, "fox", MAYBE, seen=2, mark=Mark("c"), seconds=99.0)
    assert ratings.history(ONE, annotator="fox")[-1].seconds == 0.0


def test_an_action_may_follow_the_windows_own_one_before_its_answer_came(ratings):
    ratings.save(ONE, "fox", YES, seen=0, mark=Mark("a"))
    assert ratings.save(ONE, "fox", NO, seen=0, mark=Mark("b", "a")).revision == 2
    with pytest.raises(ConflictError):
        ratings.save(ONE, "fox", YES, seen=0, mark=Mark("c", "a"))
    with pytest.raises(ConflictError):
        ratings.save(ONE, "fox", MAYBE, seen=0, mark=Mark("d", "never came"))
    with pytest.raises(ConflictError):
        ratings.save(ONE, "fox", MAYBE, seen=1, mark=Mark("e"))
    assert ratings.save(ONE, "fox", MAYBE, seen=2, mark=Mark("f", "a")).revision == 3
    other = ratings.save(ELSEWHERE[0], "fox", YES, seen=0, mark=Mark("g", "f"))
    assert other.revision == 1
    with pytest.raises(ConflictError):
        ratings.save(other.item, "fox", NO, seen=0, mark=Mark("h", "f"))


def test_undo_takes_back_one_change_at_a_time(ratings):
    ratings.save(ONE, "fox", YES, seen=0)
    ratings.save(ONE, "fox", NO, seen=1)
    ratings.save(ONE, "fox", HARD, seen=0)
    assert ratings.undo("owl") is None
    back = ratings.undo("fox", "navigability", mark=Mark("u", seconds=1.5))
    assert back is not None
    assert (back.value, back.revision, back.seconds) == (YES, 3, 1.5)
    assert ratings.undo("fox", "navigability", mark=Mark("u", seconds=1.5)) == back
    assert len(ratings.history(ONE, "navigability")) == 3
    gone = ratings.undo("fox", "navigability")
    assert gone is not None
    assert (gone.value, gone.revision) == (None, 4)
    assert ratings.undo("fox", "navigability") is None
    assert ratings.get(ONE, "difficulty", "fox").value == HARD
    assert ratings.undo("fox").value is None
    assert _actions(ratings, ONE, "navigability") == [
        ("fox", "save", None, True), ("fox", "save", True, False), ("fox", "undo", False, True), ("fox", "undo", True, None)
    ]  # fmt: skip
    assert ratings.undo("fox", mark=Mark("v")) is None


def test_an_undo_of_an_earlier_version_that_took_nothing_back_is_passed_over(ratings):
    ratings.save(ONE, "fox", YES, seen=0)
    ratings.save(ELSEWHERE[0], "fox", YES, seen=0)
    assert ratings.undo("fox").item == ELSEWHERE[0]
    with ratings._database.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO edits (rating, revision, who, at, action) SELECT rating, 3, who, at, action FROM edits WHERE action = 'undo'"
        )
    assert len(_actions(ratings)) == 4
    assert (ratings.undo("fox").item, ratings.undo("fox")) == (ONE, None)


def test_the_only_undo_that_is_sent_twice_is_answered_as_before(ratings):
    ratings.save(ONE, "fox", YES, seen=0)
    gone = ratings.undo("fox", mark=Mark("u"))
    assert gone is not None
    assert ratings.undo("fox", mark=Mark("u")) == gone
    assert ratings.undo("fox", mark=Mark("v")) is None
    assert ratings.undo("owl", mark=Mark("u")) is None


@pytest.mark.parametrize("action", ["import", "save"])
def test_undo_brings_back_nothing_that_another_did(ratings, action):
    ratings.save(ELSEWHERE[0], ADJUDICATED, NO, seen=0, who="fox")
    ratings.save(ONE, "fox", YES, seen=0, who="lead", action=action)
    assert ratings.undo("fox") is None
    ratings.save(ONE, "fox", NO, seen=1)
    assert ratings.undo("fox").value == YES
    assert ratings.undo("fox") is None


def test_an_item_that_is_opened_again_is_rated_anew(ratings):
    ratings.save(ELSEWHERE[0], "fox", YES, seen=0)
    ratings.save(ONE, "fox", YES, seen=0)
    assert ratings.reopen(ELSEWHERE[1], "navigability", "fox", "lead") is None
    assert ratings.reopen(ONE, "difficulty", "fox", "lead") is None
    opened = ratings.reopen(ONE, "navigability", "fox", "lead")
    assert opened is not None
    assert (opened.value, opened.revision) == (None, 2)
    assert ratings.reopen(ONE, "navigability", "fox", "lead") is None
    assert _actions(ratings, ONE) == [("fox", "save", None, True), ("lead", "reopen", True, None)]
    assert ratings.undo("fox").item == ELSEWHERE[0]
    assert ratings.undo("fox") is None
    ratings.save(ONE, "fox", NO, seen=2)
    assert ratings.undo("fox").value is None
    assert ratings.undo("fox") is None


def test_who_comes_too_late_reads_when_it_was_changed(ratings):
    saved = ratings.save(ONE, "fox", YES, seen=0)
    with pytest.raises(ConflictError) as caught:
        ratings.save(ONE, "fox", NO, seen=0)
    assert str(caught.value) == (
        f"Episode 1 was changed in another window at {saved.changed:%H:%M:%S} UTC;"
        " reload to see that rating, nothing was overwritten."
    )
    with pytest.raises(ConflictError) as caught:
        ratings.save(ELSEWHERE[0], "fox", NO, seen=2)
    assert str(caught.value) == (
        "This item was changed in another window; reload the page, nothing was overwritten."
    )
    assert ratings.save(ONE, "fox", YES, seen=7) == saved
    assert len(ratings.history()) == 1


def test_a_database_that_is_opened_again_holds_it_all(tmp_path, opened):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    store = opened(url)
    store.sign_in("fox").save(ONE, YES, seen=0, mark=Mark("a", seconds=2.0))
    kept = store._ratings.all(), store._ratings.history()
    store.close()
    again = Ratings(Database(url))
    assert (again.all(), again.history()) == kept
    again._database.close()
