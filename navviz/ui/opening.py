"""Large logs are read in the background: the page shows how far that is, and Stop ends it.

All sessions share one reading of a run. One that is stopped stays stopped until somebody asks for it again; who stops
what others wait for too only leaves.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from weakref import WeakValueDictionary

import streamlit as st

from navviz.errors import NavVizError, ReadingStoppedError
from navviz.guarded import SLOW_BYTES, ReadProgress, framed, is_folder, watched
from navviz.runs.index.current import is_indexed
from navviz.runs.index.files import is_large
from navviz.runs.opened import OpenRun, load
from navviz.runs.sources import Identity, Source
from navviz.ui.plain import plain
from navviz.ui.session import current
from navviz.world.graph import Graph

__all__ = ["Opening", "Openings", "is_unread", "openings", "wait_for"]

_TICK_S = 0.5
_WAITS_S = 5.0
"""Who has not looked for so long waits no more."""
_THREAD = "navviz-open-"
_KEPT = 16
"""Readings remembered; those that went well are handed over and dropped at once."""

GraphAt = Callable[[Path, str], Graph]


class Opening:
    """One run that is being read."""

    def __init__(self, source: Source, graph_at: GraphAt) -> None:
        self.reading = ReadProgress()
        self.ended = threading.Event()
        self._source, self._graph_at = source, graph_at
        self._came: OpenRun | NavVizError = NavVizError("It was not read yet.")
        self._looked: dict[int, float] = {}
        threading.Thread(target=self._work, name=f"{_THREAD}{source.name}", daemon=True).start()

    def _work(self) -> None:
        try:
            with watched(self.reading), framed(self._source.results or Path(self._source.name)):
                self._came = load(self._source, self._graph_at)
        except NavVizError as error:
            self._came = error
        finally:
            self.ended.set()

    @property
    def stopped(self) -> bool:
        """Whether somebody ended it."""
        return isinstance(self._came, ReadingStoppedError)

    def look(self, session: int) -> None:
        """Remember that a session waits for it."""
        self._looked[session] = time.monotonic()

    def stop(self, session: int) -> bool:
        """Stop it, unless another session waits for it too; tell whether it was stopped."""
        since = time.monotonic() - _WAITS_S
        others = [each for each, at in self._looked.copy().items() if each != session and at >= since]
        if not others:
            self.reading.stop()
        return not others

    def result(self) -> OpenRun:
        """Wait for the run; raises `NavVizError` where it could not be read or was stopped."""
        self.ended.wait()
        if isinstance(self._came, NavVizError):
            raise self._came
        return self._came


class Openings:
    """What is being read, and what is open, by what tells one version of a run from others."""

    def __init__(self) -> None:
        self.open: WeakValueDictionary[Identity, OpenRun] = WeakValueDictionary()
        self._under_way: dict[Identity, Opening] = {}
        self._lock = threading.Lock()

    def begin(self, key: Identity, source: Source, graph_at: GraphAt) -> Opening:
        """Return the reading of a run; it begins now, unless it has begun before."""
        with self._lock:
            if key not in self._under_way:
                for old in [each for each, one in self._under_way.items() if one.ended.is_set()][: 1 - _KEPT]:
                    del self._under_way[old]
                self._under_way[key] = Opening(source, graph_at)
            return self._under_way[key]

    def take(self, key: Identity) -> OpenRun | None:
        """Return the run that was read in the background and forget it here; ``None`` where nobody reads it."""
        opening = self._under_way.get(key)
        if opening is None:
            return None
        run = opening.result()
        self.forget(key)
        return run

    def forget(self, key: Identity) -> None:
        """Let it be read again."""
        with self._lock:
            self._under_way.pop(key, None)


@st.cache_resource(show_spinner=False)
def openings() -> Openings:
    """Return what all sessions share."""
    return Openings()


def is_unread(source: Source) -> bool:
    """Whether a run is large and was not read yet."""
    return source.identity not in openings().open and _is_large(source.results, source.graphs)


def wait_for(source: Source, graph_at: GraphAt) -> None:
    """End this run of the page with a progress bar, where a run is large and has still to be read.

    Where it returns, the run is there, or small, or cannot be read: opening it tells.
    """
    shared = openings()
    key = source.identity
    if key in shared.open or not _is_large(source.results, source.graphs):
        return
    opening = shared.begin(key, source, _shared_graphs(source, graph_at))
    if opening.ended.is_set() and not opening.stopped:
        return
    with st.container(border=True, key="opening"):
        if opening.stopped:
            st.markdown(f"Reading **{plain(source.name)}** was stopped.")
            st.button(
                "Read it", icon=":material/restart_alt:", key="opening_again", on_click=shared.forget, args=(key,)
            )
        else:
            st.fragment(_tick, run_every=_TICK_S)(opening, source.name)
    st.stop()


def _tick(opening: Opening, name: str) -> None:
    session = id(current())
    opening.look(session)
    if opening.ended.is_set():
        st.rerun()  # the page goes on with the run
    reading = opening.reading
    done, total = reading.done_bytes / 1e6, reading.total_bytes / 1e6
    text = f"Reading {plain(name)}: {done:,.0f} of {total:,.0f} MB" if done < total else f"Reading {plain(name)} …"
    st.progress(reading.part, text=text)
    st.button("Stop", icon=":material/stop:", key="opening_stop", on_click=_stop, args=(opening, session))


def _stop(opening: Opening, session: int) -> None:
    opening.stop(session)


def _is_large(results: Path | None, graphs: Sequence[Path]) -> bool:
    if results is None:
        return False
    if is_large(results):
        return not is_indexed(results, graphs)
    try:
        files = results.iterdir() if is_folder(results) else [results]
        size = 0
        for file in files:
            size += file.stat().st_size
            if size >= SLOW_BYTES:
                return True
    except OSError:
        return False
    return False


def _shared_graphs(source: Source, graph_at: GraphAt) -> GraphAt:
    """Return what finds a graph: read now, in the page's thread, where a cache may show that it reads.

    Houses are many, and only those walked in are read; the background reads its own.
    """
    from navviz.formats import open_graph, open_worlds

    ready: dict[tuple[Path, str], Graph] = {}
    for path in source.graphs:
        names = open_worlds(path).names
        if len(names) == 1:
            ready[path, names[0]] = graph_at(path, names[0])

    def graph_of(path: Path, world: str) -> Graph:
        if (path, world) in ready:
            return ready[path, world]
        return graph_at(path, world) if _in_page() else open_graph(path, world)

    return graph_of


def _in_page() -> bool:
    """Whether a page asks, and not the thread that reads a run."""
    return not threading.current_thread().name.startswith(_THREAD)
