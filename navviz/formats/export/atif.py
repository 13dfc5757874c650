"""Traces as ATIF, Harbor's Agent Trajectory Interchange Format, version 1.4.

Field names:
https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md. An agent's
step is one model call, or one decision where no model was asked; the decision of a step is a tool
call ``move`` or ``stop``, and what the agent was shown next is what came of it. Its candidates,
chosen and rejected, stand in ``extra.candidates``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from navviz.records import Call, Step, Trace
from navviz.records.walker import eyes
from navviz.support.guarded import is_finite
from navviz.support.version import VERSION

ATIF_VERSION = "ATIF-v1.4"
_NOTES = (
    "Written by NavViz. Each prompt stands alone: extra.messages of an agent's step holds it as it"
    " was sent. total_steps counts the steps of the walk."
)


def trajectory(trace: Trace) -> dict[str, Any]:
    """Return a trace as an ATIF trajectory; the same trace gives the same one."""
    header, episode = trace.header, trace.episode
    steps = [{"step_id": number, **step} for number, step in enumerate(_steps(trace), start=1)]
    extra = {"run": header.run, "episode": episode.model_dump(mode="json", exclude_defaults=True)}
    agent: dict[str, Any] = {"settings": header.settings, "exported_by": f"navviz {VERSION}"}
    # a reader of the file alone must not take the text variant for the paper's agent
    if model_saw := eyes(header):
        agent["model_saw"] = model_saw
    if trace.end is not None:
        extra["end"] = trace.end.model_dump(mode="json", exclude_defaults=True, exclude={"type"})
    return {
        "schema_version": ATIF_VERSION,
        "session_id": hashlib.sha256(trace.model_dump_json().encode()).hexdigest()[:32],
        "agent": _with_values(
            name=header.navigator,
            version=header.code_version or "unknown",
            model_name=header.model,
            extra=agent,
        ),
        "steps": steps,
        "notes": _NOTES,
        "final_metrics": _final(trace),
        "extra": extra,
    }


def _with_values(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Return the fields that have a value: the format knows no null."""
    return {name: value for name, value in fields.items() if value is not None and is_finite(value)}


def _steps(trace: Trace) -> Iterator[dict[str, Any]]:
    first = trace.steps[0].observation if trace.steps else None
    shown = {"observation": first.text} if first is not None and first.text else None
    yield _with_values(
        source="user",
        timestamp=trace.header.created or None,
        message=trace.episode.instruction,
        extra=shown,
    )
    for call in trace.plan_calls:
        yield _agent(call)
    for place, step in enumerate(trace.steps):
        after = trace.steps[place + 1] if place + 1 < len(trace.steps) else None
        calls: Sequence[Call | None] = step.calls or (None,)
        yield from (_agent(each) for each in calls[:-1])
        decided = _agent(calls[-1]) | _decided(step, after)
        candidates = _candidates(step)
        if candidates:
            decided["extra"] = {**decided.get("extra", {}), "candidates": candidates}
        yield decided


def _agent(call: Call | None) -> dict[str, Any]:
    if call is None:
        return {"source": "agent", "message": ""}
    extra = _with_values(
        purpose=call.purpose,
        messages=[message.model_dump() for message in call.messages],
        error=call.error,
        parse_error=call.parse_error,
        finish_reason=call.finish_reason,
        finish_message=call.finish_message,
        block_reason=call.block_reason,
        service_fault=call.service_fault,
        tool_calls=[tool.model_dump(mode="json") for tool in call.tool_calls] or None,
        seconds=call.seconds,
    )
    return _with_values(
        source="agent",
        model_name=call.model,
        message=call.reply or "",
        reasoning_content=call.thoughts,
        metrics=_metrics(call) or None,
        extra=extra,
    )


def _metrics(call: Call) -> dict[str, Any]:
    usage = call.usage
    if usage is None:
        return _with_values(cost_usd=call.cost_usd)
    made = usage.output_tokens
    return _with_values(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=None if made is None else made + (usage.thoughts_tokens or 0),
        cached_tokens=usage.cached_tokens,
        cost_usd=call.cost_usd,
        extra=_with_values(reasoning_tokens=usage.thoughts_tokens) or None,
    )


def _decided(step: Step, after: Step | None) -> dict[str, Any]:
    decision = step.decision
    if decision is None:
        return {}
    name, key = "stop" if decision.stop else decision.action or "move", f"step_{step.index}"
    arguments = _with_values(target=decision.target, sub_goal_status=decision.sub_goal_status)
    place = step.path[-1] if step.path else step.node
    outcome = f"at {place}"
    if not decision.legal:
        outcome = f"not carried out: {decision.reason or 'not legal'}"
    # what the agent sees next is what its move brought about
    if after is not None and after.observation is not None and after.observation.text:
        outcome += "\n" + after.observation.text
    result = {"source_call_id": key, "content": outcome}
    return {
        "tool_calls": [{"tool_call_id": key, "function_name": name, "arguments": arguments}],
        "observation": {"results": [result]},
    }


def _candidates(step: Step) -> list[dict[str, Any]]:
    """Return what the agent could choose, the rejected ones among it: ATIF has no field for them.

    `navviz.records.Candidate` reads each again as it was; its state is always written.
    """
    if step.observation is None:
        return []
    candidates = []
    for candidate in step.observation.candidates:
        fields = candidate.model_dump(mode="json", exclude_defaults=True)
        candidates.append({**fields, "state": candidate.state})
    return candidates


def _final(trace: Trace) -> dict[str, Any]:
    metrics = [_metrics(call) for call in trace.calls]

    def total(name: str) -> Any:  # noqa: ANN401 - a count or a price
        values = [each[name] for each in metrics if name in each]
        # servers leave out a cache that was not used; any other gap makes the sum wrong
        complete = len(values) == len(metrics) or name == "cached_tokens"
        return sum(values) if values and complete else None

    return _with_values(
        total_prompt_tokens=total("prompt_tokens"),
        total_completion_tokens=total("completion_tokens"),
        total_cached_tokens=total("cached_tokens"),
        total_cost_usd=total("cost_usd"),
        total_steps=len(trace.steps),
    )
