"""What a place on a route is like: turns, stairs, ways, and whose text speaks of it.

Every feature is a yes or no that anybody could see on the spot; none names a house or a viewpoint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navviz.observations.panorama import sector
from navviz.systems.rules.indoors.texts import TABLES
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
    """What is known of a house: where its viewpoints lie and which ways lead on from those that
    were visited.

    Parameters
    ----------
    positions
        Shape ``(viewpoints, 3)``: x, y, z in metres.
    ways
        Linked viewpoints of each visited viewpoint; the others are missing.
    """

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
    """Columns of the features that hold at place `at` of a route.

    Parameters
    ----------
    seen
        What is known of the house.
    nodes
        The route.
    at
        Index into it.
    start_heading_deg
        Where the agent looks at the start, clockwise from +y.
    """
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
