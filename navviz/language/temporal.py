"""Temporal relations in an instruction (Ma et al. 2025, Table 6), as tags for any data set.

| relation              | cues                                  | meaning                    |
|-----------------------|---------------------------------------|----------------------------|
| conditional immediacy | once, as soon as, upon                | B at once when A holds     |
| bounded duration      | until, while                          | go on with A until B       |
| forward sequential    | then, finally, before, after          | said first, done first     |
| backward sequential   | before, after at the head of a clause | said first, done second    |

The tags go by the words alone. The paper's subsets are narrower, and their sizes are not published:
a rate by tag is not a row of its table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from navviz.language.readable import readable


class Relation(StrEnum):
    """How two parts of an instruction stand in time."""

    IMMEDIACY = "conditional immediacy"
    DURATION = "bounded duration"
    FORWARD = "forward sequential"
    BACKWARD = "backward sequential"


@dataclass(frozen=True, slots=True)
class RelationTag:
    """One cue in an instruction."""

    relation: Relation
    cue: str
    start: int
    """Characters of the instruction, `end` not included."""
    end: int

    @property
    def label(self) -> str:
        """As filters show it: ``until``, ``before (at the head)``."""
        return f"{self.cue} (at the head)" if self.relation is Relation.BACKWARD else self.cue


# whole words: "afterwards" and "beforehand" are no cues
_CUES = re.compile(
    r"\b(once|as soon as|upon|until|while|then|finally|before|after)\b", re.IGNORECASE
)
_RELATIONS = {
    "once": Relation.IMMEDIACY,
    "as soon as": Relation.IMMEDIACY,
    "upon": Relation.IMMEDIACY,
    "until": Relation.DURATION,
    "while": Relation.DURATION,
    "then": Relation.FORWARD,
    "finally": Relation.FORWARD,
    "before": Relation.FORWARD,
    "after": Relation.FORWARD,
}
_AT_HEAD = re.compile(
    r"(?:^|[.,;:!?\n]|\b(?:and|but|then))\s*(?:(?:just|right|immediately)\s+)?$", re.IGNORECASE
)
_GOES_ON = re.compile(r"\s++(?:that|this)\b(?!\s+\w)|\s++(?:that|this)\s*+,", re.IGNORECASE)
"""``after that``: what was said before it is done before it."""


def relation_tags(instruction: str) -> tuple[RelationTag, ...]:
    """All cues of an instruction in order; whole words, whatever their case."""
    text = readable(instruction)
    return tuple(_tag(text, cue) for cue in _CUES.finditer(text))


def _tag(instruction: str, cue: re.Match[str]) -> RelationTag:
    word = cue[1].lower()
    relation = _RELATIONS[word]
    at_head = (
        word in {"before", "after"} and _AT_HEAD.search(instruction[: cue.start()]) is not None
    )
    if at_head and not _GOES_ON.match(instruction, cue.end()):
        relation = Relation.BACKWARD
    return RelationTag(relation, word, cue.start(), cue.end())
