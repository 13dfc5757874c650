"""The learned weights of the indoor rules, and their file.

They speak of words, of words in texts, of turns and stairs, never of a house or a viewpoint.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navviz.observations.panorama import sector
from navviz.support.guarded import write_whole
from navviz.systems.rules.indoors.texts import TABLES, Phrase
from navviz.world.geometry import heading_metric_deg, turn_deg
from navviz.world.house import SECTORS

TURNS = tuple(round(k * 30.0) for k in range(12))
"""Middles of the classes of turns in degrees, clockwise."""

_RISES = ("up", "up a floor", "down", "down a floor")

_WAYS = ("1", "1", "2", "3 or 4", "3 or 4", "5 or more")
"""Class of a number of ways; where none leads on, one came by one."""

_RISE_M, _FLOOR_M = 0.3, 1.0
"""A move is one of stairs from 0.3 m on; more than 1 m is most of a flight."""

_GROUPS: dict[str, tuple[object, ...]] = {
    "turn": TURNS,
    "turn over two moves": TURNS,
    "turn before": TURNS,
    "turn at the start": TURNS,
    "turn before the end": TURNS,
    "place": ("start", "middle", "end"),
    "way on": _RISES,
    "way here": _RISES,
    "move": ("under 1.5 m", "under 3 m", "longer"),
    "moves before": (0, 1, 2, 3, 4, 5, "6 or more"),
    "ways": ("1", "2", "3 or 4", "5 or more"),
    "floor": ("above the start", "below the start"),
    "choice": ("straightest", "not the straightest"),
}


def _names() -> Iterator[str]:
    for group, values in _GROUPS.items():
        yield from (f"{group}: {value}" for value in values)


FEATURES = tuple(_names())

INDEX = {name: k for k, name in enumerate(FEATURES)}
"""From the name of a feature to its column."""

_PASSED_GROUPS = {"turn", "turn over two moves", "place", "way on", "choice"}

PASSED = tuple(k for k, name in enumerate(FEATURES) if name.partition(":")[0] in _PASSED_GROUPS)
"""Features that count where no phrase speaks of a place: to pass by a turn without a word is
unlikely.
"""

ROLES: tuple[tuple[str, str], ...] = (
    ("ahead", "ahead scene"),
    ("left", "ahead scene"),
    ("right", "ahead scene"),
    ("behind", "ahead scene"),
    ("here", "scene"),
    ("objects here", "objects"),
    ("summary here", "summary"),
    ("summary of the next", "summary"),
    ("objects ahead", "ahead objects"),
    ("summary at the end", "summary"),
    ("objects at the end", "objects"),
    ("objects of the next", "objects"),
)
"""What a text is to a place on a route, and the table it is taken from."""

ROLE_TABLES = tuple(TABLES.index(table) for _, table in ROLES)


@dataclass(frozen=True, slots=True)
class IndexedRoute:
    """A walk from the start, as viewpoints by index."""

    nodes: tuple[int, ...]
    length_m: float


@dataclass(frozen=True, slots=True)
class HouseSurroundings:
    """What is known of a house: where viewpoints lie, and ways on from visited ones."""

    positions: NDArray[np.float64]
    ways: dict[int, Sequence[int]]

    def heading_deg(self, a: int, b: int) -> float:
        """Heading from one viewpoint to another."""
        return heading_metric_deg(self.positions[a], self.positions[b])

    def rise_m(self, a: int, b: int) -> float:
        """Height gained from one viewpoint to another."""
        return float(self.positions[b][2] - self.positions[a][2])


def _turn(group: str, from_deg: float, to_deg: float) -> int:
    # 15 degrees on, since a class lies around its middle
    return INDEX[f"{group}: {TURNS[int(((turn_deg(from_deg, to_deg) + 15.0) % 360.0) // 30.0)]}"]


def _rises(group: str, rise_m: float) -> list[int]:
    name = "up" if rise_m > 0 else "down"
    columns = []
    if abs(rise_m) > _RISE_M:
        columns.append(INDEX[f"{group}: {name}"])
    # besides the first: a flight of stairs is a rise, too
    if abs(rise_m) > _FLOOR_M:
        columns.append(INDEX[f"{group}: {name} a floor"])
    return columns


def describe(
    seen: HouseSurroundings, nodes: Sequence[int], at: int, start_heading_deg: float
) -> list[int]:
    """Columns of the features that hold at place `at` of a route."""
    last = len(nodes) - 1
    came_deg = start_heading_deg if at == 0 else seen.heading_deg(nodes[at - 1], nodes[at])
    place = "end" if at == last else "middle"
    if at == 0:
        place = "start"
    columns = [INDEX[f"place: {place}"]]
    columns.append(INDEX[f"moves before: {at if at < 6 else '6 or more'}"])
    if at < last:
        columns += _leaving(seen, nodes, at, came_deg)
    if at > 0:
        before_deg = start_heading_deg
        if at > 1:
            before_deg = seen.heading_deg(nodes[at - 2], nodes[at - 1])
        columns += _rises("way here", seen.rise_m(nodes[at - 1], nodes[at]))
        columns.append(_turn("turn before", before_deg, came_deg))
        columns += [_turn("turn before the end", before_deg, came_deg)] if at == last else []
    climbed = seen.rise_m(nodes[0], nodes[at])
    if abs(climbed) > _FLOOR_M:
        columns.append(INDEX[f"floor: {'above' if climbed > 0 else 'below'} the start"])
    ways = seen.ways.get(nodes[at])
    if ways is not None:
        columns.append(INDEX[f"ways: {_WAYS[min(len(ways), len(_WAYS) - 1)]}"])
    return columns


def _leaving(seen: HouseSurroundings, nodes: Sequence[int], at: int, came_deg: float) -> list[int]:
    here, following = nodes[at], nodes[at + 1]
    heading = seen.heading_deg(here, following)
    columns = [_turn("turn" if at else "turn at the start", came_deg, heading)]
    if at + 2 < len(nodes):
        second_deg = seen.heading_deg(following, nodes[at + 2])
        columns.append(_turn("turn over two moves", came_deg, second_deg))
    columns += _rises("way on", seen.rise_m(here, following))
    length = float(np.linalg.norm(seen.positions[here] - seen.positions[following]))
    move = "under 3 m" if length < 3 else "longer"
    if length < 1.5:
        move = "under 1.5 m"
    columns.append(INDEX[f"move: {move}"])
    off = abs(turn_deg(came_deg, heading))
    bearings = [seen.heading_deg(here, way) for way in seen.ways.get(here, ())]
    least = min((abs(turn_deg(came_deg, bearing)) for bearing in bearings), default=off)
    choice = "straightest" if off <= least + 1e-6 else "not the straightest"
    return [*columns, INDEX[f"choice: {choice}"]]


def read(
    seen: HouseSurroundings, nodes: Sequence[int], at: int, start_heading_deg: float
) -> list[int]:
    """For each of `ROLES` the row of its table that place `at` reads, -1 where it reads nothing.

    Viewpoints that were not visited have no text yet.
    """
    here, last = nodes[at], len(nodes) - 1
    if here not in seen.ways:
        return [-1] * len(ROLES)
    if at < last:
        heading = seen.heading_deg(here, nodes[at + 1])
    else:
        heading = start_heading_deg if at == 0 else seen.heading_deg(nodes[at - 1], here)
    front = sector(heading)
    left, right, behind = ((front + k) % SECTORS for k in (-2, 2, 4))
    following = nodes[at + 1] if at < last and nodes[at + 1] in seen.ways else -1
    end = here if at == last else -1
    # tables of directions have 8 rows a viewpoint, the others one; the order is that of `ROLES`
    row = here * SECTORS
    ahead = [row + front, row + left, row + right, row + behind]
    return [*ahead, here, here, here, following, row + front, end, end, following]


FILE = Path(__file__).with_name("weights.json")

MOST_MOVES = 7
"""Routes of R2R have four to six moves; what was learned of longer ones is that there are none."""

GAPS = MOST_MOVES + 1

LENGTHS, LENGTH_STEP_M = 10, 2.0

PHRASES_LEFT = 12
"""Phrases that are counted singly; more count as this many."""

SIZES = 4
"""Classes of instructions by their number of phrases, three phrases a class."""


def shapes(words: int, tokens: int, width: int) -> dict[str, tuple[int, ...]]:
    """Shapes of all arrays.

    ``words``: vector of each word of an instruction; ``tokens``: of each word of a text; ``roles``:
    how the two are compared for each of `ROLES`; ``word features``: weight of each word with each
    of `FEATURES`; ``features``: of a feature with any phrase; ``passed``: of `PASSED` where no
    phrase speaks; ``gap``, ``gap before``, ``gap after``: of places passed between two phrases,
    before the first, after the last; ``moves``, ``length``, ``moves by size``: of how long routes
    are; ``left``: what is still to be expected where some phrases are not reached yet, by their
    number and by the moves so far; ``stop``: of stopping, and of stopping where one stands.
    """
    return {
        "words": (words, width),
        "tokens": (tokens, width),
        "roles": (len(ROLES), width, width),
        "word features": (words, len(FEATURES)),
        "features": (len(FEATURES),),
        "passed": (len(PASSED),),
        "gap": (GAPS,),
        "gap before": (GAPS,),
        "gap after": (GAPS,),
        "moves": (GAPS,),
        "length": (LENGTHS,),
        "moves by size": (GAPS, SIZES),
        "left": (PHRASES_LEFT, GAPS),
        "stop": (2,),
    }


@dataclass(frozen=True)
class Weights:
    """What was learned."""

    words: Sequence[str]
    """Words and pairs of words of instructions."""
    tokens: Sequence[str]
    """Words of texts."""
    values: Mapping[str, NDArray[np.float32]]
    """Arrays by the names of `shapes`."""

    @cached_property
    def word_index(self) -> dict[str, int]:
        """From a word of an instruction to its row."""
        return {word: k for k, word in enumerate(self.words)}

    def feature_rows(self, phrases: Sequence[Phrase]) -> list[list[int]]:
        """Rows of the features of each phrase that were learned."""
        index = self.word_index
        rows = []
        for phrase in phrases:
            names = [name for name in phrase.features if name in index]
            rows.append([index[name] for name in names])
        return rows

    def write(self, path: Path, note: str) -> None:
        """Write the file, in hundredths."""
        arrays = {
            name: np.rint(array * 100).astype(int).tolist() for name, array in self.values.items()
        }
        document = {
            "note": note,
            "words": list(self.words),
            "tokens": list(self.tokens),
            "hundredths": arrays,
        }
        write_whole(path, json.dumps(document, separators=(",", ":")) + "\n")


@lru_cache(maxsize=2)
def load_weights(path: Path = FILE) -> Weights:
    """Read a weights file."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    arrays = {}
    for name, array in document["hundredths"].items():
        arrays[name] = np.array(array, np.float32) / np.float32(100)
    return Weights(tuple(document["words"]), tuple(document["tokens"]), arrays)
