"""How a command names a run: a result file or a folder, ``METHOD@FILE`` where a file holds several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from navviz.runs.opened import OpenRun

__all__ = ["open_named"]


def open_named(text: str, graphs: Path | None, method: str | None = None) -> tuple[str, OpenRun]:
    """Open a run as the command line names it; returns its name and the run.

    Parameters
    ----------
    text
        A path, or ``METHOD@PATH``; a path that is there counts as a path, whatever signs it has.
    graphs
        Graph folder, if it does not lie beside the results.
    method
        One of several methods in the results, where `text` names none.
    """
    from navviz.runs.opened import open_run

    named, at, place = text.rpartition("@") if "@" in text and not Path(text).exists() else ("", "", text)
    opened = open_run(place, graphs=graphs, method=named if at else method)
    return (f"{named} ({opened.name})" if at else opened.name), opened
