"""The index of a folder as its traces are now: rows of files that have not changed are kept, others
read anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import pyarrow as pa

from navviz.records.trace_parts import part_named
from navviz.runs.index.columns import Stage, Table
from navviz.runs.index.files import FileState, listed
from navviz.runs.index.heads import read_heads
from navviz.runs.index.store import IndexPlace, load, save

_LOCK = Lock()


@dataclass(frozen=True)
class _LookedAt:
    """The index that was looked at last, so that two questions in a row read it once."""

    file: Path
    state: tuple[int, int] | None
    stamp: bytes
    table: Table


_LAST: list[_LookedAt] = []


def current(place: IndexPlace) -> Table:
    """Return the index of a folder as it is now: what is new or has changed is read at its ends.

    Nothing is written.
    """
    state, stamp = state_of_file(place), place.stamp
    with _LOCK:
        last = _LAST[0] if _LAST else None
    if last is not None and (last.file, last.state, last.stamp) == (place.file, state, stamp):
        table = last.table
    else:
        table = load(place)
    # never trusted without a look at the folder: traces may have come since
    table = updated(place.folder, table)
    _remember(_LookedAt(place.file, state, stamp, table))
    return table


def keep(place: IndexPlace, table: Table) -> None:
    """Write an index to the cache folder, where it may be written."""
    if not place.is_kept:
        return
    save(place, table)
    _remember(_LookedAt(place.file, state_of_file(place), place.stamp, table))


def _remember(looked: _LookedAt) -> None:
    with _LOCK:
        _LAST[:] = [looked]


def state_of_file(place: IndexPlace) -> tuple[int, int] | None:
    """Return what changes when somebody writes the index; ``None`` where there is none."""
    try:
        state = place.file.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ino


def updated(folder: Path, table: Table | None) -> Table:
    """Return the index of a folder's present files, in their order."""
    names = table["file"].to_pylist() if table is not None else []
    states = listed(folder, names)
    before = _states(table) if table is not None else []
    if table is not None and states == before:
        return table
    rows = {state: [k] for k, state in enumerate(before)}
    # times and size tell a change, so only these files are opened
    fresh = [state for state in states if state not in rows]
    heads = read_heads(folder, fresh)
    if table is None:
        return heads
    of_file: dict[str, list[int]] = {}
    fresh_names = {state.file for state in fresh}
    for k, name in enumerate(heads["file"].to_pylist(), start=table.num_rows):
        file = name if name in fresh_names else part_named(name)[0]
        of_file.setdefault(file, []).append(k)
    order: list[int] = []
    for state in states:
        order += rows.get(state) or of_file[state.file]
    return pa.concat_tables([table, heads], promote_options="default").take(
        pa.array(order, pa.int64())
    )


def _states(table: Table) -> list[FileState]:
    columns = (table[name].to_pylist() for name in FileState._fields)
    return [FileState(*values) for values in zip(*columns, strict=True)]


def left_to_measure(table: Table) -> list[FileState]:
    """Return the files of which only the ends were read."""
    stages = table["stage"].to_pylist()
    return [
        state for state, stage in zip(_states(table), stages, strict=True) if stage == Stage.HEAD
    ]


def with_measured(table: Table, pieces: Sequence[Table]) -> Table:
    """Return an index with measured rows in the places of their heads; those of files that it lacks
    are left out.
    """
    if not pieces:
        return table
    whole = pa.concat_tables([table, *pieces], promote_options="default")
    names = whole["file"].to_pylist()
    # pieces stand behind their heads, so the last row of a name is the newest
    last = {name: k for k, name in enumerate(names)}
    return whole.take(
        pa.array([last[name] for name in names[: table.num_rows]], pa.int64())
    ).combine_chunks()


def is_indexed(folder: Path, graphs: Sequence[Path]) -> bool:
    """Whether most of a folder is known already, so that opening it takes a second."""
    return state_of_file(IndexPlace(folder, graphs)) is not None


def names_of_runs(folder: Path, graphs: Sequence[Path]) -> list[str]:
    """Return the names of the runs in a folder of traces, in the order of the files."""
    names = current(IndexPlace(folder, graphs))["run"].to_pylist()
    return list(dict.fromkeys(name for name in names if name is not None))
