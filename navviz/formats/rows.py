"""Comma-separated files as whole columns: split by Arrow a piece at a time, so that a city of a
million nodes fits.

Not a CSV parser: those take the commas of unquoted JSON tags for columns and a stray quotation mark
for the rest of the file, and fill short rows without a word. Here a row is split at its first
commas, and the last column keeps the others; quotes around a cell and blanks beside a comma are no
part of it. What is regular is split and converted as columns; only the rows that fail are looked at
one by one.
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
from navviz.support.guarded import changed, count_entries, opened_utf8, passed, size_of

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

    Parameters
    ----------
    path
        A file of up to `MAX_BYTES` without a header.
    names
        What each column is, for the sentence that names a row with too few.
    problems
        Takes that sentence; such a row is left out.

    Raises
    ------
    InputError
        Where the file cannot be opened or is too large.
    """
    refuse_large(path)
    pieces: list[_Piece] = []
    with opened_utf8(path, MAX_BYTES) as file, ThreadPoolExecutor(_THREADS) as pool:
        unread = _pieces(file, path.name)
        # a few pieces at a time: `map` alone would read the whole file ahead of the threads
        while several := list(islice(unread, _THREADS)):
            pieces.extend(pool.map(_split, several, [names] * len(several)))
            passed(sum(map(len, several)))
    _report_short(pieces, names, path.name, problems)
    count_entries(path, sum(len(piece.columns[0]) + len(piece.short) for piece in pieces))
    for what, number in (
        ("cells in quotes or blanks", "quoted"),
        ("ids written as floats", "floats"),
    ):
        if count := sum(getattr(piece, number) for piece in pieces):
            changed(path, what, count)
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
    """Return cells without blanks at their ends, and without the quotes that `csv` puts around
    them.
    """
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
    """Add why each row is left out; those past the limit are counted without being put into
    words.
    """
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
