"""Lines of GROKE's step logs, each a step of an episode: its table figures and its place.

The logs of a large run have gigabytes, nearly all of it prompts and thoughts. They are read once
from end to end, a line at a time, and only `StepLine` is kept; `whole_step` reads a line again when
its episode is opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json, LinePlace, placed_line, placed_lines
from navviz.formats.texts import as_list, as_mapping, as_number, id_text, say_unlike
from navviz.records import Call, Decision, Step, SubGoal
from navviz.support.guarded import decode_reply
from navviz.systems.groke.logs.calls import Prompt, read_call, read_prompt
from navviz.systems.groke.logs.views import MapView, observation, read_view
from navviz.systems.groke.prompts.formats import Cell
from navviz.world.graph import Graph


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
    cell: Cell | None = None
    """On a grid: where the agent stands."""
    rows: tuple[str, ...] = ()
    """On a grid: its rows from north to south, a character a cell."""
    named: Cell | None = None
    """On a grid: the cell that the reply names."""
    visible: tuple[str, ...] = ()
    """On a grid: the street ahead, where the agent's place is certain."""
    before: tuple[StepLine, ...] = ()
    """Calls of the same step that another one took the place of, since it has a reply."""

    @property
    def answered(self) -> bool:
        """Whether the reply names a place."""
        return self.decision.target is not None or self.named is not None


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
    def model(self) -> str | None:
        """The first model that answered."""
        return next((line.call.model for line in self.lines if line.call.model), None)


def read_logs(files: list[tuple[int, Path]], problems: Problems) -> dict[str, EpisodeLog]:
    """Read the logs of one method, given by step; what is no step is reported and left out."""
    logs: dict[str, EpisodeLog] = {}
    for step, file in files:
        for number, place, value in placed_lines(file, problems):
            where = f"{file.name}:{number}"
            spelled = as_mapping(value).get("key")
            key = "" if spelled is None else id_text(spelled)
            if not key or not isinstance(value.get("request"), dict):
                problems.skip(Problem("has no key or no request", "it is left out", where))
                continue
            _say_unlike(value, Problem("", "", where, key), problems)
            log = logs.get(key)
            # 0 before the first line, so that a log that begins at step 2 is reported as well
            before = log.lines[-1].step if log is not None else 0
            if step not in {before, before + 1}:
                what = "a step before this one is missing"
                problems.add(Problem(what, "the others are shown", where, key))
            logs[key] = _with_line(log, step, place, value)
            if before == step:
                do = (
                    "the last one with a reply is used, as in GROKE's scripts; the others are shown"
                    " beside it"
                )
                problems.add(Problem("has this step again", do, where, key))
    return logs


def _say_unlike(value: Mapping[str, Json], where: Problem, problems: Problems) -> None:
    """Report the parts of a line that are not as Gemini's batches have them."""
    request, response = as_mapping(value["request"]), as_mapping(value.get("response"))
    config = as_mapping(request.get("generationConfig"))
    say_unlike(value, {"id": "key", "object": "request, response"}, where, problems)
    kinds = {"objects": "contents", "object": "systemInstruction, generationConfig"}
    say_unlike(request, kinds, where, problems)
    say_unlike(config, {"object": "responseSchema"}, where, problems)
    kinds = {"objects": "candidates", "object": "usageMetadata", "text": "modelVersion, createTime"}
    say_unlike(response, kinds, where, problems)
    contents = [*as_list(request.get("contents")), request.get("systemInstruction")]
    for candidate in map(as_mapping, as_list(response.get("candidates"))):
        kinds = {"object": "content", "text": "finishReason, finishMessage"}
        say_unlike(candidate, kinds, where, problems)
        contents.append(candidate.get("content"))
    for content in map(as_mapping, contents):
        say_unlike(content, {"objects": "parts", "text": "role"}, where, problems)
        for part in map(as_mapping, as_list(content.get("parts"))):
            say_unlike(part, {"text": "text", "flag": "thought"}, where, problems)
    usage = as_mapping(response.get("usageMetadata"))
    counts = [name for name in usage if name.endswith("Count")]
    say_unlike(usage, {"number": ", ".join(counts)}, where, problems)


def _with_line(
    log: EpisodeLog | None, step: int, place: LinePlace, value: dict[str, Json]
) -> EpisodeLog:
    call, prompt, view = _parts(value)
    if log is None:
        created = as_mapping(value.get("response")).get("createTime")
        log = EpisodeLog(created if isinstance(created, str) else "", prompt.instruction or "")
    plan = _shared_plan(prompt.plan, log.lines[-1].plan if log.lines else ())
    line = StepLine(
        step=step,
        node=view.node,
        heading_deg=view.heading_deg,
        plan=plan,
        sub_goal=prompt.sub_goal,
        decision=_judge(call, view),
        call=_brief(call),
        place=place,
        cell=view.cell,
        rows=view.rows,
        named=_named_cell(call) if view.format == "grid" else None,
    )
    again = log.lines.pop() if log.lines and log.lines[-1].step == step else None
    log.lines.append(line if again is None else _chosen(again, line))
    log.letters |= {name.lower(): letter for name, letter in view.letters.items()}
    return log


def _chosen(first: StepLine, again: StepLine) -> StepLine:
    """Return the later of two calls of a step, or the earlier if only it has a reply, with both."""
    used, other = (first, again) if first.answered and not again.answered else (again, first)
    calls = (*first.before, replace(other, before=()))
    return replace(used, before=calls)


def _named_cell(call: Call) -> Cell | None:
    """Return the cell ``[row, column]`` that the reply names."""
    cell = as_list((call.parsed or {}).get("next_place"))
    if len(cell) != 2:
        return None
    # numbers come as floats: 3.0 is a cell, 3.5 is none
    row, column = as_number(cell[0]), as_number(cell[1])
    if row is None or column is None or not row.is_integer() or not column.is_integer():
        return None
    return int(row), int(column)


def _parts(value: dict[str, Json]) -> tuple[Call, Prompt, MapView]:
    call = read_call(value)
    texts = [message.text for message in call.messages if message.role == "user"]
    prompt = read_prompt("\n".join(texts))
    return call, prompt, read_view(prompt)


def _shared_plan(plan: tuple[SubGoal, ...], before: tuple[SubGoal, ...]) -> tuple[SubGoal, ...]:
    """Return a plan that shares with the one before what did not change, which is most of it."""
    if plan == before:
        return before
    # equal goals are one object: a run has tens of thousands of them
    old = {goal: goal for goal in before}
    return tuple(old.get(goal, goal) for goal in plan)


def _brief(call: Call) -> Call:
    """Return a call without its texts."""
    # without its reply a refusal that came after a whole answer would look like none
    refused = call.unanswered is not None or call.parsed is None
    return Call(
        model=call.model,
        usage=call.usage,
        error=call.error,
        parse_error=call.parse_error,
        finish_reason=call.finish_reason if refused else None,
        finish_message=call.finish_message,
        block_reason=call.block_reason,
        tool_calls=call.tool_calls,
        service_fault=call.service_fault,
    )


def _judge(call: Call, view: MapView) -> Decision:
    """Return the decision of a step, legal where the node named can be reached on the map shown."""
    status = (call.parsed or {}).get("subplan_status")
    if status not in {"IN_PROGRESS", "COMPLETED"}:
        status = None
    value = (call.parsed or {}).get("next_place")
    fault = call.error or call.parse_error
    target = value if isinstance(value, str) and value else None
    if fault is None and target is None:
        fault = "next_place names no node"
    # a map without links that could be read, like a grid, accuses nobody
    if fault is None and view.links and target not in {view.node, *view.routes()}:
        fault = "the node named is not on the map shown"
    return Decision(target=target, sub_goal_status=status, legal=fault is None, reason=fault)


def first_node(value: dict[str, Json]) -> str | None:
    """Return the node that a line's map shows the agent at."""
    return _parts(value)[2].node


def whole_step(
    outline: Step, places: Sequence[LinePlace], method: str, graph: Graph, repeated: dict[str, Any]
) -> Step:
    """Read the lines of a step again and add its texts; `repeated` has what all calls of a run
    share.

    The last of `places` is the line that counts. Raises `InputError` where the file has changed
    meanwhile.
    """
    calls = []
    for place in places:
        value = as_mapping(placed_line(place))
        if not isinstance(value.get("request"), dict):
            raise InputError("was changed while it was open", "open it again", file=place.file.name)
        call, prompt, view = _parts(value)
        messages = []
        for message in call.messages:
            if message.role == "system":
                messages.append(repeated.setdefault(message.text, message))
            else:
                messages.append(message)
        schema = call.response_schema
        if schema is not None:
            # a dictionary cannot be a key, but its text can
            schema = repeated.setdefault(repr(schema), schema)
        calls.append(
            call.model_copy(update={"messages": tuple(messages), "response_schema": schema})
        )
    target = outline.decision.target if outline.decision is not None else None
    # a grid prompt names no node: the walk has found out where the agent stands
    view = replace(
        view,
        node=outline.node,
        visible=view.visible
        or (outline.observation.visible_nodes if outline.observation is not None else ()),
    )
    seen = observation(prompt, view, method, graph, target)
    return outline.model_copy(update={"calls": tuple(calls), "observation": seen})


_FENCE = re.compile(r"```json\n(.*?)\n```", re.DOTALL)

_LANDMARKS = re.compile(r"^Landmark: (.*)$", re.MULTILINE)

_UNORDERED = frozenset({"connections", "branches", "pois"})


def without_order(text: str) -> str:
    """Return the prompt with sorted landmarks, connections, branches and POIs."""
    text = _LANDMARKS.sub(
        lambda match: "Landmark: " + ", ".join(sorted(match[1].split(", "))), text
    )
    return _FENCE.sub(_sorted_map, text)


def _sorted_map(match: re.Match[str]) -> str:
    try:
        # a mended map would compare as equal to a whole one
        value = decode_reply(match[1], mend=False)
    except ValueError:
        return match[0]
    return json.dumps(_sorted(value), sort_keys=True)


def _sorted(value: Any, name: str = "") -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _sorted(each, key) for key, each in value.items()}
    if isinstance(value, list):
        items = [_sorted(each) for each in value]
        return (
            sorted(items, key=lambda each: json.dumps(each, sort_keys=True))
            if name in _UNORDERED
            else items
        )
    return value
