"""Lines of GROKE's step logs, each one step of one episode: what the table of a run needs of it, and where it lies.

The logs of a large run have gigabytes, nearly all of it prompts and thoughts. They are read once from end to end, a
line at a time, and only `StepLine` is kept; `whole_step` reads a line again when its episode is opened.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json, LinePlace, placed_line, placed_lines
from navviz.formats.groke.calls import Prompt, as_mapping, read_call, read_prompt
from navviz.formats.groke.views import MapView, observation, read_view
from navviz.records import Call, Decision, Step, SubGoal
from navviz.world.graph import Graph

__all__ = ["EpisodeLog", "StepLine", "first_node", "read_logs", "whole_step"]


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step of one episode, without its texts."""

    step: int
    node: str | None
    heading_deg: float | None
    plan: tuple[SubGoal, ...]
    sub_goal: int | None
    decision: Decision
    call: Call
    """Model, tokens and faults alone."""
    place: LinePlace


@dataclass(slots=True)
class EpisodeLog:
    """What the logs say of one episode."""

    created: str
    """When the first reply was made."""
    instruction: str
    lines: list[StepLine] = field(default_factory=list)
    letters: dict[str, str] = field(default_factory=dict)
    """Letter of each landmark's name, in lower case."""

    @property
    def waypoints(self) -> tuple[str | None, ...]:
        """Waypoints as GROKE keeps them: the start, then the place that each reply names; empty replies add none."""
        named = (line.decision.target for line in self.lines)
        return (self.lines[0].node, *(target for target in named if target is not None))

    @property
    def model(self) -> str | None:
        """The first model that answered."""
        return next((line.call.model for line in self.lines if line.call.model), None)


def read_logs(files: list[tuple[int, Path]], problems: Problems) -> dict[str, EpisodeLog]:
    """Read the logs of one method, given by step; what is no step is reported and left out."""
    logs: dict[str, EpisodeLog] = {}
    for step, file in files:
        for number, place, value in placed_lines(file, problems):
            where = f"{file.name}:{number}"
            key = as_mapping(value).get("key")
            if key is None or not isinstance(value.get("request"), dict):
                problems.add(Problem("has no key or no request", "it is left out", where))
                continue
            log = logs.get(str(key))
            before = log.lines[-1].step if log is not None else 0
            if before == step:
                problems.add(Problem("has this step twice", "keep one; the first is used", where, str(key)))
                continue
            if step != before + 1:
                problems.add(Problem("a step before this one is missing", "the others are shown", where, str(key)))
            logs[str(key)] = _with_line(log, step, place, value)
    return logs


def _with_line(log: EpisodeLog | None, step: int, place: LinePlace, value: dict[str, Json]) -> EpisodeLog:
    call, prompt, view = _parts(value)
    if log is None:
        created = as_mapping(value.get("response")).get("createTime")
        log = EpisodeLog(created if isinstance(created, str) else "", prompt.instruction or "")
    plan = _shared_plan(prompt.plan, log.lines[-1].plan if log.lines else ())
    decision = _judge(call, view)
    log.lines.append(StepLine(step, view.node, view.heading_deg, plan, prompt.sub_goal, decision, _brief(call), place))
    log.letters |= {name.lower(): letter for name, letter in view.letters.items()}
    return log


def _parts(value: dict[str, Json]) -> tuple[Call, Prompt, MapView]:
    call = read_call(value)
    prompt = read_prompt("\n".join(message.text for message in call.messages if message.role == "user"))
    return call, prompt, read_view(prompt)


def _shared_plan(plan: tuple[SubGoal, ...], before: tuple[SubGoal, ...]) -> tuple[SubGoal, ...]:
    """Return a plan that shares with the one before what did not change, which is most of it."""
    if plan == before:
        return before
    old = {goal.description: goal for goal in before}
    return tuple(old[goal.description] if old.get(goal.description) == goal else goal for goal in plan)


def _brief(call: Call) -> Call:
    """Return a call without its texts."""
    return Call(
        model=call.model,
        usage=call.usage,
        error=call.error,
        parse_error=call.parse_error,
        finish_reason=call.finish_reason,
    )


def _target(call: Call) -> str | None:
    """Return the node that the reply names."""
    value = call.parsed.get("next_place") if call.parsed is not None else None
    return value if isinstance(value, str) and value else None


def _judge(call: Call, view: MapView) -> Decision:
    """Return the decision of a step, legal where the node named can be reached on the map shown."""
    status = call.parsed.get("subplan_status") if call.parsed is not None else None
    known = status if status in {"IN_PROGRESS", "COMPLETED"} else None
    fault, target = call.error or call.parse_error, _target(call)
    if fault is None and target is None:
        fault = "next_place names no node"
    if fault is None and view.links and target not in {view.node, *view.routes()}:
        fault = "the node named is not on the map shown"
    return Decision(target=target, sub_goal_status=known, legal=fault is None, reason=fault)


def first_node(value: dict[str, Json]) -> str | None:
    """Return the node that a line's map shows the agent at."""
    return _parts(value)[2].node


def whole_step(outline: Step, place: LinePlace, method: str, graph: Graph, known: dict[str, Any]) -> Step:
    """Read a step's line again and add its texts; `known` holds what every call of a run repeats.

    Raises `InputError` where the file has changed meanwhile.
    """
    value = as_mapping(placed_line(place))
    if not isinstance(value.get("request"), dict):
        raise InputError("was changed while it was open", "open it again", file=place.file.name)
    call, prompt, view = _parts(value)
    target = outline.decision.target if outline.decision is not None else None
    seen = observation(prompt, view, method, graph, target)
    return outline.model_copy(update={"calls": (_shared(call, known),), "observation": seen})


def _shared(call: Call, known: dict[str, Any]) -> Call:
    """Return a call that shares what every call of a run repeats: system prompt and schema of the reply."""
    messages = tuple(
        known.setdefault(message.text, message) if message.role == "system" else message for message in call.messages
    )
    schema = call.response_schema
    schema = None if schema is None else known.setdefault(repr(schema), schema)
    return call.model_copy(update={"messages": messages, "response_schema": schema})
