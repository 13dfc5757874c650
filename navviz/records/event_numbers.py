"""Numbers of an event that no table, chart or exported file can take: not finite, or absurdly large."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

from navviz.records.base import Record
from navviz.records.event import Event

__all__ = ["MOST", "holds_absurd_number", "is_free", "may_hold_absurd_number"]

MOST = 10.0**18
"""Fields of records hold smaller numbers: tables keep whole numbers in 64 bits, and sums of several must fit."""
_PLAIN = bytes.maketrans(b"123456789E}] \t\r\n", b"000000000e,,,,,,")
"""Every digit a zero, and a comma for whatever ends a number."""
_MANY_DIGITS = b"0" * 19
_EXPONENT = re.compile(rb"e\+?00+,")
"""Ids of letters and digits end with a quotation mark, so they rarely look like one."""


def may_hold_absurd_number(raw: bytes) -> bool:
    """Tell whether a line of JSON may hold such a number; texts and ids may look like one.

    It takes a fifth of the time of parsing the line, to look at each number of the event twice that time.
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
        return any(_is_absurd(getattr(value, name)) for name in _numeric_fields(type(value))) or any(
            _is_absurd_free(getattr(value, name)) for name in _free_fields(type(value))
        )
    if isinstance(value, tuple):
        return any(map(_is_absurd, value))
    if isinstance(value, dict):
        return any(map(_is_absurd, value.values()))
    return False


def _is_absurd_free(value: object) -> bool:
    """Tell it of what a data set or a navigator adds by its own names: whatever a float can hold may stand there."""
    if isinstance(value, int | float):
        return not -1.7e308 < value < 1.7e308
    if isinstance(value, list):
        return any(map(_is_absurd_free, value))
    if isinstance(value, dict):
        return any(map(_is_absurd_free, value.values()))
    return False


@cache
def _free_fields(record: type[Record]) -> tuple[str, ...]:
    """Names of the fields that hold any JSON."""
    return tuple(name for name, field in record.model_fields.items() if Any in _parts(field.annotation))


@cache
def _numeric_fields(record: type[Record]) -> tuple[str, ...]:
    """Names of the fields that are numbers or hold some; texts, of which most of a trace consists, are left out."""
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
    return {part for each in inner for part in _parts(each)}


def is_free(name: str) -> bool:
    """Tell whether a field of this name holds any JSON, in the records that have it."""
    return name in _free_names()


@cache
def _free_names() -> frozenset[str]:
    names: set[str] = set()
    seen: set[object] = set()
    front = {part for part in _parts(Event) if isinstance(part, type) and issubclass(part, Record)}
    while front:
        record = front.pop()
        seen.add(record)
        names.update(_free_fields(record))
        for field in record.model_fields.values():
            inner = {part for part in _parts(field.annotation) if isinstance(part, type) and issubclass(part, Record)}
            front |= inner - seen
    return frozenset(names)
