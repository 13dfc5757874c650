"""JSON decoded out of a window on a file: a piece that grows on demand, and forgets what was
consumed.
"""

from __future__ import annotations

import codecs
import json
from typing import IO

from navviz.errors import InputError
from navviz.support.guarded import Json, is_deep, mended, once_each, passed, whole_or_float

ITEM_BYTES = 1 << 24
"""16 MiB for one item of a list; it is held in memory as a whole, so a longer one is refused."""
_CHUNK = 1 << 20
"""Bytes read at once; smaller pieces cost time in the JSON scanner, larger ones memory."""
PLAIN_DECODER = json.JSONDecoder(parse_float=whole_or_float)
"""For the head of a file, which is read again: it says nothing of repeated keys."""
DECODER = json.JSONDecoder(object_pairs_hook=once_each, parse_float=whole_or_float)
_SPACE = " \t\r\n"
_WORDS = ("true", "false", "null", "NaN", "-Infinity", "Infinity")
"""What a file may be cut off in the middle of, beside strings and numbers."""


def skip_space(text: str, at: int) -> int:
    """Return where the next character is that is no white space."""
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


class Window:
    """A piece of a file that grows on demand and forgets what was consumed."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.text, self.at, self.ended = file, "", 0, False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._lines = 0
        """Line ends that were forgotten."""
        self._fault: InputError | None = None
        """Why the file cannot be read further."""

    def _read(self, count: int) -> str:
        """Return about so many characters, fewer where the file ends or breaks; raises `InputError`
        at the break.
        """
        pieces = list[str]()
        while count > 0 and self._fault is None:
            try:
                raw = self.file.read1(_CHUNK)  # type: ignore[attr-defined]  # a buffered reader
            except InputError as error:
                self._fault = error
                break
            pieces.append(self._decoder.decode(raw, final=not raw))
            count -= len(raw)
            if not raw:
                break
        # what stands before the break is handed out first; the next call says what broke
        if not pieces and self._fault is not None:
            raise self._fault
        return "".join(pieces)

    def grow(self) -> bool:
        """Read on, at least as much again as is held; false at the end of the file."""
        # doubled, as a long item is decoded from its start each time: in steps of one size the time
        # would grow with the square of its length
        more = self._read(max(_CHUNK, len(self.text) - self.at))
        passed(len(more))
        self._lines += self.text.count("\n", 0, self.at)
        self.text = self.text[self.at :] + more
        self.at = 0
        self.ended = not more
        return bool(more)

    def fault(self, error: Exception) -> str:
        """Say what broke: a file that ends in the middle, or one that is wrong at some line."""
        rest = self.text[self.at :]
        if isinstance(error, json.JSONDecodeError):
            rest = (
                ""
                if error.msg.startswith(("Unterminated", "Invalid \\u"))
                else error.doc[error.pos :]
            )
        if not rest.strip() or any(word.startswith(rest.strip()) for word in _WORDS):
            return "is no whole JSON"
        return (
            "is invalid JSON at line"
            f" {self._lines + self.text.count(chr(10), 0, len(self.text) - len(rest)) + 1}"
        )

    def skip(self) -> str:
        """Go to the next character that is no white space and return it; empty at the end."""
        while True:
            self.at = skip_space(self.text, self.at)
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.grow():
                return ""

    def decode(self) -> Json:
        """Decode the JSON value here; raises `ValueError` where there is no whole one."""
        self.skip()
        while True:
            try:
                value, end = DECODER.raw_decode(self.text, self.at)
            except ValueError:
                if len(self.text) - self.at > ITEM_BYTES or not self.grow():
                    raise
                continue
            if end == len(self.text) and not self.ended and self.grow():  # a number may go on
                continue
            value, self.at = checked(value, self.text, self.at, end), end
            return value


def checked(value: Json, text: str, start: int, end: int) -> Json:
    """Return a value whose texts no longer hold halves of characters, looked for only where the
    file escapes some.

    Raises `RecursionError` where it is nested deeper than anything that is written later can be.
    """
    if is_deep(value, text, start, end):
        raise RecursionError
    halves = text.find("\\ud", start, end) >= 0 or text.find("\\uD", start, end) >= 0
    return mended(value) if halves else value
