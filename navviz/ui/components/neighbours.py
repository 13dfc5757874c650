"""The episodes before and after this one in Explore's list: buttons on Replay and Compare, and the
player's keys.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from navviz.runs.episode_list import EpisodeList, ListPosition
from navviz.runs.opened import OpenRun
from navviz.ui.components.fitting import list_table, toast_removed
from navviz.ui.state import state


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
    """Show buttons to both, and the place between them.

    Parameters
    ----------
    place
        From `place_in_list`.
    page
        Begins the keys of the buttons.
    which
        Which episodes these are, for their help.
    """
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
