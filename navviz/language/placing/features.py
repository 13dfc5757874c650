"""The features of the log-linear model, by name: what the weights file has a number for.

Every feature is an indicator. A unit that is used at a junction, a junction that is passed without
a word, a landmark that is seen, a stop: each switches on a fixed number of features (*slots*); its
score is the sum of their weights.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from navviz.language.grammar.way import Place, Relation, StopKind, Turn
from navviz.language.placing.landmarks import QUALITIES
from navviz.language.placing.streets import ANGLES, SHAPES

TURNS: tuple[Turn, ...] = get_args(Turn)
PLACES: tuple[Place, ...] = get_args(Place)
SIDES = ("agrees", "contradicts", "unsure", "unsaid")
NEARNESS = ("near", "far")
LIGHTS = ("lit", "dark")
"""Whether a junction has traffic lights."""
CONTEXTS = ("pass", "corner", "stop")
"""What the agent does where it sees a landmark."""
PENDING = (
    *map("".join, product(PLACES, ("", "!"))),
    "landmark",
    "stop",
    "stop-junction",
    "stop-steps",
    "stop-after",
)
STOP_KINDS = (*get_args(StopKind), "none")
RELATIONS: tuple[Relation, ...] = get_args(Relation)
BACK_BINS_M = (6.0, 12.0, 18.0, 26.0, 36.0, 50.0, 75.0, 110.0)
"""Upper ends of bins of metres since the last junction; finer where most stops lie."""
FORWARD_BINS_M = (0.5, 12.0, 22.0, 32.0, 45.0, 65.0, 95.0)
"""Upper ends of bins of metres to the next junction; the first one is the junction itself."""
SHARE_BINS = (0.12, 0.25, 0.38, 0.46, 0.54, 0.62, 0.75, 0.88, 0.9999)
"""Upper ends of bins of the share of the block walked; narrow around the middle, since "halfway" is
what people say.
"""
ALONG_BINS_M = (-36.0, -26.0, -17.0, -9.0, -3.0, 3.0, 9.0, 17.0, 26.0, 36.0)
"""Ends of bins of metres along the street to a landmark, negative behind; symmetric, for "before"
and "after".
"""
LENGTH_BIN_M = 10.0
"""About one link of Map2Seq's graph."""
LENGTH_BINS = 60
"""600 m, past the 500 m that the prior searches."""


def _family(template: str, *axes: str | range | tuple[object, ...]) -> Iterable[str]:
    """Return the names of a family, for all values of its axes: ``turn:{}>{}`` for turn, angle."""
    for values in product(*axes):
        name = template
        for value in values:
            name = name.replace("{}", str(value), 1)
        yield name


def _names() -> Iterable[str]:
    # number 0, for the slots of an event that has fewer features than others of its kind
    yield "none"
    yield from _family("turn:{}>{}", TURNS, ANGLES)
    yield from _family("best:{}>{}", TURNS, "01")
    yield from _family("place:{}>{}", PLACES, LIGHTS)
    yield from _family("place:{}>{}", PLACES, SHAPES)
    yield from _family("close:{}>{}", ("straight", "turn", "double"), "01")
    yield from _family("skip:{}>{}", ANGLES, LIGHTS)
    yield from _family("skip-best:{}", "01")
    yield from _family("skip:{}", SHAPES)
    yield from _family("skip-close:{}>{}", "01", LIGHTS)
    yield from _family("skip-pending:{}>{}", PENDING, LIGHTS)
    yield from _family("skip-pending:{}>{}", PENDING, SHAPES)
    for context in CONTEXTS:
        yield from _family(context + "-match:{}", QUALITIES)
        yield from _family(context + "-side:{}", SIDES)
        yield from _family(context + "-near:{}", NEARNESS)
    yield from _family("drop:{}", TURNS)
    yield from _family("drop-landmark:{}", QUALITIES)
    for kind in STOP_KINDS:
        yield from _family("stop:" + kind + ">back{}", range(len(BACK_BINS_M) + 1))
        yield from _family("stop:" + kind + ">forward{}", range(len(FORWARD_BINS_M) + 1))
        yield from _family("stop:" + kind + ">share{}", range(len(SHARE_BINS) + 1))
    yield from _family("stop-place:{}>{}", PLACES, LIGHTS)
    for group in ("name", "kind"):
        yield from _family("stop-" + group + ":{}>{}", RELATIONS, range(len(ALONG_BINS_M) + 1))
    yield from _family("length:{}", range(LENGTH_BINS))


FEATURES: tuple[str, ...] = tuple(_names())
INDEX: dict[str, int] = {name: number for number, name in enumerate(FEATURES)}


@cache
def lookup(template: str, *axes: str | range | tuple[object, ...]) -> NDArray[np.int32]:
    """Feature numbers of a family as an array over its axes: ``lookup("turn:{}>{}", TURNS,
    ANGLES)``.

    The same array each time, read-only: there are no more families than features.
    """
    flat = [INDEX[name] for name in _family(template, *axes)]
    table = np.array(flat, np.int32).reshape([len(axis) for axis in axes])
    table.flags.writeable = False
    return table


_WANTED = {
    "straight": {
        "straight": 0.0,
        "slight-left": -1.0,
        "slight-right": -1.0,
        "left": -4.0,
        "right": -4.0,
        "sharp-left": -6.0,
        "sharp-right": -6.0,
    },
    "left": {
        "left": 0.0,
        "slight-left": -1.0,
        "sharp-left": -1.0,
        "straight": -5.0,
        "slight-right": -6.0,
        "right": -7.0,
        "sharp-right": -7.0,
    },
    "any": dict.fromkeys(ANGLES, -0.5),
}


def _mirror(name: str) -> str:
    # by way of a mark, else the second replacement would undo the first
    return name.replace("left", "\0").replace("right", "left").replace("\0", "right")


def initial_weights() -> NDArray[np.float64]:
    """Hand-set weights: where learning starts, and returns to where the data say nothing."""
    table = _initial_turns() | _initial_skips() | _initial_landmarks() | _initial_stop()
    weights = np.zeros(len(FEATURES))
    for name, weight in table.items():
        weights[INDEX[name]] = weight
    return weights


def _initial_turns() -> dict[str, float]:
    """Weights of words of turns and of the places that they name, and of such words unused."""
    wanted = dict(_WANTED)
    wanted["right"] = {_mirror(a): w for a, w in _WANTED["left"].items()}
    wanted["slight-left"] = {**_WANTED["left"], "slight-left": 0.0, "straight": -1.5, "left": -0.7}
    wanted["slight-right"] = {_mirror(a): w for a, w in wanted["slight-left"].items()}
    table: dict[str, float] = {}
    for turn, row in wanted.items():
        table |= {f"turn:{turn}>{angle}": weight for angle, weight in row.items()}
    table |= dict.fromkeys(_family("drop:{}", TURNS), -5.0)
    return table | {
        "best:straight>0": -0.7,
        "place:light>dark": -2.5,
        "place:light>lit": 0.0,
        "place:intersection>lit": -0.3,
        "place:T>crossing": -1.5,
        "place:T>bend": -1.0,
        "place:side>crossing": -0.7,
        "drop:straight": -3.0,
        "drop:any": -3.0,
    }


def _initial_skips() -> dict[str, float]:
    """Weights of junctions that are passed without a word."""
    along = {"straight": -0.7, "slight-left": -1.5, "slight-right": -1.5}
    table: dict[str, float] = {}
    for lit in LIGHTS:
        table |= {f"skip:{a}>{lit}": along.get(a, -4.0) for a in ANGLES}
        table |= {f"skip-close:1>{lit}": 0.5}
    return table | {
        "skip-best:0": -0.5,
        "skip-pending:light!>lit": -2.0,
        "skip-pending:light>lit": -1.2,
        "skip-pending:stop>lit": -0.5,
        "skip-pending:intersection!>lit": -1.0,
        "skip-pending:intersection!>dark": -1.0,
    }


def _initial_landmarks() -> dict[str, float]:
    """Weights of landmarks, seen or dropped; the better a place answers, the more it counts."""
    lost = (-1.0, -0.7, -0.2, -0.3, 0.0)
    table = dict(zip(_family("drop-landmark:{}", QUALITIES), lost, strict=True))
    for context in CONTEXTS:
        matched = (2.0, 1.5, 0.5, 0.7, 0.4)
        table |= dict(zip(_family(context + "-match:{}", QUALITIES), matched, strict=True))
        table |= {
            f"{context}-side:agrees": 0.6,
            f"{context}-side:contradicts": -0.8,
            f"{context}-near:far": -0.5,
        }
    return table


def _initial_stop() -> dict[str, float]:
    table: dict[str, float] = {}
    for kind, centre in (("third", 3), ("half", 4), ("two-thirds", 7), ("almost", 8)):
        for b in range(len(SHARE_BINS) + 1):
            table[f"stop:{kind}>share{b}"] = 1.0 - 0.4 * abs(b - centre)
    for kind in ("steps", "after-junction", "building-1"):
        for b in range(len(BACK_BINS_M) + 1):
            table[f"stop:{kind}>back{b}"] = 1.0 - 0.5 * max(0, b - 3)
    for b in range(len(FORWARD_BINS_M) + 1):
        table[f"stop:before-junction>forward{b}"] = 1.0 - 0.5 * abs(b - 2)
    for kind in ("at-junction", "end"):
        for b in range(len(FORWARD_BINS_M) + 1):
            table[f"stop:{kind}>forward{b}"] = 1.5 - 1.2 * b
    table |= {"stop-place:light>dark": -1.5}
    # bins of metres ahead: who stops before a landmark has it ahead, in a higher bin than the
    # middle
    centres = {"before": 7.5, "at": 5.0, "after": 3.0, "near": 5.0, "too-far": 8.5}
    for group, strength in (("name", 3.0), ("kind", 1.0)):
        for relation, middle in centres.items():
            for b in range(len(ALONG_BINS_M) + 1):
                table[f"stop-{group}:{relation}>{b}"] = max(0.0, strength - 0.6 * abs(b - middle))
    return table
