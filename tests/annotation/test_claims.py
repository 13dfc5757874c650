"""Causes that annotators judge: their names, what annotators may see, and where they are kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import pytest

from navviz.annotation.claims import CauseClaim, claims_in
from navviz.annotation.exchange import export, parse, take_in
from navviz.annotation.exposure import shown_before
from navviz.annotation.gold import columns_of, item_of
from navviz.annotation.records import CauseVerdict, Follow, Item, Queue
from navviz.annotation.store import AnnotationStore, deliver
from navviz.records import Explanation, Quote, RepairPlan

Opened = Callable[[str], AnnotationStore]


def claim(sentence: str = "The light was never shown.", placebo: str = "") -> CauseClaim:
    cause = Explanation(
        id="landmark-never-shown",
        name="Landmark never shown",
        sentence=sentence,
        step=2,
        quotes=(Quote(source="prompt", text="light", step=2),),
        repair=RepairPlan(kind="take_link", step=2),
        grade="hint",
    )
    fields = {"dataset": "s", "episode": "1", "run": "a/b", "cause": cause, "placebo": placebo}
    return CauseClaim.model_validate(fields)


@pytest.fixture
def study_store(opened, tmp_path):
    return opened(f"sqlite:///{tmp_path / 'annotations.sqlite3'}")


def test_a_claim_names_its_item_by_its_content():
    first, second = claim(), claim("The light was shown late.")
    assert first.item == claim().item
    assert first.item != second.item
    assert first.item != claim(placebo="kind").item
    assert (first.item.run, first.item.episode) == ("a/b", "1")
    assert item_of(columns_of(first.item)) == first.item
    assert columns_of(Item(dataset="s", episode="1", run="a/b"))["run"] == "a/b"


def test_a_claim_of_an_earlier_layout_keeps_the_name_that_ratings_know_it_by():
    cause = {"id": "count-lost", "name": "Count lost", "sentence": "It was lost.", "step": 2}
    cause |= {"sub_goal": None, "quotes": [{"source": "prompt", "text": "light"}], "grade": "cause"}
    old = {"dataset": "s", "episode": "1", "run": "a/b", "cause": cause, "placebo": ""}
    content = json.dumps(old, separators=(",", ":"))
    name = f"c{hashlib.blake2b(content.encode(), digest_size=8).hexdigest()}"
    read = CauseClaim.model_validate_json(content)
    assert (read.item.claim, read.cause.grade) == (name, "likely")
    assert CauseClaim.model_validate_json(read.model_dump_json()) == read


def test_annotators_see_neither_detector_nor_grade_nor_placebo(study_store):
    found, placebo = claim(), claim(placebo="episode")
    study_store.study().claims.put([found, placebo])
    study_store.study().claims.put([found])
    kept = study_store.study().claims.all()
    assert kept == {found.item.claim: found, placebo.item.claim: placebo}
    desk = study_store.sign_in("fox")
    shown = desk.claim(found.item)
    assert shown is not None
    assert shown == desk.claim(placebo.item), "nothing tells a placebo from a cause"
    assert (shown.id, shown.name, shown.grade, shown.repair) == ("cause", "Cause", "hint", None)
    assert (shown.sentence, shown.quotes) == (found.cause.sentence, found.cause.quotes)
    assert desk.claim(Item(dataset="s", episode="1")) is None


def test_two_causes_of_an_episode_are_rated_apart(study_store):
    items = (claim().item, claim("Another.").item)
    study_store.study().queues.create(Queue(name="q", task="cause", items=items, source="a/b"))
    desk = study_store.sign_in("fox")
    queue = desk.queues()[0]
    sent = []
    for number, (item, answer) in enumerate(zip(items, ("yes", "no"), strict=True)):
        value = {"task": "cause", "answer": answer, "comment": "", "without_map": False}
        sent.append(
            {"id": f"window-{number}", "kind": "save", "item": item.model_dump(), "value": value}
        )
    assert [answer.state for answer in deliver(desk, queue, sent)] == ["saved", "saved"]
    kept = {rating.item: rating.value.answer for rating in study_store.study().ratings("cause")}
    assert kept == {items[0]: "yes", items[1]: "no"}
    desk.undo("cause")
    assert [entry.rated for entry in desk.items("q")] == [True, False]
    desk.skip("q", items[1], reason="later")
    assert [entry.skipped for entry in desk.items("q")] == [False, True]


@pytest.mark.parametrize("form", ["jsonl", "csv", "label_studio"])
def test_verdicts_come_back_as_they_went_out(study_store, opened, tmp_path, form):
    study_store.study().claims.put([claim()])
    desk = study_store.sign_in("fox")
    desk.save(claim().item, CauseVerdict(answer="cannot tell", comment="dark"), seen=0)
    study = study_store.study()
    text = export(study.ratings(), form, claims=study.claims.all().values())
    imported, problems = parse(text, form)
    assert not problems.count
    other = opened(f"sqlite:///{tmp_path / 'other.sqlite3'}").study()
    other.claims.put(claims_in(text))
    assert take_in(other, imported)[0] == 1
    [rating] = other.ratings("cause")
    assert (rating.item, rating.value) == (claim().item, study.ratings("cause")[0].value)
    assert list(other.claims.all().values()) == ([claim()] if form == "jsonl" else [])


def test_claims_are_read_between_lines_that_are_none():
    text = '{"type": "claim"\n{"type": "claim", "run": 3}\n{"claim": 1}\n[1]\n'
    assert claims_in(text) == []


def test_a_walk_of_an_episode_that_was_shown_is_counted(study_store):
    study = study_store.study()
    items = tuple(Item(dataset="s", episode=str(n)) for n in range(4))
    names = ("fox", "owl")
    rated = Queue(name="rated", task="navigability", items=items[:3], annotators=names, overlap=0)
    study.queues.create(rated)
    walks = Queue(name="walks", task="follow", items=items[1:], annotators=("fox", "hare"))
    assert shown_before(study, walks) == {"fox": 1}  # fox has 0 and 2, owl has 1
    everybody = walks.model_copy(update={"annotators": ()})
    assert shown_before(study, everybody) == {"fox": 1, "owl": 1}
    other = walks.model_copy(update={"items": (Item(dataset="t", episode="2"),)})
    assert shown_before(study, other) == {}, "data sets number their episodes alike"


def test_a_queue_that_shows_what_is_still_to_walk_is_counted(study_store):
    study = study_store.study()
    items = tuple(Item(dataset="s", episode=str(n)) for n in range(3))
    study.queues.create(Queue(name="walks", task="follow", items=items, annotators=("fox",)))
    rated = Queue(name="rated", task="navigability", items=items, annotators=("fox", "owl"))
    assert shown_before(study, rated) == {"fox": 3}
    study_store.sign_in("fox").save(items[0], Follow(walk=("a",)), seen=0)
    assert shown_before(study, rated) == {"fox": 2}
