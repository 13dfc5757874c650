"""How far the causes of a run are found: a bar with Stop, until they are there."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components.plain import plain
from navviz.ui.data.causes import Finding, findings

MOST_AT_ONCE = 2000
"""Episodes whose causes are found without a question; 700 take 3 s, 50,000 minutes."""
_AT_ONCE_S = 0.6
"""Causes that are found so soon, or were kept, are shown without a bar."""
_TICK_S = 0.5


def begin_finding(run: OpenRun) -> None:
    """Begin to find the causes of a run, and wait a moment for them; nothing where that began."""
    if findings().get(run) is not None:
        return
    if len(run.worlds) == 1:
        run.graph_of(next(iter(run.worlds)))  # read here, where the page can show that it reads
    findings().begin(run).ended.wait(_AT_ONCE_S)


def found_or_bar(run: OpenRun, key: str, title: str = "") -> Mapping[str, EpisodeCauses] | None:
    """Return the causes of a run; until they are found, show how far that is.

    Parameters
    ----------
    run
        Complete.
    key
        Begins the keys of its buttons.
    title
        Stands before a button.
    """
    finding = findings().get(run)
    if finding is None:
        reads = f"Reads {plural(len(run), 'trace')}, once."
        _button(run, key, title, reads)
    elif finding.explained is not None:
        return finding.explained
    elif finding.fault is not None:
        _button(run, key, title, finding.fault)
    elif finding.stopped:
        _button(run, key, title, "Finding causes was stopped.")
    else:
        st.fragment(_tell, run_every=_TICK_S)(finding, key)
    return None


def _button(run: OpenRun, key: str, title: str, words: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if title:
            st.markdown(f"**{plain(title)}**", width="content")
        st.button(
            "Find causes",
            icon=":material/search:",
            key=f"{key}_begin",
            on_click=_again,
            args=(run,),
        )
        st.caption(plain(words), width="content")


def _again(run: OpenRun) -> None:
    # a search that was stopped or failed would be handed out again
    findings().forget(run)
    begin_finding(run)


def _tell(finding: Finding, key: str) -> None:
    if finding.ended.is_set():
        st.rerun()  # the page shows what was found
    with st.container(horizontal=True, vertical_alignment="center"):
        text = f"Finding causes: {finding.done:,} of {finding.total:,} episodes."
        st.progress(finding.done / max(finding.total, 1), text=text)
        st.button("Stop", icon=":material/stop:", key=f"{key}_stop", on_click=finding.stop)
