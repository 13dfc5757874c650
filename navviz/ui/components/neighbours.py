"""The episodes before and after this one in Explore's list: buttons on Replay and Compare, and the
player's keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from navviz.analysis.alike import LikeTarget
from navviz.runs.episode_list import EpisodeList, ListPosition
from navviz.runs.opened import OpenRun
from navviz.runs.tables import episode_columns
from navviz.ui.components.finding import begin_finding, found_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.data import cache, marks
from navviz.ui.data import finding as alike
from navviz.ui.data.finding import cause_findings
from navviz.ui.state import state
from navviz.ui.state.session import ListNote, current

_ACT, _CAUSE, _MARKS = "act", "cause", "feature"

_BY_VALUE = (_MARKS, alike.CLUSTER, alike.LIKE, "disagreement")
"""Columns that are filled only as far as somebody asks: what is foreign there tells the value."""

_JUDGED = ("outcome", _ACT, _CAUSE)
"""Columns that every run has whose goals are known, however its episodes ended."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A list that a run can answer, and what it could not."""

    episodes: EpisodeList
    removed: tuple[str, ...]
    """In words."""


def wants_causes(episodes: EpisodeList) -> bool:
    """Tell whether a list cannot be shown before causes are found."""
    chosen = episodes.choice(_ACT) or episodes.choice(_CAUSE)
    return bool(chosen) or episodes.sort in {_ACT, _CAUSE}


def wait_for_list(run: OpenRun) -> None:
    """Find the causes that the list is filtered by; the page ends at a bar until they are there.

    Explore found them in another session, perhaps: a link leads to Replay as well, and a server
    that has just started has found nothing yet.
    """
    if run.source.results is None or not run.complete or not wants_causes(state.episode_list()):
        return
    begin_finding(run)
    finding = cause_findings().get(run)
    # who stopped it, or whose walks cannot be read, sees the episode without its neighbours
    is_over = finding is not None and (finding.stopped or finding.fault is not None)
    if found_or_bar(run, "list_causes") is None and not is_over:
        st.stop()


def list_table(run: OpenRun) -> pd.DataFrame:
    """Return the run's table with the columns that the list is filtered by.

    What the run has nothing of leaves the list and the address; `tell_removed` says so.
    """
    now = state.episode_list()
    table = cache.episode_table(run, disagreements=state.checks_routes())
    # of a run that is still measured nobody knows yet what it has
    if now == EpisodeList() or not run.complete:
        return table
    fitted = fitting(now, table, _foreign(run, now, table))
    if fitted.removed:
        state.show_list(fitted.episodes)
        parts = ", ".join(fitted.removed)
        text = f"Removed from the list, since “{run.name}” has nothing of the kind: {parts}."
        current().list_note = ListNote(state.selection().run, fitted.episodes, text)
    return table


def fitting(
    episodes: EpisodeList, table: pd.DataFrame, foreign: Mapping[str, tuple[str, ...]]
) -> Fitted:
    """Return a list without what a run cannot answer."""
    removed = []
    fitted = episodes
    for name, values in episodes.choices:
        gone = foreign.get(name, ()) if _can_answer(table, name) else values
        kept = [each for each in values if each not in gone]
        if len(kept) < len(values):
            fitted = fitted.with_choice(name, kept)
            removed.append(_choice_words(name, [each for each in values if each in gone]))
    for name, _limits in episodes.ranges:
        if not _is_filled(table, name):
            fitted = fitted.with_range(name, None)
            removed.append(f"the limits of {episode_columns()[name].label}")
    if episodes.sort is not None and not _can_answer(table, episodes.sort):
        fitted = replace(fitted, sort=None, descending=False)
        removed.append(f"the order by {episode_columns()[episodes.sort].label}")
    return Fitted(fitted, tuple(removed))


def tell_removed() -> None:
    """Say what left the list, as long as the page shows that list of that run."""
    note = _note()
    if note is not None:
        st.info(plain(note.text), icon=":material/filter_alt_off:")


def toast_removed() -> None:
    """Say it once, where the page has no room for a line."""
    note = _note()
    if note is not None:
        current().list_note = None
        st.toast(plain(note.text), icon=":material/filter_alt_off:", duration="long")


def _note() -> ListNote | None:
    note = current().list_note
    # causes that are found meanwhile run the page again: the sentence stays until somebody acts
    now = (state.selection().run, state.episode_list())
    return note if note is not None and (note.run, note.episodes) == now else None


def _foreign(run: OpenRun, now: EpisodeList, table: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Return the values of a list that only another run can have, by column."""
    foreign = {}
    groups = alike.found(run)
    if groups is not None or run.source.results is None:
        own = set() if groups is None else set(groups.ids.values())
        foreign[alike.CLUSTER] = tuple(set(now.choice(alike.CLUSTER)) - own)
    targets = {value: LikeTarget.of(value).episode for value in now.choice(alike.LIKE)}
    foreign[alike.LIKE] = tuple(
        value for value, key in targets.items() if key is not None and key not in run.traces
    )
    if marks.known(run) is not None:
        own = set().union(*table[_MARKS].dropna())
        foreign[_MARKS] = tuple(mark for mark in now.choice(_MARKS) if mark not in own)
    return foreign


def _can_answer(table: pd.DataFrame, name: str) -> bool:
    """Tell whether a column says something about the run, be it "none"."""
    if name in _JUDGED:
        return not bool(table["outcome"].isin(["unknown", "unfinished"]).all())
    return name in _BY_VALUE or _is_filled(table, name)


def _is_filled(table: pd.DataFrame, name: str) -> bool:
    if episode_columns()[name].filter == "tags":
        return any(isinstance(tags, list) and tags for tags in table[name])
    return bool(table[name].notna().any())


def _choice_words(name: str, values: list[str]) -> str:
    shown = values
    if name == _MARKS:
        shown = [marks.describe(each) for each in values]
    elif name == alike.LIKE:
        shown = [LikeTarget.of(each).name for each in values]
    return f"{episode_columns()[name].label} {', '.join(shown)}"


def episodes_in_order(run: OpenRun) -> list[str]:
    """Return the episodes of Explore's list, in its order.

    The table is only made where the list is not the whole run: it scores every episode.
    """
    if state.episode_list() == EpisodeList():
        return list(run.traces)
    table = list_table(run)
    return state.episode_list().apply(table)["episode"].astype(str).tolist()


def place_in_list(run: OpenRun, episode: str, others: Iterable[OpenRun] = ()) -> ListPosition:
    """Tell where the episode is in Explore's list, of the episodes that all runs walked."""
    order = episodes_in_order(run)
    for other in others:
        order = [key for key in order if key in other.traces]
    return state.episode_list().place(order, episode)


def neighbours(place: ListPosition, page: str, which: str) -> None:
    """Show buttons to both, and the place between them."""
    toast_removed()
    for label, icon, other in (
        ("Previous", ":material/chevron_left:", place.previous),
        ("Next", ":material/chevron_right:", place.next),
    ):
        st.button(
            label,
            icon=icon,
            key=f"{page}_{label.lower()}",
            disabled=other is None,
            on_click=state.select,
            kwargs={"episode": other},
            help=f"Key {label[0].lower()}. {which}",
        )
    # as high as a button
    with st.container(height=40, width="content", border=False, vertical_alignment="center"):
        st.text(state.episode_list().describe(place), width="content")


def to(run: OpenRun, episode: str, wish: str) -> None:
    """Go from an episode to the next or previous one of Explore's list."""
    turn(place_in_list(run, episode), wish)


def turn(place: ListPosition, wish: str) -> None:
    """Go to the next or previous episode, as the player's keys n and p ask; nowhere for what else
    it asks.
    """
    other = {"next": place.next, "previous": place.previous}.get(wish)
    if other is not None:
        state.select(episode=other)
