"""Evaluate > Progress: the lead sees how a queue goes and changes what is left of it."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from navviz.annotation.ratings import Mark
from navviz.annotation.records import Item, Navigability, Queue
from navviz.annotation.store import AnnotationStore, database_url
from navviz.runs.opened import OPEN_VARIABLE, workspace_dir
from navviz.ui.annotate import desk as desk_module
from navviz.ui.annotate.session import Work, run_of
from tests.pages.conftest import OpenPage, ran, study_part
from tests.worlds import write_states, write_world

ITEMS = tuple(Item(dataset="map2seq", episode=str(n)) for n in (1, 2, 3, 4))
QUEUE = Queue(
    name="pilot", task="navigability", items=ITEMS, annotators=("fox", "owl"), source="walks/json"
)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Four episodes; fox has rated two and skipped one, owl has rated two."""
    graph = write_world(tmp_path)
    walk = ["s1", "x", "e1"]
    walks = {item.episode: {"json": walk, "grid": walk} for item in ITEMS}
    walks["3"]["grid"] = ["s1", "x", "w1"]
    results = write_states(tmp_path / "walks.json", walks)
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"graphs": str(graph), "results": str(results)}))
    store = AnnotationStore(database_url(workspace_dir()))
    store.study().queues.create(QUEUE)
    for name, answers in {"fox": [True, False], "owl": [True, True]}.items():
        desk = store.sign_in(name)
        for item, answer in zip(ITEMS, answers, strict=False):
            value = Navigability(navigable=answer, comment="" if answer else "two <b>banks</b>")
            desk.save(item, value, seen=0, mark=Mark(f"{name}-{item.episode}-window", None, 20.0))
    store.sign_in("fox").skip("pilot", ITEMS[3], reason="I know this place")
    yield store
    store.close()


def progress(page: OpenPage) -> AppTest:
    at = page("study")
    study_part(at, "progress")
    assert not at.exception, at.exception[0].message
    return at


def said(at: AppTest) -> str:
    return " ".join(str(one.value) for one in (*at.success, *at.error, *at.caption))


def test_the_lead_sees_pace_disagreement_comments_and_skips(store, page):
    at = progress(page)
    frames = [frame.value.to_dict("records") for frame in at.dataframe]
    fox, owl = frames[0]
    assert (fox["Annotator"], fox["Rated"], fox["Skipped"], fox["Waiting"]) == ("fox", 2, 1, 1)
    assert (fox["Items/h work"], fox["Median time"], fox["Progress"]) == ("180", "20 s", 75)
    assert (owl["Waiting"], owl["Time left"]) == (2, "40 s")
    assert frames[1][0]["owl"] == "1 of 2 · κ 0.00 (few)"
    assert (frames[2][0]["Episode"], frames[2][0]["fox"], frames[2][0]["owl"]) == ("2", "no", "yes")
    [comment], [skip] = frames[3], frames[4]
    assert (comment["Comment"], skip["Reason"]) == ("two <b>banks</b>", "I know this place")
    assert comment["Item"] == "/replay?run=walks/json&episode=2"
    assert "Only 2 items are rated by two or more" in said(at)


def test_the_lead_hands_over_opens_again_and_closes(store, page):
    at = progress(page)
    at.selectbox(key="evaluate_hand_from").set_value("owl").run()
    store.study().annotators.add("hare", "annotator")
    at.run()
    at.selectbox(key="evaluate_hand_to").set_value("hare").run()
    at.number_input(key="evaluate_hand_count").set_value(1).run()
    at.button(key="evaluate_hand").click().run()
    assert "1 item of owl is now with hare." in said(at)
    assert [entry.item for entry in store.sign_in("hare").items("pilot")] == [ITEMS[3]]
    at.selectbox(key="evaluate_reopen_for").set_value("fox").run()
    at.selectbox(key="evaluate_reopen_item").set_value(ITEMS[1]).run()
    at.button(key="evaluate_reopen").click().run()
    assert "Episode 2 is open again for fox." in said(at)
    assert store.sign_in("fox").items("pilot")[1].is_open
    at.button(key="evaluate_progress_close").click().run()
    assert "The queue pilot is closed" in said(at)
    assert store.sign_in("fox").queues()[0].closed is not None


def test_the_lead_is_told_once_when_a_queue_is_done(store, page):
    for name in ("fox", "owl"):
        desk = store.sign_in(name)
        for entry in desk.items("pilot"):
            if entry.is_open:
                desk.save(entry.item, Navigability(navigable=True), seen=0)
    at = page("study")
    assert [toast.value for toast in at.toast] == ["The queue pilot is done: see Progress."]
    assert "Progress · 1 done" in at.button_group(key="study_group").options
    at.run()
    assert not at.toast
    assert "Progress · 1 done" in at.button_group(key="study_group").options


def test_a_closed_queue_is_told_to_the_annotator(store, page):
    store.study().queues.close("pilot", "lead")
    at = page("annotate")
    at.text_input(key="annotate_name").set_value("fox")
    ran(next(button for button in at.button if button.label == "Start").click())
    shown = " ".join(
        str(one.value) for one in (*at.markdown, *at.subheader, *at.caption, *at.info, *at.text)
    )
    assert "Nothing more is rated in it." in shown


def test_a_queue_begins_with_training_and_holds_gold_that_no_annotator_can_tell(store, page):
    study = store.study()
    at = page("study")
    study_part(at, "gold")
    for episode, why in (("1", "the light is <b>there</b>"), ("2", "known-comment")):
        at.selectbox(key="evaluate_known_episode_walks/json").set_value(episode).run()
        at.text_input(key="evaluate_known_why").set_value(why).run()
        at.button(key="evaluate_known_keep").click().run()
        assert f"The answer of episode {episode} is known: navigable." in said(at)
    study_part(at, "queues")
    at.number_input(key="evaluate_training_navigability").set_value(1).run()
    at.slider(key="evaluate_gold_navigability").set_value(50).run()
    at.text_input(key="evaluate_queue_name").set_value("checked").run()
    ran(at.button(key="evaluate_make").click())
    queue = next(one for one in study.queues.all() if one.name == "checked")
    assert (queue.training, queue.gold, queue.gold_share) == (ITEMS[:1], ITEMS[1:2], 0.5)

    desk = store.sign_in("hare")
    work = Work(desk, queue, desk.items("checked"), run_of(queue), store.study_id)
    result = desk_module._desk(work, "x")
    assert [entry["training"] for entry in result["entries"]] == [True, False, False, False]
    assert [entry["feedback"] for entry in result["entries"]] == [None] * 4
    assert "known-comment" not in json.dumps(result)
    assert {frozenset(entry) for entry in result["entries"]} == {frozenset(result["entries"][0])}
    sent = [
        {"id": f"window-{entry.item.episode}", "kind": "save", "item": entry.item.model_dump(),
         "value": Navigability(navigable=False).model_dump(mode="json")}
        for entry in desk.items("checked")
    ]  # fmt: skip
    answers = desk_module._answers(desk, {"queue": "checked", "actions": sent})
    assert [answer["state"] for answer in answers] == ["saved"] * 4
    assert answers[0]["feedback"] == {
        "right": False,
        "answer": "navigable",
        "comment": "the light is <b>there</b>",
    }
    assert [answer["feedback"] for answer in answers[1:]] == [None] * 3
    assert "known-comment" not in json.dumps(answers)
    again = desk_module._desk(Work(desk, queue, desk.items("checked"), work.run, work.study), "x")
    assert [entry["feedback"] for entry in again["entries"]] == [
        answer["feedback"] for answer in answers
    ]
    study_part(at, "progress")
    at.selectbox(key="evaluate_progress_queue").set_value("checked").run()
    hare = next(
        row for row in at.dataframe[0].value.to_dict("records") if row["Annotator"] == "hare"
    )
    assert (hare["Training right"], hare["Gold right"]) == ("0 of 1", "0 of 1")


def test_the_order_can_put_first_what_navigators_disagree_on(store, page):
    at = page("study")
    study_part(at, "queues")
    at.button_group(key="evaluate_order").set_value("disagreement").run()
    assert at.multiselect(key="evaluate_order_runs").value == ["walks/json", "walks/grid"]
    at.text_input(key="evaluate_queue_name").set_value("active").run()
    at.button(key="evaluate_make").click().run()
    queue = next(one for one in store.study().queues.all() if one.name == "active")
    assert [item.episode for item in queue.items] == ["3", "1", "2", "4"]
    assert queue.note == "All, walks/json; navigators disagree first of walks/json, walks/grid"


def test_a_link_names_the_queue_and_flags_stand_as_sentences(store, page):
    study = store.study()
    many = tuple(Item(dataset="map2seq", episode=str(n)) for n in range(10, 22))
    other = Queue(name="other", task="navigability", items=many, source="walks/json")
    study.queues.create(other)
    desk = store.sign_in("hare")
    for number, item in enumerate(many):
        value = Navigability(navigable=number % 2 == 0)
        desk.save(item, value, seen=0, mark=Mark(f"hare-{number:08}", None, 0.5))
    at = page("study", queue="pilot")
    assert at.selectbox(key="evaluate_progress_queue").value == "pilot"
    assert not at.warning
    at.selectbox(key="evaluate_progress_queue").set_value("other").run()
    assert at.query_params["queue"] == "other"
    [warning] = at.warning
    assert "hare rated 12 of 12 items in less than 2 s each (7,200 items an hour)" in (
        warning.value
    )
    at = page("study", queue="gone")
    assert at.selectbox(key="evaluate_progress_queue").value == "other", "the newest"


def test_many_known_answers_are_looked_at_and_kept(store, page):
    at = study_part(page("study"), "gold")
    text = "episode,answer,comment\n1,yes,\n2,no,<b>two</b> banks\n9,yes,\n3,*hm*,\n"
    at.text_area(key="evaluate_known_bulk_navigability").set_value(text).run()
    assert "4 rows: 2 can be kept, 2 refused." in [one.value for one in at.text]
    assert r"row 5, episode 3: '\*hm\*' is neither yes nor no" in at.warning[0].value
    assert not store.study().known_answers.all("navigability")
    ran(at.button(key="evaluate_known_bulk_keep").click())
    known = store.study().known_answers.all("navigability")
    assert [known[item].value.navigable for item in ITEMS[:2]] == [True, False]
    assert known[ITEMS[1]].comment == "<b>two</b> banks"
    assert "2 known answers kept." in said(at)
    assert not at.text_area(key="evaluate_known_bulk_navigability").value
    at.text_area(key="evaluate_known_bulk_navigability").set_value("episode,answer\n1,no\n").run()
    values = [one.value for one in at.text]
    assert "1 row: 1 can be kept, 1 of them in place of another answer, 0 refused." in values
