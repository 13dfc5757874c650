"""One line of GROKE's step logs: a request to Gemini with its response, and what its prompt says.

``{key, request: {contents, generationConfig, systemInstruction}, response: {candidates: [{content:
{parts: [{text, thought?}]}, finishReason}], usageMetadata, modelVersion}, status}``, as Gemini's
batch service writes it. The prompt holds the instruction, the plan with the state of each sub-goal,
and the map: JSON in a fence, or text below a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeGuard, get_args

from navviz.formats.files import Json
from navviz.formats.texts import as_count, as_list, as_mapping
from navviz.records import Call, Message, SubGoal, Usage
from navviz.support.guarded import decode_reply

SubGoalState = Literal["TODO", "IN_PROGRESS", "COMPLETED"]

_FENCE = re.compile(r"```(\w*)\n(.*?)\n```", re.DOTALL)
# rows of a grid begin with a bracket, too: only a bracket before a capital letter, a heading, ends
# the map
_CONTEXT = re.compile(
    r"^[ \t]*(?:Navigation Context|Current Map)[ \t]*:[ \t]*\n(.*?)(?=^[ \t]*\[[A-Z]|^["
    r" \t]*Planning State:|\Z)",
    re.DOTALL | re.MULTILINE,
)
_INSTRUCTION = re.compile(r"^Instruction: (.*?)\n\s*\n", re.DOTALL | re.MULTILINE)
_PLAN = re.compile(r"^Planning State:[ \t]*\n((?:[ \t]*\d+\. .*\n?)+)", re.MULTILINE)
_PLAN_LINE = re.compile(
    r"^\s*\d+\. (.*) \((TODO|IN_PROGRESS|COMPLETED)(?:, Iteration: (\d+))?\)\s*$"
)


def as_strings(values: Json) -> tuple[str, ...]:
    """Return the texts of a list."""
    return tuple(value for value in as_list(values) if isinstance(value, str))


@dataclass(frozen=True)
class Prompt:
    """What a prompt says."""

    instruction: str | None
    plan: tuple[SubGoal, ...]
    sub_goal: int | None
    """Index of the sub-goal in progress."""
    context: str
    """The map as it stands in the prompt, without its fence or heading; empty where none is found.
    """
    fields: Mapping[str, Json]
    """The map's fields where it is JSON, else empty."""


def read_prompt(text: str) -> Prompt:
    """Find the parts of a prompt; what is not there is missing."""
    # the patterns count on plain line ends
    text = text.replace("\r\n", "\n")
    instruction, plan = _INSTRUCTION.search(text), tuple(_plan(text))
    context = _context(text)
    now = next((k for k, goal in enumerate(plan) if goal.status == "IN_PROGRESS"), None)
    return Prompt(
        instruction[1].strip() if instruction else None, plan, now, context, _fields(context)
    )


def _context(text: str) -> str:
    fence = _FENCE.search(text)
    if fence is not None:
        return fence[2]
    below = _CONTEXT.search(text)
    return below[1].strip("\n") if below is not None else ""


def _plan(text: str) -> Iterator[SubGoal]:
    plan_match = _PLAN.search(text)
    for line in plan_match[1].splitlines() if plan_match else ():
        match = _PLAN_LINE.match(line)
        if match is not None and _is_state(match[2]):
            tries = int(match[3]) if match[3] else None
            yield SubGoal(description=match[1], status=match[2], iteration=tries)


def _is_state(text: str) -> TypeGuard[SubGoalState]:
    return text in get_args(SubGoalState)


def _fields(context: str) -> dict[str, Json]:
    try:
        parsed = as_mapping(decode_reply(context))
    except ValueError:
        return {}
    return as_mapping(parsed.get("navigation_context"))


def _messages(request: Mapping[str, Json]) -> Iterator[Message]:
    system = "".join(_texts(as_mapping(request.get("systemInstruction")), thoughts=False))
    if system:
        yield Message(role="system", text=system)
    for content in map(as_mapping, as_list(request.get("contents"))):
        role: Literal["user", "assistant"] = (
            "assistant" if content.get("role") == "model" else "user"
        )
        yield Message(role=role, text="".join(_texts(content, thoughts=False)))


def _texts(content: Mapping[str, Json], *, thoughts: bool) -> Iterator[str]:
    for part in map(as_mapping, as_list(content.get("parts"))):
        # Gemini marks a thought by a flag that other parts lack
        if isinstance(part.get("text"), str) and bool(part.get("thought")) == thoughts:
            yield part["text"]


def planning_call(line: Mapping[str, Json]) -> Call:
    """Return the call that divided the instruction; its published log holds the requests only."""
    call = read_call(line)
    return call.model_copy(update={"purpose": "plan"})


def read_call(line: Mapping[str, Json]) -> Call:
    """Read the model call of a line."""
    request = as_mapping(line.get("request"))
    schema = as_mapping(request.get("generationConfig")).get("responseSchema")
    call = Call(
        messages=tuple(_messages(request)),
        response_schema=schema if isinstance(schema, dict) else None,
    )
    response = as_mapping(line.get("response"))
    candidate = as_mapping(next(iter(as_list(response.get("candidates"))), None))
    # refused prompts and requests without an answer stand in the log, too
    if not candidate:
        return call.model_copy(update={"error": _why_no_reply(line, response)})
    content = as_mapping(candidate.get("content"))
    reply = "".join(_texts(content, thoughts=False))
    parsed, fault = _parse(reply)
    model, finish = response.get("modelVersion"), candidate.get("finishReason")
    return call.model_copy(
        update={
            "thoughts": "\n\n".join(_texts(content, thoughts=True)) or None,
            "reply": reply,
            "parsed": parsed,
            "parse_error": fault,
            "model": model if isinstance(model, str) else None,
            "usage": _usage(as_mapping(response.get("usageMetadata"))),
            "finish_reason": finish if isinstance(finish, str) else None,
        }
    )


def _why_no_reply(line: Mapping[str, Json], response: Mapping[str, Json]) -> str:
    for value in (response.get("error"), line.get("error"), line.get("status")):
        if value:
            return str(as_mapping(value).get("message") or value)[:500]
    block = as_mapping(response.get("promptFeedback")).get("blockReason")
    if block:
        return f"the model refused the prompt ({block})"
    return "the response holds no candidate" if response else "the log holds the request only"


def _parse(reply: str) -> tuple[dict[str, Json] | None, str | None]:
    if not reply.strip():
        return None, "the reply is empty"
    try:
        value = decode_reply(reply)
    except ValueError as error:
        return None, f"the reply is no JSON ({error})"
    return (value, None) if isinstance(value, dict) else (None, "the reply is no JSON object")


def _usage(counts: Mapping[str, Json]) -> Usage | None:
    def count(name: str) -> int | None:
        return as_count(counts.get(name))

    if not counts:
        return None
    return Usage(
        prompt_tokens=count("promptTokenCount"),
        thoughts_tokens=count("thoughtsTokenCount"),
        output_tokens=count("candidatesTokenCount"),
        cached_tokens=count("cachedContentTokenCount"),
    ).with_total(count("totalTokenCount"))
