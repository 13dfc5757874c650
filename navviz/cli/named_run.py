"""How a command names a run: a result file or a folder, ``METHOD@FILE`` where a file holds
several.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from navviz.support.guarded import is_there
from navviz.support.notes import note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from navviz.runs.opened import OpenRun


def open_named(
    text: str,
    graphs: Path | None,
    method: str | None = None,
    episodes: Path | None = None,
    pictures: Path | None = None,
) -> tuple[str, OpenRun]:
    """Open a run as the command line names it; returns its name and the run.

    Parameters
    ----------
    text
        A path, or ``METHOD@PATH``; a path that is there counts as a path, whatever signs it has.
    graphs
        Graph folder, if it does not lie near the results.
    method
        One of several methods in the results, where `text` names none; the old ``--method``.
    episodes
        Episode file, for results that name their episodes by id alone.
    pictures
        Folder of what the agent saw.
    """
    from navviz.runs.opened import open_run

    named, place = split_named(text)
    if method is not None:
        note(f"hint: write {method}@{place}; --method works until 0.2.")
    opened = open_run(
        place, graphs=graphs, episodes=episodes, method=named or method, pictures=pictures
    )
    return (opened.name if named is None else f"{named} ({opened.name})"), opened


def split_named(text: str) -> tuple[str | None, str]:
    """Return the method, if one is named, and the path of ``METHOD@PATH``."""
    # a folder may be called runs@lab
    if "@" not in text or is_there(Path(text)):
        return None, text
    # at the last @, since the name of a method may hold one
    named, _, place = text.rpartition("@")
    return named, place


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
            # two files may have methods of the same name
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
