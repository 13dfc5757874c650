"""Locks on files, on every operating system.

The kernel holds them, so a lock ends with the process that holds it, however that process ends.
"""

from __future__ import annotations

import errno
import logging
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LOG = logging.getLogger(__name__)
_POLL_S = 0.05
_PROBES, _PROBE_POLL_S = 3, 0.002
"""A probe holds the lock for some microseconds; two probes at once must not see each other."""
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)  # Windows has no O_NOFOLLOW


class FileLock:
    """Hold the lock of one file, whose content stays as it is.

    Two objects exclude each other in one process, too, and any thread may release.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def acquire(self, wait_s: float = 0.0) -> bool:
        """Try for `wait_s` seconds to take the lock; return false where another holder keeps it.

        On a file system without locks, warn and return true. Raises `OSError` where the file cannot
        be opened or made.
        """
        file = os.open(self.path, _FLAGS, 0o666)
        until_s = time.monotonic() + wait_s
        try:
            while not _take(file, self.path):
                if time.monotonic() >= until_s:
                    os.close(file)
                    return False
                time.sleep(_POLL_S)
        except BaseException:
            os.close(file)
            raise
        self._file = file
        return True

    def release(self) -> None:
        """Let others take the lock; nothing happens where it is not held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _take(file: int, path: Path) -> bool:
    # takes 30 ms to import, with asyncio and sqlite3, and most commands lock nothing
    from filelock import lock_descriptor

    try:
        return lock_descriptor(file, blocking=False)
    except OSError as error:
        _LOG.warning(
            "%s: this file system has no locks (%s); do not walk one run twice.",
            path,
            error.strerror,
        )
        return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file's lock while the block lasts; wait for it as long as it takes."""
    lock = FileLock(path)
    lock.acquire(math.inf)
    try:
        yield
    finally:
        lock.release()


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock of a file; false where it cannot be opened.

    Where this process has no descriptor left, as under a thousand sockets, nothing can be said of
    the file: it counts as held, since what a living process holds must not be given away.
    """
    try:
        # not `_FLAGS`: a look must not make the file
        file = os.open(path, os.O_RDONLY)
    except OSError as error:
        return error.errno in {errno.EMFILE, errno.ENFILE}
    try:
        for attempt in range(_PROBES):
            if attempt:
                time.sleep(_PROBE_POLL_S)
            if _take(file, path):
                return False
        return True
    finally:
        os.close(file)
