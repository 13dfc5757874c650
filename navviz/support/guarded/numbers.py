"""Unusable numbers in JSON, left in their places so that a reader can name them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from navviz.support.guarded.decoding import MAX_DIGITS, Json, decode_by

Place = tuple[str | int, ...]
"""Keys and indexes that lead to a value."""


_NATURAL = re.compile(r"\d{1,9}", re.ASCII)


def natural(text: str) -> int | None:
    """Return the whole number that a text is; ``None`` where it is none, or a longer one.

    `str.isdigit` and `str.isdecimal` let through what `int` refuses: a superscript two, and five
    thousand digits.
    """
    return int(text) if _NATURAL.fullmatch(text) else None


@dataclass(frozen=True, slots=True, eq=False)
class BadNumber:
    """A number that is not finite, or too large, as a decoded value."""

    fault: str
    """What is wrong with it, as the second half of a sentence."""


def _constant(name: str) -> BadNumber:
    return BadNumber(f"holds {name}, which is no number")


def _float(text: str) -> float | BadNumber:
    value = float(text)
    return (
        value
        if math.isfinite(value)
        else BadNumber(f"holds the number {text[:40]}, which is too large")
    )


def _integer(text: str) -> int | BadNumber:
    if len(text) <= MAX_DIGITS:
        return int(text)
    return BadNumber(f"holds an integer of {len(text.lstrip('-')):,} digits, which is too large")


_MARKING = json.JSONDecoder(
    parse_constant=_constant, parse_float=_float, parse_int=_integer, strict=False
)


def parse_marking_numbers(text: str, file: str) -> Json:
    """Return what a JSON text holds, with a `BadNumber` for each unusable number.

    Halves of characters are shown as U+FFFD. Raises `InputError`, which names `file`, for a text
    that is no JSON.
    """
    return decode_by(text, file, _MARKING, mend=True)


def bad_numbers(value: Json, place: Place = ()) -> Iterator[tuple[Place, BadNumber]]:
    """Yield each `BadNumber` of a decoded value with its place."""
    if isinstance(value, BadNumber):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from bad_numbers(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from bad_numbers(item, (*place, index))


def is_finite(value: object) -> bool:
    """Tell whether a value is anything but a number that is not finite."""
    return not isinstance(value, float) or math.isfinite(value)


def finite(value: Json) -> Json:
    """Return a value of JSON with null for each number that is not finite."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value if is_finite(value) else None


def json_text(value: Json, *, sort_keys: bool = False, ensure_ascii: bool = True) -> str:
    """Write a value as JSON that every parser takes: a number that is not finite is null."""
    try:
        # first as it is: `finite` copies the whole value, which only an unusable number needs
        return json.dumps(value, allow_nan=False, sort_keys=sort_keys, ensure_ascii=ensure_ascii)
    except ValueError:
        return json.dumps(
            finite(value), allow_nan=False, sort_keys=sort_keys, ensure_ascii=ensure_ascii
        )
