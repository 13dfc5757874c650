"""Where the Earth has land, by squares of one degree: tells the order of latitude and longitude.

``land.bin`` is Natural Earth's land 1:110m (public domain) by squares of one degree, each grown by
a quarter of a degree: 180 rows from the south, 360 columns from 180 west, packed bits, zlib.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray


@cache
def _squares() -> NDArray[np.uint8]:
    packed = resources.files("navviz.formats.mapping").joinpath("land.bin").read_bytes()
    bits = np.unpackbits(np.frombuffer(zlib.decompress(packed), np.uint8))
    return bits.reshape(180, 360)


def on_land(lat_deg: float, lon_deg: float) -> bool:
    """Tell whether there is land in the square of a place; false beyond the poles."""
    if not (-90.0 <= lat_deg < 90.0 and -360.0 <= lon_deg <= 360.0):
        return False
    return bool(_squares()[int(lat_deg + 90.0), int(lon_deg + 180.0) % 360])


def share_on_land(points: Sequence[Sequence[float]], *, lat: int) -> float:
    """Return the share of points on land; `lat` is the place of the latitude in each, 0 or 1."""
    # a walk of thousands of places lies in a few squares
    looked_at = points[:: max(1, len(points) // 50)]
    there = sum(on_land(point[lat], point[1 - lat]) for point in looked_at)
    return there / len(looked_at) if looked_at else 0.0
