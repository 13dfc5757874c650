"""Variants of an instruction: phrases and landmarks left out or masked, left and right swapped,
rivals named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from navviz.analysis.landmarks import fate_of_landmarks
from navviz.analysis.side_words import OTHER_SIDE, SIDE
from navviz.analysis.slice_features import poi_kind
from navviz.language.mentions import landmark_names
from navviz.language.readable import readable
from navviz.language.skills import LANDMARK_WORDS, ROOM_WORDS
from navviz.records import Episode, Landmark, Trace, TraceHeader
from navviz.systems.rules.grammar.grammar import read_instruction
from navviz.world.graph import Graph, Poi

Change = Literal["phrase", "landmark", "side", "rival"]
"""What was changed: a phrase or a landmark taken away, sides swapped, a landmark called by its
rival's name.
"""
Hidden = Literal["leave out", "mask"]

_BREAK: Final = re.compile(
    r"[.;!?]+\s*|,\s*(?:and\s+|then\s+)*|(?<!\s)\s++(?:and"
    r" then|then|and(?=\s+(?:turn|take|make|go|head|walk|continue|stop|"
    r"pass|proceed|keep|bear|cross|follow|you|at|when|after|enter|exit|wait)\b))\s+",
    re.IGNORECASE,
)
_ROOM_OR_THING: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(ROOM_WORDS | LANDMARK_WORDS, key=len, reverse=True))})s?\b",
    re.IGNORECASE,
)
_MASK: Final = "…"
_MASKED_PLACE: Final = "the place"
_LEAST: Final = 3
"""Characters of a phrase that is worth a walk."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A stretch of the instruction, in characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class InstructionVariant:
    """One changed instruction."""

    change: Change
    part: TextPart
    instruction: str
    description: str
    """What was done, in words."""


def instruction_variants(
    episode: Episode, graph: Graph, hidden: Hidden = "leave out"
) -> list[InstructionVariant]:
    """Make the variants of an instruction, in the order of its text; those that change nothing are
    left out.

    Parameters
    ----------
    episode
        Its reference path tells which places the landmarks are, where it is known; no navigator is
        shown that.
    graph
        For the rivals: the nearest other place of the same kind with another name.
    hidden
        Whether phrases and landmarks are left out, or a sign or "the place" stands for them.
    """
    text = episode.instruction
    made = [
        *_phrases(text, hidden),
        *_landmarks(episode, graph, hidden),
        *_sides(text),
        *_rivals(episode, graph),
    ]
    # the text itself is in it from the start: a change that changes nothing is none
    texts = {" ".join(text.split())}
    variants = []
    for variant in sorted(made, key=lambda variant: (variant.part.start, -variant.part.end)):
        key = " ".join(variant.instruction.split())
        if key and key not in texts:
            texts.add(key)
            variants.append(variant)
    return variants


def _replaced(text: str, part: TextPart, words: str) -> str:
    joined = text[: part.start] + words + text[part.end :]
    # a part that is cut out leaves two blanks, or one before a sign
    return re.sub(r"(?<!\s)\s++([.,;!?])", r"\1", re.sub(r"[ \t]{2,}", " ", joined)).strip()


def _phrases(text: str, hidden: Hidden) -> Iterator[InstructionVariant]:
    begin = 0
    spans = [*(match.span() for match in _BREAK.finditer(readable(text))), (len(text), len(text))]
    parts = []
    for start, end in spans:
        if start - begin >= _LEAST:
            parts.append((begin, start))
        begin = end
    # without its only phrase nothing is left to follow
    if len(parts) < 2:
        return
    for start, end in parts:
        part = TextPart(start, end, text[start:end])
        words = "" if hidden == "leave out" else _MASK
        yield InstructionVariant(
            "phrase", part, _replaced(text, part, words), f"“{part.text}” {_done(hidden)}"
        )


def _done(hidden: Hidden) -> str:
    return "left out" if hidden == "leave out" else "masked"


def _mentions(episode: Episode, graph: Graph) -> list[TextPart]:
    """Find where the instruction names places."""
    text = episode.instruction
    if graph.frame == "metric":
        return [TextPart(*match.span(), match[0]) for match in _ROOM_OR_THING.finditer(text)]
    spans = [(mention.start, mention.end) for mention in read_instruction(text).mentions]
    # the reader may have tidied the text, and counts in its own
    spans = [(start, end) for start, end in spans if 0 <= start < end <= len(text)]
    for name in landmark_names(text):
        at = text.find(name)
        # what the reading has found already is not taken out twice
        if at >= 0 and not any(start < at + len(name) and at < end for start, end in spans):
            spans.append((at, at + len(name)))
    return [TextPart(start, end, text[start:end]) for start, end in sorted(set(spans))]


def _landmarks(episode: Episode, graph: Graph, hidden: Hidden) -> Iterator[InstructionVariant]:
    for part in _mentions(episode, graph):
        words = "" if hidden == "leave out" else _MASKED_PLACE
        changed = _replaced(episode.instruction, part, words)
        yield InstructionVariant(
            "landmark", part, changed, f"landmark “{part.text}” {_done(hidden)}"
        )


def _sides(text: str) -> Iterator[InstructionVariant]:
    for match in SIDE.finditer(text):
        other = OTHER_SIDE[match[0].lower()]
        part = TextPart(*match.span(), match[0])
        words = other.capitalize() if match[0][0].isupper() else other
        yield InstructionVariant(
            "side", part, _replaced(text, part, words), f"“{_led(text, part)}” made “{other}”"
        )


def _led(text: str, part: TextPart) -> str:
    """Return a part with the two words before it, so that one "right" is told from another."""
    before = re.search(r"(?:[\w'’-]{1,40}\s{1,9}){0,2}$", text[: part.start])
    return (before[0] if before is not None else "") + part.text


def _rivals(episode: Episode, graph: Graph) -> Iterator[InstructionVariant]:
    """Call each landmark with a name of its own by the name of the nearest other place of its
    kind.
    """
    parts = _mentions(episode, graph)
    named = episode.model_copy(
        update={"landmarks": tuple(Landmark(name=part.text) for part in parts)}
    )
    # no steps: the route alone says which places are meant
    bare = Trace(header=TraceHeader(episode=named, navigator="none"))
    places = {
        fate.name: fate.poi for fate in fate_of_landmarks(bare, graph) if fate.poi is not None
    }
    for part in parts:
        poi = graph.pois.get(places.get(part.text, ""))
        # words in lower case mean a kind, such as "the bank", and no place by its name
        if poi is None or "name" not in poi.tags or part.text.islower():
            continue
        rival = _nearest_rival(poi, graph)
        if rival is not None:
            changed = _replaced(episode.instruction, part, rival)
            yield InstructionVariant("rival", part, changed, f"“{part.text}” called “{rival}”")


def _nearest_rival(poi: Poi, graph: Graph) -> str | None:
    """Name of the nearest place of the same kind that is called otherwise."""
    kind, name = poi_kind(poi), str(poi.tags["name"]).casefold()
    others = [
        each for each in graph.pois.values() if "name" in each.tags and poi_kind(each) == kind
    ]
    others = [each for each in others if str(each.tags["name"]).casefold() != name]
    if not others:
        return None
    places = np.array([each.position for each in (poi, *others)], float)
    metric = graph.to_metric(places) if graph.frame == "geo" else places
    away = np.linalg.norm(metric[1:] - metric[0], axis=1)
    return str(others[int(away.argmin())].tags["name"])
