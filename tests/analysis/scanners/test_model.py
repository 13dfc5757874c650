"""A model as scanner: what it is shown, what is taken of its reply, and kappa against
annotators.
"""

from __future__ import annotations

import json

import pytest

from navviz.analysis.scanners.model import kappa_against, label_failures, model_prompt
from navviz.annotation.records import FailureLabel, Failures, Item
from navviz.annotation.store import AnnotationStore
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import ModelError
from navviz.llm.scripted import Reply, Scripted
from tests.grids import episode, straight, trace

TAXONOMY = bundled_taxonomy()
WALK = trace(episode(straight()), [straight()])


def said(*labels: dict) -> Scripted:
    return Scripted([json.dumps({"labels": list(labels)})])


def test_the_prompt_holds_codes_directions_and_end():
    system, user = model_prompt(WALK, "It stopped too early.", TAXONOMY)
    assert "E2.1: Execution / Stopping / Stopped too early." in system.text
    assert "Directions: Walk to the end." in user.text
    assert user.text.endswith("End: It stopped too early.")


def test_labels_are_taken_and_unknown_codes_named():
    model = said({"code": "E2.1", "step": 1, "why": "short"}, {"code": "Z9"}, {"code": "E2.1"})
    labelled = label_failures(WALK, "It stopped too early.", model, TAXONOMY)
    assert labelled.failures.labels == (FailureLabel(code="E2.1", step=1, note="short"),)
    assert labelled.unknown == ("Z9",)
    assert labelled.call.purpose == "label failures"


@pytest.mark.parametrize(
    "reply", ["I do not know", '{"codes": []}', '{"labels": [1]}', Reply(error="busy")]
)
def test_a_reply_without_labels_is_one_sentence(reply):
    with pytest.raises(ModelError, match=r"^Episode e1: "):
        label_failures(WALK, "It stopped.", Scripted([reply]), TAXONOMY)


def _failures(*codes: str) -> Failures:
    labels = tuple(FailureLabel(code=code) for code in codes)
    return Failures(taxonomy=TAXONOMY.name, taxonomy_version=TAXONOMY.version, labels=labels)


def test_kappa_against_annotators(tmp_path):
    store = AnnotationStore(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    study = store.study()
    items = [Item(dataset="grid", episode=str(k), run="r") for k in range(4)]
    model = dict(
        zip(
            items,
            (_failures("E2.1"), _failures("E1.1"), _failures("A3.1"), _failures("E2.2")),
            strict=True,
        )
    )
    # equal as categories
    same = (_failures("E2.3"), _failures("E1.2"), _failures("A3.4"), _failures("E2.1"))
    half = (_failures("E2.1"), _failures("E1.1"), _failures("L1.1"), _failures("T1.1"))
    for name, given in (("ann", same), ("bob", half)):
        for item, failures in zip(items, given, strict=True):
            study.take_in(item, name, failures)
    people = study.ratings("failure")
    store.close()
    ann, bob = kappa_against(model, people, TAXONOMY, codes=("E1", "E2", "A3", "L1", "T1"))
    assert (ann.annotator, ann.kappa, ann.walks) == ("ann", 1.0, 4)
    # 20 pairs; both use 4: 2 together, so agreement 16 of 20; by chance 0.04 + 0.64
    assert bob.kappa == pytest.approx((0.8 - 0.68) / (1 - 0.68))
    assert kappa_against({}, people, TAXONOMY) == []
