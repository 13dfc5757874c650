"""Turns: those that a walk makes at junctions, and those that words tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Final, Literal

from navviz.language.readable import readable
from navviz.systems.rules.grammar.grammar import read_instruction
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg

Side = Literal["left", "right"]

_ARM_M: Final = 25.0
"""Over how much of the way before and after a junction its direction is judged: the last link
before a node of a dual carriageway may point anywhere.
"""
_TURN_DEG: Final = 45.0
_ONE_TURN_M: Final = 30.0
"""Turns to the same side nearer than this are one turn, made over the two nodes of one crossing:
the sharpest.
"""
_APART: Final = 60
"""Characters between a turn and its place in one sentence; further apart they are two things."""
_ENDS: Final = re.compile(r"[.!?;]")
_JOINED: Final = frozenset({"", "at", "on", "onto", "into", "in"})
"""Between a turn and its place behind it."""
_PLAN_SIGNS: Final = re.compile(r"[_:]+")
_TURN_WORDS: Final = re.compile(
    r"(?<!can )\b(?:turn|take|make|go|head|bear|veer|hang)(?:s|ing)?\s+"
    r"(?:(?:a|to|the|your|sharp|immediate|first|next)\s+){0,3}"
    r"(left|right)\b(?! (?:side|corner|hand))",
    re.IGNORECASE,
)
"""A turn with its verb. "and to the right" may be the end of a turn or where something stands; it
is left out.
"""
_ANY_TURN: Final = re.compile(r"\b(left|right)\b(?! (?:side|corner|hand))", re.IGNORECASE)
_BESIDE: Final = re.compile(
    r"\b(?:on|at|with|along|from|has|have|is|are|be)\s+(?:the|your|its|our)?\s*(?:near|far|immediate)?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WalkedTurn:
    """One turn of a walk at a junction."""

    place: int
    """Index into the path."""
    node: str
    side: Side
    angle_deg: float
    """Positive to the right."""


def walked_turns(
    path: Sequence[str], graph: Graph, least_deg: float = _TURN_DEG
) -> list[WalkedTurn]:
    """List the turns left and right of a walk, at nodes where more than two ways meet, in order.

    Nodes that the graph lacks are passed over; turning back is no turn to a side.
    """
    nodes = [
        node for k, node in enumerate(path) if node in graph and (k == 0 or node != path[k - 1])
    ]
    along_m = [0.0]
    for a, b in pairwise(nodes):
        along_m.append(along_m[-1] + graph.link_m(a, b))
    turns: list[WalkedTurn] = []
    for k in range(1, len(nodes) - 1):
        if graph.degree(nodes[k]) <= 2:
            continue
        angle = turn_deg(
            _arm_deg(graph, nodes, along_m, k, -1), _arm_deg(graph, nodes, along_m, k, 1)
        )
        if not least_deg < abs(angle) < 150.0:
            continue
        turn = WalkedTurn(k, nodes[k], "left" if angle < 0 else "right", angle)
        last = turns[-1] if turns else None
        if (
            last is not None
            and last.side == turn.side
            and along_m[k] - along_m[last.place] < _ONE_TURN_M
        ):
            if abs(turn.angle_deg) > abs(last.angle_deg):
                turns[-1] = turn
            continue
        turns.append(turn)
    return turns


def turn_ahead(
    route: Sequence[str], end: str, side: Side, graph: Graph, number: int = 1
) -> tuple[str, float] | None:
    """Return where a route turns to a side beyond the end of a walk, and how far that is in metres;
    ``None`` where it does not, or the walk did not end on it.

    Of several the one of this `number`, counted from 1, else the last: a route may have more turns
    than its text, behind the one that is meant.

    What a text calls a turn may be a bend that everybody follows: without a turn of the route
    nobody can say that one is missing.
    """
    if end not in route:
        return None
    # of a place that the route comes by twice, the later visit
    here = len(route) - 1 - tuple(reversed(route)).index(end)
    ahead = []
    for turn in walked_turns(route, graph):
        if turn.place >= here and turn.side == side:
            ahead.append(turn.place)
    if not ahead:
        return None
    place = ahead[min(number, len(ahead)) - 1]
    way = route[here : place + 1]
    return route[place], float(sum(graph.link_m(a, b) for a, b in pairwise(way)))


def _arm_deg(
    graph: Graph, nodes: Sequence[str], along_m: Sequence[float], k: int, step: int
) -> float:
    """Heading of the way into (`step` -1) or out of (`step` 1) a node of the path, over 25 m."""
    far = k + step
    while 0 < far < len(nodes) - 1 and abs(along_m[far] - along_m[k]) < _ARM_M:
        far += step
    # a way that came back to the node points nowhere: its first link decides
    if nodes[far] == nodes[k]:
        far = k + step
    # a single link may be drawn with bends: its heading at the node counts
    if far == k + step:
        end = nodes[k], nodes[far]
        return departure_deg(graph, *end) if step > 0 else arrival_deg(graph, *end[::-1])
    return (
        graph.heading_deg(nodes[far], nodes[k])
        if step < 0
        else graph.heading_deg(nodes[k], nodes[far])
    )


@lru_cache(maxsize=8192)
def instruction_turns(text: str) -> tuple[tuple[Side, str], ...]:
    """List the plain turns left and right of a text, in order, each with its words.

    The rules' reading tells turns from sides on which a place stands; of these only turns with a
    verb count. Slight turns are left out: on the map they may be no turn at all.
    """
    reading = read_instruction(_PLAN_SIGNS.sub(" ", readable(text)))
    units = [unit for unit in reading.units if _TURN_WORDS.search(unit.text)]
    return tuple((unit.turn, unit.text) for unit in units if unit.turn in {"left", "right"})


def words_span(text: str, words: str) -> tuple[int, int] | None:
    """Return where a text has the words of a turn (``turn left · the next light``), with its place
    where one sentence has both; ``None`` where they do not stand there so.
    """
    verb, _, place = words.partition(" · ")
    # on the text itself: in lower case some letters are longer, and every position behind differs
    verbs = [match.span() for match in re.finditer(re.escape(verb), text, re.IGNORECASE)]
    if not verbs:
        return None
    span = verbs[-1]
    quotes: list[tuple[bool, int, tuple[int, int]]] = []
    places = re.finditer(re.escape(place), text, re.IGNORECASE) if place else ()
    for match in places:
        # the place may stand before its verb: "at the next light turn left"
        between = text[min(span[1], match.end()) : max(span[0], match.start())]
        if len(between) > _APART or _ENDS.search(between):
            continue
        whole = min(span[0], match.start()), max(span[1], match.end())
        # "turn left and walk to the next light": that is where the turn led
        later = match.start() > span[0] and between.strip().lower() not in _JOINED
        quotes.append((later, len(between), whole))
    # of two "the next light" the farther one belongs to what was done before the turn
    return min(quotes)[2] if quotes else span


def spoken_sides(text: str) -> tuple[Side, ...]:
    """List the sides to which a text turns by a verb, in order, without reading more of it than
    that.
    """
    turns = _TURN_WORDS.finditer(_PLAN_SIGNS.sub(" ", readable(text)))
    return tuple(_side_of(turn[1]) for turn in turns)


def possible_sides(text: str) -> tuple[Side, ...]:
    """List each left and right of a text that may be a turn: all but those on which something
    stands.
    """
    plain = _PLAN_SIGNS.sub(" ", readable(text))
    words = [m for m in _ANY_TURN.finditer(plain) if not _BESIDE.search(plain[: m.start()])]
    return tuple(_side_of(word[1]) for word in words)


def _side_of(word: str) -> Side:
    return "left" if word.lower() == "left" else "right"


def missing_turns(described: Sequence[Side], made: Sequence[Side]) -> list[int]:
    """Tell which of the described turns have no counterpart, in order, among those that were
    made.

    Returns
    -------
    Indices into `described` outside of a longest common subsequence; where several are as long,
    the last ones are missing.
    """
    rows, columns = len(described), len(made)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i, j in product(reversed(range(rows)), reversed(range(columns))):
        if described[i] == made[j]:
            best[i][j] = best[i + 1][j + 1] + 1
        else:
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
    missing, i, j = [], 0, 0
    while i < rows:
        if j < columns and described[i] == made[j]:
            i, j = i + 1, j + 1
        # also where both are as good: then an earlier turn keeps its counterpart, and the last is
        # missing
        elif j < columns and best[i][j + 1] >= best[i + 1][j]:
            j += 1
        else:
            missing.append(i)
            i += 1
    return missing
