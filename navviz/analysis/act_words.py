"""The decisive act in one sentence: what was not done, where, and what was done instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from navviz.analysis.crossings import has_light, is_crossing, passed_things
from navviz.analysis.told_route import ToldRoute, lengths_along
from navviz.analysis.turns import Side, first_heading_deg
from navviz.language.said import DOES, SENTENCE_END
from navviz.records.act import Act, DecisiveAct, How
from navviz.records.base import capital
from navviz.world.geometry import compass
from navviz.world.graph import Graph

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

_THERE_M: Final = 5.0

STRAIGHT_DEG: Final = 15.0

_WIDER_DEG: Final = 8.0
"""Of two ways the straighter one is straight on where the other bends by so much more."""

SLIGHT_TURN_DEG: Final = 50.0
"""A smaller change of heading is said to keep or bear to a side, not to turn."""

_QUOTE, _WHOLE = 60, 90
"""Characters up to which words are quoted with more of their clause than was read, and with all of
it.
"""

_ENDS: Final = re.compile(rf"{SENTENCE_END}|;(?=\s|$)", re.IGNORECASE)

_VERB: Final = re.compile(DOES, re.IGNORECASE)

_BREAK: Final = re.compile(
    rf"\s+-\s|[,:](?=\s)|\s+(?:and|then|but|until)\s+(?:(?:then|immediately|just)\s+)*{DOES}",
    re.IGNORECASE,
)
"""Where the next thing to do begins."""

_BARE: Final = re.compile(
    r"(?:\W|\b(?:turn(?:ing)?|tak(?:e|ing)|mak(?:e|ing)|go|bear|veer|hang|do|stop(?:ping)?|an?|the|your"
    r"|this|that|left|right|here|there|hand|then|and|immediately|now|quick|sharp|slight|slightly|you"
    r"|will|want|should|to|again|is|it|in|at|done|must|can)\b)*",
    re.IGNORECASE,
)
"""Words that name no place."""


def quote_of(act: Act, text: str) -> str:
    """Return the words of an act in its instruction, with so much of its clause that the place is
    in them: at most about 60 characters where more is quoted than was read.
    """
    if act.span is None:
        return f"“{capital(act.text)}”"
    begin, end = act.span
    ends = [match.start() for match in _ENDS.finditer(text)]
    last = min((place for place in ends if place >= end), default=len(text))
    pause = _BREAK.search(text, end, last)
    stop = last if pause is None else pause.start()
    if stop > end and stop - begin > _WHOLE:
        stop = max(end, text.rfind(" ", begin, begin + _QUOTE + 1))
    after = "" if _BREAK.match(text, stop) or stop == last else " …"
    starts = [0, *(place + 1 for place in ends if place < begin)]
    first = starts[-1]
    if _BARE.fullmatch(text[first:stop]) and len(starts) > 1:
        first = starts[-2]
    named = act.kind == "landmark" and not _VERB.match(text, begin)
    if named or _BARE.fullmatch(text[begin:stop]):
        begin = min(begin, first if stop - first <= _WHOLE else stop - _QUOTE)
        # a cut within a word loses the word
        begin += 0 if begin in {first, act.span[0]} else text[begin : act.span[0]].find(" ") + 1
    before = "… " if first < begin < act.span[0] else ""
    words = re.sub(r"^[,;:\s-]*(?:(?:and|then)\s+)*", "", text[begin:stop], flags=re.IGNORECASE)
    words = before + " ".join(words.split()) + after
    return f"“{capital(words)}”"


def sentence_of(
    miss: DecisiveAct,
    route: ToldRoute,
    walk: Sequence[str],
    graph: Graph,
    text: str,
    bends_deg: tuple[float, float] = (0.0, 0.0),
    parts_left: bool = False,
    against: Act | None = None,
    turned_at: int | None = None,
) -> str:
    """Return the sentence of an act on streets.

    `bends_deg` says by how much route and walk bend where they part, positive to the right, and
    `parts_left` whether the way of the walk is the left one of the two. `against` is a told turn to
    the other side, where the route makes a turn that no words say; `turned_at` the place of the
    route at which the walk turned.
    """
    place, act, side, to_side = (
        miss.route_place or 0,
        miss.act,
        miss.route_side,
        miss.walked_side,
    )
    quoted = "" if act is None else quote_of(act, text)
    verb = "done"
    if act is not None and act.kind in {"turn", "landmark"}:
        verb = "reached" if act.kind == "landmark" else "made" if act.side else "done"
    undone = f"{quoted} was not {verb}"
    if miss.how == "set out wrong":
        return f"{undone}; it set out {_set_out(route, walk, graph)}."
    where = place_words(route, place, graph)
    due = where if act is None or act.at is None else place_words(route, act.at, graph)
    off = f"{miss.off_m or 0.0:.0f} m"
    due_deg, walked_deg = bends_deg
    goes = _manner(due_deg, side, ("goes straight on", "keeps", "bears", "turns"))
    did = _manner(walked_deg, to_side, ("went straight on", "kept", "bore", "turned"))
    if to_side is None and did == f"kept {side}":
        did = f"went on slightly {side}"
    # at a fork the way on the left is the left one, also where it bends little
    kept, keeps = ("left", "right") if parts_left else ("right", "left")
    other = f"took another way than the route {where}"
    if max(abs(due_deg), abs(walked_deg)) < SLIGHT_TURN_DEG:
        wider_deg = abs(walked_deg) - abs(due_deg)
        fork = f"keeps {keeps}"
        if abs(due_deg) < STRAIGHT_DEG and wider_deg >= _WIDER_DEG:
            fork = "goes straight on"
        went = f"kept {kept}"
        if abs(walked_deg) < STRAIGHT_DEG and -wider_deg >= _WIDER_DEG:
            went = "went straight on"
        other = f"{went} {where}, where the route {fork}"
    early = "" if turned_at is None else f", {place_words(route, turned_at, graph)}"
    left = f"{off} before the end of the route, {where}"
    again = "" if miss.last_turn is None else f": {quote_of(miss.last_turn, text)} had been made"
    beyond_m = lengths_along(walk[miss.walk_place or 0 :], graph)[-1]
    beyond = f"went {beyond_m:.0f} m on" + ("" if to_side is None else f", turning {to_side}")
    left_m = route.along_m[-1] - route.along_m[place]
    end = "the end of the route" if left_m < _THERE_M else f"within {left_m:.0f} m of the end"
    sentences: dict[How, str] = {
        "skipped": f"{undone} {where}; it {did}.",
        "too late": f"{undone} {due}; it turned {side} {off} further on.",
        "wrong side": f"{undone} {where}; it {did} there.",
        "two ways": f"{undone} {due} as on the route; it took another way to the {side} there.",
        "too early": f"{undone} {due}; it {did} {off} before that{early}.",
        "repeated": f"{undone} next; it {did} again {where}{again}.",
        "extra turn": f"{undone} next; it {did} {where}, where the route {goes}.",
        "told, not on route": (
            f"{quoted} is no turn of the route; it {did} {where}, where the route {goes}."
            if act is None or side in {None, act.side}
            else f"{quoted} contradicts the route, which {goes} {where}; it {did} there."
        ),
        "unsaid turn": (
            f"No words say that the route {goes} {where}; it {did}."
            if against is None
            else f"{quote_of(against, text)} contradicts the route, which {goes} {where}; it {did}."
        ),
        "other way": (
            f"{undone} next; it {other}."
            if act is None or act.kind == "turn"
            else f"At {quoted} it left the route: it {other}."
        ),
        "went on": f"{undone}; it came to {end} and {beyond}.",
        "stopped early": f"{undone}; it stopped {left}.",
        "broke off": f"{undone}; the run broke off {left}.",
        "did not stop": f"{undone}; the run ended without a stop, {left}.",
        "turned back": f"{undone} next; it turned back {where}.",
    }
    return sentences[miss.how]


def _set_out(route: ToldRoute, walk: Sequence[str], graph: Graph) -> str:
    went = compass(first_heading_deg(walk, graph)).lower()
    goes = compass(first_heading_deg(route.path, graph)).lower()
    return f"{went} where the route goes {goes}" if went != goes else "another way than the route"


def _manner(bend: float, side: Side | None, words: tuple[str, str, str, str]) -> str:
    """Say how a way goes on: straight on, or to a side in words for slight and sharper bends."""
    straight, kept, bore, turned = words
    if side is not None:
        return f"{bore if abs(bend) < SLIGHT_TURN_DEG else turned} {side}"
    if not STRAIGHT_DEG <= abs(bend) < SLIGHT_TURN_DEG:
        return straight
    return f"{kept} {'left' if bend < 0 else 'right'}"


def place_words(route: ToldRoute, place: int, graph: Graph) -> str:
    """Say where a place of the route is: ``at the second light after the turn``, its last one."""
    path, along_m = route.path, route.along_m
    if place == 0:
        return "at the start"
    before = [turn.place for turn in route.turns if along_m[turn.place] < along_m[place] - 5]
    since = before[-1] if before else 0
    after = f"{along_m[place] - along_m[since]:.0f} m after the {'turn' if before else 'start'}"
    lit = has_light(graph, path[place])
    if not lit and not is_crossing(graph, path[place]):
        return after
    thing = "light" if lit else "intersection"
    counted = passed_things(graph, path[since : place + 1], has_light if lit else is_crossing)
    # junctions 15 to 32 m apart may be one crossing or two
    if counted.least == counted.apart and 0 < counted.least <= len(_ORDINALS):
        behind = " after the turn" if before else ""
        return f"at the {_ORDINALS[counted.least - 1]} {thing}{behind}"
    return f"at the {thing} {after}"
