"""The decisive act in one sentence: what was not done, where, and what was done instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from navviz.analysis.crossings import has_light, is_crossing, passed_things
from navviz.analysis.told_route import ToldRoute, lengths_along
from navviz.analysis.turns import first_heading_deg
from navviz.records.act import Act, DecisiveAct, How
from navviz.world.geometry import compass
from navviz.world.graph import Graph

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

_THERE_M: Final = 5.0


def sentence_of(miss: DecisiveAct, route: ToldRoute, walk: Sequence[str], graph: Graph) -> str:
    """Return the sentence of an act on streets."""
    place, act, side, to_side = (
        miss.route_place or 0,
        miss.act,
        miss.route_side,
        miss.walked_side,
    )
    if miss.how == "set out wrong" and act is not None:
        return f"{_undone(act)}; it set out {_set_out(route, walk, graph)}."
    where = place_words(route, place, graph)
    due = where if act is None or act.at is None else place_words(route, act.at, graph)
    undone = "" if act is None else _undone(act)
    off = f"{miss.off_m or 0.0:.0f} m"
    did = "went straight on" if to_side is None else f"turned {to_side}"
    goes = "goes straight on" if side is None else f"turns {side}"
    left = f"{off} before the end of the route, {where}"
    again = "" if miss.last_turn is None else f": {_quote(miss.last_turn)} had been made"
    beyond_m = lengths_along(walk[miss.walk_place or 0 :], graph)[-1]
    beyond = f"went {beyond_m:.0f} m on" + ("" if to_side is None else f", turning {to_side}")
    left_m = route.along_m[-1] - route.along_m[place]
    end = "the end of the route" if left_m < _THERE_M else f"within {left_m:.0f} m of the end"
    sentences: dict[How, str] = {
        "skipped": f"{undone} {where}; it went straight on.",
        "too late": f"{undone} {due}; it turned {side} {off} further on.",
        "wrong side": f"{undone} {where}; it {did} there.",
        "two ways": f"{undone} {due} as on the route; it took another way to the {side} there.",
        "too early": f"{undone} {due}; it {did} {off} before that, {where}.",
        "repeated": f"{undone} next; it {did} again {where}{again}.",
        "extra turn": f"{undone} next; it {did} {where}, where the route {goes}.",
        "told, not on route": (
            f"{'' if act is None else _quote(act)} is no turn of the route; it {did} {where},"
            f" where the route {goes}."
        ),
        "unsaid turn": f"No words say that the route {goes} {where}; it {did}.",
        "other way": f"{undone} next; it took another way than the route {where}.",
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


def _quote(act: Act) -> str:
    return f"“{act.text[:1].upper()}{act.text[1:]}”"


def _undone(act: Act) -> str:
    verb = {"turn": "made" if act.side else "done", "landmark": "reached"}.get(act.kind, "done")
    return f"{_quote(act)} was not {verb}"


def place_words(route: ToldRoute, place: int, graph: Graph) -> str:
    """Say where a place of the route is, counted from its last turn: ``at the second light``."""
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
    # halves of one crossing may be one light or two
    if counted.least == len(counted.nodes) and 0 < counted.least <= len(_ORDINALS):
        return f"at the {_ORDINALS[counted.least - 1]} {thing}"
    return f"at the {thing} {after}"
