"""Distances, bearings and relative directions.

Positions are ``(lat, lon)`` in degrees outdoors and ``(x, y, z)`` in metres, z up, indoors.
Headings are degrees clockwise from north (indoors: from +y), in ``[0, 360)``.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

EARTH_RADIUS_M = 6_371_000.0
"""Mean Earth radius that GROKE's distances use, in metres."""

Direction = Literal["Forward", "Left", "Right", "Back"]
Frame = Literal["geo", "metric"]
"""``geo``: ``(lat, lon)`` in degrees; ``metric``: ``(x, y, z)`` in metres."""

_COMPASS = ("North", "Northeast", "East", "Southeast", "South", "Southwest", "West", "Northwest")


def inside_box(
    places: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which places lie in a box, shape ``(n,)``. `places`: shape ``(n, 2)``."""
    # a column after the other: NumPy joins rows of two several times more slowly
    x, y = places[:, 0], places[:, 1]
    inside: NDArray[np.bool_] = (x >= low[0]) & (x <= high[0])
    inside &= (y >= low[1]) & (y <= high[1])
    return inside


def great_circle_m(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Great-circle distance by the haversine formula.

    `a` and `b`: positions ``(..., 2)`` as ``(lat, lon)`` in degrees; the two broadcast against each
    other. Returns metres, shape ``(...)``. Source: Sinnott, "Virtues of the Haversine", Sky and
    Telescope 68 (2), 1984.
    """
    p, q = np.radians(a), np.radians(b)
    d = q - p
    # sines squared know no full turns, so the date line needs no case of its own
    h = (
        np.sin(d[..., 0] / 2) ** 2
        + np.cos(p[..., 0]) * np.cos(q[..., 0]) * np.sin(d[..., 1] / 2) ** 2
    )
    # of antipodes, h may round up
    return np.asarray(2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(h, 1.0))))


def turned_deg(longitudes: ArrayLike, middle: float) -> NDArray[np.float64]:
    """Return longitudes as near to `middle` as full turns bring them, so that 180 is no edge."""
    values = np.asarray(longitudes, np.float64)
    apart = values - middle
    # what is near stays as it is, bit by bit
    return np.where(np.abs(apart) > 180.0, values - 360.0 * np.round(apart / 360.0), values)


def run_on_at_180(longitudes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return longitudes of one world, beyond 180 where it lies on both sides; else as they are."""
    if not len(longitudes) or not np.ptp(longitudes) > 180.0:
        return longitudes
    east = np.where(longitudes < 0.0, longitudes + 360.0, longitudes)
    return east if np.ptp(east) < np.ptp(longitudes) else longitudes


def middle_deg(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the median of ``(lat, lon)``, shape ``(n, 2)``, on whichever side of 180 most lie.

    A median, as one node at 0,0 pulls a mean out to sea.
    """
    middle = np.median(positions, axis=0)
    lon = positions[:, 1]
    if np.ptp(lon) > 180.0:
        east = np.where(lon < 0.0, lon + 360.0, lon)
        around = float(np.median(east))
        if np.median(np.abs(east - around)) < np.median(np.abs(lon - middle[1])):
            middle[1] = around
    return np.asarray(middle)


def apart_deg(positions: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far ``(lat, lon)`` lie from a middle in each direction, shape ``(n, 2)``."""
    return np.column_stack(
        [
            np.abs(positions[:, 0] - middle[0]),
            np.abs(turned_deg(positions[:, 1], float(middle[1])) - middle[1]),
        ]
    )


def within_180(longitude: float) -> float:
    """Return a longitude as files have it, from -180 to 180."""
    return longitude if abs(longitude) <= 180.0 else (longitude + 180.0) % 360.0 - 180.0


def bearing_deg(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the initial great-circle bearing from `a` to `b`, ``(lat, lon)``; 0 if equal."""
    lat1, lon1, lat2, lon2 = map(math.radians, (a[0], a[1], b[0], b[1]))
    x = math.sin(lon2 - lon1) * math.cos(lat2)
    y = math.cos(lat1) * math.sin(lat2) - math.sin(lat1) * math.cos(lat2) * math.cos(lon2 - lon1)
    return math.degrees(math.atan2(x, y)) % 360.0


def heading_metric_deg(a: ArrayLike, b: ArrayLike) -> float:
    """Heading from `a` to `b`, ``(x, y, z)`` in metres, clockwise from +y; 0 for equal points."""
    p, q = np.asarray(a), np.asarray(b)
    return math.degrees(math.atan2(q[0] - p[0], q[1] - p[1])) % 360.0


def turn_deg(from_heading_deg: float, to_heading_deg: float) -> float:
    """Signed turn between two headings in degrees, positive to the right, in ``(-180, 180]``."""
    turn = (to_heading_deg - from_heading_deg) % 360.0
    return turn - 360.0 if turn > 180.0 else turn


def relative_direction(from_heading_deg: float, to_heading_deg: float) -> Direction:
    """Side on which `to_heading_deg` lies for someone who faces `from_heading_deg`.

    Forward ``[-45, 45]``, Left ``[-135, -45)``, Right ``(45, 135]``, else Back (Shami et al. 2026,
    section 3).
    """
    turn = turn_deg(from_heading_deg, to_heading_deg)
    if -45.0 <= turn <= 45.0:
        return "Forward"
    if -135.0 <= turn < -45.0:
        return "Left"
    if 45.0 < turn <= 135.0:
        return "Right"
    return "Back"


def compass(heading_deg: float) -> str:
    """Name of the nearest of the eight compass directions."""
    return _COMPASS[int((heading_deg % 360.0 + 22.5) / 45.0) % 8]


def destination(
    origin: tuple[float, float], heading_deg: float, distance_m: float
) -> tuple[float, float]:
    """Point ``(lat, lon)`` at `distance_m` metres from `origin` in direction `heading_deg`."""
    lat1, lon1, theta = math.radians(origin[0]), math.radians(origin[1]), math.radians(heading_deg)
    delta = distance_m / EARTH_RADIUS_M
    lat2 = math.asin(
        math.sin(lat1) * math.cos(delta) + math.cos(lat1) * math.sin(delta) * math.cos(theta)
    )
    lon2 = lon1 + math.atan2(
        math.sin(theta) * math.sin(delta) * math.cos(lat1),
        math.cos(delta) - math.sin(lat1) * math.sin(lat2),
    )
    return math.degrees(lat2), math.degrees(lon2)
