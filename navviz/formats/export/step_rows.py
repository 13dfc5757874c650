"""Traces as a table with a row a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from navviz.records import Call, Step, Trace
from navviz.support.guarded import is_finite

_TOKENS = ("prompt_tokens", "thoughts_tokens", "output_tokens", "cached_tokens")
STEP_COLUMNS = (
    "run", "episode", "navigator", "model", "step", "node", "heading_deg", "sub_goal",
    "sub_goal_text", "format", "target", "sub_goal_status", "stop", "action", "legal", "reason",
    "path", "calls", "retries", *_TOKENS, "cost_usd", "seconds", "reply",
)  # fmt: skip
_OF_CALL = (
    "purpose", "model", "thoughts", "reply", "parse_error", "error", "finish_reason",
    "finish_message", "block_reason", "service_fault", "seconds", "cost_usd", "retries",
)  # fmt: skip
Cell = str | int | float | bool | None


def step_rows(trace: Trace) -> Iterator[Mapping[str, Cell]]:
    """Yield a row of `STEP_COLUMNS` for each step; planning with a model is step 0.

    Sums of tokens and cost are missing where one call's are.
    """
    if trace.plan_calls:
        yield _row(trace, {"step": 0} | _call_cells(trace.plan_calls))
    for step in trace.steps:
        yield _row(trace, _of_step(step) | _call_cells(step.calls))


def call_rows(trace: Trace) -> Iterator[Mapping[str, Cell]]:
    """Yield a row for each model call; those of planning are of step 0."""
    steps = [(0, trace.plan_calls), *((step.index, step.calls) for step in trace.steps)]
    for step, calls in steps:
        for number, call in enumerate(calls, start=1):
            row: dict[str, Cell] = {"episode": trace.episode.id, "step": step, "call": number}
            for name in _OF_CALL:
                row[name] = getattr(call, name)
            texts = [f"[{message.role}]\n{message.text}" for message in call.messages]
            row["tool_calls"] = "; ".join(tool.name for tool in call.tool_calls) or None
            row["prompt"] = "\n\n".join(texts) or None
            for name in _TOKENS:
                row[name] = getattr(call.usage, name, None)
            yield row


def _row(trace: Trace, cells: Mapping[str, Cell]) -> Mapping[str, Cell]:
    header = trace.header
    row: dict[str, Cell] = {
        "run": header.run,
        "episode": trace.episode.id,
        "navigator": header.navigator,
    }
    row["model"] = header.model
    row |= {name: cell for name, cell in cells.items() if is_finite(cell)}
    return {name: row.get(name) for name in STEP_COLUMNS}


def _of_step(step: Step) -> dict[str, Cell]:
    decision, goal = step.decision, step.sub_goal
    cells: dict[str, Cell] = {
        "step": step.index,
        "node": step.node,
        "heading_deg": step.heading_deg,
        "sub_goal": None if goal is None else goal + 1,
        "sub_goal_text": (
            step.plan[goal].description if goal is not None and goal < len(step.plan) else None
        ),
        "format": step.observation.format if step.observation is not None else None,
        "path": " ".join(step.path),
    }
    if decision is not None:
        names = ("target", "sub_goal_status", "stop", "action", "legal", "reason")
        cells |= {name: getattr(decision, name) for name in names}
    return cells


def _call_cells(calls: Sequence[Call]) -> dict[str, Cell]:
    usages = [call.usage for call in calls]
    cells: dict[str, Cell] = {"calls": len(calls), "reply": calls[-1].reply if calls else None}
    cells["retries"] = sum(call.retries for call in calls)
    for name in _TOKENS:
        cells[name] = _sum([getattr(usage, name, None) for usage in usages])
    for name in ("cost_usd", "seconds"):
        cells[name] = _sum([getattr(call, name) for call in calls])
    return cells


def _sum(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) if present and len(present) == len(values) else None
