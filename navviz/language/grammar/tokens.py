"""From instruction text to typed tokens: the vocabulary of the grammar.

Names are found first, in the original spelling (capitals), and masked, so that the vocabulary never
reads inside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from navviz.language.grammar.vocabulary import (
    NUMBERS,
    ORDINALS,
    STARTERS,
    TokenKind,
    compile_vocabulary,
)
from navviz.support.guarded import natural

MAX_CHARACTERS = 6_000
"""Text beyond this is not read: no real instruction is as long, and reading time must stay bounded.
"""


@dataclass(frozen=True, slots=True)
class Token:
    """One typed piece of a sentence."""

    kind: TokenKind
    text: str
    start: int
    end: int
    sentence: int
    values: dict[str, str | int | None] = field(default_factory=dict)


_CAPITAL = r"(?:\d+(?:st|nd|rd|th)?\s+(?=[A-Z]))?[A-ZÀ-Ý0-9](?:[\w'’&./+-]|(?<=\w)[!](?=\w))*"
_LINK = r"(?:\s+(?:of|the|de|la|le|du|von|on|for|in|and|&|at|by|to|y|et|n|a)(?=\s))*"
_NAME = re.compile(rf"(?<![\w'’]){_CAPITAL}(?:(?:{_LINK}|\s*[-–]|\s*&)\s*{_CAPITAL})*")

_MASTER, _MEANING = compile_vocabulary()
_T_JUNCTION = re.compile(r"\b[TY](?=[- ](?:inter|junc|cross|shaped|street)|'?s\b)")
_SENTENCE_VERB = re.compile(
    r"\s*([A-Z][a-z]+)\s+(?=(?:the|an?|to|your|straight|down|up|past|through|at|on|into|towards?|forward|left|right|this|that|"
    r"until|along|ahead|one|two|three|all|by|from|for|after|before)\b)"
)
# abbreviations and initials end no sentence: "St. Mark's", "Dr. Smith", "J. Crew"
_SENTENCE_END = re.compile(
    r"(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bAve)(?<!\bCo)(?<!\b[A-Z])[.!?]+(?=\s|$)|\n+"
)


@lru_cache(maxsize=64)
def tokenize(text: str) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """Typed tokens of an instruction, in order, and the names that were masked (a mention's
    ``name`` indexes them).

    Kept for the last few texts: the rules, the turns and the sides of one episode read the same.
    """
    # \x01 and \x02 enclose the marks of masked names; in the text itself they would be read as
    # marks
    text = text[:MAX_CHARACTERS].replace("’", "'").replace("\x01", " ").replace("\x02", " ")
    # a single capital would be taken for a name
    text = _T_JUNCTION.sub(lambda match: match.group().lower(), text)
    tokens: list[Token] = []
    names: list[str] = []
    for sentence, (start, end) in enumerate(_sentences(text)):
        masked, origin = _mask_names(text[start:end], names)
        tokens += _sentence_tokens(
            masked.lower(), [start + k for k in origin], text, sentence, names
        )
    return tuple(tokens), tuple(names)


def _sentences(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for stop in _SENTENCE_END.finditer(text):
        spans.append((start, stop.start()))
        start = stop.end()
    spans.append((start, len(text)))
    return [(a, b) for a, b in spans if text[a:b].strip()]


def _mask_names(sentence: str, names: list[str]) -> tuple[str, list[int]]:
    """Replace capitalised names by numbered marks; also give each character's place."""
    pieces, origin, done = [], list[int](), 0
    for match in _NAME.finditer(sentence):
        start, end = _trim(sentence, match.start(), match.end())
        if start >= end:
            continue
        mark = f"\x01{len(names)}\x02"
        names.append(sentence[start:end])
        pieces += [sentence[done:start], mark]
        # every character of a mark points to where its name begins; the character behind it points
        # behind the name, which gives the token's end
        origin += [*range(done, start), *([start] * len(mark))]
        done = end
    return "".join(pieces) + sentence[done:], origin + list(range(done, len(sentence) + 1))


def _trim(sentence: str, start: int, end: int) -> tuple[int, int]:
    """Take words that only begin a sentence or bind names off both ends of a capitalised run."""
    first = _SENTENCE_VERB.match(sentence) if not sentence[:start].strip() else None
    if first is not None and start < first.end(1) <= end:
        start = min(end, first.end())
    while start < end:
        word = re.match(r"\S+", sentence[start:end])
        text = word.group() if word else ""
        bare = text.lower().strip(".,!-")
        if (
            bare in STARTERS
            or bare.isdigit()
            # an ordinal alone counts a place; before more capitals it is part of a name ("Third
            # Avenue")
            or (bare in ORDINALS and end - start == len(text))
            or re.fullmatch(r"\d/\d|t-.*|\d-way", bare)
        ):
            start += len(text)
            start += len(sentence[start:end]) - len(sentence[start:end].lstrip())
        else:
            break
    while end > start and sentence[end - 1] in " .,-–&":
        end -= 1
    return start, end


def _sentence_tokens(
    lowered: str, origin: list[int], text: str, sentence: int, names: list[str]
) -> list[Token]:
    tokens = []
    for match in _MASTER.finditer(lowered):
        if match.end() == match.start():
            continue
        # each kind is one outer group, which closes last; all groups as a dictionary for each word
        # took a tenth of the reading
        outer = match.lastgroup or ""
        kind, value = _MEANING[outer]
        start, end = origin[match.start()], origin[min(match.end(), len(origin) - 1)]
        values: dict[str, str | int | None] = {}
        shown = text[start:end].strip()
        if outer == "mask":
            number = int(match["mask_id"])
            values, shown = {"name": number}, names[number]
        elif kind == "mention":
            values = {"category": value}
        elif kind == "place":
            values = {
                "place": value,
                **_modifiers(
                    match.group() if value == "one" else match[f"mod_{value}"] or "", match.group()
                ),
            }
        elif kind == "turn":
            values = _turn(match.groupdict())
        elif kind in ("side", "corner"):
            values = _position(kind, match.groupdict())
        elif kind == "building":
            values = {
                "nth": ORDINALS.get(match["nth"] or ""),
                "last": int((match["nth"] or "") in ("last", "final")),
            }
        tokens.append(Token(kind, shown, start, max(end, start), sentence, values))
    return tokens


_NEW = ("next", "following", "another", "more", "other", "upcoming", "subsequent")


def _modifiers(words: str, whole: str) -> dict[str, str | int | None]:
    parts = words.split()
    ordinal = next((ORDINALS[word] for word in parts if word in ORDINALS), None)
    count = next(
        (number for word in parts if (number := NUMBERS.get(word) or natural(word)) is not None),
        None,
    )
    new = any(word in _NEW for word in parts)
    pointing = any(word in ("that", "this", "those", "these", "same") for word in parts)
    return {
        "ordinal": ordinal,
        "count": min(count, 12) if count else None,
        "new": int(new),
        "that": int(pointing),
        "immediate": int("immediate" in words or "quick" in words),
        "last": int("last" in parts or "final" in parts),
        "double": int("double" in whole or "pair of" in whole),
        # "left-hand" and "right-hand" are hands, too
        "hand": next(
            (word[:5].rstrip("-") for word in parts if word.startswith(("left", "right"))), None
        ),
    }


def _turn(groups: dict[str, str | None]) -> dict[str, str | int | None]:
    verb = (
        next((groups[key] for key in ("verb", "verb2", "verb3", "verb4") if groups[key]), None)
        or ""
    )
    hand = groups["hand"] or groups["hand2"] or groups["hand3"] or groups["hand4"]
    fill = " ".join(groups[key] or "" for key in ("fill", "fill2", "fill3"))
    tail = (groups["tail"] or groups["tail3"] or "").strip(" -")
    slight = (
        bool(groups["verb4"])
        or verb.startswith(("bear", "veer", "keep", "stay", "merge"))
        or "slight" in fill
        or "fork" in tail
        or "branch" in tail
    )
    values = _modifiers(fill, fill)
    values |= {"hand": hand, "slight": int(slight), "sharp": int("sharp" in fill or "hard" in fill)}
    values["side"] = int(
        "street" in tail or "road" in tail or bool(groups["verb2"]) or values["ordinal"] is not None
    )
    return values


def _position(kind: str, groups: dict[str, str | None]) -> dict[str, str | int | None]:
    if kind == "corner":
        hand = groups["chand"] or groups["chand2"] or groups["chand3"] or groups["chand4"]
        near = groups["near"] or groups["near2"] or groups["near3"]
        return {"hand": hand, "near": near}
    return {
        "hand": groups["shand"] or groups["shand2"] or groups["shand3"] or groups["shand4"],
        "near": None,
    }
