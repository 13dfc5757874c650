"""The parts of the Explore page: headline figures, filters, table and gallery."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pandas as pd
import streamlit as st

from navviz.analysis.skills import has_skills
from navviz.metrics.registry import metric
from navviz.runs.opened import OpenRun
from navviz.runs.tables import EPISODE_COLUMNS
from navviz.ui import cache
from navviz.ui.components.gallery import Card
from navviz.ui.components.gallery import gallery as draw_gallery
from navviz.views.figures.skills import skill_legend

__all__ = ["count", "filters", "gallery", "headline", "table"]

_TILES: tuple[tuple[str, str, str], ...] = (
    ("SR", "Success rate", "percent"),
    ("OSR", "Oracle success", "percent"),
    ("NE", "Navigation error", "metres"),
    ("SPL", "SPL", "ratio"),
    ("nDTW", "nDTW", "ratio"),
    ("SDTW", "SDTW", "ratio"),
    ("SDTW_groke", "SDTW (GROKE)", "ratio"),
    ("TL", "Path length", "metres"),
)
_PAGE_SIZE = 700
_ALWAYS = {"episode", "outcome", "NE", "kind", "instruction"}
"""Columns that are shown even where every value is missing."""


def _shown(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    if unit == "percent":
        return f"{100 * value:.1f} %"
    return f"{value:.1f} m" if unit == "metres" else f"{value:.3f}"


def headline(run: OpenRun) -> None:
    """Who walked on what, and the means of the metrics."""
    first = next(iter(run.traces.values()), None)
    if first is None:
        return
    header = first.header
    parts = [
        header.navigator,
        header.model,
        header.episode.dataset,
        header.episode.split,
        f"{len(run.traces)} episodes",
    ]
    st.caption(" · ".join(part for part in parts if part))
    means = run.scores.means
    with st.container(horizontal=True, gap="small", wrap=True):
        for name, label, unit in _TILES:
            about = metric(name)
            help_text = f"{about.title}: {about.formula}. {about.source}"
            st.metric(label, _shown(means.get(name), unit), border=True, help=help_text, width="stretch")


def _view() -> str:
    chosen = st.segmented_control(
        "View",
        ["Table", "Gallery"],
        default="Table",
        key="explore_view",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return str(chosen)


def filters(table: pd.DataFrame) -> pd.DataFrame:
    """Filter widgets in one row; returns the rows that pass all of them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = st.text_input(
            "Search instructions",
            key="explore_search",
            type="search",
            placeholder="bus stop, second light …",
            live=True,
            width=260,
            persist_state="session",
        )
        outcomes = st.pills(
            "Outcome",
            ["success", "failure", "unknown"] if (table["outcome"] == "unknown").any() else ["success", "failure"],
            selection_mode="multi",
            key="explore_outcome",
            persist_state="session",
        )
        kinds = st.multiselect(
            "Reference path",
            sorted(str(kind) for kind in table["kind"].dropna().unique()),
            key="explore_kinds",
            placeholder="any",
            width=260,
            persist_state="session",
        )
        with st.popover("More filters", icon=":material/tune:"):
            ranges = [
                _range(table, "NE", "Navigation error (m)"),
                _range(table, "length_m", "Length of the reference path (m)"),
                _range(table, "sub_goals", "Sub-goals"),
                _range(table, "diverged_at", "Left the reference path at step"),
                _tags(table),
            ]
    keep = pd.Series(data=True, index=table.index)
    for word in (text or "").lower().split():
        keep &= (table["instruction"] + " " + table["episode"]).str.lower().str.contains(word, regex=False)
    if outcomes:
        keep &= table["outcome"].isin(outcomes)
    if kinds:
        keep &= table["kind"].isin(kinds)
    for passed in ranges:
        keep &= passed
    return table[keep]


def _tags(table: pd.DataFrame) -> pd.Series:
    """Rows whose instruction has every chosen tag: a skill that it asks for, a temporal relation or its cue."""
    every = [
        {f"{kind}: {tag}" for kind in ("skills", "temporal") for tag in row[kind]} for row in table.to_dict("records")
    ]
    counts = Counter(tag for tags in every for tag in tags)
    chosen = st.multiselect(
        "Tags of the instruction",
        sorted(counts),
        format_func=lambda tag: f"{tag.replace('skills:', 'skill:')} ({counts[tag]})",
        key="explore_tags",
        placeholder="any",
        help="By the words of the instruction; not the subsets of a paper.",
        persist_state="session",
    )
    return pd.Series([set(chosen) <= tags for tags in every], index=table.index, dtype=bool)


def _range(table: pd.DataFrame, name: str, label: str) -> pd.Series:
    """A range slider over a column; rows without a value pass as long as the range is whole."""
    known = pd.to_numeric(table[name], errors="coerce").dropna()
    everything = pd.Series(data=True, index=table.index)
    if known.empty or known.min() == known.max():
        return everything
    low, high = int(known.min()), int(known.max()) + 1
    chosen = st.slider(label, low, high, (low, high), key=f"explore_{name}_{low}_{high}", persist_state="session")
    if chosen == (low, high):
        return everything
    return pd.to_numeric(table[name], errors="coerce").between(*chosen).fillna(value=False).astype(bool)


def count(shown: pd.DataFrame, table: pd.DataFrame) -> str:
    """Table or gallery, beside how many episodes pass the filters and how they ended; returns the chosen view."""
    success = int((shown["outcome"] == "success").sum())
    known = int((shown["outcome"] != "unknown").sum())
    rate = f" · {success} of them succeed" if known else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        chosen = _view()
        st.caption(f"{len(shown)} of {len(table)} episodes{rate}. Click one to replay it.", width="content")
    return chosen


def table(shown: pd.DataFrame, name: str) -> str | None:
    """The sortable table; returns the episode whose row was clicked, if any."""
    if shown.empty:
        st.info("No episode passes these filters; clear one of them.", icon=":material/filter_alt_off:")
        return None
    event = st.dataframe(
        shown,
        key=f"explore_table_{name}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        height=min(620, 38 + 35 * len(shown)),
        placeholder="–",
        column_order=[name for name in shown.columns if name in _ALWAYS or shown[name].notna().any()],
        column_config={column.name: _config(column.name) for column in EPISODE_COLUMNS},
        alt="Episodes of the run, one row each",
    )
    cells = event.selection.cells
    return str(shown.iloc[cells[0][0]]["episode"]) if cells else None


def _config(name: str) -> Any:  # noqa: ANN401 - Streamlit does not name the type
    column = next(column for column in EPISODE_COLUMNS if column.name == name)
    if column.format is not None:
        return st.column_config.NumberColumn(column.label, help=column.help, format=column.format, width="small")
    if name in {"skills", "temporal"}:
        return st.column_config.ListColumn(column.label, help=column.help, width="medium")
    if name == "instruction":
        return st.column_config.TextColumn(column.label, help=column.help, width="large")
    return st.column_config.Column(column.label, help=column.help, width="small")


def gallery(run: OpenRun, shown: pd.DataFrame) -> str | None:
    """Thumbnails of the episodes that pass the filters; returns the one that was clicked, if any."""
    if shown.empty:
        st.info("No episode passes these filters; clear one of them.", icon=":material/filter_alt_off:")
        return None
    drawn = cache.thumbnails(run)
    pages = -(-len(shown) // _PAGE_SIZE)
    page = st.pagination(pages, key="explore_gallery_page") if pages > 1 else 1
    part = shown.iloc[(page - 1) * _PAGE_SIZE : page * _PAGE_SIZE]
    errors = pd.to_numeric(part["NE"], errors="coerce").tolist()
    cards = [
        Card(episode, drawn[episode], "" if math.isnan(error) else f"{error:.0f} m")
        for episode, error in zip(part["episode"].astype(str), errors, strict=True)
    ]
    st.caption(
        "Dotted grey: reference path. Green: succeeded. Red: failed. Open dot: start; ring: goal; dot or cross: stop."
    )
    if has_skills(run.traces.values()):
        st.html(skill_legend("Paths by the skill that acted:"))
    return draw_gallery(cards, key="explore_gallery")
