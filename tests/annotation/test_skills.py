"""Judged skills: out of and into files, and as labels."""

import pytest

from navviz.annotation.questions import questions, rating_table, skill_labels
from navviz.annotation.records import Item, SkillLabel, Skills
from navviz.annotation.store import AnnotationStore
from navviz.annotation.taxonomy import bundled_taxonomy

ITEM = Item(dataset="R2R", episode="1", run="log")
FOX = Skills(
    labels=(SkillLabel(step=1, named="Stop and Pause", skill="Stop and Pause"), SkillLabel(step=2, skill="Vertical Movement")),
    comment="sure",
)  # fmt: skip
OWL = Skills(labels=(SkillLabel(step=1, named="Stop and Pause", skill="Landmark Detection"),))


@pytest.fixture
def store(tmp_path):
    store = AnnotationStore(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    for name, value in (("fox", FOX), ("owl", OWL)):
        store.sign_in(name).save(ITEM, value, seen=0)
    yield store
    store.close()


def test_a_label_knows_whether_the_router_was_right():
    assert [label.right for label in (*FOX.labels, *OWL.labels)] == [True, False, False]


def test_labels_are_the_majority_s_or_what_was_settled(store):
    study = store.study()
    assert skill_labels(study.ratings(), "log") == {
        ("1", 1): "Stop and Pause",
        ("1", 2): "Vertical Movement",
    }
    assert skill_labels(study.ratings(), "another run") == {}
    study.adjudicate(ITEM, OWL, seen=0)
    settled = skill_labels(study.ratings(), "log", study.adjudicated("skill"))
    assert settled[("1", 1)] == "Landmark Detection"


def test_annotators_may_be_asked_how_they_agree(store):
    (question,) = [one for one in questions(bundled_taxonomy()) if one.task == "skill"]
    table = rating_table(store.study().ratings(), question)
    assert table.answers(ITEM)["owl"] == frozenset({"1: Landmark Detection"})
    assert table.disagreements == [ITEM]
