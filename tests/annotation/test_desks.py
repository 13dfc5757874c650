"""Desks and studies: whose name stands in what is written, and what one sees of the others."""

from pathlib import Path

import pytest

from navviz.annotation.ratings import Mark
from navviz.annotation.records import (
    ADJUDICATED,
    Difficulty,
    Item,
    Navigability,
    Queue,
    QueueItem,
    QueueProgress,
)
from navviz.annotation.store import FILE_NAME, database_url
from navviz.errors import InputError, StoreError

YES, NO = Navigability(navigable=True), Navigability(navigable=False)
HARD = Difficulty(linguistic=9, topological=9, operational=9)
ONE, TWO = Item(dataset="s", episode="1"), Item(dataset="s", episode="2", run="r")
QUEUE = Queue(name="q", task="navigability", items=(TWO,), training=(ONE,))
TOKEN = "sesame-open"


@pytest.fixture
def store(opened, tmp_path):
    return opened(f"sqlite:///{tmp_path / 'a.sqlite3'}")


def test_the_address_of_a_workspace_s_database(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_DB", "")
    monkeypatch.chdir(tmp_path)
    assert database_url(Path("here/..")) == f"sqlite:///{tmp_path.resolve() / FILE_NAME}"
    monkeypatch.setenv("NAVVIZ_DB", "postgresql+psycopg://host/team")
    assert database_url(tmp_path) == "postgresql+psycopg://host/team"


def test_a_store_is_called_by_its_file_and_a_study_by_an_id_of_its_own(store, tmp_path):
    assert store.name == str(tmp_path / "a.sqlite3")
    assert len(store.study_id) == 16


def test_blanks_around_a_name_are_none_of_it(store):
    store.study().annotators.add("lead", "researcher", token=TOKEN)
    assert store.sign_in(" fox ").name == "fox"
    assert store.sign_in(" lead ", TOKEN).annotator.role == "researcher"
    assert store.check_token(" lead ", TOKEN).name == "lead"
    assert store.study(" lead ").name == "lead"
    assert store.study(" lead ", TOKEN, shared=True).name == "lead"
    assert store.study().name == "researcher"


def test_a_study_that_others_come_into_asks_for_a_researcher_s_token(store):
    annotators = store.study().annotators
    annotators.add("lead", "researcher", token=TOKEN)
    annotators.add("fox", token=TOKEN)
    with pytest.raises(StoreError, match="not right"):
        store.study("lead", shared=True)
    with pytest.raises(StoreError) as error:
        store.study("fox", TOKEN, shared=True)
    assert str(error.value) == "fox is no researcher of this study; ask one of them for access."


def test_every_way_in_gives_a_whole_desk(store):
    """Each of them rates, works in a queue and is told known answers."""
    study, key = store.study("lead"), b"k" * 32
    study.annotators.add("fox", token=TOKEN)
    study.queues.create(QUEUE)
    study.known_answers.put(ONE, YES, "why", "lead")
    again = store.sign_in_again(store.ticket(store.sign_in("fox", TOKEN), key), key)
    desks = [store.sign_in("fox", TOKEN), store.check_token("fox", TOKEN), again]
    for seen, desk in enumerate(desks):
        desk.save(ONE, NO if seen % 2 else YES, seen=seen)
        assert [answer.comment for answer in desk.feedback(QUEUE).values()] == ["why"]


def test_a_desk_shows_its_annotator_s_ratings_by_task(store):
    fox, owl = store.sign_in("fox"), store.sign_in("owl")
    hard, yes = fox.save(ONE, HARD, seen=0), fox.save(ONE, YES, seen=0)
    owl.save(ONE, NO, seen=0)
    fox.save(TWO, NO, seen=0)
    gone = fox.undo()
    assert fox.ratings() == [hard, yes]
    assert fox.ratings("difficulty") == [hard]
    assert fox.ratings("navigability", taken_back=True) == [yes, gone]
    assert (fox.rating(ONE, "difficulty"), fox.rating(TWO, "difficulty")) == (hard, None)
    assert [(one.annotator, one.after) for one in fox.history(ONE, "navigability")] == [
        ("fox", YES)
    ]


def test_one_mark_is_one_change(store):
    fox = store.sign_in("fox")
    first = fox.save(ONE, YES, seen=0, mark=Mark("m1", seconds=3.5))
    assert (first.seconds, fox.save(ONE, NO, seen=1, mark=Mark("m1"))) == (3.5, first)
    fox.save(TWO, YES, seen=0)
    gone = fox.undo(mark=Mark("m2"))
    assert (gone.item, gone.value) == (TWO, None)
    assert fox.undo("difficulty", mark=Mark("m2")) == gone


def test_a_desk_works_through_its_own_part(store):
    store.study().queues.create(QUEUE)
    fox = store.sign_in("fox")
    plain = [QueueItem(position=0, item=ONE, training=True), QueueItem(position=1, item=TWO)]
    assert fox.items("q") == plain
    fox.skip("q", TWO, reason="later")
    assert fox.items("q")[1] == plain[1].model_copy(update={"skipped": True, "reason": "later"})
    fox.save(ONE, YES, seen=0)
    assert fox.progress("q") == QueueProgress(
        queue="q", annotator="fox", total=2, rated=1, skipped=1
    )
    fox.skip("q", TWO, skipped=False)
    assert fox.items("q")[1] == plain[1]


def test_known_answers_are_told_of_rated_training_items_of_the_queue_s_task(store):
    study, fox = store.study("lead"), store.sign_in("fox")
    study.queues.create(QUEUE)
    for item, value in ((ONE, YES), (ONE, HARD), (TWO, YES)):
        study.known_answers.put(item, value, "", "lead")
    assert fox.feedback(QUEUE) == {}
    fox.save(TWO, YES, seen=0)
    assert fox.feedback(QUEUE) == {}
    fox.save(ONE, YES, seen=0)
    assert {item: answer.value for item, answer in fox.feedback(QUEUE).items()} == {ONE: YES}
    bare = QUEUE.model_copy(update={"name": "not there", "training": ()})
    assert fox.feedback(bare) == {}


def test_a_study_reads_what_counts(store):
    study, fox = store.study("lead"), store.sign_in("fox")
    study.queues.create(QUEUE)
    fox.items("q")
    fox.save(ONE, YES, seen=0)  # the training round
    hard, yes = fox.save(ONE, HARD, seen=0), fox.save(TWO, YES, seen=0)
    other = store.sign_in("owl").save(ONE, NO, seen=0)  # who has not come to the queue
    settled = study.adjudicate(TWO, NO, seen=0, seconds=4.5)
    assert study.ratings() == [hard, yes, other]
    assert study.ratings("navigability") == [yes, other]
    assert study.ratings(items=[TWO]) == [yes]
    assert study.adjudicated() == study.adjudicated("navigability") == [settled]
    assert study.adjudicated("difficulty") == []
    assert (settled.annotator, settled.seconds, settled.value) == (ADJUDICATED, 4.5, NO)
    assert study.adjudicate(TWO, YES, seen=1).revision == 2


def test_the_history_says_who_did_what(store):
    study = store.study("lead")
    brought = study.take_in(TWO, "fox", YES, seconds=2.5)
    assert (brought.annotator, brought.seconds) == ("fox", 2.5)
    assert study.take_in(TWO, "fox", NO, seen=1).revision == 2
    study.adjudicate(ONE, HARD, seen=0)
    assert [(one.item, one.who, one.annotator, one.action) for one in study.history()] == [
        (TWO, "lead", "fox", "import"), (TWO, "lead", "fox", "import"), (ONE, "lead", ADJUDICATED, "save")
    ]  # fmt: skip
    assert [one.task for one in study.history(ONE)] == [
        one.task for one in study.history(task="difficulty")
    ]
    assert study.history(ONE, "navigability") == []
    with pytest.raises(InputError, match="is no pseudonym"):
        study.take_in(ONE, "me@example.org", YES)


def test_a_rating_and_a_skip_are_opened_again(store):
    study, fox = store.study("lead"), store.sign_in("fox")
    study.queues.create(QUEUE)
    fox.skip("q", fox.items("q")[1].item)
    fox.save(TWO, HARD, seen=0)
    fox.save(TWO, YES, seen=0)
    study.reopen(QUEUE, "fox", TWO, "look again")
    assert fox.items("q")[1] == QueueItem(position=1, item=TWO)
    assert (fox.rating(TWO, "difficulty").value, fox.rating(TWO, "navigability").value) == (
        HARD,
        None,
    )
    study.reopen(QUEUE, "fox", TWO)
    assert [(one.who, one.annotator, one.item, one.note) for one in study.queues.events("q")] == [
        ("lead", "fox", TWO, "look again"), ("lead", "fox", TWO, "")
    ]  # fmt: skip
    assert [(one.who, one.action) for one in fox.history(TWO, "navigability")] == [
        ("fox", "save"),
        ("lead", "reopen"),
    ]
    with pytest.raises(StoreError, match="not in the queue q of owl"):
        study.reopen(QUEUE, "owl", Item(dataset="s", episode="none"))
