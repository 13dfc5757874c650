"""Why it failed: causes of a run's failures above its list; a click on one filters the list.

Causes are found in a thread of their own; until then a bar tells how far that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from navviz.analysis.causes.counting import (
    NO_CAUSE_ID,
    CauseCount,
    about_errors,
    about_successes,
    cause_counts,
    share_text,
)
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.slices import CONFOUNDED, cause_features
from navviz.analysis.slices import failed_episodes, find_slices
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components.clickable import clickable
from navviz.ui.components.finding import MOST_AT_ONCE, begin_finding, found_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.data import marks
from navviz.ui.explore import repairing
from navviz.ui.state import shell, state
from navviz.views.figures.cause_list import CauseRow, cause_list_html
from navviz.views.figures.slice_list import SliceRow, slice_list_html

_CSS = """
.nv-drawn { font: var(--nv-13)/1.3 var(--st-font); color: var(--st-text-color); }
.row { all: unset; box-sizing: border-box; display: grid; width: 100%;
  grid-template-columns: minmax(200px, 2.4fr) minmax(48px, .7fr) 44px minmax(150px, 1fr)
  minmax(150px, 1fr);
  gap: 12px; align-items: center; padding: 3px 8px; border-radius: 5px; cursor: pointer; }
.row.head { cursor: default; padding-top: 0; }
.row.head b { font-size: var(--nv-14); font-weight: 600; color: var(--st-text-color); }
.row.head, .share, summary, small {
  color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color)); }
button.row:hover:not([disabled]), button.row:focus-visible, summary:hover {
  background: var(--st-secondary-background-color); }
button.row:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
summary:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
button.row[aria-pressed="true"] { box-shadow: inset 0 0 0 1.5px var(--st-primary-color); }
button.row[disabled] { cursor: default; }
/* the name gives way, its badge does not */
.name { display: flex; align-items: center; min-width: 0; }
.name > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
small { flex: none; font-size: var(--nv-12); border: 1px solid var(--st-border-color);
  border-radius: 3px; padding: 0 4px; margin-left: 4px; }
.track { height: 6px; border-radius: 3px; overflow: hidden;
  background: var(--st-secondary-background-color); }
.track i { display: block; height: 100%; border-radius: 3px; background: var(--nv-failure); }
.last .track i, .hint .track i { background: var(--nv-unknown); }
.hint .name { color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color)); }
.count { text-align: right; font-variant-numeric: tabular-nums; }
button.row .count { font-weight: 600; }
.share { font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; padding: 3px 8px; border-radius: 5px; }
@media (max-width: 640px) {
  .row { grid-template-columns: 1fr 40px 32px; padding: 12px 8px; }
  .row .name > span { white-space: normal; } .row .share, .row.head span:nth-last-child(-n + 2) {
    display: none; }
}
"""
_SLICES_CSS = """
.nv-drawn { font: var(--nv-13)/1.35 var(--st-font); color: var(--st-text-color); }
.row { all: unset; box-sizing: border-box; display: grid; width: 100%;
  grid-template-columns: 1fr 220px; gap: 14px; align-items: center; padding: 4px 8px;
  border-radius: 5px; cursor: pointer; }
.row.head { cursor: default;
  color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color)); }
.axis svg { display: block; } .axis text { font-size: var(--nv-12); fill: currentColor; }
button.row:hover, button.row:focus-visible { background: var(--st-secondary-background-color); }
button.row:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
button.row[aria-pressed="true"] { box-shadow: inset 0 0 0 1.5px var(--st-primary-color); }
.row.strong > span { font-weight: 600; }
.row svg { width: 220px; overflow: visible; }
.tick { stroke: var(--st-border-color); } .even { stroke: var(--st-text-color); opacity: .55; }
.worse .interval { stroke: var(--nv-failure); } .worse circle { fill: var(--nv-failure); }
.better .interval { stroke: var(--nv-success); } .better circle { fill: var(--nv-success); }
.interval { stroke-width: 2; } .weak .interval, .weak circle { opacity: .55; }
"""


def show(run: OpenRun) -> None:
    """Show the part; nothing for instructions that nobody walked, or a run that is not measured."""
    if run.source.results is None or not run.traces or not run.complete:
        return
    with st.container(border=True, key="explore_why", gap="small"), shell.guard():
        explained = found_or_bar(run, "explore_why", "Why it failed")
        if explained is not None:
            _causes(run, explained)


def begin(run: OpenRun) -> None:
    """Begin to find causes, so that the list can show them.

    Where the list is filtered by one, the page ends here until they are found. Of a large run the
    user says when.
    """
    if run.source.results is None or not run.traces or not run.complete:
        return
    now = state.episode_list()
    by_mark = any(mark.startswith(marks.HAS_CAUSE) for mark in now.choice("feature"))
    filtered = bool(now.choice("cause")) or by_mark
    if filtered or len(run.traces) <= MOST_AT_ONCE:
        begin_finding(run)
    if filtered and found_or_bar(run, "explore_why", "Why it failed") is None:
        st.stop()


def _causes(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> None:
    failures = [one for one in explained.values() if one.success is False]
    if not failures:
        _nothing_failed(explained)
        return
    counts = cause_counts(explained)
    rows = [_row(count) for count in counts]
    drawn = cause_list_html(rows, len(failures), state.episode_list().choice("cause"))
    clickable("causes", drawn, _CSS, key="explore_causes", on_choose=_choose)
    notes = (about_successes(explained, counts), about_errors(run.scores.errors))
    for note in filter(None, notes):
        st.caption(plain(note))
    _teach(run, failures, counts)
    with st.container(horizontal=True):
        repairing.show(run, explained)
        _slices(run, explained, counts)


def _row(count: CauseCount) -> CauseRow:
    value = count.id if count.id is not None else NO_CAUSE_ID
    name = count.name[:1].upper() + count.name[1:]
    succeeded = "" if count.id is None else share_text(count.succeeded)
    return CauseRow(
        value,
        name,
        count.grade == "hint",
        count.id is None,
        count.likely + count.hinted,
        share_text(count.failed),
        succeeded,
    )


def _choose(cause: str) -> None:
    """Show the failures of a cause; pressed again, all episodes."""
    now = state.episode_list()
    already = now.choice("cause") == (cause,)
    state.show_list(now.with_choice("cause", () if already else (cause,)))


def _nothing_failed(explained: Mapping[str, EpisodeCauses]) -> None:
    if any(one.success for one in explained.values()):
        st.caption(
            "**Why it failed**: no episode of this run failed. Open a run with failures to see"
            " their causes."
        )
        return
    st.caption(
        "**Why it failed**: nobody knows whether these episodes succeeded, so there is no failure"
        " to explain. Episodes need a goal; data sets keep it from their test splits."
    )


def _teach(run: OpenRun, failures: Sequence[EpisodeCauses], counts: Sequence[CauseCount]) -> None:
    """Say what would show more causes, where few are found."""
    unlogged = [one for one in failures if "replies" not in one.has]
    headers = [trace.header for trace in run.outlines.values()]
    # a navigator that asks no model has no replies: their absence says nothing
    uses_model = any(header.model is not None or header.source is not None for header in headers)
    if unlogged and uses_model:
        st.caption(
            f"{len(unlogged)} of {plain(plural(len(failures), 'failure'))} came without the model's"
            " replies: prompts, thoughts and plans would show more causes. Open the run with its"
            " logs."
        )
    elif not any(count.likely + count.hinted for count in counts if count.id is not None):
        st.caption(
            "No detector proves anything at or before the step that decided these failures. Press"
            " *Replay failures* and read them; a system can bring detectors of its own."
        )


def _slices(
    run: OpenRun, explained: Mapping[str, EpisodeCauses], counts: Sequence[CauseCount]
) -> None:
    """Show how much more often an episode fails that has a cause, folded."""
    slices = find_slices(cause_features(explained), failed_episodes(run.scores))
    if not slices:
        return
    with st.popover("Causes as features of failure", key="explore_why_slices"):
        st.caption(f"Above 1, episodes with the cause fail more often. {CONFOUNDED}")
        names = {marks.HAS_CAUSE + str(count.id): count.name for count in counts}
        rows = []
        for part in slices:
            name = names.get(part.feature, part.feature)
            # the feature is an id there, and people read its name
            sentence = part.sentence.replace(part.feature, name)
            is_sure = part.p_adjusted < 0.05
            rows.append(
                SliceRow(part.feature, sentence, part.odds_ratio, part.low, part.high, is_sure)
            )
        drawn = slice_list_html(rows, state.episode_list().choice("feature"))
        clickable(
            "cause_slices",
            drawn,
            _SLICES_CSS,
            key="explore_cause_slices",
            on_choose=state.toggle_mark,
        )
