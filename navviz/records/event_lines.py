"""The events of a trace's lines: unusable values are left out and named, the rest is read.

Mended are fields that this NavViz does not know (another program's, or a newer version's), numbers
that are not finite or absurdly large, and text that is no UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import TypeAdapter, ValidationError

from navviz.errors import InputError, Problem, Problems
from navviz.records.base import Record
from navviz.records.folding import Folder
from navviz.records.trace import SCHEMA_VERSION, Event, StepEvent, TraceHeader
from navviz.records.trace_lines import TraceLine, is_own
from navviz.support.guarded import (
    BadNumber,
    Json,
    bad_numbers,
    line_decoded,
    parse_json,
    parse_marking_numbers,
)

MOST = 10.0**18
"""Fields of records hold smaller numbers: tables use 64 bits, and sums of several must fit."""

_PLAIN = bytes.maketrans(b"123456789E}] \t\r\n", b"000000000e,,,,,,")
"""Every digit a zero, and a comma for whatever ends a number."""

_MANY_DIGITS = b"0" * 19

_EXPONENT = re.compile(rb"e\+?00+,")
"""Ids of letters and digits end with a quotation mark, so they rarely look like one."""


def may_hold_absurd_number(raw: bytes) -> bool:
    """Tell whether a line of JSON may hold such a number; texts and ids may look like one.

    It takes a fifth of the time that parsing the line takes; looking at each number of the event
    takes twice that time.
    """
    plain = raw.translate(_PLAIN)
    if _MANY_DIGITS in plain or _EXPONENT.search(plain):
        return True
    # one letter is found ten times as fast as a word
    return (b"N" in raw and b"NaN" in raw) or (b"I" in raw and b"Infinity" in raw)


def holds_absurd_number(event: Event) -> bool:
    """Tell whether any number of an event is not finite, or is too large for its field."""
    return _is_absurd(event)


def _is_absurd(value: object) -> bool:
    if isinstance(value, int | float):
        return not -MOST < value < MOST
    if isinstance(value, Record):
        kind = type(value)
        if any(_is_absurd(getattr(value, name)) for name in _numeric_fields(kind)):
            return True
        return any(_is_absurd_free(getattr(value, name)) for name in _free_fields(kind))
    if isinstance(value, tuple):
        return any(map(_is_absurd, value))
    if isinstance(value, dict):
        return any(map(_is_absurd, value.values()))
    return False


def _is_absurd_free(value: object) -> bool:
    """Tell whether a data set or a navigator named the field: any float may stand there."""
    if isinstance(value, int | float):
        # whole numbers of JSON may be larger than any float
        return not -1.7e308 < value < 1.7e308
    if isinstance(value, list):
        return any(map(_is_absurd_free, value))
    if isinstance(value, dict):
        return any(map(_is_absurd_free, value.values()))
    return False


@cache
def _free_fields(record: type[Record]) -> tuple[str, ...]:
    """Names of the fields that hold any JSON."""
    return tuple(
        name for name, field in record.model_fields.items() if Any in _parts(field.annotation)
    )


@cache
def _numeric_fields(record: type[Record]) -> tuple[str, ...]:
    """Names of the fields that hold numbers; texts, the most of a trace, are left out."""
    names = []
    for name, field in record.model_fields.items():
        parts = _parts(field.annotation)
        records = [part for part in parts if isinstance(part, type) and issubclass(part, Record)]
        if Any not in parts and (records or not {int, float}.isdisjoint(parts)):
            names.append(name)
    return tuple(names)


def _parts(annotation: object) -> set[object]:
    """Return the classes that an annotation is made of."""
    inner = get_args(annotation)
    if not inner:
        return {annotation}
    parts: set[object] = set()
    for argument in inner:
        parts |= _parts(argument)
    return parts


def _record_parts(annotation: object) -> set[type[Record]]:
    """Return the records that an annotation is made of."""
    records = set()
    for part in _parts(annotation):
        if isinstance(part, type) and issubclass(part, Record):
            records.add(part)
    return records


def is_free(name: str) -> bool:
    """Tell whether a field of this name holds any JSON, in the records that have it."""
    return name in _free_names()


@cache
def _free_names() -> frozenset[str]:
    names: set[str] = set()
    # records may hold records of their own kind, so each is visited once
    seen: set[object] = set()
    front = _record_parts(Event)
    while front:
        record = front.pop()
        seen.add(record)
        names.update(_free_fields(record))
        for field in record.model_fields.values():
            front |= _record_parts(field.annotation) - seen
    return frozenset(names)


EVENT: TypeAdapter[Event] = TypeAdapter(Event)

_VALIDATE: Callable[[bytes], Event] = EVENT.validator.validate_json
"""Without the adapter's checks of its own options, which take as long."""

_ROUNDS = 100
"""A round leaves out the values that spoil an event, and then what became unusable by that."""

OPEN_OTHER = "open a trace that NavViz wrote"

_CUT = "is no whole event (the run was cut off here?)"


def own_events(raw: bytes) -> list[Event] | None:
    """Return the events of one trace as NavViz writes it, in the time that the parser takes.

    ``None`` where anything is otherwise, so that an `EventReader` has to look at each line.
    """
    if not is_own(raw) or may_hold_absurd_number(raw) or not _fits(raw.partition(b"\n")[0]):
        return None
    try:
        # `splitlines` would also cut at a lone carriage return, which JSON takes for white space
        return list(map(_VALIDATE, raw.removesuffix(b"\n").split(b"\n")))
    except ValidationError:
        return None


class _Fault(NamedTuple):
    """Why a line is no event."""

    what: str
    field: str = ""


class EventReader:
    """Reads the lines of one file into events.

    `problems`: gets what was left out; an unknown field, or a bad number of one field and episode,
    once with its count.
    """

    def __init__(self, path: Path, problems: Problems | None = None) -> None:
        self._path, self.name = path, path.name
        self._problems = problems if problems is not None else Problems()
        self._episode = ""
        self._steps = self._unread = 0
        self.count = 0
        """Lines that were read."""

    def header(self, line: TraceLine) -> TraceHeader:
        """Read the line that begins a trace.

        Raises `InputError` where it is no header, a broken one, or one of a newer version.
        """
        self.count += 1
        where = f"{self.name}:{line.number}"
        self._episode, self._steps, self._unread = "", 0, 0
        if not _fits(line.raw):
            # the version is judged before the fields: those of a newer header would look like
            # faults
            text = line_decoded(line.raw, self._path)
            try:
                raw = parse_json(text, where, lenient=True)
            except InputError as error:
                what = "the first line is no JSON"
                if line.is_header:
                    what = "the trace's header is cut off or broken"
                raise InputError(what, OPEN_OTHER, file=where) from error
            if not isinstance(raw, dict) or raw.get("type") != "header":
                raise InputError("the first line is no trace header", OPEN_OTHER, file=where)
            version = raw.get("schema_version")
            if (
                not isinstance(version, int | float)
                or version != int(version)
                or version > SCHEMA_VERSION
            ):
                what = f"has trace version {version}, this NavViz reads up to {SCHEMA_VERSION}"
                raise InputError(what, "update NavViz", file=where, field="schema_version")
        event = self._event(line)
        if isinstance(event, _Fault):
            raise InputError(event.what, OPEN_OTHER, file=where, field=event.field)
        if not isinstance(event, TraceHeader):
            raise InputError("the first line is no trace header", OPEN_OTHER, file=where)
        self._episode = event.episode.id
        return event

    def event(self, line: TraceLine) -> Event | None:
        """Read a further line of the trace; ``None`` where it is no event, which is named."""
        self.count += 1
        event = self._event(line)
        if isinstance(event, StepEvent):
            self._steps = event.index
        elif isinstance(event, _Fault):
            where = f"{self.name}:{line.number}"
            self._unread += 1
            self._problems.skip(
                Problem(event.what, "the rest of the trace is shown", where, field=event.field)
            )
            return None
        return event

    def report_lost(self, folder: Folder) -> None:
        """Name the lines that a trace lacks, or has too often, by the counts of its end."""
        lost, added = folder.lost, folder.added
        # lines that could not be read are named already
        unread = self._unread
        self._unread = 0
        count = sum(lost.values())
        if count > unread:
            names = ", ".join(f"{number} {kind}" for kind, number in lost.items())
            what = f"lacks lines that its end counts ({names})"
            do = "the rest is shown; get the file again"
            self._problems.skip(Problem(what, do, self.name, self._episode), count - unread)
        if added:
            names = ", ".join(f"{number} {kind}" for kind, number in added.items())
            what = f"has lines more than its end counts ({names})"
            do = "look for lines that are repeated; the walk is shown as it is written"
            self._problems.add(Problem(what, do, self.name, self._episode))

        if folder.misnumbered and not (lost or added or unread):
            index, due = folder.misnumbered
            what = f"step {index} stands where step {due} is due"
            do = "look for lines that are missing or repeated; the walk is shown as it is written"
            episode = folder.trace.episode.id
            self._problems.add(Problem(what, do, self.name, episode, "index"))

    def _event(self, line: TraceLine) -> Event | _Fault:
        raw = line.raw
        try:
            event = _VALIDATE(raw)
        except ValidationError as error:
            return self._closer(line, _faults(error))
        if may_hold_absurd_number(raw) and holds_absurd_number(event):
            return self._closer(line, [])
        return event

    def _closer(self, line: TraceLine, faults: Sequence[Any]) -> Event | _Fault:
        """Read a line that is no event as it stands; `faults` are pydantic's."""
        where = f"{self.name}:{line.number}"
        if faults and all(map(_is_unknown, faults)) and not may_hold_absurd_number(line.raw):
            # unknown fields alone need no second parser: pydantic itself passes over them
            self._name_unknown(faults, where)
            return EVENT.validate_json(line.raw, extra="ignore")
        text = line_decoded(line.raw, self._path, start=line.start)
        try:
            value = parse_marking_numbers(text, where)
        except InputError as error:
            what = error.problem.what
            return _Fault(_CUT if what.startswith("is no JSON") else what)
        value = _with_marks(value)
        # listed now: places no longer hold once something is left out
        numbers = list(bad_numbers(value))
        is_step = isinstance(value, dict) and value.get("type") == "step"
        if is_step and isinstance(value.get("index"), BadNumber):
            # a step cannot do without its index, and its place in the file tells it
            value["index"] = self._steps + 1
        event = self._whittled(value, where)
        for place, number in numbers:
            used = _number_at(event, place)
            do = "it is left out" if used is None else f"{used:g} is used instead"
            episode = event.episode.id if isinstance(event, TraceHeader) else self._episode
            kind = value.get("type", "") if isinstance(value, dict) else ""
            self._problems.add(Problem(number.fault, do, where, episode, _field(kind, place), 1))
        return event

    def _whittled(self, value: Json, where: str) -> Event | _Fault:
        touched: list[Json] = []
        # what is left out may make its surroundings unusable, which the next round finds
        for _ in range(_ROUNDS):
            try:
                return EVENT.validate_json(json.dumps(value, default=_nothing))
            except ValidationError as error:
                faults = _faults(error)
            unknown = [fault for fault in faults if _is_unknown(fault)]
            self._name_unknown(unknown, where)
            others = [fault for fault in faults if not _is_unknown(fault)]
            # from the last to the first, as a list's later items move up
            for fault in reversed(unknown):
                _remove(value, fault["loc"][1:])
            for fault in reversed(others):
                if not _left_out(value, fault["loc"][1:], touched):
                    return _described(others[0])
        return _described(faults[0])

    def _name_unknown(self, faults: Sequence[Any], where: str) -> None:
        for fault in faults:
            # a location begins with the event's type, by which pydantic chose the record
            name = _field(fault["loc"][0], fault["loc"][1:])
            self._problems.add(
                Problem("is a field that NavViz does not know", "it is ignored", where, "", name, 1)
            )


def _fits(raw: bytes) -> bool:
    """Tell whether a line is a header of a readable version; false where it is unclear."""
    try:
        event = _VALIDATE(raw)
    except ValidationError:
        return False
    if not isinstance(event, TraceHeader) or "schema_version" not in event.model_fields_set:
        return False
    return event.schema_version <= SCHEMA_VERSION


def _faults(error: ValidationError) -> list[Any]:
    return list(error.errors(include_url=False, include_input=False, include_context=False))


def _is_unknown(fault: Any) -> bool:  # noqa: ANN401 - a dictionary of pydantic's
    return bool(fault["type"] == "extra_forbidden")


def _described(fault: Any) -> _Fault:  # noqa: ANN401
    return _Fault(fault["msg"], ".".join(str(part) for part in fault["loc"]))


def _nothing(_number: object) -> None:
    """Write a `BadNumber` as null."""


def _with_marks(value: Json, name: str = "") -> Json:
    """Return a value with a `BadNumber` for each number that a record's field cannot take."""
    if is_free(name):
        return value
    if isinstance(value, dict):
        return {key: _with_marks(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_marks(item, name) for item in value]
    if isinstance(value, int | float) and not -MOST < value < MOST:
        return BadNumber(f"holds the number {value:.3g}, which is too large")
    return value


def _field(kind: object, place: Sequence[str | int]) -> str:
    """Name a field by the kind of its event and the keys that lead to it, without list indexes."""
    names = [str(part) for part in place if isinstance(part, str)]
    return ".".join(names if names[:1] == [kind] else [str(kind), *names])


def _inner(value: Json, place: Sequence[str | int]) -> Json:
    """Return what lies at a place; ``None`` where nothing does."""
    for part in place:
        try:
            value = value[part]
        except (LookupError, TypeError):
            return None
    return value


def _remove(value: Json, place: Sequence[str | int]) -> Json:
    """Take away what lies at a place, and return what held it."""
    holder = _inner(value, place[:-1])
    if isinstance(holder, dict):
        holder.pop(place[-1], None)
    elif isinstance(holder, list) and isinstance(place[-1], int) and place[-1] < len(holder):
        del holder[place[-1]]
    return holder


def _left_out(value: Json, place: Sequence[str | int], touched: list[Json]) -> bool:
    """Leave out the bad number at a place, or what needs one that was left out; else be false."""
    # from the inside out, so that as little as possible is lost
    for end in range(len(place), 0, -1):
        here = _inner(value, place[:end])
        # by identity: equal values elsewhere in the event are innocent
        if isinstance(here, BadNumber) or any(here is removed for removed in touched):
            touched.append(_remove(value, place[:end]))
            return True
    return False


def _number_at(event: Event | _Fault, place: Sequence[str | int]) -> int | float | None:
    """Return the number that an event has in place of one that was left out."""
    if isinstance(event, _Fault) or not isinstance(place[-1], str):
        return None
    value: Any = event
    for part in place:
        try:
            if isinstance(value, Record) and isinstance(part, str):
                value = getattr(value, part)
            else:
                value = value[part]
        except (LookupError, TypeError, AttributeError):
            return None
    return value if isinstance(value, int | float) else None
