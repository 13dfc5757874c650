"""Counts of how acts were missed, and what changed between two runs, by hand."""

from __future__ import annotations

import pytest

from navviz.analysis.act_counts import act_changes, act_counts, act_records, act_slugs, acts_frame
from navviz.analysis.causes.counting import cause_features
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.records.act import Act, DecisiveAct


def _one(key, how=None, *, success=False):
    act = None
    if how is not None:
        turn = Act(number=0, kind="turn", side="left", text="turn left")
        told = None if how == "unsaid turn" else turn
        act = DecisiveAct(act=told, how=how, sentence="x.", node="n", step=1)
    return EpisodeCauses(key, success, None if success else 1, act=act)


BEFORE = {
    "1": _one("1", "too early"),
    "2": _one("2", "too early"),
    "3": _one("3", "unsaid turn"),
    "4": _one("4"),
    "5": _one("5", success=True),
}
AFTER = {
    "1": _one("1", "too early"),
    "2": _one("2", success=True),
    "3": _one("3", "skipped"),
    "4": _one("4", success=True),
    "5": _one("5", "told, not on route"),
}


def test_each_failure_counts_once_and_what_nobody_knows_stands_last():
    counts = act_counts(BEFORE)
    assert [(count.slug, count.failures) for count in counts] == [
        ("too-early", 2),
        ("unsaid-turn", 1),
        ("unknown", 1),
    ]
    assert counts[0].share.mean == pytest.approx(0.5)
    assert counts[0].share.episodes == 4
    assert act_slugs(BEFORE)["5"] is None
    assert act_counts({"5": BEFORE["5"]}) == []


def test_what_came_and_went_is_paired():
    changes = {change.id: change for change in act_changes(BEFORE, AFTER).changes}
    assert (changes["too-early"].vanished, changes["too-early"].stayed) == (("2",), ("1",))
    assert changes["unsaid-turn"].vanished == changes["skipped"].came == ("3",)
    assert changes["told-not-on-route"].came == ("5",)
    assert changes["told-not-on-route"].name == "told, not on route"


def test_tables_and_features_name_the_act():
    assert acts_frame(BEFORE).loc["too early", "of failures"].startswith("2 of 4 (50 %")
    first = next(act_records(BEFORE))
    assert (first["id"], first["grade"], first["likely"]) == ("act:too-early", "act", 2)
    features = cause_features(BEFORE)
    assert features["1"] == {"act: too early", "act kind: turn"}
    assert features["3"] == {"act: unsaid turn", "act kind: unsaid"}
    assert features["5"] == frozenset()
