"""One writer for a run's folder: the second one is told who holds it.

The lock is the kernel's (``flock``), so that it ends with the process that holds it, however that process ends.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import socket
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from navviz.errors import StoreError
from navviz.runs.owners import CONTROL_FOLDER
from navviz.support.guarded import not_written

__all__ = ["CONTROL_FOLDER", "RunLock", "is_held", "is_locked", "try_lock"]

_NAME = "lock"
_LOG = logging.getLogger(__name__)
_PATIENCE_S, _POLL_S = 1.0, 0.05
"""A page that asks whether a run is being walked holds the lock for some microseconds."""
_HELD = {errno.EWOULDBLOCK, errno.EACCES}


class RunLock:
    """Hold a run's folder for as long as the ``with`` block lasts.

    Raises
    ------
    StoreError
        When another process, or another batch of this one, holds it; the sentence names the process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        path = self.folder / CONTROL_FOLDER / _NAME
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise not_written(path, error) from error
        try:
            self._take(file)
        except BaseException:
            file.close()
            raise
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()} since {time.strftime('%Y-%m-%d %H:%M:%S')}")
        file.flush()
        self._file = file
        return self

    def _take(self, file: IO[str]) -> None:
        until_s = time.monotonic() + _PATIENCE_S
        while not try_lock(file):
            if time.monotonic() > until_s:
                file.seek(0)
                holder = file.read(200).strip() or "another process"
                raise StoreError(
                    f"{self.folder}: this run is being walked already ({holder}); wait for it, stop it, or choose "
                    "another run name."
                )
            time.sleep(_POLL_S)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def try_lock(file: IO[Any]) -> bool:
    """Try to take the lock of an open file, and tell whether it was free.

    Where the file system knows no locks, say so in the log and go on.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            return False
        _LOG.warning("%s: this file system has no locks (%s); do not walk one run twice.", file.name, error.strerror)
    return True


def is_locked(folder: Path) -> bool:
    """Whether somebody walks the run in a folder just now."""
    return is_held(folder / CONTROL_FOLDER / _NAME)


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock of a file; false where the file is not there."""
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno in _HELD
    return False
