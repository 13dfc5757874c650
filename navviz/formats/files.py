"""Look into files without trusting them: first bytes, JSON items one at a time, lines with a limit.

A file may be cut off, be no text at all, or be hundreds of megabytes of something else. Nothing
here reads more than `PEEK_BYTES` to decide what a file is, nor holds more than one item (at most
`ITEM_BYTES`) while reading it. Files that end in ``.gz`` are unpacked on the way.

Not ijson: it is a fifth faster, and refuses what Python's own `json` writes and researchers' files
hold: NaN, a byte order mark, one byte that is no UTF-8, integers beyond 64 bits.
"""

from __future__ import annotations

import codecs
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from navviz.errors import InputError, Problem, Problems
from navviz.support.guarded import (
    FILE_BYTES,
    Json,
    bytes_at,
    head_bytes,
    head_decoded,
    is_deep,
    is_regular,
    line_decoded,
    marked_encoding,
    mended,
    note_encoding,
    note_entries,
    note_repeated,
    once_each,
    opened_bytes,
    opened_text,
    opened_utf8,
    report_bytes,
    report_size,
    size_of,
    whole_or_float,
)

__all__ = [
    "ITEM_BYTES",
    "PEEK_BYTES",
    "Json",
    "LinePlace",
    "head_of",
    "invalid_json",
    "json_items",
    "json_lines",
    "peek",
    "placed_line",
    "placed_lines",
    "plain_head",
]

ITEM_BYTES = 1 << 24
"""16 MiB for one item of a list; it is held in memory as a whole, so a longer one is refused."""

_CHUNK = 1 << 20
"""Bytes read at once; smaller pieces cost time in the JSON scanner, larger ones memory."""

PLAIN_DECODER = json.JSONDecoder(parse_float=whole_or_float)
"""For the head of a file, which is read again: it says nothing of repeated keys."""

DECODER = json.JSONDecoder(object_pairs_hook=once_each, parse_float=whole_or_float)

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
        """Return about so many characters; raises `InputError` where the file breaks."""
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
        report_bytes(len(more))
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


PEEK_BYTES = 1 << 19
"""Read to decide what a file is; the first record of every format known fits."""

_CHECKED_BYTES = 1 << 22
"""Larger files are not read again only to tell where they break."""

_SPACE = " \t\r\n"
RECORD = "\x1e"
"""Begins each line of a text sequence (RFC 7464, 8142)."""


@dataclass(frozen=True)
class Peek:
    """What the first bytes of a file say."""

    opener: str = ""
    """Its first character that is no white space; empty for a folder, an empty or a missing file.
    """
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


def head_of(path: Path) -> bytes:
    """Return a file's first `PEEK_BYTES`, read once for all readers; empty where unreadable."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return b""
    return _head_of(path, state.st_mtime_ns, state.st_size)


# few: the readers are asked file by file, and each head takes half a megabyte
@lru_cache(maxsize=8)
def _head_of(path: Path, _mtime_ns: int, _size: int) -> bytes:
    return head_bytes(path, PEEK_BYTES)


@lru_cache(maxsize=256)
def _peek(path: Path, mtime_ns: int, size: int) -> Peek:
    raw = _head_of(path, mtime_ns, size)
    text = head_decoded(raw)
    start = text.lstrip(_SPACE + RECORD)
    # text and binary files end here: the parser never sees them
    if start[:1] not in {"{", "["}:
        return Peek(opener=start[:1], text=text[:4096])
    items = tuple(_head_items(start))
    return Peek(
        start[:1], _first_line(start, whole=max(size, len(raw)) < PEEK_BYTES), items, text[:4096]
    )


def _first_line(text: str, *, whole: bool) -> Json:
    line, newline, _ = text.partition("\n")
    # the head may end within the line: then it is no whole line
    if not newline and not whole:
        return None
    try:
        return PLAIN_DECODER.decode(line)
    except (ValueError, RecursionError):
        return _begun(line)[0]


def _begun(line: str) -> tuple[Json, int]:
    """Return the object that a line begins with, and where it ends; ``None`` where there is none.

    Who turns a list into lines by hand leaves its commas; two programs that write into one file
    leave the rest of another line.
    """
    start = skip_space(line, 0)
    if line[start : start + 1] != "{":
        return None, 0
    try:
        value, end = PLAIN_DECODER.raw_decode(line, start)
        return checked(value, line, start, end), end
    except (ValueError, RecursionError):
        return None, 0


def _head_items(text: str, limit: int = 5) -> Iterator[tuple[str | None, Json]]:
    # the first records are enough to know any format
    keyed, at = text[0] == "{", 1
    for _ in range(limit):
        try:
            key, at = _key(text, at) if keyed else (None, at)
            value, at = PLAIN_DECODER.raw_decode(text, skip_space(text, at))
        except (ValueError, RecursionError):
            return
        yield key, value
        at = skip_space(text, at)
        if text[at : at + 1] != ",":
            return
        at += 1


def _key(text: str, at: int) -> tuple[str, int]:
    key, at = PLAIN_DECODER.raw_decode(text, skip_space(text, at))
    at = skip_space(text, at)
    if not isinstance(key, str) or text[at : at + 1] != ":":
        raise ValueError(at)
    return key, at + 1


_ESCAPED = re.compile(r"\\u00([2-7][0-9a-fA-F])")


def plain_head(path: Path) -> str:
    """Return the first characters of a JSON file; ASCII letters that were escaped are plain.

    For what looks at keys without parsing: some writers escape every letter, of keys too.
    """
    head = head_decoded(head_of(path))
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), head)


def json_items(path: Path, problems: Problems) -> Iterator[tuple[str | None, Json]]:
    """Items of a top-level JSON object ``(key, value)`` or list ``(None, value)``, one at a time.

    A file that is cut off or breaks in the middle gives the items before the break and one
    `Problem`.
    """
    report_size(size_of(path, FILE_BYTES))
    # one byte that is no UTF-8 costs one letter, not the file
    with opened_utf8(path) as file:
        window = Window(file)
        opener = window.skip()
        if opener not in {"{", "["}:
            raise InputError(
                "is no JSON" if opener else "is empty", "open a JSON file", file=path.name
            )
        window.at += 1
        count = 0
        try:
            while window.skip() not in {"}", "]"}:
                item = _item(window, keyed=opener == "{")
                note_repeated(path)
                yield item
                count += 1
                if window.skip() == ",":
                    window.at += 1
            window.at += 1
            if window.skip():
                count += 1
                problems.skip(
                    Problem(
                        "goes on after its JSON ends", "write one list or one object", path.name
                    )
                )
        except InputError as error:
            _end(error, count, problems)
        except (ValueError, RecursionError) as error:
            what = f"{window.fault(error)}: it breaks after {count} items"
            count += 1
            problems.skip(
                Problem(
                    what, "what came before is shown; get the file again for the rest", path.name
                )
            )
        finally:
            note_repeated(path)
            note_entries(path, count)


def _end(error: InputError, count: int, problems: Problems) -> None:
    """Report a packed file that breaks before its end; raise where nothing of it was unpacked."""
    if not count:
        raise error
    what = f"{error.problem.what}: it breaks after {count:,} entries"
    problems.skip(
        Problem(what, f"what came before is shown; {error.problem.do}", error.problem.file)
    )


def _item(window: Window, *, keyed: bool) -> tuple[str | None, Any]:
    if not keyed:
        return None, window.decode()
    key = window.decode()
    # Python's decoder takes any value as a key here
    if not isinstance(key, str) or window.skip() != ":":
        raise ValueError(window.at)
    window.at += 1
    return key, window.decode()


def invalid_json(path: Path) -> str | None:
    """Say at which line a file that looks like JSON breaks; ``None`` where it does not.

    JSON lines are looked at line by line. The whole file is read, so ask only where something is
    wrong already.
    """
    if (
        peek(path).opener not in {"{", "["}
        or not is_regular(path)
        or path.stat().st_size > _CHECKED_BYTES
    ):
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


def json_lines(path: Path, problems: Problems) -> Iterator[tuple[int, Json]]:
    """``(line number, value)`` of a JSON-lines file; bad lines are reported and skipped."""
    report_size(size_of(path, FILE_BYTES))
    with opened_text(path) as file:
        number = count = 0
        try:
            for number, line in _records(file):
                report_bytes(len(line))
                if len(line) >= ITEM_BYTES and not line.endswith("\n"):
                    problems.skip(_long_line(path, number))
                    return
                value = _line(line, f"{path.name}:{number}", problems)
                note_repeated(path)
                count += not line.isspace()
                if value is not _NOTHING:
                    yield number, value
                # a file that grows meanwhile goes on in the middle of this line
                if not line.endswith("\n"):
                    break
        except InputError as error:
            _end(error, number, problems)
        finally:
            note_entries(path, count)


def _records(file: IO[str]) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers; of a text sequence (RFC 8142), records of several lines."""
    record, first, number, is_sequence = "", 1, 0, False
    # a limit on a line: a binary file may have no newline for gigabytes
    while line := file.readline(ITEM_BYTES):
        number += 1
        is_sequence = is_sequence or (number == 1 and line.startswith(RECORD))
        if not is_sequence:
            yield number, line
            continue
        rest, *others = line.split(RECORD)
        record += rest
        for other in others:
            if record.strip():
                yield first, f"{record.rstrip()}\n"
            record, first = other, number
        if len(record) >= ITEM_BYTES:
            break
    if record:
        yield first, record


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
    checksum: int
    """Of these bytes: logs have lines of equal length, so that another one may lie there later."""
    encoding: str = "utf-8"


def placed_lines(path: Path, problems: Problems) -> Iterator[tuple[int, LinePlace, Json]]:
    """``(line number, place, value)`` of an unpacked JSON-lines file; see `json_lines`."""
    report_size(size_of(path, FILE_BYTES))
    with opened_bytes(path) as file:
        encoding = _line_encoding(file)
        if encoding != "utf-8":
            note_encoding(path, encoding.upper())
        number = start = count = 0
        while raw := _raw_line(file, encoding):
            number += 1
            report_bytes(len(raw))
            if len(raw) >= ITEM_BYTES and not raw.rstrip(b"\0").endswith(b"\n"):
                problems.skip(_long_line(path, number))
                return
            text = line_decoded(raw, path, encoding, start)
            value = _line(text, f"{path.name}:{number}", problems)
            note_repeated(path)
            count += not text.isspace()
            if value is not _NOTHING:
                yield number, LinePlace(path, start, len(raw), zlib.crc32(raw), encoding), value
            start += len(raw)
            # as in `json_lines`; in UTF-16 a null may follow the newline
            if not raw.rstrip(b"\0").endswith(b"\n"):
                break
        note_entries(path, count)


def _raw_line(file: IO[bytes], encoding: str) -> bytes:
    """Return the next line, its end included; empty at the end of the file."""
    line = file.readline(ITEM_BYTES)
    if encoding == "utf-8":
        return line
    end = "\n".encode(encoding)
    while line and len(line) < ITEM_BYTES:
        # a newline is two or four bytes, and readline stops within the letter
        line += file.read(-len(line) % len(end))
        if line.endswith(end):
            return line
        more = file.readline(ITEM_BYTES)
        if not more:
            return line
        line += more
    return line


def _line_encoding(file: IO[bytes]) -> str:
    """Return what the lines of a file are written in: UTF-8, or as its byte order mark says."""
    head = file.peek(4)[:4] if isinstance(file, io.BufferedReader) else b""
    marked = marked_encoding(head)
    if not marked:
        return "utf-8"
    # UTF-32's low byte first begins like UTF-16's
    return f"{marked}-le" if head.startswith(codecs.BOM_UTF16_LE) else f"{marked}-be"


def placed_line(place: LinePlace) -> Json:
    """Read one line again; raises `InputError` where the file holds something else there by now."""
    raw = bytes_at(place.file, place.start, place.length)
    if zlib.crc32(raw) != place.checksum:
        raise InputError("was changed while it was open", "open it again", file=place.file.name)
    text = line_decoded(raw, place.file, place.encoding, place.start)
    value = _line(text, place.file.name, Problems())
    note_repeated(place.file)
    return value


_NOTHING = object()


def _line(line: str, where: str, problems: Problems) -> Json:
    if not line.strip():
        return _NOTHING
    line = line.removeprefix(RECORD)
    try:
        return checked(DECODER.decode(line), line, 0, len(line))
    except RecursionError:
        problems.skip(
            Problem("is JSON that is nested too deeply", "the other lines are shown", where)
        )
        return _NOTHING
    except ValueError:
        value, end = _begun(line)
        rest = line[end:].strip()
        if value is not None and rest == ",":
            return value
        if value is not None:
            what = f"goes on after its JSON ends, with {len(rest):,} characters"
            problems.add(Problem(what, "its first object is read; write one a line", where))
            return value
        cut = " (the file was cut off here?)" if not line.endswith("\n") else ""
        problems.skip(Problem(f"is no whole JSON line{cut}", "the other lines are shown", where))
        return _NOTHING
