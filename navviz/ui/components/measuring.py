"""How far a large run is measured: its list stands at once, and fills while another process reads the traces."""

from __future__ import annotations

import streamlit as st

from navviz.runs.index import build
from navviz.runs.index.indexed import IndexedRun
from navviz.runs.opened import OpenRun
from navviz.ui import shell
from navviz.ui.plain import plain
from navviz.ui.session import current

__all__ = ["show", "wait_for"]

_TICK_S = 2.0


def show(run: OpenRun) -> None:
    """Start measuring where something is left, and show how far it is; nothing for a run that is measured."""
    if not isinstance(run, IndexedRun):
        return
    run.refresh()
    if run.complete:
        return
    stopped = run.name in current().unmeasured
    fault = build.fault(run.place)
    if not stopped and fault is None:
        with shell.guard():
            build.start(run.place)
    st.fragment(_tell, run_every=None if stopped or fault is not None else _TICK_S)(run, stopped=stopped)


def wait_for(*runs: OpenRun) -> None:
    """Show how far the first run is that is not measured, and end the page's script; return where all are."""
    for run in runs:
        show(run)
        if not run.complete:
            st.stop()


def _tell(run: IndexedRun, *, stopped: bool) -> None:
    run.refresh()
    if run.complete:
        st.rerun()  # the page drops the timer and shows all figures
    fault = build.fault(run.place)
    if fault is not None and not stopped:
        st.error(plain(fault), icon=":material/error:")
        st.button("Try again", key="explore_measure_again", on_click=build.forget_fault, args=(run.place,))
        return
    done, total = build.progress(run.place) or (run.measured, len(run))
    with st.container(horizontal=True, vertical_alignment="center"):
        what = "Measuring was stopped" if stopped else "Measuring the walks"
        st.progress(min(1.0, done / max(total, 1)), text=f"{what}: {done:,} of {total:,} episodes.")
        if stopped:
            st.button("Go on", key="explore_measure_on", icon=":material/play_arrow:", on_click=_go_on, args=(run,))
        else:
            st.button("Stop", key="explore_measure_stop", icon=":material/stop:", on_click=_stop, args=(run,))
    st.caption(
        "Success and navigation error outdoors are known at once. The other figures of an episode follow when it is "
        "measured, their means when all are."
    )


def _stop(run: IndexedRun) -> None:
    current().unmeasured.add(run.name)
    build.stop(run.place)


def _go_on(run: IndexedRun) -> None:
    current().unmeasured.discard(run.name)
