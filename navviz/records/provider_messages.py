"""Messages and replies of model providers, as other programs log them.

Messages: OpenAI's chat (``image_url`` parts), its Responses (``input_image``), Gemini's
``contents`` with ``inline_data`` or ``inlineData``, Anthropic's ``source`` parts, and texts that
hold a data URL. A picture's bytes stay in `PicturePart.raw`; a text never holds them. Replies:
Gemini's REST response (``candidates``, ``promptFeedback``; in camel case as batch logs have it, or
in snake case as google-genai dumps it), OpenAI's chat completions (``choices``) and the error
bodies of both. Live models and readers of published logs share them: one reply has one record.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from navviz.errors import InputError
from navviz.records.call import Message, Role, ToolCall
from navviz.records.view import PicturePart
from navviz.support.guarded import picture_head

MOST_BYTES = 20_000_000
"""Of one picture in a prompt; Gemini takes 20 MB in a request, Anthropic 5 MB a picture."""
ROOM_BYTES = 64_000_000
"""Of all pictures of one prompt."""
MOST_DEEP = 12
"""Messages hold parts, parts hold results of tools: what is nested deeper is no message."""
MOST_ADDRESS = 2_000
"""Characters of an address that are kept; longer ones are signatures, or data in disguise."""
IN_LOG = "data:"
"""How the source of a picture begins that a log holds itself, but not as a sound picture."""
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "model": "assistant",
}
_DATA_URL = re.compile(
    r"data:(image/[\w.+-]+)(?:;[\w.+-]+=[\w.+-]*)*;base64,([\w+/=%-]+)", re.IGNORECASE
)
_LEAST_TEXT = 64
"""A shorter data URL in a text is an example in words: the smallest GIF takes 35 bytes."""
_BASE64_BEGINS = ("/9j/", "iVBORw0KGgo", "UklGR", "R0lGOD")
"""JPEG, PNG, WebP and GIF as base64 without a data URL, as Ollama's messages have them."""
_URL_SAFE = str.maketrans("-_", "+/")

Part = str | PicturePart


class _Room:
    """Bytes that the pictures of one prompt may take; what was sent twice is kept once."""

    def __init__(self, most_bytes: int) -> None:
        self.left_bytes = most_bytes
        self._kept: dict[bytes, bytes] = {}

    def take(self, raw: bytes) -> bytes | None:
        """Return the bytes to keep; ``None`` where there is no room left."""
        if raw in self._kept:
            return self._kept[raw]
        if len(raw) > self.left_bytes:
            return None
        self.left_bytes -= len(raw)
        self._kept[raw] = raw
        return raw


def messages_of(value: object, most_bytes: int = ROOM_BYTES) -> tuple[Message, ...]:
    """Return a prompt as messages, whichever provider's form it has.

    `value`: a text, a message, a list of messages or of parts, or the body of a request, as JSON.
    `most_bytes`: of all pictures in it; those beyond are named, and their bytes are left out.
    Returns the messages; none where nothing in `value` is a text or a picture.
    """
    room = _Room(most_bytes)
    messages = []
    for role, content in _spoken(value):
        parts = list(_parts(content, room, 0))
        apart: list[Part] = []
        for part in parts:
            if isinstance(part, str) and apart and isinstance(apart[-1], str):
                apart.append("\n\n")
            apart.append(part)
        message = Message.of_parts(role, apart)
        if message.text or message.pictures:
            messages.append(message)
    return tuple(messages)


def _spoken(value: object) -> Iterator[tuple[Role, object]]:
    """Yield role and content of each message; a bare text or part is the user's."""
    if isinstance(value, Mapping):
        # Anthropic, OpenAI's Responses and Gemini keep the system prompt apart from the messages
        for name in ("system", "instructions", "systemInstruction", "system_instruction"):
            if value.get(name) and "role" not in value:
                yield "system", value[name]
        for name in ("messages", "contents", "input"):
            if isinstance(value.get(name), list):
                yield from _spoken(value[name])
                return
    # a list without roles holds the parts of one message
    if (
        isinstance(value, list)
        and value
        and all((isinstance(each, Mapping) and isinstance(each.get("role"), str)) for each in value)
    ):
        for each in value:
            yield _role(each), each
        return
    yield (_role(value) if isinstance(value, Mapping) else "user"), value


def _role(message: Mapping[str, Any]) -> Role:
    return _ROLES.get(str(message.get("role", "")).lower(), "user")


def _parts(value: object, room: _Room, depth: int) -> Iterator[Part]:
    """Yield the texts and pictures of a content in the order in which they stand."""
    if depth > MOST_DEEP:
        return
    if isinstance(value, str):
        yield from _of_text(value, room)
    elif isinstance(value, list):
        for each in value:
            yield from _parts(each, room, depth + 1)
    elif isinstance(value, Mapping):
        picture = _picture(value, room)
        if picture is not None:
            yield picture
            return
        images = value.get("images")
        if isinstance(images, list):  # Ollama's: they stand before the message's text
            for each in images:
                yield _of_source(each, room) if isinstance(each, str) else _nameless()
        for name in ("content", "parts", "text", "prompt", "input", "instruction_text"):
            if value.get(name) is not None:
                yield from _parts(value[name], room, depth + 1)
                return


def _of_text(text: str, room: _Room) -> Iterator[Part]:
    """Yield a text, cut where it holds pictures as data URLs."""
    begin = 0
    for match in _DATA_URL.finditer(text):
        if len(match[0]) < _LEAST_TEXT:
            continue
        before = text[begin : match.start()].strip("\n" if begin else "")
        if before:
            yield before
        yield _of_data(match[1], match[2], None, room)
        begin = match.end()
    rest = text[begin:].strip()
    if rest:
        yield rest


def _nameless() -> PicturePart:
    return PicturePart(at=0)


def _picture(part: Mapping[str, Any], room: _Room) -> PicturePart | None:
    """Return what a part of a message shows; ``None`` for a part that is no picture."""
    for spelling, of_form in _FORMS:
        if spelling in part:
            return of_form(part[spelling], part, room)
    if part.get("type") not in ("image", "input_image"):  # a tuple: a log may hold a list
        return None
    source = part.get("source", part)
    if isinstance(source, str):
        return _of_source(source, room)
    if not isinstance(source, Mapping):
        return _nameless()
    if isinstance(source.get("data"), str):
        return _of_blob(source, part, room)
    addresses = (source.get(name) for name in ("url", "image", "path", "file_id"))
    address = next((each for each in addresses if isinstance(each, str)), None)
    return _nameless() if address is None else _of_source(address, room)


def _of_address(image: object, part: Mapping[str, Any], room: _Room) -> PicturePart:
    """Return OpenAI's picture: its address alone (Responses), or an object with it (chat)."""
    fields = image if isinstance(image, Mapping) else {"url": image}
    address, detail = fields.get("url"), fields.get("detail", part.get("detail"))
    kept = detail if isinstance(detail, str) else None
    return _of_source(address, room, kept) if isinstance(address, str) else _nameless()


def _of_file(blob: object, _part: Mapping[str, Any], room: _Room) -> PicturePart | None:
    """Return Gemini's picture that was uploaded before; films and sound are none."""
    if not isinstance(blob, Mapping) or not _is_image(_mime(blob)):
        return None
    address = blob.get("file_uri", blob.get("fileUri"))
    return _of_source(address, room) if isinstance(address, str) else _nameless()


def _of_blob(blob: object, _part: Mapping[str, Any], room: _Room) -> PicturePart | None:
    """Return the picture of a blob; sound and films are none."""
    if not isinstance(blob, Mapping) or not _is_image(_mime(blob)):
        return None
    data = blob.get("data")
    return _of_data(_mime(blob), data, None, room) if isinstance(data, str) else _nameless()


_FORMS: tuple[tuple[str, Callable[..., PicturePart | None]], ...] = (
    ("image_url", _of_address),
    ("imageUrl", _of_address),
    ("inline_data", _of_blob),
    ("inlineData", _of_blob),
    ("file_data", _of_file),
    ("fileData", _of_file),
)
"""Fields whose name alone says that a part is a picture, in both spellings of the clients."""


def _mime(blob: Mapping[str, Any]) -> str | None:
    for name in ("mime_type", "mimeType", "media_type"):
        if isinstance(blob.get(name), str):
            return str(blob[name])
    return None


def _is_image(mime: str | None) -> bool:
    """Tell whether a blob may be a picture: one without a type says so by its bytes."""
    return mime is None or mime.startswith("image/")


def _of_source(source: str, room: _Room, detail: str | None = None) -> PicturePart:
    """Return a picture by its address: a data URL, base64 alone, a path, or an address of the web.

    Nothing is asked for: what lies elsewhere keeps its address as its name.
    """
    head, comma, data = source.partition(",")
    if head[:5].lower() == "data:" and comma:
        return _of_data(head[5:].split(";")[0] or None, data, detail, room)
    if source.startswith(_BASE64_BEGINS):
        return _of_data(None, source, detail, room)
    return PicturePart(at=0, source=source[:MOST_ADDRESS] or None, detail=detail)


def _of_data(mime: str | None, data: str, detail: str | None, room: _Room) -> PicturePart:
    """Decode a picture that stands in the log; one that cannot be keeps a name without its bytes.

    Its own bytes say what it is: a log that calls HTML a JPEG has no picture there.
    """
    type_name = re.sub(r"[^\w/.+-]", "", mime or "image")[:60]
    # reckoned from the text, so that nothing huge is decoded only to be refused
    size = len(data) * 3 // 4
    fault = PicturePart(at=0, source=f"{IN_LOG}{type_name}", detail=detail, size_bytes=size)
    if not 0 < size <= MOST_BYTES:
        return fault
    # a log may wrap the lines, escape signs as in an address, or leave out the padding
    plain = "".join(data.split()).replace("%2B", "+").replace("%2F", "/").replace("%3D", "=")
    plain = plain.translate(_URL_SAFE).rstrip("=")
    try:
        raw = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
        head = picture_head(raw, "a picture of a prompt")
    except (binascii.Error, ValueError, InputError):
        return fault
    kept = room.take(raw)
    # only the bytes are left out: what was sent, and where, still shows
    if kept is None:
        return fault.model_copy(update={"width": head.width, "height": head.height})
    return PicturePart(
        at=0,
        mime=head.mime,
        detail=detail,
        width=head.width,
        height=head.height,
        size_bytes=len(kept),
        raw=kept,
    )


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
