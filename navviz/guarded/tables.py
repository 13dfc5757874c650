"""Comma-separated values: what `csv` refuses is one sentence."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from navviz.errors import InputError

__all__ = ["csv_rows", "csv_table"]

csv.field_size_limit(1 << 24)  # 131,072 characters by default, less than one rating with its mentions may hold


def csv_rows(text: str, file: str) -> Iterator[list[str]]:
    """Rows of a table, the head among them; raises `InputError` where a row is none."""
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    try:
        yield from rows
    except csv.Error as error:
        raise InputError(f"is no table ({error})", "save it as CSV again", file=f"{file}:{rows.line_num}") from error


def csv_table(text: str, file: str) -> tuple[tuple[str, ...], Iterator[tuple[int, dict[str, str]]]]:
    """Return the columns, and each row with its number: cells by column, those without a column left out."""
    rows = csv_rows(text, file)
    columns = tuple(next(rows, []))
    return columns, ((number, dict(zip(columns, row, strict=False))) for number, row in enumerate(rows, start=2) if row)
