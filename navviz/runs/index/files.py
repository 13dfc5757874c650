"""The traces of a folder and their states, looked at once for all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from navviz.errors import InputError
from navviz.records.trace_files import is_trace_name, natural
from navviz.records.trace_parts import part_named, trace_parts
from navviz.support.guarded import is_regular

NOT_REGULAR = -1
"""The size of what is named as a trace and is no regular file, or cannot be looked at."""


class FileState(NamedTuple):
    """A trace file, or a trace in a file of many, and what tells that it has changed.

    The time of change is told too, as a copy keeps the other one.
    """

    file: str
    mtime_ns: int
    ctime_ns: int
    size: int


def listed(folder: Path, earlier: Sequence[str] = ()) -> list[FileState]:
    """Return the trace files of a folder, episode 2 before episode 10; or the traces of a file of
    many.

    Raises `InputError` when the place went away since somebody saw it there.
    """
    try:
        return _listed(folder, earlier)
    except OSError as error:
        raise InputError(
            f"cannot be listed ({error.strerror})", "open it again when it is there", file=folder
        ) from error


def _listed(folder: Path, earlier: Sequence[str]) -> list[FileState]:
    if is_regular(folder):
        return _parts_listed(folder, folder.stat(), "")
    states: dict[str, FileState] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if is_trace_name(entry.name):
                states[entry.name] = _state(entry)
    several = {part_named(name)[0] for name in earlier if not is_trace_name(name)}
    # of a file of several traces the index names parts, the folder the file
    before = dict.fromkeys(part_named(name)[0] for name in earlier) if several else earlier
    names = before if states.keys() == set(before) else _sorted(states)
    if not several:
        return [states[name] for name in names]
    every = []
    for name in names:
        parts = _parts_listed(folder / name, states[name], f"{name}@") if name in several else []
        every += parts if len(parts) > 1 else [states[name]]
    return every


def _parts_listed(path: Path, state: os.stat_result | FileState, prefix: str) -> list[FileState]:
    """Return the traces of one file; where the file changes, each counts as changed."""
    if isinstance(state, FileState):
        changed = (state.mtime_ns, state.ctime_ns)
    else:
        changed = (state.st_mtime_ns, state.st_ctime_ns)
    return [FileState(f"{prefix}{part.name}", *changed, part.size) for part in trace_parts(path)]


def _state(entry: os.DirEntry[str]) -> FileState:
    try:
        state = entry.stat()
    except OSError:
        # a link into nowhere; reading says so
        return FileState(entry.name, 0, 0, NOT_REGULAR)
    size = state.st_size if stat.S_ISREG(state.st_mode) else NOT_REGULAR
    return FileState(entry.name, state.st_mtime_ns, state.st_ctime_ns, size)


_AS_ONE_DIGIT = str.maketrans("123456789", "000000000")


def _sorted(names: Iterable[str]) -> list[str]:
    """Sort names naturally, as their texts where digits alone differ at the same places."""
    names = list(names)
    alike = len({name.translate(_AS_ONE_DIGIT) for name in names}) == 1
    return sorted(names, key=None if alike else natural)
