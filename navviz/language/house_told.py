"""Read an instruction for a house as acts: each verb with its lead and what belongs to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, Literal

_VERB: Final = (
    r"(?:go|walk|turn|take|make|enter|exit|leave|head|continue|pass|cross|climb|ascend|descend|stop"
    r"|stopping|wait|stand|move|proceed|keep|follow|step|veer|bear|hang|come|travel|stay|sit|halt"
    r"|pause|finish|approach|advance|pivot|swing|begin|start|reach|get|remain|hook|end(?! of))\b"
)

_LEAD: Final = (
    r"(?:(?:and|then|now|next|once there|immediately|finally|also|again|slowly|just|please|instead"
    r"|you|you'?ll|will|should|need to|want to|must|have to)\s+)*"
)

_BEGIN: Final = re.compile(
    # after a stop, a comma or a joining word
    rf"(?:^|[.;,!?\n:]|\band\b|\bthen\b)\s*(?P<a>{_LEAD}{_VERB})"
    # a side or a way alone, at the head of a sentence or a part of one
    rf"|(?:^|[.;,!?\n]|\bthen\b)\s*(?P<b>{_LEAD}(?:(?:left|right)(?! (?:before|after|next|side))"
    r"|straight|forward|past|through|into|out of|upstairs|downstairs|(?:up|down) the)\b)"
    # texts without stops
    r"|(?<!\bto)(?<!\bthe)(?<!\byou)(?<!\ba)(?<!\bthen)(?<!\band)(?<!\bnot)(?<!\bthat)(?<!\bsharp)(?<=[a-z])\s"
    r"(?P<c>turn (?:left|right|around)\b|(?:stop|wait) (?:in|at|by|near|next|on|just|when|there"
    r"|here|before|inside|outside|beside|once)\b|(?:walk|go|continue|head) (?:left|right|straight"
    r"|forward|down|up|through|past|into|out)\b|take (?:a|the first|the second) (?:left|right)\b)",
    re.IGNORECASE,
)

_SEEN: Final = re.compile(
    r"[,;.]?\s*(?:\b(?:and|where|then)\s+)?\b(?:look for|you(?:'ll| will| should| can) (?:see|be)"
    r"|there(?:'s| is| are| will)|facing|face|if you are"
    r")\b.*$",
    re.IGNORECASE | re.DOTALL,
)
"""What is seen or faced is no act."""

_STOPS: Final = re.compile(
    r"(?:^|, ?|\band )(?:then |you )*(?:stop|stopping|wait|stand|stay|sit|halt|pause|finish|end"
    r"|remain)\b",
    re.IGNORECASE,
)

_NO_TURN: Final = re.compile(
    r"\b(?:on|along|at|with|by|from) (?:the|your|its) (?:\w+ ){0,2}?(?:left|right)\b"
    r"|(?<!turn )(?<!go )(?<!head )(?<!walk )(?<!move )\bto (?:the|your) (?:left|right)\b"
    r"|\bto (?:the|your) (?:\w+ )?(?:left|right) of\b|\btowards? (?:the|your) (?:left|right)\b"
    r"|\b(?:left|right)[- ]?(?:side|hand|most|wall|of|door\w*|room|one|set|stair\w*|hall\w*)\b"
    r"|(?<!\ba )(?<!turn )(?<!go )\bright (?:before|after|next|in front|at|by|past|there|outside"
    r"|inside|behind|when|ahead)\b"
    r"|\b(?:slight|bear|veer|keep)\w* (?:to the |a (?:little|bit) )?(?:left|right)\b",
    re.IGNORECASE,
)
"""Sides where something lies, and bends that no house tells from straight on."""

_SIDE: Final = re.compile(r"\b(left|right)\b", re.IGNORECASE)

_AROUND: Final = re.compile(r"\bturn(?:ing)? (?:a?round|180|back)\b|\bu[- ]?turn\b", re.IGNORECASE)

_CLIMB: Final = re.compile(
    r"\b(?:(up|ascend|climb)|(down|descend))\b(?: \w+){0,6}? (?:stairs?|staircase|stairway|steps)\b"
    r"|\b(?:(upstairs)|(downstairs))\b",
    re.IGNORECASE,
)

_LEADING: Final = re.compile(
    r",?\s*\b(?:once|when|after|as soon as|upon|at the (?:end|top|bottom))\b[^,]*,\s*$",
    re.IGNORECASE,
)
"""What stands before a comma and leads to the next act."""

_JOINED: Final = re.compile(r"\W*(?:(?:and|then|next|now)\b\W*)*", re.IGNORECASE)

_ENDS: Final = ".;!?\n"


def act_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each act begins and ends: a verb with what leads to it and what belongs to it."""
    verbs = [match.start(match.lastgroup or 0) for match in _BEGIN.finditer(text)]
    begin = max((text.rfind(mark, 0, verbs[0]) for mark in _ENDS), default=-1) + 1 if verbs else 0
    for verb, limit in pairwise((*verbs, len(text))):
        word = re.match(rf"{_LEAD}\w+", text[verb:limit], re.IGNORECASE)
        rest_at = verb + (0 if word is None else word.end())
        rest, following = text[rest_at:limit], limit
        stop, leading = re.search(r"[.;!?\n]", rest), _LEADING.search(rest)
        if stop is not None:
            # the last sentence may lead to the next act, one between says nothing to do
            following = rest_at + max(rest.rfind(mark) for mark in _ENDS) + 1
            rest = rest[: stop.start()]
        elif leading is not None and limit < len(text):
            following, rest = rest_at + leading.start(), rest[: leading.start()]
        seen = _SEEN.search(rest)
        rest = rest if seen is None else rest[: seen.start()]
        rest = re.sub(r"(?:[\s,]|\b(?:and|then|to)\b)+$", "", rest, flags=re.IGNORECASE)
        joined = _JOINED.match(text, begin)
        begin = begin if joined is None else joined.end()
        end = rest_at + len(rest)
        # "go stop by the door" is one act
        if (
            stop is None
            and limit < len(text)
            and re.fullmatch(r"(?:go|walk|turn|move)", text[begin:end], re.IGNORECASE)
        ):
            continue
        yield begin, end
        begin = following


def told_side(text: str) -> Literal["left", "right", "around"] | None:
    """Return the turn that words ask for: ``left``, ``right`` or ``around``."""
    if _AROUND.search(text):
        return "around"
    side = _SIDE.search(_NO_TURN.sub("", text))
    if side is None:
        return None
    return "left" if side[1].lower() == "left" else "right"


def told_climb(text: str) -> int:
    """Return 1 where words lead up stairs, -1 where they lead down, else 0."""
    climb = _CLIMB.search(text)
    if climb is None:
        return 0
    return 1 if climb[1] or climb[3] else -1


def tells_stop(text: str) -> bool:
    """Tell whether words ask to stop."""
    return _STOPS.search(text) is not None
