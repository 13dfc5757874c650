"""Cut the GeoJSON backdrop of a world to the surroundings of a player document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from navviz.views.player.cut import Cut, rounded
from navviz.views.player.schema import Area

MAX_NUMBERS = 40_000
"""Coordinates in a document's backdrop; what comes later in the file is left out."""
METRES_PER_DEGREE = 111_195.0
"""Of latitude, on a sphere with the mean radius of the Earth (6,371 km)."""


def backdrop(geojson: object, cut: Cut) -> list[Area]:
    """Areas and lines near the cut in file order.

    Features that cannot be parsed are left out: a backdrop is only a decoration.
    """
    # GeoJSON is in degrees: nodes with three coordinates lie in a house, in metres
    if not isinstance(geojson, dict) or not cut.positions or len(cut.positions[0]) != 2:
        return []
    kept: list[Area] = []
    room = MAX_NUMBERS
    for feature in geojson.get("features") or []:
        try:
            # as a list: a feature that breaks in its middle adds none of its shapes
            shapes = list(_shapes(feature))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            continue
        for shape in shapes:
            room -= sum(map(len, shape.rings))
            if room < 0:
                return kept
            kept.append(shape)
    return kept


def _shapes(feature: dict[str, Any]) -> Iterator[Area]:
    geometry = feature["geometry"]
    properties = feature.get("properties") or {}
    kind = str(properties.get("kind", "area"))
    coordinates = geometry["coordinates"]
    match geometry["type"]:
        case "Polygon":
            yield Area(kind=kind, rings=[_flat(ring) for ring in coordinates])
        case "MultiPolygon":
            for polygon in coordinates:
                yield Area(kind=kind, rings=[_flat(ring) for ring in polygon])
        case "LineString":
            yield Area(kind=kind, rings=[_flat(coordinates)], line=True, width_m=_width(properties))
        case "Point":
            radius_m = float(properties.get("radius_m", 3.0))
            yield Area(kind=kind, rings=[_disc(coordinates, radius_m)])


def _width(properties: dict[str, Any]) -> float | None:
    return float(properties["width_m"]) if "width_m" in properties else None


def _flat(ring: list[list[float]]) -> list[float]:
    """GeoJSON's ``[lon, lat]`` pairs as flat ``lat, lon``."""
    # GeoJSON allows a third number, the height, which a flat map has no use for.
    return _flattened((place[1], place[0]) for place in ring)


def _flattened(places: Iterable[tuple[float, float]]) -> list[float]:
    flat: list[float] = []
    for place in places:
        flat += rounded(place, "geo")
    return flat


def _disc(place: list[float], radius_m: float, corners: int = 10) -> list[float]:
    """Return the corners of a circle around ``[lon, lat]`` as flat ``lat, lon``."""
    lon, lat = float(place[0]), float(place[1])
    up_deg = radius_m / METRES_PER_DEGREE
    # Near a pole a degree of longitude shrinks to nothing: the disc must not grow without end.
    across_deg = up_deg / max(0.01, math.cos(math.radians(lat)))
    turns = [2 * math.pi * k / corners for k in range(corners)]
    return _flattened(
        (lat + up_deg * math.sin(turn), lon + across_deg * math.cos(turn)) for turn in turns
    )
