"""The lead writes a queue's guidelines in the page; annotators get them as text."""

from __future__ import annotations

import pytest

from navviz.annotation.guidelines import guidelines_of
from navviz.annotation.queues import MOST_GUIDELINES
from navviz.annotation.records import Item, Queue
from navviz.annotation.store import AnnotationStore, database_url
from navviz.errors import InputError, StoreError
from navviz.runs.opened import workspace_dir
from tests.pages.conftest import study_part

QUEUE = Queue(
    name="pilot",
    task="navigability",
    items=(Item(dataset="map2seq", episode="1"),),
    source="walks/json",
)
HOSTILE = '## Ours\n\n- **Yes**: <img src=x onerror="alert(1)"> [here](javascript:alert(1))'


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    store = AnnotationStore(database_url(workspace_dir()))
    store.study().queues.create(QUEUE)
    yield store
    store.close()


def kept(store: AnnotationStore) -> Queue:
    return store.study().queues.all()[0]


def test_the_lead_writes_guidelines_and_takes_them_back(store, page):
    at = page("study")
    study_part(at, "guidelines")
    assert at.text_area(key="evaluate_guidelines_text_pilot").value == guidelines_of(QUEUE)
    at.text_area(key="evaluate_guidelines_text_pilot").set_value(HOSTILE).run()
    assert "Not saved yet." in [text.value for text in at.caption]
    assert kept(store).guidelines == ""
    at.button(key="evaluate_guidelines_save").click().run()
    assert not at.exception
    assert guidelines_of(kept(store)) == HOSTILE
    assert store.sign_in("fox").queues()[0].guidelines == HOSTILE
    assert "The guidelines of pilot are saved" in at.success[0].value
    assert "Annotators see your text." in [text.value for text in at.caption]
    at.button(key="evaluate_guidelines_drop").click().run()
    assert kept(store).guidelines == ""
    assert at.text_area(key="evaluate_guidelines_text_pilot").value == guidelines_of(QUEUE)
    assert [event.action for event in store.study().queues.events("pilot")] == [
        "guidelines",
        "guidelines",
    ]


def test_guidelines_of_a_queue_that_is_gone_or_too_long_are_told(store):
    queues = store.study().queues
    with pytest.raises(InputError, match="20,001 characters; write no more than 20,000"):
        queues.guide("pilot", "a" * (MOST_GUIDELINES + 1), "lead")
    with pytest.raises(StoreError, match="no queue called gone"):
        queues.guide("gone", "Ours.", "lead")
    assert kept(store) == QUEUE
