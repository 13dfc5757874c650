"""POIs of Map2Seq's graph and their links to the streets; tags are parsed on demand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from navviz.errors import InputError, Problem, Problems
from navviz.formats.columns import Nodes, first_of_their_id
from navviz.formats.rows import Column, add_all, floats, indices, read_rows, texts_at
from navviz.support.guarded import is_regular, parse_json
from navviz.world.pois import Poi, PoiTable

_TOGETHER = 500
"""Tags checked as one JSON text: eight times faster; a bad one costs only its group."""

PoiLinks = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]


def read_pois(path: Path, problems: Problems) -> Mapping[str, Poi]:
    """Read ``pois.txt``; POIs without a position or usable tags are left out and reported."""
    if not is_regular(path):
        problems.add(Problem("is missing", "put it beside nodes.txt to see POIs", path.name))
        return {}
    ids, lat, lon, tags = read_rows(path, ("id", "lat", "lng", "tags"), problems)
    positions = np.column_stack([floats(lat), floats(lon)])
    with np.errstate(invalid="ignore"):
        placed = (np.abs(positions) <= (90.0, 180.0)).all(axis=1)
    tagged = _are_objects(tags)
    good = placed & tagged
    usable = np.flatnonzero(good)
    first = first_of_their_id(ids.take(pa.array(usable)))

    def problem(row: int) -> Problem:
        key = ids[row].as_py()
        if good[row]:
            return Problem(
                f"POI {key} comes twice", "keep one; the first is used", path.name, field="id"
            )
        fault = "position is not one in degrees" if tagged[row] else "tags are no JSON object"
        return Problem(
            f"POI {key}: its {fault}", "write id,lat,lng,{tags}; it is left out", path.name
        )

    add_all(
        problems, np.sort(np.concatenate([np.flatnonzero(~good), usable[~first]])).tolist(), problem
    )
    kept = usable[first]
    return table_of(texts_at(ids, kept), positions[kept], tags.take(pa.array(kept)))


def table_of(ids: Sequence[str], positions: NDArray[np.float64], tags: Column) -> PoiTable:
    """POIs whose tags are a column of JSON texts."""
    return PoiTable(ids, positions, tags.to_pylist(), lambda text: _tags(text) or {})


def _are_objects(tags: Column) -> NDArray[np.bool_]:
    """Tell of each text whether it is a JSON object."""
    texts: list[str] = tags.to_pylist()
    good = np.ones(len(texts), bool)
    # parsed together, and one by one only where a group holds a fault
    for begin in range(0, len(texts), _TOGETHER):
        group = texts[begin : begin + _TOGETHER]
        if not _all_objects(group):
            good[begin : begin + _TOGETHER] = [_tags(text) is not None for text in group]
    return good


def _all_objects(texts: Sequence[str]) -> bool:
    """Tell whether each text is surely a JSON object, parsed as lines of a list."""
    # a cheap look first, which spares the parser what cannot be objects
    if not all(text.startswith("{") and text.endswith("}") for text in texts):
        return False
    try:
        values = parse_json("[" + ",\n".join(texts) + "]", "pois.txt", lenient=True)
    except InputError:
        return False
    return len(values) == len(texts) and all(isinstance(value, dict) for value in values)


def _tags(text: str) -> dict[str, str] | None:
    try:
        tags = parse_json(text, "pois.txt", lenient=True)
    except InputError:
        return None
    if not isinstance(tags, dict):
        return None
    texts = {}
    for key, value in tags.items():
        # tags of OpenStreetMap are texts: whatever else stands here becomes one
        texts[key] = value if isinstance(value, str) else json.dumps(value)
    return texts


def read_poi_links(
    path: Path, nodes: Nodes, pois: Mapping[str, Poi], problems: Problems
) -> PoiLinks:
    """Read ``poi_links.txt``: nodes, POIs, headings and positions; bad links are reported."""
    if not is_regular(path):
        if pois:
            problems.add(
                Problem("is missing", "put it beside nodes.txt to link POIs to streets", path.name)
            )
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0), np.empty((0, 2))
    columns = read_rows(path, ("node", "heading", "lat", "lng", "poi"), problems)
    if pois and not len(columns[0]):
        problems.add(
            Problem("holds no link", "no POI is linked to a street; get the file again", path.name)
        )
    a = indices(columns[0], nodes.keys)
    b = indices(columns[4], pa.array(list(pois), pa.string()))
    values = np.column_stack([floats(columns[i]) for i in (1, 2, 3)])
    linked = (a >= 0) & (b >= 0)
    good = linked & np.isfinite(values).all(axis=1)
    for kind, resolved, column in (("node", a, columns[0]), ("POI", b, columns[4])):
        _report_unknown(
            kind, Counter(texts_at(column, np.flatnonzero(resolved < 0))), path.name, problems
        )

    def problem(row: int) -> Problem:
        what = (
            f"link from {columns[0][row].as_py()} to POI {columns[4][row].as_py()} has no heading"
            " or position"
        )
        return Problem(what, "write node,heading,lat,lng,poi; it is left out", path.name)

    add_all(problems, np.flatnonzero(linked & ~good).tolist(), problem)
    return a[good], b[good], values[good, 0], values[good, 1:]


def _report_unknown(kind: str, counts: Counter[str], file: str, problems: Problems) -> None:
    for key, count in counts.items():
        what = f"{kind} {key}, named by {count} links, is not in {kind.lower()}s.txt"
        problems.skip(Problem(what, "its links are left out", file), count)
