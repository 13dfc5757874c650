"""What the Live page is about: the episode that is walked, and the live run that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from navviz.records import Episode, Trace
from navviz.records.trace_files import SUFFIX, read_trace
from navviz.runner import LiveRun, LiveRuns
from navviz.runner.variants import Variant, recorded
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.runs.owners import may_open
from navviz.ui.live import draw as live_draw
from navviz.ui.live import fork as live_fork
from navviz.ui.server.identity import viewer
from navviz.ui.state.session import ForkPoint, current
from navviz.ui.state.state import went_in_history
from navviz.world.graph import Graph


@st.cache_resource
def live_runs() -> LiveRuns:
    """Return the live runs of this server; they go on while pages are reloaded or left."""
    return LiveRuns()


def live_folder() -> Path:
    """Where live runs lie."""
    return workspace_dir() / "live"


def walks_beside(episode: Episode) -> list[Variant]:
    """Return the live walks of an episode that whoever looks may open, the oldest first."""
    looks = viewer()
    return recorded(live_folder(), episode, lambda folder: may_open(looks, folder))


@dataclass(frozen=True)
class Setting:
    """What is walked: an episode on its graph, the walk to compare with, and where the run is
    forked, if it is.
    """

    episode: Episode
    graph: Graph
    graphs: tuple[str, ...]
    old: Trace | None = None
    old_name: str = ""
    fork: ForkPoint | None = None
    forked: Trace | None = None
    """Walk that is forked: the opened one, or one that was made beside it."""
    results: Path | None = None
    """Where the opened run was read from."""
    run: OpenRun | None = None
    """The opened run; ``None`` for an episode that was drawn."""


def setting(run: OpenRun, episode_id: str) -> Setting | None:
    """Ask for the episode: a listed one, or one that the user draws on its map; ``None`` while that
    is not finished.
    """
    trace, graph = run.trace(episode_id), run.graph(episode_id)
    graphs = tuple(str(path.resolve()) for path in run.source.graphs)
    if live_draw.is_on():
        with st.container(key="live_drawing"):
            drawn = live_draw.drawn(graph)
            if drawn is None or shown_run(Setting(drawn, graph, graphs)) is None:
                drawn = live_draw.draw(graph, trace.episode.start)
            else:
                live_draw.another()
        return None if drawn is None else Setting(drawn, graph, graphs)
    walked = bool(trace.steps or trace.waypoints)
    fork = live_fork.current_wish(run.name, episode_id)
    forked = _forked(fork, trace) if fork is not None else None
    if forked is None:
        fork = None
    return Setting(
        trace.episode,
        graph,
        graphs,
        trace if walked else None,
        run.name,
        fork,
        forked,
        run.source.results,
        run,
    )


def _forked(wish: ForkPoint, opened: Trace) -> Trace | None:
    """Return the walk to fork, if it has a step to fork at."""
    walk: Trace | None = opened
    if wish.opened_run:
        run = known_run(wish.run)
        walk = run.trace if run is not None else None
    return walk if walk is not None and walk.steps else None


def text_key(of: Setting) -> str:
    """Key of the field that holds the instruction; each episode has its own."""
    return f"live_text_{of.episode.dataset}_{of.episode.id}"


def is_to_run(of: Setting) -> bool:
    """Whether Run was pressed, a repair was applied, or a walk was to be walked again, and has
    stopped.
    """
    if current().live.runs_next == text_key(of):
        return True
    name = current().live.again
    live = live_runs().get(name) if name is not None else None
    return name is not None and not (live is not None and live.running)


@dataclass(frozen=True)
class Shown:
    """The live run that this page shows: one that this server knows, or one that an earlier server
    left on disk.
    """

    name: str
    path: Path
    trace: Trace
    live: LiveRun | None
    count: int = 0
    """Number of events that `trace` was folded from."""
    running: bool = False
    """Whether more is to come."""

    @property
    def episode(self) -> Episode:
        """Episode as it is walked, with the instruction as edited."""
        return self.trace.episode


def shown_run(of: Setting) -> Shown | None:
    """Return the run that the page shows, if it is about the chosen episode."""
    if went_in_history():
        # the address says which walk stood there, or that none did
        current().live.run = st.query_params.get("live")
    name = current().live.run or st.query_params.get("live")
    if not name:
        return None
    shown = known_run(name)
    if shown is None or shown.episode.id != of.episode.id:
        return None
    current().live.run = name
    if st.query_params.get("live") != name:
        st.query_params["live"] = name
    return shown


def missing_link() -> str:
    """Say why the walk that a link names is not shown; empty where none is named, or it is."""
    name = st.query_params.get("live")
    # a walk that this visit has shown stands in the address of the next episode, too
    if not name or name == current().live.run:
        return ""
    shown = known_run(name)
    if shown is None:
        return "The walk of this link is another visitor's, or is gone."
    return f"The walk of this link is of episode {shown.episode.id}: choose it above."


def known_run(name: str) -> Shown | None:
    """Return a live run that whoever looks may open; a link to another's shows nothing."""
    folder = live_folder() / name
    # the name may come from the address and hold ../
    if folder.parent != live_folder() or not may_open(viewer(), folder):
        return None
    live = live_runs().get(name)
    return _from_server(name, live) if live is not None else _from_disk(name)


def _from_server(name: str, live: LiveRun) -> Shown | None:
    running = live.running  # before the look: what has ended by now is whole in it
    trace, count = live.look()
    if trace is None:
        return _from_disk(name)
    return Shown(name, live.path, trace, live, count, running and trace.end is None)


def _from_disk(name: str) -> Shown | None:
    folder = live_folder() / name
    path = next(iter(sorted(folder.glob(f"*{SUFFIX}"))), None)
    return None if path is None else Shown(name, path, read_trace(path), None)
