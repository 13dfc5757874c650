"""The beginning of a large JSON file as a document: what is whole of it, its brackets closed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from navviz.errors import InputError
from navviz.formats.files import head_of
from navviz.support.guarded import Json, head_decoded, parse_json

HEAD_CHARACTERS = 1 << 16
"""Enough for the first entries of the logs that are known; scanned in 20 ms."""
_CLOSERS = {"{": "}", "[": "]"}


def head_document(path: Path) -> Json:
    """Return the first values of a JSON file; ``None`` where not one is whole."""
    state = path.stat()
    return _head(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _head(path: Path, _mtime_ns: int, _size: int) -> Json:
    text = head_decoded(head_of(path)[:HEAD_CHARACTERS]).lstrip("\ufeff \t\r\n")
    for attempt in (text, closed(text)):
        try:
            return parse_json(attempt, path.name, lenient=True)
        except InputError:
            continue
    return None


def closed(text: str) -> str:
    """Return JSON that was cut off up to its last whole value, with brackets closed.

    A comma ends a value, so the text up to the last comma holds whole values alone.
    """
    open_brackets: list[str] = []
    cut, closers = 0, ""
    in_text = escaped = False
    for place, letter in enumerate(text):
        if in_text:
            in_text = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            in_text = True
        elif letter in _CLOSERS:
            open_brackets.append(_CLOSERS[letter])
        elif letter in "}]":
            if not open_brackets:
                break
            open_brackets.pop()
        elif letter == ",":
            cut, closers = place, "".join(reversed(open_brackets))
    return text[:cut] + closers
