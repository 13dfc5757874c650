"""Traces on disk: ``*.trace.jsonl``, one event a line, flushed as it happens.

The first line is the header. A killed run is readable up to its last whole line. ``docs`` of every
event stand in `navviz.records`; ``navviz data schema`` prints them as JSON Schema.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self

from navviz.errors import InputError, Problem, Problems
from navviz.records.call import Call, Message
from navviz.records.event_lines import EVENT, OPEN_OTHER, EventReader, own_events
from navviz.records.folding import Folder, fold, folded, unfold
from navviz.records.trace import (
    CallEvent,
    DeltaEvent,
    EndEvent,
    Event,
    PlanEvent,
    Trace,
    TraceHeader,
)
from navviz.records.trace_lines import TraceLine, trace_lines
from navviz.records.view import PicturePart, views_folder
from navviz.support.guarded import (
    is_there,
    not_written,
    note_entries,
    opened_bytes,
    opened_lines,
    write_whole,
    writing,
)

__all__ = [
    "SUFFIX",
    "TRACE_SUFFIXES",
    "EventWriter",
    "Folder",
    "bare_name",
    "empty_trace",
    "event_schema",
    "first_header",
    "fold",
    "is_trace_name",
    "natural",
    "read_events",
    "read_trace",
    "read_traces",
    "unfold",
    "write_trace",
]

_ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "image/gif": ".gif"}


def keep_sent(event: Event, trace: Path) -> Event:
    """Write the pictures of an event's calls to ``NAME.views`` and name them in their messages.

    Raises `StoreError` where they cannot be written.
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


SUFFIX = ".trace.jsonl"

TRACE_SUFFIXES = (f"{SUFFIX}.gz", f"{SUFFIX}.bz2", SUFFIX)
"""Endings of trace files, packed or not."""

_SMALL_BYTES = 1 << 24

_OWN = b'{"type":"'

_TYPE = re.compile(rb'\{"type":"([a-z]+)"')

_NOTHING_TO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EROFS}


def is_trace_name(name: str) -> bool:
    """Tell whether a file of this name is a trace, packed or not."""
    return name.endswith(TRACE_SUFFIXES)


def bare_name(name: str) -> str:
    """Return the name of a trace file without its ending."""
    for suffix in TRACE_SUFFIXES:
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


def empty_trace(name: str) -> Problem:
    """Return what to say of a trace file that holds nothing: its episode is in no figure."""
    what = "is empty: the disk was full, or the run was killed before it began the episode"
    return Problem(what, "walk the episode again; it is in no figure", name)


def event_schema() -> dict[str, object]:
    """JSON Schema of one line of a trace file."""
    return EVENT.json_schema()


class EventWriter:
    """Append events to a trace file, each handed to the system before `write` returns.

    The last event, `EndEvent`, is on the disk itself before `write` returns: a trace that was
    reported as finished outlives a power cut. Raises `StoreError` when the disk is full or not
    writable; what was written before stays readable.
    """

    def __init__(self, path: Path, final: Path | None = None) -> None:
        # a draft is spoken of, and its pictures are kept, by the name that it will have
        self.path = final or path
        self._counts: Counter[str] | None = None
        """Events of the trace so far, by type; ``None`` where they are not known."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _end_last_line(path)
            self._counts = _counted_lines(path)
            self._file: IO[str] = path.open("a", encoding="utf-8")
        except OSError as error:
            raise not_written(self.path, error) from error

    def write(self, event: Event) -> Event:
        """Append one event; return it as it was written, its pictures named beside the trace."""
        event = keep_sent(event, self.path)
        line = self._counted(event).model_dump_json(exclude_none=True)
        try:
            self._file.write(line + "\n")
            self._file.flush()
            if isinstance(event, EndEvent):
                _to_disk(self._file.fileno(), self.path.parent)
        except OSError as error:
            raise not_written(self.path, error) from error
        return event

    def _counted(self, event: Event) -> Event:
        """Count an event; the end says how many there were, so that a lost line is noticed."""
        if isinstance(event, TraceHeader):
            self._counts = Counter()
        elif isinstance(event, EndEvent):
            counts = {} if self._counts is None else dict(sorted(self._counts.items()))
            return event.model_copy(update={"events": counts})
        elif self._counts is not None and not isinstance(event, DeltaEvent):
            self._counts[event.type] += 1
        return event

    def sync(self) -> None:
        """Wait until everything is on the disk itself."""
        try:
            _to_disk(self._file.fileno(), self.path.parent)
        except OSError as error:
            raise not_written(self.path, error) from error

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        try:
            self._file.close()
        except OSError as error:
            raise not_written(self.path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _to_disk(file: int, folder: Path) -> None:
    """Wait until a file and its name are on the disk; devices and pipes need no waiting."""
    # POSIX keeps a file's name in its folder, which has to be synchronised on its own; Windows
    # opens no folder
    if os.name == "nt":
        os.fsync(file)
        return
    names = os.open(folder, os.O_RDONLY)
    try:
        for descriptor in (file, names):
            try:
                os.fsync(descriptor)
            except OSError as error:
                if error.errno not in _NOTHING_TO_SYNC:
                    raise
    finally:
        os.close(names)


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key by which the file of episode 2 comes before that of episode 10."""
    key = []
    for part in re.split(r"(\d+)", name):
        # words and numbers cannot be compared, so each part is a pair; words come first
        pair = (int(part), "") if part.isdecimal() else (-1, part)
        key.append(pair)
    return key


def _end_last_line(path: Path) -> None:
    """End a last line that a killed writer left open, so that the next event starts a line."""
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read() != b"\n":
            file.write(b"\n")


def _counted_lines(path: Path) -> Counter[str] | None:
    """Count the events of the trace that a file ends with, by type, for one that is gone on with.

    ``None`` where there is none yet, or where a line is not spelled as NavViz spells it.
    """
    # a name may lead to a device, which never ends
    if not path.is_file():
        return None
    counts: Counter[str] | None = None
    with opened_bytes(path) as file:
        for line in file:
            match = _TYPE.match(line)
            if match is None and line.startswith(_OWN):
                continue  # a killed writer left it, and readers name it
            if match is None:
                return None
            kind = match[1].decode()
            if kind == "header":
                counts = Counter()
            elif counts is not None and kind not in {"delta", "end"}:
                counts[kind] += 1
    return counts


def write_trace(trace: Trace, path: Path) -> None:
    """Write a whole trace, replacing the file in one move."""
    # a killed run of an older version may have left a draft of this name
    path.with_name(path.name + ".part").unlink(missing_ok=True)
    with writing(path) as part, EventWriter(part, path) as writer:
        for event in unfold(trace):
            writer.write(event)
        # a trace without an end is not on the disk yet, and has to be before it takes the name
        writer.sync()


def read_events(path: Path, problems: Problems | None = None) -> Iterator[Event]:
    """Read the events of a trace file; `problems` takes what cannot be read and is left out.

    Of a file of several traces it is the first one, and a problem names the others; `read_traces`
    reads all.

    Raises `InputError` when the file is missing, or its first line is no header this version
    understands.
    """
    with opened_lines(path) as file:
        for event in _events(EventReader(path, problems), path, file, problems):
            # the counts belong to the file, not to the walk
            counted = isinstance(event, EndEvent) and event.events
            yield event.model_copy(update={"events": {}}) if counted else event


def _events(
    reader: EventReader, path: Path, file: IO[bytes], problems: Problems | None
) -> Iterator[Event]:
    lines = trace_lines(file, problems)
    yield first_header(reader, lines, problems)
    for line in lines:
        if line.is_header:
            if problems is not None:
                what = "another trace begins here, the first is read"
                do = "open it as a run to see the others"
                problems.add(Problem(what, do, f"{path.name}:{line.number}"))
            return
        if (event := reader.event(line)) is not None:
            yield event


def first_header(
    reader: EventReader, lines: Iterator[TraceLine], problems: Problems | None
) -> TraceHeader:
    """Read the header that begins a trace and count what is lost; raises `InputError`."""
    line = next(lines, None)
    if line is None:
        raise InputError("has no header", OPEN_OTHER, file=reader.name)
    try:
        return reader.header(line)
    except InputError:
        # only the header says which episode the events belong to, so all of them are lost
        lost = sum(1 for _ in lines)
        reader.count += lost
        if problems is not None and lost:
            problems.skipped[reader.name, ""] += lost
        raise


def read_traces(path: Path, problems: Problems) -> Iterator[Trace]:
    """Read the traces of a file one by one; each header begins one.

    What cannot be read is reported in `problems`.

    Raises `InputError` where the file cannot be opened or holds nothing.
    """
    reader = EventReader(path, problems)
    folder: Folder | None = None
    count = 0
    try:
        with opened_lines(path) as file:
            events = own_events(file.read()) if _is_small(path, file) else None
            if events is not None:
                count = len(events)
                folder = folded(events)
                reader.report_lost(folder)
                yield folder.trace
                return
            # the attempt to read it at once has used up the file
            if file.seekable():
                file.seek(0)
            for line in trace_lines(file, problems):
                count += 1
                if line.is_header or count == 1:
                    if folder is not None:
                        reader.report_lost(folder)
                        yield folder.trace
                    folder = _begun_trace(reader, line, problems)
                elif folder is None:
                    problems.skipped[reader.name, ""] += 1
                elif (event := reader.event(line)) is not None:
                    folder.add(event)
    finally:
        note_entries(path, max(count, 1))
    if folder is not None:
        reader.report_lost(folder)
        yield folder.trace
    if count == 0:
        raise InputError("has no header", OPEN_OTHER, file=path.name)


def _is_small(path: Path, file: IO[bytes]) -> bool:
    """Tell whether a file is read at once; a packed one may hold more than its size shows."""
    return file.seekable() and path.stat().st_size < _SMALL_BYTES


def _begun_trace(reader: EventReader, line: TraceLine, problems: Problems) -> Folder | None:
    """Begin a trace; ``None`` where its header is unreadable: its events belong to no episode."""
    folder = Folder()
    try:
        folder.add(reader.header(line))
    except InputError as error:
        problems.skip(error.problem)
        return None
    return folder


def read_trace(path: Path, problems: Problems | None = None) -> Trace:
    """Read and fold a trace file; see `read_events` for the errors."""
    reader = EventReader(path, problems)
    try:
        with opened_lines(path) as file:
            events = own_events(file.read()) if _is_small(path, file) else None
            if events is not None:
                reader.count = len(events)
                folder = folded(events)
                reader.report_lost(folder)
                return folder.trace
            # the attempt to read it at once has used up the file
            if file.seekable():
                file.seek(0)
            folder = folded(_events(reader, path, file, problems))
            reader.report_lost(folder)
            return folder.trace
    finally:
        note_entries(path, max(reader.count, 1))
