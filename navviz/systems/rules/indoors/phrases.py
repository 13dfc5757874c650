"""An instruction for a house as phrases: short pieces that each speak of one place or one
movement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

LONGEST_TEXT = 4000
"""Text past this many characters is not read."""
MOST_PHRASES = 14
"""What comes after this many phrases is read as part of the last one."""

# "next to the" and "close to the" belong to what they follow, "to the left" and "to the end" are
# movements: no phrase begins there; the last alternative takes no text, so that its word stays at
# the head of the phrase
_SPLIT = re.compile(
    r"[.;!?\n]+|,|\b(?:and then|then|and)\b|(?<!next )(?<!close )\bto (?=the"
    r" (?!left|right|end|top|bottom|far)\b)"
    r"|\b(?=(?:until|into|through|past|passed|toward|towards)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+(?:'s)?")
_ALONE = frozenset({"the", "go", "walk", "it", "you"})
"""Words that say nothing alone: they belong to the phrase before."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One piece of an instruction."""

    text: str
    stems: tuple[str, ...]

    @property
    def features(self) -> tuple[str, ...]:
        """Its stems, and each two that follow one another; in order, each once."""
        pairs = (f"{a} {b}" for a, b in pairwise(self.stems))
        return tuple(dict.fromkeys((*self.stems, *pairs)))


def stems(text: str) -> list[str]:
    """Words in lower case, without the ending of the plural and the possessive."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    # "bus" and "glass" keep their s
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def read_phrases(instruction: str) -> tuple[Phrase, ...]:
    """Part an instruction into phrases; pieces without a word are dropped."""
    phrases: list[Phrase] = []
    for piece in _SPLIT.split(instruction[:LONGEST_TEXT]):
        words = tuple(stems(piece))
        joined = len(phrases) >= MOST_PHRASES or (len(words) == 1 and words[0] in _ALONE)
        if words and joined and phrases:
            phrases[-1] = Phrase(f"{phrases[-1].text} {piece.strip()}", phrases[-1].stems + words)
        elif words:
            phrases.append(Phrase(piece.strip(), words))
    return tuple(phrases)
