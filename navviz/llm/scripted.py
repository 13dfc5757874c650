"""A model that follows a script: for tests and demonstrations, without key and network.

A script file is a JSON list (or ``{"replies": [...], "loop": true}``) of replies: strings, or
objects with the fields of `Reply`.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from navviz.errors import InputError, ModelError
from navviz.llm.base import Model, ModelDelta, Request
from navviz.records import Call, EndStatus, Usage
from navviz.support.guarded import read_json


class Reply(BaseModel):
    """One scripted answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reply: str | None = None
    thoughts: str | None = None
    error: str | None = None
    seconds: float = 0.0
    """How long it takes to stream in."""
    usage: Usage | None = None
    cost_usd: float | None = None


class _Script(BaseModel):
    model_config = ConfigDict(extra="forbid")

    replies: list[Reply | str]
    loop: bool = False


_FILE: TypeAdapter[_Script | list[Reply | str]] = TypeAdapter(_Script | list[Reply | str])


class Scripted(Model):
    """A `navviz.llm.base.LanguageModel` that answers in the order of a script.

    Parameters
    ----------
    replies
        Answers in order, or a function from the request to the answer.
    loop
        Begin again when the answers are used up; otherwise that raises `ModelError`.
    name
        Name in the trace.
    """

    def __init__(
        self,
        replies: Sequence[Reply | str] | Callable[[Request], Reply | str],
        *,
        loop: bool = False,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self._replies, self._repeat = replies, loop
        self._next, self._lock = 0, threading.Lock()

    @classmethod
    def from_file(cls, path: Path) -> Scripted:
        """Read a script; raises `InputError` where the file is none."""
        try:
            script = _FILE.validate_python(read_json(path))
        except ValidationError as error:
            do = 'write a JSON list of replies: ["...", {"reply": "...", "thoughts": "..."}]'
            raise InputError("is no script of replies", do, file=path) from error
        if isinstance(script, list):
            script = _Script(replies=script)
        return cls(script.replies, loop=script.loop, name=f"scripted:{path.name}")

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Stream the next answer word by word."""
        cancel, started = cancel or threading.Event(), time.monotonic()
        answer = self._take(request)
        pieces = list(_pieces(answer))
        texts: dict[str, str] = {}
        for piece in pieces:
            if cancel.wait(answer.seconds / len(pieces)) if answer.seconds else cancel.is_set():
                break
            texts[piece.channel] = texts.get(piece.channel, "") + piece.text
            yield piece
        yield Call(
            purpose=request.purpose,
            messages=request.messages,
            thoughts=texts.get("thoughts"),
            # an empty reply has no piece that streams, and is another thing than none
            reply=texts.get("reply", answer.reply if answer.reply == "" else None),
            error=EndStatus.STOPPED if cancel.is_set() else answer.error,
            model=self.name,
            usage=answer.usage,
            cost_usd=answer.cost_usd,
            seconds=round(time.monotonic() - started, 3),
            response_schema=request.schema,
        )

    def _take(self, request: Request) -> Reply:
        if callable(self._replies):
            reply = self._replies(request)
        else:
            with self._lock:
                place, count = self._next, len(self._replies)
                self._next += 1
            if not count or (place >= count and not self._repeat):
                raise ModelError(
                    f"The script of {self.name} is used up after {count} replies; add more to it."
                )
            reply = self._replies[place % count]
        return Reply(reply=reply) if isinstance(reply, str) else reply


def _pieces(answer: Reply) -> Iterator[ModelDelta]:
    # words with the blanks before them: put together they are the text again
    for word in re.findall(r"\s*\S+|\s+$", answer.thoughts or ""):
        yield ModelDelta("thoughts", word)
    for word in re.findall(r"\s*\S+|\s+$", answer.reply or ""):
        yield ModelDelta("reply", word)
