"""The beginning of a large JSON file as a document: what is whole of it, its brackets closed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from navviz.errors import InputError
from navviz.formats.files import head_of
from navviz.support.brackets import closed
from navviz.support.guarded import Json, head_decoded, parse_json

HEAD_CHARACTERS = 1 << 16
"""Enough for the first entries of the logs that are known; scanned in 3 ms."""


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
