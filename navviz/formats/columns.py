"""Graphs as comma-separated files: columns, positions and links, with every bad row reported once.

The whole file is split at once while it is regular; only a file with bad rows is looked at row by row.

Not pandas: its parser takes the commas of unquoted JSON tags for columns and a stray quotation mark for the rest of the
file, and fills short rows without a word. Manhattan's nodes it reads faster (32 ms, not 87), its links slower once ids
are looked up (289 ms, not 176).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError, Problem, Problems
from navviz.guarded import read_text, size_of

__all__ = ["MAX_BYTES", "Links", "Nodes", "floats", "indices", "read_links", "read_nodes", "read_rows"]

MAX_BYTES = 150_000_000
"""Thirty times Manhattan; a larger table would need gigabytes of memory."""

_FAR_DEG = 5.0
"""A node this far from the middle of its graph is no part of it."""


@dataclass(frozen=True)
class Nodes:
    """Ids with their positions, and the other columns of the file."""

    ids: list[str]
    index: dict[str, int]
    positions: NDArray[np.float64]
    """Shape ``(n, 2)``: ``(lat, lon)`` in degrees."""
    columns: list[list[str]]
    """All columns as text, rows as in `ids`."""


@dataclass(frozen=True)
class Links:
    """Links by node index."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    headings_deg: NDArray[np.float64]


def read_rows(path: Path, names: Sequence[str], problems: Problems) -> list[list[str]]:
    """Columns of a file whose rows hold `names`; the last one may hold commas."""
    size_of(path, MAX_BYTES, "cut the graph to the area of the episodes")
    text = read_text(path, MAX_BYTES, lenient=True)
    lines, count = [line for line in text.split("\n") if line], len(names)
    if all(line.count(",") == count - 1 for line in lines):
        flat = ",".join(lines).split(",") if lines else []
        return [flat[i::count] for i in range(count)]
    rows = [line.split(",", count - 1) for line in lines]
    good = [row for row in rows if len(row) == count]
    if len(good) < len(rows):
        _report_short(text, names, path.name, problems)
    return [list(column) for column in zip(*good, strict=True)] if good else [[] for _ in names]


def _report_short(text: str, names: Sequence[str], file: str, problems: Problems) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        count = line.count(",") + 1
        if line and count < len(names):
            what = f"has {count} of {len(names)} columns"
            problems.add(Problem(what, f"write {','.join(names)}", f"{file}:{number}"))


def floats(column: Sequence[str]) -> NDArray[np.float64]:
    """Numbers of a column; what is no number becomes NaN."""
    try:
        return np.fromiter(map(float, column), np.float64, len(column))
    except ValueError:
        return np.array([_float(text) for text in column], dtype=np.float64)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def indices(column: Sequence[str], index: dict[str, int]) -> NDArray[np.int32]:
    """Index of each id; -1 where it is unknown."""
    get = index.get
    return np.fromiter((get(key, -1) for key in column), np.int32, len(column))


def read_nodes(path: Path, names: Sequence[str], lat: int, problems: Problems) -> Nodes:
    """Read ``nodes.txt``; `lat` is the column of the latitude, the longitude follows it.

    Rows with a position that is no number or out of range, far from all others (swapped?) or with an id that came
    before are left out and reported.
    """
    columns = read_rows(path, names, problems)
    positions = np.column_stack([floats(columns[lat]), floats(columns[lat + 1])])
    index: dict[str, int] = {}
    first = [index.setdefault(key, i) == i for i, key in enumerate(columns[0])]
    faults = _position_faults(positions)
    _report_nodes(path.name, columns, faults, first, problems)
    keep = np.flatnonzero(np.array(first, dtype=bool) & (faults == 0)).tolist()
    if not keep:
        do = "write latitude before longitude, in degrees" if len(columns[0]) else f"write {','.join(names)}"
        raise InputError("holds no usable node", do, file=path.name)
    if len(keep) < len(columns[0]):
        columns = [[column[i] for i in keep] for column in columns]
        positions = positions[keep]
        index = {key: i for i, key in enumerate(columns[0])}
    return Nodes(columns[0], index, positions, columns)


_FAULTS = (
    ("", "", ""),
    ("lat/lng", "is not a position in degrees", "write latitude -90..90, then longitude -180..180"),
    ("lat/lng", "is swapped (its latitude fits where its longitude is)", "write latitude before longitude"),
    ("lat/lng", f"lies more than {_FAR_DEG:g} degrees from the rest of the graph", "correct the position"),
)


def _position_faults(positions: NDArray[np.float64]) -> NDArray[np.int64]:
    """Index into `_FAULTS` for each row."""
    lat, lon = positions[:, 0], positions[:, 1]
    bad = ~np.isfinite(positions).all(axis=1) | (np.abs(lat) > 90) | (np.abs(lon) > 180)
    faults = np.where(bad, 1, 0)
    if bad.all():
        return faults
    middle = np.median(positions[~bad], axis=0)
    with np.errstate(invalid="ignore"):
        far = (np.abs(positions - middle) > _FAR_DEG).any(axis=1)
        swapped = far & (np.abs(positions[:, ::-1] - middle) <= _FAR_DEG).all(axis=1)
    faults[far & ~bad] = 3
    faults[swapped] = 2
    return faults


def _report_nodes(
    file: str, columns: list[list[str]], faults: NDArray[np.int64], first: list[bool], problems: Problems
) -> None:
    for i in np.flatnonzero(faults).tolist():
        name, what, do = _FAULTS[int(faults[i])]
        problems.add(Problem(f"node {columns[0][i]} {what}", f"{do}; it is left out", file, field=name))
    for i, kept in enumerate(first):
        if not kept:
            problems.add(Problem(f"node {columns[0][i]} comes twice", "keep one; the first is used", file, field="id"))


def read_links(path: Path, nodes: Nodes, problems: Problems) -> Links:
    """Read ``links.txt`` (id, heading, id); links of unknown nodes or without a heading are left out and reported.

    Raises `InputError` where the headings fit only if latitude and longitude change places.
    """
    sources, headings, targets = read_rows(path, ("id", "heading", "id"), problems)
    a, b, h = indices(sources, nodes.index), indices(targets, nodes.index), floats(headings)
    if not sources:
        problems.add(Problem("holds no link", "write id,heading,id; nobody can walk here", path.name))
    good = (a >= 0) & (b >= 0) & np.isfinite(h)
    for i in np.flatnonzero(~good).tolist()[: problems.limit]:
        problems.add(_link_problem(path.name, sources[i], targets[i], known=bool(a[i] >= 0 and b[i] >= 0)))
    problems.count += max(0, int((~good).sum()) - problems.limit)
    links = Links(a[good], b[good], h[good])
    if _look_swapped(nodes.positions, links):
        raise InputError(
            "latitude and longitude are swapped: the headings of links.txt fit only the other way round",
            "write latitude before longitude",
            file=path.with_name("nodes.txt").name,
            field="lat/lng",
        )
    return links


def _link_problem(file: str, source: str, target: str, *, known: bool) -> Problem:
    if known:
        return Problem(f"link {source} to {target} has no heading", "write id,heading,id", file, field="heading")
    return Problem(f"link {source} to {target} names a node that is not in nodes.txt", "it is left out", file)


def _look_swapped(positions: NDArray[np.float64], links: Links) -> bool:
    if len(links.sources) < 10:
        return False
    as_is = _heading_error_deg(positions, links)
    return as_is > 30.0 and _heading_error_deg(positions[:, ::-1], links) < 10.0


def _heading_error_deg(positions: NDArray[np.float64], links: Links, sample: int = 2000) -> float:
    """Median difference between the headings of the file and those of the positions."""
    p, q = positions[links.sources[:sample]], positions[links.targets[:sample]]
    east = (q[:, 1] - p[:, 1]) * np.cos(np.radians(p[:, 0]))
    bearing = np.degrees(np.arctan2(east, q[:, 0] - p[:, 0]))
    return float(np.median(np.abs((links.headings_deg[:sample] - bearing + 180.0) % 360.0 - 180.0)))
