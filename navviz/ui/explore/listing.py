"""The list of episodes on the Explore page: one component with search, filters, sort, and the rows
as table or gallery (``assets/player/src/list``; published sites show the same).

The browser has all rows and filters them itself. It sends the script what it shows, as a link says
it: sort and search rerun a fragment; what changes marks elsewhere on the page reruns the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from navviz.analysis.skills import has_skills
from navviz.runs.episode_list import EpisodeList
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.components.browser import mount, mount_part
from navviz.ui.data.packed_list import PackedList, packed_list, thumbs_of
from navviz.ui.state import state
from navviz.ui.state.session import current, widget
from navviz.ui.state.state import segmented
from navviz.views.figures.marked_text import skill_legend

_KEY = "explore_list"
_VIEWS = ("table", "gallery", "map")
_MOST_THUMBS = 150
"""As many as the browser asks for at once (``assets/player/src/streamlit/list.js``)."""


def view(*, has_walks: bool) -> str:
    """Choose table, gallery or map; returns which. Figures alone have nothing to draw."""
    if not has_walks:
        return _VIEWS[0]
    return segmented("View", _VIEWS, name="view", key="explore_view", format_func=_name)


def _name(view: str) -> str:
    return "List" if view == "table" else view.title()


def worst_failure(table: pd.DataFrame) -> str | None:
    """Button that makes the list the failures, the worst first; returns the first of them where it
    was pressed.
    """
    pressed = st.button(
        "Replay failures",
        icon=":material/play_arrow:",
        key="explore_replay_failures",
        shortcut="W",
        disabled=not (table["outcome"] == "failure").any(),
        help="The worst first; the keys n and p go through them. Other filters stay.",
    )
    if not pressed:
        return None
    now = state.episode_list()
    failures = now if now.choice("act") else now.with_choice("outcome", ("failure",))
    state.show_list(replace(failures, sort="NE", descending=True))
    return next(iter(state.episode_list().apply(table)["episode"].astype(str)), None)


def leaves_any(now: EpisodeList, table: pd.DataFrame) -> bool:
    """Whether any episode passes; a sort, which costs most on a large run, cannot matter."""
    if not now.filtered:
        return len(table) > 0
    return not replace(now, sort=None).apply(table).empty


def show(run: OpenRun, table: pd.DataFrame, chosen: str, *, near: bool, redraws: bool) -> None:
    """Show the list; a click on a row, or Enter, leads to its replay."""
    now = state.episode_list()
    filtered = {name for name, _ in (*now.choices, *now.ranges)} | {now.sort or ""}
    packed = packed_list(run, table, filtered, near=near)
    with st.container(gap=None):
        # an element of its own, outside of the fragment: a rerun of that does not touch it
        mount("rows", key="explore_rows", data=packed.payload, on={})
        _fragment(run, table, packed, chosen, redraws=redraws)
    if chosen == "gallery":
        st.caption(
            "Dotted grey: reference path. Green: succeeded. Red: failed. Open dot: start; ring:"
            " goal; dot or cross: stop."
        )
        if _has_skills(run.source.identity, run):
            st.html(skill_legend("Paths by the skill that acted:"))


@st.cache_data(max_entries=12, show_spinner=False)
def _has_skills(identity: Identity, _run: OpenRun) -> bool:
    del identity
    return has_skills(_run.outlines.values())


@st.fragment(key="explore_list")
def _fragment(
    run: OpenRun, table: pd.DataFrame, packed: PackedList, chosen: str, *, redraws: bool
) -> None:
    data = {
        "rows": packed.digest,
        "columns": packed.columns,
        "query": state.episode_list().to_query(),
        "turn": current().list_turn,
        "view": chosen,
        "alike": run.complete and run.source.results is not None,
        # the browser knows better than the script what it shows, and adds it
        "place": {"run": state.selection().run or run.name},
    }

    def filtered() -> None:
        _take(getattr(widget(_KEY), "query", None), table, redraws=redraws)

    sent = mount_part(
        "list",
        key=_KEY,
        data=data,
        on={"query": filtered, "open": _nothing, "want": _nothing},
    )
    # in the gallery alone: thumbnails of a large run are read from its files
    thumbs = thumbs_of(run, table, sent.want, _MOST_THUMBS) if chosen == "gallery" else {}
    mount_part(
        "thumbs", key="explore_thumbs", data={"rows": packed.digest, "thumbs": thumbs}, on={}
    )
    if isinstance(sent.open, dict):
        episode = sent.open.get("episode")
        state.show_list(_list_of(sent.open))
        # the address alone says which: choosing it here too would put one more entry into the
        # browser's history
        st.switch_page("pages/replay.py", query_params=state.query(str(episode)))


def _nothing() -> None:
    """Having a callback is what makes Streamlit hand out a trigger's value."""


def _take(sent: object, table: pd.DataFrame, *, redraws: bool) -> None:
    """Keep what the browser shows; rerun the whole page only where something else on it changes."""
    if not isinstance(sent, Mapping):
        return
    turn = sent.get("turn")
    current().list_turn = turn if isinstance(turn, int) else 0
    before, after = state.episode_list(), _list_of(sent)
    if after == before:
        return
    state.show_list(after)
    marks = after.choices != before.choices  # bars and causes above are pressed by them
    shown = (after.search, after.ranges) != (before.search, before.ranges)
    # a search for what no episode has: a button above counts on there being some
    is_turned = shown and leaves_any(before, table) != leaves_any(after, table)
    if marks or (redraws and shown) or is_turned:
        st.rerun()  # the browser's message runs the fragment only


def _list_of(sent: Mapping[str, Any]) -> EpisodeList:
    """Return the list with what somebody changed in the browser since it heard of the list last: a
    click elsewhere on the page may have changed the rest meanwhile.
    """
    query, base = _texts(sent.get("query")), _texts(sent.get("base"))
    merged = state.episode_list().to_query()
    for name in {*query, *base}:
        if query.get(name) != base.get(name):
            merged[name] = query.get(name, "")
    return EpisodeList.from_query(merged)


def _texts(query: object) -> dict[str, str]:
    """Return what is text in a query that the browser sends; the rest is passed over."""
    texts = {}
    for name, text in query.items() if isinstance(query, Mapping) else ():
        if isinstance(text, str):
            texts[str(name)] = text
    return texts
