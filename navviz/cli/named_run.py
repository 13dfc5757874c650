"""How a command names a run: a result file or a folder, ``METHOD@FILE`` where a file holds
several.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from navviz.support.guarded import is_there

if TYPE_CHECKING:
    from collections.abc import Iterable

    from navviz.runs.opened import OpenRun


def open_named(
    text: str, graphs: Path | None, method: str | None = None, episodes: Path | None = None
) -> tuple[str, OpenRun]:
    """Open a run as the command line names it; returns its name and the run.

    Parameters
    ----------
    text
        A path, or ``METHOD@PATH``; a path that is there counts as a path, whatever signs it has.
    graphs
        Graph folder, if it does not lie beside the results.
    method
        One of several methods in the results, where `text` names none.
    episodes
        Episode file, for results that name their episodes by id alone.
    """
    from navviz.runs.opened import open_run

    named, at, place = (
        text.rpartition("@") if "@" in text and not is_there(Path(text)) else ("", "", text)
    )
    opened = open_run(place, graphs=graphs, episodes=episodes, method=named if at else method)
    return (f"{named} ({opened.name})" if at else opened.name), opened


def open_all_named(
    texts: Iterable[str], graphs: Path | None, episodes: Path | None = None
) -> dict[str, OpenRun]:
    """Open runs by the names that they have in tables; a file of several methods gives a run each.

    Parameters
    ----------
    texts
        As `open_named` takes them.
    graphs, episodes
        As in `open_named`.
    """
    runs: dict[str, OpenRun] = {}
    for text in texts:
        name, opened = open_named(text, graphs, episodes=episodes)
        several = (
            [f"{method}@{text}" for method in _methods(opened)]
            if opened.source.method is None
            else []
        )
        for each in several:
            label, run = open_named(each, graphs, episodes=episodes)
            runs[label if label not in runs else each] = run
        if not several:
            runs[name if name not in runs else text] = opened
    return runs


def _methods(opened: OpenRun) -> list[str]:
    """Names of the methods where a file holds several."""
    from navviz.runs.sources import expanded

    sources = expanded(opened.source)
    return (
        [source.method for source in sources if source.method is not None]
        if len(sources) > 1
        else []
    )
