"""JSON as sound values: finite numbers, whole characters, no endless nesting."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from navviz.errors import InputError
from navviz.support.guarded.notes import note_problem
from navviz.support.guarded.tables import escaped

Json: TypeAlias = Any
"""What `json` decodes; to be checked by whoever takes it."""

MAX_DIGITS = 300
"""Longer integers do not fit a float (1.8e308)."""

_EXACT = 1 << 53

_REPEATED: ContextVar[str | None] = ContextVar("repeated", default=None)
"""A key that an object of the last decoded text has twice."""

MAX_DEPTH = 100
"""Data sets and logs are nested up to ten levels deep; what writes JSON for pages gives up at 255.
"""


def parse_json(text: str, file: str, *, lenient: bool = False) -> Json:
    """Return what a JSON text holds; an `InputError` names `file`."""
    return decode_by(text, file, _LENIENT if lenient else _STRICT, mend=lenient)


def decode_by(text: str, file: str, decoder: json.JSONDecoder, *, mend: bool) -> Json:
    """Return what a JSON text holds for a decoder; halves of characters are mended or refused.

    Raises `InputError`, which names `file`, for a text that is no JSON or nested too deeply.
    """
    try:
        # `json` refuses a text that begins with a byte order mark
        value = decoder.decode(text.removeprefix("\ufeff"))
        note_repeated(Path(file))
        if is_deep(value, text):
            raise _too_deep(file)
        # a walk over all values takes long, and only surrogates, escaped or not, need it
        if not _may_hold_halves(text):
            return value
        return mended(value, None if mend else file)
    except RecursionError as error:
        raise _too_deep(file) from error
    except json.JSONDecodeError as error:
        what = f"is no JSON (line {error.lineno}, column {error.colno})"
        raise InputError(what, "mend it or get the file again", file=file) from error
    except _NumberError as error:
        raise InputError(str(error), "write a finite number, or null", file=file) from error
    except ValueError as error:  # an integer of more than 4,300 digits
        what = "holds an integer that is too long to read"
        raise InputError(what, "mend it or get the file again", file=file) from error


def once_each(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Return the object of these keys and values; of a key that is there twice the last counts.

    So does Python's `json.load`, which most published scripts read with. It costs a tenth of the
    decoding to notice: `note_repeated` says it.
    """
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        _REPEATED.set(counts.most_common(1)[0][0])
    return value


def note_repeated(path: Path) -> None:
    """Note that an object that was just decoded out of a file has a key twice."""
    key = _REPEATED.get()
    if key is not None:
        _REPEATED.set(None)
        what = f"has the key {key[:40]!r} twice in one object"
        note_problem(
            path, what, "the last is read, as Python's json does; give each a key of its own"
        )


def _too_deep(file: str) -> InputError:
    return InputError(
        f"is JSON that is nested too deeply (the limit is {MAX_DEPTH})",
        "get the file again",
        file=file,
    )


def decode_reply(text: str, *, mend: bool = True) -> Json:
    """Return the JSON of a model's reply or of a text in a log.

    Numbers that are not finite count as missing. Halves of characters are shown as U+FFFD, or
    refused without `mend`. Raises `ValueError` with the reason, for the trace and for telling the
    model.
    """
    try:
        value = _REPLY.decode(text)
        if is_deep(value, text):
            raise ValueError("it is nested too deeply")
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not _may_hold_halves(text):
        return value
    whole = mended(value)
    if not mend and whole != value:
        raise ValueError("the reply holds characters that are none")
    return whole


def is_deep(value: Json, text: str, start: int = 0, end: int | None = None) -> bool:
    """Tell whether a value of `text` (its part) is nested deeper than `MAX_DEPTH`."""
    # each level has a bracket of its own, so few brackets are proof without a look at the value
    if text.count("[", start, end) + text.count("{", start, end) <= MAX_DEPTH:
        return False
    # what `json` decodes is of these very classes; asking by `isinstance` took as long as decoding
    front = [value] if value.__class__ in {dict, list} else []
    for _ in range(MAX_DEPTH):
        inner: list[Json] = []
        for holder in front:
            inner += holder.values() if holder.__class__ is dict else holder
        front = [each for each in inner if each.__class__ is list or each.__class__ is dict]
        if not front:
            return False
    return True


def mended(value: Json, file: str | None = None) -> Json:
    """Return a value without halves of characters; with `file`, refuse the first such text."""
    if isinstance(value, str):
        return _mended_text(value, file)
    if isinstance(value, list):
        return [mended(item, file) for item in value]
    if isinstance(value, dict):
        return {_mended_text(key, file): mended(item, file) for key, item in value.items()}
    return value


def _mended_text(text: str, file: str | None) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError as error:
        if file is not None:
            what = f"holds half a character (\\u{ord(text[error.start]):04x} alone)"
            raise InputError(what, "write whole characters", file=file) from error
        # by way of UTF-16, in which two halves side by side are one whole character again
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _may_hold_halves(text: str) -> bool:
    return (
        "\\ud" in text
        or "\\uD" in text
        or any("\ud800" <= letter <= "\udfff" for letter in _wide(text))
    )


def _wide(text: str) -> Iterable[str]:
    """Return the text if it may hold a bare surrogate, as only text beyond ASCII can."""
    if text.isascii():
        return ()
    try:
        text.encode()
    except UnicodeEncodeError:
        return text
    return ()


class _NumberError(ValueError):
    """A number that is not finite, or larger than a float."""


def _no_constant(name: str) -> None:
    raise _NumberError(f"holds {name}, which is no number in JSON")


def _finite(text: str) -> float:
    value = whole_or_float(text)
    if not math.isfinite(value):
        raise _NumberError(f"holds the number {text[:40]}, which is too large")
    return value


def whole_or_float(text: str) -> float:
    """Return a number with a point or an exponent: an integer where it is one (3.0, 1e3), as some
    programs write them.

    Beyond 2**53 floats stand for several integers, so those stay what they are; so does -0.0, which
    has a sign.
    """
    value = float(text)
    if not value.is_integer() or not -_EXACT <= value <= _EXACT or (value == 0 and text[0] == "-"):
        return value
    return int(value)


class _WholeFloat(float):
    """A whole number that is written with a point or an exponent."""


def whole_floats(text: str) -> Counter[str]:
    """Count integers that are written as floats in a JSON value, by the key that they stand under.

    A key counts only where no number under it has a fraction: 90.0 degrees among 12.5 degrees is no
    integer. A text that is no JSON holds none.
    """
    whole, other = Counter[str](), set[str]()

    def look(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        for key, value in pairs:
            for number in value if isinstance(value, list) else [value]:
                whole[key] += isinstance(number, _WholeFloat)
                if isinstance(number, float) and not isinstance(number, _WholeFloat):
                    other.add(key)
        return dict(pairs)

    def number(text: str) -> float:
        value = whole_or_float(text)
        return _WholeFloat(value) if isinstance(value, int) else value

    with contextlib.suppress(ValueError, RecursionError):
        json.JSONDecoder(object_pairs_hook=look, parse_float=number, strict=False).decode(text)
    return Counter({key: count for key, count in whole.items() if count and key not in other})


def _short(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _NumberError(f"holds an integer of {len(text):,} digits")
    return int(text)


def _finite_or_none(text: str) -> float | None:
    value = whole_or_float(text)
    return value if math.isfinite(value) else None


def _short_or_none(text: str) -> int | None:
    return int(text) if len(text) <= MAX_DIGITS else None


_STRICT = json.JSONDecoder(
    object_pairs_hook=once_each,
    parse_constant=_no_constant,
    parse_float=_finite,
    parse_int=_short,
)

_LENIENT = json.JSONDecoder(
    object_pairs_hook=once_each,
    parse_constant=lambda _: None,
    parse_float=_finite_or_none,
    parse_int=_short_or_none,
    strict=False,
)

_REPLY = json.JSONDecoder(
    parse_constant=lambda _: None, parse_float=_finite_or_none, parse_int=_short_or_none
)

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
    """Write a value as JSON that every parser takes and no terminal obeys; NaN is null."""
    try:
        # first as it is: `finite` copies the whole value, which only an unusable number needs
        text = json.dumps(value, allow_nan=False, sort_keys=sort_keys, ensure_ascii=ensure_ascii)
    except ValueError:
        text = json.dumps(
            finite(value), allow_nan=False, sort_keys=sort_keys, ensure_ascii=ensure_ascii
        )
    return text if ensure_ascii else escaped(text)
