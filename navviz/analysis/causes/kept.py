"""Causes of a run, kept by the content of its files, so that they are found once."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from pydantic import TypeAdapter, ValidationError

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.registry import cause_ids
from navviz.analysis.causes.table import explain_run
from navviz.runs.folder_states import state_of
from navviz.runs.run import OpenRun
from navviz.support.installation.cache import cache_folder, keep_file
from navviz.support.version import VERSION

_KEPT: Final = 40
"""Runs whose causes stay in the cache; each takes about a megabyte."""
_ADAPTER: Final = TypeAdapter(dict[str, EpisodeCauses])
_LAYOUT: Final = "5"
"""Counted up when a detector finds otherwise than before."""


def explained_run(
    run: OpenRun, after: Callable[[int], None] | None = None
) -> Mapping[str, EpisodeCauses]:
    """Return the causes of every episode of a run, by id, out of the cache where it has them.

    Parameters
    ----------
    run
        The run.
    after
        As in `explain_run`; not called where the cache has them.
    """
    path = _place(run)
    if path is not None and path.is_file():
        # a file that was cut off is made anew
        with contextlib.suppress(OSError, ValidationError):
            return _ADAPTER.validate_json(path.read_bytes())
    explained = explain_run(run, after)
    if path is not None:
        content = _ADAPTER.dump_json(explained)

        def write(file: BinaryIO) -> None:
            file.write(content)

        with contextlib.suppress(OSError):  # a cache that cannot be written is none
            keep_file(path, write, _KEPT)
    return explained


def _place(run: OpenRun) -> Path | None:
    """Return where a run's causes lie; ``None`` where nobody knows the files that it came from."""
    if not run.read_files.files:
        return None
    files = [(str(file), state_of(file).digest) for file in sorted(run.read_files.files)]
    # all that the causes depend on: another version, set of detectors or file has another name
    key = [VERSION, _LAYOUT, list(cause_ids()), run.name, run.run.method, list(run.traces)]
    content = json.dumps([*key, files, run.source.stamp])
    name = hashlib.sha256(content.encode()).hexdigest()[:32]
    return cache_folder("causes") / f"{name}.json"
