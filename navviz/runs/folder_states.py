"""What a path looked like when it was last looked at: a number that changes with any file of a
folder.

Every page asks for it several times, so it is quick, and the state of a folder of thousands of
files is remembered.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import stat
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_DEPTH = 3
"""As deep as a folder is searched for data."""
_MANY = 5000
"""A folder of so many files is looked at in a thread: 50,000 files take 0.2 s, and a page asks ten
times.
"""
_REMEMBERED_S = 2.0
_TRUSTED_S = 60.0
"""What is older than this is looked at before an answer."""
_RECENT_S = 600.0
"""A file that was written so long ago may still grow."""
_MOST = 1000
"""Files that may still grow, the newest first."""


@dataclass(frozen=True, slots=True)
class FolderState:
    """The state of a file, or of a folder and what it holds, three levels deep."""

    digest: int
    """Changes with name, time of modification or size of any file, also where a file gets older."""
    newest_ns: int
    """Time of modification in ns of the path, or of what lies directly in it; 0 where it is
    missing.
    """
    growing: tuple[str, ...] = ()
    """Files that were written within ten minutes before the look, and all folders."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """A large folder, as it was at some time."""

    at_s: float
    folder_ns: int
    """Its own time of modification: files that came or went change it."""
    state: FolderState


_LARGE: dict[Path, _Looked] = {}
_LOOKING: dict[Path, threading.Thread] = {}


def state_of(path: Path) -> FolderState:
    """Return the state of a path.

    Of a large folder it may be two seconds old. After that, files that came or went are seen at
    once, and files that changed by the call after the next: meanwhile a thread looks at them.
    """
    looked = _LARGE.get(path)
    if looked is None:
        return look_at(path)
    age_s = time.monotonic() - looked.at_s
    if age_s < _REMEMBERED_S:
        return looked.state
    if age_s > _TRUSTED_S or _changed_ns(path) != looked.folder_ns:
        return look_at(path)
    # one thread a folder: pages ask ten times while it looks
    thread = _LOOKING.get(path)
    if thread is None or not thread.is_alive():
        _LOOKING[path] = threading.Thread(target=look_at, args=(path,), daemon=True)
        _LOOKING[path].start()
    return looked.state


def look_at(path: Path) -> FolderState:
    """Look at a path now, and remember the state of a large folder."""
    folder_ns = _changed_ns(path)
    digest, newest_ns, count = hashlib.blake2b(digest_size=7), 0, 0
    recent_ns, folders, files = int((time.time() - _RECENT_S) * 1e9), [], []
    for depth, name, state in _states(path):
        digest.update(
            f"{name}\0{state.st_mtime_ns}\0{state.st_size}\n".encode(errors="surrogateescape")
        )
        newest_ns = max(newest_ns, state.st_mtime_ns) if depth <= 1 else newest_ns
        count += 1
        if stat.S_ISDIR(state.st_mode):
            folders.append(name)
        elif state.st_mtime_ns >= recent_ns:
            files.append((state.st_mtime_ns, name))
    newest = [name for _, name in sorted(files, reverse=True)[:_MOST]]
    seen = FolderState(int.from_bytes(digest.digest()), newest_ns, (*folders, *newest))
    # smaller folders are looked at each time, so that a change is seen at once
    if count >= _MANY:
        _LARGE[path] = _Looked(time.monotonic(), folder_ns, seen)
    else:
        _LARGE.pop(path, None)
    return seen


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def _states(path: Path) -> Iterator[tuple[int, str, os.stat_result]]:
    """Depth, name and state of a path and of what it holds."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return
    yield 0, str(path), state
    front = [str(path)] if stat.S_ISDIR(state.st_mode) else []
    for depth in range(1, _DEPTH + 1):
        following: list[str] = []
        for entry in itertools.chain.from_iterable(map(_entries, front)):
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
            # the system lists in no order, and the digest depends on it
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def holds_name(folder: Path, suffix: str | tuple[str, ...]) -> bool:
    """Tell whether a folder holds a name that ends so; looks no further than the first."""
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(suffix) for entry in entries)
    except OSError:
        return False
