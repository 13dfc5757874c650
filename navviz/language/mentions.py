"""Names of places in an instruction, found without a model.

Good enough to look at a context or to run the ablations that have no planning call; a model finds
more. Two kinds of phrases are taken, as they stand in the text: proper names (runs of capitalised
words) and generic places of a list.
"""

from __future__ import annotations

import re

QUERIES = dict.fromkeys(("light", "lights", "traffic light", "traffic lights"), "traffic signals")
"""What `navviz.systems.groke.prompts.landmarks.ground` should look for instead of a name, in lower
case.
"""

_GENERIC = """
traffic lights|traffic light|lights|light|traffic signals|stop sign|bus stop|bike rental|
bicycle rental|bike share|bicycle parking|parking garage|parking lot|post office|police station|
fire station|subway entrance|subway station|coffee shop|grocery store|liquor store|book store|
bookstore|ice cream shop|dry cleaners|nail salon|hair salon|pizza place|pizzeria|fast food place|
car rental|gas station|playground|pharmacy|hospital|library|museum|theatre|theater|cinema|
supermarket|restaurant|fountain|school|church|hotel|hostel|bakery|florist|garden|plaza|square|
park|bank|cafe|deli|diner|gym|pub|bar|atm
""".replace("\n", "")

_GENERIC_PATTERN = re.compile(rf"\b(?:{_GENERIC})s?\b", re.IGNORECASE)

_WORD = r"[A-Z0-9][\w'’&.-]*"
_NAME = re.compile(rf"{_WORD}(?:\s+(?:(?:of|the|de|la|le|&)\s+)?{_WORD})*")

_ORDINARY_WORDS = """
    a after again ahead all along and another are as at before begin both by continue cross cut
    don't down end enter exit face find first follow for forward four from go going halfway
    head if immediately in it it's just keep left look make move next north northeast northwest
    now of on once one opposite orient pass past proceed reach right second should south
    southeast southwest start stop straight take that the then there there's third this three
    through to toward towards turn two until up veer wait walk walking when with you you'll
    you're your yourself east west t
"""
_ORDINARY = frozenset(_ORDINARY_WORDS.split())

_LINKING = frozenset(("of", "the", "de", "la", "le", "&"))
"""Words within a name."""
_TITLE_WORDS = "st dr mt ft mr mrs ms prof gen gov sgt capt rev no"
_TITLES = frozenset(_TITLE_WORDS.split())
"""Short forms that begin a name. Behind a name, ``St.`` is a street: "Main St. Starbucks is"."""
_INNER = frozenset(("bros",))
"""Short forms that a name goes on behind."""
_BEARINGS = ("N.", "E.", "S.", "W.")
_WORDS = re.compile(r"\S+")
_INITIALS = re.compile(r"(?:[A-Z]\.)+")


def landmark_names(instruction: str) -> tuple[str, ...]:
    """Places that an instruction names, in the order of the text, each once, written as there."""
    places: list[tuple[int, str]] = []
    named: list[tuple[int, int]] = []
    for match in _NAME.finditer(instruction):
        # a run of capitals may reach over a full stop: "Broadway. Starbucks is on the corner"
        for at, words in _sentences(match):
            name = _without_ordinary(words)
            if name:
                places.append((at, name))
                named.append((at, at + len(" ".join(words))))
    for match in _GENERIC_PATTERN.finditer(instruction):
        # "Park" of "Central Park" is no further place
        at = match.start()
        if not any(start <= at < end for start, end in named):
            places.append((at, match.group()))
    names: dict[str, str] = {}
    for _, name in sorted(places):
        names.setdefault(name.lower(), name)
    return tuple(names.values())


def _sentences(match: re.Match[str]) -> list[tuple[int, list[str]]]:
    """Split a run of capitalised words where a sentence ends; each part with its place."""
    words = [
        (match.start() + word.start(), word.group()) for word in _WORDS.finditer(match.group())
    ]
    parts: list[tuple[int, list[str]]] = []
    is_new = True
    for k, (at, word) in enumerate(words):
        if is_new:
            parts.append((at, []))
        part = parts[-1][1]
        following = words[k + 1][1] if k + 1 < len(words) else ""
        is_new = word.endswith(".") and not _name_continues(part, word, following)
        part.append(word)
    return parts


def _name_continues(before: list[str], word: str, following: str) -> bool:
    """Tell whether a name goes on behind a word with a full stop, which may be a short form."""
    if following.strip(".").lower() in _ORDINARY:
        return False
    last = before[-1].lower() if before else ""
    begins = not last or last in _LINKING or last in _ORDINARY
    short = word[:-1].lower()
    if _INITIALS.fullmatch(word):
        # "Head W. Starbucks is": a bearing, unless a numbered street follows
        return last not in _ORDINARY or word not in _BEARINGS or following[0].isdigit()
    return short in _INNER or (short in _TITLES and begins)


def _without_ordinary(words: list[str]) -> str:
    """Return capitalised words of one sentence without those that only begin it."""
    # behind the last word a full stop ends the sentence; any other one belongs to a short form
    words = [*words[:-1], words[-1].rstrip(".")]
    while words and (words[0].lower() in _ORDINARY or words[0].isdigit()):
        words.pop(0)
    while words and (words[-1].lower() in _ORDINARY or words[-1].isdigit()):
        words.pop()
    name = " ".join(words)
    return name if len(name) > 1 else ""
