"""Runs that the user of this machine opened lately: a small file in the workspace, so that they
survive a restart.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from navviz.errors import InputError, StoreError
from navviz.runs.source import Source
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import is_there, read_json, write_whole

KEPT = 30
"""How many are kept."""

_lock = threading.Lock()


class _RecentEntry(BaseModel):
    """One run as the file keeps it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    graphs: tuple[Path, ...] = ()
    episodes: Path | None = None
    results: Path | None = None
    method: str | None = None
    pictures: tuple[Path, ...] = ()

    def source(self) -> Source:
        """Return where it lies; a place that is gone makes an entry with its sentence."""
        paths = [
            *self.graphs,
            *(path for path in (self.episodes, self.results) if path is not None),
        ]
        gone = next((path for path in paths if not is_there(path)), None)
        fault = (
            f"{gone}: is not there any more; open it from where it lies now."
            if gone is not None
            else ""
        )
        return Source(
            self.name,
            "opened",
            self.graphs,
            self.episodes,
            self.results,
            self.method,
            fault,
            pictures=self.pictures,
        )


_FILE: TypeAdapter[list[_RecentEntry]] = TypeAdapter(list[_RecentEntry])


def _path() -> Path:
    return workspace_dir() / "recent.json"


def _entries() -> list[_RecentEntry]:
    """Read the file; one that is missing or broken holds nothing, for it only spares a few
    clicks.
    """
    try:
        return _FILE.validate_python(read_json(_path()))
    except (InputError, ValidationError):
        return []


def recent() -> list[Source]:
    """Return the runs opened lately, the newest first."""
    return [entry.source() for entry in _entries()]


def remember(sources: Sequence[Source]) -> None:
    """Put runs first in the file; a file that cannot be written is passed over."""
    # what cannot be opened now would only be in the way later
    new = [_entry(source) for source in sources if not source.fault]
    with _lock:
        names = {entry.name for entry in new}
        # read again within the lock: two windows may open runs at once
        _write([*new, *(entry for entry in _entries() if entry.name not in names)][:KEPT])


def forget(name: str) -> None:
    """Take a run out of the file."""
    with _lock:
        _write([entry for entry in _entries() if entry.name != name])


def _entry(source: Source) -> _RecentEntry:
    def whole(path: Path | None) -> Path | None:
        return None if path is None else path.resolve()

    # absolute: the next server may start in another folder
    graphs = tuple(path.resolve() for path in source.graphs)
    return _RecentEntry(
        name=source.name,
        graphs=graphs,
        episodes=whole(source.episodes),
        results=whole(source.results),
        method=source.method,
        pictures=tuple(folder.resolve() for folder in source.pictures),
    )


def _write(entries: list[_RecentEntry]) -> None:
    """Replace the file in one move, so that a kill leaves the old one or the new one."""
    with contextlib.suppress(StoreError):
        write_whole(_path(), _FILE.dump_json(entries, indent=1).decode())
