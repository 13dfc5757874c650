"""Read an instruction for a house as clauses: what it names, which way to turn, where to stop."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Turn = Literal["left", "right", "straight", "around"]

Stairs = Literal["up", "down"]

_SPLIT = re.compile(
    r"[.;!?\n]+|,|\b(?:and then|then|and)\b|(?<!next )(?<!close )\bto (?=the"
    r" (?!left|right|end|top|bottom|far)\b)",
    re.IGNORECASE,
)

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

# "right before the stairs" means just before them
_LEFT, _RIGHT = (
    re.compile(r"\bleft\b"),
    re.compile(r"\bright\b(?!\s+(?:at|by|before|after|next)\b)"),
)

_AROUND = re.compile(r"\b(?:turn around|u-turn|go back|behind you)\b")

_STRAIGHT = re.compile(
    r"\b(?:straight|forward|ahead|onward|keep going|along|down the hall\w*|whole length)\b"
)

_UP = re.compile(r"\b(?:upstairs|climb|ascend|up)\b")

_DOWN = re.compile(r"\b(?:downstairs|descend|down)\b")

_STAIRS = re.compile(r"\b(?:stair\w*|steps|upstairs|downstairs|climb|ascend|descend)\b")

_LEAVE = re.compile(
    r"\b(?:leave|exit|(?:go|step|walk|come) out|out of|away from)\b.*?"
    r"(?:\b(?:by|through|via|into|onto|to)\b(?P<way>.*))?$"
)

_SIDE = re.compile(
    r"\b(?:on|to) (?:the|your) (left|right)\b|\bthe (left|right) (?:door|doorway|room)\b"
)

_PAST = re.compile(r"\b(?:past|pass|passing|by the|along)\b")

_STOP = re.compile(r"\b(?:stop|wait|stand|sit|halt|finish|end)\b")

_SAME = (
    ("sofa", "couch", "settee"),
    ("refrigerator", "fridge", "freezer"),
    ("stair", "stairs", "staircase", "stairway", "steps"),
    ("bathroom", "restroom", "toilet", "washroom"),
    ("lounge", "living"),
    ("hall", "hallway", "corridor", "passage"),
    ("door", "doorway", "entrance", "entry"),
    ("television", "tv"),
    ("painting", "picture", "portrait", "portraits", "photo", "artwork"),
    ("rug", "carpet", "mat"),
    ("cupboard", "cabinet", "closet", "wardrobe"),
    ("sink", "basin", "washbasin", "washstand"),
    ("stove", "oven", "cooker"),
    ("lamp", "light"),
    ("conservatory", "greenhouse"),
)

_STEM: dict[str, str] = {}

for _group in _SAME:
    _STEM |= dict.fromkeys(_group, _group[0])

_DULL_WORDS = """\
a an the this that these those there here it its you your is are be was of to from in into on onto at by with for
    near next beside behind before after past through under over between toward towards until till when where one two
    first second other another all both way go going walk walking turn turning take taking come coming enter entering
    leave leaving exit cross crossing pass passing follow following stop stopping wait stand sit move continue head keep
    left right straight forward ahead up down out front back end side far length whole step find cut half open only side
    has have view look see seen lead leads leading goes room house floor small large big white black red green blue old
    then and or so as again just immediately slightly far which whose who what if not no yes wall walls bare
    ends middle top bottom upstairs downstairs climb descend ascend while along around about some several"""  # noqa: E501

_DULL = frozenset(_DULL_WORDS.split())


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of an instruction."""

    text: str
    words: tuple[str, ...] = ()
    """Rooms, things and openings that it names, reduced to stems."""
    turn: Turn | None = None
    """A turn to make: in the places that it names, or at once."""
    side: Turn | None = None
    """Where its places lie: on the left, on the right."""
    stairs: Stairs | None = None
    leave: bool = False
    """The place one is in is to be left."""
    past: bool = False
    """Its things are passed, not reached."""
    stop: bool = False


def content_words(text: str) -> tuple[str, ...]:
    """Words that name something, reduced: ``couches`` and ``sofa`` are one; in order, each once."""
    stems = (_stem(word) for word in _WORD.findall(text.lower()))
    return tuple(dict.fromkeys(word for word in stems if word not in _DULL and len(word) > 2))


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    if word in _STEM:
        return _STEM[word]
    for ending in ("es", "s"):
        if word.endswith(ending) and word.removesuffix(ending) in _STEM:
            return _STEM[word.removesuffix(ending)]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 4 else word


def read_clauses(instruction: str) -> tuple[Clause, ...]:
    """Read an instruction; what says nothing about the way is left out.

    Text past 4,000 characters is not read.
    """
    clauses = []
    for part in _SPLIT.split(instruction[:4000]):
        text = part.strip()
        lower = text.lower()
        stairs: Stairs | None = None
        if _STAIRS.search(lower) and (_UP.search(lower) or _DOWN.search(lower)):
            stairs = "down" if _DOWN.search(lower) else "up"
        leave = _LEAVE.search(lower)
        stop = bool(_STOP.search(lower))
        side = _side(lower)
        clause = Clause(
            text,
            # the place that one leaves is not looked for, only what one leaves it by
            content_words((leave["way"] or "") if leave else lower),
            # "the door on the left" lies there; it is no turn to make
            None if side else _turn(lower),
            side,
            stairs,
            leave is not None,
            bool(_PAST.search(lower)) and not stop and leave is None,
            stop,
        )
        if clause.words or clause.turn or clause.stairs or clause.leave or clause.stop:
            clauses.append(clause)
    return tuple(clauses)


def _side(lower: str) -> Turn | None:
    match = _SIDE.search(lower)
    if match is None or re.search(r"\bturn\b", lower[: match.start()]):
        return None
    return "left" if "left" in match[0] else "right"


def _turn(lower: str) -> Turn | None:
    if _AROUND.search(lower):
        return "around"
    left, right = _LEFT.search(lower), _RIGHT.search(lower)
    if left or right:
        return "left" if left and (not right or left.start() < right.start()) else "right"
    return "straight" if _STRAIGHT.search(lower) else None
