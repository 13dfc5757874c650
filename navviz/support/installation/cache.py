"""The user's cache folder: files that can be made again, of which the newest are kept."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from navviz.support.guarded import replacing

_DRAFT_S = 3600.0
"""A file half written that is older was left by a process that was killed."""


def cache_folder(kind: str) -> Path:
    """Return the cache folder of one kind, in ``NAVVIZ_CACHE`` or the platform's own."""
    if folder := os.environ.get("NAVVIZ_CACHE"):
        return Path(folder) / kind
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "navviz" / kind


def keep_file(path: Path, write: Callable[[BinaryIO], object], most: int) -> None:
    """Write a file of the cache in one move; raises `OSError` where the folder cannot be written.

    Parameters
    ----------
    path
        The file, in a folder of its kind.
    write
        Writes the content.
    most
        Files of this ending that the folder keeps; the oldest ones make room.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        part.touch(0o600)  # what a user opened is nobody else's
        with part.open("wb") as file:
            write(file)
    _make_room(path.parent, path.suffix, most)


def _make_room(folder: Path, suffix: str, most: int) -> None:
    newest_first = sorted(folder.glob(f"*{suffix}"), key=_changed, reverse=True)
    drafts = [path for path in folder.glob("*.part") if _changed(path) < time.time() - _DRAFT_S]
    for path in (*newest_first[most:], *drafts):
        with contextlib.suppress(OSError):  # another process may read it, or have removed it
            path.unlink()


def _changed(path: Path) -> float:
    return path.stat().st_mtime
