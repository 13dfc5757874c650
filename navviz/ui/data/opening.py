"""Large logs are read in the background: the page shows how far that is, and Stop ends it.

All sessions share one reading of a run. One that is stopped stays stopped until somebody asks for
it again; who stops what others wait for too only leaves.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

import streamlit as st

from navviz.errors import InputError, NavVizError, ReadingStoppedError
from navviz.formats import open_graph, open_worlds
from navviz.runs.index.build import is_indexed
from navviz.runs.opened import OpenRun, load
from navviz.runs.sources import Identity, Source
from navviz.support.guarded import SLOW_BYTES, ReadProgress, framed, is_folder, reporting_to
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_progress
from navviz.ui.state.session import current
from navviz.world.graph import Graph

_SLOW_MAP = SLOW_BYTES
"""Bytes of a map that are slow to read."""
_SLOW_TRACES = SLOW_BYTES
"""Bytes of NavViz's own traces that are slow to read."""
_SLOW_LOG = 3_500_000
"""Bytes of a log that are slow to read and measure (3 MB of GROKE take 2 s, of R2R some more);
a bar that comes and goes at once would only flicker.
"""
_TICK_S = 0.5
_WAITS_S = 5.0
"""Who has not looked for so long waits no more."""
_THREAD = "navviz-open-"
_KEPT = 16
"""Readings remembered; those that went well are handed over and dropped at once."""

What = TypeVar("What")
GraphAt = Callable[[Path, str], Graph]


class Opening(Generic[What]):
    """One run or one map that is being read."""

    def __init__(self, name: str, file: Path, work: Callable[[], What]) -> None:
        self.reading = ReadProgress()
        self.ended = threading.Event()
        self._file, self._read = file, work
        self._came: What | NavVizError = NavVizError("It was not read yet.")
        self._looked: dict[int, float] = {}
        threading.Thread(target=self._work, name=f"{_THREAD}{name}", daemon=True).start()

    def _work(self) -> None:
        try:
            with reporting_to(self.reading), framed(self._file):
                self._came = self._read()
        except NavVizError as error:
            self._came = error
        finally:
            # last: whoever sees the end takes the result at once
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
        # copied: pages of other sessions write to it meanwhile
        others = [
            each for each, at in self._looked.copy().items() if each != session and at >= since
        ]
        if not others:
            self.reading.stop()
        return not others

    def result(self) -> What:
        """Wait for what is read; raises `NavVizError` where it could not be read or was stopped."""
        self.ended.wait()
        if isinstance(self._came, NavVizError):
            raise self._came
        return self._came


class Openings:
    """What is being read, and what is open, by what tells one version of a run from others."""

    def __init__(self) -> None:
        self.open: WeakValueDictionary[Identity, OpenRun] = WeakValueDictionary()
        self._runs: dict[Identity, Opening[OpenRun]] = {}
        self._maps: dict[Identity, Opening[Graph]] = {}
        self._lock = threading.Lock()
        self.maps_read: set[Identity] = set()
        """Maps that were handed over: a cache keeps them."""

    def begin(self, source: Source, graph_at: GraphAt) -> Opening[OpenRun]:
        """Return the reading of a run; it begins now, unless it has begun before."""
        source = replace(source, opened_as=source.identity)
        with self._lock:
            return _begun(self._runs, source, source.results, lambda: _opened(source, graph_at))

    def begin_map(self, at: Source, world: str) -> Opening[Graph]:
        """Return the reading of a map; it begins now, unless it has begun before."""
        with self._lock:
            return _begun(self._maps, at, at.graphs[0], lambda: open_graph(at.graphs[0], world))

    def take(self, key: Identity) -> OpenRun | None:
        """Return the run that was read in the background and forget it here; ``None`` where nobody
        reads it.
        """
        opening = self._runs.get(key)
        if opening is None:
            return None
        run = opening.result()
        self.forget(key)
        return run

    def take_map(self, path: Path) -> Graph | None:
        """Return the map that was read in the background and forget it here; ``None`` where nobody
        reads it.
        """
        key = map_source(path).identity
        opening = self._maps.get(key)
        if opening is None:
            return None
        self.maps_read.add(key)
        graph = opening.result()
        self.forget(key)
        return graph

    def forget(self, key: Identity) -> None:
        """Let it be read again."""
        with self._lock:
            self._runs.pop(key, None)
            self._maps.pop(key, None)


def _opened(source: Source, graph_at: GraphAt) -> OpenRun:
    """Read a run and measure its walks, so that one bar tells of both."""
    run = load(source, graph_at)
    # those of a large run of NavViz's own are measured while the page shows them
    if run.kept_at is None:
        # without a map nothing can be measured: the page says so beside the list
        with suppress(InputError):
            run.finish()
    return run


def _begun(
    under_way: dict[Identity, Opening[What]],
    source: Source,
    file: Path | None,
    work: Callable[[], What],
) -> Opening[What]:
    key = source.identity
    if key not in under_way:
        # all but the newest, so that there is room for the one that begins
        for old in [each for each, one in under_way.items() if one.ended.is_set()][: 1 - _KEPT]:
            del under_way[old]
        under_way[key] = Opening(source.name, file or Path(source.name), work)
    return under_way[key]


def map_source(path: Path) -> Source:
    """Return a map alone, as what is read."""
    return Source(path.name, "opened", (path,))


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
    _wait(shared.begin(source, _shared_graphs(source, graph_at)), source)


def wait_for_maps(source: Source) -> None:
    """End this run of the page with a progress bar, where a large map of a run has still to be
    read.

    Worlds of many houses are left out: only those walked in are read.
    """
    shared = openings()
    for at in (
        map_source(path) for path in source.graphs if _bytes_up_to(path, _SLOW_MAP) >= _SLOW_MAP
    ):
        # a cache keeps it: begun again it would be read a second time
        if at.identity in shared.maps_read:
            continue
        try:
            names = open_worlds(at.graphs[0]).names
        except NavVizError:
            continue  # opening the run tells
        if len(names) == 1:
            _wait(shared.begin_map(at, names[0]), at)


def _wait(opening: Opening[Any], source: Source) -> None:
    """Show how far a reading is and end the page's script, unless it has ended well or with a
    fault.
    """
    if opening.ended.is_set() and not opening.stopped:
        return
    with st.container(border=True, key="opening"):
        if opening.stopped:
            st.markdown(f"Reading **{plain(source.name)}** was stopped.")
            again, key = openings().forget, source.identity
            st.button(
                "Read it",
                icon=":material/restart_alt:",
                key="opening_again",
                on_click=again,
                args=(key,),
            )
        else:
            st.fragment(_tick, run_every=_TICK_S)(opening, source.name)
    st.stop()


def _tick(opening: Opening[Any], name: str) -> None:
    session = id(current())
    # each tick says that this session still waits
    opening.look(session)
    if opening.ended.is_set():
        st.rerun()  # the page goes on with the run
    reading = opening.reading
    done, total = reading.done_bytes / 1e6, reading.total_bytes / 1e6
    text = f"Reading {plain(name)} …"
    if reading.total_walks:
        done_walks = f"{reading.done_walks:,} of {reading.total_walks:,} episodes"
        text = f"Measuring the walks of {plain(name)}: {done_walks}"
    elif done < total:
        text = f"Reading {plain(name)}: {done:,.0f} of {total:,.0f} MB"
    show_progress(text, reading.part, 1.0, "opening", partial(opening.stop, session))


def _is_large(results: Path | None, graphs: Sequence[Path]) -> bool:
    if results is None:
        return False
    # the list of own traces comes from their ends, and is there long before all is read
    is_own = is_folder(results) or results.name.endswith(".trace.jsonl")
    slow = _SLOW_TRACES if is_own else _SLOW_LOG
    if _bytes_up_to(results, slow) < slow:
        return False
    # an index opens at once, however large its log is
    return not is_indexed(results, graphs)


def _bytes_up_to(path: Path, enough: int) -> int:
    """Return the bytes of a file, or of the files in a folder until there are enough."""
    size = 0
    try:
        for file in path.iterdir() if is_folder(path) else [path]:
            size += file.stat().st_size
            if size >= enough:
                break
    except OSError:
        return 0
    return size


def _shared_graphs(source: Source, graph_at: GraphAt) -> GraphAt:
    """Return what finds a graph: read now, in the page's thread, where a cache may show that it
    reads.

    Houses are many, and only those walked in are read; the background reads its own.
    """
    ready: dict[tuple[Path, str], Graph] = {}
    for path in source.graphs:
        names = open_worlds(path).names
        if len(names) == 1:
            ready[path, names[0]] = graph_at(path, names[0])

    def graph_of(path: Path, world: str) -> Graph:
        if (path, world) in ready:
            return ready[path, world]
        return (
            graph_at(path, world)
            if (not threading.current_thread().name.startswith(_THREAD))
            else open_graph(path, world)
        )

    return graph_of
