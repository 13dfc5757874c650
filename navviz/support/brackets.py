"""Brackets of JSON that is not whole: cut off, wrapped in other text, or written nearly right.

One scanner for all who look for brackets: it skips texts, in which brackets and quotes may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

CLOSERS = {"{": "}", "[": "]"}
# a text is taken as a whole, and one without an end up to the end: scanning letter by letter in
# Python took 20 ms for the head of a file, this takes 3 ms
_MARK = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\],]', re.DOTALL)


def marks(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield brackets and commas that are in no text, with their places."""
    for mark in _MARK.finditer(text, start):
        letter = mark[0]
        if letter[0] != '"':
            yield mark.start(), letter


def balanced(text: str) -> str:
    """Return the first object, from its brace to the one that closes it; empty where none does."""
    start = text.find("{")
    depth = 0
    for at, letter in marks(text, start) if start >= 0 else ():
        depth += (letter == "{") - (letter == "}")
        if depth == 0 and letter == "}":
            return text[start : at + 1]
    return ""


def objects(text: str) -> list[str]:
    """Return objects that follow each other with blanks between; none where other text does."""
    whole: list[str] = []
    depth = start = end = 0
    for at, letter in marks(text):
        if letter not in "{}":
            continue
        if depth == 0 and text[end:at].strip():
            return []
        start = at if depth == 0 else start
        depth += 1 if letter == "{" else -1
        if depth == 0:
            end = at + 1
            whole.append(text[start:end])
    return whole if depth == 0 and not text[end:].strip() else []


def closed(text: str) -> str:
    """Return JSON that was cut off up to its last whole value, with brackets closed.

    A comma ends a value, so the text up to the last comma holds whole values alone.
    """
    open_brackets: list[str] = []
    cut, closers = 0, ""
    for place, letter in marks(text):
        if letter in CLOSERS:
            open_brackets.append(CLOSERS[letter])
        elif letter == ",":
            cut, closers = place, "".join(reversed(open_brackets))
        # this one closes what was never opened: what follows is no part of the value
        elif not open_brackets:
            break
        else:
            open_brackets.pop()
    return text[:cut] + closers
