"""Pictures that were sent to a model, kept beside the trace byte by byte."""

from __future__ import annotations

import hashlib
from pathlib import Path

from navviz.records.call import Call, Message
from navviz.records.event import CallEvent, Event, PlanEvent
from navviz.records.view import PicturePart, views_folder
from navviz.support.guarded import is_there, write_whole

_ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "image/gif": ".gif"}


def keep_sent(event: Event, trace: Path) -> Event:
    """Write the pictures of an event's calls to ``NAME.views`` and name them in their messages.

    Raises
    ------
    StoreError
        Where they cannot be written.
    """
    if isinstance(event, CallEvent):
        call = _kept_call(event.call, trace)
        return event if call is event.call else event.model_copy(update={"call": call})
    if isinstance(event, PlanEvent) and any(_is_pictured(call) for call in event.calls):
        calls = tuple(_kept_call(call, trace) for call in event.calls)
        return event.model_copy(update={"calls": calls})
    return event


def _is_pictured(call: Call) -> bool:
    return any(message.pictures for message in call.messages)


def _kept_call(call: Call, trace: Path) -> Call:
    if not _is_pictured(call):
        return call
    messages = tuple(_kept_message(message, trace) for message in call.messages)
    return call.model_copy(update={"messages": messages})


def _kept_message(message: Message, trace: Path) -> Message:
    pictures = tuple(_kept_part(part, trace) for part in message.pictures)
    return message.model_copy(update={"pictures": pictures})


def _kept_part(part: PicturePart, trace: Path) -> PicturePart:
    """Write one picture, named by its content, so that the same one is kept once."""
    # what has a source is kept already, or lies where the log says
    if part.raw is None or part.source is not None:
        return part
    folder = views_folder(trace)
    name = hashlib.sha256(part.raw).hexdigest()[:16] + _ENDINGS.get(part.mime or "", ".jpg")
    path = folder / name
    if not is_there(path):
        write_whole(path, part.raw)
    # the bytes are let go: a long run would fill the memory with the pictures of its prompts
    return part.model_copy(update={"source": f"{folder.name}/{name}", "raw": None})
