"""What is found in all of a run, such as the causes of its failures, in its folder of the cache."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from navviz.runs.folder_states import state_of
from navviz.runs.index.files import FileState
from navviz.runs.index.kept import KeptRun, digest_of, keep_in_home
from navviz.runs.run import OpenRun
from navviz.support.version import VERSION


def content_place(run: OpenRun, kind: str, ending: str, *depends: object) -> Path | None:
    """Return the file of what was worked out of a run; ``None`` where nobody knows the files that
    the run came from, and for what a visitor uploads, which goes with the visit.
    """
    results = run.source.results
    states: list[object] = []
    if run.kept_at is not None:
        states += [run.view.rows[name].to_pylist() for name in FileState._fields]
    for file in sorted(run.read_files.files):
        states.append((str(file), state_of(file).digest))
    if results is None or not states or run.source.origin == "upload":
        return None
    key = [VERSION, *depends, run.name, run.run.method, list(run.traces)]
    name = digest_of(json.dumps([*key, states, run.source.stamp]))
    return KeptRun(results, run.source.graphs).home / f"{kind}-{name}{ending}"


def keep_if_possible(path: Path | None, write: Callable[[BinaryIO], object]) -> None:
    """Write a file into the folder of its run, where that can be written."""
    if path is not None:
        with contextlib.suppress(OSError):  # a cache that cannot be written is none
            keep_in_home(path, write)
