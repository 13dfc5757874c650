"""Plane geometry for the sample town: curves, strips and rectangles, in metres ``(east,
north)``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]


def curve(points: Sequence[Point], pieces: int = 24) -> list[list[Point]]:
    """Draw a smooth curve through points (uniform Catmull-Rom): a dense polyline for each stretch
    between two.

    A curve whose last point is its first is closed without a kink.
    """
    closed = points[0] == points[-1]
    before = points[-2] if closed else _beyond(points[1], points[0])
    after = points[1] if closed else _beyond(points[-2], points[-1])
    p = [before, *points, after]
    return [
        [_catmull_rom(p[i : i + 4], k / pieces) for k in range(pieces + 1)]
        for i in range(len(points) - 1)
    ]


def _beyond(a: Point, b: Point) -> Point:
    return (2 * b[0] - a[0], 2 * b[1] - a[1])


def _catmull_rom(p: Sequence[Point], t: float) -> Point:
    a, b, c, d = (
        -0.5 * t**3 + t**2 - 0.5 * t,
        1.5 * t**3 - 2.5 * t**2 + 1,
        -1.5 * t**3 + 2 * t**2 + 0.5 * t,
        0.5 * t**3 - 0.5 * t**2,
    )
    x, y = (a * p[0][i] + b * p[1][i] + c * p[2][i] + d * p[3][i] for i in (0, 1))
    return (x, y)


def length(line: Sequence[Point]) -> float:
    """Length of a polyline."""
    return sum(math.dist(a, b) for a, b in itertools.pairwise(line))


def along(line: Sequence[Point], distance: float) -> tuple[Point, float]:
    """Point that lies a distance along a polyline, and the heading there in degrees clockwise from
    north.
    """
    for a, b in itertools.pairwise(line):
        step = math.dist(a, b)
        if distance <= step:
            return _between(a, b, distance / step if step else 0.0), heading(a, b)
        distance -= step
    return line[-1], heading(line[-2], line[-1])


def _between(a: Point, b: Point, t: float) -> Point:
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))


def heading(a: Point, b: Point) -> float:
    """Heading from `a` to `b` in degrees clockwise from north."""
    return math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) % 360.0


def move(p: Point, heading_deg: float, distance: float) -> Point:
    """Point at a distance in a direction."""
    angle = math.radians(heading_deg)
    return (p[0] + distance * math.sin(angle), p[1] + distance * math.cos(angle))


def resample(line: Sequence[Point], spacing: float) -> list[Point]:
    """Points at even distances of about `spacing`, both ends included."""
    total = length(line)
    pieces = max(1, round(total / spacing))
    return [along(line, total * k / pieces)[0] for k in range(pieces)] + [line[-1]]


def offset(line: Sequence[Point], distance: float) -> list[Point]:
    """Return the polyline shifted to the right of its direction (to the left where `distance` is
    negative).
    """
    last = len(line) - 1
    sides = [heading(line[max(i - 1, 0)], line[min(i + 1, last)]) + 90 for i in range(len(line))]
    return [move(p, side, distance) for p, side in zip(line, sides, strict=True)]


def strip(line: Sequence[Point], width: float) -> list[Point]:
    """Polygon of a strip along a polyline."""
    return offset(line, width / 2) + offset(line, -width / 2)[::-1]


def smooth(points: Sequence[Point], pieces: int = 6) -> list[Point]:
    """Draw a closed smooth outline through points."""
    return [p for stretch in curve([*points, points[0]], pieces) for p in stretch[:-1]]


def circle(middle: Point, radius: float, corners: int = 24) -> list[Point]:
    """Outline of a circle."""
    return [move(middle, 360 * k / corners, radius) for k in range(corners)]


def rectangle(front: Point, heading_deg: float, width: float, depth: float) -> list[Point]:
    """Rectangle whose front edge has its middle at `front`; it reaches `depth` in the direction of
    `heading_deg`.
    """
    left, right = move(front, heading_deg - 90, width / 2), move(front, heading_deg + 90, width / 2)
    return [left, right, move(right, heading_deg, depth), move(left, heading_deg, depth)]


def middle(polygon: Sequence[Point]) -> Point:
    """Mean of the corners."""
    return (sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon))


def inside(p: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon (even-odd rule)."""
    found = False
    for a, b in _edges(polygon):
        if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (
            b[0] - a[0]
        ):
            found = not found
    return found


def nearest_on_outline(p: Point, polygon: Sequence[Point]) -> Point:
    """Point of a polygon's outline that lies nearest to `p`; a polygon of one point is that
    point.
    """
    if len(polygon) == 1:
        return polygon[0]
    return min(
        (nearest_on_edge(p, a, b) for a, b in _edges(polygon)), key=lambda q: math.dist(p, q)
    )


def nearest_on_edge(p: Point, a: Point, b: Point) -> Point:
    """Point of the straight line from `a` to `b` that lies nearest to `p`."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / ((dx * dx + dy * dy) or 1.0)
    return _between(a, b, min(1.0, max(0.0, t)))


def overlap(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Whether two convex polygons overlap (separating axis theorem)."""
    return not any(_apart(a, b, p, q) for p, q in [*_edges(a), *_edges(b)])


def _apart(a: Sequence[Point], b: Sequence[Point], p: Point, q: Point) -> bool:
    nx, ny = q[1] - p[1], p[0] - q[0]
    on_a, on_b = [nx * x + ny * y for x, y in a], [nx * x + ny * y for x, y in b]
    return max(on_a) <= min(on_b) or max(on_b) <= min(on_a)


def _edges(polygon: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    return zip(polygon, [*polygon[1:], polygon[0]], strict=True)
