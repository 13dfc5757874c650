"""Anybody's agent writes a trace that is replayed and scored."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from navviz.errors import InputError, StoreError
from navviz.formats import open_graph
from navviz.metrics.score import score_trace
from navviz.records import EndStatus, Episode, Message, MoveEvent, Panel, Trace
from navviz.records.trace_files import read_trace
from navviz.records.trace_writer import TraceWriter
from tests.worlds import ROUTE, write_world

EPISODE = Episode(
    id="1",
    dataset="mine",
    instruction="Right at the light.",
    start="s1",
    reference_path=tuple(ROUTE),
    goal="e1",
)


def walk(path: Path, **more: object) -> Trace:
    with TraceWriter(path, EPISODE, "mine", **more) as trace:  # type: ignore[arg-type]
        trace.plan(["Walk to the light.", "Turn right."], reply="two parts")
        for node, target in pairwise(ROUTE):
            trace.step(node, target)
    return read_trace(path)


def test_every_step_stands_in_the_trace(tmp_path):
    path = tmp_path / "my run" / "1.trace.jsonl"
    with TraceWriter(path, EPISODE, "mine", model="m", settings={"beam": 3}) as writer:
        writer.step(
            "s1", "s0", heading_deg=0.0, observation="A street.", candidates=["s0", "s1"], reason="only way", sub_goal=0,
            prompt="Where to?", thoughts="North.", reply="s0", model="m", seconds=1.5, usage={"prompt_tokens": 9},
            panels=[Panel(kind="text", title="Mind", data={"text": "calm"})],
        )  # fmt: skip
        writer.step(
            "s0", "e0", path=["s0", "x", "e0"], prompt=[Message(role="system", text="You walk.")]
        )
        writer.step("e0")
    trace = read_trace(path)
    assert (trace.header.run, trace.header.model, trace.header.settings) == (
        "my run",
        "m",
        {"beam": 3},
    )
    assert trace.path == ("s1", "s0", "x", "e0")
    first, second, last = trace.steps
    assert [step.index for step in trace.steps] == [1, 2, 3]
    assert first.observation is not None
    assert [(c.node, c.state) for c in first.observation.candidates] == [
        ("s0", "chosen"),
        ("s1", "rejected"),
    ]
    assert first.calls[0].messages == (Message(role="user", text="Where to?"),)
    assert (first.calls[0].thoughts, first.calls[0].reply, first.calls[0].seconds) == (
        "North.",
        "s0",
        1.5,
    )
    assert first.calls[0].usage is not None
    assert first.calls[0].usage.prompt_tokens == 9
    assert (first.panels[0].title, first.heading_deg, first.sub_goal) == ("Mind", 0.0, 0)
    assert second.calls[0].messages[0].role == "system"
    assert first.decision is not None
    assert (first.decision.reason, first.decision.stop) == ("only way", False)
    assert last.decision is not None
    assert (last.decision.stop, last.path, last.calls) == (True, (), ())
    assert trace.end is not None
    assert (trace.end.status, trace.end.node) == (EndStatus.DONE, "e0")


def test_it_is_scored_like_any_other(tmp_path):
    trace = walk(tmp_path / "1.trace.jsonl")
    assert [goal.description for goal in trace.sub_goals] == ["Walk to the light.", "Turn right."]
    assert trace.plan_calls[0].purpose == "plan"
    scores = score_trace(trace, open_graph(write_world(tmp_path)))
    assert (scores["SR"], scores["nDTW"], scores["steps"]) == (1.0, 1.0, 4.0)


@pytest.mark.parametrize(("error", "status", "reason"), [
    (KeyboardInterrupt(), EndStatus.STOPPED, "Stopped."),
    (ZeroDivisionError("with sk-a-secret-key"), EndStatus.ERROR, "The agent failed: ZeroDivisionError."),
    (InputError("is no map"), EndStatus.ERROR, "is no map."),
])  # fmt: skip
def test_an_agent_that_breaks_leaves_a_trace_that_says_so(tmp_path, error, status, reason):
    path = tmp_path / "1.trace.jsonl"

    def fail() -> None:
        with TraceWriter(path, EPISODE, "mine") as writer:
            writer.step("s1", "s0")
            raise error

    with pytest.raises(type(error)):
        fail()
    trace = read_trace(path)
    assert trace.path == ("s1", "s0")
    assert trace.end is not None
    assert (trace.end.status, trace.end.reason, trace.end.node) == (status, reason, "s0")


def test_an_agent_that_is_killed_leaves_what_it_did(tmp_path):
    path = tmp_path / "1.trace.jsonl"
    writer = TraceWriter(path, EPISODE, "mine")
    writer.step("s1", "s0")
    trace = read_trace(path)
    assert (trace.path, trace.end) == (("s1", "s0"), None)
    writer.close()


def test_it_may_say_why_it_ends(tmp_path):
    path = tmp_path / "1.trace.jsonl"
    with TraceWriter(path, EPISODE, "mine", run="other name") as writer:
        writer.end(EndStatus.LIMIT, "20 steps")
    trace = read_trace(path)
    assert trace.end is not None
    assert (trace.end.status, trace.end.reason, trace.header.run) == (
        EndStatus.LIMIT,
        "20 steps",
        "other name",
    )


def test_a_trace_is_replaced_only_when_asked(tmp_path):
    path = tmp_path / "1.trace.jsonl"
    before = walk(path)
    with pytest.raises(
        StoreError, match="holds a trace already; choose another name, or give replace=True"
    ):
        TraceWriter(path, EPISODE, "mine")
    assert read_trace(path) == before
    assert walk(path, replace=True, run="second").header.run == "second"


def test_a_path_that_does_not_fit_is_refused(tmp_path):
    with TraceWriter(tmp_path / "1.trace.jsonl", EPISODE, "mine") as writer:
        with pytest.raises(InputError, match="path goes from s0 to x; let it go from s1 to x"):
            writer.step("s1", "x", path=["s0", "x"])
        with pytest.raises(InputError, match="let it go from s1 to e0"):
            writer.step("s1", "e0", path=["s1", "s0"])
    assert read_trace(tmp_path / "1.trace.jsonl").steps == ()


@pytest.mark.parametrize(("call", "said"), [
    ({"nonsense": 1}, "field nonsense: is no part of a step or a call; choose among: prompt"),
    ({"seconds": "long"}, "field seconds: must be a number, not 'long' \\(str\\)"),
    ({"prompt": "go", "usage": {"tokens": 3}},
        "field tokens: is no field of Usage; choose among: prompt_tokens"),
])  # fmt: skip
def test_what_a_step_cannot_hold_is_said_in_one_sentence(tmp_path, call, said):
    path = tmp_path / "1.trace.jsonl"
    with pytest.raises(InputError, match=said), TraceWriter(path, EPISODE, "mine") as writer:
        writer.step("s1", "x", **call)


def test_what_explanations_need_are_plain_arguments(tmp_path):
    path = tmp_path / "run" / "1.trace.jsonl"
    with TraceWriter(path, EPISODE, "mine") as writer:
        writer.plan(["Walk to the light.", "Turn right."], landmarks=["light"])
        writer.step(
            "s1", "s0", candidates=["s0"], rejected={"x": "too far"}, shown={"light": "s0", "bank": None},
            sub_goal=0, sub_goal_status="COMPLETED",
        )  # fmt: skip
        writer.write(MoveEvent(path=("s0", "e0")))
    trace = read_trace(path)
    assert [mark.name for mark in trace.landmarks] == ["light"]
    (step,) = trace.steps
    assert step.observation is not None
    assert step.decision is not None
    assert [(poi.name, poi.node) for poi in step.observation.pois] == [
        ("light", "s0"),
        ("bank", None),
    ]
    states = [(one.node, one.state, one.reason) for one in step.observation.candidates]
    assert states == [("s0", "chosen", None), ("x", "rejected", "too far")]
    assert step.decision.sub_goal_status == "COMPLETED"
    # a move that was written by itself ends the walk where it leads
    assert trace.end is not None
    assert trace.end.node == "e0"
