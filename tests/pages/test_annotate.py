"""Annotate: signing in, queues, what the desk is given in every task, bad weather; rating is a
browser's test.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from navviz.annotation.records import TASKS, FailureLabel, Failures, Item, Navigability, Queue, Task
from navviz.annotation.store import AnnotationStore, database_url
from navviz.annotation.tickets import secret_key
from navviz.runs.opened import workspace_dir
from navviz.ui.server.cookies import RECEIPTS, Cookie, receipts
from tests.pages.conftest import press

RUN = "walks/json"
ITEMS = tuple(Item(dataset="map2seq", episode=key) for key in ("1", "2"))


@pytest.fixture
def store(opened):
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


def element(at: AppTest, name: str) -> Any:
    """What a component of the desk is given, as the browser gets it."""
    [proto] = [
        one.proto
        for one in at.get("bidi_component")
        if one.proto.component_name == f"navviz_{name}"
    ]
    return json.loads(proto.bytes.split(b"\n", 1)[1]) if proto.bytes else json.loads(proto.json)


def entries(at: AppTest) -> list[dict[str, Any]]:
    return list(element(at, "desk")["entries"])


def test_without_a_queue_it_says_where_one_is_made(page, store):
    at = sign_in(page("annotate"))
    assert any("on the page Study" in text.value for text in at.markdown)
    # and one button has something to rate at once, under the same name
    press(at, "Rate the sample")
    assert element(at, "desk")["annotator"] == "fox"
    assert element(at, "desk")["task"] == "failure"


def test_the_sample_never_mixes_with_a_real_study(page, store):
    queue(store, "difficulty", annotators=("owl",))
    at = sign_in(page("annotate"))
    assert any("No queue for you yet" in text.value for text in at.markdown)
    assert "Rate the sample" not in [button.label for button in at.button]


@pytest.mark.parametrize("task", TASKS)
def test_every_task_opens_with_its_items_and_guidelines(page, store, task):
    queue(store, task)
    props = element(sign_in(page("annotate")), "desk")
    assert [entry["item"]["episode"] for entry in props["entries"]] == ["1", "2"]
    assert [entry["value"] for entry in props["entries"]] == [None, None]
    assert "Worked examples" in props["guidelines"]
    assert bool(props["labels"]) == (task == "failure")
    assert bool(props["skills"]) == (task == "skill")


def test_the_study_s_own_guidelines_come_first(page, store):
    queue(store, "navigability", guidelines="Rate <b>kindly</b>.")
    assert element(sign_in(page("annotate")), "desk")["guidelines"] == "Rate <b>kindly</b>."


def test_a_link_to_a_queue_of_others_opens_one_s_own(page, store):
    queue(store, "navigability")
    at = sign_in(page("annotate", queue="gone"))
    assert element(at, "desk")["queue"] == "navigability"
    assert any("You have no queue “gone”" in caption.value for caption in at.caption)
    # the desk leaves the name of another queue alone: somebody may be on the way there
    assert "queue" not in at.query_params


def test_it_goes_on_with_what_was_saved_and_skipped(page, store):
    queue(store, "navigability")
    desk = store.sign_in("fox")
    saved = Navigability(navigable=True, confidence=4, comment="the <b>café</b> is hidden")
    desk.save(ITEMS[0], saved, seen=0)
    desk.save(ITEMS[1], Navigability(navigable=False), seen=0)
    desk.undo()
    desk.items("navigability")
    desk.skip("navigability", ITEMS[1], reason="I know this place")
    first, second = entries(sign_in(page("annotate")))
    assert (first["value"], first["revision"]) == (saved.model_dump(mode="json"), 1)
    assert (second["value"], second["revision"], second["reason"]) == (None, 2, "I know this place")


def test_it_is_blind_to_what_others_rated(page, store):
    queue(store, "navigability")
    store.sign_in("owl").save(
        ITEMS[0], Navigability(navigable=False, comment="owl was here"), seen=0
    )
    at = sign_in(page("annotate"))
    assert "owl" not in json.dumps(element(at, "desk"))


def test_labels_of_an_older_taxonomy_come_in_its_newest_version(page, store):
    queue(store, "failure")
    labels = (FailureLabel(code="L1.1", step=2),)
    value = Failures(taxonomy="navviz-failures", taxonomy_version=1, labels=labels)
    store.sign_in("fox").save(ITEMS[0], value, seen=0)
    assert entries(sign_in(page("annotate")))[0]["value"]["labels"][0]["code"] == "L1.1"


def test_a_study_with_tokens_lets_nobody_in_without(page, store):
    study = store.study()
    study.annotators.add("lead", "researcher")
    study.annotators.set_token("lead")
    study.annotators.add("fox")
    token = study.annotators.set_token("fox")
    study.annotators.require_tokens(required=True)
    lead = study.annotators.set_token("lead")
    store.study("lead", lead).queues.create(
        Queue(name="q", task="navigability", items=ITEMS, source=RUN)
    )
    at = sign_in(page("annotate"), "fox", "wrong")
    assert "not right" in at.error[0].value
    sign_in(at, "fox", token)
    assert len(entries(at)) == 2
    assert "annotate_secret" not in at.session_state


def _waiting(data: dict[str, str]) -> Cookie:
    """Return the cookie for which the page tells its browser a receipt."""
    assert data["address"] == RECEIPTS
    return receipts._waiting[data["receipt"]]


def test_a_ticket_is_left_and_taken_back_with_signing_out(page, store):
    queue(store, "navigability")
    at = sign_in(page("annotate"))
    left = element(at, "cookie")
    kept = _waiting(left)
    desk = store.sign_in_again(kept.value, secret_key(workspace_dir()))
    assert desk is not None
    assert desk.name == "fox"
    assert kept.value not in json.dumps(left), "a script of the page could read it"
    press(at, "Sign out fox")
    taken = _waiting(element(at, "cookie"))
    assert (taken.name, taken.value, taken.max_age_s) == (kept.name, "", 0)
    assert at.text_input(key="annotate_name")


def test_data_that_is_not_open_here_is_told(page, store):
    queue(store, "navigability", source="elsewhere/groke")
    at = sign_in(page("annotate"))
    assert "Open it on the page Explore" in at.info[0].value
    assert not at.exception


def test_an_episode_that_the_data_lacks_leaves_the_others(page, store):
    queue(store, "navigability", items=(Item(dataset="map2seq", episode="404"), ITEMS[0]))
    missing, there = entries(sign_in(page("annotate")))
    assert missing["text"] == ""
    assert there["text"] == "Walk to the <b>light</b> and turn right."


def test_a_database_that_cannot_be_opened_is_told(page, opened, monkeypatch):
    monkeypatch.setenv("NAVVIZ_DB", "mysql://somewhere/else")
    at = page("annotate")
    assert "NAVVIZ_DB must be" in at.error[0].value or "NAVVIZ_DB is no" in at.error[0].value
