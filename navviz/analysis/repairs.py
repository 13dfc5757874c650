"""Repairs of an instruction that led astray: small edits that make the text fit its route better.

Every edit changes one thing. What an edit is worth is given in two ways: how much better the rules'
reading of the new text aligns with the reference path, and where `rules` stops with it. Only edits
after which `rules` stops nearer to the goal are suggested; the reference path is needed, so this is
about data sets and instructions, not a navigator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal, get_args

from navviz.analysis.contradictions import contradictions
from navviz.errors import NavVizError
from navviz.language.grammar.grammar import read_instruction
from navviz.language.placing.routes import AlignedRoute, GivenRoute, Search, route_to
from navviz.records import Episode, MoveEvent
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

RepairKind = Literal["contradiction", "missing turn", "count", "landmark", "stop", "superfluous"]

_KINDS: Final = get_args(RepairKind)
"""What is suggested first: what the map refutes, then what the text leaves open, last what leaves
something out.
"""
_MOST_EDITS = 50
"""Each is read again; instructions of the samples have 18 at most."""
_TRIED: Final = 14
"""Edits that are walked, the best aligned first: each costs a search, 60 ms in Manhattan."""
_NEARER_M: Final = 10.0
"""An edit that brings the stop less than this nearer to the goal is no repair: street nodes lie 10
m apart.
"""
_TURN_DEG: Final = 45.0
_NAMED_WITHIN_M: Final = 30.0
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_COUNTED: Final = re.compile(r"\b(next|first|second|third|fourth|fifth)\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[^.!?;]+[.!?;]*\s*")


@dataclass(frozen=True, slots=True)
class Repair:
    """One edit of an instruction."""

    kind: RepairKind
    instruction: str
    """The whole text after the edit."""
    sentence: str
    """What is edited and why."""
    gain: float = 0.0
    """By how much the new text aligns better with the reference path, in log probability."""
    error_m: float = float("inf")
    """Straight distance from where `rules` stops with it to the goal, in metres."""
    success: bool = False
    """Whether that is within the episode's success radius."""
    before_m: float = float("inf")
    """Where `rules` stops with the text as it stands: what the edit is compared with, whoever
    walked the episode.
    """


def suggest_repairs(episode: Episode, graph: Graph, count: int = 4) -> tuple[Repair, ...]:
    """Suggest edits of an outdoor episode's instruction, the best first."""
    route = GivenRoute.of_episode(episode, graph)
    if route is None:
        return ()
    written, aligned = route.align(read_instruction(episode.instruction))
    before_m = _stop_error_m(episode, graph)
    # several edits may give the same text, of which one is walked
    edits = islice(_edits(episode, graph, route.part, aligned), _MOST_EDITS)
    unique = {repair.instruction: repair for repair in edits}
    # an edit may give back the text as it was
    unique.pop(episode.instruction, None)
    ranked = sorted(
        (_aligned(repair, route, written) for repair in unique.values()), key=lambda one: -one.gain
    )
    walked = [_walked(repair, episode, graph, before_m) for repair in _tried(ranked)]
    # both: a text that fits the route no better may end nearer by chance
    nearer = [one for one in walked if one.gain > 0 and one.error_m <= before_m - _NEARER_M]
    # what brings `rules` to the goal comes first, then what the map refutes
    nearer.sort(key=lambda one: (not one.success, _KINDS.index(one.kind), -one.gain))
    return tuple(_few_of_a_kind(nearer))[:count]


def _few_of_a_kind(repairs: list[Repair]) -> Iterator[Repair]:
    """Keep two of each kind, and one of those that say the same."""
    kept: list[Repair] = []
    for repair in repairs:
        alike = [one for one in kept if one.kind == repair.kind]
        if len(alike) < 2 and all(one.sentence != repair.sentence for one in alike):
            kept.append(repair)
            yield repair


def _tried(ranked: list[Repair]) -> list[Repair]:
    """Keep the best aligned edits, and two of each kind: alignment alone prefers long texts."""
    kept = ranked[:_TRIED]
    for kind in dict.fromkeys(one.kind for one in ranked):
        kept += [one for one in ranked if one.kind == kind][:2]
    return list(dict.fromkeys(kept))


def _aligned(repair: Repair, route: GivenRoute, written: float) -> Repair:
    score, _ = route.align(read_instruction(repair.instruction))
    return Repair(repair.kind, repair.instruction, repair.sentence, score - written)


def _walked(repair: Repair, episode: Episode, graph: Graph, before_m: float) -> Repair:
    edited = episode.model_copy(update={"instruction": repair.instruction})
    error_m = _stop_error_m(edited, graph)
    success = error_m <= episode.success_radius_m
    return replace(repair, error_m=error_m, success=success, before_m=before_m)


def _stop_error_m(episode: Episode, graph: Graph) -> float:
    """Metres from where `rules` stops to the goal; infinite where it cannot read the text."""
    goal, at = episode.goal or episode.reference_path[-1], episode.start
    try:
        rules = get_navigator("rules")
        settings = settings_from(rules, {"runners_up": 0})
        for event in rules.navigate(episode, graph, None, settings):
            if isinstance(event, MoveEvent):
                at = event.path[-1]
    except NavVizError:
        return float("inf")
    return graph.distance_m(at, goal)


# --- edits
# ---------------------------------------------------------------------------------------------------------  # noqa: E501


def _edits(episode: Episode, graph: Graph, part: Graph, aligned: Search) -> Iterator[Repair]:
    text = episode.instruction
    explained = route_to(part, aligned, aligned.node, 1.0)
    yield from _contradictions(episode, graph)
    yield from _counts(text)
    yield from _without_a_sentence(text)
    if explained is not None:
        yield from _missing_turns(episode, graph, aligned, explained)
        yield from _names(text, part, aligned, explained)
    yield from _stops(episode, graph)


def _contradictions(episode: Episode, graph: Graph) -> Iterator[Repair]:
    """Say what the route shows where the text says something else."""
    text = episode.instruction
    for claim in contradictions(episode, graph):
        if claim.words is None or claim.kind not in {"turn", "landmark"}:
            continue
        start, end = claim.words
        word = claim.shown
        # the word may begin a sentence
        if text[start].isupper():
            word = word.capitalize()
        yield Repair("contradiction", f"{text[:start]}{word}{text[end:]}", claim.sentence)


def _counts(text: str) -> Iterator[Repair]:
    """Count one junction more or less."""
    for word in _COUNTED.finditer(text):
        ordinal = word[0].lower()
        place = 0 if ordinal == "next" else _ORDINALS.index(ordinal)
        # before the first there is none
        for other in {max(0, place - 1), place + 1} - {place}:
            if other < len(_ORDINALS):
                put = _ORDINALS[other].capitalize() if word[0][0].isupper() else _ORDINALS[other]
                sentence = (
                    f"Say “{_ORDINALS[other]}” for “{word[0]}” in"
                    f" “{_around(text, word.start(), word.end())}”."
                )
                yield Repair("count", text[: word.start()] + put + text[word.end() :], sentence)


def _without_a_sentence(text: str) -> Iterator[Repair]:
    """Leave out a sentence that may describe nothing on the route."""
    parts = list(_SENTENCE.finditer(text))
    # a text of one sentence would be empty without it
    for part in parts if len(parts) > 1 else ():
        left = (text[: part.start()] + text[part.end() :]).strip()
        yield Repair("superfluous", left, f"Leave out “{_short(part[0])}”.")


def _missing_turns(
    episode: Episode, graph: Graph, aligned: Search, explained: AlignedRoute
) -> Iterator[Repair]:
    """Add the turns of the route for which the text has no words."""
    text, path = episode.instruction, episode.reference_path
    units = aligned.scored.units
    turning = {"left", "right", "slight-left", "slight-right"}
    named = {at for unit, at in explained.unit_at.items() if units[unit].turn in turning}
    for at in range(1, len(path) - 1):
        side = _turn_at(graph, path, at)
        # the reading may place a turn one or two nodes off
        if side is None or any(abs(at - one) <= 2 for one in named):
            continue
        for where in ("at the light", "at the next intersection"):
            addition = f"Turn {side} {where}."
            yield Repair(
                "missing turn",
                _inserted(text, addition, _end_of_units_before(text, aligned, explained, at)),
                f"The route turns {side} but the text does not say so: add “{addition}”",
            )


def _turn_at(graph: Graph, path: tuple[str, ...], at: int) -> Literal["left", "right"] | None:
    # a bend without a junction leaves the walker no choice
    if len(graph.neighbours(path[at])) < 3:
        return None
    angle_deg = turn_deg(
        graph.heading_deg(path[at - 1], path[at]), graph.heading_deg(path[at], path[at + 1])
    )
    if abs(angle_deg) < _TURN_DEG:
        return None
    return "right" if angle_deg > 0 else "left"


def _end_of_units_before(text: str, aligned: Search, explained: AlignedRoute, at: int) -> int:
    """Return where the sentence ends in which the last part before a place of the route is told."""
    end = 0
    for unit, place in explained.unit_at.items():
        # a part of the reading need not stand in the text word for word
        begin = text.find(aligned.scored.units[unit].text)
        if place < at and begin >= 0:
            end = max(end, begin + len(aligned.scored.units[unit].text))
    if not end:
        return 0
    return next((part.end() for part in _SENTENCE.finditer(text) if part.end() >= end), len(text))


def _inserted(text: str, addition: str, at: int) -> str:
    before, after = text[:at].rstrip(), text[at:].lstrip()
    if before and before[-1] not in ".!?;":
        before += "."
    return " ".join(part for part in (before, addition, after) if part)


def _names(text: str, graph: Graph, aligned: Search, explained: AlignedRoute) -> Iterator[Repair]:
    """Call a landmark by its name where the text has a kind that others near the route share."""
    mentions = aligned.scored.reading.mentions
    for seen in explained.sighted:
        mention = mentions[seen.mention]
        name = graph.pois[graph.poi_ids[seen.poi]].tags.get("name", "")
        if (
            mention.category is None
            or not name
            or name.lower() in text.lower()
            or mention.end <= mention.start
        ):
            continue
        edited = f"{text[: mention.start]}{name}{text[mention.end :]}"
        sentence = f"“{mention.text}” may be several places: call it “{name}”."
        yield Repair("landmark", edited, sentence)


def _stops(episode: Episode, graph: Graph) -> Iterator[Repair]:
    """Say what stands at the goal."""
    goal = episode.goal or episode.reference_path[-1]
    if goal not in graph:
        return
    near = graph.pois_near(graph.position(goal), _NAMED_WITHIN_M)
    names = dict.fromkeys(poi.tags["name"] for poi in near if poi.tags.get("name"))
    # each name makes two edits, and an edit may cost a walk
    for name in list(names)[:4]:
        if name.lower() not in episode.instruction.lower():
            addition = f"Stop in front of {name}."
            sentence = f"“{name}” stands at the goal: end with “{addition}”"
            yield Repair(
                "stop", _inserted(episode.instruction, addition, len(episode.instruction)), sentence
            )
            yield Repair("stop", _with_another_end(episode.instruction, addition), sentence)


def _with_another_end(text: str, addition: str) -> str:
    """Put a sentence in the place of those that begin with the first word for stopping."""
    stop = re.search(r"\b(stop|destination|arrive|you will be|you'll be)\b", text, re.IGNORECASE)
    return _inserted(text[: stop.start()].rstrip(" ,") if stop else text, addition, len(text))


def _around(text: str, start: int, end: int) -> str:
    return _short(text[max(0, start - 25) : end + 25].strip())


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 70 else words[:69] + "…"
