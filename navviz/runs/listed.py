"""The list of episodes as the browser gets it: columns of plain values, and what each column is.

Explore and published sites show the same list (``assets/player/src/list``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from navviz.language.skills import skill_legs
from navviz.runs.run import OpenRun
from navviz.runs.tables import EPISODE_COLUMNS, LIST_DIGITS, Column
from navviz.views.figures.thumbnails import thumbnail_points
from navviz.views.palette import SKILL_COLOURS
from navviz.views.site.schema import SiteColumn

_FIRST = ("episode", "outcome", "instruction")
"""Columns that stand first and always: what one looks for in a list."""
_IN_FRONT = ("episode", "outcome", "likeness", "instruction")
"""How like a row is to what somebody asked for would be out of sight behind the instruction."""
_HIDDEN = frozenset({"kind"})
"""How the reference path was left repeats how the episode failed; an old link may filter by it."""
_METRES = frozenset({"NE", "length_m"})
_DIGITS = re.compile(r"%\.(\d)f")


def list_columns(table: pd.DataFrame, also: Collection[str] = ()) -> dict[str, list[Any]]:
    """Return the columns of a list as JSON holds them, in their order; missing is ``None``.

    Parameters
    ----------
    table
        From `navviz.runs.tables.episode_table`.
    also
        Columns to keep even where they are hidden or have no value: the list is filtered by them.
    """
    columns: dict[str, list[Any]] = {}
    names = dict.fromkeys([*_IN_FRONT, *(column.name for column in EPISODE_COLUMNS)])
    for name in names:
        if name in _HIDDEN and name not in also:
            continue
        cells = _cells(table[name])
        if name in _FIRST or name in also or any(map(_is_value, cells)):
            columns[name] = cells
    return columns


def _cells(column: pd.Series) -> list[Any]:
    """Return a column's values; whole columns at once, since 50,000 rows have two million cells."""
    if not pd.api.types.is_numeric_dtype(column):
        # NaN and pandas' NA are no JSON
        objects = column.astype(object)
        cells: list[Any] = objects.where(objects.notna(), None).tolist()
        return cells
    numbers = column.to_numpy(dtype=float, na_value=np.nan).round(LIST_DIGITS)
    finite = np.isfinite(numbers)
    values = numbers.astype(object)
    # beyond 2**53 a float is not exact, and an integer would claim more than it knows
    whole = finite & (numbers == np.rint(numbers)) & (np.abs(numbers) < 2**53)
    values[whole] = numbers[whole].astype("int64").astype(object)  # shorter: 3, not 3.0
    values[~finite] = None
    listed: list[Any] = values.tolist()
    return listed


def _is_value(value: object) -> bool:
    return value is not None and value not in ("", [])


def column_entries(
    columns: Mapping[str, list[Any]],
    labels: Mapping[str, Mapping[str, str]] | None = None,
    *,
    near: bool = False,
) -> list[SiteColumn]:
    """Describe the columns of a list, in their order.

    Parameters
    ----------
    columns
        From `list_columns`.
    labels
        By column, what people read for a value.
    near
        Whether success is a matter of few metres, so that centimetres may decide and are shown.
    """
    declared = {column.name: column for column in EPISODE_COLUMNS}
    shown = labels or {}
    entries = []
    for name in columns:
        named = dict(shown[name]) if name in shown else None
        entries.append(_entry(declared[name], named, near=near))
    return entries


def _entry(column: Column, labels: dict[str, str] | None, *, near: bool) -> SiteColumn:
    match = _DIGITS.fullmatch(column.format or "")
    digits = int(match[1]) if match else None
    if near and column.name in _METRES:
        digits = 2
    kind = "number" if column.is_number else "text"
    return SiteColumn(
        name=column.name,
        label=column.label,
        help=column.help,
        kind="tags" if column.filter == "tags" else kind,
        digits=digits,
        filter=column.filter,
        labels=labels,
    )


def thumb_of(run: OpenRun, key: str, *, has_floor: bool = True) -> dict[str, object]:
    """Return an episode's paths as the list's gallery draws them, in the colours of its skills;
    with the picture of their floor, unless that shall be left out.
    """
    trace = run.outlines[key]
    legs = []
    for skill, nodes in skill_legs(trace):
        legs.append((SKILL_COLOURS[skill] if skill else None, nodes))
    return thumbnail_points(
        run.graph(key), trace.episode.reference_path, trace.path, legs, has_floor=has_floor
    )
