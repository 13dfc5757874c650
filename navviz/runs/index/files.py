"""The traces of a folder and their states, looked at once for all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from navviz.guarded import is_regular
from navviz.records.trace_files import SUFFIX, natural
from navviz.records.trace_parts import trace_parts

__all__ = ["LARGE", "FileState", "is_large", "listed"]

LARGE = 2000
"""Traces of a folder that is opened through an index; smaller ones are read whole within two seconds."""


class FileState(NamedTuple):
    """A trace file, or a trace in a file of many, and what tells that it has changed.

    The time of change is told too, as a copy keeps the other one.
    """

    file: str
    mtime_ns: int
    ctime_ns: int
    size: int


def is_large(folder: Path) -> bool:
    """Tell whether a path is a folder or a file of so many traces that it is opened through an index."""
    if is_regular(folder):
        return len(trace_parts(folder)) >= LARGE
    count = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                count += entry.name.endswith(SUFFIX)
                if count >= LARGE:
                    return True
    except OSError:
        return False
    return False


def listed(folder: Path, known: Sequence[str] = ()) -> list[FileState]:
    """Return the regular trace files of a folder, episode 2 before episode 10; or the traces of a file of many.

    Parameters
    ----------
    folder
        Where they lie.
    known
        Names in their order, as they were listed before; where they are the same, nothing has to be sorted.
    """
    if is_regular(folder):
        return _parts_listed(folder)
    states: dict[str, FileState] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX) and (state := _regular(entry)) is not None:
                states[entry.name] = FileState(entry.name, state.st_mtime_ns, state.st_ctime_ns, state.st_size)
    names = known if states.keys() == set(known) else _sorted(states)
    return [states[name] for name in names]


def _parts_listed(path: Path) -> list[FileState]:
    """Return the traces of one file; where the file changes, each counts as changed."""
    state = path.stat()
    return [FileState(part.name, state.st_mtime_ns, state.st_ctime_ns, part.size) for part in trace_parts(path)]


def _regular(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        state = entry.stat()
    except OSError:
        return None
    return state if stat.S_ISREG(state.st_mode) else None


_AS_ONE_DIGIT = str.maketrans("123456789", "000000000")


def _sorted(names: Iterable[str]) -> list[str]:
    """Sort names naturally; where they differ in digits alone, at the same places, that is the order of the texts."""
    names = list(names)
    alike = len({name.translate(_AS_ONE_DIGIT) for name in names}) == 1
    return sorted(names, key=None if alike else natural)
