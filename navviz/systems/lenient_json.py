"""Read JSON that a small model wrote nearly right: fences, words around it, trailing commas,
missing brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from navviz.support.brackets import CLOSERS, balanced, marks
from navviz.support.guarded import decode_reply

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|$)", re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")
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
    # within the fence first: the words around it may hold braces of their own
    for text in (fenced[1] if fenced else "", reply):
        start = text.find("{")
        if start >= 0:
            whole = balanced(text)
            if whole:
                yield whole
            yield text[start:]


def _mended(text: str) -> str:
    """Return the text without trailing commas, its open strings and brackets closed."""
    quotes = len(re.findall(r'(?<!\\)"', text))
    # the open text is closed first: `marks` finds no brackets within a text
    whole = text.rstrip() + ('"' if quotes % 2 else "")
    whole = whole.rstrip().rstrip(",")
    opened: list[str] = []
    kept: list[str] = []
    last = 0
    for at, char in marks(whole):
        if char in CLOSERS:
            opened.append(CLOSERS[char])
        elif char in "}]":
            # a closing bracket without an opening one is dropped
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
