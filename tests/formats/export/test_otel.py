"""Traces as OpenTelemetry spans: the protocol parses them, the conventions know their names."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

import pytest
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
from opentelemetry.semconv._incubating.attributes import error_attributes, gen_ai_attributes

from navviz.formats.export.atif import trajectory
from navviz.formats.export.otel import provider_and_model, traces_data
from navviz.records import EndStatus, ToolCall, Trace
from navviz.runs.opened import open_run
from tests.paths import SAMPLES

REQUIRED = {"gen_ai.operation.name", "gen_ai.provider.name"}
"""Required of a model call by the conventions."""


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A walk with a plan and model calls in each step."""
    return next(iter(open_run(SAMPLES / "harbour/runs/groke-by-hand").traces.values()))


@pytest.fixture(scope="module")
def spans(trace: Trace) -> list[dict[str, Any]]:
    return spans_of(traces_data(trace))


def spans_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    [resource] = data["resourceSpans"]
    [scope] = resource["scopeSpans"]
    return list(scope["spans"])


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {each["key"]: next(iter(each["value"].values())) for each in span["attributes"]}


def parsed(data: dict[str, Any]) -> TracesData:
    """The message of the protocol; its generic JSON reader wants ids in base64, where OTLP writes
    them in hex.
    """
    data = copy.deepcopy(data)
    for span in spans_of(data):
        for name in {"traceId", "spanId", "parentSpanId"} & set(span):
            span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    return json_format.ParseDict(data, TracesData())


def test_a_span_each_for_episode_plan_step_and_call(
    trace: Trace, spans: list[dict[str, Any]]
) -> None:
    assert len(spans) == 1 + 1 + len(trace.steps) + len(trace.calls)
    by_id = {span["spanId"]: span for span in spans}
    assert len(by_id) == len(spans)
    root = spans[0]
    assert "parentSpanId" not in root
    below = [span for span in spans if span.get("parentSpanId") == root["spanId"]]
    assert [span["name"] for span in below] == [
        "plan",
        *(f"step {step.index}" for step in trace.steps),
    ]
    for step, span in zip(trace.steps, below[1:], strict=True):
        calls = [each for each in spans if each.get("parentSpanId") == span["spanId"]]
        assert [attributes(each)["gen_ai.output.messages"] for each in calls] != []
        assert len(calls) == len(step.calls)
        assert attributes(span)["navviz.step.node"] == step.node
    assert all(span["parentSpanId"] in by_id for span in spans[1:])
    assert len({span["traceId"] for span in spans}) == 1


def test_a_span_lies_within_its_parent(trace: Trace) -> None:
    calls = [step.calls[0].model_copy(update={"seconds": 1.5}) for step in trace.steps]
    timed = [
        step.model_copy(update={"calls": (call,)})
        for step, call in zip(trace.steps, calls, strict=True)
    ]
    spans = spans_of(traces_data(trace.model_copy(update={"steps": tuple(timed)})))
    by_id = {span["spanId"]: span for span in spans}
    for span in spans[1:]:
        parent = by_id[span["parentSpanId"]]
        times = [parent["startTimeUnixNano"], span["startTimeUnixNano"]]
        times += [span["endTimeUnixNano"], parent["endTimeUnixNano"]]
        assert [int(time) for time in times] == sorted(int(time) for time in times)
    length_ns = int(spans[0]["endTimeUnixNano"]) - int(spans[0]["startTimeUnixNano"])
    planned = sum(call.seconds or 0.0 for call in trace.plan_calls)
    assert length_ns == pytest.approx((planned + 1.5 * len(calls)) * 1e9)


@pytest.mark.parametrize("name", [
    "harbour/runs/groke-by-hand", "harbour/runs/rules", "house/runs/navgpt-by-hand",
    "house/runs/msnav-by-hand",
])  # fmt: skip
def test_the_protocol_takes_every_sample(name: str) -> None:
    for trace in open_run(SAMPLES / name).traces.values():
        data = json.loads(json.dumps(traces_data(trace)))
        message = parsed(data)
        [scope] = message.resource_spans[0].scope_spans
        assert len(scope.spans) == len(spans_of(data))
        assert {len(span.trace_id) for span in scope.spans} == {16}
        assert {len(span.span_id) for span in scope.spans} == {8}


def test_every_name_is_one_of_the_conventions(spans: list[dict[str, Any]]) -> None:
    known = {value for value in vars(gen_ai_attributes).values() if isinstance(value, str)}
    known |= {value for value in vars(error_attributes).values() if isinstance(value, str)}
    names = {name for span in spans for name in attributes(span)}
    assert {name for name in names if not name.startswith("navviz.")} <= known
    operations = {each.value for each in gen_ai_attributes.GenAiOperationNameValues}
    assert {
        attributes(span)["gen_ai.operation.name"]
        for span in spans
        if "gen_ai.operation.name" in attributes(span)
    } <= operations


def test_calls_tell_what_the_conventions_require(trace: Trace) -> None:
    usage = {"prompt_tokens": 100, "thoughts_tokens": 30, "output_tokens": 7, "cached_tokens": 40}
    call = trace.steps[0].calls[0]
    update = {
        "model": "gemini:gemini-3-pro",
        "thoughts": "Hm.",
        "finish_reason": "STOP",
        "reply": "{}",
    }
    call = call.model_validate({**call.model_dump(), **update, "usage": usage})
    step = trace.steps[0].model_copy(update={"calls": (call,)})
    spans = spans_of(traces_data(trace.model_copy(update={"steps": (step,)})))
    calls = [span for span in spans if span["kind"] == 3]
    assert all(set(attributes(span)) >= REQUIRED for span in calls)
    last = attributes(calls[-1])
    assert calls[-1]["name"] == "generate_content gemini-3-pro"
    assert last["gen_ai.provider.name"] == "gcp.gemini"
    assert last["gen_ai.usage.input_tokens"] == "100"
    assert last["gen_ai.usage.output_tokens"] == "37"
    assert last["gen_ai.usage.reasoning.output_tokens"] == "30"
    assert last["gen_ai.usage.cache_read.input_tokens"] == "40"
    [answer] = json.loads(last["gen_ai.output.messages"])
    assert [part["type"] for part in answer["parts"]] == ["reasoning", "text"]
    document = json.loads(last["gen_ai.input.messages"])
    assert document == [
        {"role": message.role, "parts": [{"type": "text", "content": message.text}]}
        for message in call.messages
        if message.role != "system"
    ]


def test_faults_are_told(trace: Trace) -> None:
    call = trace.steps[0].calls[0].model_copy(update={"error": "no answer", "reply": None})
    step = trace.steps[0].model_copy(update={"calls": (call,)})
    assert trace.end is not None
    end = trace.end.model_copy(update={"status": EndStatus.ERROR, "reason": "no answer"})
    spans = spans_of(traces_data(trace.model_copy(update={"steps": (step,), "end": end})))
    failed = [span for span in spans if span.get("status") == {"code": 2, "message": "no answer"}]
    assert [attributes(span)["error.type"] for span in failed] == ["walk", "call"]


def test_what_kept_the_answer_away_is_told(trace: Trace) -> None:
    call = trace.calls[-1].model_copy(
        update={
            "service_fault": "quota (429)",
            "finish_message": "later",
            "tool_calls": (ToolCall(name="walk_to", args={"node": "b"}),),
        }
    )
    step = trace.steps[-1].model_copy(update={"calls": (call,)})
    told = trace.model_copy(update={"steps": (*trace.steps[:-1], step)})
    named = [attributes(span) for span in spans_of(traces_data(told))]
    [one] = [each for each in named if "navviz.call.service_fault" in each]
    assert one["navviz.call.service_fault"] == one["error.type"] == "quota (429)"
    assert one["navviz.call.finish_message"] == "later"
    assert json.loads(one["navviz.call.tool_calls"]) == [{"name": "walk_to", "args": {"node": "b"}}]
    extras = [each.get("extra", {}) for each in trajectory(told)["steps"]]
    [extra] = [each for each in extras if "service_fault" in each]
    assert extra["tool_calls"] == [{"name": "walk_to", "args": {"node": "b"}}]


def test_ids_are_made_of_the_content(trace: Trace) -> None:
    again = Trace.model_validate_json(trace.model_dump_json())
    assert traces_data(again) == traces_data(trace)
    other = trace.model_copy(update={"steps": trace.steps[:-1]})
    assert spans_of(traces_data(other))[0]["traceId"] != spans_of(traces_data(trace))[0]["traceId"]


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        ("gemini:gemini-3-pro", "gcp.gemini", "gemini-3-pro"),
        ("openai:qwen3@http://localhost:8000/v1", "openai", "qwen3"),
        ("gemini-3-pro-preview", "gcp.gemini", "gemini-3-pro-preview"),
        ("scripted", "scripted", "scripted"),
        (None, "navviz", None),
    ],
)
def test_models_are_named_as_the_conventions_name_them(
    name: str | None, provider: str, model: str | None
) -> None:
    assert provider_and_model(name) == (provider, model)
