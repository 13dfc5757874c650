"""Many traces in one file: where each begins, and how it is read alone.

A file of several traces is what ``cat *.trace.jsonl > run.jsonl`` writes: each header begins another trace. A line of
JSON holds no line break, so a header's first signs at the start of a line are a header.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from navviz.errors import InputError, Problems
from navviz.guarded import bytes_at, is_regular, opened_bytes, parse_json
from navviz.records.trace import Trace
from navviz.records.trace_files import fold, read_trace, whole_events

__all__ = ["TracePart", "part_header", "part_named", "read_part", "trace_parts"]

_HEADER = re.compile(rb'^\{\s{0,8}"type"\s{0,8}:\s{0,8}"header"', re.MULTILINE)
_LONGEST = 64
"""Bytes that the first signs of a header take at most, with the line break before."""
_AT_ONCE = 1 << 23


class TracePart(NamedTuple):
    """One trace in a file of several."""

    start: int
    """Its first byte."""
    size: int
    """Number of its bytes."""

    @property
    def name(self) -> str:
        """Name it among those of its file, in the order of the file."""
        return f"{self.start:015d}+{self.size}"


def part_named(name: str) -> TracePart:
    """Return the part of a name."""
    start, _, size = name.partition("+")
    return TracePart(int(start), int(size))


def trace_parts(path: Path) -> tuple[TracePart, ...]:
    """List the traces of a ``.jsonl`` file; empty where its first line is no header, or nothing can be read."""
    try:
        state = path.stat()
        if path.suffix != ".jsonl" or not is_regular(path):
            return ()
        return _parts(path, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
    except (InputError, OSError, ValueError):
        return ()


@lru_cache(maxsize=16)
def _parts(path: Path, size: int, _mtime_ns: int, _ctime_ns: int) -> tuple[TracePart, ...]:
    """Look through a file once: half a second for 600 MB."""
    starts: list[int] = []
    with opened_bytes(path) as file:
        at, tail = 0, b"\n"
        while piece := file.read(_AT_ONCE):
            text = tail + piece
            first = at - len(tail)
            starts += [first + hit.start() for hit in _HEADER.finditer(text) if first + hit.start() >= 0]
            if not starts or starts[0] != 0:
                return ()
            at, tail = at + len(piece), text[-_LONGEST:]
    known = sorted(set(starts))
    return tuple(TracePart(start, end - start) for start, end in zip(known, [*known[1:], size], strict=True))


def part_header(path: Path, part: TracePart) -> dict[str, Any]:
    """Return a part's first line, which is a header; raises `InputError` where that is broken."""
    line = bytes_at(path, part.start, part.size).partition(b"\n")[0]
    header: dict[str, Any] = parse_json(
        line.decode("utf-8", errors="replace"), f"{path.name}@{part.start}", lenient=True
    )
    return header


def read_part(path: Path, name: str, problems: Problems | None = None) -> Trace:
    """Read a trace of a folder of traces by the name of its file, or of one file of several by its part's name.

    Raises `InputError` where it cannot be read; see `navviz.records.trace_files.read_events`.
    """
    if not is_regular(path):
        return read_trace(path / name, problems)
    part = part_named(name)
    text = bytes_at(path, part.start, part.size).decode("utf-8", errors="replace")
    return fold(whole_events(text.splitlines(), f"{path.name}@{part.start}", problems))
