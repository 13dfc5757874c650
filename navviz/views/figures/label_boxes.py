"""Where the labels of a figure go: beside what they name, on no path, no symbol and no other
label.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Point = tuple[float, float]

_DISTANCES = (2.5, 5.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0)
"""How far, in points, a label may be moved away from its place: farther, nobody connects the two.
"""
_LEADER_FROM = 4.0
"""From this distance on a thin line connects label and place."""
_ANGLES = tuple(math.radians(angle) for angle in range(0, 360, 15))
_CLEAR = 1.5
"""Points that stay free around a label."""
_SHARES = (0.0, -0.125, 0.125, -0.25, 0.25, -0.375, 0.375, -0.5, 0.5)
"""How far from the middle of an area its name may stand, as shares of what is to spare."""
_CROSSING_COST = 12.0
"""A leader that crosses a path costs as much as this many points of distance."""


@dataclass(frozen=True, slots=True)
class LabelBox:
    """A text that wants a place; all lengths in points."""

    anchor: Point
    """The middle of what it names."""
    size: Point
    """Width and height of the text."""
    inside: Box | None = None
    """The area that it names: it stands in there, best in the middle, or not at all."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a label stands."""

    box: Box
    leader: tuple[Point, Point] | None = None
    """From what it names to the edge of its box, where it stands apart."""


def place_boxes(
    labels: Sequence[LabelBox], area: Box, segments: NDArray[np.float64], symbols: Sequence[Box]
) -> list[Placed | None]:
    """Place labels in the order of their importance."""
    lines = np.asarray(segments, dtype=float).reshape(-1, 4)
    taken = list(symbols)
    leaders = np.empty((0, 4))
    result: list[Placed | None] = []
    for label in labels:
        best = _cheapest(label, area, lines, leaders, taken)
        result.append(best)
        if best is not None:
            taken.append(best.box)
            if best.leader is not None:
                leaders = np.vstack([leaders, [[*best.leader[0], *best.leader[1]]]])
    return result


def _cheapest(
    label: LabelBox,
    area: Box,
    lines: NDArray[np.float64],
    leaders: NDArray[np.float64],
    taken: Sequence[Box],
) -> Placed | None:
    """Find the free place that costs least; of equals the first."""
    # places are tried from the cheapest on. Whether a leader crosses a path is only computed when
    # its place comes next, since most labels find one of their first places free
    # the number decides between equal costs: the heap never compares two places
    waiting: list[tuple[float, int, bool, Placed]] = []
    for number, (cost, placed) in enumerate(_candidates(label)):
        if (
            placed.box[0] >= area[0]
            and placed.box[1] >= area[1]
            and placed.box[2] <= area[2]
            and placed.box[3] <= area[3]
        ):
            waiting.append((cost, number, placed.leader is None, placed))
    heapq.heapify(waiting)
    while waiting:
        cost, number, is_final, placed = heapq.heappop(waiting)
        if not is_final and placed.leader is not None and _crosses(placed.leader, lines):
            heapq.heappush(waiting, (cost + _CROSSING_COST, number, True, placed))
        elif _is_free(placed, lines, leaders, taken, label):
            return placed
    return None


def _candidates(label: LabelBox) -> Iterator[tuple[float, Placed]]:
    """Yield places around the anchor with their least cost; near, level, right is best."""
    (x, y), (width, height) = label.anchor, label.size
    if label.inside is not None:
        yield from _inside(label.inside, width, height)
        return
    for distance in _DISTANCES:
        for angle in _ANGLES:
            cos, sin = math.cos(angle), math.sin(angle)
            box = _box(
                x + cos * (distance + width / 2), y + sin * (distance + height / 2), width, height
            )
            leader = (
                ((x, y), (min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])))
                if distance > _LEADER_FROM
                else None
            )
            yield distance + 1.5 * (1 - cos) / 2 + 1.0 * abs(sin), Placed(box, leader)


def _inside(area: Box, width: float, height: float) -> Iterator[tuple[float, Placed]]:
    """Places in an area, the nearest to its middle first."""
    spare_x, spare_y = (
        area[2] - area[0] - width - 2 * _CLEAR,
        area[3] - area[1] - height - 2 * _CLEAR,
    )
    if spare_x < 0 or spare_y < 0:
        return
    x, y = (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
    for i in _SHARES:
        for j in _SHARES:
            yield (
                abs(i) * spare_x + abs(j) * spare_y,
                Placed(_box(x + i * spare_x, y + j * spare_y, width, height)),
            )


def _is_free(
    placed: Placed,
    lines: NDArray[np.float64],
    leaders: NDArray[np.float64],
    taken: Sequence[Box],
    label: LabelBox,
) -> bool:
    wide = (
        placed.box[0] - _CLEAR,
        placed.box[1] - _CLEAR,
        placed.box[2] + _CLEAR,
        placed.box[3] + _CLEAR,
    )
    for other in taken:
        in_columns = wide[0] < other[2] and other[0] < wide[2]
        if in_columns and wide[1] < other[3] and other[1] < wide[3]:
            return False
    if crossed(wide, lines).any() or crossed(wide, leaders).any():
        return False
    if placed.leader is None:
        return True
    line = np.array([[*placed.leader[0], *placed.leader[1]]])
    # a leader begins inside the symbol of what it names, so that one is no obstacle
    x, y = label.anchor
    for box in taken:
        is_own = box[0] <= x <= box[2] and box[1] <= y <= box[3]
        if not is_own and crossed(box, line).any():
            return False
    return True


def crossed(box: Box, segments: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which segments ``(k, 4)`` touch a box (Liang and Barsky 1984)."""
    start, step = segments[:, :2], segments[:, 2:] - segments[:, :2]
    low, high = np.array(box[:2]), np.array(box[2:])
    still = step == 0
    # no division by 0: where a segment does not move along an axis, `inside` decides instead
    safe = np.where(still, 1.0, step)
    first, second = (low - start) / safe, (high - start) / safe
    inside = (start >= low) & (start <= high)
    enter = np.where(still, np.where(inside, -np.inf, np.inf), np.minimum(first, second)).max(
        axis=1, initial=0.0
    )
    leave = np.where(still, np.where(inside, np.inf, -np.inf), np.maximum(first, second)).min(
        axis=1, initial=1.0
    )
    touched: NDArray[np.bool_] = enter <= leave
    return touched


def _crosses(leader: tuple[Point, Point], lines: NDArray[np.float64]) -> bool:
    """Whether a leader crosses a line, by the signs of four areas."""
    p, q = np.array(leader[0]), np.array(leader[1])
    a, b = lines[:, :2], lines[:, 2:]
    of_lines = _side(p, q, a) * _side(p, q, b) < 0
    of_leader = _side(a, b, p) * _side(a, b, q) < 0
    return bool((of_lines & of_leader).any())


def _side(
    p: NDArray[np.float64], q: NDArray[np.float64], r: NDArray[np.float64]
) -> NDArray[np.float64]:
    d, e = q - p, r - p
    area: NDArray[np.float64] = d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]
    return area


def _box(x: float, y: float, width: float, height: float) -> Box:
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2
