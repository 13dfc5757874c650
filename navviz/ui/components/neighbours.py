"""The episodes before and after this one in Explore's list: buttons on Replay and Compare, and the player's keys."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from navviz.runs.episode_list import EpisodeList, ListPosition
from navviz.runs.opened import OpenRun
from navviz.ui import cache, state

__all__ = ["neighbours", "place_in_list"]


def place_in_list(run: OpenRun, episode: str, beside: Iterable[OpenRun] = ()) -> ListPosition:
    """Tell where the episode is in Explore's list, of the episodes that all runs walked.

    The table is only made where the list is not the whole run: it scores every episode.
    """
    chosen = state.episode_list()
    order = list(run.traces)
    if chosen != EpisodeList():
        table = cache.episode_table(run, disagreements=state.checks_routes())
        order = chosen.apply(table)["episode"].astype(str).tolist()
    for other in beside:
        order = [key for key in order if key in other.traces]
    return chosen.place(order, episode)


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
    for label, icon, other in (
        ("Previous", ":material/chevron_left:", place.previous),
        ("Next", ":material/chevron_right:", place.next),
    ):
        st.button(
            label,
            icon=icon,
            key=f"{page}_{label.lower()}",
            disabled=other is None,
            on_click=_go,
            args=(other,),
            help=f"Key {label[0].lower()}. {which}",
        )
    with st.container(height=40, width="content", border=False, vertical_alignment="center"):  # as high as a button
        st.text(state.episode_list().told(place), width="content")


def _go(episode: str) -> None:
    state.select(episode=episode)
