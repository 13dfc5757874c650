"""Mark the objects that matter in a text, as MSNav's detector draws boxes around them in a picture.

The stand-in for YOLO-World (Liu et al. 2025): a name of the text is marked like ``*chair*`` where
it matches an object of the instruction - equal but for the plural, or with a similarity of
rapidfuzz of at least 90. Objects that the instruction names come first, at most 4 in a view.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

MOST = 4
"""Most marks in a view: the published code draws at most four boxes."""
SIMILARITY = 90.0
"""RapidFuzz ratio in percent from which two object names are one (plural, hyphen, a typing error).
"""
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with its marks."""

    text: str
    names: tuple[str, ...] = ()
    """The objects that were marked, as the instruction names them, in the order of the text."""


def lemma(name: str) -> str:
    """Return a name in lower case, its last word in the singular."""
    words = [word.lower() for word in _WORD.findall(name)]
    return " ".join([*words[:-1], _singular(words[-1])]) if words else ""


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    # glass, cactus and iris are no plurals
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def mark_objects(
    text: str, direct: Sequence[str], potential: Sequence[str], most: int = MOST
) -> Marked:
    """Mark the first places where a text names the objects."""
    words = list(_WORD.finditer(text))
    spans: list[tuple[int, int, str]] = []
    for name in dict.fromkeys([*direct, *potential]):
        for start, end in _places(name, words, text):
            # a word that is marked already belongs to the more important object
            if len(spans) < most and all(end <= a or b <= start for a, b, _ in spans):
                spans.append((start, end, name))
    # found in the order of importance, written in the order of the text
    spans.sort()
    marked, done = [], 0
    for start, end, _ in spans:
        marked += [text[done:start], f"*{text[start:end]}*"]
        done = end
    return Marked("".join([*marked, text[done:]]), tuple(name for _, _, name in spans))


def _places(name: str, words: Sequence[re.Match[str]], text: str) -> list[tuple[int, int]]:
    """Where a text names an object: runs of as many words."""
    wanted = lemma(name)
    length = len(_WORD.findall(name))
    if not wanted:
        return []
    runs = [(words[k].start(), words[k + length - 1].end()) for k in range(len(words) - length + 1)]
    return [(a, b) for a, b in runs if _same(wanted, lemma(text[a:b]))]


def _same(wanted: str, lemmas: str) -> bool:
    return wanted == lemmas or fuzz.ratio(wanted, lemmas) >= SIMILARITY
