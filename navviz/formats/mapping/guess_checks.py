"""Say what was checked of a mapping, in sentences: where the walks lie, how far their places are
apart, what else the rows might be grouped by.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise

from navviz.formats.mapping import values
from navviz.formats.mapping.geometry import kind_of_text
from navviz.formats.mapping.guess import (
    entries_of,
    first_records,
    mean_move,
    ways_to_episodes,
)
from navviz.formats.mapping.guess_order import crs_of
from navviz.formats.mapping.guess_positions import (
    LOOKED_AT,
    are_nameless,
    is_declared,
    polyline_doubt,
    words_of,
)
from navviz.formats.mapping.guess_walks import heading_error_deg
from navviz.formats.mapping.model import BY_FILE, Mapping, first_value
from navviz.formats.mapping.structure import Structure
from navviz.records.base import Position, plural
from navviz.support.guarded import Json

_LONGEST_STEP_M = 2_000.0
"""No agent's places lie farther apart; a car's that are logged once a minute do not."""
_SHORTEST_STEP_M = 0.0005
_FAR_M = 100_000.0
_UNSAID = {"state", "states", "vector", "data", "values"}
_WEB_MERCATOR = {3857, 900913, 3395}


def checks_of(layout: Structure, mapping: Mapping) -> list[str]:
    """Return what was checked of a mapping, and what remains in doubt, a sentence each."""
    if not mapping.walk.positions:
        return _of_actions(mapping)
    records = first_records(layout, mapping)[:LOOKED_AT]
    walks = [walk for record in records if len(walk := _placed(record, mapping)) > 1]
    if not walks:
        return []
    checks = [*_of_frame(layout, mapping, records), *_of_plane(mapping, walks)]
    checks += _of_steps(mapping, walks)
    checks += _of_groups(layout, mapping)
    error_deg = heading_error_deg(records, mapping.walk)
    if error_deg is not None:
        fits = "as they look" if error_deg < 45.0 else "elsewhere: check unit and zero of headings"
        checks.append(f"The agents go {fits} (median {error_deg:.0f} degrees beside it).")
    return checks


def _of_actions(mapping: Mapping) -> list[str]:
    walk = mapping.walk
    if not walk.actions or not (walk.moved_m or walk.turned_deg):
        return []
    return [f"No field holds places: the walks are {walk.pose_source}."]


def _placed(record: Json, mapping: Mapping) -> list[Position]:
    """Return the places of a walk in metres around its start."""
    walk = mapping.walk
    raw = values.raw_positions(record, walk.positions, walk.polyline_digits)
    origin = values.first_place(raw)
    if origin is None:
        return []
    placed = [values.placed(each or (), walk, origin) for each in raw]
    return [each for each in placed if each is not None]


def _of_frame(layout: Structure, mapping: Mapping, records: Sequence[Json]) -> Iterator[str]:
    walk = mapping.walk
    path = walk.positions[0]
    code = crs_of(layout)
    text = first_value(records[0], path)
    if code is not None:
        yield f"The file declares EPSG:{code}."
        if code in _WEB_MERCATOR:
            yield "Its metres are too long away from the equator: convert it to WGS 84 first."
    elif is_declared(records, path):
        yield "The type of GeoJSON says that longitude, latitude stand there."
    elif isinstance(text, str) and kind_of_text(text) == "polyline":
        yield f"{path} is an encoded polyline with {walk.polyline_digits} decimals."
        if polyline_doubt(records, path):
            other = 11 - walk.polyline_digits
            yield (
                f"Nothing else says how many it has: look where it lies, or set"
                f" walk.polyline_digits={other}."
            )
    if are_nameless(walk.positions):
        both = " and ".join(walk.positions)
        yield f"No name says that {both} are places, their numbers do: look where the walks lie."
    if mapping.in_degrees:
        walk = mapping.walk
        points = list[Position]()
        for record in records:
            raw = values.raw_positions(record, walk.positions, walk.polyline_digits)
            placed = [values.placed(each or (), walk, None) for each in raw]
            points += [each for each in placed if each is not None]
        lats, lons = [point[0] for point in points], [point[1] for point in points]
        inside = max(map(abs, lats)) <= 90.0 and max(map(abs, lons)) <= 360.0
        where = f"latitude {min(lats):.3f} to {max(lats):.3f}, longitude {min(lons):.3f}"
        sentence = f"The walks lie at {where} to {max(lons):.3f}."
        yield (sentence if inside else f"{sentence} That is beyond the map: check the frame.")
    elif not words_of(path).isdisjoint(_UNSAID):
        yield f"What the numbers of {path} mean is not said: they are read as x, y and z."


def _of_plane(mapping: Mapping, walks: Sequence[Sequence[Position]]) -> Iterator[str]:
    """Say which axis is upright, and that the walks change least along it."""
    spans_m = [0.0, 0.0, 0.0]
    for walk in walks:
        for k, along in enumerate(zip(*walk, strict=False)):
            spans_m[k] += (max(along) - min(along)) / len(walks)
    east_m, north_m, up_m = spans_m
    frame, paths = mapping.walk.frame, mapping.walk.positions
    if mapping.in_degrees or frame == "pixels" or not any(len(walk[0]) > 2 for walk in walks):
        return
    axis = paths[2] if len(paths) > 2 else "the third number"
    if frame in {"habitat", "unity", "camera"}:
        axis = paths[1] if len(paths) > 2 else "the second number"
    spans = f"walks span {east_m:.3g} by {north_m:.3g} m, and {up_m:.3g} m along it"
    if up_m <= min(east_m, north_m):
        yield f"{axis} is upright, as it changes least: {spans}."
    elif up_m <= max(east_m, north_m):
        yield f"{axis} is taken as upright: {spans}; they are too straight to show it."
    else:
        yield f"{axis} is taken as upright, though it changes most ({spans}): check the frame."


def _of_steps(mapping: Mapping, walks: Sequence[Sequence[Position]]) -> Iterator[str]:
    moves_m = list[float]()
    farthest_m = 0.0
    for walk in walks:
        moves_m += [math.dist(a, b) for a, b in pairwise(walk) if a != b]
        farthest_m = max(farthest_m, *(math.dist(walk[0], place) for place in walk))
    if not moves_m:
        yield "Nobody moves."
        return
    usual_m, longest_m = statistics.median(moves_m), max(moves_m)
    sentence = f"Places that follow each other lie {usual_m:.3g} m apart, {longest_m:.3g} m at most"
    if _SHORTEST_STEP_M <= usual_m <= _LONGEST_STEP_M:
        yield f"{sentence}: steps of a length that agents walk."
    else:
        yield f"{sentence}: no agent's steps are of such a length, so check the frame."
    if mapping.in_degrees and farthest_m > _FAR_M:
        yield "Walks of more than 100 km are measured on a plane around their start: roughly."


def _of_groups(layout: Structure, mapping: Mapping) -> Iterator[str]:
    group = tuple(mapping.group_by)
    if not group or group == (BY_FILE,):
        return
    here = mean_move(first_records(layout, mapping), mapping.walk)
    count = len(first_records(layout, mapping))
    sentence = f"Rows with the same {', '.join(group)} make {plural(count, 'walk')}"
    others = []
    for way, other in ways_to_episodes(layout):
        if way != mapping.episodes or not other or other in {group, (BY_FILE,)}:
            continue
        records = entries_of(layout, way, other)
        there = mean_move(records, mapping.walk)
        if here and there:
            others.append((there / here, len(records), other[0]))
    if not others:
        yield f"{sentence}."
        return
    ratio, number, name = min(others)
    what = f"{sentence}; by {name} it would be {number:,}, whose places lie"
    # two columns that part the rows alike are one reading
    if abs(ratio - 1.0) < 0.05 and number != count:
        yield f"{what} as near to each other: choose which is an episode."
    elif ratio > 1.0:
        yield f"{what} {ratio:.1f} times as far apart."
    else:
        yield f"{sentence}."
