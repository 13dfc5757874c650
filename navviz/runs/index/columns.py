"""The columns of an index: what is told of each trace file, read at its ends or measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import Any

import pyarrow as pa

from navviz.runs.tables import EPISODE_COLUMNS, WHOLE_NUMBERS

Table = Any
"""A ``pyarrow.Table`` (pyarrow ships no types)."""
METRIC = "metric "
"""Begins the names of the columns that hold metrics; not all rows have the same ones."""
FACT = "fact "
"""Begins the names of the columns that hold `navviz.runs.facts`, apart from those that stand there
anyway.
"""
_NAMES = pa.list_(pa.string())
FACTS: Mapping[str, Any] = {
    "split": pa.string(),
    "format": pa.string(),
    "navigator": pa.string(),
    "model": pa.string(),
    "sub_goals": pa.int32(),
    "sub_tasks": pa.int32(),
    "calls": pa.int32(),
    "tokens": pa.float64(),
    "prompt_tokens": pa.float64(),
    "thoughts_tokens": pa.float64(),
    "output_tokens": pa.float64(),
    "cost_usd": pa.float64(),
    "seconds": pa.float64(),
    "never_moved": pa.bool_(),
    "difficulty": pa.list_(pa.float64()),
    "skills": _NAMES,
    "original": pa.string(),
    "stand_in": pa.string(),
    "unanswered": pa.string(),
    "nuance": pa.bool_(),
}
"""The facts that have a column of their own, with its type."""
NEVER_KEPT = frozenset({"cause", "disagreement", "feature", "like", "likeness", "words"})
"""Columns of the episode table that are empty until somebody asks for them."""


class Stage(IntEnum):
    """How much is known of a file."""

    HEAD = 0
    """Read at its ends."""
    MEASURED = 1
    """Read as a whole and scored."""
    UNREADABLE = 2
    NOT_BEGUN = 3
    """Empty: the disk was full, or the run was killed before the episode began."""


_OWN = (
    ("file", pa.string()),
    ("mtime_ns", pa.int64()),
    ("ctime_ns", pa.int64()),
    ("size", pa.int64()),
    ("stage", pa.int8()),
    ("run", pa.string()),
    ("world", pa.string()),
    ("start", pa.string()),
    ("dataset", pa.string()),
    ("ended", pa.string()),  # how the walk ended, of an episode that did
    ("foreign", pa.bool_()),  # whether somebody else's log was taken over as this trace
    ("tasks", pa.bool_()),
    ("posed", pa.bool_()),
    ("walked", pa.bool_()),  # whether it has a step or waypoints
    ("problems", pa.binary()),  # as JSON
    ("notes", pa.binary()),  # what was decoded otherwise, as JSON; said once for each file
    ("lines", pa.int32()),  # that were read of it
    ("metrics", pa.string()),  # names of the metrics that the episode has, in their order
    ("stop", pa.string()),  # of a head: where the walk stopped, where the goal is, how near counts
    ("goal", pa.string()),
    ("radius_m", pa.float64()),
    ("drawn", _NAMES),  # the way that a map shows: what was walked, else the reference path
    # nodes where it left its reference path, and junctions as `AtlasWalk` tells them
    ("departures", _NAMES),
    ("passed", _NAMES),
    ("failed_at", pa.string()),
    *((FACT + name, kind) for name, kind in FACTS.items()),
)


@cache
def schema() -> Any:  # noqa: ANN401 - pyarrow ships no types
    """Return the columns of every index, without those of the metrics."""
    kept = [column.name for column in EPISODE_COLUMNS if column.name not in NEVER_KEPT]
    shown = [(name, _type(name)) for name in kept]
    return pa.schema([*_OWN, *shown])


def _type(name: str) -> Any:  # noqa: ANN401
    column = next(column for column in EPISODE_COLUMNS if column.name == name)
    if column.filter == "tags":
        return pa.list_(pa.string())
    if column.text:
        return pa.string()
    return pa.int64() if name in WHOLE_NUMBERS else pa.float64()


def table_of(
    columns: Mapping[str, Sequence[object]], count: int, metrics: Sequence[str] = ()
) -> Table:
    """Return rows as a table; columns that are not told are empty.

    Parameters
    ----------
    columns
        Values by column, of metrics under `METRIC` and their name.
    count
        Number of rows.
    metrics
        Names of the metrics that any row has.
    """
    fields = [*schema(), *(pa.field(METRIC + name, pa.float64()) for name in metrics)]
    arrays = []
    for each in fields:
        if each.name in columns:
            arrays.append(pa.array(columns[each.name], each.type))
        else:
            arrays.append(pa.nulls(count, each.type))
    return pa.table(arrays, schema=pa.schema(fields))


def rows_of(table: Table, *names: str) -> Iterator[tuple[Any, ...]]:
    """Return the values of some columns, row by row."""
    return zip(*(table[name].to_pylist() for name in names), strict=True)


def starts_of(table: Table) -> dict[str, str]:
    """Return a start node of each world."""
    return {world: start for world, start in rows_of(table, "world", "start") if world is not None}


def metric_names(table: Table) -> list[str]:
    """Return the metrics that any row of a table has."""
    return [name.removeprefix(METRIC) for name in table.column_names if name.startswith(METRIC)]
