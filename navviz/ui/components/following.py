"""Following a run that another process is writing: what is new appears, and nothing jumps."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import datetime
from typing import Final

import streamlit as st

from navviz.records import Trace
from navviz.records.base import plural
from navviz.records.walker import is_unfinished
from navviz.runner.batches import is_locked
from navviz.runs.growth import Growth, growth_of
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Source
from navviz.ui.components.plain import plain
from navviz.ui.state import state
from navviz.ui.state.session import current, set_widget, widget

_TICK_S: Final = 2.0

_RECENT_S: Final = 600.0
"""After so long without a change nothing is said of following."""


def note_seen(source: Source) -> None:
    """Remember how far a run has grown before it is opened, so that no later change is missed."""
    growth, session = _growth(source), current()
    seen = session.seen_version = 0 if growth is None else growth.look(0)
    session.has_grown = None if growth is None else lambda: growth.look(0) != seen


def _growth(source: Source) -> Growth | None:
    # samples never change
    return (
        None if source.results is None or source.origin == "sample" else growth_of(source.results)
    )


def is_walking(run: OpenRun, trace: Trace) -> bool:
    """Whether a walk of ours is not finished, and its run was written to a short while ago."""
    growth = _growth(run.source)
    return is_unfinished(trace) and growth is not None and _is_recent(growth)


def _is_recent(growth: Growth) -> bool:
    return time.time() - growth.changed_s < _RECENT_S


def show(run: OpenRun) -> None:
    """Rerun the page whenever its run has grown; where it grows, a switch lets it stand still."""
    growth = _growth(run.source)
    if growth is not None:
        st.fragment(_tick, run_every=_TICK_S)(run, growth)


def _tick(run: OpenRun, growth: Growth) -> None:
    session = current()
    watched, session.wants_to_watch = session.wants_to_watch, None
    if watched is not None:
        st.switch_page("pages/replay.py", query_params=state.query(watched))
    if growth.look() != session.seen_version and session.follows:
        st.rerun()  # what is new is all over the page, and this is a fragment
    if not _is_recent(growth):
        return
    set_widget("following", session.follows)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.toggle(
            plain(f"Following · last event {_clock(growth)}"),
            key="following",
            on_change=_take_switch,
            width="content",
            help="Shows what another process writes into this run, as it is written.",
        )
        unfinished = run.known_scores().unfinished
        if unfinished and _is_silent(growth, run, 0.0):
            count = plural(len(unfinished), "walk")
            st.caption(plain(f"Its writer has stopped, {count} not finished."))
            return
        has_left, key = _under_way(run)
        # between two walks it stays, so that the page does not jump
        st.button(
            plain(f"Watch {key}{' · left its path' if has_left else ''}"),
            icon=":material/visibility:",
            type="tertiary",
            key="following_watch",
            shortcut="L",
            disabled=not key,
            help="A walk that goes on: the first that has left its reference path, or the newest.",
            on_click=_watch,
            args=(key,),
        )


def _watch(key: str) -> None:
    # noted: the run of the script may be cut off by an event that comes
    current().wants_to_watch = key


def _under_way(run: OpenRun) -> tuple[bool, str]:
    """Return a walk that goes on, after whether it has left its reference path."""
    keys, view = run.known_scores().unfinished, run.view
    for key in keys:
        if view.rows["diverged_at"][view.places[key]].as_py() is not None:
            return True, key
    return False, keys[-1] if keys else ""


def _take_switch() -> None:
    current().follows = bool(widget("following"))


def said_of_walk(run: OpenRun, trace: Trace) -> str:
    """Say the same of one walk that is not finished."""
    growth = _growth(run.source)
    if growth is None:
        return ""
    begun = trace.header.created
    with suppress(ValueError):
        usual_s = growth.changed_s - datetime.fromisoformat(begun).timestamp()
        usual_s /= max(len(trace.steps), 1)
        if _is_silent(growth, run, usual_s):
            return f"The writer of this walk has stopped: no event since {_clock(growth)}."
    return f"This walk goes on; last event {_clock(growth)}."


def _is_silent(growth: Growth, run: OpenRun, usual_s: float) -> bool:
    results = run.source.results
    return growth.has_stopped(usual_s) and (results is None or not is_locked(results))


def _clock(growth: Growth) -> str:
    return f"{datetime.fromtimestamp(growth.changed_s).astimezone():%H:%M:%S}"
