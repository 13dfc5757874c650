"""One line of GROKE's step logs: a request to Gemini with its response, and what its prompt says.

``{key, request: {contents, generationConfig, systemInstruction}, response: {candidates: [{content:
{parts: [{text, thought?}]}, finishReason}], usageMetadata, modelVersion}, status}``, as Gemini's
batch service writes it. The prompt holds the instruction, the plan with the state of each sub-goal,
and the map: JSON in a fence, or text below a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeGuard, get_args

from navviz.errors import InputError, Problems
from navviz.formats.files import Json, json_lines
from navviz.formats.texts import as_count, as_list, as_mapping
from navviz.records import Call, Message, SubGoal, Usage
from navviz.records.provider_messages import calls_text, reply_fields
from navviz.support.guarded import decode_reply, is_regular, read_text
from navviz.systems.groke.prompts.prompt import published_line

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
    fields = reply_fields(response)
    # refused prompts and requests without an answer stand in the log, too
    if "reply" not in fields and "finish_reason" not in fields:
        # a batch service may write a fault beside the response
        error_fields = reply_fields({"error": line.get("error") or line.get("status")})
        fields = {**error_fields, **fields}
        return call.model_copy(update={"error": _why_no_reply(response, fields), **fields})
    model = response.get("modelVersion")
    fields = {"reply": "", **fields}
    update = {
        "model": model if isinstance(model, str) else None,
        "usage": _usage(as_mapping(response.get("usageMetadata"))),
    }
    answered = call.model_copy(update=fields | update)
    parsed, fault = _parse(answered)
    return answered.model_copy(update={"parsed": parsed, "parse_error": fault})


def _why_no_reply(response: Mapping[str, Json], fields: Mapping[str, Any]) -> str:
    if "error" in fields:
        return str(fields["error"])
    if "block_reason" in fields:
        return f"the provider refused the prompt ({fields['block_reason']})"
    return "the response holds no candidate" if response else "the log holds the request only"


def _parse(call: Call) -> tuple[dict[str, Json] | None, str | None]:
    """Return what a reply says as JSON, or what is wrong with it."""
    if call.unanswered is not None or not (call.reply or "").strip():
        return None, call.why_unread
    if call.tool_calls and call.reply == calls_text(call.tool_calls):
        arguments = call.tool_calls[-1].args
        if "next_place" in arguments:
            return arguments, None
        return None, f"the reply is the function call {call.reply}, which names no next_place"
    try:
        value = decode_reply(call.reply or "")
    except ValueError as error:
        return None, call.shortfall or f"the reply is no JSON ({error})"
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


PLACES = ("instruction", "sub_goal", "landmarks", "plan", "map")

_PLACE = re.compile("|".join(rf"\{{{name}\}}" for name in PLACES))

_USER = re.compile(r"^=== user ===[ \t]*\n", re.MULTILINE)

_LANDMARK = re.compile(r"^Landmark: .*$", re.MULTILINE)

_STATE = re.compile(r"^(Sub-Goal State: .*\n)", re.MULTILINE)

_NEEDED = ("sub_goal", "map")


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """Texts with places to fill."""

    system: str
    user: str

    def fill(
        self,
        *,
        instruction: str,
        plan: Sequence[SubGoal],
        current: int,
        landmarks: Sequence[str],
        context: str,
        fault: str | None = None,
    ) -> tuple[Message, ...]:
        """Messages of one decision; what is filled in is not searched for places again."""
        values = {
            "instruction": instruction.strip(),
            "sub_goal": plan[current].description,
            "landmarks": f"Landmark: {', '.join(landmarks)}" if landmarks else "",
            "plan": "\n".join(
                published_line(number, goal) for number, goal in enumerate(plan, start=1)
            ),
            "map": context,
        }
        system, user = _filled(self.system, values), _filled(self.user, values)
        if fault:
            again = "The walker has not moved. Answer again."
            user += f"\n\nYour last answer could not be used: {fault}. {again}"
        message = Message(role="user", text=user)
        return (Message(role="system", text=system), message) if system else (message,)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda match: values[match[0][1:-1]], text)


def read_template(path: Path) -> PromptTemplate:
    """Read a template.

    Raises `InputError` when the file cannot be read, or has no place for the sub-goal or the map.
    """
    if path.suffix == ".jsonl":
        if not is_regular(path):
            raise InputError("cannot be read (no such file)", "check the path", file=path.name)
        first = next((as_mapping(value) for _, value in json_lines(path, Problems())), {})
        messages = read_call(first).messages
        system = "".join(message.text for message in messages if message.role == "system")
        user = "".join(message.text for message in messages if message.role == "user")
        template = PromptTemplate(system, _emptied(user))
    else:
        text = read_text(path)
        head, *rest = _USER.split(text, maxsplit=1)
        system, user = (head, rest[0]) if rest else ("", text)
        template = PromptTemplate(system.strip(), user.strip())
    missing = [name for name in _NEEDED if f"{{{name}}}" not in template.user + template.system]
    if missing:
        what = f"has no place for {' and '.join(missing)}"
        raise InputError(
            what, f"write {{{missing[0]}}} where it belongs", file=path.name, field="prompt_file"
        )
    return template


def _emptied(text: str) -> str:
    """Return a published prompt with places where its values stand."""
    prompt = read_prompt(text)
    # an empty text lacks the places that are needed, so that `read_template` refuses it
    if not prompt.context or prompt.sub_goal is None or prompt.instruction is None:
        return ""
    plan = "\n".join(published_line(k, goal) for k, goal in enumerate(prompt.plan, start=1))
    text = text.replace(prompt.context, "{map}", 1).replace(plan, "{plan}", 1)
    text = text.replace(f"Instruction: {prompt.instruction}", "Instruction: {instruction}", 1)
    goal = prompt.plan[prompt.sub_goal].description
    text = text.replace(f"Current Sub-Goal: {goal}", "Current Sub-Goal: {sub_goal}", 1)
    # a prompt without landmarks has no line for them: one is made below the sub-goal's state
    if _LANDMARK.search(text):
        return _LANDMARK.sub("{landmarks}", text, count=1)
    return _STATE.sub(r"\1{landmarks}", text, count=1)
