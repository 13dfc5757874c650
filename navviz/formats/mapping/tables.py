"""Tables of a log (CSV, Parquet) as columns of Arrow; rows become objects when they are asked for.

A row as a Python object takes 20 times its bytes in the file: a million of them, 1 GB. Columns take
as much as the file, and an episode's rows are made of them in some microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError
from navviz.formats.mapping.csv_form import BLANKS, COMMENTS, CsvForm, csv_form, lines_in
from navviz.records.base import plural
from navviz.support.guarded import (
    FILE_BYTES,
    MAX_BYTES,
    Json,
    csv_rows,
    head_text,
    note_change,
    note_problem,
    opened_bytes,
    opened_utf8,
    read_text,
    report_bytes,
    size_of,
    tail_bytes,
)

ArrowTable: TypeAlias = Any
"""A ``pyarrow.Table`` (pyarrow ships no types)."""
MOST_ROWS = 5_000_000
_HEAD_BYTES = 1 << 16
_BATCH = 50_000
_DECIMAL_COMMA = r"^[+-]?[0-9]*(,[0-9]+)?([eE][+-]?[0-9]+)?$"
_NUMBERED = re.compile(r"(.*?)[_ .\-]?\[?(\d{1,6})\]?")
_LEAST_NUMBERED = 2
"""Columns of one name that make a list: ``x_0`` and ``x_1``."""


@dataclass(slots=True)
class RowTable:
    """The rows of a table, as columns."""

    table: ArrowTable
    lists: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Columns that are one list together (``x_0``, ``x_1`` ...), by the name of the list."""

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def rows(self, start: int = 0, count: int | None = None) -> list[Json]:
        """Return some rows as objects."""
        part = self.table.slice(start, count)
        names = part.column_names
        cells = [_cells(column) for column in part.columns]
        if self.lists:
            inner = set[int]().union(*self.lists.values())
            kept = [k for k in range(len(names)) if k not in inner]
            folded = [names[k] for k in kept], [cells[k] for k in kept]
            for name, columns in self.lists.items():
                folded[0].append(name)
                folded[1].append([_list_of(cells, columns, row) for row in range(part.num_rows)])
            names, cells = folded
        return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]


def _list_of(cells: Sequence[list[Json]], columns: Sequence[int], row: int) -> list[Json]:
    """Return one cell that is a list; a shorter walk leaves the last columns empty."""
    taken = [cells[k][row] for k in columns]
    while taken and taken[-1] in {None, ""}:
        taken.pop()
    return taken


def _cells(column: Any) -> list[Json]:  # noqa: ANN401 - an Arrow column
    import pyarrow as pa

    kind = column.type
    plain = pa.types.is_floating(kind) or pa.types.is_integer(kind) or _is_text(kind)
    # numpy makes Python's objects ten times as fast; it has no word for a missing number
    if plain and not column.null_count:
        cells: list[Json] = column.to_numpy().tolist()
        return cells
    cells = column.to_pylist()
    if plain or pa.types.is_boolean(kind):
        return cells
    return [_as_json(cell) for cell in cells]


def _is_text(kind: Any) -> bool:  # noqa: ANN401 - an Arrow type
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _as_json(value: Any) -> Json:  # noqa: ANN401 - whatever Arrow makes
    """Return a value of Parquet as JSON has it: times as texts, bytes left out."""
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, str | int | float) else None


def read_table(path: Path, form: str, *, numbered: bool = False) -> RowTable:
    """Read a CSV or Parquet file as columns; raises `InputError` where it cannot be read.

    With `numbered`, columns ``x_0``, ``x_1`` ... are one list ``x``.
    """
    # 0.3 s that every start would pay
    import pyarrow as pa

    try:
        table = _parquet(path) if form == "parquet" else _csv(path)
    except (pa.ArrowException, ValueError, OSError) as error:
        if isinstance(error, InputError):
            raise
        kind = "Parquet" if form == "parquet" else "CSV"
        what = f"is no {kind} that can be read ({type(error).__name__})"
        raise InputError(what, "write it again", file=path.name) from error
    if table.num_rows > MOST_ROWS:
        raise InputError(f"has more than {MOST_ROWS:,} rows", "cut it up", file=path.name)
    # one piece a column: rows of an episode are then cut out without a search
    table = table.combine_chunks()
    lists = numbered_columns(table.column_names) if numbered else {}
    return RowTable(table, lists)


def _parquet(path: Path) -> ArrowTable:
    import pyarrow as pa
    from pyarrow import parquet

    with opened_bytes(path) as file:
        file_parts = parquet.ParquetFile(pa.PythonFile(file, mode="r"))
        groups = range(file_parts.metadata.num_row_groups)
        size = sum(file_parts.metadata.row_group(k).total_byte_size for k in groups)
        # before it is unpacked: a few bytes may stand for many
        if size > FILE_BYTES or file_parts.metadata.num_rows > MOST_ROWS:
            raise InputError("unpacks to too much", "cut it up", file=path.name)
        return _with_texts(file_parts.read())


def _with_texts(table: ArrowTable) -> ArrowTable:
    """Return a table whose texts are texts: older writers of Parquet leave them plain bytes."""
    import pyarrow as pa

    for k, each in enumerate(table.schema):
        if pa.types.is_binary(each.type) or pa.types.is_large_binary(each.type):
            with suppress(pa.ArrowInvalid):  # pictures, and other bytes that are no UTF-8
                texts = table.column(k).cast(pa.large_string())
                table = table.set_column(k, pa.field(each.name, texts.type), texts)
    return table


def _csv(path: Path) -> ArrowTable:
    import pyarrow as pa
    from pyarrow import csv

    size_of(path, MAX_BYTES)
    head = head_text(path, _HEAD_BYTES)
    form = csv_form(head, path.suffix.lower())
    if not form.names:
        return pa.table({})
    if form.skipped and not form.has_head:
        line = lines_in(head)[form.skipped - 1]
        above = len(line.split() if form.separator == BLANKS else line.split(form.separator))
        # one cell more or less than the rows have: a damaged row
        if not line.startswith(COMMENTS) and above > 2 and abs(above - len(form.names)) == 1:
            do = "it is left out; look for damaged lines"
            note_problem(path, f"line {form.skipped}, above the rows, is nearly one of them", do)
    if form.separator == BLANKS:
        table = _parted_by_blanks(path, form)
        report_bytes(size_of(path, MAX_BYTES))
        return _decimal_points(_once(table), BLANKS, path)
    try:
        with opened_utf8(path, MAX_BYTES) as file:
            table = csv.read_csv(
                pa.PythonFile(file, mode="r"),
                csv.ReadOptions(skip_rows=form.skipped, column_names=list(form.names)),
                csv.ParseOptions(delimiter=form.separator, newlines_in_values=True),
                # text: 007 is an id, and a number only where a mapping says so
                csv.ConvertOptions(column_types=dict.fromkeys(form.names, pa.string())),
            )
        last = tail_bytes(path, _HEAD_BYTES).rpartition(b"\n")[2]
        # Arrow takes a cell that ends with the file for a whole one
        if last.count(b'"') % 2 and path.suffix.lower() not in {".gz", ".bz2"}:
            do = "get the file again: it may have been cut off there"
            note_problem(path, "has a quotation mark in its last line that is not closed", do)
    except pa.ArrowInvalid:
        # a row with more or fewer cells than the head: Python's reader takes them
        table = _csv_by_rows(path, form)
    report_bytes(size_of(path, MAX_BYTES))
    return _decimal_points(_once(table), form.separator, path)


def _parted_by_blanks(path: Path, form: CsvForm) -> ArrowTable:
    import pyarrow as pa
    from pyarrow import compute as pc

    lines = pa.array(lines_in(read_text(path, MAX_BYTES))[form.skipped :], pa.string())
    lines = pc.utf8_trim_whitespace(lines)
    is_row = pc.greater(pc.utf8_length(lines), 0)
    for comment in COMMENTS:
        is_row = pc.and_(is_row, pc.invert(pc.starts_with(lines, comment)))
    cells = pc.utf8_split_whitespace(lines.filter(is_row))
    widths = pc.list_value_length(cells)
    if not len(cells) or pc.min(widths).as_py() < len(form.names):
        rows = cells.to_pylist()
        columns = [pa.array(_column(rows, k), pa.string()) for k in range(len(form.names))]
    else:
        columns = [pc.list_element(cells, k) for k in range(len(form.names))]
    return pa.table(columns, names=list(form.names))


def _csv_by_rows(path: Path, form: CsvForm) -> ArrowTable:
    import pyarrow as pa

    text = read_text(path, MAX_BYTES)
    lines = lines_in(text)[form.skipped :]
    if text.count('"') % 2:
        do = "close it, or write the table again: what follows it may be one cell"
        note_problem(path, "has a quotation mark that is not closed", do)
    read = csv_rows("".join(lines), path.name, separator=form.separator)
    rows = iter(_of_the_heads_width(read, form, path))
    schema = pa.schema([(name, pa.string()) for name in form.names])
    pieces = [pa.Table.from_batches([], schema)]
    while batch := list(islice(rows, _BATCH)):
        columns = [_column(batch, k) for k in range(len(form.names))]
        pieces.append(pa.table([pa.array(each, pa.string()) for each in columns], schema))
    return pa.concat_tables(pieces)


def _of_the_heads_width(
    rows: Iterable[list[str]], form: CsvForm, path: Path
) -> Iterator[list[str]]:
    """Yield the rows that are no longer than the head; others are noted, as are shorter ones."""
    width = len(form.names)
    odd: dict[str, list[int]] = {"more": [], "fewer": []}
    for number, row in enumerate(rows, start=form.skipped + 1):
        # a comment between rows is no row
        if len(row) != width and row and row[0].startswith("#"):
            continue
        if any(cell.strip() for cell in row[width:]):
            odd["more"].append(number)
        elif row:
            if len(row) < width:
                odd["fewer"].append(number)
            yield row
    does = {"more": "they are left out", "fewer": "what they lack is missing"}
    for word, numbers in odd.items():
        if numbers:
            count = plural(len(numbers), "row")
            what = f"{count} with {word} cells than the head's {width}, first row {numbers[0]}"
            note_problem(path, what, f"{does[word]}; look for damaged lines")


def _column(rows: Sequence[list[str]], k: int) -> list[str | None]:
    column: list[str | None] = []
    for row in rows:
        column.append(row[k] if k < len(row) else None)
    return column


def _once(table: ArrowTable) -> ArrowTable:
    """Return a table with each name once; of several columns of a name the last one counts."""
    last = {name: k for k, name in enumerate(table.column_names)}
    return table if len(last) == table.num_columns else table.select(sorted(last.values()))


def _decimal_points(table: ArrowTable, separator: str, path: Path) -> ArrowTable:
    """Return a table whose numbers have points: where commas cannot separate, they are decimal."""
    import pyarrow as pa
    from pyarrow import compute as pc

    if separator == ",":
        return table
    for k, name in enumerate(table.column_names):
        column = table.column(k)
        commas = pc.sum(pc.match_substring(column, ",")).as_py() or 0
        if not commas or not pc.all(pc.match_substring_regex(column, _DECIMAL_COMMA)).as_py():
            continue
        note_change(path, "decimal commas", commas)
        column = pc.replace_substring(column, ",", ".")
        table = table.set_column(k, pa.field(name, pa.string()), column)
    return table


def numbered_columns(names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return columns that count: by their common name, those with 0, 1, 2 ... (or 1, 2 ...).

    A name that is a column of its own stays what it is.
    """
    columns: dict[str, dict[int, int]] = {}
    for k, name in enumerate(names):
        match = _NUMBERED.fullmatch(name)
        if match is not None and match[1]:
            columns.setdefault(match[1], {})[int(match[2])] = k
    lists: dict[str, tuple[int, ...]] = {}
    for name, by_number in columns.items():
        numbers = sorted(by_number)
        first = numbers[0]
        whole = first in {0, 1} and numbers == list(range(first, first + len(numbers)))
        if whole and len(numbers) >= _LEAST_NUMBERED and name not in names:
            lists[name] = tuple(by_number[number] for number in numbers)
    return lists


@dataclass(slots=True)
class RowGroups:
    """Rows of a table that belong together, in the order of their first ones."""

    table: RowTable
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    nameless: int = 0
    """Rows without a name of their group; they are in none."""
    _last: tuple[int, Json] = (-1, None)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, k: int) -> Json:
        """Return a group as ``{"rows": [...]}``; the latest one is kept."""
        # an entry is asked for several fields one after the other
        if self._last[0] != k:
            rows = self.table.rows(int(self.starts[k]), int(self.counts[k]))
            self._last = k, {"rows": rows}
        return self._last[1]

    def first_row(self, k: int) -> Json:
        """Return a group as if it had its first row alone: enough for its id."""
        if self._last[0] == k:
            return self._last[1]
        return {"rows": self.table.rows(int(self.starts[k]), 1)}


_CLOCKS = frozenset({
    "t", "time", "timestamp", "stamp", "date", "datetime", "days", "sec", "secs", "nsec", "frame",
    "seq", "step", "tick",
})  # fmt: skip
"""Words in the name of a column that no two rows of an agent share."""


def doubled(groups: RowGroups) -> tuple[str, int]:
    """Return a column that says when a row was written, and how many rows stand there twice."""
    from pyarrow import compute as pc

    table = groups.table.table
    words = {name: re.split(r"[^a-z]+", name.lower()) for name in table.column_names}
    clock = next((name for name in words if not _CLOCKS.isdisjoint(words[name])), "")
    if not clock or len(table) < _LEAST_NUMBERED:
        return "", 0
    twice = np.ones(len(table) - 1, bool)
    for name in (clock, *table.column_names):
        column = table.column(name)
        try:
            alike = pc.equal(column.slice(1), column.slice(0, len(table) - 1))
        except NotImplementedError:  # of Arrow's own errors: lists are not compared
            continue
        twice &= np.asarray(pc.fill_null(alike, fill_value=True))
        if not twice.any():
            return clock, 0
    rows = np.flatnonzero(twice) + 1
    return clock, len(rows[~np.isin(rows, groups.starts)])


_STEP_COLUMNS = ("step", "step_id", "step_index", "step_idx", "timestep", "time_step", "t")
"""Names of the column that counts the rows of an episode, the most telling first."""


def unordered(groups: RowGroups) -> tuple[str, int]:
    """Return the column that counts the rows of a group, and how many groups do not follow it.

    Rows that workers wrote, or a database gave back, may stand in any order: the walk would jump.
    """
    from pyarrow import compute as pc

    table = groups.table.table
    named = {name.strip().casefold(): name for name in reversed(table.column_names)}
    column = next((named[name] for name in _STEP_COLUMNS if name in named), "")
    if not column:
        return "", 0
    try:
        steps = pc.cast(table.column(column), "float64").to_numpy()
    except (ValueError, NotImplementedError):  # of Arrow's own errors, those about values
        return "", 0
    # the row behind each step back; where a group begins, a step back says nothing
    back = np.flatnonzero(np.diff(steps) < 0) + 1
    back = back[~np.isin(back, groups.starts)]
    return column, len(np.unique(np.searchsorted(groups.starts, back, side="right")))


def grouped_table(table: RowTable, names: Iterable[str]) -> RowGroups:
    """Group the rows of a table by some of its columns; none makes them one group."""
    import pyarrow as pa
    from pyarrow import compute as pc

    codes = np.zeros(len(table), np.int64)
    named = np.ones(len(table), bool)
    for name in names:
        # text, so that 7 and "7" of two files are one episode
        texts = pc.cast(table.table.column(name), pa.large_string()).combine_chunks()
        named &= np.asarray(pc.is_valid(texts))
        encoded = pc.dictionary_encode(pc.fill_null(texts, "")).indices
        inner = encoded.to_numpy().astype(np.int64)
        codes = codes * (int(inner.max(initial=0)) + 1) + inner
        # as small as they can be: the product of several columns may not fit
        codes = np.unique(codes, return_inverse=True)[1]
    chosen = np.flatnonzero(named)
    _, firsts, groups = np.unique(codes[chosen], return_index=True, return_inverse=True)
    # by their first rows: the order of the file is that of the run
    places = np.argsort(np.argsort(firsts, kind="stable"), kind="stable")[groups]
    order = chosen[np.argsort(places, kind="stable")]
    counts = np.bincount(places, minlength=len(firsts)).astype(np.int64)
    starts = np.cumsum(counts) - counts
    arranged = table.table
    if len(order) != len(table) or not (order[:-1] < order[1:]).all():
        arranged = arranged.take(pa.array(order)).combine_chunks()
    nameless = len(table) - len(chosen)
    return RowGroups(RowTable(arranged, table.lists), starts, counts, nameless)
