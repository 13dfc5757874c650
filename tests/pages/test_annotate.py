"""Annotate: signing in, queues, every task, undo, two windows, bad weather."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from navviz.annotation.records import TASKS, Difficulty, Item, Navigability, Queue, Task
from navviz.annotation.store import AnnotationStore, database_url
from navviz.formats import open_results
from navviz.runs.opened import workspace_dir, workspace_runs
from tests.pages.conftest import OpenPage

RUN = "walks/json"
ITEMS = tuple(Item(dataset="map2seq", episode=key) for key in ("1", "2"))


@pytest.fixture
def store(opened: Path) -> Iterator[AnnotationStore]:
    store = AnnotationStore(database_url(workspace_dir()))
    yield store
    store.close()


def queue(store: AnnotationStore, task: Task, **changes: object) -> None:
    fields = {"name": task, "task": task, "items": ITEMS, "source": RUN}
    store.study().queues.create(Queue.model_validate({**fields, **changes}))


def sign_in(at: AppTest, name: str = "fox", token: str | None = None) -> AppTest:
    at.text_input(key="annotate_name").set_value(name)
    if token is not None:
        at.text_input(key="annotate_secret").set_value(token)
    press(at, "Start")
    return at


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click().run()
    assert not at.exception, at.exception[0].message
    return at


def texts(at: AppTest) -> str:
    return " ".join(
        element.value for kind in (at.text, at.caption, at.markdown, at.info, at.success) for element in kind
    )


def test_without_a_queue_it_says_where_one_is_made(page: OpenPage, store: AnnotationStore) -> None:
    at = sign_in(page("annotate"))
    assert "under Study" in at.info[0].value


def test_a_name_that_is_none_is_told(page: OpenPage, store: AnnotationStore) -> None:
    at = sign_in(page("annotate"), "me@example.org")
    assert "no e-mail address" in at.error[0].value
    assert at.text_input(key="annotate_name")


@pytest.mark.parametrize("task", TASKS)
def test_every_task_opens_on_the_first_item(page: OpenPage, store: AnnotationStore, task: Task) -> None:
    queue(store, task)
    at = sign_in(page("annotate"))
    assert not at.exception
    assert "Not rated yet" in texts(at)
    assert at.selectbox(key="annotate_queue_box").value == task


def test_navigability_is_saved_at_once_and_goes_on_where_it_was_left(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "navigability")
    at = sign_in(page("annotate"))
    press(at, "Yes")
    press(at, "Sure")
    assert [rating.value for rating in store.study().ratings()] == [Navigability(navigable=True, confidence=4)]
    press(at, "No")
    assert store.study().ratings()[0].value == Navigability(navigable=False, confidence=4)
    at.text_area[0].set_value("the <b>café</b> is hidden").run()
    assert store.study().ratings()[0].value.comment == "the <b>café</b> is hidden"
    again = sign_in(page("annotate"))
    assert "Episode 2" in texts(again)
    press(again, "Back")
    assert "Episode 1" in texts(again)
    assert again.text_area[0].value == "the <b>café</b> is hidden"


def test_it_is_blind(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "navigability")
    store.sign_in("owl").save(ITEMS[0], Navigability(navigable=False, comment="owl was here"), seen=0)
    at = sign_in(page("annotate"))
    assert "owl" not in texts(at)
    assert "Not rated yet" in texts(at)
    assert "0.0 m from the goal" not in texts(at)


def test_undo_brings_the_earlier_answer_back(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "navigability")
    at = sign_in(page("annotate"))
    press(at, "Yes")
    press(at, "Next")
    press(at, "No")
    press(at, "Undo")
    press(at, "Undo")
    assert store.study().ratings() == []
    assert "Not rated yet" in texts(at)
    assert "Episode 1" in texts(at)
    press(at, "Undo")
    assert "nothing to undo" in at.toast[0].value


def test_the_later_of_two_windows_is_told_and_can_load_the_other(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "navigability")
    first, second = sign_in(page("annotate")), sign_in(page("annotate"))
    press(first, "Yes")
    press(second, "No")
    assert "changed in another window" in second.warning[0].value
    assert store.study().ratings()[0].value.navigable
    press(second, "Load the other rating")
    assert "Saved at" in texts(second)
    press(second, "No")
    assert not store.study().ratings()[0].value.navigable


def test_skip_moves_on_and_the_item_stays_open(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "navigability")
    at = sign_in(page("annotate"))
    press(at, "Skip")
    assert "Episode 2" in texts(at)
    assert [entry.skipped for entry in store.sign_in("fox").items("navigability")] == [True, False]


def test_difficulty_is_saved_once_all_axes_are_there(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "difficulty")
    at = sign_in(page("annotate"))
    groups = [group for group in at.button_group if "difficulty" in (group.key or "")]
    groups[0].set_value(3).run()
    assert store.study().ratings() == []
    assert "Still to rate: topological, operational." in texts(at)
    for number, level in ((1, 9), (2, 5)):
        groups = [group for group in at.button_group if "difficulty" in (group.key or "")]
        groups[number].set_value(level).run()
    assert store.study().ratings()[0].value == Difficulty(linguistic=3, topological=9, operational=5)


def test_a_walk_becomes_a_trace_that_opens_like_any_other(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "follow")
    at = sign_in(page("annotate"))
    assert "light (ahead" not in texts(at)
    press(at, next(button.label for button in at.button if "intersection" in button.label))
    right = next(button.label for button in at.button if button.label.startswith("Right"))
    press(at, right)
    press(at, "One step back")
    press(at, right)
    press(at, "Forward · 30 m")
    press(at, "Here: I have arrived")
    value = store.study().ratings()[0].value
    assert value.walk == ("s1", "s0", "x", "e0", "e1")
    assert (value.success, value.gave_up, value.distance_m) == (True, False, 0.0)
    [source] = workspace_runs()
    assert source.name == "human-fox"
    run = next(iter(source.graphs))
    from navviz.formats import open_graph

    [read] = open_results(source.results, open_graph(run))
    assert read.traces["1"].path == value.walk
    assert read.traces["1"].header.navigator == "human"
    press(at, "Undo")
    assert any(button.label == "Give up" for button in at.button)


def test_failure_labels_with_a_suggestion_and_a_step(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "failure", items=tuple(item.model_copy(update={"run": RUN}) for item in ITEMS))
    at = sign_in(page("annotate"))
    press(at, "Next")
    assert "Suggested by the automatic analysis" in texts(at)
    press(at, "Take it over")
    box = next(box for box in at.selectbox if box.label == "Label")
    box.set_value("A3.1").run()
    at.number_input[0].set_value(2)
    at.text_input[0].set_value("left for right").run()
    press(at, "Add")
    [rating] = store.study().ratings()
    assert [(label.code, label.suggested) for label in rating.value.labels] == [("E1.1", True), ("A3.1", False)]
    assert (rating.value.labels[1].step, rating.value.labels[1].note) == (2, "left for right")
    press(at, "Remove")
    assert store.study().ratings()[0].value.codes == {"A3.1"}


def test_nothing_failed_is_a_rating_too(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "failure")
    at = sign_in(page("annotate"))
    press(at, "Nothing failed")
    assert store.study().ratings()[0].value.labels == ()
    assert "nothing failed" in texts(at)


def test_mentions_are_words_put_together_and_linked(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "mentions")
    at = sign_in(page("annotate"))
    group = next(group for group in at.button_group if (group.key or "").endswith("_words"))
    words = list(group.options)
    assert "light" in words
    assert not any("<" in word for word in words if word != "b")
    group.set_value([words.index("light"), words.index("turn"), words.index("right")]).run()
    mentions = store.study().ratings()[0].value.mentions
    assert [mention.text for mention in mentions] == ["light", "turn right"]
    places = next(box for box in at.selectbox if box.label == "light")
    assert any("Blue Door" in option for option in places.options)
    places.set_value("p1").run()
    assert store.study().ratings()[0].value.mentions[0].poi_id == "p1"


def test_a_study_with_tokens_lets_nobody_in_without(page: OpenPage, store: AnnotationStore) -> None:
    study = store.study()
    study.annotators.add("lead", "researcher")
    study.annotators.set_token("lead")
    study.annotators.add("fox")
    token = study.annotators.set_token("fox")
    study.annotators.require_tokens(required=True)
    lead = study.annotators.set_token("lead")
    store.study("lead", lead).queues.create(Queue(name="q", task="navigability", items=ITEMS, source=RUN))
    at = sign_in(page("annotate"), "fox", "wrong")
    assert "not right" in at.error[0].value
    sign_in(at, "fox", token)
    assert "Episode 1" in texts(at)
    assert "annotate_secret" not in at.session_state
    press(at, "Yes")
    assert store.study("lead", lead).ratings()[0].annotator == "fox"


def test_data_that_is_not_open_here_is_told(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "navigability", source="elsewhere/groke")
    at = sign_in(page("annotate"))
    assert "Open it on the page Explore" in at.info[0].value
    assert not at.exception


def test_an_episode_that_the_data_lacks_is_told(page: OpenPage, store: AnnotationStore) -> None:
    queue(store, "navigability", items=(Item(dataset="map2seq", episode="404"), ITEMS[0]))
    at = sign_in(page("annotate"))
    assert "has no episode 404" in at.error[0].value
    press(at, "Skip")
    assert "Episode 1" in texts(at)


def test_a_database_that_cannot_be_opened_is_told(
    page: OpenPage, opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVVIZ_DB", "mysql://somewhere/else")
    at = page("annotate")
    assert "NAVVIZ_DB must be" in at.error[0].value or "NAVVIZ_DB is no" in at.error[0].value
