"""What is looked at where a folder is opened: its files and folders, a few levels deep."""

from __future__ import annotations

import stat
from pathlib import Path

from navviz.errors import InputError
from navviz.support.guarded import is_folder

_DEPTH = 3
"""Folders below the one opened; Matterport's graphs and Map2Seq's splits lie two deep."""
ENTRIES = 5000
"""Folders looked at, so that opening a home folder answers with a sentence and does not hang."""


def looked_into(folder: Path) -> list[Path]:
    """List what a folder holds, a few levels deep; each folder stands before what it holds."""
    folders, front = [folder], [folder]
    for _ in range(_DEPTH):
        following: list[Path] = []
        for parent in front:
            children = [path for path in _entries(parent) if not path.name.startswith(".")]
            # level by level, so that one deep folder does not use up the room of its neighbours
            folders.extend(children[: ENTRIES - len(folders)])
            following.extend(path for path in children if is_folder(path))
        front = following
    return folders


def _entries(folder: Path) -> list[Path]:
    """Return what a folder holds, by name; nothing where it may not be looked into."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def check_exists(path: Path, what: str) -> None:
    """Raise `InputError` where there is no such file or folder (`what`), or nothing in it."""
    try:
        state = path.stat()
    except FileNotFoundError as error:
        raise InputError(f"there is no such {what}", "check the path", file=path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is no path"
        raise InputError(
            f"cannot be opened ({reason})", "check the path and its permissions", file=path
        ) from error
    if stat.S_ISDIR(state.st_mode):
        if not _children(path, what):
            raise InputError("the folder is empty", "choose a folder that holds data", file=path)
    elif not stat.S_ISREG(state.st_mode):
        raise InputError("is a pipe or a device, not a file", "choose a regular file", file=path)
    elif state.st_size == 0:
        raise InputError("the file is empty", "get it again", file=path)


def _children(path: Path, what: str) -> list[Path]:
    try:
        return sorted(path.iterdir())
    except OSError as error:
        do = f"ask for the right to read it, or choose another {what}"
        raise InputError(f"cannot be opened ({error.strerror})", do, file=path) from error
