"""Traces as OpenTelemetry spans: OTLP JSON by the semantic conventions for generative AI.

One ``TracesData`` a trace: a span for the episode (``invoke_agent``), below it one for the planning
and one for each step, below these one for each model call (``chat`` or ``generate_content``). What
the conventions have no name for stands under ``navviz.``.

Conventions: https://opentelemetry.io/docs/specs/semconv/gen-ai/ (attributes of schema 1.41, status
Development); encoding: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from navviz.records import Call, EndStatus, Trace, Usage
from navviz.support.guarded import is_finite, json_text
from navviz.support.version import VERSION

SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0"
_INTERNAL, _CLIENT = 1, 3
"""Kinds of spans (``opentelemetry.proto.trace.v1.Span.SpanKind``)."""
_FAILED = 2
"""``STATUS_CODE_ERROR``; what went well stays unset, as the specification asks of instrumentation.
"""
_PROVIDERS = {"gemini": "gcp.gemini", "openai": "openai"}
"""Well-known values of ``gen_ai.provider.name`` by the kind that a model's name begins with."""
_FAMILIES = {
    "gemini": "gcp.gemini",
    "gpt": "openai",
    "claude": "anthropic",
    "mistral": "mistral_ai",
}
"""The same by the family of a model that is named without its kind, as published logs do."""

Span = dict[str, Any]


def traces_data(trace: Trace) -> dict[str, Any]:
    """Return a trace as one ``TracesData`` message in OTLP's JSON encoding.

    Ids are made of the trace's content, so the same trace gives the same spans. A trace file tells
    when the walk began and how long each call took: the spans follow each other at that pace, and
    what took no call takes no time.
    """
    writer = _SpanWriter(trace)
    resource = {"service.name": "navviz", "service.version": VERSION}
    scope = {"name": "navviz", "version": trace.header.code_version}
    spans = {"scope": scope, "spans": list(writer.spans()), "schemaUrl": SCHEMA_URL}
    resource_spans = {"resource": {"attributes": _attributes(resource)}, "scopeSpans": [spans]}
    return {"resourceSpans": [resource_spans]}


def provider_and_model(name: str | None) -> tuple[str, str | None]:
    """Return ``gen_ai.provider.name`` and the bare model of ``gemini:MODEL`` and its like."""
    if name is None:
        return "navviz", None
    kind, colon, rest = name.partition(":")
    if colon and kind in _PROVIDERS:
        return _PROVIDERS[kind], rest.partition("@")[0]
    family = next((value for start, value in _FAMILIES.items() if name.startswith(start)), None)
    return family or kind, name


@dataclass
class _SpanWriter:
    """Writes the spans of one trace, the episode's first."""

    trace: Trace
    now_ns: int = 0
    trace_id: str = ""
    written: list[Span] = field(default_factory=list)

    def spans(self) -> Iterator[Span]:
        content = self.trace.model_dump_json().encode()
        self.trace_id = hashlib.sha256(content).hexdigest()[:32]
        self.now_ns = _begin_ns(self.trace.header.created)
        name = f"invoke_agent {self.trace.header.navigator}"
        root = self._begin("episode", "", name, _episode(self.trace))
        if self.trace.plan_calls or self.trace.sub_goals:
            goals = [goal.description for goal in self.trace.sub_goals]
            self._with_calls("plan", root, "plan", {"navviz.plan": goals}, self.trace.plan_calls)
        for place, step in enumerate(self.trace.steps):
            decision, shown = step.decision, step.observation
            attributes: dict[str, object] = {
                "navviz.step.index": step.index,
                "navviz.step.node": step.node,
                "navviz.step.heading_deg": step.heading_deg,
                "navviz.step.sub_goal": step.sub_goal,
                "navviz.step.format": shown.format if shown is not None else None,
            }
            if decision is not None:
                attributes["navviz.step.target"] = decision.target
                attributes["navviz.step.stop"] = decision.stop
                attributes["navviz.step.legal"] = decision.legal
            attributes["navviz.step.path"] = list(step.path) or None
            self._with_calls(f"step {place}", root, f"step {step.index}", attributes, step.calls)
        self._end(root, self._fault())
        yield from self.written

    def _with_calls(
        self,
        path: str,
        parent: Span,
        name: str,
        attributes: Mapping[str, object],
        calls: Sequence[Call],
    ) -> None:
        span = self._begin(path, parent["spanId"], name, attributes)
        for number, call in enumerate(calls):
            self._call(f"{path} call {number}", span, call)
        self._end(span, None)

    def _call(self, path: str, parent: Span, call: Call) -> None:
        attributes = _call(call, self.trace.header.model)
        # the conventions name a call's span so
        name = f"{attributes['gen_ai.operation.name']} {attributes['gen_ai.request.model']}"
        span = self._begin(path, parent["spanId"], name, attributes)
        span["kind"] = _CLIENT
        seconds = call.seconds or 0.0
        self.now_ns += int(seconds * 1e9) if is_finite(seconds) else 0
        self._end(span, call.error)

    def _begin(self, path: str, parent: str, name: str, attributes: Mapping[str, object]) -> Span:
        span: Span = {
            "traceId": self.trace_id,
            "spanId": hashlib.sha256(f"{self.trace_id} {path}".encode()).hexdigest()[:16],
            "name": name,
            "kind": _INTERNAL,
            "startTimeUnixNano": str(self.now_ns),
            "attributes": _attributes(attributes),
        }
        if parent:
            span["parentSpanId"] = parent
        self.written.append(span)
        return span

    def _end(self, span: Span, fault: str | None) -> None:
        span["endTimeUnixNano"] = str(self.now_ns)
        if fault is not None:
            span["status"] = {"code": _FAILED, "message": fault}

    def _fault(self) -> str | None:
        end = self.trace.end
        if end is None or end.status != EndStatus.ERROR:
            return None
        return end.reason or "error"


def _begin_ns(created: str) -> int:
    try:
        return round(dt.datetime.fromisoformat(created).timestamp()) * 1_000_000_000
    except ValueError:
        return 0  # the protocol's word for a time that nobody knows


def _episode(trace: Trace) -> dict[str, object]:
    header, episode, end = trace.header, trace.episode, trace.end
    provider, model = provider_and_model(header.model)
    usages = [call.usage for call in trace.calls if call.usage is not None]
    input_tokens = output_tokens = None
    if usages:
        input_tokens = sum(usage.prompt_tokens or 0 for usage in usages)
        output_tokens = sum(_output(usage) or 0 for usage in usages)
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": provider,
        "gen_ai.agent.name": header.navigator,
        "gen_ai.agent.version": header.code_version or None,
        "gen_ai.request.model": model,
        "gen_ai.conversation.id": f"{header.run}/{episode.id}",
        "gen_ai.usage.input_tokens": input_tokens,
        "gen_ai.usage.output_tokens": output_tokens,
        "gen_ai.input.messages": _written([_message("user", [_text(episode.instruction)])]),
        "error.type": "walk" if end is not None and end.status == EndStatus.ERROR else None,
        "navviz.run": header.run,
        "navviz.episode.id": episode.id,
        "navviz.episode.dataset": episode.dataset,
        "navviz.episode.start": episode.start,
        "navviz.episode.goal": episode.goal,
        "navviz.episode.reference_path": list(episode.reference_path) or None,
        "navviz.end.status": str(end.status) if end is not None else None,
        "navviz.end.node": end.node if end is not None else None,
        "navviz.settings": json_text(header.settings, sort_keys=True),
    }


def _call(call: Call, default: str | None) -> dict[str, object]:
    provider, model = provider_and_model(call.model or default)
    system, prompts = [], []
    for message in call.messages:
        part = _text(message.text)
        if message.role == "system":
            system.append(part)
        else:
            prompts.append(_message(message.role, [part]))
    usage = call.usage if call.usage is not None else Usage()
    return {
        "gen_ai.operation.name": "generate_content" if provider == "gcp.gemini" else "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.output.type": "json" if call.response_schema is not None else "text",
        "gen_ai.response.finish_reasons": [call.finish_reason] if call.finish_reason else None,
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": _output(usage),
        "gen_ai.usage.reasoning.output_tokens": usage.thoughts_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.system_instructions": _written(system),
        "gen_ai.input.messages": _written(prompts),
        "gen_ai.output.messages": _written(_answer(call)),
        "error.type": call.unanswered or ("call" if call.error is not None else None),
        "navviz.call.purpose": call.purpose,
        "navviz.call.cost_usd": call.cost_usd,
        "navviz.call.retries": call.retries or None,
        "navviz.call.parse_error": call.parse_error,
        "navviz.call.finish_message": call.finish_message,
        "navviz.call.block_reason": call.block_reason,
        "navviz.call.service_fault": call.service_fault,
        "navviz.call.tool_calls": _written([tool.model_dump() for tool in call.tool_calls]),
    }


def _output(usage: Usage) -> int | None:
    """Count the tokens that the model made; the conventions include its thoughts, traces do not."""
    if usage.output_tokens is None:
        return None
    return usage.output_tokens + (usage.thoughts_tokens or 0)


def _answer(call: Call) -> list[dict[str, Any]]:
    parts = [{"type": "reasoning", "content": call.thoughts}] if call.thoughts else []
    parts += [_text(call.reply)] if call.reply is not None else []
    return (
        [_message("assistant", parts) | {"finish_reason": call.finish_reason or "stop"}]
        if parts
        else []
    )


def _message(role: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"role": role, "parts": parts}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "content": text}


def _written(values: list[Any]) -> str | None:
    """Write structured values as JSON text, as the conventions ask for plain attributes."""
    return json_text(values, ensure_ascii=False) if values else None


def _attributes(attributes: Mapping[str, object]) -> list[dict[str, Any]]:
    # OTLP takes no number that is not finite
    written = {
        k: value for k, value in attributes.items() if value is not None and is_finite(value)
    }
    return [{"key": key, "value": _value(value)} for key, value in written.items()]


def _value(value: object) -> dict[str, Any]:
    match value:
        # before whole numbers, which a truth value counts as too
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}  # OTLP writes 64-bit numbers as texts
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_value(each) for each in value]}}
        case _:
            return {"stringValue": str(value)}
