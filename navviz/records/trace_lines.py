"""The lines of a trace file, whoever wrote it, and which of them begin a trace.

NavViz writes one event a line, with ``type`` first and without blanks. Other programs may order
keys, put blanks, escape letters, begin with a byte order mark, end lines with CRLF, or spread an
event over indented lines. A header is found by parsing each line that is not spelled as NavViz
spells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import InputError, Problem, Problems
from navviz.support.guarded import parse_json

LINE_LIMIT = 1 << 25
"""Bytes read of a line; what is longer is no event but a broken file."""
_TRIED_BYTES = 1 << 26
"""Bytes parsed to find the end of one value: any line of another large file may look like it."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OWN, _OWN_HEADER = b'{"type":"', b'{"type":"header"'
_OWN_LINE = b"\n" + _OWN
_HEADER_SIGN = re.compile(rb'"type"\s*:\s*"header"')
_HEADER_BEGIN = re.compile(rb'\{\s*"type"\s*:\s*"header"')


class TraceLine(NamedTuple):
    """One event as it stands in a file: mostly one line, several where it is indented."""

    number: int
    """Of its first line, counted from 1 in the file."""
    start: int
    """Its first byte in the (unpacked) file."""
    raw: bytes
    """Without a byte order mark."""
    is_header: bool
    """Whether it begins a trace; a header that is cut off begins one that cannot be read."""


class _Kind(BaseModel):
    """The type of an event; the parser passes over everything else."""

    model_config = ConfigDict(extra="ignore")
    type: Any = None


def is_own(raw: bytes) -> bool:
    """Tell whether it is one trace of which each line begins as NavViz writes it."""
    lines = raw.count(b"\n") - raw.endswith(b"\n")
    return (
        raw.startswith(_OWN_HEADER)
        and raw.count(_OWN_LINE) == lines
        and raw.find(_OWN_HEADER, 1) < 0
    )


def trace_lines(
    file: IO[bytes], problems: Problems | None = None, *, first_number: int = 1, first_byte: int = 0
) -> Iterator[TraceLine]:
    """Yield the events of a trace file, parsed no further than needed to find the headers.

    `file`: one or several traces. `problems`: gets where a packed file is damaged; what comes
    before is yielded. `first_number` and `first_byte`: number and first byte of its first line,
    where it is a part of a larger file. Raises `InputError` where a packed file is damaged in its
    first line.
    """
    values = _Values()
    number, start = first_number, first_byte
    try:
        while raw := file.readline(LINE_LIMIT):
            if raw.startswith(_OWN) and not values.open and raw.find(_OWN_HEADER, 1) < 0:
                yield TraceLine(number, start, raw, raw.startswith(_OWN_HEADER))
            else:
                for value in values.with_line(number, start, raw):
                    yield from _looked_into(*value)
            number, start = number + 1, start + len(raw)
            # the file ended here when it was read: if it grows meanwhile, or is whole again after
            # a cut, what follows begins in the middle of a line
            if raw[-1:] != b"\n" and len(raw) < LINE_LIMIT:
                break
    except InputError as error:
        if number == first_number:
            raise
        if problems is not None:
            what = f"{error.problem.what}: it breaks after line {number - 1:,}"
            do = f"what came before is shown; {error.problem.do}"
            problems.skip(Problem(what, do, error.problem.file))
    for value in values.rest():
        yield from _looked_into(*value)


_Value = tuple[int, int, bytes]
"""Number of its first line, first byte, and bytes."""


class _Values:
    """Puts together values that are spread over several lines, and leaves out empty lines."""

    def __init__(self) -> None:
        self.open: list[bytes] = []
        """Lines of a value that has not ended."""
        self._place = (0, 0)
        self._size = self._depth = self._tried = 0

    def with_line(self, number: int, start: int, raw: bytes) -> Iterator[_Value]:
        """Take one more line; yield what is whole, or was cut off."""
        if raw.startswith(_BYTE_ORDER_MARK):
            raw, start = raw[len(_BYTE_ORDER_MARK) :], start + len(_BYTE_ORDER_MARK)
        if self.open and (_begins_anew(raw, self.open) or self._size > LINE_LIMIT):
            yield from self.rest()
        if self.open:
            self._append(raw)
            # the brace that ends an indented value stands where its first one does; other lines
            # cost no parsing
            if raw[:1] == b"}" and self._is_whole():
                yield from self.rest()
        elif raw[:1] == b"{" and raw.rstrip() == b"{":
            self._place, self._size, self._depth, self._tried = (number, start), 0, 0, 0
            self._append(raw)
        elif raw and not raw.isspace():
            yield number, start, raw

    def _append(self, raw: bytes) -> None:
        self.open.append(raw)
        self._size += len(raw)
        self._depth += raw.count(b"{") - raw.count(b"}")

    def _is_whole(self) -> bool:
        """Tell whether the value ends here; braces in texts mislead the count, so it is parsed."""
        if self._depth != 0:
            self._tried += self._size
            if self._tried > _TRIED_BYTES:
                return False
        return _kind(b"".join(self.open)) is not None

    def rest(self) -> Iterator[_Value]:
        """Yield the value that has not ended."""
        if self.open:
            value = (*self._place, b"".join(self.open))
            self.open = []
            yield value


def _begins_anew(raw: bytes, indented: list[bytes]) -> bool:
    """Tell whether a line belongs to another value than the indented one before it."""
    if raw.startswith(b'{"'):
        return True
    # indented by nothing, an inner object begins at the line's start too
    is_indented = len(indented) > 1 and indented[1][:1].isspace()
    return is_indented and raw[:1] == b"{" and raw.rstrip() == b"{"


def _looked_into(number: int, start: int, raw: bytes) -> Iterator[TraceLine]:
    """Yield a line that may be a header; behind one that was cut off may stand the next header."""
    # letters of the word may be escaped, so a line with escapes is parsed as well
    if not raw.startswith(_OWN) and b"header" not in raw and b"\\u" not in raw:
        yield TraceLine(number, start, raw, is_header=False)
        return
    kind = _kind(raw)
    if kind is not None:
        yield TraceLine(number, start, raw, kind == "header")
        return
    # a killed writer leaves half a line, and another program may append to it
    for match in reversed(list(_HEADER_BEGIN.finditer(raw))):
        at = match.start()
        if at > 0 and _kind(raw[at:]) == "header":
            yield TraceLine(number, start, raw[:at], _HEADER_SIGN.search(raw[:at]) is not None)
            yield TraceLine(number, start + at, raw[at:], is_header=True)
            return
    yield TraceLine(number, start, raw, _HEADER_SIGN.search(raw) is not None)


def _kind(raw: bytes) -> object:
    """Return the type of an event, empty where it has none; ``None`` where it is no whole JSON."""
    try:
        return _Kind.model_validate_json(raw).type or ""
    except ValidationError as error:
        # JSON that is a list or a number has no type, and needs no second parser
        if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
            return ""
    try:  # Python's parser takes bytes that are no UTF-8 and halves of characters
        value = parse_json(raw.decode("utf-8", errors="replace"), "", lenient=True)
    except InputError:
        return None
    return (value.get("type") or "") if isinstance(value, dict) else ""
