"""Traces on disk: ``*.trace.jsonl``, one event a line, flushed as it happens.

The first line is the header. A killed run is readable up to its last whole line. ``docs`` of every event stand in
`navviz.records`; ``navviz schema`` prints them as JSON Schema.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from pydantic import TypeAdapter, ValidationError

from navviz.errors import InputError, Problem, Problems
from navviz.guarded import not_written, opened_text, parse_json
from navviz.records import (
    SCHEMA_VERSION,
    Call,
    CallEvent,
    DecisionEvent,
    DeltaEvent,
    EndEvent,
    Event,
    MoveEvent,
    ObservationEvent,
    PanelEvent,
    PlanEvent,
    Step,
    StepEvent,
    Trace,
    TraceHeader,
    WaypointsEvent,
)

__all__ = [
    "SUFFIX",
    "EventWriter",
    "Folder",
    "event_schema",
    "fold",
    "read_events",
    "read_trace",
    "unfold",
    "whole_events",
    "write_trace",
]

SUFFIX = ".trace.jsonl"

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
_LINE_LIMIT = 1 << 25
"""Characters read of a line; what is longer is no event but a broken file."""
_NOTHING_TO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EROFS}


def event_schema() -> dict[str, object]:
    """JSON Schema of one line of a trace file."""
    return _EVENT.json_schema()


class EventWriter:
    """Append events to a trace file, each handed to the system before `write` returns.

    The last event, `EndEvent`, is on the disk itself before `write` returns: a trace that was reported as finished
    outlives a power cut. Raises `StoreError` when the disk is full or not writable; what was written before stays
    readable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _end_last_line(path)
            self._file: IO[str] = path.open("a", encoding="utf-8")
        except OSError as error:
            raise not_written(path, error) from error

    def write(self, event: Event) -> None:
        """Append one event."""
        line = event.model_dump_json(exclude_none=True)
        try:
            self._file.write(line + "\n")
            self._file.flush()
            if isinstance(event, EndEvent):
                _to_disk(self._file.fileno(), self.path.parent)
        except OSError as error:
            raise not_written(self.path, error) from error

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _to_disk(file: int, folder: Path) -> None:
    """Wait until a file, and its name in its folder, are on the disk; devices and pipes have nothing to wait for."""
    names = os.open(folder, os.O_RDONLY)
    try:
        for one in (file, names):
            try:
                os.fsync(one)
            except OSError as error:
                if error.errno not in _NOTHING_TO_SYNC:
                    raise
    finally:
        os.close(names)


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key by which the file of episode 2 comes before that of episode 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _end_last_line(path: Path) -> None:
    """End a last line that a killed writer left open, so that the next event starts on a line of its own."""
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read() != b"\n":
            file.write(b"\n")


def write_trace(trace: Trace, path: Path) -> None:
    """Write a whole trace, replacing the file in one move."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with EventWriter(part) as writer:
        for event in unfold(trace):
            writer.write(event)
        writer.sync()
    part.replace(path)


def read_events(path: Path, problems: Problems | None = None) -> Iterator[Event]:
    """Read the events of a trace file; lines that cannot be read are reported in `problems` and skipped.

    Raises `InputError` when the file is missing, or its first line is no header this version understands.
    """
    with opened_text(path) as file:
        yield from whole_events(iter(lambda: file.readline(_LINE_LIMIT), ""), path.name, problems)


def whole_events(lines: Iterable[str], name: str, problems: Problems | None = None) -> Iterator[Event]:
    """Read the events of a trace's lines; `name` stands for its file in problems. See `read_events`."""
    for number, line in enumerate(lines, start=1):
        event = _parse(line, f"{name}:{number}", first=number == 1, problems=problems)
        if event is not None:
            yield event


def _parse(line: str, where: str, *, first: bool, problems: Problems | None) -> Event | None:
    if not line.strip() and not first:
        return None
    try:
        if first:
            _check_header(line, where)
        return _EVENT.validate_json(line)
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        what = "is no whole event (the run was cut off here?)" if fault["type"] == "json_invalid" else fault["msg"]
        if first:
            raise InputError(what, "open a trace that NavViz wrote", file=where, field=name) from error
        if problems is not None:
            problems.add(Problem(what, "the rest of the trace is shown", where, field=name))
        return None


def _check_header(line: str, where: str) -> None:
    try:
        raw = parse_json(line, where, lenient=True)
    except InputError as error:
        raise InputError("the first line is no JSON", "open a trace that NavViz wrote", file=where) from error
    if not isinstance(raw, dict) or raw.get("type") != "header":
        raise InputError("the first line is no trace header", "open a trace that NavViz wrote", file=where)
    version = raw.get("schema_version")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise InputError(
            f"has trace version {version}, this NavViz reads up to {SCHEMA_VERSION}",
            "update NavViz",
            file=where,
            field="schema_version",
        )


def read_trace(path: Path, problems: Problems | None = None) -> Trace:
    """Read and fold a trace file; see `read_events` for the errors."""
    return fold(read_events(path, problems))


class Folder:
    """Folds events into a `Trace` as they come; `trace` may be asked for at any time."""

    def __init__(self) -> None:
        self._header: TraceHeader | None = None
        self._plan = PlanEvent()
        self._plan_calls: list[Call] = []
        self._steps: list[Step] = []
        self._open: dict[str, Any] = {}
        """Fields of the last step that events have told since it was last made."""
        self._end: EndEvent | None = None
        self._streaming: dict[str, str] = {}
        self._waypoints: tuple[str | None, ...] | None = None

    def add(self, event: Event) -> None:
        """Take one more event."""
        match event:
            case TraceHeader():
                self._header = event
            case PlanEvent():
                panels = self._plan.panels + event.panels
                self._plan = event.model_copy(
                    update={"panels": panels, "landmarks": event.landmarks or self._plan.landmarks}
                )
                self._plan_calls.extend(event.calls)
                self._streaming = {}
            case StepEvent():
                self._close()
                self._steps.append(_begun(event))
            case DeltaEvent():
                self._streaming[event.channel] = self._streaming.get(event.channel, "") + event.text
            case WaypointsEvent():
                self._waypoints = event.waypoints
            case EndEvent():
                self._end = event
            case _:
                self._change(event)

    def _change(self, event: CallEvent | ObservationEvent | DecisionEvent | MoveEvent | PanelEvent) -> None:
        if isinstance(event, CallEvent):
            self._streaming = {}
        if not self._steps:
            if isinstance(event, CallEvent):
                self._plan_calls.append(event.call)
            return
        _change(self._open, self._steps[-1], event)

    def _close(self) -> None:
        """Make the last step anew with what was told of it: once, as copies of records took a third of the time."""
        if self._open:
            self._steps[-1] = self._steps[-1].model_copy(update=self._open)
            self._open = {}

    @property
    def started(self) -> bool:
        """Whether a header was seen."""
        return self._header is not None

    @property
    def trace(self) -> Trace:
        """The trace so far; raises `InputError` before the header was seen."""
        if self._header is None:
            raise InputError("has no header", "open a trace that NavViz wrote")
        self._close()
        return Trace(
            header=self._header,
            sub_goals=self._plan.sub_goals,
            landmarks=self._plan.landmarks,
            plan_calls=tuple(self._plan_calls),
            plan_panels=self._plan.panels,
            steps=tuple(self._steps),
            end=self._end,
            streaming=dict(self._streaming),
            waypoints=self._waypoints,
        )


def _begun(event: StepEvent) -> Step:
    return Step(
        index=event.index, node=event.node, heading_deg=event.heading_deg, plan=event.plan, sub_goal=event.sub_goal
    )


def _change(
    told: dict[str, Any], step: Step, event: CallEvent | ObservationEvent | DecisionEvent | MoveEvent | PanelEvent
) -> None:
    match event:
        case CallEvent():
            told["calls"] = (*told.get("calls", step.calls), event.call)
        case ObservationEvent():
            told["observation"] = event.observation
        case MoveEvent():
            told["path"] = event.path
        case PanelEvent():
            told["panels"] = (*told.get("panels", step.panels), event.panel)
        case DecisionEvent():
            told["decision"] = event.decision
            seen = told.get("observation", step.observation)
            if event.candidates is not None and seen is not None:
                told["observation"] = seen.model_copy(update={"candidates": event.candidates})


def fold(events: Iterable[Event]) -> Trace:
    """Fold events into a trace."""
    folder = Folder()
    for event in events:
        folder.add(event)
    return folder.trace


def unfold(trace: Trace) -> Iterator[Event]:
    """Yield the events that fold into this trace."""
    yield trace.header
    if trace.sub_goals or trace.landmarks or trace.plan_calls or trace.plan_panels:
        yield PlanEvent(
            sub_goals=trace.sub_goals,
            landmarks=trace.landmarks,
            calls=trace.plan_calls,
            panels=trace.plan_panels,
        )
    for step in trace.steps:
        yield from _unfold_step(step)
    if trace.waypoints is not None:
        yield WaypointsEvent(waypoints=trace.waypoints)
    if trace.end is not None:
        yield trace.end


def _unfold_step(step: Step) -> Iterator[Event]:
    yield StepEvent(
        index=step.index, node=step.node, heading_deg=step.heading_deg, plan=step.plan, sub_goal=step.sub_goal
    )
    if step.observation is not None:
        yield ObservationEvent(observation=step.observation)
    for call in step.calls:
        yield CallEvent(call=call)
    for panel in step.panels:
        yield PanelEvent(panel=panel)
    if step.decision is not None:
        yield DecisionEvent(decision=step.decision)
    if step.path:
        yield MoveEvent(path=step.path)
