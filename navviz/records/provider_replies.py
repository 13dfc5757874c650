"""What a model service sent back: reply, thoughts, function calls, and how it ended.

Gemini's REST response (``candidates``, ``promptFeedback``; in camel case as batch logs have it, or
in snake case as google-genai dumps it), OpenAI's chat completions (``choices``) and the error
bodies of both. Live models and readers of published logs share it: one reply has one record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from navviz.records.call import ToolCall

_MOST_TEXT = 500
"""Characters of a service's message that are kept."""
_NAMED_FAULTS = {
    408: "time-out (408)",
    429: "quota (429)",
    499: "time-out (499)",
    503: "overload (503)",
    504: "time-out (504)",
    529: "overload (529)",
}
_STATUS_CODES = {
    "RESOURCE_EXHAUSTED": 429,
    "INSUFFICIENT_QUOTA": 429,
    "RATE_LIMIT": 429,
    "UNAVAILABLE": 503,
    "OVERLOADED": 503,
    "DEADLINE_EXCEEDED": 504,
    "SERVER_ERROR": 500,
}
"""Names of faults by which the services call those that say nothing of the request."""
_RPC_CODES = {1: 499, 2: 500, 4: 504, 8: 429, 13: 500, 14: 503}
_STATUS_NUMBER = re.compile(r"\b(408|429|499|5\d\d)\b")


def fault_of_code(code: int) -> str | None:
    """Name the fault of a service by its HTTP status; ``None`` where the request was at fault."""
    if code in _NAMED_FAULTS:
        return _NAMED_FAULTS[code]
    return f"fault of the server ({code})" if code >= 500 else None


def reply_fields(response: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a `Call` that a response tells; those that it does not are left out.

    The fields: ``reply``, ``thoughts``, ``tool_calls``, ``finish_reason``, ``finish_message``,
    ``block_reason``, ``service_fault`` and ``error``.
    """
    fields = _of_choices(response) if "choices" in response else _of_candidates(response)
    fault = _error_of(response)
    if fault is not None and "reply" not in fields:
        fields |= fault
    return {name: value for name, value in fields.items() if value not in (None, ())}


def _get(values: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401 - JSON
    """Return a field in camel case, or in snake case."""
    if name in values:
        return values[name]
    snake = re.sub(r"[A-Z]", lambda match: f"_{match[0].lower()}", name)
    return values.get(snake)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(value: object) -> Mapping[str, Any]:
    return _mapping(value[0]) if isinstance(value, list) and value else {}


def _word(value: object) -> str | None:
    """Return a reason as a word: enums of client libraries are dumped as ``FinishReason.STOP``."""
    return value.rpartition(".")[2][:_MOST_TEXT] if isinstance(value, str) and value else None


def _text(value: object) -> str | None:
    return value[:_MOST_TEXT] if isinstance(value, str) and value.strip() else None


def _of_candidates(response: Mapping[str, Any]) -> dict[str, Any]:
    candidate = _first(response.get("candidates"))
    feedback = _mapping(_get(response, "promptFeedback"))
    fields: dict[str, Any] = {
        "finish_reason": _word(_get(candidate, "finishReason")),
        "finish_message": _text(_get(candidate, "finishMessage"))
        or _text(_get(feedback, "blockReasonMessage")),
        "block_reason": _word(_get(feedback, "blockReason")),
    }
    if not candidate:
        return fields
    parts = _get(_mapping(candidate.get("content")), "parts")
    texts: dict[bool, list[str]] = {True: [], False: []}
    calls = []
    for part in map(_mapping, parts if isinstance(parts, list) else ()):
        if isinstance(part.get("text"), str):
            # a thought is marked by a flag that other parts lack
            texts[bool(part.get("thought"))].append(part["text"])
        called = _mapping(_get(part, "functionCall"))
        if isinstance(called.get("name"), str):
            calls.append(ToolCall(name=called["name"], args=_arguments(called.get("args"))))
    fields["thoughts"] = "\n\n".join(texts[True]) or None
    fields["tool_calls"] = tuple(calls)
    fields["reply"] = "".join(texts[False]) or calls_text(fields["tool_calls"])
    return fields


def _of_choices(response: Mapping[str, Any]) -> dict[str, Any]:
    choice = _first(response.get("choices"))
    message = _mapping(choice.get("message"))
    calls = called_functions(message)
    content, refusal = message.get("content"), _text(message.get("refusal"))
    if isinstance(content, list):
        parts = [_mapping(part) for part in content]
        refusals = filter(None, (_text(part.get("refusal")) for part in parts))
        refusal = refusal or next(refusals, None)
        content = "".join(str(part.get("text") or "") for part in parts)
    thoughts = message.get("reasoning_content") or message.get("reasoning")
    return {
        "finish_reason": _word(_get(choice, "finishReason")),
        "finish_message": refusal,
        "block_reason": "refusal" if refusal else None,
        "thoughts": thoughts if isinstance(thoughts, str) else None,
        "tool_calls": calls,
        "reply": (content if isinstance(content, str) else "") or calls_text(calls),
    }


def called_functions(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """Return the function calls of OpenAI's message, in today's spelling and in that of 2023."""
    listed = message.get("tool_calls")
    functions = []
    for each in listed if isinstance(listed, list) else ():
        functions.append(_mapping(_mapping(each).get("function")))
    functions.append(_mapping(message.get("function_call")))
    calls = []
    for each in functions:
        if isinstance(each.get("name"), str):
            calls.append(ToolCall(name=each["name"], args=_arguments(each.get("arguments"))))
    return tuple(calls)


def _arguments(value: object) -> dict[str, Any]:
    """Return arguments as an object; what is no JSON object stays as it was written."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"arguments": value} if value else {}
    if isinstance(value, Mapping):
        return dict(value)
    return {} if value is None else {"arguments": value}


def calls_text(calls: tuple[ToolCall, ...]) -> str:
    """Write function calls as a reply: ``walk_to(node=b)``."""
    return "\n".join(call.text for call in calls)


def _error_of(response: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return why a service sent an error instead of a response."""
    error = response.get("error")
    if not error:
        return None
    body = _mapping(error)
    sentence = _text(body.get("message")) or _text(body.get("status")) or str(error)[:_MOST_TEXT]
    code = _code_of(body) if body else _code_in(str(error)[:_MOST_TEXT])
    return {"error": sentence, "service_fault": None if code is None else fault_of_code(code)}


def _code_of(error: Mapping[str, Any]) -> int | None:
    """Return the HTTP status of an error's body."""
    for name in ("status", "type", "code", "status_code"):
        value = error.get(name)
        if isinstance(value, bool):
            continue
        # batch services write the numbers of ``google.rpc.Code``, which are below 20
        if isinstance(value, int):
            return _RPC_CODES.get(value, value)
        if isinstance(value, str) and (code := _code_in(value)) is not None:
            return code
    return None


def _code_in(text: str) -> int | None:
    """Return the HTTP status that a text names, by number or by Google's or OpenAI's name."""
    for name, code in _STATUS_CODES.items():
        if name in text.upper():
            return code
    match = _STATUS_NUMBER.search(text)
    return None if match is None else int(match[1])
