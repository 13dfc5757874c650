"""Where the app, its pages and assets lie: in a checkout's root, or beside this file.

No other module asks for ``__file__`` to find them. `pyproject.toml` puts them into the wheel.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from navviz.support.guarded import replacing

_SHIPPED = Path(__file__).resolve().parent / "data"
"""Filled when the wheel is built; a checkout does not have it."""

_ROOT = _SHIPPED if _SHIPPED.is_dir() else Path(__file__).resolve().parents[3]


def app_file() -> Path:
    """Return the script that Streamlit runs; its pages lie in ``pages`` beside it."""
    return _ROOT / "app.py"


def page_file(name: str) -> Path:
    """Return the script of one page."""
    return _ROOT / "pages" / f"{name}.py"


def assets_dir() -> Path:
    """Return the folder of the player, icons, samples and taxonomy."""
    return _ROOT / "assets"


def asset(name: str) -> Path:
    """Return one file of `assets_dir`."""
    return assets_dir() / name


def samples_dir() -> Path:
    """Return the folder of the bundled sample worlds."""
    return assets_dir() / "samples"


def checkout_dir() -> Path | None:
    """Return the root of the running git checkout; ``None`` for a wheel or an archive."""
    return _ROOT if (_ROOT / ".git").exists() else None


def import_root() -> Path:
    """Return the folder from which Python imports this NavViz, for processes it starts."""
    return Path(__file__).resolve().parents[3]


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
    """Write a file of the cache in one move; raises `OSError` where its folder is read-only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        part.touch(0o600)  # what a user opened is nobody else's
        with part.open("wb") as file:
            write(file)
    make_room(path.parent, f"*{path.suffix}", most)


def make_room(folder: Path, pattern: str, most: int) -> None:
    """Remove all files and folders of a pattern but the `most` that were changed last, and drafts
    that a process left when it was killed.
    """
    newest_first = sorted(folder.glob(pattern), key=_changed, reverse=True)
    drafts = [path for path in folder.glob("*.part") if _changed(path) < time.time() - _DRAFT_S]
    for path in (*newest_first[most:], *drafts):
        # another process may read it, or have removed it
        with contextlib.suppress(OSError):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        # another process has removed it
        return 0.0
