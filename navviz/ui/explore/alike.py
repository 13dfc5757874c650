"""Alike by words: groups of failures that use the same words, and the failures nearest to one
episode or to a few words; each filters the list.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from navviz.analysis.alike import AlikeFailures, LikeTarget, alike_groups, alike_sentence
from navviz.analysis.causes.counting import share_text
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components.clickable import clickable
from navviz.ui.components.finding import MOST_AT_ONCE, FindingPart, begin_one, one_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.data.alike import (
    CLUSTER,
    LIKE,
    LIKENESS,
    alikes,
    found,
    is_wanted,
    nearest_list,
)
from navviz.ui.state import shell, state
from navviz.ui.state.session import set_widget, widget
from navviz.views.figures.cluster_list import ClusterRow, cluster_list_html

_PART = FindingPart("explore_alike", "Alike by words", "Compare failures")
_SEARCH = "explore_alike_search"
_CSS = """
.nv-drawn { font: var(--nv-13)/1.3 var(--st-font); color: var(--st-text-color); }
.row { all: unset; box-sizing: border-box; display: grid; width: 100%;
  grid-template-columns: minmax(180px, 1.2fr) minmax(50px, .5fr) 36px minmax(150px, .7fr)
  minmax(0, 2fr);
  gap: 12px; align-items: center; padding: 3px 8px; border-radius: 5px; cursor: pointer; }
.row.head { cursor: default; padding-top: 0; }
.row.head, .share, .example {
  color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color)); }
button.row:hover, button.row:focus-visible { background: var(--st-secondary-background-color); }
button.row:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
button.row[aria-pressed="true"] { box-shadow: inset 0 0 0 1.5px var(--st-primary-color); }
.name, .example { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.track { height: 6px; border-radius: 3px; overflow: hidden;
  background: var(--st-secondary-background-color); }
.track i { display: block; height: 100%; border-radius: 3px; background: var(--nv-failure); }
.count { text-align: right; font-variant-numeric: tabular-nums; }
button.row .count { font-weight: 600; }
.share { font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (max-width: 900px) {
  .row { grid-template-columns: 1fr 60px 32px 150px; } .row .example,
  .row.head span:last-child { display: none; }
}
@media (max-width: 640px) {
  .row { grid-template-columns: 1fr 40px 32px; padding: 12px 8px; }
  .row .name { white-space: normal; }
  .row .share, .row.head span:nth-last-child(-n + 2) { display: none; }
}
"""


def begin(run: OpenRun) -> None:
    """Begin to compare the failures where the list is filtered by that; the page ends here until
    it is done.
    """
    if is_wanted(state.episode_list()) and run.complete and run.source.results is not None:
        begin_one(alikes(), run)
        if one_or_bar(alikes(), run, _PART) is None:
            st.stop()


def show(run: OpenRun) -> None:
    """Show the part."""
    with st.container(border=True, key="explore_alike", gap="small"), shell.guard():
        if len(run) <= MOST_AT_ONCE:
            begin_one(alikes(), run)
        alike = one_or_bar(alikes(), run, _PART)
        if alike is not None:
            _groups(alike)
            if alike.meaning is not None:
                _search()


def chosen(run: OpenRun) -> None:
    """Say what the list below is compared with, and offer to end that."""
    alike = found(run)
    for value in state.episode_list().choice(LIKE)[:1]:
        target = LikeTarget.of(value)
        near = {} if alike is None else alike.near(run, target)
        count = len(near.keys() - {target.episode})
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                f"Like {plain(target.name)}",
                icon=":material/filter_alt_off:",
                key="explore_like",
                on_click=_end_like,
                help="Show all episodes again.",
            )
            st.caption(plain(_near_words(alike, target, count)), width="content")


def _near_words(alike: AlikeFailures | None, target: LikeTarget, count: int) -> str:
    if alike is None or not count:
        return f"No failure shares words with {target.name}."
    by = "their instructions" if alike.basis == "instructions" else "what the model wrote"
    first = "The" if target.episode is None else "The episode and the"
    return (
        f"{first} {count} of {plural(alike.failures, 'failure')} nearest by {by}. Likeness is a"
        " cosine from 0 to 1; a low one means that little is shared."
    )


def _end_like() -> None:
    now = state.episode_list()
    sort = None if now.sort == LIKENESS else now.sort
    state.show_list(replace(now.with_choice(LIKE, ()), sort=sort))


def _groups(alike: AlikeFailures) -> None:
    st.caption(f"**Alike by words**: {plain(alike_sentence(alike))}")
    if not alike.clusters:
        return
    rows = []
    for group in alike_groups(alike):
        share = share_text(group.share)
        rows.append(ClusterRow(group.id, group.words, group.count, share, group.example))
    drawn = cluster_list_html(rows, state.episode_list().choice(CLUSTER))
    clickable("clusters", drawn, _CSS, key="explore_clusters", on_choose=_choose)


def _choose(cluster: str) -> None:
    """Show the failures of a group; pressed again, all episodes."""
    now = state.episode_list()
    already = now.choice(CLUSTER) == (cluster,)
    state.show_list(now.with_choice(CLUSTER, () if already else (cluster,)))


def _search() -> None:
    targets = [LikeTarget.of(value) for value in state.episode_list().choice(LIKE)[:1]]
    # the address decides what stands in the field, so that a link shows what it was made with
    set_widget(_SEARCH, targets[0].text if targets else "")
    st.text_input(
        "Failures nearest to these words",
        key=_SEARCH,
        placeholder="Such as: stopped before the bus stop",
        on_change=_searched,
        max_chars=400,
        width=460,
        help="The ten failures whose words are nearest, also where they use related words.",
    )


def _searched() -> None:
    text = " ".join(str(widget(_SEARCH) or "").split())
    if not text:
        _end_like()
        return
    state.show_list(nearest_list(LikeTarget(None, text=text)))
