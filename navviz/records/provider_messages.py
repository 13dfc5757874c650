"""Messages of model providers, as other programs log them: their pictures stand where they stood.

OpenAI's chat (``image_url`` parts), its Responses (``input_image``), Gemini's ``contents`` with
``inline_data`` or ``inlineData``, Anthropic's ``source`` parts, and texts that hold a data URL. A
picture's bytes stay in `PicturePart.raw`; a text never holds them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from navviz.errors import InputError
from navviz.records.call import Message, Role
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
