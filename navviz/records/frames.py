"""Named frames of positions, and the way from each into NavViz's own and back.

NavViz's frame is the Matterport3D simulator's: metres, x east, y north, z up; headings in degrees
clockwise from +y. Each conversion only swaps axes and signs, so that it is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

Frame = Literal["matterport", "habitat", "enu", "ned"]
Position = tuple[float, float, float]
FRAMES: tuple[Frame, ...] = ("matterport", "habitat", "enu", "ned")


def to_navviz(position: Sequence[float], frame: Frame) -> Position:
    """Return a position of a named frame in NavViz's.

    `position`: three coordinates in metres. `frame`: ``habitat``: x right, y up, z backward.
    ``ned``: north, east, down (AirSim). ``enu``: east, north, up, which is NavViz's own as
    ``matterport`` is.
    """
    a, b, c = (float(value) for value in position)
    # 0.0 less: a zero without a sign, however it was written
    if frame == "habitat":
        return a, 0.0 - c, b
    if frame == "ned":
        return b, a, 0.0 - c
    return a, b, c


def from_navviz(position: Sequence[float], frame: Frame) -> Position:
    """Return a position of NavViz's frame in a named one; undoes `to_navviz`."""
    x, y, z = (float(value) for value in position)
    if frame == "habitat":
        return x, z, -y
    if frame == "ned":
        return y, x, -z
    return x, y, z


def habitat_heading_deg(rotation: Sequence[float]) -> float:
    """Return the heading of a rotation ``[x, y, z, w]`` of Habitat, of which only yaw occurs."""
    return math.degrees(-2 * math.atan2(rotation[1], rotation[3])) % 360.0
