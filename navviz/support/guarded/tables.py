"""Comma-separated values: what `csv` refuses is one sentence."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from navviz.errors import InputError

# 131,072 characters by default, less than one rating with its mentions may hold
csv.field_size_limit(1 << 24)


_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
"""How a cell begins that a spreadsheet may take for a formula (OWASP, "CSV Injection"), or that was
guarded before.
"""


def harmless(cell: object) -> object:
    """Put an apostrophe before text that a spreadsheet would take for a formula."""
    # a negative number begins like a formula, and must stay a number
    if not isinstance(cell, str) or not _FORMULA.match(cell) or _is_number(cell):
        return cell
    return "'" + cell


def as_typed(cell: str) -> str:
    """Take away the apostrophe of `harmless`."""
    return (
        cell[1:]
        if cell.startswith("'") and _FORMULA.match(cell) and not _is_number(cell[1:])
        else cell
    )


_UNSEEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]")
"""Characters that a terminal obeys instead of showing them: they clear it, move its cursor, begin a
line or turn the order of reading.
"""


def visible(text: str) -> str:
    """Return a name as one line that a terminal shows and never obeys."""
    return _UNSEEN.sub("\ufffd", text)


def escaped(json: str) -> str:
    """Escape in one line of JSON what a terminal obeys; it is read back as it was."""
    return _UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Write a table; `csv_rows` reads it back as it was, but for `harmless`'s apostrophe."""
    out = io.StringIO()
    for row in rows:
        cells = [harmless(cell) for cell in row]
        # a carriage return alone is a line's end to readers, and Python's writer does not quote it
        # by itself
        bare = any(isinstance(cell, str) and "\r" in cell for cell in cells)
        csv.writer(
            out, lineterminator="\n", quoting=csv.QUOTE_ALL if bare else csv.QUOTE_MINIMAL
        ).writerow(cells)
    return out.getvalue()


def csv_rows(
    text: str, file: str, *, trimmed: bool = False, separator: str = ","
) -> Iterator[list[str]]:
    """Rows of a table, the head among them; raises `InputError` where a row is none.

    With `trimmed`, blanks after a separator are no part of a cell.
    """
    rows = csv.reader(
        # without `newline=""` a table whose lines end with a carriage return alone is refused
        io.StringIO(text.removeprefix("\ufeff"), newline=""),
        skipinitialspace=trimmed,
        delimiter=separator,
    )
    try:
        yield from rows
    except csv.Error as error:
        raise InputError(
            f"is no table ({error})", "save it as CSV again", file=f"{file}:{rows.line_num}"
        ) from error


def csv_table(
    text: str, file: str, *, separator: str = ","
) -> tuple[tuple[str, ...], Iterator[tuple[int, dict[str, str]]]]:
    """Return the columns, and each row with its number as cells by column."""
    rows = csv_rows(text, file, separator=separator)
    # blanks beside a comma are no part of a name
    columns = tuple(name.strip() for name in next(rows, []))
    return columns, _by_column(columns, rows)


def _by_column(
    columns: tuple[str, ...], rows: Iterable[list[str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    for number, row in enumerate(rows, start=2):
        if row:  # an empty line is no row
            yield number, dict(zip(columns, row, strict=False))
