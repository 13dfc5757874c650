"""How a table of a log is written: its separator, its head, comments before it, decimal commas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from navviz.errors import InputError
from navviz.support.guarded import csv_rows

_SEPARATORS = (",", ";", "\t", "|")
_COMMENTS = ("#", "%", "//")
_LOOKED_AT = 50
"""Rows by which the separator is found."""
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class CsvForm:
    """How a table is written."""

    separator: str
    names: tuple[str, ...]
    """Of the columns."""
    skipped: int
    """Lines before the first row: comments and the head."""


def csv_form(head: str, ending: str) -> CsvForm:
    """Return how a table is written, by its first lines.

    Parameters
    ----------
    head
        The beginning of its text.
    ending
        Of the file's name: ``.tsv`` has tabs, whatever its cells hold.
    """
    lines = head.splitlines(keepends=True)
    comments = 0
    while comments < len(lines) and _is_comment(lines[comments]):
        comments += 1
    rows = lines[comments : comments + _LOOKED_AT]
    text = "".join(rows)
    separator = "\t" if ending == ".tsv" else _separator(text)
    names = _first(text, separator)
    # `numpy.savetxt` writes the head as a comment: `# episode,x,y`
    commented = _first(lines[comments - 1].lstrip("#%/ \t"), separator) if comments else []
    if len(commented) == len(names) > 1 and _has_number(names) and not _has_number(commented):
        return CsvForm(separator, _trimmed(commented), comments)
    # a cell of the head in quotes may take several lines
    head_lines = 1
    while head_lines < len(rows) and _first("".join(rows[:head_lines]), separator) != names:
        head_lines += 1
    return CsvForm(separator, _trimmed(names), comments + head_lines)


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip("\ufeff \t").startswith(_COMMENTS)


def _separator(text: str) -> str:
    """Return what gives most rows as many cells as the first one has; the most cells win."""
    widest, best = 1, ","
    for separator in _SEPARATORS:
        widths = [len(row) for row in _rows(text, separator) if row]
        if not widths:
            continue
        # the last row may be cut by the end of what is looked at
        usual, count = Counter(widths).most_common(1)[0]
        if usual == widths[0] > widest and count * 2 > len(widths):
            widest, best = usual, separator
    return best


def _rows(text: str, separator: str) -> list[list[str]]:
    try:
        return list(csv_rows(text, "", separator=separator))
    except InputError:
        return []


def _first(text: str, separator: str) -> list[str]:
    rows = _rows(text, separator)
    return rows[0] if rows else []


def _has_number(cells: Sequence[str]) -> bool:
    return any(_NUMBER.fullmatch(cell.strip()) for cell in cells)


def _trimmed(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for name in names)
