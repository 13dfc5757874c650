"""Graphs as comma-separated files: positions and links, with every bad row reported once.

Columns are checked as a whole; only rows that fail are put into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from navviz.errors import InputError, Problem, Problems
from navviz.formats.rows import Column, add_all, floats, indices, read_rows
from navviz.world.geometry import apart_deg, middle_deg, turned_deg

_FAR_DEG = 5.0
"""A node this far from the middle of its graph is no part of it."""


@dataclass(frozen=True)
class Nodes:
    """Ids with their positions, and the other columns of the file."""

    ids: list[str]
    keys: Column
    """The ids as an Arrow array, to look them up."""
    positions: NDArray[np.float64]
    """Shape ``(n, 2)``: ``(lat, lon)`` in degrees."""
    columns: list[Column]
    """All columns as text, rows as in `ids`."""


@dataclass(frozen=True)
class Links:
    """Links by node index."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    headings_deg: NDArray[np.float64]


def read_nodes(path: Path, names: Sequence[str], lat: int, problems: Problems) -> Nodes:
    """Read ``nodes.txt``; `lat` is the column of the latitude, the longitude follows it.

    Rows with a position that is no number or out of range, far from all others (swapped?) or with
    an id that came before are left out and reported.
    """
    columns = read_rows(path, names, problems)
    positions = np.column_stack([floats(columns[lat]), floats(columns[lat + 1])])
    first = first_of_their_id(columns[0])
    faults = _position_faults(positions)
    _report_nodes(path.name, columns[0], faults, first, problems)
    keep = np.flatnonzero(first & (faults == 0))
    if not len(keep):
        do = (
            "write latitude before longitude, in degrees"
            if len(columns[0])
            else f"write {','.join(names)}"
        )
        raise InputError("holds no usable node", do, file=path.name)
    if len(keep) < len(columns[0]):
        columns = [column.take(pa.array(keep)) for column in columns]
        positions = positions[keep]
    keys = pa.concat_arrays(columns[0].chunks)
    return Nodes(keys.to_pylist(), keys, positions, columns)


def first_of_their_id(ids: Column) -> NDArray[np.bool_]:
    """Tell of each row whether its id did not come before."""
    if pc.count_distinct(ids).as_py() == len(ids):
        return np.ones(len(ids), bool)
    codes = pa.concat_arrays(
        [chunk.indices for chunk in pc.dictionary_encode(ids).unify_dictionaries().chunks]
    )
    first = np.zeros(len(ids), bool)
    first[np.unique(codes.to_numpy(), return_index=True)[1]] = True
    return first


_FAULTS = (
    ("", "", ""),
    ("lat/lng", "is not a position in degrees", "write latitude -90..90, then longitude -180..180"),
    (
        "lat/lng",
        "is swapped (its latitude fits where its longitude is)",
        "write latitude before longitude",
    ),
    (
        "lat/lng",
        f"lies more than {_FAR_DEG:g} degrees from the rest of the graph",
        "correct the position",
    ),
)


def _position_faults(positions: NDArray[np.float64]) -> NDArray[np.int64]:
    """Index into `_FAULTS` for each row."""
    lat, lon = positions[:, 0], positions[:, 1]
    bad = ~np.isfinite(positions).all(axis=1) | (np.abs(lat) > 90) | (np.abs(lon) > 180)
    faults = np.where(bad, 1, 0)
    if bad.all():
        return faults
    middle = middle_deg(positions[~bad])
    with np.errstate(invalid="ignore"):
        far = (apart_deg(positions, middle) > _FAR_DEG).any(axis=1)
        swapped = far & (apart_deg(positions[:, ::-1], middle) <= _FAR_DEG).all(axis=1)
    faults[far & ~bad] = 3
    faults[swapped] = 2
    return faults


def _report_nodes(
    file: str, ids: Column, faults: NDArray[np.int64], first: NDArray[np.bool_], problems: Problems
) -> None:
    bad, again = np.flatnonzero(faults), np.flatnonzero(~first)

    def misplaced(row: int) -> Problem:
        name, what, do = _FAULTS[int(faults[row])]
        return Problem(f"node {ids[row].as_py()} {what}", f"{do}; it is left out", file, field=name)

    add_all(problems, bad.tolist(), misplaced)
    add_all(
        problems,
        again.tolist(),
        lambda row: Problem(
            f"node {ids[row].as_py()} comes twice", "keep one; the first is used", file, field="id"
        ),
    )


def read_links(path: Path, nodes: Nodes, problems: Problems) -> Links:
    """Read ``links.txt`` (id, heading, id); unusable links are left out and reported.

    Raises `InputError` where the headings fit only if latitude and longitude change places.
    """
    sources, headings, targets = read_rows(path, ("id", "heading", "id"), problems)
    a, b, h = indices(sources, nodes.keys), indices(targets, nodes.keys), floats(headings)
    if not len(sources):
        problems.add(
            Problem("holds no link", "write id,heading,id; nobody can walk here", path.name)
        )
    good = (a >= 0) & (b >= 0) & np.isfinite(h)
    before = len(problems.kept)

    def problem(row: int) -> Problem:
        nodes_exist = bool(a[row] >= 0 and b[row] >= 0)
        return _link_problem(
            path.name, sources[row].as_py(), targets[row].as_py(), nodes_exist=nodes_exist
        )

    add_all(problems, np.flatnonzero(~good).tolist(), problem)
    # nodes and links of two graphs: each link alone would be a fault
    if len(sources) and not good.any():
        first = str(problems.kept[before]) if len(problems.kept) > before else ""
        raise InputError(
            f"not one of its {len(sources):,} links can be used ({first.rstrip('.')})",
            "get nodes.txt and links.txt of one graph",
            file=path.name,
        )
    links = Links(a[good], b[good], h[good])
    if _look_swapped(nodes.positions, links):
        raise InputError(
            "latitude and longitude are swapped: the headings of links.txt fit only the other way"
            " round",
            "write latitude before longitude",
            file=path.with_name("nodes.txt").name,
            field="lat/lng",
        )
    return links


def _link_problem(file: str, source: str, target: str, *, nodes_exist: bool) -> Problem:
    if nodes_exist:
        return Problem(
            f"link {source} to {target} has no heading",
            "write id,heading,id",
            file,
            field="heading",
        )
    return Problem(
        f"link {source} to {target} names a node that is not in nodes.txt", "it is left out", file
    )


def _look_swapped(positions: NDArray[np.float64], links: Links) -> bool:
    # too few to tell a swap from a small square
    if len(links.sources) < 10:
        return False
    as_is = _heading_error_deg(positions, links)
    return as_is > 30.0 and _heading_error_deg(positions[:, ::-1], links) < 10.0


def _heading_error_deg(positions: NDArray[np.float64], links: Links, sample: int = 2000) -> float:
    """Median difference between the headings of the file and those of the positions."""
    p, q = positions[links.sources[:sample]], positions[links.targets[:sample]]
    # a degree of longitude is shorter than one of latitude, by the cosine
    east = turned_deg(q[:, 1] - p[:, 1], 0.0) * np.cos(np.radians(p[:, 0]))
    bearing = np.degrees(np.arctan2(east, q[:, 0] - p[:, 0]))
    return float(np.median(np.abs((links.headings_deg[:sample] - bearing + 180.0) % 360.0 - 180.0)))
