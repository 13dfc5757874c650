"""What a command prints: its result in the form that was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

from navviz.support.guarded import csv_text, is_finite, json_text

if TYPE_CHECKING:
    from navviz.analysis.tables import Format


class Form(StrEnum):
    """How a result is printed; every command has these words."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MD = "md"
    TEX = "tex"

    @property
    def is_data(self) -> bool:
        """Whether a program reads it: numbers stay numbers, and nothing else is printed."""
        return self in {Form.JSON, Form.JSONL, Form.CSV}


def table_format(form: Form) -> Format:
    """Return what the tables of `navviz.analysis` call a form."""
    # only here: pandas and its friends take half a second, and most results are lines
    from navviz.analysis.tables import Format

    return Format({"md": "markdown", "tex": "latex"}.get(form.value, form.value))


def print_table_as(
    form: Form, head: Sequence[str], rows: Iterable[Sequence[object]], note_text: str = ""
) -> None:
    """Print rows of words as Markdown or LaTeX."""
    import pandas as pd

    from navviz.analysis.tables import write_table

    # as objects: pandas would write 3 as 3.0 in a column with a gap
    frame = pd.DataFrame([list(row) for row in rows], columns=list(head), dtype=object)
    typer.echo(write_table(frame.set_index(head[0]), table_format(form), note_text))


def print_json(document: object) -> None:
    """Print one document as JSON."""
    typer.echo(json_text(document, ensure_ascii=False))


def print_data(
    form: Form,
    columns: Sequence[str],
    records: Iterable[Mapping[str, Any]],
    document: object = None,
) -> None:
    """Print a result for programs.

    Parameters
    ----------
    form
        JSON is one document, JSON lines have one record each, CSV has a row for each record.
    columns
        Those of CSV: its head stands there without a record, too.
    records
        All with the same fields, which hold numbers and no words about numbers.
    document
        What JSON prints; the list of the records, if not given.
    """
    if form is Form.JSON:
        print_json(list(records) if document is None else document)
        return
    if form is Form.JSONL:
        for record in records:
            print_json(record)
        return
    rows: list[list[object]] = [list(columns)]
    for record in records:
        rows.append([_cell(record.get(name)) for name in columns])
    typer.echo(csv_text(rows), nl=False)


def print_records(
    form: Form,
    columns: Sequence[str],
    records: Iterable[Mapping[str, Any]],
    lines: Iterable[str],
    note_text: str = "",
) -> None:
    """Print a result that has many records alike, see `print_data`.

    Parameters
    ----------
    form, columns, records
        As `print_data` takes them.
    lines
        The same in words, for the form ``table``.
    note_text
        How to read a Markdown or LaTeX table.
    """
    if form is Form.TABLE:
        for line in lines:
            typer.echo(line)
    elif form.is_data:
        print_data(form, columns, records)
    else:
        cells = []
        for row in records:
            cells.append([_cell(row.get(name)) for name in columns])
        print_table_as(form, columns, cells, note_text)


def columns_of(kind: type[Any]) -> tuple[str, ...]:
    """Return the fields of a data class, which are the columns of its records."""
    return tuple(each.name for each in fields(kind))


def _cell(value: object) -> object:
    """Return a value as a cell of a table, where lists become words."""
    if value is None or not is_finite(value):
        return ""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return " ".join(value)
    if isinstance(value, list | tuple | dict):
        return json_text(value, ensure_ascii=False)
    return value
