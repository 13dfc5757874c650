"""What a map may draw behind the streets: the GeoJSON backdrop of a world, cut to a document's surroundings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from navviz.views.player.cut import Cut, rounded
from navviz.views.player.schema import Area

__all__ = ["backdrop"]

MAX_NUMBERS = 40_000
"""Coordinates in a document's backdrop; what comes later in the file is left out."""


def backdrop(geojson: object, cut: Cut) -> list[Area]:
    """Areas and lines near the cut in file order.

    Features that cannot be understood are passed over: a backdrop is only a decoration.
    """
    if not isinstance(geojson, dict) or not cut.positions or len(cut.positions[0]) != 2:
        return []
    kept: list[Area] = []
    room = MAX_NUMBERS
    for feature in geojson.get("features") or []:
        try:
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
    geometry, properties = feature["geometry"], feature.get("properties") or {}
    kind, coordinates = str(properties.get("kind", "area")), geometry["coordinates"]
    match geometry["type"]:
        case "Polygon":
            yield Area(kind=kind, rings=[_flat(ring) for ring in coordinates])
        case "MultiPolygon":
            for polygon in coordinates:
                yield Area(kind=kind, rings=[_flat(ring) for ring in polygon])
        case "LineString":
            yield Area(kind=kind, rings=[_flat(coordinates)], line=True, width_m=_width(properties))
        case "Point":
            yield Area(kind=kind, rings=[_disc(coordinates, float(properties.get("radius_m", 3.0)))])


def _width(properties: dict[str, Any]) -> float | None:
    return float(properties["width_m"]) if "width_m" in properties else None


def _flat(ring: list[list[float]]) -> list[float]:
    """GeoJSON's ``[lon, lat]`` pairs as flat ``lat, lon``."""
    return [value for lon, lat in ((p[0], p[1]) for p in ring) for value in rounded((lat, lon), "geo")]


def _disc(place: list[float], radius_m: float, corners: int = 10) -> list[float]:
    lon, lat = float(place[0]), float(place[1])
    up = radius_m / 111_195.0
    across = up / max(0.01, math.cos(math.radians(lat)))
    turns = [2 * math.pi * k / corners for k in range(corners)]
    return [v for t in turns for v in rounded((lat + up * math.sin(t), lon + across * math.cos(t)), "geo")]
