"""One writer for a run's folder: a second one reads who holds it."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import Self

from navviz.errors import StoreError
from navviz.runs.owners import CONTROL_FOLDER
from navviz.support.guarded import not_written, write_whole
from navviz.support.locks import FileLock, is_held

__all__ = ["CONTROL_FOLDER", "RunLock", "is_locked"]

_NAME = "lock"
_HOLDER = "holder"
"""Who holds the lock. A file of its own: on Windows nobody else reads a locked file."""
_PATIENCE_S = 1.0
"""A page that asks whether a run is being walked holds the lock for some microseconds."""


class RunLock:
    """Hold a run's folder for as long as the ``with`` block lasts.

    Raises
    ------
    StoreError
        When another process, or another batch of this one, holds it; the sentence names the
        process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FileLock(folder / CONTROL_FOLDER / _NAME)
        self._holder = folder / CONTROL_FOLDER / _HOLDER

    def __enter__(self) -> Self:
        try:
            self._lock.path.parent.mkdir(parents=True, exist_ok=True)
            is_free = self._lock.acquire(_PATIENCE_S)
        except OSError as error:
            raise not_written(self._lock.path, error) from error
        if not is_free:
            raise StoreError(
                f"{self.folder}: this run is being walked already ({self._read_holder()}); wait for"
                " it, stop it, or choose another run name."
            )
        # only with the lock: a process that is refused must not write over the holder
        try:
            self._write_holder()
        except StoreError:
            self._lock.release()
            raise
        return self

    def _write_holder(self) -> None:
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        holder = f"process {os.getpid()} on {socket.gethostname()} since {since}"
        write_whole(self._holder, holder)

    def _read_holder(self) -> str:
        try:
            holder = self._holder.read_text(encoding="utf-8", errors="replace")
        except OSError:
            holder = ""
        return holder[:200].strip() or "another process"

    def __exit__(self, *_error: object) -> None:
        self._lock.release()


def is_locked(folder: Path) -> bool:
    """Whether somebody walks the run in a folder just now."""
    return is_held(folder / CONTROL_FOLDER / _NAME)
