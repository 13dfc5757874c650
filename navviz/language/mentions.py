"""Names of places in an instruction, found without a model.

Good enough to look at a context or to run the ablations that have no planning call; a model finds
more. Two kinds of phrases are taken, as they stand in the text: proper names (runs of capitalised
words) and generic places of a list.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

from navviz.records import Call, Trace
from navviz.support.cut_texts import cut_text

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


LONGEST_READ: Final = 4_000
"""The worst pattern takes a second for it."""

LONGEST_REPLY: Final = 20_000
"""Of a model; what it decided stands long before."""

LONGEST_ANSWER: Final = 50_000
"""Of the thoughts or the reply of one call, where a finished walk is analysed."""


def readable_trace(trace: Trace) -> Trace:
    """Return a trace whose thoughts and replies are of a length that can be analysed.

    It is the trace itself where nothing is longer; the record keeps the whole texts.
    """
    plan_calls = _readable_calls(trace.plan_calls)
    steps = []
    for step in trace.steps:
        calls = _readable_calls(step.calls)
        steps.append(step if calls is step.calls else step.model_copy(update={"calls": calls}))
    pairs = zip((plan_calls, *steps), (trace.plan_calls, *trace.steps), strict=True)
    if all(read is whole for read, whole in pairs):
        return trace
    return trace.model_copy(update={"plan_calls": plan_calls, "steps": tuple(steps)})


def _readable_calls(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Return calls with bounded texts; the same tuple where none is too long."""
    read = []
    for call in calls:
        texts = {"thoughts": call.thoughts or "", "reply": call.reply or ""}
        long = {name: text for name, text in texts.items() if len(text) > LONGEST_ANSWER}
        cut = {name: cut_text(text, LONGEST_ANSWER) for name, text in long.items()}
        read.append(call.model_copy(update=cut) if cut else call)
    return calls if all(a is b for a, b in zip(calls, read, strict=True)) else tuple(read)


def readable(text: str, most: int = LONGEST_READ) -> str:
    """Return the beginning of a text, as far as it is searched for words."""
    return text[:most]


_MARKS: Final = re.escape(
    "".join(chr(code) for code in range(0x300, 0xFE30) if unicodedata.category(chr(code))[0] == "M")
)
"""Vowel signs and accents: Python counts those of Hindi, Thai and Arabic as no part of a word."""

_JOINERS: Final = "\u200c\u200d"
"""They stand within words of Persian and Hindi."""

_LATIN: Final = re.compile(r"(?<!\w)[a-z]{3,}(?!\w)")
"""Whole words: parts of a node's id such as ``8a42cd`` are none."""

_SEARCH_WORD: Final = re.compile(
    rf"(?<![\w{_MARKS}])[^\W\d_](?:[^\W\d_]|[{_MARKS}{_JOINERS}])*(?![\w{_MARKS}])"
)

_NO_BLANKS: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff]+"
)

_SHORT_WORDS: Final = "\u0590"
"""From Hebrew on a word of two letters may say as much as *bus* does."""


def search_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order; short ones are left out.

    Of Latin, Greek and Cyrillic words those of one and two letters are left out, of other scripts
    single letters.
    """
    text = text.lower()
    if text.isascii():
        return _LATIN.findall(text)
    # one letter may be written as one sign or as a letter and its accent
    text = unicodedata.normalize("NFC", text)
    words: list[str] = []
    for run in _NO_BLANKS.findall(text):
        words += [first + second for first, second in pairwise(run)]
    words += [word for word in _SEARCH_WORD.findall(_NO_BLANKS.sub(" ", text)) if _is_long(word)]
    return words


def _is_long(word: str) -> bool:
    letters = sum(letter.isalpha() for letter in word)
    return letters >= (3 if word[0] < _SHORT_WORDS else 2)
