"""An instruction as sub-goals in the order in which they are done (SkillNav), by rules.

The rules swap what stands around a cue (once, as soon as, upon, after, before, until) and split at
punctuation and at "and then": first what must be complete, then what follows; before a place, first
towards it; and an end named by "until" becomes a part of its own. `aligned` finds for each part of
a text that a model wrote where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rapidfuzz import fuzz

from navviz.language.skills import SKILLS, relation_tags, skill_by_rules
from navviz.records import Episode, Panel
from navviz.records.base import capital

INSTRUCTION_TITLE = "Instruction and its order"


@dataclass(frozen=True, slots=True)
class OrderedPart:
    """One sub-goal of the reordered text."""

    text: str
    """One sentence with its period."""
    start: int | None = None
    """Characters of the original that it comes from; ``None`` where it was added."""
    end: int | None = None


_VERBS = (
    "go|walk|turn|take|make|head|move|continue|proceed|enter|exit|leave|pass|stop|wait|pause|stand|climb|cross|follow|"
    "keep|face|veer|bear|step|get|come|ascend|descend|travel|stay|sit|look|find|reach|hang|approach|run"
)

_SOON = "just|immediately|shortly|directly|soon"

_CUES = "once|as soon as|upon|after|when|before|until"

_LONGEST_TEXT = 4000
"""Characters of an instruction that are looked at: the patterns take longer than linear time."""

_SENTENCE = re.compile(r"[^.;!?\n]+")

_CLAUSE = re.compile(
    rf"(?:,\s*+|(?<!\s)\s++|)\b(?:and then|then|(?:(?:right|{_SOON})\s+)?after"
    r" that|afterwards?|finally|next(?=,))\b,?|"
    r",\s*(?:and|but|so)\b|,|"
    rf"(?<!\s)\s++\b(?:and|but)\b(?=\s+(?:{_VERBS}|{_CUES})\b)",
    re.IGNORECASE,
)

_HEAD = re.compile(rf"^\s*(?:(?:right|{_SOON})\s+)*({_CUES}|as(?= you\b))\b\s*", re.IGNORECASE)

_MID = re.compile(rf"(?<!\bat)(?<!\s)\s++({_CUES})\b\s+", re.IGNORECASE)

_NEXT_VERB = re.compile(rf"\s(?=(?:{_VERBS})\b)", re.IGNORECASE)

_YOU = re.compile(r"^(?:you(?:'ve|'re|'ll)?|your|we)\b\s*(?:have|will|are|can)?\s*", re.IGNORECASE)

_STATE = re.compile(
    r"^(?:get |be |stand |standing )?(?:right |directly |just |almost )?"
    r"(in front of|in|inside|at|near|by|next to|close"
    r" to|on|past|through|out|beside|between|behind|under|facing)\b",
    re.IGNORECASE,
)

_INTO = {
    "in": "Go into", "inside": "Go into", "past": "Go past", "through": "Go through",
    "out": "Go out", "in front of": "Go in front of", "between": "Go between",
    "behind": "Go behind", "under": "Go under", "facing": "Face",
}  # fmt: skip

_HAPPENS = re.compile(
    r"(?<!that )(?<!which )(?<!who"
    r" )\b(?:is|are|isn't|aren't|can|will|has|have|ends|begins|starts|opens|becomes|splits|"
    r"forks|meets|turns|curves|narrows|widens|stops|comes|appears|leads|forms|goes|does|says)\b",
    re.IGNORECASE,
)
"""The verb of a condition that something else than the walker fulfils: "the hallway ends"."""

_STAYS = re.compile(
    r"^(?:please )?(?:wait|stay|stand|stop|pause|hang|sit|remain|rest)\b", re.IGNORECASE
)

_WALKS = re.compile(r"^(?:walk|go|continue|head|proceed|move|keep|travel)\b", re.IGNORECASE)

_OUTSIDE = re.compile(
    r"(?:back )?(?:outside|upstairs|downstairs|outdoors|indoors)\b", re.IGNORECASE
)

_JOINING = re.compile(r"(?<!\s)\s++(?:and|but|so|then)$", re.IGNORECASE)

_DOING = re.compile(
    rf"(?:{_VERBS}|(?:tak|mak|mov|continu|leav|stopp|stepp|paus|fac|gett|com|sitt|runn|see|arriv|{_VERBS})ing|arrive|see)$",
    re.IGNORECASE,
)

_TURNING = re.compile(r"(?:turn|mak|tak|fac|veer|bear|make|take|face)(?:ing)?$", re.IGNORECASE)
"""What is done without going to a place."""

_WAY_TO = re.compile(
    r"^(?:(?:back |straight )?(?:into|in|onto|on|through|to|towards?|out"
    r" of|out|past|across|along|up|down|at|by)\s+)+",
    re.IGNORECASE,
)
"""What stands between a verb and the place that it leads to."""

_THING = re.compile(
    r"^(?:the|a|an|your|that|this|those|these|it|both|two|three|\w+ing room)\b", re.IGNORECASE
)

_TAIL = re.compile(rf"(?<!\s)(?:\s++(?:{_SOON})){{1,4}}$", re.IGNORECASE)

_RIGHT = re.compile(r"(?<!\s)\s++right$", re.IGNORECASE)

_SIDE = re.compile(
    rf"\b(?:{_VERBS}|(?:turn|go|walk|head|bear|veer|mov|keep|fac|stepp)ing|a|an|the|your|to|on|and|or|hard|sharp|slight|"
    r"slightly|immediate|quick|soft|gentle|full|another|first|second|third|next)\s+right$",
    re.IGNORECASE,
)
"""A "right" before the cue that is a side: "turn right when", not "the door right when"."""

_HALTS_RIGHT = re.compile(r"\b(?:stop|wait|pause|stand|stay|sit)\s+right$", re.IGNORECASE)

_BASES = {
    "passing": "pass", "passed": "pass", "pass": "pass", "reaching": "reach", "reached": "reach",
    "reach": "reach", "entering": "enter", "entered": "enter", "exiting": "exit", "exited": "exit",
    "leaving": "leave", "left": "leave", "walking": "walk", "walked": "walk", "going": "go",
    "turning": "turn", "climbing": "climb", "crossing": "cross", "getting": "get",
    "coming": "come", "taking": "take", "ascending": "ascend", "descending": "descend",
    "arriving": "arrive", "approaching": "approach", "stepping": "step", "seeing": "see",
    "gone": "go", "turned": "turn", "crossed": "cross", "climbed": "climb", "taken": "take",
    "come": "come", "made": "make", "making": "make", "stopping": "stop", "heading": "head",
    "facing": "face", "continuing": "continue", "keeping": "keep", "moving": "move",
    "veering": "veer", "bearing": "bear", "following": "follow", "waiting": "wait",
    "proceeding": "proceed", "ascended": "ascend", "descended": "descend", "seen": "see",
    "stepped": "step",
}  # fmt: skip

_DOING_FIRST = re.compile(
    r"^(\w+ing)\b(?!\s+(?:room|area|table|chair|stairs|way|path)\b)", re.IGNORECASE
)


def reorder_by_rules(instruction: str) -> tuple[OrderedPart, ...]:
    """Sub-goals of an instruction in the order in which they are done; empty for an empty one."""
    parts: list[OrderedPart] = []
    for start, end in _sentence_spans(instruction):
        parts += _sentence(instruction, start, end)
    # a lone letter or full stop is left of an enumeration
    return tuple(part for part in parts if len(part.text) > 1)


def text_of(parts: Sequence[OrderedPart]) -> str:
    """Return the parts as one line."""
    return " ".join(part.text for part in parts)


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the sentences of a reordered text, their periods included."""
    spans = ((match.start(), match.end()) for match in re.finditer(r"[^.\n]+\.?", text))
    return tuple(
        (a + len(text[a:b]) - len(text[a:b].lstrip()), b) for a, b in spans if text[a:b].strip(" .")
    )


def _sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    for match in _SENTENCE.finditer(text[:_LONGEST_TEXT]):
        if match[0].strip():
            yield match.start(), match.end()


def _sentence(text: str, start: int, end: int) -> Iterator[OrderedPart]:
    clauses = list(_clauses(text, start, end))
    late = _late_condition(text, clauses)
    for a, b in clauses[: -2 if late else len(clauses)]:
        yield from _ordered(text, a, b)
    if late:
        yield from _around(text, clauses[-2], late[0], late[1])


def _late_condition(
    text: str, clauses: Sequence[tuple[int, int]]
) -> tuple[str, tuple[int, int]] | None:
    """Return cue and span of a condition that ends the sentence and speaks of the clause before it.

    "Turn left, right after the piano": the piano comes first. "Walk straight, until the bed" is in
    order.
    """
    if len(clauses) < 2:
        return None
    (a, b), (before, end) = clauses[-1], clauses[-2]
    head, main = _HEAD.match(text[a:b]), text[before:end]
    if (
        head is None
        or head[1].lower() == "until"
        or _HEAD.match(main)
        or _MID.search(text, before, end)
    ):
        return None
    if head[1].lower() == "before" and _WALKS.match(main):
        return None
    at = a + head.end()
    if _NEXT_VERB.search(text, min(b, at + 1 + _you_words(text[at:b])), b):
        return None
    return head[1].lower(), (at, b)


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the clauses of a sentence, without the words that join them."""
    at = start
    for cut in _CLAUSE.finditer(text, start, end):
        if text[at : cut.start()].strip():
            yield _trimmed(text, at, cut.start())
        at = cut.end()
    if text[at:end].strip():
        yield _trimmed(text, at, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    piece = piece[: len(_JOINING.sub("", piece.rstrip()))]
    end = start + len(piece)
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))


def _ordered(text: str, start: int, end: int) -> Iterator[OrderedPart]:
    """Take a clause apart at its cue, in the order of doing."""
    head = _HEAD.match(text[start:end])
    if head is not None:
        yield from _from_head(text, start, end, head)
        return
    mid = _MID.search(text, start, end)
    if mid is None or not text[start : mid.start()].strip():
        yield _part(text, start, end)
        return
    yield from _around(text, (start, mid.start()), mid[1].lower(), (mid.end(), end))


def _from_head(text: str, start: int, end: int, head: re.Match[str]) -> Iterator[OrderedPart]:
    """Take apart a clause that begins with its cue: first the condition, then what follows it."""
    at = start + head.end()
    verb = _NEXT_VERB.search(text, min(end, at + 1 + _you_words(text[at:end])), end)
    condition = (at, verb.start() if verb else end)
    yield _condition(text, *condition, towards=head[1].lower() == "before")
    if verb:
        yield from _ordered(text, *_trimmed(text, verb.end(), end))


def _you_words(piece: str) -> int:
    """Length of ``you reach`` and the like, whose verb belongs to the condition."""
    you = _YOU.match(piece)
    first = re.match(r"\w+", piece[you.end() :] if you else piece)
    return (you.end() if you else 0) + (first.end() if first else 0)


def _around(text: str, a: tuple[int, int], cue: str, b: tuple[int, int]) -> Iterator[OrderedPart]:
    """Take ``A cue B`` apart, in the order of doing."""
    main = _without_soon(text[a[0] : a[1]])
    # a "just" or "right" before the cue belongs to the cue, so the span of the main clause ends
    # before it
    whole, a = (a[0], b[1]), (a[0], a[0] + len(main))
    # "wait until the door opens" is one thing to do
    if cue == "until" and _STAYS.match(main):
        yield _part(text, *whole)
    elif cue == "until":
        yield _part(text, *a)
        yield _condition(text, *b)
    elif cue == "before":
        yield _condition(text, *b, towards=True)
        place = text[b[0] : b[1]]
        yield OrderedPart(
            _as_sentence(f"{main} in front of {place}" if _THING.match(place) else main), *a
        )
    else:
        yield _condition(text, *b, past=cue == "after")
        yield _part(text, *a)


def _without_soon(main: str) -> str:
    """Return the text before a cue, without the cue's own "just" or "right"; a side stays."""
    main = _TAIL.sub("", _JOINING.sub("", main))
    if _HALTS_RIGHT.search(main) or not _SIDE.search(main):
        main = _RIGHT.sub("", main)
    return main


def _part(text: str, start: int, end: int) -> OrderedPart:
    return OrderedPart(_as_sentence(text[start:end]), start, end)


def _condition(
    text: str, start: int, end: int, *, towards: bool = False, past: bool = False
) -> OrderedPart:
    """Return what must hold, as something to do."""
    whole = _HEAD.sub("", text[start:end].strip())
    body = _YOU.sub("", whole)
    state = _STATE.match(body)
    first, _, rest = body.partition(" ")
    base = _BASES.get(first.lower())
    if towards:
        place = _place_ahead(body)
        return OrderedPart(_as_sentence(f"go towards {place}") if place else "", start, end)
    if state is not None:
        sentence = f"{_INTO.get(state[1].lower(), 'Go to')} {body[state.end() :].strip()}"
    elif base is not None:
        sentence = f"{base} {rest}"
    elif _THING.match(body) and _HAPPENS.search(body):
        sentence = f"go on until {body}"
    # "after that" names nothing to do
    elif body.lower().strip(" ,.") in {"that", "this", "it", "there"}:
        sentence = ""
    elif _THING.match(body):
        sentence = f"go past {body}" if past else f"go on to {body}"
    else:
        sentence = _done_or_awaited(body, whole)
    return OrderedPart(_as_sentence(sentence), start, end)


def _done_or_awaited(body: str, whole: str) -> str:
    """Return a condition that names no place: as something to do, or to wait for."""
    if re.match(rf"(?:{_VERBS}|see)\b", body, re.IGNORECASE):
        return body
    if _OUTSIDE.match(body):
        return f"go {body}"
    if re.match(r"where\b", body, re.IGNORECASE):
        return f"go on to {body}"
    whole = re.sub(
        r"^being\b", "you are", re.sub(r"^having\b", "you have", whole, flags=re.IGNORECASE)
    )
    return f"go on until {whole}"


def _place_ahead(body: str) -> str:
    """Return the place that a condition after "before" names; empty without a new one."""
    first, _, rest = body.partition(" ")
    doing = _DOING.match(first) is not None
    if doing and _TURNING.match(first) is not None:
        return ""
    place = _WAY_TO.sub("", rest) if doing else body
    return "" if place.strip(" ,.").lower() in {"it", "that", "this", "there", ""} else place


def _as_sentence(text: str) -> str:
    """Return a sentence: first letter large, one period."""
    plain = " ".join(text.split()).strip(" ,.;:")
    # "passing the table" is something to do once it stands alone: "Pass the table"
    doing = _DOING_FIRST.match(plain)
    if doing is not None and doing[1].lower() in _BASES:
        plain = _BASES[doing[1].lower()] + plain[doing.end() :]
    return f"{capital(plain)}." if plain else ""


def aligned(original: str, reordered: str) -> tuple[OrderedPart, ...]:
    """Return the sentences of a reordered text, each with its likest clause of the original.

    A sentence whose best clause shares less than half of its words (rapidfuzz's token set ratio
    below 55) counts as added.
    """
    clauses: list[tuple[int, int]] = []
    for start, end in _sentence_spans(original):
        clauses += _halves(original, start, end)
    parts = []
    for start, end in sentences(reordered):
        text = reordered[start:end]
        words = _weighty(text)
        best, likest = 0.0, (0, 0)
        for a, b in clauses:
            ratio = fuzz.token_set_ratio(words, _weighty(original[a:b]))
            if ratio > best:  # of clauses that are equally like, the first
                best, likest = ratio, (a, b)
        parts.append(OrderedPart(text, *likest) if best >= 55 else OrderedPart(text))
    return tuple(parts)


# light words stand in almost every clause and would make all of them alike
_LIGHT_WORDS = "a an and at by for in into is it of on so that the then there this to with you your"

_LIGHT = frozenset(_LIGHT_WORDS.split())


def _weighty(text: str) -> str:
    """Return the words by which two texts are compared."""
    return " ".join(word for word in re.findall(r"\w+", text.lower()) if word not in _LIGHT)


def _halves(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Clauses, cut once more at a cue in their middle."""
    for a, b in _clauses(text, start, end):
        mid = _MID.search(text, a, b)
        if mid is None or not text[a : mid.start()].strip():
            yield a, b
        else:
            yield a, mid.start()
            yield mid.end(), b


def reorder_panel(original: str, parts: Sequence[OrderedPart], by: str) -> Panel:
    """Original and reordered text side by side, for the player's panel kind ``reordered``.

    `parts`: its sub-goals in order, see `reorder_by_rules` and `aligned`. `by`: who ordered it:
    ``rules``, ``model``, ``off`` or ``log``. Returns data ``{original, by, parts: [{text, span,
    moved, words: [[word, is new]]}], relations: [{relation, cue, span}]}``.
    """
    tags = []
    for tag in relation_tags(original):
        span = [tag.start, tag.end]
        tags.append({"relation": tag.relation.value, "cue": tag.label, "span": span})
    data = {
        "original": original,
        "by": by,
        "parts": list(_part_data(original, parts)),
        "relations": tags,
    }
    return Panel(kind="reordered", title=INSTRUCTION_TITLE, data=data)


def _part_data(original: str, parts: Sequence[OrderedPart]) -> Iterator[dict[str, Any]]:
    """Yield the parts as data; a part moved where one of later text came before it."""
    furthest = -1
    for part in parts:
        span, source, moved = None, "", False
        if part.start is not None:
            moved = part.start < furthest
            furthest = max(furthest, part.start)
            if part.end is not None:
                span, source = [part.start, part.end], original[part.start : part.end]
        old_words = _words(source)
        words = [[word, not _words(word) <= old_words] for word in part.text.split()]
        yield {"text": part.text, "span": span, "moved": moved, "words": words}


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def tagged_text(episode: Episode) -> str:
    """Return the text to tag: the data set's own, since reordering drops cues."""
    original = episode.extra.get("original_instruction")
    return original if isinstance(original, str) and original.strip() else episode.instruction


@lru_cache(maxsize=65536)
def skill_tags(instruction: str) -> tuple[str, ...]:
    """Names of the skills that the parts of an instruction ask for, in index order, each once."""
    needed = {skill_by_rules(part.text) for part in reorder_by_rules(instruction)}
    return tuple(skill.value for skill in SKILLS if skill in needed)


@lru_cache(maxsize=65536)
def temporal_tags(instruction: str) -> tuple[str, ...]:
    """Temporal relations and cues, each once, such as ``temporal: until``."""
    tags = relation_tags(instruction)
    relations = dict.fromkeys(f"temporal: {tag.relation.value}" for tag in tags)
    cues = dict.fromkeys(f"temporal: {tag.label}" for tag in tags)
    return tuple(relations | cues)


def instruction_tags(instruction: str) -> tuple[str, ...]:
    """All tags for a filter: ``skill: Vertical Movement`` and those of `temporal_tags`."""
    return (*(f"skill: {name}" for name in skill_tags(instruction)), *temporal_tags(instruction))
