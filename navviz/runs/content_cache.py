"""Where things that are worked out of a run's files lie in the user's cache, so that they are made
once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from navviz.runs.folder_states import state_of
from navviz.runs.run import OpenRun
from navviz.support.installation.files import cache_folder, keep_file
from navviz.support.version import VERSION


def content_place(run: OpenRun, kind: str, ending: str, *depends: object) -> Path | None:
    """Return the file of what was worked out of a run; ``None`` where nobody knows the files that
    the run came from.
    """
    if not run.read_files.files:
        return None
    files = [(str(file), state_of(file).digest) for file in sorted(run.read_files.files)]
    key = [VERSION, *depends, run.name, run.run.method, list(run.traces)]
    content = json.dumps([*key, files, run.source.stamp])
    name = hashlib.sha256(content.encode()).hexdigest()[:32]
    return cache_folder(kind) / f"{name}{ending}"


def keep_if_possible(path: Path | None, write: Callable[[BinaryIO], object], most: int) -> None:
    """Write a file of the cache; the oldest of more than `most` make room."""
    if path is not None:
        with contextlib.suppress(OSError):  # a cache that cannot be written is none
            keep_file(path, write, most)
