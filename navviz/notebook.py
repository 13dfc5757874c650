"""The player in a notebook: ``navviz.replay(run, episode)``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from navviz.metrics.divergence import find_divergence
from navviz.metrics.path import score_trace
from navviz.records import Trace
from navviz.views.player.html import replay_html, replay_iframe
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.runs.opened import OpenRun

__all__ = ["Replay", "replay"]


@dataclass(frozen=True)
class Replay:
    """A replay that shows itself in a notebook and saves itself as one HTML file."""

    trace: Trace
    graph: Graph
    height_px: int = 640

    def html(self) -> str:
        """A whole HTML page that needs no network."""
        return replay_html(
            self.trace,
            self.graph,
            divergence=find_divergence(self.trace, self.graph),
            metrics=score_trace(self.trace, self.graph),
        )

    def save(self, path: str | Path) -> Path:
        """Write `html` to a file and return its path."""
        target = Path(path)
        target.write_text(self.html(), encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        return replay_iframe(self.html(), self.height_px)


def replay(
    what: Trace | OpenRun, episode: str | None = None, graph: Graph | None = None, *, memory: bool = False
) -> Replay:
    """Show a trace in a notebook.

    Parameters
    ----------
    what
        A run (then `episode` says which of its traces) or a trace.
    episode
        Episode id; without one, the run's first.
    graph
        The graph that the trace was walked on; known for a trace that ``navviz.open_run`` read.
    memory
        Whether an indoor walk is shown with MSNav's map and pruning beside it, as MSNav would keep them.

    Raises
    ------
    TypeError
        For another trace without its graph.
    InputError
        For an episode that the run does not have.
    """
    if isinstance(what, Trace):
        from navviz.runs.opened import graph_walked_on

        walked_on = graph if graph is not None else graph_walked_on(what)
        if walked_on is None:
            raise TypeError("replay(trace, graph=...) needs the graph of a trace that navviz.open_run did not read")
        return _replay(what, walked_on, memory=memory)
    key = episode if episode is not None else next(iter(what.traces))
    return _replay(what.trace(key), what.graph(key), memory=memory)


def _replay(trace: Trace, graph: Graph, *, memory: bool) -> Replay:
    if memory:
        from navviz.navigators.msnav.replayed import with_memory

        return Replay(with_memory(trace, graph), graph)
    return Replay(trace, graph)
