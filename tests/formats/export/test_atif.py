"""Traces as ATIF: the fields, and what the specification says of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from navviz.formats.export.atif import trajectory
from navviz.records import Candidate, Trace
from navviz.runs.opened import open_run
from tests.paths import SAMPLES

STEP = {"step_id", "timestamp", "source", "model_name", "reasoning_effort", "message", "reasoning_content", "tool_calls",
        "observation", "metrics", "extra"}  # fmt: skip
AGENT_ONLY = {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"}
ROOT = {"schema_version", "session_id", "agent", "steps", "notes", "final_metrics", "extra"}
METRICS = {"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "extra"}
TOTALS = {
    "total_prompt_tokens",
    "total_completion_tokens",
    "total_cached_tokens",
    "total_cost_usd",
    "total_steps",
}


@pytest.fixture(scope="module")
def trace() -> Trace:
    return next(iter(open_run(SAMPLES / "harbour/runs/groke-by-hand").traces.values()))


def check(document: dict[str, Any]) -> None:
    """The rules of the specification, section II."""
    assert set(document) <= ROOT
    assert document["schema_version"] == "ATIF-v1.4"
    assert (
        {"name", "version"} <= set(document["agent"]) <= {"name", "version", "model_name", "extra"}
    )
    assert [step["step_id"] for step in document["steps"]] == list(
        range(1, len(document["steps"]) + 1)
    )
    assert set(document["final_metrics"]) <= TOTALS
    for step in document["steps"]:
        assert {"step_id", "source", "message"} <= set(step) <= STEP
        assert isinstance(step["message"], str)
        assert step["source"] == "agent" or not AGENT_ONLY & set(step)
        assert set(step.get("metrics", {})) <= METRICS
        ids = [call["tool_call_id"] for call in step.get("tool_calls", ())]
        assert all(
            set(call) == {"tool_call_id", "function_name", "arguments"}
            for call in step.get("tool_calls", ())
        )
        assert [
            each["source_call_id"] for each in step.get("observation", {"results": []})["results"]
        ] == ids


@pytest.mark.parametrize(
    "name",
    [
        "harbour/runs/groke-by-hand",
        "harbour/runs/rules",
        "house/runs/navgpt-by-hand",
        "house/runs/msnav-by-hand",
        "house/runs/mapgpt-pictures-by-hand",
    ],
)
def test_every_sample_keeps_the_rules(name: str) -> None:
    model_saw = {"msnav-by-hand": "text variant", "mapgpt-pictures-by-hand": "pictures"}
    for trace in open_run(SAMPLES / name).traces.values():
        document = trajectory(trace)
        check(document)
        seen = document["agent"]["extra"].get("model_saw")
        assert seen == model_saw.get(name.rpartition("/")[2])


def test_what_was_said_and_done_is_there(trace: Trace) -> None:
    user, *agent = trajectory(trace)["steps"]
    assert user["message"] == trace.episode.instruction
    assert [step["message"] for step in agent] == [call.reply for call in trace.calls]
    moves = [call for step in agent for call in step.get("tool_calls", ())]
    assert [call["arguments"].get("target") for call in moves] == [
        step.decision.target for step in trace.steps if step.decision is not None
    ]
    shown = [
        step["observation"]["results"][0]["content"] for step in agent if "observation" in step
    ]
    assert trace.steps[1].observation is not None
    assert shown[0].endswith(trace.steps[1].observation.text)


def test_tokens_count_as_the_format_counts(trace: Trace) -> None:
    def counted(place: int, call: Any) -> Any:
        usage = {
            "prompt_tokens": 100 + place,
            "thoughts_tokens": 5,
            "output_tokens": 7,
            "cached_tokens": 40,
        }
        return call.model_validate({**call.model_dump(), "usage": usage, "cost_usd": 0.5})

    steps = [
        step.model_copy(update={"calls": tuple(counted(place, call) for call in step.calls)})
        for place, step in enumerate(trace.steps[:2])
    ]
    document = trajectory(trace.model_copy(update={"plan_calls": (), "steps": tuple(steps)}))
    assert document["steps"][1]["metrics"] == {
        "prompt_tokens": 100, "completion_tokens": 12, "cached_tokens": 40, "cost_usd": 0.5,
        "extra": {"reasoning_tokens": 5},
    }  # fmt: skip
    assert document["final_metrics"] == {
        "total_prompt_tokens": 201, "total_completion_tokens": 24, "total_cached_tokens": 80, "total_cost_usd": 1.0,
        "total_steps": 2,
    }  # fmt: skip


def test_a_sum_with_an_unknown_part_is_missing(trace: Trace) -> None:
    call = trace.steps[0].calls[0].model_copy(update={"cost_usd": 1.0})
    bare = trace.steps[0].calls[0].model_copy(update={"cost_usd": None})
    step = trace.steps[0].model_copy(update={"calls": (call, bare)})
    document = trajectory(trace.model_copy(update={"plan_calls": (), "steps": (step,)}))
    assert "total_cost_usd" not in document["final_metrics"]


def test_the_same_trace_gives_the_same_trajectory(trace: Trace) -> None:
    assert trajectory(Trace.model_validate_json(trace.model_dump_json())) == trajectory(trace)


@pytest.mark.parametrize("name", ["harbour/runs/groke-by-hand", "house/runs/navgpt-by-hand"])
def test_candidates_are_kept_and_read_again_as_they_were(name: str) -> None:
    others = 0
    for trace in open_run(SAMPLES / name).traces.values():
        written = json.loads(json.dumps(trajectory(trace), allow_nan=False))
        agent = [step for step in written["steps"] if "tool_calls" in step]
        decided = [step for step in trace.steps if step.decision is not None]
        assert len(agent) == len(decided)
        for exported, step in zip(agent, decided, strict=True):
            read = [
                Candidate.model_validate(each)
                for each in exported.get("extra", {}).get("candidates", ())
            ]
            assert tuple(read) == (step.observation.candidates if step.observation else ())
            others += sum(candidate.state != "chosen" for candidate in read)
            assert {"messages"} <= set(exported.get("extra", {})) or not step.calls
    assert others > 0, "what was rejected or only offered is there, too"
