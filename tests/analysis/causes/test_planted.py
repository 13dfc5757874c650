"""Planted faults lead what explains their act, in logs and in traces of plain arguments."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.causes.registry import NEVER_LEAD, cause_ids, detectors
from navviz.records.trace_files import read_trace
from navviz.records.trace_writer import TraceWriter
from tests.analysis.causes.planted import city, faultless, trace_of
from tests.analysis.causes.plants import PLANTS

IN_HOUSES = {"navgpt-left-out-way", "pruned-way", "thing-never-shown", "another-thing-taken"}
"""They need a house; `test_indoors.py` and `test_things.py` beside this file plant them."""


def _leading(kind, seeds):
    """Return what leads each planted log; of what never leads, all that was found."""
    using, names = detectors(), []
    for seed in seeds:
        explained = explain_episode(
            trace_of(PLANTS[kind](faultless(seed)), seed), city(), using=using
        )
        found = explained.leading
        if kind in NEVER_LEAD and found is None and explained.causes:
            found = explained.causes[0]
        names.append(None if found is None else found.id)
    return names


def test_every_kind_is_planted():
    assert set(PLANTS) | IN_HOUSES == set(cause_ids())


def test_a_walk_without_a_fault_has_no_act_and_no_explanation():
    for seed in range(8):
        explained = explain_episode(trace_of(faultless(seed), seed), city())
        assert (explained.success, explained.act, explained.causes) == (True, None, ())


@pytest.mark.parametrize("kind", PLANTS)
def test_what_was_planted_leads(kind):
    assert _leading(kind, range(3)) == [kind] * 3


@pytest.mark.nightly
@pytest.mark.parametrize("kind", PLANTS)
def test_of_fifty_planted_at_least_nine_of_ten_are_named_and_one_of_twenty_misnamed(kind):
    names = _leading(kind, range(50))
    assert names.count(kind) >= 45
    assert sum(name not in {kind, None} for name in names) <= 2


@pytest.mark.parametrize("kind", PLANTS)
def test_a_respelled_log_has_the_same_explanation(kind):
    """Ids of nodes, layout of the prompt and case of a plan's verbs change; the finding does not."""
    walk = PLANTS[kind](faultless(1))
    shouted = [re.sub(r"^\w+", lambda verb: verb[0].upper(), text) for text in walk.goals]
    loud = replace(walk, goals=shouted)
    first, second = (explain_episode(trace_of(one, 1), city()) for one in (walk, loud))
    assert [one.id for one in first.causes] == [one.id for one in second.causes]
    # ids of nodes say nothing to a reader
    assert not any(re.search(r"n\d\dx\d\d", one.sentence) for one in first.causes)
    assert [one.step for one in first.causes] == [one.step for one in second.causes]
    assert first.act == second.act


@pytest.mark.parametrize("kind", [
    "landmark-tied-beyond", "landmark-never-shown", "landmark-passed-over", "landmark-node-taken",
    "closed-early", "closed-late", "miscounted", "repeated", "waits-for", "plan-wrong",
])  # fmt: skip
def test_a_trace_of_plain_arguments_has_its_explanation(kind, tmp_path):
    logged = trace_of(PLANTS[kind](faultless(1)), 1)
    path = tmp_path / "p1.trace.jsonl"
    with TraceWriter(path, logged.episode, "mine") as writer:
        names = [mark.name for mark in logged.landmarks]
        writer.plan([goal.description for goal in logged.sub_goals], landmarks=names)
        for step in logged.steps:
            [call], decision = step.calls, step.decision
            # an agent that goes nowhere has stopped
            target = None if decision.stop and not step.path else decision.target
            writer.step(
                step.node,
                target,
                path=step.path,
                shown={poi.name: poi.node for poi in step.observation.pois},
                rejected=dict.fromkeys(step.observation.visible_nodes[:1], "not chosen"),
                sub_goal=step.sub_goal,
                sub_goal_status=decision.sub_goal_status,
                prompt=call.messages[0].text,
                thoughts=call.thoughts,
                reply=call.reply,
            )
    trace = read_trace(path)
    assert trace.steps[0].observation.candidates[0].state == "rejected"
    explained, known = explain_episode(trace, city()), explain_episode(logged, city())
    assert known.leading.id == kind
    assert (explained.leading.id, explained.act) == (kind, known.act)
    # who says nothing of all that gets the act alone
    bare = tmp_path / "bare" / "p1.trace.jsonl"
    with TraceWriter(bare, logged.episode, "mine") as writer:
        for step in logged.steps:
            target = None if step.decision.stop and not step.path else step.decision.target
            writer.step(step.node, target, path=step.path)
    alone = explain_episode(read_trace(bare), city())
    assert alone.act.how == known.act.how
    assert kind not in alone.ids or kind == "miscounted"
