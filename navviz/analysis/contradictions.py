"""Where an instruction and its reference path disagree: "right" in the text, left on the map.

Every ``left`` and ``right`` of the instruction is turned into the other, one at a time, and the rules' reading of the
changed text is aligned with the reference path. Where the change describes the path much better than what is written,
the text contradicts the path there. Two more things are looked at: a junction that the text goes straight over while
the path turns, and a start heading that points away from the path. This needs no model and no run: it is about the data
set.

Measured on the 570 episodes of Map2Seq's split ``val`` that `rules` walks right
(``tests/analysis/test_contradictions.py``): with one left or right swapped 83 % are found, at the word that was swapped
(turns 97 %); of those left as they are 3.7 % are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from navviz.records import Episode
from navviz.systems.rules.explain import AlignedRoute, route_to
from navviz.systems.rules.grammar.grammar import Reading, read_instruction
from navviz.systems.rules.grammar.reading import Unit
from navviz.systems.rules.search.known_route import KnownRoute
from navviz.systems.rules.search.routes import Search
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

__all__ = ["Contradiction", "find_contradictions"]

Side = Literal["left", "right"]
Kind = Literal["turn", "straight", "landmark", "heading"]

_SIDES: Final = re.compile(r"\b(left|right)\b", re.IGNORECASE)
_OTHER: Final[dict[str, str]] = {"left": "right", "right": "left"}

_GAIN_OF_TURN: Final = 1.0
_GAIN_OF_PLACE: Final = 1.0
_GAIN_OF_KIND: Final = 3.05
"""Gains in log probability above which a change counts, chosen on the 570 episodes of `val` that `rules` walks right. A
park or a garden that is named by its kind alone may be another one, so that it needs more than the side's own weight
(3.0)."""
_BESIDE_M: Final = 20.0
"""A place further to the side than this stands in a side street, whose own sides the text may mean."""
_BEHIND_M: Final = 25.0
"""A place further behind than this was named before the corner, where left and right are others."""
_WORST_STRAIGHT: Final = -6.0
"""Log probability below which "straight" is no word for what the path does at a junction. Two of the 570 clean episodes
of `val` come below it; so does the text of episode 11144, which leaves out a left turn."""
_AWAY_DEG: Final = 60.0
"""A start heading further than this from the path's first street points away from it; one of 570 clean ones does."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One place where the instruction, or the start heading, does not fit the reference path."""

    start: int | None
    """Where the word stands in the instruction, in characters; ``None`` where the text has no word for it."""
    end: int | None
    said: str
    """``left``, ``right``, ``straight``; the start heading in degrees."""
    shown: str
    """What the path and the map show: a side, or the heading of the first street in degrees."""
    kind: Kind
    """``turn``: the path turns the other way. ``straight``: the path turns at a junction that the text goes straight
    over. ``landmark``: the place lies on the other side. ``heading``: the start heading points away from the path."""
    gain: float
    """How strongly this speaks against the text: log probability, or degrees for a heading."""
    node: str | None
    """Where on the path; ``None`` where the alignment gives the part no place."""
    sentence: str


def find_contradictions(episode: Episode, graph: Graph) -> tuple[Contradiction, ...]:
    """Find where the instruction of an outdoor episode contradicts its reference path.

    Returns
    -------
    Contradictions in the order of the text. None where nobody knows the route, where the graph lacks a part of it, or
    indoors (the reading of `rules` is one of streets).
    """
    route = KnownRoute.of_episode(episode, graph)
    if route is None:
        return ()
    text = episode.instruction
    reading = read_instruction(text)
    written, search = route.align(reading)
    contradictions = [_contradiction(route, text, reading, written, word) for word in _SIDES.finditer(text)]
    contradictions += [*_turns_gone_over(route.part, text, search), _heading(episode, graph)]
    return tuple(sorted((one for one in contradictions if one is not None), key=lambda one: one.start or 0))


def _heading(episode: Episode, graph: Graph) -> Contradiction | None:
    """Compare the start heading with the path's first street."""
    facing_deg, path = episode.start_heading_deg, episode.reference_path
    if facing_deg is None:
        return None
    due_deg = graph.heading_deg(path[0], path[1])
    off_deg = abs(turn_deg(facing_deg, due_deg))
    if off_deg <= _AWAY_DEG:
        return None
    sentence = (
        f"The start heading is {facing_deg:.0f}°, but the route sets out to {due_deg:.0f}°: {off_deg:.0f}° apart."
    )
    return Contradiction(None, None, f"{facing_deg:.0f}", f"{due_deg:.0f}", "heading", off_deg, path[0], sentence)


def _turns_gone_over(graph: Graph, text: str, search: Search) -> Iterator[Contradiction]:
    """Find junctions that the text goes straight over while the path turns left or right."""
    explained = route_to(graph, search, search.node, 1.0)
    if explained is None:
        return
    for number, turn in explained.turn_of.items():
        unit, shown, fit = search.scored.units[number], turn.partition(" ")[0], explained.fit_of[number]
        if unit.turn != "straight" or shown not in _OTHER or fit > _WORST_STRAIGHT:
            continue
        at = text.find(unit.text)
        start, end = (at, at + len(unit.text)) if at >= 0 else (None, None)
        node = graph.ids[explained.nodes[explained.unit_at[number]]]
        sentence = f"The instruction goes straight on at “{unit.text}”; the route turns {shown} there."
        yield Contradiction(start, end, "straight", shown, "straight", -fit, node, sentence)


def _contradiction(
    route: KnownRoute, text: str, reading: Reading, written: float, word: re.Match[str]
) -> Contradiction | None:
    changed = read_instruction(_swapped(text, word))
    part = _changed_part(reading, changed)
    if part is None:
        return None
    kind, unit, mention = part
    score, search = route.align(changed)
    if score - written <= _least_gain(reading, mention):
        return None
    explained = route_to(route.part, search, search.node, 1.0)
    if explained is None or (mention is not None and not _stands_beside(explained, mention)):
        return None
    said: Side = "left" if word[0].lower() == "left" else "right"
    shown: Side = "right" if said == "left" else "left"
    node = _place(route.part, search, explained, changed.units[unit] if unit is not None else None)
    return Contradiction(
        word.start(), word.end(), said, shown, kind, score - written, node, _sentence(text, word, kind, shown)
    )


def _least_gain(reading: Reading, mention: int | None) -> float:
    if mention is None:
        return _GAIN_OF_TURN
    place = reading.mentions[mention]
    return _GAIN_OF_PLACE if place.category is None or place.corner else _GAIN_OF_KIND


def _stands_beside(route: AlignedRoute, mention: int) -> bool:
    """Tell whether a landmark was matched, and every match stands beside the route."""
    seen = [sighted for sighted in route.sighted if sighted.mention == mention]
    return bool(seen) and all(abs(s.lateral_m) <= _BESIDE_M and s.along_m >= -_BEHIND_M for s in seen)


def _place(graph: Graph, search: Search, route: AlignedRoute, unit: Unit | None) -> str | None:
    """Return the node of the route where a part of the reading lies."""
    kept = [number for number, one in enumerate(search.scored.units) if one is unit]
    at = next((route.unit_at[number] for number in kept if number in route.unit_at), None)
    return None if at is None else graph.ids[route.nodes[at]]


def _swapped(text: str, word: re.Match[str]) -> str:
    other = _OTHER[word[0].lower()]
    return text[: word.start()] + (other.capitalize() if word[0][0].isupper() else other) + text[word.end() :]


def _changed_part(reading: Reading, changed: Reading) -> tuple[Kind, int | None, int | None] | None:
    """Return what the word says, a turn or the side of a landmark, with the number of its unit and of its mention."""
    if [unit.turn for unit in reading.units] != [unit.turn for unit in changed.units]:
        pairs = zip(reading.units, changed.units, strict=False)
        return "turn", next((k for k, (a, b) in enumerate(pairs) if a.turn != b.turn), None), None
    pairs_of_mentions = zip(reading.mentions, changed.mentions, strict=False)
    mention = next((k for k, (a, b) in enumerate(pairs_of_mentions) if a.side != b.side), None)
    if mention is None:
        return None
    return "landmark", next((k for k, unit in enumerate(changed.units) if mention in unit.mentions), None), mention


def _sentence(text: str, word: re.Match[str], kind: Kind, shown: Side) -> str:
    phrase = _phrase(text, word)
    if kind == "turn":
        return f"The instruction says “{phrase}”; the route turns {shown} there."
    return f"The instruction says “{phrase}”; on the map that place lies on the {shown} of the route."


def _phrase(text: str, word: re.Match[str]) -> str:
    """Return the clause around a word, at most about 90 characters of it."""
    begin = max((text.rfind(mark, 0, word.start()) + 1 for mark in ".,;!?"), default=0)
    ends = [at for mark in ".,;!?" if (at := text.find(mark, word.end())) >= 0]
    end = min(ends, default=len(text))
    begin, end = max(begin, word.start() - 60), min(end, word.end() + 30)
    return " ".join(text[begin:end].split())
