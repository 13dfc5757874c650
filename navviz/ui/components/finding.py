"""How far something is found in a run, such as the causes of its failures: a bar with Stop, until
it is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components.plain import plain
from navviz.ui.data.finding import Finding, Findings, cause_findings

MOST_AT_ONCE = 2000
"""Episodes whose causes are found without a question; 700 take 3 s, 50,000 minutes."""
_AT_ONCE_S = 0.6
"""What is found so soon, or was kept, is shown without a bar."""
_TICK_S = 0.5
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class FindingPart:
    """The part of a page that waits for something."""

    key: str
    """Begins the keys of its buttons."""
    title: str
    """Stands before a button."""
    button: str


def begin_finding(run: OpenRun) -> None:
    """Begin to find the causes of a run, and wait a moment for them; nothing where that began."""
    begin_one(cause_findings(), run)


def begin_one(many: Findings[_T], run: OpenRun, at_once_s: float = _AT_ONCE_S) -> None:
    """Begin to find something in a run, and wait a moment for it; nothing where that began."""
    if many.get(run) is not None:
        return
    if len(run.worlds) == 1:
        run.graph_of(next(iter(run.worlds)))  # read here, where the page can show that it reads
    many.begin(run).ended.wait(at_once_s)


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
    return one_or_bar(cause_findings(), run, FindingPart(key, title, "Find causes"))


def one_or_bar(many: Findings[_T], run: OpenRun, part: FindingPart) -> _T | None:
    """Return what was found in a run; until then, show how far that is."""
    finding = many.get(run)
    if finding is None:
        reads = f"Reads {plural(len(run), 'trace')}, once."
        _button(many, run, part, reads)
    elif finding.result is not None:
        return finding.result
    elif finding.fault is not None:
        _button(many, run, part, finding.fault)
    elif finding.stopped:
        _button(many, run, part, f"Finding {finding.what} was stopped.")
    else:
        st.fragment(_progress_bar, run_every=_TICK_S)(finding, part.key)
    return None


def _button(many: Findings[_T], run: OpenRun, part: FindingPart, words: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if part.title:
            st.markdown(f"**{plain(part.title)}**", width="content")
        st.button(
            part.button,
            icon=":material/search:",
            key=f"{part.key}_begin",
            on_click=_again,
            args=(many, run),
        )
        st.caption(plain(words), width="content")


def _again(many: Findings[_T], run: OpenRun) -> None:
    # a search that was stopped or failed would be handed out again
    many.forget(run)
    begin_one(many, run)


def _progress_bar(finding: Finding[_T], key: str) -> None:
    if finding.ended.is_set():
        st.rerun()  # the page shows what was found
    with st.container(horizontal=True, vertical_alignment="center"):
        text = f"Finding {finding.what}: {finding.done:,} of {finding.total:,} episodes."
        # grouping 50,000 takes seconds more, while a full bar would look stuck
        if finding.done >= finding.total:
            text += " All are read; one moment."
        st.progress(min(1.0, finding.done / max(finding.total, 1)), text=text)
        st.button("Stop", icon=":material/stop:", key=f"{key}_stop", on_click=finding.stop)
