"""Guess whether positions are degrees, and which of the two comes first: latitude or longitude.

Swapped, a walk lies in another part of the world, turned over and stretched, and no length of it is
right; so where nothing tells the order, the mapping view says so.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError, Problems
from navviz.formats.mapping import values
from navviz.formats.mapping.entries import read_entries
from navviz.formats.mapping.geometry import kind_of_text
from navviz.formats.mapping.guess_positions import is_degrees, words_of
from navviz.formats.mapping.model import Mapping, first_value, series
from navviz.formats.mapping.structure import Structure
from navviz.support.guarded import Json
from navviz.world.graph import Graph


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


_Order = Literal["latlon", "lonlat"]

_DEGREES = {"lat", "latitude", "latlon", "latlng", "lonlat", "lnglat", "geo", "wgs84"}

_LON_FIRST = {"lonlat", "lnglat", "coordinates", "geojson"}

_LAT_FIRST = {"lat", "latitude", "latlon", "latlng"}

_LON_USUAL = {"polyline", "linestring", "geometry", "geom", "line"}
"""What programs of maps call a line: most have the longitude first."""

_SOUTHMOST, _NORTHMOST = -56.0, 72.0
"""Latitudes of the last towns: Puerto Williams and Hammerfest lie within."""

_LOOKED_AT = 20
"""Entries whose positions are looked at."""


def degrees_frame(
    records: Sequence[Json],
    paths: Sequence[str],
    points: Sequence[Sequence[float]],
    graphs: Sequence[Graph],
) -> _Order | None:
    """Return the frame of positions that are degrees; ``None`` where they are none.

    `records` and `paths`: the entries, and where in them the positions stand. `points`: the
    positions of the first entries, as they are written.
    """
    named = _named_coordinates(records, paths)
    # objects with lat and lon are read by their names, in whatever order they stand
    if named == "lat":
        return "latlon"
    words = words_of(" ".join(paths))
    by_name = words & _DEGREES or any(word.startswith("gps") for word in words)
    if not by_name and not is_degrees(points):
        return None
    order = _clear_order(points, graphs)
    if order is not None:
        return order
    # GeoJSON's lists and the x of a map's programs begin with the longitude, other lists do not
    return "lonlat" if named == "x" or words & (_LON_FIRST | _LON_USUAL) else "latlon"


def crs_of(layout: Structure) -> int | None:
    """Return the EPSG code of the ``crs`` that a file declares; ``None`` where it has none.

    CRS84 is EPSG:4326 with the longitude first, as all of GeoJSON.
    """
    document = layout.documents[0] if layout.documents else None
    crs = document.get("crs") if isinstance(document, dict) else None
    text = json.dumps(crs, default=str) if crs else ""
    if "CRS84" in text:
        return 4326
    code = re.search(r"EPSG[^0-9]{1,8}(?:\d+\.\d+:)?(\d{4,6})", text)
    return int(code[1]) if code else None


def declared_frame(layout: Structure) -> str:
    """Return the frame of a ``crs`` that a file declares: degrees, or metres on a plane."""
    if layout.format in IN_DEGREES:
        return IN_DEGREES[layout.format]
    code = crs_of(layout)
    if code is None:
        return ""
    # the registry counts systems in degrees from 4000
    return "lonlat" if 4000 <= code < 5000 else "enu"


IN_DEGREES = {"kml": "lonlat", "gpx": "latlon"}
"""Formats whose places are degrees, by definition."""


def order_doubt(mapping: Mapping, path: Path) -> str:
    """Say that latitude and longitude may be swapped, and what to do; empty where it is clear.

    It is for somebody who looks at a mapping; where one was saved, somebody has looked.
    """
    walk = mapping.walk
    if walk.frame not in {"latlon", "lonlat"} or not walk.positions:
        return ""
    try:
        entries = read_entries(mapping, path, Problems(), _LOOKED_AT).episodes
    except InputError:
        return ""  # it is said where the log is read
    records = [entry.value for entry in entries]
    named, words = _named_coordinates(records, walk.positions), words_of(" ".join(walk.positions))
    # a frame that is no guess was chosen by somebody
    is_guess = walk.frame == "latlon" or named == "x" or words & _LON_USUAL
    # lines that are written as such have an order of their own
    texts = [
        first_value(record, walk.positions[0]) for record in records if len(walk.positions) == 1
    ]
    kinds = {kind_of_text(text) for text in texts if isinstance(text, str) and text}
    if kinds and kinds <= {"wkt", "geojson", "polyline"}:
        return ""
    if not is_guess or named == "lat" or words & (_LAT_FIRST | _LON_FIRST):
        return ""
    points: list[list[float]] = []
    for record in records:
        raw = values.raw_positions(record, walk.positions, walk.polyline_digits)
        points += [each for each in raw if each is not None and len(each) > 1]
    if not points or _clear_order(points, ()) is not None:
        return ""
    first, second, other = "latitude", "longitude", "lonlat"
    if walk.frame == "lonlat":
        first, second, other = second, first, "latlon"
    return (
        f"{walk.positions[0]} is read as {first}, {second}, and nothing in it says which comes"
        f" first: look where the walks lie, open the map of their town with them, or set"
        f" walk.frame={other}."
    )


def _named_coordinates(records: Sequence[Json], paths: Sequence[str]) -> str:
    """Return what names the first coordinate: ``lat``, ``x`` or nothing."""
    # names are those of columns, or of the keys of positions that are objects
    if len(paths) > 1:
        first = paths[0].removesuffix("[*]").lower()
        if first.removesuffix("e7").rstrip("_s").endswith(("lat", "latitude")):
            return "lat"
        return "x" if first.endswith("x") else ""
    for record in islice(records, _LOOKED_AT):
        taken = next((each for each in series(record, paths[0]) if each is not None), None)
        if isinstance(taken, dict):
            keys = {str(key).lower() for key in taken}
            # as `values.numbers` chooses among them
            if {"x", "y"} <= keys:
                return "x"
            return "lat" if keys & {"lat", "latitude"} else ""
    return ""


def _clear_order(points: Sequence[Sequence[float]], graphs: Sequence[Graph]) -> _Order | None:
    """Return the order that numbers or an open map show; ``None`` where both are as likely."""
    for axis, order in ((0, "lonlat"), (1, "latlon")):
        # beyond a pole, or where nobody lives: New York's longitude would be Antarctica's latitude
        beyond = any(abs(point[axis]) > 90.0 for point in points)
        if beyond or (not _inhabited(points, axis) and _inhabited(points, 1 - axis)):
            return order  # type: ignore[return-value]
    for graph in graphs:
        if graph.frame == "geo" and len(graph.ids) and points:
            low, high = graph.positions.min(axis=0), graph.positions.max(axis=0)
            first, second = points[0][:2]
            if low[0] <= second <= high[0] and low[1] <= first <= high[1]:
                return "lonlat"
            if low[0] <= first <= high[0] and low[1] <= second <= high[1]:
                return "latlon"
    # one of the two orders may lead into the sea
    lat_first, lon_first = share_on_land(points, lat=0), share_on_land(points, lat=1)
    if min(lat_first, lon_first) < 0.1 and max(lat_first, lon_first) > 0.9:
        return "latlon" if lat_first > lon_first else "lonlat"
    return None


def _inhabited(points: Sequence[Sequence[float]], axis: int) -> bool:
    """Tell whether people live on all of these latitudes."""
    return all(_SOUTHMOST < point[axis] < _NORTHMOST for point in points)
