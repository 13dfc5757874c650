"""A small language of paths into a JSON document: ``episodes[*].steps[0].pose``.

``name`` and ``"a name"`` take a key, ``[3]`` an index (``[-1]`` the last), ``[3:7]`` a part of a
list, ``[*]`` every item of a list, ``{key}`` every value of an object; the empty path is the
document. Nothing is evaluated, and there are no patterns. The word in ``{scene}`` names the key
that was taken there, for whoever asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from navviz.support.guarded import Json

MOST_CHARACTERS = 300
MOST_PARTS = 24
"""Deeper paths are refused; the deepest that a published log needs has 7."""
_BARE = re.compile(r"[^.\[\]{}\"]+")
_INDEX = re.compile(r"-?\d{1,9}")
_SLICE = re.compile(r"(\d{1,9}):(\d{1,9})")


@dataclass(frozen=True, slots=True)
class PathPart:
    """One part of a path."""

    kind: Literal["key", "index", "slice", "items", "values"]
    key: str = ""
    start: int = 0
    stop: int = 0


PathParts = tuple[PathPart, ...]
Keys = tuple[tuple[str, str], ...]


@lru_cache(maxsize=1024)
def parse_path(text: str) -> PathParts:
    """Return the parts of a path; raises `ValueError` where it is none."""
    # before it is parsed: paths of strangers are cached, too
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a path has at most {MOST_CHARACTERS} characters")
    parts: list[PathPart] = []
    at = 0
    while at < len(text):
        if text[at] == ".":
            # "a..b" and "a." are typing errors, and would silently find nothing
            if not parts or text[at + 1 : at + 2] in {"", ".", "["}:
                raise ValueError(f"{text!r} has a dot without a name")
            at += 1
        part, at = _part(text, at)
        parts.append(part)
    if len(parts) > MOST_PARTS:
        raise ValueError(f"a path has at most {MOST_PARTS} parts")
    return tuple(parts)


def _part(text: str, at: int) -> tuple[PathPart, int]:
    closer = {"[": "]", "{": "}", '"': '"'}.get(text[at])
    if closer is None:
        match = _BARE.match(text, at)
        if match is None:
            raise ValueError(f"{text!r} has a bracket without its partner")
        return PathPart("key", match[0]), match.end()
    end = text.find(closer, at + 1)
    if end < 0:
        raise ValueError(f"{text!r} has a {text[at]} that does not end")
    inner = text[at + 1 : end]
    if closer == '"':
        return PathPart("key", inner), end + 1
    if closer == "}":
        return PathPart("values", inner), end + 1
    return _bracket(inner, text), end + 1


def _bracket(inner: str, text: str) -> PathPart:
    if inner == "*":
        return PathPart("items")
    if _INDEX.fullmatch(inner):
        return PathPart("index", start=int(inner))
    match = _SLICE.fullmatch(inner)
    if match is None:
        raise ValueError(f"{text!r} has [{inner}]; write [*], [0], [-1] or [3:7]")
    return PathPart("slice", start=int(match[1]), stop=int(match[2]))


def entries(value: Json, path: PathParts) -> Iterator[tuple[str, Json]]:
    """Yield what a path leads to, each with the last key or index that it took of many.

    Every item of a list gives something, ``None`` where the rest of the path is missing, so that
    two paths through one list stay aligned.
    """
    for name, _, item in keyed_entries(value, path):
        yield name, item


def keyed_entries(
    value: Json, path: PathParts, name: str = "", keys: Keys = ()
) -> Iterator[tuple[str, Keys, Json]]:
    """Yield the same, each with the keys that its ``{name}`` parts took: name and key."""
    if not path:
        yield name, keys, value
        return
    part, rest = path[0], path[1:]
    if part.kind == "items":
        # of another type it is no error: entries of one log differ
        items = value if isinstance(value, list) else []
        for number, item in enumerate(items):
            yield from keyed_entries(item, rest, str(number), keys)
    elif part.kind == "values":
        pairs = value if isinstance(value, dict) else {}
        for key, item in pairs.items():
            yield from keyed_entries(item, rest, str(key), (*keys, (part.key, str(key))))
    else:
        yield from keyed_entries(_taken(value, part), rest, name, keys)


def _taken(value: Json, part: PathPart) -> Json:
    if part.kind == "key":
        return value.get(part.key) if isinstance(value, dict) else None
    if not isinstance(value, list):
        return None
    if part.kind == "slice":
        return value[part.start : part.stop]
    # a missing item is None, so that two paths through one list stay aligned
    return value[part.start] if -len(value) <= part.start < len(value) else None


def first_value(value: Json, text: str) -> Json:
    """Return the first thing that a path leads to; ``None`` where there is none."""
    return next((each for _, each in entries(value, parse_path(text))), None)


def series(value: Json, text: str) -> list[Json]:
    """Return all that a path leads to; a path to one list gives its items."""
    path = parse_path(text)
    if [part.kind for part in path] == ["key", "items", "key"]:
        # rows of a table, a million of them: the way for all paths takes twenty times as long
        rows = _taken(value, path[0])
        return [_taken(row, path[2]) for row in rows] if isinstance(rows, list) else []
    values = [each for _, each in entries(value, path)]
    spread = any(part.kind in {"items", "values"} for part in path)
    if not spread:
        only = values[0] if values else None
        return only if isinstance(only, list) else []
    return values


def key_text(key: str) -> str:
    """Return a key as it is written in a path; quoted where it holds dots or brackets."""
    return key if _BARE.fullmatch(key) else f'"{key}"'


def joined(path: str, part: str) -> str:
    """Return a path with one more part, such as ``name``, ``[*]`` or ``{key}``."""
    return path + part if not path or part.startswith("[") else f"{path}.{part}"
