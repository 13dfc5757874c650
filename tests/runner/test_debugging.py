"""Walks that pause: edits reach the model and the agent, the trace holds them, verify takes them."""

from __future__ import annotations

import json

import pytest

import navviz
from navviz.llm.registry import close_model, make_model
from navviz.llm.streaming import ModelOptions
from navviz.records.breakpoint import Breakpoint
from navviz.records.trace_files import read_trace
from navviz.runner.verify import verify_trace
from tests.fake_servers import Answer, FakeGemini, FakeOpenAI, Recorded
from tests.paths import SAMPLES

PLAN = {
    "landmarks": [{"name": "Town Hall", "category": "x", "relative_position": "ahead"}],
    "sub_goals": [
        {"action": "MOVE_FORWARD", "description": "Walk to the Town Hall", "status": "TODO"},
        {"action": "MOVE_FORWARD", "description": "Stop at the harbour", "status": "TODO"},
    ],
}


def groke(request: Recorded) -> Answer:
    body = json.dumps(request.body)
    if "subplan_status" not in body:
        return Answer(json.dumps(PLAN))
    return Answer(json.dumps({"subplan_status": "COMPLETED", "next_place": "nowhere"}))


@pytest.fixture
def harbour():
    return navviz.open_run(SAMPLES / "harbour" / "runs" / "rules")


def _walked(harbour, server, breakpoints, answer, tmp_path, **more):
    model = None
    if isinstance(server, FakeGemini):
        model = make_model("gemini:m", ModelOptions(base_url=server.address), "a-key")
    walking = navviz.walk(
        harbour.episodes["1"],
        harbour.graph("1"),
        "groke",
        llm=model or f"openai:m@{server.url}",
        breakpoints=breakpoints,
        out=tmp_path,
        run="r",
        **more,
    )
    pauses = []
    for event in walking:
        if event.type == "pause":
            pauses.append(event)
            answer(event)
    close_model(model)
    trace = read_trace(next((tmp_path / "r").glob("*.trace.jsonl")))
    assert trace == walking.trace
    return trace, pauses


def test_a_reply_is_edited_before_it_is_parsed(harbour, tmp_path):
    start = harbour.episodes["1"].start
    ahead = harbour.graph("1").neighbours(start)[0]

    def answer(pause):
        reply = json.dumps({"subplan_status": "IN_PROGRESS", "next_place": ahead})
        pause.edit("reply", reply)

    with FakeOpenAI(groke) as server:
        trace, pauses = _walked(harbour, server, [Breakpoint(at="reply", step=1)], answer, tmp_path)
    assert [pause.reason for pause in pauses] == ["after a reply, at step 1"]
    assert trace.steps[0].decision.target == ahead
    assert "nowhere" in trace.steps[0].edits[0].old
    assert verify_trace(trace, harbour.graph("1")).state == "reproduces"


def _once(answer):
    def act(pause):
        if not pause.trace.edits:
            answer(pause)

    return act


def _hide(pause):
    pause.hide("Town Hall")


def _plan(pause):
    pause.edit("plan", "TODO: Only this\nTODO: And that")


def _prompt(pause):
    last = pause.messages[-1].text
    pause.edit("prompt", f"{last}\nLook again.")


def _memory(pause):
    pause.edit("memory", "the town house", old="Town Hall")


@pytest.mark.parametrize(
    ("answer", "old", "new"),
    [
        (_hide, "Town Hall", None),
        (_plan, "Stop at the harbour", "Only this"),
        (_prompt, None, "Look again."),
        (_memory, None, "the town house"),
    ],
)
@pytest.mark.parametrize("provider", [FakeOpenAI, FakeGemini])
def test_what_is_edited_before_a_call_is_what_the_model_reads(
    provider, answer, old, new, harbour, tmp_path
):
    with provider(groke) as server:
        trace, _ = _walked(
            harbour, server, [Breakpoint(at="call", step=1)], _once(answer), tmp_path
        )
    sent = trace.steps[0].calls[0].messages[-1].text
    heard = json.dumps([request.body for request in server.requests], ensure_ascii=False)
    assert json.dumps(sent, ensure_ascii=False)[1:-1] in heard
    assert new is None or new in sent
    assert old is None or old not in trace.steps[0].observation.text
    assert trace.steps[0].edits
    assert verify_trace(trace, harbour.graph("1")).state == "reproduces"


def test_a_decision_by_hand_is_carried_out_and_the_walk_goes_on(harbour, tmp_path):
    start = harbour.episodes["1"].start
    ahead = harbour.graph("1").neighbours(start)[0]
    with FakeOpenAI(groke) as server:
        trace, _ = _walked(
            harbour,
            server,
            [Breakpoint(at="decision", step=1)],
            lambda pause: pause.edit("decision", ahead),
            tmp_path,
        )
    assert trace.steps[0].path == (start, ahead)
    assert trace.steps[1].node == ahead
    assert verify_trace(trace, harbour.graph("1")).state == "reproduces"


def test_a_walk_pauses_in_the_step_after_each_that_left_the_path():
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    stops = [Breakpoint(leaves_path=True)]
    walking = navviz.walk(run.episodes["4"], run.graph("4"), "rules-local", breakpoints=stops)
    paused = [event.step for event in walking if event.type == "pause"]
    left = [each.step for each in run.divergence("4").departures]
    assert paused == [step + 1 for step in left] == [2, 5]
    # what was left before a fork is no news in its first step
    walking = navviz.walk(run.trace("4"), run.graph("4"), "rules-local", step=4, breakpoints=stops)
    assert [event.step for event in walking if event.type == "pause"] == [5]


def test_an_illegal_decision_closes_no_sub_goal(harbour, tmp_path):
    with FakeOpenAI(groke) as server:  # it says COMPLETED of a place that there is not
        _, pauses = _walked(harbour, server, [Breakpoint(closes=0)], lambda _: None, tmp_path)
    assert pauses == []


def test_an_edit_that_does_not_fit_is_named_by_verify(harbour, tmp_path):
    with FakeOpenAI(groke) as server:
        trace, _ = _walked(
            harbour, server, [Breakpoint(at="call", step=1)], _once(_prompt), tmp_path
        )
    step = trace.steps[0]
    edit = step.edits[0].model_copy(update={"old": "something else"})
    steps = (step.model_copy(update={"edits": (edit,)}), *trace.steps[1:])
    verdict = verify_trace(trace.model_copy(update={"steps": steps}), harbour.graph("1"))
    assert (verdict.state, verdict.difference.field) == ("differs", "edited prompt")


REPLIES = {
    "navgpt": "Thought: Here.\nFinal Answer: Finished!",
    "msnav": json.dumps({"Thought": "Here.", "New Planning": "Stop.", "Action": "A"}),
    "skillnav": json.dumps({"sub_goal": "Walk on", "reason": "x", "skill": "Stop", "stop": 1.0}),
    "mgdm": json.dumps({"action": 0, "reason": "x", "advice": ["go"], "probability": 1.0}),
}
MODEL_SETTINGS = {
    "navgpt": {"step_limit": 2},
    "msnav": {"step_limit": 2},
    "skillnav": {"step_limit": 2, "agents": "llm", "router": "top1"},
    "mgdm": {"moves_per_task": 2},
}


@pytest.mark.parametrize("navigator", list(REPLIES))
def test_every_navigator_that_asks_a_model_pauses_and_is_verified(navigator, tmp_path):
    run = "mgdm-scripted" if navigator == "mgdm" else "rules-indoors"
    house = navviz.open_run(SAMPLES / "house" / "runs" / run)
    key = next(iter(house.episodes))
    asked = []
    with FakeOpenAI([Answer(REPLIES[navigator])] * 200) as server:
        walking = navviz.walk(
            house.episodes[key],
            house.graph(key),
            navigator,
            llm=f"openai:m@{server.url}",
            settings=MODEL_SETTINGS[navigator],
            breakpoints=[Breakpoint(at="call"), Breakpoint(at="reply")],
        )
        for event in walking:
            if event.type != "pause":
                continue
            asked.append(event.at)
            if event.at == "reply" and len(asked) == 2:
                event.edit("reply", "This is no answer.")
            elif event.at == "call" and len(asked) == 3:
                event.edit("prompt", event.messages[-1].text + " Look again.")
    trace = walking.trace
    assert asked[:2] == ["call", "reply"]
    assert [edit.what for _, edit in trace.edits] == ["reply", "prompt"][: len(trace.edits)]
    assert trace.edits
    verdict = verify_trace(trace, house.graph(key))
    assert verdict.state == "reproduces", verdict.sentence


def test_an_edited_walk_is_in_no_mean_and_is_named(harbour, tmp_path):
    with FakeOpenAI(groke) as server:
        _walked(harbour, server, [Breakpoint(at="call", step=1)], _once(_prompt), tmp_path)
    run = navviz.open_run(tmp_path / "r", graphs=SAMPLES / "harbour")
    assert (run.scores.walked, run.scores.means["SR"]) == (0, None)
    assert run.scores.edited == {"1": "step 1: prompt"}
    assert [mark.id for mark in run.marks] == ["edited"]
    assert "episode 1, step 1: prompt" in run.marks[0].sentence
    asked = run.score(edited=True)
    assert (asked.walked, asked.means["SR"]) == (1, 0.0)
    assert "part of these means" in run.marks_of(asked)[0].sentence
