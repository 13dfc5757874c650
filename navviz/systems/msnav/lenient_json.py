"""Read JSON that a small model wrote nearly right: fences, words around it, trailing commas,
missing brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from navviz.support.guarded import decode_reply

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|$)", re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")
_CLOSERS = {"{": "}", "[": "]"}
LONGEST = 100_000
"""A reply longer than this is cut before it is read."""


def lenient_object(reply: str | None) -> dict[str, Any] | None:
    """Return the first JSON object of a reply, mended where that is plain; ``None`` where there is
    none to read.
    """
    for text in _candidates((reply or "")[:LONGEST]):
        for tried in (text, _mended(text)):
            try:
                value = decode_reply(tried)
            except ValueError:
                continue
            if isinstance(value, dict):
                return value
    return None


def _candidates(reply: str) -> Iterator[str]:
    """Yield the fenced block, the first balanced braces, and whatever follows the first brace."""
    fenced = _FENCED.search(reply)
    for text in (fenced[1] if fenced else "", reply):
        start = text.find("{")
        if start >= 0:
            balanced = _balanced(text[start:])
            if balanced:
                yield balanced
            yield text[start:]


def _balanced(text: str) -> str | None:
    depth = 0
    for at, char in _outside_strings(text):
        depth += (char == "{") - (char == "}")
        if depth == 0 and char == "}":
            return text[: at + 1]
    return None


def _outside_strings(text: str) -> Iterator[tuple[int, str]]:
    """Characters that are not inside a string, with their places."""
    inside = escaped = False
    for at, char in enumerate(text):
        if inside:
            inside = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            inside = True
        else:
            yield at, char


def _mended(text: str) -> str:
    """Return the text without trailing commas, its open strings and brackets closed."""
    quotes = len(re.findall(r'(?<!\\)"', text))
    whole = text.rstrip() + ('"' if quotes % 2 else "")
    whole = whole.rstrip().rstrip(",")
    opened: list[str] = []
    kept: list[str] = []
    last = 0
    for at, char in list(_outside_strings(whole)):
        if char in _CLOSERS:
            opened.append(_CLOSERS[char])
        elif char in "}]":
            if char not in opened:
                kept.append(whole[last:at])
                last = at + 1
                continue
            while opened[-1] != char:  # a bracket that was forgotten before this one
                kept.append(whole[last:at] + opened.pop())
                last = at
            opened.pop()
    kept.append(whole[last:])
    return _TRAILING.sub(r"\1", "".join(kept) + "".join(reversed(opened)))
