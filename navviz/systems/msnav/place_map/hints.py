"""MSNav's main failure, seen in a trace: a stop too early, at a place that looks like the guessed
destination.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from navviz.systems.msnav.marking import lemma
from navviz.systems.spatial import SpatialReading

_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = frozenset(
    [
        "about",
        "above",
        "across",
        "against",
        "along",
        "also",
        "another",
        "area",
        "around",
        "before",
        "behind",
        "below",
        "beside",
        "between",
        "beyond",
        "center",
        "centre",
        "close",
        "contains",
        "corner",
        "destination",
        "directly",
        "each",
        "early",
        "features",
        "following",
        "from",
        "front",
        "have",
        "here",
        "include",
        "includes",
        "including",
        "inside",
        "instruction",
        "into",
        "just",
        "layout",
        "leading",
        "likely",
        "located",
        "location",
        "main",
        "middle",
        "near",
        "nearby",
        "next",
        "objects",
        "opposite",
        "other",
        "over",
        "place",
        "placed",
        "possibly",
        "probably",
        "right",
        "left",
        "room",
        "same",
        "side",
        "some",
        "space",
        "spatial",
        "standing",
        "stop",
        "that",
        "their",
        "them",
        "then",
        "there",
        "these",
        "thing",
        "this",
        "those",
        "through",
        "toward",
        "towards",
        "typically",
        "where",
        "which",
        "while",
        "will",
        "with",
        "within",
    ]
)


def early_stop(
    reading: SpatialReading, read: Iterable[str], thoughts: Iterable[str], last: str
) -> tuple[list[str], list[str]]:
    """Return what speaks for a stop that came too early."""
    met = _lemmas(" ".join([*read, *thoughts]))
    # a name of short words alone has no lemma here, and is never called missing
    missing = [name for name in reading.direct if not _lemmas(name) <= met]
    guess = f"{reading.layout} {' '.join(reading.potential)}"
    guessed = dict.fromkeys(word.lower() for word in _WORD.findall(guess))
    # words of the direct objects prove nothing: the thought may speak of these alone
    telling = _lemmas(last) - _lemmas(" ".join(reading.direct))
    quoted = [word for word in guessed if word not in _COMMON and lemma(word) in telling]
    return missing, quoted


def _lemmas(text: str) -> set[str]:
    return {lemma(word) for word in _WORD.findall(text)}
