"""NavViz: a visual debugger for language-guided navigation agents.

In a notebook::

    import navviz
    run = navviz.open_run("results.json", graphs="osm/graph")
    run.table()                       # a DataFrame, one row an episode
    navviz.replay(run, "1625")        # the player
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["__version__", "open_graph", "open_run", "replay"]

if TYPE_CHECKING:
    from navviz.formats import open_graph
    from navviz.notebook import replay
    from navviz.runs.opened import open_run

_LAZY = {"open_run": "navviz.runs.opened", "replay": "navviz.notebook", "open_graph": "navviz.formats"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's __getattr__ returns whatever is asked for
    """Import the public functions when they are first used, so that ``import navviz`` stays quick."""
    import importlib

    if name not in _LAZY:
        raise AttributeError(f"module 'navviz' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)
