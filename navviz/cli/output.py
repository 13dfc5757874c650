"""What a command prints: its result in the form that was chosen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

from navviz.errors import SettingsError, StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from navviz.analysis.tables import Format


class Form(StrEnum):
    """How a result is printed; every command has these words."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MD = "md"
    TEX = "tex"


def form_of(form: Form, *, as_json: bool) -> Form:
    """Return the form that ``--format`` and ``--json`` choose together.

    Raises
    ------
    SettingsError
        When they name two different ones.
    """
    if as_json and form not in {Form.TABLE, Form.JSON}:
        raise SettingsError(f"--json and --format {form.value} are two forms; choose one of them.")
    return Form.JSON if as_json else form


def table_format(form: Form) -> Format:
    """Return what the tables of `navviz.analysis` call a form."""
    # only here: pandas and its friends take half a second, and most results are lines
    from navviz.analysis.tables import Format

    return Format({"md": "markdown", "tex": "latex"}.get(form.value, form.value))


def print_table_as(
    form: Form, head: Sequence[str], rows: Iterable[Sequence[object]], note_text: str = ""
) -> None:
    """Print rows as CSV, Markdown or LaTeX."""
    import pandas as pd

    from navviz.analysis.tables import write_table

    # as objects: pandas would write 3 as 3.0 in a column with a gap
    frame = pd.DataFrame([list(row) for row in rows], columns=list(head), dtype=object)
    typer.echo(write_table(frame.set_index(head[0]), table_format(form), note_text))


def print_records(
    form: Form, records: Iterable[Mapping[str, Any]], lines: Iterable[str], note_text: str = ""
) -> None:
    """Print a result that has many records alike.

    Parameters
    ----------
    form
        JSON prints one object a line, so that a pipe can read them one by one.
    records
        All with the same fields.
    lines
        The same in words, for the form ``table``.
    note_text
        How to read a Markdown or LaTeX table.
    """
    if form is Form.TABLE:
        for line in lines:
            typer.echo(line)
        return
    rows = list(records)
    if form is Form.JSON:
        for row in rows:
            typer.echo(json.dumps(row, ensure_ascii=False))
        return
    if not rows:
        return  # without a record nobody knows the columns
    head = list(rows[0])
    cells = []
    for row in rows:
        cells.append([_cell(row.get(name)) for name in head])
    print_table_as(form, head, cells, note_text)


def _cell(value: object) -> object:
    """Return a value as a cell of a table, where lists become words."""
    if value is None:
        return ""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return " ".join(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return value


def write_file(path: Path, content: bytes, option: str = "--out") -> None:
    """Write what a command makes, in folders that may be new.

    Raises
    ------
    StoreError
        When it cannot be written; `option` is the one that names another place.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written ({error.strerror}): choose another place with {option}."
        ) from error
