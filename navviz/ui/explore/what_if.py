"""What if: at how many steps another link mends a failure, and how fragile the successes are."""

from __future__ import annotations

from functools import partial

import streamlit as st

from navviz.analysis.causes.counting import share_text
from navviz.analysis.what_if.tables import WhatIfCounts, about_followed
from navviz.metrics.intervals import mean_interval
from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components.browser import clickable
from navviz.ui.components.finding import FindingPart, begin_one, one_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import marks
from navviz.ui.data.finding import what_if_counts, what_ifs_of
from navviz.ui.state import state
from navviz.views.figures.lists import CauseRow, cause_list_html

_PART = FindingPart("explore_what_if", "", "Walk on after other links")
_MOST_FRAGILE = 10
_ROWS = {
    "one": "One decisive step: the reference's link mends it there",
    "several": "Several: each mends it alone",
    "none": "None: no link of the reference mends it alone",
}


def wait_for_chosen(run: OpenRun) -> None:
    """Wait for what the list is filtered by; the page ends there until then."""
    chosen = state.episode_list().choice("feature")
    if any(mark.startswith(marks.WHAT_IF) for mark in chosen):
        begin_one(what_ifs_of(), run)
        if one_or_bar(what_ifs_of(), run, _PART) is None:
            st.stop()


def show(run: OpenRun) -> None:
    """Show the view; nothing is walked before somebody asks."""
    st.caption(
        "At each fork the same navigator walks on after each other link. A step is decisive where"
        " the reference's link alone mends the walk. That is done once, and kept."
    )
    worked_out = one_or_bar(what_ifs_of(), run, _PART)
    if worked_out is None:
        return
    counts = what_if_counts(run, worked_out)
    if counts.failures:
        _failures(counts)
    if counts.fragile:
        fragile = counts.fragile
        ruining, links = (sum(column) for column in zip(*fragile.values(), strict=True))
        st.caption(
            f"**Fragile successes**: {ruining:,} of {links:,} other links ruin one of"
            f" {len(fragile):,} successes."
        )
        ranked = sorted(fragile.items(), key=lambda item: -item[1][0])[:_MOST_FRAGILE]
        rows = [
            {"episode": key, "links that ruin it": ruin, "of": of} for key, (ruin, of) in ranked
        ]
        show_table(rows, "Successes that most other links ruin", most_rows=_MOST_FRAGILE)
    followed = about_followed(worked_out.episodes)
    if followed:
        st.caption(plain(followed))
    if worked_out.left_out:
        key, why = next(iter(worked_out.left_out.items()))
        st.caption(plain(f"{plural(len(worked_out.left_out), 'episode')} left out. {key}: {why}"))


def _failures(counts: WhatIfCounts) -> None:
    rows = []
    for kind, words in _ROWS.items():
        keys = getattr(counts, kind)
        if not keys:
            continue
        share = mean_interval([float(k < len(keys)) for k in range(counts.failures)], yes_no=True)
        value, last = marks.WHAT_IF + kind, kind == "none"
        row = CauseRow(
            value, words, hint=False, last=last, count=len(keys), failed=share_text(share)
        )
        rows.append(row)
    chosen = state.episode_list().choice("feature")
    head = ("Decisive steps of failures", "Share of failures")
    drawn = cause_list_html(rows, counts.failures, chosen, head=head)
    clickable(
        "causes",
        drawn,
        key="explore_what_if_rows",
        on_choose=partial(state.toggle_choice, "feature"),
    )
    note = (
        f"The act's step is a decisive one in {counts.agree} of {counts.acts} failures with both."
    )
    if counts.unstable:
        note += (
            f" {plural(counts.unstable, 'episode')} with unstable forks, where nothing is claimed."
        )
    st.caption(plain(note))
