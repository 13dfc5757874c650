"""The one way in for files: regular ones only, of bounded size, as text or JSON that nothing later trips over.

What cannot be taken is an `InputError` of one sentence that names the file. Refused are pipes, devices and folders,
files above a limit, text that is no UTF-8, JSON that is nested too deeply, numbers that are not finite or too large
for a float, and halves of a character (lone surrogates), which no file, browser or database takes back. With
`lenient`, for what other programs logged, the last two are no reason to lose a file: such a number counts as missing,
such a half is shown as U+FFFD.
"""

from __future__ import annotations

import json
import math
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from navviz.errors import InputError

__all__ = ["MAX_BYTES", "MAX_DIGITS", "Json", "is_regular", "mended", "parse_json", "read_json", "read_text", "size_of"]

Json: TypeAlias = Any
"""What `json` decodes; to be checked by whoever takes it."""

MAX_BYTES = 256_000_000
"""Files that are read whole; what they decode to takes up to ten times their size."""
MAX_DIGITS = 300
"""Longer integers do not fit a float (1.8e308)."""
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def is_regular(path: Path) -> bool:
    """Tell whether a path is a regular file; false for what may not be looked at."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def size_of(path: Path, limit: int = MAX_BYTES, do: str = "cut it into smaller files") -> int:
    """Return the size of a regular file in bytes; raises `InputError` where it is none, or above `limit`."""
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be opened ({_reason(error)})", "check the path", file=path.name) from error
    if not stat.S_ISREG(state.st_mode):
        kind = next((name for test, name in _KINDS if test(state.st_mode)), "no regular file")
        raise InputError(f"is {kind}, not a file", "choose a regular file", file=path.name)
    if state.st_size > limit:
        what = f"has {state.st_size / 1e6:,.0f} MB, more than NavViz reads ({limit / 1e6:,.0f} MB)"
        raise InputError(what, do, file=path.name)
    return state.st_size


def read_text(path: Path, limit: int = MAX_BYTES) -> str:
    """Return the text of a regular file, without its byte order mark; raises `InputError` where there is none."""
    size_of(path, limit)
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)  # a file of /proc says 0 bytes and never ends
    except OSError as error:
        raise InputError(f"cannot be opened ({_reason(error)})", "check the path", file=path.name) from error
    if len(raw) > limit:
        raise InputError(f"has more than {limit / 1e6:,.0f} MB", "cut it into smaller files", file=path.name)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"is no text in UTF-8 (byte {error.start + 1})"
        raise InputError(what, "save it as UTF-8", file=path.name) from error


def read_json(path: Path, *, lenient: bool = False, limit: int = MAX_BYTES) -> Json:
    """Return what a JSON file holds.

    Parameters
    ----------
    path
        A regular file.
    lenient
        See the module's first lines.
    limit
        The most bytes that are read.

    Raises
    ------
    InputError
        Where it cannot be opened, is no regular file, too large, no UTF-8 or no JSON.
    """
    return parse_json(read_text(path, limit), path.name, lenient=lenient)


def parse_json(text: str, file: str, *, lenient: bool = False) -> Json:
    """Return what a JSON text holds; `file` is named in the `InputError` for a text that is none."""
    try:
        decoder = _LENIENT if lenient else _STRICT
        value = decoder.decode(text.removeprefix("\ufeff"))
        halves = _may_hold_halves(text)
        return mended(value, file if not lenient else None) if halves else value
    except RecursionError as error:
        raise InputError("is JSON that is nested too deeply", "get the file again", file=file) from error
    except json.JSONDecodeError as error:
        what = f"is no JSON (line {error.lineno}, column {error.colno})"
        raise InputError(what, "mend it or get the file again", file=file) from error
    except _NumberError as error:
        raise InputError(str(error), "write a finite number, or null", file=file) from error
    except ValueError as error:  # an integer of more than 4,300 digits
        what = "holds an integer that is too long to read"
        raise InputError(what, "mend it or get the file again", file=file) from error


def mended(value: Json, file: str | None = None) -> Json:
    """Return a decoded value whose texts hold no half of a character; with `file`, refuse the first such text."""
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
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _may_hold_halves(text: str) -> bool:
    return "\\ud" in text or "\\uD" in text or any("\ud800" <= letter <= "\udfff" for letter in _wide(text))


def _wide(text: str) -> Iterable[str]:
    """Return the text where it may hold a surrogate as it is, which only text that is not ASCII can."""
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
    value = float(text)
    if not math.isfinite(value):
        raise _NumberError(f"holds the number {text[:40]}, which is too large")
    return value


def _short(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _NumberError(f"holds an integer of {len(text):,} digits")
    return int(text)


def _finite_or_none(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _short_or_none(text: str) -> int | None:
    return int(text) if len(text) <= MAX_DIGITS else None


_STRICT = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, parse_int=_short)
_LENIENT = json.JSONDecoder(
    parse_constant=lambda _: None, parse_float=_finite_or_none, parse_int=_short_or_none, strict=False
)


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "its name is no path"
