"""Walks as the leaderboards of VLN-CE and R2R take them; read again they are the same walks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from navviz.errors import InputError
from navviz.records import Call, EndStatus, Step, Trace
from navviz.records.base import Position
from navviz.records.frames import from_navviz
from navviz.records.walker import is_unfinished, is_unwalked
from navviz.support.guarded import is_finite

_SPACE = 3
"""Coordinates of a position in a house."""

_OBJECTS = ("predObjId", "pred_objid")
"""Settings that hold REVERIE's answer, by the names that its results have."""

_OTHERS = "write it with --format atif, otel or csv"


def has_no_result(trace: Trace) -> bool:
    """Tell whether a run counts no figure of this walk, which formats of places alone cannot say.

    Read again, a walk that was cut off looks like one that stopped there.
    """
    is_ours = trace.header.source is None
    failed = is_ours and trace.end is not None and trace.end.status == EndStatus.ERROR
    return failed or is_unwalked(trace) or is_unfinished(trace) or not trace.end_is_known


def check_on_graph(trace: Trace, places: str) -> None:
    """Refuse a walk that a format of nodes cannot hold.

    Raises `InputError` where the agent walked from pose to pose, or stopped in the middle.
    """
    if trace.is_free:
        what = f"was walked freely, so it has no {places}"
        raise InputError(what, "write it with --format vlnce", episode=trace.episode.id)
    if not trace.header.poses.keys().isdisjoint(trace.path):
        what = f"was walked between places of its own, so it has no {places}"
        raise InputError(what, _OTHERS, episode=trace.episode.id)
    _check_one_stop(trace)


def _check_one_stop(trace: Trace) -> None:
    """Refuse a task of several parts: each stop ends one, so that of one stop alone another task
    would be scored.
    """
    if not trace.episode.tasks:
        return
    early = [step for step in trace.steps[:-1] if step.decision is not None and step.decision.stop]
    if early:
        what = f"stops after each part of its task, first at step {early[0].index}"
        do = f"this format has one stop a walk; {_OTHERS}"
        raise InputError(what, do, episode=trace.episode.id)


def vlnce_predictions(traces: Iterable[Trace]) -> dict[str, list[dict[str, Any]]]:
    """Return ``predictions.json`` of VLN-CE: one pose before the first action and after each.

    Raises `InputError` where an episode was walked from node to node, or its positions are not
    those of a house.
    """
    return {trace.episode.id: list(_entries(trace)) for trace in traces}


def _entries(trace: Trace) -> Iterator[dict[str, Any]]:
    _check_one_stop(trace)
    if not trace.is_free:
        # r2r refuses what this one refuses, and must not be named for it
        check_on_graph(trace, "poses in Habitat")
        raise InputError(
            "was not walked freely, so it has no poses",
            "write it with --format r2r",
            episode=trace.episode.id,
        )
    if not trace.steps:
        raise InputError("has no step", "leave this episode out", episode=trace.episode.id)
    poses = [(step.position, step.heading_deg) for step in trace.steps]
    poses.append(_last(trace, trace.steps[-1]))
    last = len(poses) - 1
    stops = trace.steps[-1].decision is not None and trace.steps[-1].decision.stop
    for k, (position, heading_deg) in enumerate(poses):
        if position is None or len(position) != _SPACE:
            raise InputError(
                f"has no position in a house before step {k + 1}",
                "leave this episode out",
                episode=trace.episode.id,
            )
        entry: dict[str, Any] = {"position": list(from_navviz(position, "habitat"))}
        if heading_deg is not None:
            # Habitat counts counter-clockwise; the angle stays within half a turn
            entry["heading"] = math.radians((180.0 - heading_deg) % 360.0 - 180.0)
        yield entry | {"stop": stops and k == last}


def _last(trace: Trace, step: Step) -> tuple[Position | None, float | None]:
    """Return the pose after the last step."""
    end = trace.end
    stopped = None if end is None else end.position
    heading_deg = step.heading_deg if step.end_heading_deg is None else step.end_heading_deg
    return step.end_position or stopped or step.position, heading_deg


def r2r_results(traces: Iterable[Trace]) -> list[dict[str, Any]]:
    """Return results as R2R's leaderboard takes them: viewpoint, heading and elevation in radians.

    A viewpoint without a known heading stands alone. Raises `InputError` where an episode has no
    viewpoints, or several stops; see `check_on_graph`.
    """
    return [_result(trace) for trace in traces]


def _result(trace: Trace) -> dict[str, Any]:
    check_on_graph(trace, "viewpoints")
    settings = trace.header.settings
    answers = {name: settings[name] for name in _OBJECTS if name in settings}
    return {"instr_id": trace.episode.id, "trajectory": list(_viewpoints(trace)), **answers}


def _viewpoints(trace: Trace) -> Iterator[list[Any]]:
    here = ""
    for step in trace.steps:
        for node in step.path or (step.node,):
            if node is None:
                continue
            has_heading = node == step.node and step.heading_deg is not None
            if node != here or has_heading:
                yield [node, math.radians(step.heading_deg or 0.0), 0.0] if has_heading else [node]
            here = node
    if not here:
        yield [trace.episode.start]


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
        yield _row(trace, cells | _call_cells(step.calls))


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
