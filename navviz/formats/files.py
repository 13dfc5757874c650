"""Look into files without trusting them: first bytes, JSON items one at a time, lines with a limit.

A file may be cut off, be no text at all, or be hundreds of megabytes of something else. Nothing here reads more than
`PEEK_BYTES` to decide what a file is, nor holds more than one item (at most `ITEM_BYTES`) while reading it. Files that
end in ``.gz`` are unpacked on the way.

Not ijson: it is a fifth faster, and refuses what Python's own `json` writes and researchers' files hold: NaN, a byte
order mark, one byte that is no UTF-8, integers beyond 64 bits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from navviz.errors import InputError, Problem, Problems
from navviz.guarded import (
    FILE_BYTES,
    Json,
    bytes_at,
    expect,
    is_deep,
    is_regular,
    mended,
    opened_bytes,
    opened_text,
    passed,
    size_of,
)

__all__ = [
    "ITEM_BYTES",
    "PEEK_BYTES",
    "Json",
    "LinePlace",
    "invalid_json",
    "json_items",
    "json_lines",
    "peek",
    "placed_line",
    "placed_lines",
]

PEEK_BYTES = 1 << 19
"""Read to decide what a file is; the first record of every format known fits."""
ITEM_BYTES = 1 << 24
"""16 MiB for one item of a list; it is held in memory as a whole, so a longer one is refused."""
_CHECKED_BYTES = 1 << 22
"""Larger files are not read again only to tell where they break."""
_CHUNK = 1 << 20
"""Bytes read at once; smaller pieces cost time in the JSON scanner, larger ones memory."""
_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"
_WORDS = ("true", "false", "null", "NaN", "-Infinity", "Infinity")
"""What a file may be cut off in the middle of, beside strings and numbers."""


@dataclass(frozen=True)
class Peek:
    """What the first bytes of a file say."""

    opener: str = ""
    """Its first character that is no white space; empty for a folder, an empty or a missing file."""
    first_line: Json = None
    """The first line as JSON, or ``None``."""
    items: tuple[tuple[str | None, Json], ...] = ()
    """The first few ``(key, value)`` of a top-level JSON object, or ``(None, value)`` of a list."""
    text: str = ""
    """The first 4,096 characters."""


def peek(path: Path) -> Peek:
    """Look at the first bytes of a file; an unreadable file gives an empty `Peek`."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return Peek()
    return _peek(path, state.st_mtime_ns, state.st_size) if is_regular(path) else Peek()


@lru_cache(maxsize=256)
def _peek(path: Path, _mtime_ns: int, size: int) -> Peek:
    raw = _head(path)
    text = raw.decode("utf-8-sig", errors="replace")
    start = text.lstrip(_SPACE)
    if start[:1] not in {"{", "["}:
        return Peek(opener=start[:1], text=text[:4096])
    items = tuple(_head_items(start))
    return Peek(start[:1], _first_line(start, whole=max(size, len(raw)) < PEEK_BYTES), items, text[:4096])


def _head(path: Path) -> bytes:
    """Return the first bytes of a file, unpacked; what can be had of them where it is damaged."""
    raw = b""
    try:
        with opened_bytes(path) as file:
            while len(raw) < PEEK_BYTES and (piece := file.read(PEEK_BYTES - len(raw))):
                raw += piece
    except InputError:
        return raw
    return raw


def _first_line(text: str, *, whole: bool) -> Json:
    line, newline, _ = text.partition("\n")
    if not newline and not whole:
        return None
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _head_items(text: str, limit: int = 5) -> Iterator[tuple[str | None, Json]]:
    keyed, at = text[0] == "{", 1
    for _ in range(limit):
        try:
            key, at = _key(text, at) if keyed else (None, at)
            value, at = _DECODER.raw_decode(text, _skip(text, at))
        except (ValueError, RecursionError):
            return
        yield key, value
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            return
        at += 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _key(text: str, at: int) -> tuple[str, int]:
    key, at = _DECODER.raw_decode(text, _skip(text, at))
    at = _skip(text, at)
    if not isinstance(key, str) or text[at : at + 1] != ":":
        raise ValueError(at)
    return key, at + 1


class _Window:
    """A piece of a file that grows on demand and forgets what was consumed."""

    def __init__(self, file: IO[str]) -> None:
        self.file, self.text, self.at, self.ended = file, "", 0, False
        self._lines = 0
        """Line ends that were forgotten."""

    def grow(self) -> bool:
        """Read on, at least as much again as is held; false at the end of the file."""
        more = self.file.read(max(_CHUNK, len(self.text) - self.at))
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
            rest = "" if error.msg.startswith(("Unterminated", "Invalid \\u")) else error.doc[error.pos :]
        if not rest.strip() or any(word.startswith(rest.strip()) for word in _WORDS):
            return "is no whole JSON"
        return f"is invalid JSON at line {self._lines + self.text.count(chr(10), 0, len(self.text) - len(rest)) + 1}"

    def skip(self) -> str:
        """Go to the next character that is no white space and return it; empty at the end."""
        while True:
            self.at = _skip(self.text, self.at)
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.grow():
                return ""

    def decode(self) -> Json:
        """Decode the JSON value here; raises `ValueError` where there is no whole one."""
        self.skip()
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except ValueError:
                if len(self.text) - self.at > ITEM_BYTES or not self.grow():
                    raise
                continue
            if end == len(self.text) and not self.ended and self.grow():  # a number may go on
                continue
            value, self.at = _checked(value, self.text, self.at, end), end
            return value


def json_items(path: Path, problems: Problems) -> Iterator[tuple[str | None, Json]]:
    """Items of a top-level JSON object ``(key, value)`` or list ``(None, value)``, one at a time.

    A file that is cut off or breaks in the middle gives the items before the break and one `Problem`.
    """
    expect(size_of(path, FILE_BYTES))
    with opened_text(path) as file:
        window = _Window(file)
        opener = window.skip()
        if opener not in {"{", "["}:
            raise InputError(_not_json(opener), "open a JSON file", file=path.name)
        window.at += 1
        count = 0
        try:
            while window.skip() not in {"}", "]"}:
                yield _item(window, keyed=opener == "{")
                count += 1
                if window.skip() == ",":
                    window.at += 1
        except InputError as error:
            _end(error, count, problems)
        except (ValueError, RecursionError) as error:
            what = f"{window.fault(error)}: it breaks after {count} items"
            problems.add(Problem(what, "what came before is shown; get the file again for the rest", path.name))


def _end(error: InputError, count: int, problems: Problems) -> None:
    """Tell that a packed file could not be unpacked to its end; raises the error where nothing came of it."""
    if not count:
        raise error
    what = f"{error.problem.what}: it breaks after {count:,} entries"
    problems.add(Problem(what, f"what came before is shown; {error.problem.do}", error.problem.file))


def _item(window: _Window, *, keyed: bool) -> tuple[str | None, Any]:
    if not keyed:
        return None, window.decode()
    key = window.decode()
    if not isinstance(key, str) or window.skip() != ":":
        raise ValueError(window.at)
    window.at += 1
    return key, window.decode()


def invalid_json(path: Path) -> str | None:
    """Say at which line a file that looks like JSON breaks; ``None`` where it does not, or is no such file.

    JSON lines are looked at line by line. The whole file is read, so ask only where something is wrong already.
    """
    if peek(path).opener not in {"{", "["} or not is_regular(path) or path.stat().st_size > _CHECKED_BYTES:
        return None
    try:
        with opened_text(path) as file:
            text = file.read()
        json.loads(text)
    except RecursionError:
        return "is JSON that is nested too deeply"
    except json.JSONDecodeError as error:
        line = _broken_line(text) if error.msg == "Extra data" else error.lineno
        return None if line is None else f"is invalid JSON at line {line}"
    except ValueError:
        return None
    return None


def _broken_line(text: str) -> int | None:
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            json.loads(line or "null")
        except (ValueError, RecursionError):
            return number
    return None


def _not_json(opener: str) -> str:
    return "is no JSON" if opener else "is empty"


def json_lines(path: Path, problems: Problems) -> Iterator[tuple[int, Json]]:
    """``(line number, value)`` of a JSON-lines file; a line that is no JSON gives a `Problem` and is skipped."""
    expect(size_of(path, FILE_BYTES))
    with opened_text(path) as file:
        number = 0
        try:
            while line := file.readline(ITEM_BYTES):
                number += 1
                passed(len(line))
                if len(line) == ITEM_BYTES and not line.endswith("\n"):
                    problems.add(_long_line(path, number))
                    return
                value = _line(line, f"{path.name}:{number}", problems)
                if value is not _NOTHING:
                    yield number, value
        except InputError as error:
            _end(error, number, problems)


def _long_line(path: Path, number: int) -> Problem:
    what = f"has more than {ITEM_BYTES:,} characters in one line"
    return Problem(what, "what came before is shown", f"{path.name}:{number}")


@dataclass(frozen=True, slots=True)
class LinePlace:
    """Where a line lies in a file."""

    file: Path
    start: int
    """Its first byte."""
    length: int
    """In bytes, its end included."""


def placed_lines(path: Path, problems: Problems) -> Iterator[tuple[int, LinePlace, Json]]:
    """``(line number, place, value)`` of a JSON-lines file that is not packed; see `json_lines` for what is skipped."""
    expect(size_of(path, FILE_BYTES))
    with opened_bytes(path) as file:
        number = start = 0
        while raw := file.readline(ITEM_BYTES):
            number += 1
            passed(len(raw))
            if len(raw) == ITEM_BYTES and not raw.endswith(b"\n"):
                problems.add(_long_line(path, number))
                return
            value = _line(raw.decode(_encoding(start), errors="replace"), f"{path.name}:{number}", problems)
            if value is not _NOTHING:
                yield number, LinePlace(path, start, len(raw)), value
            start += len(raw)


def _encoding(start: int) -> str:
    """Only the first line of a file may begin with a byte order mark."""
    return "utf-8" if start else "utf-8-sig"


def placed_line(place: LinePlace) -> Json:
    """Read one line again; raises `InputError` where the file holds something else there by now."""
    raw = bytes_at(place.file, place.start, place.length)
    value = _line(raw.decode(_encoding(place.start), errors="replace"), place.file.name, Problems())
    if value is _NOTHING or len(raw) < place.length:
        raise InputError("was changed while it was open", "open it again", file=place.file.name)
    return value


_NOTHING = object()


def _line(line: str, where: str, problems: Problems) -> Json:
    if not line.strip():
        return _NOTHING
    try:
        return _checked(json.loads(line), line, 0, len(line))
    except RecursionError:
        problems.add(Problem("is JSON that is nested too deeply", "the other lines are shown", where))
        return _NOTHING
    except ValueError:
        cut = " (the file was cut off here?)" if not line.endswith("\n") else ""
        problems.add(Problem(f"is no whole JSON line{cut}", "the other lines are shown", where))
        return _NOTHING


def _checked(value: Json, text: str, start: int, end: int) -> Json:
    """Return a value whose texts no longer hold halves of characters, looked for only where the file escapes some.

    Raises `RecursionError` where it is nested deeper than anything that is written later can be.
    """
    if is_deep(value, text, start, end):
        raise RecursionError
    halves = text.find("\\ud", start, end) >= 0 or text.find("\\uD", start, end) >= 0
    return mended(value) if halves else value
