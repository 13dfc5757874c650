"""What a path looked like when it was last looked at: a number that changes with any file of a folder.

Every page asks for it several times, so it is quick, and the state of a folder of thousands of files is remembered for
a moment.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FolderState", "holds_name", "state_of"]

_DEPTH = 3
"""As deep as a folder is searched for data."""
_MANY = 5000
_REMEMBERED_S = 2.0
"""A folder of `_MANY` files and more is looked at no more often; 50,000 files take 0.2 s, and a page asks ten times."""
_LARGE: dict[Path, tuple[float, FolderState]] = {}


@dataclass(frozen=True, slots=True)
class FolderState:
    """The state of a file, or of a folder and what it holds, three levels deep."""

    digest: int
    """Changes with name, time of modification or size of any file, also where a file gets older."""
    newest_ns: int
    """Time of modification in ns of the path, or of what lies directly in it; 0 where it is missing."""


def state_of(path: Path) -> FolderState:
    """Return the state of a path; of a large folder, as it was at most two seconds ago."""
    until_s, remembered = _LARGE.get(path, (0.0, None))
    if remembered is not None and time.monotonic() < until_s:
        return remembered
    digest, newest_ns, count = hashlib.blake2b(digest_size=7), 0, 0
    for depth, name, state in _states(path):
        digest.update(f"{name}\0{state.st_mtime_ns}\0{state.st_size}\n".encode(errors="surrogateescape"))
        newest_ns = max(newest_ns, state.st_mtime_ns) if depth <= 1 else newest_ns
        count += 1
    seen = FolderState(int.from_bytes(digest.digest()), newest_ns)
    _LARGE.pop(path, None)
    if count >= _MANY:
        _LARGE[path] = (time.monotonic() + _REMEMBERED_S, seen)
    return seen


def _states(path: Path) -> Iterator[tuple[int, str, os.stat_result]]:
    """Depth, name and state of a path and of what it holds; nothing of what may not be looked at."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return
    yield 0, str(path), state
    front = [str(path)] if stat.S_ISDIR(state.st_mode) else []
    for depth in range(1, _DEPTH + 1):
        following: list[str] = []
        for entry in (entry for folder in front for entry in _entries(folder)):
            try:
                state = entry.stat()
            except OSError:
                continue
            yield depth, entry.path, state
            if stat.S_ISDIR(state.st_mode):
                following.append(entry.path)
        front = following


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def holds_name(folder: Path, suffix: str) -> bool:
    """Tell whether a folder holds something whose name ends so; looks no further than the first."""
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(suffix) for entry in entries)
    except OSError:
        return False
