"""The list of episodes on the Explore page: its filters, its sort, and the list as table or
gallery.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import pandas as pd
import streamlit as st

from navviz.analysis.skills import has_skills
from navviz.runs.opened import OpenRun
from navviz.runs.tables import EPISODE_COLUMNS, Column
from navviz.support.installation.serving import is_allowed
from navviz.ui.components.gallery import Card
from navviz.ui.components.gallery import gallery as draw_gallery
from navviz.ui.data import cache
from navviz.ui.state import state
from navviz.ui.state.address import segmented
from navviz.ui.state.session import current, set_widget, widget
from navviz.views.figures.skills import skill_legend

_PAGE_SIZE = 700
"""Rows of a page of the table: a whole published GROKE run, so that nobody turns pages there."""
_WHOLE = 5000
"""Rows that the table shows without pages: every click sends them to the browser, 0.4 kB each."""
_WIDTHS: dict[str, int] = {"failure": 104, "kind": 124, "cause": 170}
"""Pixels of columns whose words are longer than a small column is wide: undershoot, Reference path.
"""
_FIRST = ("episode", "outcome", "instruction")
"""Columns that stand first, whatever their place in other tables."""
_IN_THE_ROW = {"outcome", "failure", "kind"}
"""Filters that need no unfolding. How the reference path was left repeats how the episode failed,
so it is offered only where an address filters by it.
"""
_ALWAYS = {"episode", "outcome", "NE", "instruction"}
"""Columns that are shown even where every value is missing."""
_CHIPS = {"success": "green", "failure": "red", "unknown": "gray"}
_COLUMNS: Mapping[str, Column] = {column.name: column for column in EPISODE_COLUMNS}
_FILE_ORDER = "file order"
_METRES = frozenset({"NE", "length_m"})


def filters(table: pd.DataFrame) -> None:
    """Widgets for the list's filters; what they say goes to the session's list and to the
    address.
    """
    now = state.episode_list()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        set_widget("explore_search", now.search)
        st.text_input(
            "Search instructions",
            key="explore_search",
            type="search",
            placeholder="bus stop, second light …",
            live=True,
            width=210,
            on_change=_search,
        )
        _choice(table, "outcome", 180)
        _choice(table, "failure", 210)
        with st.popover("More filters", icon=":material/tune:"):
            for column in EPISODE_COLUMNS:
                if column.filter in {"choice", "tags"} and column.name not in _IN_THE_ROW:
                    _choice(table, column.name)
                elif column.filter == "range":
                    _range(table, column)
            if state.episode_list().choice("kind"):
                _choice(table, "kind")
            _route_check()
        _sort(table)


def _route_check() -> None:
    """Switch for the check of instructions against routes, which takes its time on a large run."""
    set_widget("explore_route_check", state.checks_routes())
    st.toggle(
        "Check instructions against routes",
        key="explore_route_check",
        help=(
            "Marks where the text says left and the route goes right, where a landmark lies on the"
            " other side, where a turn is missing. Outdoors only; about 20 s for 700 episodes,"
            " once."
        ),
        on_change=_take_route_check,
    )


def _take_route_check() -> None:
    current().checks_routes = bool(widget("explore_route_check"))
    if not current().checks_routes:
        state.show_list(state.episode_list().with_choice("disagreement", ()))


def _search() -> None:
    state.show_list(replace(state.episode_list(), search=str(widget("explore_search", "")).strip()))


def _choice(table: pd.DataFrame, name: str, width: int | Literal["stretch"] = "stretch") -> None:
    """Multiselect over the values of a column; none where it has fewer than two."""
    counts = _counts(table[name])
    values = sorted(counts)
    filtered = state.episode_list().choice(name)
    if len(values) < 2 and not filtered:
        return
    key = f"explore_choice_{name}"
    set_widget(key, list(filtered))
    st.multiselect(
        _COLUMNS[name].label,
        list(dict.fromkeys([*values, *filtered])),
        key=key,
        format_func=lambda value: f"{value} ({counts[value]})",
        placeholder="any",
        width=width,
        help=_COLUMNS[name].help if _COLUMNS[name].filter == "tags" else None,
        on_change=_take_choice,
        args=(name, key),
    )


def _counts(column: pd.Series) -> Counter[str]:
    """Count the texts of a column, or those in its lists."""
    known = column.dropna()
    if isinstance(known.dtype, pd.StringDtype):  # its values one by one take ten times as long
        return Counter({str(value): int(count) for value, count in known.value_counts().items()})
    tags = known.explode().dropna()
    return Counter({str(value): int(count) for value, count in tags.value_counts().items()})


def _take_choice(name: str, key: str) -> None:
    state.show_list(state.episode_list().with_choice(name, widget(key) or ()))


def _range(table: pd.DataFrame, column: Column) -> None:
    """Range slider over a column; the whole range filters nothing, so rows without a value pass."""
    known = pd.to_numeric(table[column.name], errors="coerce").dropna()
    if known.empty or known.min() == known.max():
        return
    low, high = int(known.min()), int(known.max()) + 1
    filtered = state.episode_list().range(column.name) or (low, high)
    key = f"explore_range_{column.name}_{low}_{high}"
    within = (min(max(int(filtered[0]), low), high), max(min(math.ceil(filtered[1]), high), low))
    set_widget(key, within)
    st.slider(
        column.label,
        low,
        high,
        key=key,
        help=column.help,
        on_change=_take_range,
        args=(column.name, key, (low, high)),
    )


def _take_range(name: str, key: str, whole: tuple[int, int]) -> None:
    chosen = widget(key)
    state.show_list(
        state.episode_list().with_range(name, None if tuple(chosen) == whole else tuple(chosen))
    )


def _sort(table: pd.DataFrame) -> None:
    """Selectbox of the column that sorts table, gallery and Replay, and the direction beside it."""
    now = state.episode_list()
    sorting = [name for name in table.columns if _COLUMNS[name].filter != "tags"]
    names = [
        _FILE_ORDER,
        *(name for name in sorting if name in _ALWAYS or table[name].notna().any()),
    ]
    set_widget("explore_sort", now.sort if now.sort in names else _FILE_ORDER)
    st.selectbox(
        "Sort by",
        names,
        key="explore_sort",
        format_func=lambda name: _COLUMNS[name].label if name in _COLUMNS else "File order",
        width=150,
        on_change=_take_sort,
    )
    st.button(
        "Falling" if now.descending else "Rising",
        icon=":material/arrow_downward:" if now.descending else ":material/arrow_upward:",
        key="explore_direction",
        disabled=now.sort is None,
        on_click=_turn,
        help="Replay's Next and Previous follow this order.",
    )


def _take_sort() -> None:
    name = widget("explore_sort")
    _sort_by(None if name == _FILE_ORDER else name)


def _turn() -> None:
    now = state.episode_list()
    state.show_list(replace(now, descending=not now.descending))


def _sort_by(name: str | None) -> None:
    """Sort by a column: numbers fall at first, so that the worst come first; the same column again
    turns round.
    """
    now = state.episode_list()
    falling = (
        not now.descending if name == now.sort else name is not None and _COLUMNS[name].is_number
    )
    state.show_list(replace(now, sort=name, descending=falling and name is not None))


def count(shown: pd.DataFrame, table: pd.DataFrame) -> str:
    """Table or gallery, beside how many episodes pass the filters and how they ended; returns the
    chosen view.
    """
    success = int((shown["outcome"] == "success").sum())
    known = int((shown["outcome"] != "unknown").sum())
    # of all episodes the success rate above says it
    rate = f" · {success} succeeded" if known and len(shown) < len(table) else ""
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        views = ["table", "gallery", "map"]
        chosen = segmented("View", views, name="view", key="explore_view", format_func=str.title)
        st.caption(f"{len(shown)} of {len(table)} episodes{rate}", width="content")
    return chosen


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
        help="The worst first; n and p walk through them. Other filters stay.",
    )
    if not pressed:
        return None
    now = state.episode_list()
    failures = now if now.choice("failure") else now.with_choice("outcome", ("failure",))
    state.show_list(replace(failures, sort="NE", descending=True))
    return next(iter(state.episode_list().apply(table)["episode"].astype(str)), None)


def wants_batch(episodes: int) -> bool:
    """Button that leads to a new batch over the episodes of the list; returns whether it was
    pressed.
    """
    return is_allowed("batches") and st.button(
        "Run over these episodes",
        icon=":material/playlist_play:",
        key="explore_run_over",
        disabled=episodes == 0,
        help="A navigator of your choice over the episodes that the filters leave.",
    )


def _nothing_passes() -> None:
    st.info("No episode passes these filters; clear one of them.", icon=":material/filter_alt_off:")


def table(shown: pd.DataFrame, name: str, *, near: bool = False) -> str | None:
    """Show the table; a click on a head sorts by it, one on a row returns its episode.

    Where success is a matter of few metres (`near`), centimetres may decide and are shown.
    """
    if shown.empty:
        _nothing_passes()
        return None
    if len(shown) > _WHOLE:
        shown = _page(shown, "explore_table_page")
    now = state.episode_list()
    # another key with each sort: the head that was clicked does not stay selected
    key = f"explore_table_{name}_{now.sort}_{now.descending}"
    event = st.dataframe(
        shown,
        key=key,
        hide_index=True,
        on_select=lambda: _head(key),
        selection_mode=["single-cell", "single-column"],
        height=min(620, 38 + 35 * len(shown)),
        placeholder="–",
        column_order=_order(shown),
        column_config={column.name: _config(column, near=near) for column in EPISODE_COLUMNS},
        alt="Episodes of the run, one row each",
    )
    cells = event.selection.cells
    return str(shown.iloc[cells[0][0]]["episode"]) if cells else None


def _order(shown: pd.DataFrame) -> list[str]:
    """Return the columns to show, in their order."""
    names = list(_FIRST)
    for name in shown.columns:
        if name not in {*_FIRST, "kind"} and (name in _ALWAYS or shown[name].notna().any()):
            names.append(name)
    return names


def _head(key: str) -> None:
    """Sort by the column whose head was clicked."""
    columns = widget(key)["selection"]["columns"]
    if columns and _COLUMNS[columns[0]].filter != "tags":
        _sort_by(columns[0])


def _config(column: Column, *, near: bool) -> Any:  # noqa: ANN401 - Streamlit does not name the type
    now = state.episode_list()
    arrow = " ↓" if now.descending else " ↑"
    if now.sort != column.name:
        arrow = ""
    label = column.label + arrow
    if column.format is not None:
        form = "%.2f" if near and column.name in _METRES else column.format
        return st.column_config.NumberColumn(label, help=column.help, format=form, width="small")
    if column.name == "outcome":
        return st.column_config.MultiselectColumn(
            label, help=column.help, options=list(_CHIPS), color=list(_CHIPS.values()), width=92
        )
    if column.filter == "tags":
        return st.column_config.ListColumn(label, help=column.help, width="medium")
    if column.name == "instruction":
        return st.column_config.TextColumn(label, help=column.help, width="large")
    return st.column_config.Column(label, help=column.help, width=_WIDTHS.get(column.name, "small"))


def _page(shown: pd.DataFrame, key: str) -> pd.DataFrame:
    """Return the page of the list that is turned to, under its page numbers."""
    pages = -(-len(shown) // _PAGE_SIZE)
    page = min(st.pagination(pages, key=key), pages) if pages > 1 else 1
    return shown.iloc[(page - 1) * _PAGE_SIZE : page * _PAGE_SIZE]


def gallery(run: OpenRun, shown: pd.DataFrame) -> str | None:
    """Thumbnails of the list; returns the one that was clicked, if any."""
    if shown.empty:
        _nothing_passes()
        return None
    part = _page(shown, "explore_gallery_page")
    drawn = cache.thumbnails(run, part["episode"].astype(str).tolist())
    errors = pd.to_numeric(part["NE"], errors="coerce").tolist()
    cards = []
    for episode, error_m in zip(part["episode"].astype(str), errors, strict=True):
        caption = "" if math.isnan(error_m) else f"{error_m:.0f} m"
        cards.append(Card(episode, drawn[episode], caption))
    st.caption(
        "Dotted grey: reference path. Green: succeeded. Red: failed. Open dot: start; ring: goal;"
        " dot or cross: stop."
    )
    if has_skills(run.outlines[card.episode] for card in cards):
        st.html(skill_legend("Paths by the skill that acted:"))
    return draw_gallery(cards, key="explore_gallery")
