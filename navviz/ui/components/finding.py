"""How far work over a whole run is: a bar with Stop, until what a page waits for is there.

Causes and alike failures are found in a thread of this process (`navviz.ui.data.finding`); figures
and marks of a large run are worked out by another process, which goes on when the page is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import streamlit as st

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.kept.marks import PROGRAM, marks_place
from navviz.records.base import plural
from navviz.runs.index import build
from navviz.runs.index.kept import KeptRun
from navviz.runs.opened import OpenRun
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_progress
from navviz.ui.data import marks
from navviz.ui.data.finding import Findings, RunSearch, cause_findings
from navviz.ui.state import shell
from navviz.ui.state.session import current

MOST_AT_ONCE = 2000
"""Episodes whose causes are found without a question; 700 take 3 s, 50,000 minutes."""

_AT_ONCE_S = 0.6
"""What is found so soon, or was kept, is shown without a bar."""

_TICK_S = 0.5

_MEASURE_TICK_S = 2.0

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
    """Return the causes of a run; until they are found, show how far that is."""
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


def _progress_bar(finding: RunSearch[_T], key: str) -> None:
    if finding.ended.is_set():
        st.rerun()  # the page shows what was found
    text = f"Finding {finding.what}: {finding.done:,} of {finding.total:,} {plain(finding.unit)}."
    # grouping 50,000 takes seconds more, while a full bar would look stuck
    if finding.done >= finding.total:
        text += " All are read; one moment."
    show_progress(text, finding.done, finding.total, key, finding.stop)


@dataclass(frozen=True)
class _Work:
    """What another process does for a run."""

    key: str
    """Begins the keys of its buttons."""
    run: OpenRun
    place: KeptRun
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
    # another process writes the index: only another look sees what it has added
    run.refresh()
    place = run.kept_at
    if place is None or run.complete:
        return

    def ready() -> bool:
        run.refresh()
        return run.complete

    work = _Work(
        "explore_measure",
        run,
        place,
        ready,
        partial(build.start, place),
        "Measuring the walks",
        "Measuring was stopped",
        "Success and navigation error outdoors are known at once. The other figures of an episode"
        " follow when it is measured, their means when all are.",
    )
    _show(work)


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
    if run.kept_at is None or marks.known(run) is not None:
        return True
    place = marks_place(run.kept_at.results, run.kept_at.graphs)
    work = _Work(
        "explore_marks",
        run,
        place,
        lambda: marks.known(run) is not None,
        lambda: build.start(place, PROGRAM),
        "Reading instructions, junctions and transcripts",
        "Reading was stopped",
        "It is done once for a run; what goes wrong is shown then.",
    )
    _show(work)
    return False


def _show(work: _Work) -> None:
    stopped = work.name in current().unmeasured
    fault = build.fault(work.place)
    if not stopped and fault is None:
        with shell.guard():
            work.begin()
    # no timer where nothing goes on
    st.fragment(_show_state, run_every=None if stopped or fault is not None else _MEASURE_TICK_S)(
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
    done, total = build.progress(work.place) or (
        (0 if work.place.part == "marks" else work.run.view.measured),
        len(work.run),
    )
    text = f"{work.stopped if stopped else work.doing}: {done:,} of {total:,} episodes."
    go_on = partial(current().unmeasured.discard, work.name) if stopped else None
    show_progress(text, done, total, work.key, partial(_stop, work), go_on=go_on)
    st.caption(plain(work.note))


def _stop(work: _Work) -> None:
    # noted first: the page begins all work that nobody has stopped
    current().unmeasured.add(work.name)
    build.stop(work.place)
