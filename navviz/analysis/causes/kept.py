"""Causes of a run, kept by the content of its files, so that they are found once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Final

from pydantic import TypeAdapter, ValidationError

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.registry import cause_ids
from navviz.analysis.causes.table import explain_run
from navviz.runs.content_cache import content_place, keep_if_possible
from navviz.runs.index.inputs import plugin_stamp
from navviz.runs.run import OpenRun

_KEPT: Final = 40
"""Runs whose causes stay in the cache; each takes about a megabyte."""
_ADAPTER: Final = TypeAdapter(dict[str, EpisodeCauses])
_LAYOUT: Final = "11"
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
    # with other detectors other causes are found: those of other packages change unannounced
    detectors = [*cause_ids(), plugin_stamp()]
    path = content_place(run, "causes", ".json", _LAYOUT, detectors)
    if path is not None and path.is_file():
        # a file that was cut off is made anew
        with contextlib.suppress(OSError, ValidationError):
            return _ADAPTER.validate_json(path.read_bytes())
    explained = explain_run(run, after)
    keep_if_possible(path, lambda file: file.write(_ADAPTER.dump_json(explained)), _KEPT)
    return explained
