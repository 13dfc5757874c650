"""Traces as a table with a row a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from navviz.records import Call, Step, Trace
from navviz.support.guarded import is_finite

__all__ = ["STEP_COLUMNS", "step_rows"]

STEP_COLUMNS = (
    "run", "episode", "navigator", "model", "step", "node", "heading_deg", "sub_goal", "sub_goal_text", "format",
    "target", "sub_goal_status", "stop", "action", "legal", "path", "calls", "prompt_tokens", "thoughts_tokens",
    "output_tokens", "cost_usd", "seconds", "reply",
)  # fmt: skip
Cell = str | int | float | bool | None


def step_rows(trace: Trace) -> Iterator[Mapping[str, Cell]]:
    """Yield a row of `STEP_COLUMNS` for each step; planning comes first as step 0 where a model was asked.

    Sums of tokens and cost are missing where one call's are.
    """
    if trace.plan_calls:
        yield _row(trace, {"step": 0} | _asked(trace.plan_calls))
    for step in trace.steps:
        yield _row(trace, _of_step(step) | _asked(step.calls))


def _row(trace: Trace, told: Mapping[str, Cell]) -> Mapping[str, Cell]:
    header = trace.header
    known: dict[str, Cell] = {"run": header.run, "episode": trace.episode.id, "navigator": header.navigator}
    known["model"] = header.model
    known |= {name: cell for name, cell in told.items() if is_finite(cell)}
    return {name: known.get(name) for name in STEP_COLUMNS}


def _of_step(step: Step) -> dict[str, Cell]:
    decision, goal = step.decision, step.sub_goal
    told: dict[str, Cell] = {
        "step": step.index,
        "node": step.node,
        "heading_deg": step.heading_deg,
        "sub_goal": None if goal is None else goal + 1,
        "sub_goal_text": step.plan[goal].description if goal is not None and goal < len(step.plan) else None,
        "format": step.observation.format if step.observation is not None else None,
        "path": " ".join(step.path),
    }
    if decision is not None:
        names = ("target", "sub_goal_status", "stop", "action", "legal")
        told |= {name: getattr(decision, name) for name in names}
    return told


def _asked(calls: Sequence[Call]) -> dict[str, Cell]:
    usages = [call.usage for call in calls]
    names = ("prompt_tokens", "thoughts_tokens", "output_tokens")
    told: dict[str, Cell] = {name: _sum([getattr(usage, name, None) for usage in usages]) for name in names}
    told |= {name: _sum([getattr(call, name) for call in calls]) for name in ("cost_usd", "seconds")}
    return {"calls": len(calls), "reply": calls[-1].reply if calls else None} | told


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None
