"""How far a large run is measured: its list stands at once, and fills while another process reads
the traces.

The same bar tells how far a process is that works out what goes wrong in such a run
(`navviz.analysis.kept`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from navviz.analysis.kept.marks import PROGRAM, marks_place
from navviz.runs.index import build
from navviz.runs.index.indexed import IndexedRun
from navviz.runs.index.store import IndexPlace
from navviz.runs.opened import OpenRun
from navviz.ui.components.plain import plain
from navviz.ui.data import marks
from navviz.ui.state import shell
from navviz.ui.state.session import current

_TICK_S = 2.0


@dataclass(frozen=True)
class _Work:
    """What another process does for a run."""

    key: str
    """Begins the keys of its buttons."""
    run: IndexedRun
    place: IndexPlace
    ready: Callable[[], bool]
    begin: Callable[[], None]
    doing: str
    stopped: str
    note: str

    @property
    def name(self) -> str:
        """By which the session knows that somebody stopped it."""
        return f"{self.run.name}{self.place.part}"


def show(run: OpenRun) -> None:
    """Start measuring where something is left, and show how far it is; nothing for a run that is
    measured.
    """
    if not isinstance(run, IndexedRun) or not run.is_kept:
        return
    # another process writes the index: only another look sees what it has added
    run.refresh()
    if not run.complete:
        _show(_measuring(run))


def wait_for(*runs: OpenRun) -> None:
    """Show how far the first run is that is not measured, and end the page's script; return where
    all are.
    """
    for run in runs:
        show(run)
        if not run.complete:
            st.stop()


def marks_ready(run: OpenRun) -> bool:
    """Show how far it is worked out what goes wrong; tell whether it is. The run is measured."""
    if not isinstance(run, IndexedRun) or not run.is_kept or marks.kept(run) is not None:
        return True
    _show(_marking(run))
    return False


def _measuring(run: IndexedRun) -> _Work:
    def ready() -> bool:
        run.refresh()
        return run.complete

    return _Work(
        "explore_measure",
        run,
        run.place,
        ready,
        lambda: build.start(run.place),
        "Measuring the walks",
        "Measuring was stopped",
        "Success and navigation error outdoors are known at once. The other figures of an episode"
        " follow when it is measured, their means when all are.",
    )


def _marking(run: IndexedRun) -> _Work:
    place = marks_place(run.place.folder, run.place.graphs)
    return _Work(
        "explore_marks",
        run,
        place,
        lambda: marks.kept(run) is not None,
        lambda: build.start(place, PROGRAM),
        "Reading instructions, junctions and transcripts",
        "Reading was stopped",
        "It is done once for a run; what goes wrong is shown then.",
    )


def _show(work: _Work) -> None:
    stopped = work.name in current().unmeasured
    fault = build.fault(work.place)
    if not stopped and fault is None:
        with shell.guard():
            work.begin()
    # no timer where nothing goes on
    st.fragment(_show_state, run_every=None if stopped or fault is not None else _TICK_S)(
        work, stopped=stopped
    )


def _show_state(work: _Work, *, stopped: bool) -> None:
    if work.ready():
        st.rerun()  # the page drops the timer and shows all figures
    fault = build.fault(work.place)
    if fault is not None and not stopped:
        st.error(plain(fault), icon=":material/error:")
        st.button(
            "Try again", key=f"{work.key}_again", on_click=build.forget_fault, args=(work.place,)
        )
        return
    # before the process writes its first figure, what the index holds already counts
    done, total = build.progress(work.place) or (_done(work), len(work.run))
    with st.container(horizontal=True, vertical_alignment="center"):
        what = work.stopped if stopped else work.doing
        st.progress(min(1.0, done / max(total, 1)), text=f"{what}: {done:,} of {total:,} episodes.")
        if stopped:
            st.button(
                "Go on",
                key=f"{work.key}_on",
                icon=":material/play_arrow:",
                on_click=_go_on,
                args=(work,),
            )
        else:
            st.button(
                "Stop", key=f"{work.key}_stop", icon=":material/stop:", on_click=_stop, args=(work,)
            )
    st.caption(plain(work.note))


def _done(work: _Work) -> int:
    return 0 if work.place.part else work.run.measured


def _stop(work: _Work) -> None:
    # noted first: the page begins all work that nobody has stopped
    current().unmeasured.add(work.name)
    build.stop(work.place)


def _go_on(work: _Work) -> None:
    current().unmeasured.discard(work.name)
