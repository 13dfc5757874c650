"""Where an instruction says that a named place stands: "Duane Reade on your left".

Only sentences that leave no doubt are read: a name, and right after it (or right before it) the
side. Kinds of places ("the bank") are left out, since another one may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from navviz.analysis.described_route import tokens_of
from navviz.analysis.route_turns import Side

SIDE: Final = re.compile(r"\b(left|right)\b", re.IGNORECASE)
OTHER_SIDE: Final = {"left": "right", "right": "left"}
_BETWEEN: Final = re.compile(
    r"\s*+,?\s*+(?:which|that)?\s*+(?:is|should be|will be|would be|now)?\s*+"
    r"(?:now|just|located)?\s*+"
    r"(?:on|to|at)\s++(?:the|your)\s++(?:(?:far|near|immediate)\s++)?(left|right)"
    r"(?P<tail>[ -]hand)?(?:\s+side)?(?P<corner>\s+corner)?\b",
    re.IGNORECASE,
)
_OTHER_FRAME: Final = re.compile(
    r"\s*(?:of\b|and (?:the )?(?:left|right)|or\b|when you\b|after (?:you|the|your|this) turn"
    r"|after turning)",
    re.IGNORECASE,
)
"""What follows a side that is not the walker's own, or holds after a turn."""
_DOUBT: Final = re.compile(
    r"\b(?:too far|across|opposite|behind|if|not|don't|facing|diagonal\w*|between|other side|both"
    r"|before you|ahead|after (?:you|the|your|this) turn\w*|after turning)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[^.;!?]+")


@dataclass(frozen=True, slots=True)
class DescribedSide:
    """A named place with the side on which the instruction puts it."""

    name: str
    start: int
    """First character of the name; `end` is the one after the side."""
    end: int
    side: Side
    side_start: int
    side_end: int


@lru_cache(maxsize=4096)
def described_sides(text: str) -> tuple[DescribedSide, ...]:
    """List the named places whose side an instruction states beyond doubt, in order."""
    return tuple(_described(text))


def _described(text: str) -> Iterator[DescribedSide]:
    for token in tokens_of(text):
        if token.kind != "mention" or "name" not in token.values:
            continue
        # right behind the name: a side further on may be that of something else
        match = _BETWEEN.match(text, token.end)
        if match is None or _OTHER_FRAME.match(text, match.end()):
            continue
        if _DOUBT.search(_sentence_around(text, token.start)):
            continue
        side: Side = "left" if match[1].lower() == "left" else "right"
        name = text[token.start : token.end]
        yield DescribedSide(name, token.start, match.end(), side, match.start(1), match.end(1))


def _sentence_around(text: str, place: int) -> str:
    for sentence in _SENTENCE.finditer(text):
        if sentence.start() <= place < sentence.end():
            return sentence[0]
    return ""
