"""Lines that stand as one text in a cell or field: JSON, WKT and encoded polylines."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import shapely

from navviz.errors import InputError
from navviz.support.guarded import Json, parse_json

MOST_CHARACTERS = 4_000_000
_WKT = re.compile(
    r"\s*+(SRID=\d{1,6};)?\s*+(MULTI)?(LINESTRING|POINT)\s*+(Z|M|ZM)?\s*+(\(|EMPTY)", re.IGNORECASE
)
_POLYLINE = re.compile(r"[?-~]{4,}")
_LETTERS = 63
"""The first letter that an encoded polyline uses."""
_PLACES = {"LineString", "MovingPoint", "MultiPoint", "MultiLineString"}
_ROWS = re.compile(r"[\d\s.,;|eE+\[\]()-]{7,}")
_BETWEEN = ("]", ")", "|", ";", "\n", ",", " ")
"""What may part the places of a line, the clearest first."""
Kind = Literal["json", "geojson", "wkt", "polyline", "rows", ""]


def kind_of_text(text: str) -> Kind:
    """Tell what a text may be that holds a line; empty where it is none."""
    start = text[:40].lstrip()
    # NumPy prints rows without commas, others part places by signs
    if (
        _ROWS.fullmatch(text[:200])
        and "." in text[:200]
        and _as_rows(text[:200])
        and (not start.startswith(("[[", "((", "[(")) or "," not in text[:200])
    ):
        return "rows"
    # objects with names are in an order of their own
    if start.startswith("[") and start[1:].lstrip().startswith("{") and "lat" in text[:200]:
        return "geojson"
    if start.startswith(("[[", "[ [", "[{", "((", "[(")) or start.rstrip() in {"[]", "()"}:
        return "json"
    if start.startswith("{"):
        return "geojson"
    if _WKT.match(text[:80]):
        return "wkt"
    # four letters at most of a polyline are a place; a word in small letters never ends as one does
    return "polyline" if text[-1:] < "_" and _POLYLINE.fullmatch(text.strip()) else ""


@lru_cache(maxsize=64)
def _points(text: str, digits: int) -> tuple[tuple[float, ...], ...] | None:
    kind = kind_of_text(text)
    if not kind or len(text) > MOST_CHARACTERS:
        return None
    if kind in {"polyline", "rows"}:
        return decoded(text.strip(), digits) if kind == "polyline" else _as_rows(text)
    if kind == "wkt":
        try:
            line = shapely.from_wkt(text.strip().rpartition(";")[2])
        except shapely.errors.ShapelyError:
            return None
        coordinates = shapely.get_coordinates(line, include_z=bool(line.has_z))
        return tuple(tuple(row) for row in coordinates.tolist())
    try:
        # Python prints tuples where JSON has lists
        value = parse_json(text.replace("(", "[").replace(")", "]"), "a cell")
    except InputError:
        return None
    return _listed(value)


def _as_rows(text: str) -> tuple[tuple[float, ...], ...] | None:
    """Return the places of a text that parts them by a sign; ``None`` where it is another text."""
    inner = text.strip("[]() \n")
    for between in _BETWEEN:
        places = _parted(text, between) if between in inner else None
        if places is not None:
            return places
    return None


def _parted(text: str, between: str) -> tuple[tuple[float, ...], ...] | None:
    places = []
    for part in text.split(between):
        cells = re.split(r"[\s,;\[\]()]+", part)
        numbers = [cell for cell in cells if cell]
        if not numbers:
            continue
        try:
            places.append(tuple(float(cell) for cell in numbers))
        except ValueError:
            return None
    # the last one may be cut by the end of what is looked at
    widths = {len(place) for place in places[:-1]}
    is_line = len(places) > 2 and widths in ({2}, {3})
    return tuple(places) if is_line and len(places[-1]) <= 3 else None


def _listed(value: Json) -> tuple[tuple[float, ...], ...] | None:
    """Return the places of a list, or of an object of GeoJSON."""
    if isinstance(value, dict):
        if value.get("type") not in _PLACES:
            return None
        value = value.get("coordinates")
    if not isinstance(value, list):
        return None
    places: list[tuple[float, ...]] = []
    for each in value:
        place = each
        if isinstance(each, dict):
            keys = next((keys for keys in _NAMES if keys[0] in each and keys[1] in each), ())
            place = [each[key] for key in keys]
        if not isinstance(place, list) or not _is_place(place):
            return None
        places.append(tuple(float(number) for number in place))
    return tuple(places)


_NAMES = (("lon", "lat"), ("lng", "lat"), ("longitude", "latitude"), ("x", "y"))


def _is_place(numbers: list[Json]) -> bool:
    sound = all(isinstance(each, int | float) and not isinstance(each, bool) for each in numbers)
    return sound and 2 <= len(numbers) <= 7


def points_in(text: str, digits: int) -> list[list[float]] | None:
    """Return the places that a text holds as one line; ``None`` where it holds none.

    WKT and GeoJSON have the longitude first, encoded polylines the latitude.
    """
    places = _points(text, digits)
    return None if places is None else [list(place) for place in places]


def decoded(text: str, digits: int) -> tuple[tuple[float, float], ...] | None:
    """Return the latitudes and longitudes of an encoded polyline; ``None`` where it is none.

    As Google's "Encoded Polyline Algorithm Format" describes it.
    """
    numbers, number, shift = list[int](), 0, 0
    for letter in text:
        bits = ord(letter) - _LETTERS
        number |= (bits & 0x1F) << shift
        shift += 5
        if bits < 0x20:
            numbers.append(~(number >> 1) if number & 1 else number >> 1)
            number = shift = 0
    # a text that ends within a number, or with a latitude alone, is another text
    if shift or len(numbers) % 2 or len(numbers) < 4:
        return None
    scale, lat, lon = 10**digits, 0, 0
    places = []
    for k in range(0, len(numbers), 2):
        lat, lon = lat + numbers[k], lon + numbers[k + 1]
        places.append((lat / scale, lon / scale))
    return tuple(places)
