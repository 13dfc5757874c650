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
from typing import Final, NamedTuple

from navviz.runs.folder_states import FolderState, look_at, state_of
from navviz.runs.remote import keep_up

_WHOLE_S: Final = 60.0
"""How often every file is looked at: 50,000 take 0.2 s."""

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
        self._pauses: list[float] = []
        self._lock = threading.Lock()
        # as it was last seen: to look at 50,000 files once more would hold up whoever opens them
        self._take(state_of(path))
        self.changed_s = self._newest_s() or self._state.newest_ns / 1e9

    def _take(self, state: FolderState) -> None:
        self._whole_s = self._looked_s = time.monotonic()
        self._state = state
        self._seen = {name: _state_of(name) for name in state.growing}

    def look(self, least_s: float = 0.3) -> int:
        """Look at what may have grown, at most once in `least_s` seconds; returns `version`."""
        with self._lock:
            now_s = time.monotonic()
            if now_s - self._looked_s < least_s:
                return self.version
            self._looked_s = now_s
            keep_up(self.path)
            seen = {name: _state_of(name) for name in self._seen}
            changed = [name for name, state in seen.items() if state != self._seen[name]]
            is_whole = now_s - self._whole_s >= _WHOLE_S
            if is_whole or any(seen[name].is_folder or not seen[name].at_ns for name in changed):
                before = self._state.digest
                self._take(look_at(self.path))
                if changed or self._state.digest != before:
                    self._note()
            elif changed:
                self._seen = seen
                self._note()
            return self.version

    def _newest_s(self) -> float:
        return max((at.at_ns for at in self._seen.values() if not at.is_folder), default=0) / 1e9

    def _note(self) -> None:
        self.version += 1
        at_s = self._newest_s()
        if at_s > self.changed_s > 0:
            self._pauses = [*self._pauses[1 - _PAUSES :], at_s - self.changed_s]
        self.changed_s = max(self.changed_s, at_s)

    def has_stopped(self, usual_s: float = 0.0) -> bool:
        """Whether the writer was silent for ten times its usual pause, and half a minute at least.

        `usual_s` is its pause as far as nobody has watched it yet.
        """
        pause_s = median(self._pauses) if self._pauses else usual_s
        return time.time() - self.changed_s > max(_SILENT * pause_s, _LEAST_SILENT_S)


class _Seen(NamedTuple):
    """What tells that a file, or what lies directly in a folder, has changed."""

    at_ns: int
    size: int
    is_folder: bool


def _state_of(name: str) -> _Seen:
    try:
        state = os.stat(name)  # noqa: PTH116 - a thousand of them every two seconds
    except OSError:
        return _Seen(0, 0, is_folder=False)
    is_folder = stat.S_ISDIR(state.st_mode)
    return _Seen(state.st_mtime_ns, 0 if is_folder else state.st_size, is_folder)


_GROWTHS: dict[Path, Growth] = {}
"""Shared, so that many visitors of one run cost one look."""


def growth_of(path: Path) -> Growth:
    """Return what all who watch a path share."""
    if path not in _GROWTHS:
        _GROWTHS[path] = Growth(path)
    return _GROWTHS[path]
