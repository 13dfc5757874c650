"""NavViz: a visual debugger for language-guided navigation agents.

In a notebook or a script::

    import navviz
    run = navviz.open_run("results.json", graphs="osm/graph")
    run.table()                              # a DataFrame, one row an episode
    navviz.replay(run, "1625")               # the player
    navviz.to_folium(run, "1625")            # a folium.Map to add layers to
    navviz.why(run)                          # a DataFrame: why each episode went wrong
    navviz.repair(run).table()               # what repairing each cause mends, beside two controls
    navviz.compare([run, another]).table()   # means of both on the episodes that they share
    navviz.publish([run, another], "site")   # a static site of both

`TraceWriter` writes what an agent of yours does as a trace that all of this reads; `record` wraps
an environment of Habitat and does so by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = [
    "Breakpoint",
    "Comparison",
    "Episode",
    "Graph",
    "NavVizError",
    "OpenRun",
    "Replay",
    "RunScore",
    "Trace",
    "TraceWriter",
    "__version__",
    "atlas",
    "check",
    "compare",
    "figure",
    "information",
    "open_graph",
    "open_run",
    "publish",
    "record",
    "repair",
    "replay",
    "samples_dir",
    "scan",
    "score",
    "similar",
    "slices",
    "to_folium",
    "walk",
    "what_if",
    "why",
]

if TYPE_CHECKING:
    from navviz.analysis.compare import Comparison
    from navviz.analysis.questions import atlas, check, figure, publish, scan, similar, slices
    from navviz.errors import NavVizError
    from navviz.formats import open_graph
    from navviz.metrics.score import RunScore
    from navviz.notebook import (
        compare,
        information,
        open_run,
        repair,
        replay,
        score,
        to_folium,
        walk,
        what_if,
        why,
    )
    from navviz.notebook.shown import Replay
    from navviz.records import Episode, Trace
    from navviz.records.breakpoint import Breakpoint
    from navviz.records.recorder import record
    from navviz.records.trace_writer import TraceWriter
    from navviz.runs.run import OpenRun
    from navviz.support.installation.files import samples_dir
    from navviz.support.version import __version__
    from navviz.world.graph import Graph

_HOMES = {
    "navviz.analysis.compare": ("Comparison",),
    "navviz.errors": ("NavVizError",),
    "navviz.formats": ("open_graph",),
    "navviz.support.installation.files": ("samples_dir",),
    "navviz.support.version": ("__version__",),
    "navviz.metrics.score": ("RunScore",),
    "navviz.analysis.questions": (
        "atlas",
        "check",
        "figure",
        "publish",
        "scan",
        "similar",
        "slices",
    ),
    "navviz.notebook.shown": ("Replay",),
    "navviz.notebook": (
        "compare",
        "information",
        "open_run",
        "repair",
        "replay",
        "score",
        "to_folium",
        "walk",
        "what_if",
        "why",
    ),
    "navviz.records": ("Episode", "Trace"),
    "navviz.records.recorder": ("record",),
    "navviz.records.trace_writer": ("TraceWriter",),
    "navviz.records.breakpoint": ("Breakpoint",),
    "navviz.runs.run": ("OpenRun",),
    "navviz.world.graph": ("Graph",),
}
_HOME_OF: dict[str, str] = {}
for _home, _names in _HOMES.items():
    _HOME_OF.update(dict.fromkeys(_names, _home))


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's __getattr__ returns whatever is asked for
    """Import the public names when they are first used, so that ``import navviz`` stays quick."""
    import importlib

    if name not in _HOME_OF:
        raise AttributeError(f"module 'navviz' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    """Tell completion what there is, before it was imported."""
    return sorted({*globals(), *__all__})
