"""Many traces in one file: where each begins, and how it is read alone.

A file of several traces is what ``cat *.trace.jsonl > run.jsonl`` writes: each header begins
another trace.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

from navviz.errors import InputError, Problem, Problems
from navviz.records.event_lines import EventReader
from navviz.records.folding import Folder
from navviz.records.trace import Trace
from navviz.records.trace_files import first_header, is_trace_name, read_trace
from navviz.records.trace_lines import trace_lines
from navviz.support.guarded import (
    bytes_at,
    head_bytes,
    is_regular,
    marked_encoding,
    note_entries,
    opened_lines,
)
from navviz.support.installation.files import cache_folder, keep_file

_PACKED = (".gz", ".bz2")

_PIECE = 1 << 20

_KEPT = 4
"""Unpacked files in the cache; one of 50,000 traces may take several gigabytes."""

_LOG = logging.getLogger(__name__)


def is_recoded(path: Path) -> bool:
    """Tell whether a file's bytes differ from its text: it is packed, or in UTF-16 or UTF-32."""
    return path.suffix in _PACKED or bool(marked_encoding(head_bytes(path, 4)))


def unpacked_bytes_at(path: Path, start: int, count: int) -> bytes:
    """Return `count` bytes of a file from byte `start`, counted in what it unpacks to.

    Raises `InputError` where it cannot be opened, or is damaged before that place.
    """
    if not is_recoded(path):
        return bytes_at(path, start, count)
    plain = _plain(path)
    if plain is not None:
        return bytes_at(plain, start, count)
    with opened_lines(path) as file:
        # packed bytes have no places to jump to: what comes before is unpacked and thrown away
        while start > 0 and (piece := file.read(min(start, _PIECE))):
            start -= len(piece)
        return file.read(count)


def _plain(path: Path) -> Path | None:
    """Return the unpacked file; ``None`` where it cannot be kept."""
    try:
        state = path.stat()
        # times and size are in the name, so a file that changed is unpacked anew
        name = f"{path.resolve()}\0{state.st_mtime_ns}\0{state.st_ctime_ns}\0{state.st_size}"
        digest = hashlib.blake2b(name.encode(errors="surrogateescape"), digest_size=12).hexdigest()
        plain = cache_folder("unpacked") / f"{digest}.jsonl"
        if not is_regular(plain):
            keep_file(plain, lambda file: _unpack(path, file), _KEPT)
    except OSError as error:
        _LOG.info("%s: not kept unpacked (%s)", path, error)
        return None
    return plain


def _unpack(path: Path, target: IO[bytes]) -> None:
    with opened_lines(path) as file, contextlib.suppress(InputError):
        while line := file.readline(_PIECE):  # whole lines outlive what is damaged behind them
            target.write(line)


_BLOCK = 1 << 23

_OWN_HEADER, _OWN_LINE = b'{"type":"header"', b'\n{"type":"'

_NAME = re.compile(r"(?:(?P<file>.*)@)?(?P<start>\d{15})\+(?P<size>\d+)\+(?P<line>\d+)", re.DOTALL)


class TracePart(NamedTuple):
    """One trace in a file of several."""

    start: int
    """Its first byte, in what the file unpacks to."""
    size: int
    """Number of its bytes."""
    line: int
    """Number of its first line."""

    @property
    def name(self) -> str:
        """Name it among those of its file, in the order of the file."""
        # zeros in front, so that names sorted as text keep the order of the file
        return f"{self.start:015d}+{self.size}+{self.line}"


def part_named(name: str) -> tuple[str, TracePart | None]:
    """Return the file and the part that a name means.

    `name`: of a file in a folder; of a part (the file is then empty); or of both, with ``@``
    between them.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return name, None
    part = TracePart(int(match["start"]), int(match["size"]), int(match["line"]))
    return match["file"] or "", part


def trace_parts(path: Path) -> tuple[TracePart, ...]:
    """List the traces of a file; empty where it is no readable file of traces.

    A file that is named as a trace and does not begin with a header begins with a part that cannot
    be read.
    """
    try:
        return _scanned(path)[0]
    except (InputError, OSError, ValueError):
        return ()


def _scanned(path: Path) -> tuple[tuple[TracePart, ...], Problems]:
    """Return the traces of a file and where it is damaged; remembered while the file stays."""
    if not is_regular(path):
        return (), Problems()
    state = path.stat()
    # size and times are part of the cache's key: a changed file is scanned again
    scanned = _scan(path, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
    # what was read of a file while it changed may be neither its old nor its new content
    if path.stat().st_mtime_ns != state.st_mtime_ns:
        _scan.cache_clear()
    return scanned


@lru_cache(maxsize=16)
def _scan(
    path: Path, _size: int, _mtime_ns: int, _ctime_ns: int
) -> tuple[tuple[TracePart, ...], Problems]:
    problems = Problems()
    if not is_trace_name(path.name) and not begins_with_header(path):
        return (), problems
    with opened_lines(path) as file:
        return parts_of(file, problems), problems


def parts_of(file: IO[bytes], problems: Problems | None = None) -> tuple[TracePart, ...]:
    """List the traces of an open file; `problems` gets where it is damaged."""
    if file.seekable():
        own = _own_parts(file)
        if own is not None:
            return own
        file.seek(0)
    parts: list[TracePart] = []
    for line in trace_lines(file, problems):
        if line.is_header or not parts:
            parts.append(TracePart(line.start, 0, line.number))
        begun = parts[-1]
        parts[-1] = begun._replace(size=line.start + len(line.raw) - begun.start)
    return tuple(parts)


def _own_parts(file: IO[bytes]) -> tuple[TracePart, ...] | None:
    """List the traces of a file whose lines all begin as NavViz writes them."""
    begins: list[tuple[int, int]] = []
    start, number, block = 0, 1, b"\n"
    # a block ends with a whole line; one that does not was the end of the file when it was read
    while block.endswith(b"\n") and (block := file.read(_BLOCK)):
        block += file.readline()
        lines = block.count(b"\n") + (not block.endswith(b"\n"))
        # the line break in front lets the first line match as the others do
        whole = b"\n" + block
        headers = list(_places(whole, b"\n" + _OWN_HEADER))
        # a header in the middle of a line may follow an event that was cut off: only the parser
        # tells
        if whole.count(_OWN_LINE) != lines or whole.count(_OWN_HEADER) != len(headers):
            return None
        last = 0
        for at in headers:
            number += block.count(b"\n", last, at)
            begins.append((start + at, number))
            last = at
        number += block.count(b"\n", last)
        start += len(block)
    if not begins or begins[0][0] != 0:
        return None
    ends = [begin for begin, _ in begins[1:]] + [start]
    parts = []
    for (begin, line), end in zip(begins, ends, strict=True):
        parts.append(TracePart(begin, end - begin, line))
    return tuple(parts)


def _places(text: bytes, part: bytes) -> Iterator[int]:
    """Yield where a part stands in a text; a regular expression takes four times as long."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def begins_with_header(path: Path) -> bool:
    """Tell whether the first event of a file is a trace's header; false for what cannot be read."""
    try:
        with opened_lines(path) as file:
            first = next(trace_lines(file), None)
            return first is not None and first.is_header
    except InputError:
        return False


def read_part(path: Path, name: str, problems: Problems | None = None) -> Trace:
    """Read a trace by the name of its file, or of its part of a file of several.

    Raises `InputError` where it cannot be read; see `navviz.records.trace_files.read_events`.
    """
    file, part = part_named(name)
    path = path / file if file else path
    if part is None:
        return read_trace(path, problems)
    reader, folder = EventReader(path, problems), Folder()
    raw = unpacked_bytes_at(path, part.start, part.size)
    # numbered as in the whole file, so that a problem names the line that an editor shows
    lines = trace_lines(io.BytesIO(raw), first_number=part.line, first_byte=part.start)
    try:
        folder.add(first_header(reader, lines, problems))
        for line in lines:
            # the file was cut when it was scanned, so that this header was not whole: what follows
            # belongs to another walk
            if line.is_header:
                if problems is not None:
                    what = "another trace begins here, so the file changed while it was read"
                    problems.add(
                        Problem(what, "open it again to see all", f"{path.name}:{line.number}")
                    )
                break
            if (event := reader.event(line)) is not None:
                folder.add(event)
        reader.report_lost(folder)
    finally:
        note_entries(path, max(reader.count, 1))
    if problems is not None and is_recoded(path):
        _name_damage(path, part, problems)
    return folder.trace


def _name_damage(path: Path, part: TracePart, problems: Problems) -> None:
    """Say of the last trace of a damaged file that others may have followed."""
    # nothing is said where the file can no longer be read: the trace itself was read whole before
    try:
        parts, damage = _scanned(path)
    except (InputError, OSError):
        return
    if parts and parts[-1] == part:
        problems.extend(damage)
