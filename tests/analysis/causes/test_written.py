"""Whoever writes a trace by plain arguments gets the explanation that a logged run gets."""

from __future__ import annotations

import pytest

from navviz.analysis.causes.engine import explain_episode
from navviz.records.trace_files import read_trace
from navviz.records.trace_writer import TraceWriter
from tests.analysis.causes.planted import city, faultless, trace_of
from tests.analysis.causes.plants import PLANTS


@pytest.mark.parametrize(
    "kind",
    [
        "landmark-tied-beyond",
        "landmark-never-shown",
        "landmark-passed-over",
        "landmark-node-taken",
        "closed-early",
        "closed-late",
        "miscounted",
        "repeated",
        "waits-for",
        "plan-wrong",
    ],
)
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
