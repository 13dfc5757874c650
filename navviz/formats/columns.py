"""Graphs as comma-separated files: positions and links, with every bad row reported once.

Columns are checked as a whole; only rows that fail are put into words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from navviz.errors import InputError, Problem, Problems
from navviz.support.guarded import note_change, note_entries, opened_utf8, report_bytes, size_of
from navviz.world.geometry import apart_deg, middle_deg, turned_deg

MAX_BYTES = 600_000_000
"""Six times the links of a graph of a million nodes; read in pieces, it takes about twice its size
in memory.
"""

_PIECE = 8_000_000
"""Small enough for two pieces to be split at a time without being felt in memory."""

_THREADS = 2
"""Arrow splits without Python's lock; a third thread gained nothing on two cores."""

_PLAIN_NUMBER = r"^[+-]?[0-9]+(\.[0-9]*)?$"

_IDS = frozenset({"id", "node", "poi", "pano"})
"""Names of columns that hold ids, which some programs write as floats: ``2365.0`` is 2365."""

_WHOLE_FLOAT = r"^([0-9]+)\.0+$"

_QUOTED = r'^"[\s\S]*"$'

Column: TypeAlias = Any
"""A ``pyarrow.ChunkedArray`` of strings (pyarrow ships no types)."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class _Piece:
    columns: list[Any]
    """One Arrow array of strings for each column, of the rows that have them all."""
    lines: int
    short: list[tuple[int, int]]
    """Line (from 0) and number of columns of each row that has too few."""
    quoted: int
    """Cells in quotes, or with blanks beside them."""
    floats: int
    """Ids that are written as floats."""


def refuse_large(path: Path) -> None:
    """Raise `InputError` for a file of more than `MAX_BYTES`, before anything is read of it."""
    size_of(path, MAX_BYTES, "cut the graph to the area of the episodes")


def read_rows(path: Path, names: Sequence[str], problems: Problems) -> list[Column]:
    """Return the columns of a file whose rows hold `names`, as text; the last one may hold commas.

    `path`: a file of up to `MAX_BYTES` without a header. `names`: what each column is, for the
    sentence that names a row with too few. `problems`: takes that sentence; such a row is left out.
    Raises `InputError` where the file cannot be opened or is too large.
    """
    refuse_large(path)
    pieces: list[_Piece] = []
    with opened_utf8(path, MAX_BYTES) as file, ThreadPoolExecutor(_THREADS) as pool:
        unread = _pieces(file, path.name)
        # a few pieces at a time: `map` alone would read the whole file ahead of the threads
        while several := list(islice(unread, _THREADS)):
            pieces.extend(pool.map(_split, several, [names] * len(several)))
            report_bytes(sum(map(len, several)))
    _report_short(pieces, names, path.name, problems)
    note_entries(path, sum(len(piece.columns[0]) + len(piece.short) for piece in pieces))
    for what, number in (
        ("cells in quotes or blanks", "quoted"),
        ("ids written as floats", "floats"),
    ):
        if count := sum(getattr(piece, number) for piece in pieces):
            note_change(path, what, count)
    columns = []
    for k in range(len(names)):
        chunks = [piece.columns[k] for piece in pieces]
        columns.append(pa.chunked_array(chunks, pa.string()))
    return columns


def _pieces(file: IO[bytes], name: str) -> Iterator[bytes]:
    """Return the file in pieces of whole lines."""
    # what stands behind the last line break of a piece begins the next one
    rest, size = file.read(_PIECE), 0
    while rest:
        following = file.read(_PIECE)
        size += len(following)
        if size > MAX_BYTES:  # a file of /proc says 0 bytes and never ends
            raise InputError(
                f"has more than {MAX_BYTES / 1e6:,.0f} MB", "cut it into smaller files", file=name
            )
        if not following:
            yield rest
            return
        whole, newline, tail = rest.rpartition(b"\n")
        if newline:
            yield whole
        rest = tail + following


def _split(piece: bytes, names: Sequence[str]) -> _Piece:
    count = len(names)
    lines = pc.split_pattern(_one_string(piece), "\n").values
    numbers = np.arange(len(lines))
    # empty lines are no rows, but count where a row's line is named
    filled = pc.binary_length(lines).to_numpy(zero_copy_only=False) > 0
    kept = lines if filled.all() else lines.filter(pa.array(filled))
    parts = pc.split_pattern(kept, ",", max_splits=count - 1)
    widths = np.diff(parts.offsets.to_numpy())
    short = widths < count
    short_lines = list(zip(numbers[filled][short].tolist(), widths[short].tolist(), strict=True))
    if short_lines:
        parts = parts.filter(pa.array(~short))
    columns = [pc.list_element(parts, k) for k in range(count)]
    quoted = whole = 0
    # one look at the bytes saves most files the trimming of every cell
    if any(mark in piece for mark in (b'"', b" ", b"\t")):
        bare = [_bare(column) for column in columns]
        quoted = sum(_differing(*pair) for pair in zip(columns, bare, strict=True))
        columns = bare
    for k in (k for k, name in enumerate(names) if name in _IDS):
        ids = _ids(columns[k])
        whole += _differing(columns[k], ids)
        columns[k] = ids
    return _Piece(columns, len(lines), short_lines, quoted, whole)


def _differing(before: Column, after: Column) -> int:
    return 0 if before is after else int(pc.sum(pc.not_equal(before, after)).as_py() or 0)


def _bare(column: Column) -> Column:
    """Return cells without blanks at their ends and without the quotes of `csv`."""
    trimmed = pc.utf8_trim_whitespace(column)
    quoted = pc.match_substring_regex(trimmed, _QUOTED)
    if not pc.any(quoted).as_py():
        return trimmed
    inner = pc.replace_substring(pc.utf8_slice_codeunits(trimmed, 1, -1), '""', '"')
    return pc.if_else(quoted, inner, trimmed)


def _ids(column: Column) -> Column:
    if not pc.any(pc.ends_with(column, ".0")).as_py():
        return column
    return pc.replace_substring_regex(column, _WHOLE_FLOAT, r"\1")


def _one_string(piece: bytes) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """Wrap bytes as an Arrow array of one string, without a copy where they are plain."""
    if b"\r\n" in piece:
        piece = piece.replace(b"\r\n", b"\n")
    # Arrow takes the bytes as they are, and its functions on text rely on sound UTF-8
    if not piece.isascii():
        piece = piece.decode("utf-8", errors="replace").encode()
    offsets = pa.py_buffer(np.array([0, len(piece)], np.int32))
    return pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(piece)])


def _report_short(
    pieces: Iterable[_Piece], names: Sequence[str], file: str, problems: Problems
) -> None:
    rows, begin = list[tuple[int, int]](), 1
    for piece in pieces:
        rows.extend((begin + line, columns) for line, columns in piece.short)
        begin += piece.lines

    def problem(row: tuple[int, int]) -> Problem:
        return Problem(
            f"has {row[1]} of {len(names)} columns", f"write {','.join(names)}", f"{file}:{row[0]}"
        )

    add_all(problems, rows, problem)


def add_all(problems: Problems, rows: Sequence[Row], problem: Callable[[Row], Problem]) -> None:
    """Add why each row is left out; those past the limit are only counted."""
    room = max(0, problems.limit - len(problems.kept))
    for row in rows[:room]:
        problems.skip(problem(row))
    if rows[room:]:
        problems.count += len(rows) - room
        problems.skipped[problem(rows[room]).file.partition(":")[0], ""] += len(rows) - room


def floats(column: Column) -> NDArray[np.float64]:
    """Numbers of a column; what is no number becomes NaN."""
    try:
        return _as_array(pc.cast(column, pa.float64()))
    except pa.ArrowInvalid:
        plain = pc.match_substring_regex(column, _PLAIN_NUMBER)
        values = _as_array(
            pc.cast(pc.if_else(plain, column, pa.scalar(None, pa.string())), pa.float64())
        )
        others = np.flatnonzero(~plain.to_numpy())
        values[others] = [_float(text) for text in texts_at(column, others)]
        return values


def _as_array(numbers: Column) -> NDArray[np.float64]:
    return np.array(numbers.to_numpy(), np.float64)  # a copy: Arrow's memory may not be written to


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def indices(column: Column, keys: Column) -> NDArray[np.int32]:
    """Index of each text among `keys`, which are unique; -1 where it is unknown."""
    places = pc.index_in(column, value_set=keys)
    return np.array(pc.fill_null(places, -1).to_numpy(), np.int32)


def texts_at(column: Column, rows: NDArray[np.int64]) -> list[str]:
    """Texts of a column at some rows."""
    texts: list[str] = column.take(pa.array(rows)).to_pylist() if len(rows) else []
    return texts


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
    again = repeats(a, b, h) & good
    before = len(problems.kept)

    def problem(row: int) -> Problem:
        nodes_exist = bool(a[row] >= 0 and b[row] >= 0)
        source = sources[row].as_py()
        target = targets[row].as_py()
        if nodes_exist:
            return Problem(
                f"link {source} to {target} has no heading",
                "write id,heading,id",
                path.name,
                field="heading",
            )
        return Problem(
            f"link {source} to {target} names a node that is not in nodes.txt",
            "it is left out",
            path.name,
        )

    def repeated(row: int) -> Problem:
        what = f"link {sources[row].as_py()} to {targets[row].as_py()} comes twice"
        return Problem(what, "keep one; the first is used", path.name)

    add_all(problems, np.flatnonzero(~good).tolist(), problem)
    add_all(problems, np.flatnonzero(again).tolist(), repeated)
    # nodes and links of two graphs: each link alone would be a fault
    if len(sources) and not good.any():
        first = str(problems.kept[before]) if len(problems.kept) > before else ""
        raise InputError(
            f"not one of its {len(sources):,} links can be used ({first.rstrip('.')})",
            "get nodes.txt and links.txt of one graph",
            file=path.name,
        )
    good &= ~again
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


def repeats(
    sources: NDArray[np.int32], targets: NDArray[np.int32], headings_deg: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell of each row whether it stood there before; parallel links have headings of their own."""
    again = np.zeros(len(sources), bool)
    pairs = (sources.astype(np.int64) << 32) + targets
    # most graphs have no pair twice, and a sort of pairs alone is quick
    ordered = np.sort(pairs)
    if not (ordered[1:] == ordered[:-1]).any():
        return again
    order = np.lexsort((headings_deg, pairs))
    same = (np.diff(pairs[order]) == 0) & (np.diff(headings_deg[order]) == 0)
    again[order[1:][same]] = True
    return again


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
