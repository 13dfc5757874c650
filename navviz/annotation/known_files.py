"""Known answers from a table or a JSON text: one item a row, each faulty row named.

A CSV table (or one pasted from a spreadsheet, with tabs) has a column ``episode`` and either
``answer``, or the fields of the task (``linguistic``, ``topological``, ``operational``), or
``value`` as an export writes it; ``claim`` for causes, ``comment`` for the reason. JSON is a list
of such rows, or ``{episode: answer}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from navviz.annotation.records import AXES, Item, Task, Value, value_adapter
from navviz.annotation.taxonomy import Taxonomy
from navviz.errors import InputError
from navviz.formats.texts import as_list, as_mapping, id_text
from navviz.support.guarded import as_typed, csv_table, parse_json

_YES: Final = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KnownRow:
    """One row that gives an answer."""

    item: Item
    value: Value
    comment: str


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """One row that gives none, with the reason."""

    row: str
    """As one finds it: ``row 3``."""
    episode: str
    reason: str

    def __str__(self) -> str:
        """Return the row, its episode and the reason in one line."""
        of = f", episode {self.episode}" if self.episode else ""
        return f"{self.row}{of}: {self.reason}"


def read_known(
    text: str, task: Task, items: Iterable[Item], taxonomy: Taxonomy, file: str = "the text"
) -> tuple[list[KnownRow], list[RefusedRow]]:
    """Read known answers.

    Parameters
    ----------
    text
        CSV, a table with tabs, or JSON.
    task
        Of the answers.
    items
        Items that may have one: those of the open run; for causes, those of its claims.
    taxonomy
        Holds the codes of failure labels.
    file
        Name that a fault of the whole text gives.

    Returns
    -------
    Rows that give an answer, and rows that are refused; together they are all rows.

    Raises
    ------
    InputError
        The text is neither a table with a column ``episode`` nor JSON.
    """
    # by episode and claim alone: a table written by hand names neither data set nor run
    by_key = {(item.episode, item.claim): item for item in items}
    good: list[KnownRow] = []
    refused: list[RefusedRow] = []
    first: dict[Item, str] = {}
    for where, row in _rows(text, file):
        episode, claim = id_text(_cell(row, "episode")), _cell(row, "claim")
        item = by_key.get((episode, claim))
        fault = _misplaced(task, episode, claim, item, first)
        if fault is None and item is not None:
            try:
                value = _value(row, task, taxonomy)
            except InputError as error:
                fault = error.problem.what
            except ValueError as error:
                fault = str(error)
            else:
                good.append(KnownRow(item, value, _cell(row, "comment")))
                # only a good row counts: the faulty one before it must not refuse its correction
                first[item] = where
        if fault is not None:
            refused.append(RefusedRow(where, episode, fault))
    return good, refused


def _rows(text: str, file: str) -> Iterator[tuple[str, Row]]:
    """Yield each row with its name."""
    if text.lstrip()[:1] in {"[", "{"}:
        yield from _json_rows(text, file)
        return
    # spreadsheets put a byte order mark before the first column
    header = text.lstrip("\ufeff").partition("\n")[0]
    # what is copied out of a spreadsheet has tabs
    separator = "\t" if "\t" in header else ","
    columns, rows = csv_table(text, file, separator=separator)
    if "episode" not in columns:
        raise InputError("lacks the column episode", "name it in the first row", file=file)
    for number, cells in rows:
        # spreadsheets export empty rows below a table
        if any(cells.values()):
            yield f"row {number}", cells


def _json_rows(text: str, file: str) -> Iterator[tuple[str, Row]]:
    raw = parse_json(text, file)
    if isinstance(raw, dict):
        for number, (episode, answer) in enumerate(raw.items(), start=1):
            fields = answer if isinstance(answer, dict) else {"answer": answer}
            yield f"entry {number}", {**fields, "episode": episode}
        return
    for number, row in enumerate(as_list(raw), start=1):
        yield f"entry {number}", as_mapping(row)


def _cell(row: Row, name: str) -> str:
    cell = row.get(name)
    return "" if cell is None else str(cell).strip()


def _misplaced(
    task: Task, episode: str, claim: str, item: Item | None, first: Mapping[Item, str]
) -> str | None:
    """Say why a row belongs to no item; ``None`` where it belongs to one."""
    if not episode:
        return "it names no episode"
    if task == "cause" and not claim:
        return "it names no claim; an export of verdicts has them in the column claim"
    if item is None:
        return f"the open run has no such {'claim' if claim else 'episode'}"
    return f"{first[item]} has an answer to it already" if item in first else None


def _value(row: Row, task: Task, taxonomy: Taxonomy) -> Value:
    """Return the answer of a row; raises `ValueError` with the reason."""
    whole = row.get("value")
    fields: dict[str, Any] = {}
    if whole:
        raw = parse_json(whole, "value") if isinstance(whole, str) else whole
        if isinstance(raw, dict):
            # the comment of an export is one annotator's; the reason has a column of its own
            fields = {**raw, "comment": ""}
    else:
        fields = _fields(row, task, taxonomy)
    try:
        value = value_adapter.validate_python({"task": task, **fields})
    except ValidationError as error:
        wrong = error.errors()[0]
        name = ".".join(str(part) for part in wrong["loc"][1:])
        raise ValueError(f"{name or 'answer'}: {wrong['msg'].lower()}") from error
    if value.task != task:
        raise ValueError(f"its answer is of the task {value.task}")
    return value


def _fields(row: Row, task: Task, taxonomy: Taxonomy) -> dict[str, Any]:
    """Return the fields of an answer in words."""
    answer = _cell(row, "answer") or _cell(row, "navigable") or _cell(row, "codes")
    if task == "navigability":
        if answer.lower() not in _YES:
            raise ValueError(f"{answer[:40]!r} is neither yes nor no")
        return {"navigable": _YES[answer.lower()]}
    if task == "difficulty":
        # three numbers in one cell, or a column for each axis
        levels = answer.replace(",", " ").split() or [_cell(row, axis) for axis in AXES]
        if len(levels) != len(AXES) or not all(levels):
            raise ValueError(f"an answer has three levels ({', '.join(AXES)})")
        return dict(zip(AXES, map(as_typed, levels), strict=True))
    if task == "cause":
        return {"answer": answer.lower()}
    if task != "failure":
        raise ValueError("answers of this task need a column value, as an export writes it")
    codes = answer.replace(",", " ").split()
    defined = {label.code for label in taxonomy.labels()}
    unknown = [code for code in codes if code not in defined]
    if unknown:
        raise ValueError(f"{unknown[0][:40]} is no code of {taxonomy.name}")
    labels = [{"code": code} for code in codes]
    return {"taxonomy": taxonomy.name, "taxonomy_version": taxonomy.version, "labels": labels}
