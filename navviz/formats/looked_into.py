"""What is looked at where a folder is opened: its files and folders, a few levels deep."""

from __future__ import annotations

from pathlib import Path

from navviz.guarded import is_folder

__all__ = ["ENTRIES", "looked_into"]

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
