"""Watching a run while another process writes it: what changed since the last look.

A look costs little whatever the size of the run: finished files, which no longer change, are looked
at once a minute only.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path
from statistics import median
from typing import Final

from navviz.runs.folder_states import states

_WHOLE_S: Final = 60.0
"""How often every file is looked at: 50,000 take 0.2 s."""

_RECENT_S: Final = 600.0
"""A file that was written so long ago may still grow."""

_MOST: Final = 1000
"""Files that are looked at each time, the newest first."""

_PAUSES: Final = 20

_SILENT: Final = 10
"""A writer that was silent for so many of its usual pauses has stopped."""

_LEAST_SILENT_S: Final = 30.0


class Growth:
    """What has changed of a file or folder, for all who watch it.

    Attributes
    ----------
    version
        Counts the changes that were seen.
    changed_s
        When the newest file was written, in seconds since 1970; 0 where nothing is there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version = 0
        self.changed_s = 0.0
        self._whole: frozenset[object] = frozenset()
        self._watched: dict[str, tuple[int, int]] = {}
        self._folders: set[str] = set()
        self._whole_s = self._looked_s = -_WHOLE_S
        self._pauses: list[float] = []
        self._lock = threading.Lock()
        self._look_at_all()

    def look(self, least_s: float = 0.3) -> int:
        """Look at what may have grown, unless somebody did within `least_s` seconds; returns
        `version`.
        """
        with self._lock:
            now_s = time.monotonic()
            if now_s - self._looked_s >= least_s:
                self._looked_s = now_s
                seen = {name: _state_of(name) for name in self._watched}
                changed = {name for name, state in seen.items() if state != self._watched[name]}
                if changed & self._folders or now_s - self._whole_s >= _WHOLE_S:
                    self._look_at_all()
                elif changed:
                    self._watched = seen
                    self._note(max(seen[name][0] for name in changed))
            return self.version

    def _look_at_all(self) -> None:
        self._whole_s = self._looked_s = time.monotonic()
        files, folders = list[tuple[int, str, int]](), dict[str, tuple[int, int]]()
        for _, name, state in states(self.path):
            if stat.S_ISDIR(state.st_mode):
                folders[name] = (state.st_mtime_ns, 0)
            else:
                files.append((state.st_mtime_ns, name, state.st_size))
        files.sort(reverse=True)
        before, self._whole = self._whole, frozenset((*files, *folders.items()))
        recent_ns = (time.time() - _RECENT_S) * 1e9
        recent = [each for each in files[:_MOST] if each[0] >= recent_ns]
        self._folders = set(folders)
        self._watched = folders | {name: (at_ns, size) for at_ns, name, size in recent}
        newest_ns = files[0][0] if files else 0
        if not before:
            self.changed_s = newest_ns / 1e9
        elif self._whole != before:
            self._note(newest_ns)

    def _note(self, at_ns: int) -> None:
        self.version += 1
        at_s = at_ns / 1e9
        if at_s > self.changed_s > 0:
            self._pauses = [*self._pauses[1 - _PAUSES :], at_s - self.changed_s]
        self.changed_s = max(self.changed_s, at_s)

    def has_stopped(self, usual_s: float = 0.0) -> bool:
        """Whether the writer was silent for ten times its usual pause, and half a minute at least.

        `usual_s` is its pause as far as nobody has watched it yet.
        """
        pause_s = median(self._pauses) if self._pauses else usual_s
        return time.time() - self.changed_s > max(_SILENT * pause_s, _LEAST_SILENT_S)


def _state_of(name: str) -> tuple[int, int]:
    try:
        state = os.stat(name)  # noqa: PTH116 - a thousand of them every two seconds
    except OSError:
        return 0, 0
    return state.st_mtime_ns, 0 if stat.S_ISDIR(state.st_mode) else state.st_size


_GROWTHS: dict[Path, Growth] = {}
"""Shared, so that many visitors of one run cost one look."""


def growth_of(path: Path) -> Growth:
    """Return what all who watch a path share."""
    if path not in _GROWTHS:
        _GROWTHS[path] = Growth(path)
    return _GROWTHS[path]
