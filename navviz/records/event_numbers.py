"""Numbers that no table, chart or exported file can take: not finite, or absurdly large."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

from navviz.records.base import Record
from navviz.records.event import Event

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
        if Any not in parts and any(_is_numeric(part) for part in parts):
            names.append(name)
    return tuple(names)


def _is_numeric(part: object) -> bool:
    return part in {int, float} or (isinstance(part, type) and issubclass(part, Record))


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
