"""Whole runs side by side: means with intervals, tests against a baseline, and the episodes on which they differ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from navviz.analysis.significance import Inference, compare_to_baseline
from navviz.analysis.tables import (
    FAILED,
    SUCCEEDED,
    Format,
    inference_frame,
    inference_note,
    outcome_matrix,
    write_table,
)
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.ui import cache, state
from navviz.ui.session import widget

__all__ = ["show"]

_MOST = 8
_METRICS = ("SR", "OSR", "NE", "SPL", "nDTW", "SDTW")


def show(run: OpenRun, other: OpenRun, episode: str) -> None:
    """Compare the two runs, and up to six more that share episodes with them, over all their episodes."""
    with st.container(border=True):
        st.markdown("**Whole runs**")
        runs = _chosen(run, other)
        try:
            inference = compare_to_baseline({name: one.scores for name, one in runs.items()}, None, _METRICS)
        except NavVizError as error:
            st.info(str(error), icon=":material/info:")
            return
        frame = inference_frame(inference)
        st.dataframe(frame, width="stretch", alt="Means of the runs with intervals and adjusted p")
        st.caption(inference_note(inference))
        _downloads(frame, inference)
        _outcomes(runs, inference, episode)


def _chosen(run: OpenRun, other: OpenRun) -> dict[str, OpenRun]:
    """Choose the runs of the table, by name; the first is the baseline."""
    place = run.name.partition("/")[0]
    known = {source.name: source for source in cache.sources() if source.name.partition("/")[0] == place}
    more = [name for name in known if name not in {run.name, other.name}]
    added = st.multiselect(
        "And these runs",
        more,
        key=f"compare_more_{run.name}_{other.name}",
        max_selections=_MOST - 2,
        placeholder="up to six more",
        help="Only the episodes that all of them walked are counted. The first run is the baseline.",
    )
    return {run.name: run, other.name: other, **{name: cache.open_run(known[name]) for name in added}}


def _downloads(frame: pd.DataFrame, inference: Inference) -> None:
    with st.container(horizontal=True, gap="small"):
        for form, ending in ((Format.CSV, "csv"), (Format.LATEX, "tex"), (Format.MARKDOWN, "md")):
            st.download_button(
                f"Table ({ending})",
                write_table(frame, form, inference_note(inference)),
                file_name=f"comparison.{ending}",
                icon=":material/table:",
                on_click="ignore",
            )


def _outcomes(runs: dict[str, OpenRun], inference: Inference, episode: str) -> None:
    """Show which run succeeds on which episode; a click opens the episode above."""
    won = outcome_matrix({name: run.scores for name, run in runs.items()}, inference.comparison.episodes)
    first, second = list(runs)[:2]
    ways: dict[str, pd.Series[bool]] = {
        "all episodes": pd.Series(data=True, index=won.index),
        f"{first} fails, {second} succeeds": (won[first] == FAILED) & (won[second] == SUCCEEDED),
        f"{first} succeeds, {second} fails": (won[first] == SUCCEEDED) & (won[second] == FAILED),
        "all fail": (won == FAILED).all(axis=1),
        "they differ": won.ne(won[first], axis=0).any(axis=1),
    }
    stem = f"compare_{first}_{second}"
    way = st.selectbox(
        "Episodes", list(ways), format_func=lambda name: f"{name} ({int(ways[name].sum())})", key=f"{stem}_way"
    )
    shown = won[ways[way]].rename_axis("episode").reset_index()
    key = f"{stem}_{way}_{episode}"
    st.dataframe(
        shown,
        hide_index=True,
        width="stretch",
        height=280,
        alt="Which run succeeds on which episode",
        on_select=lambda: _open(key, shown),
        selection_mode="single-row",
        key=key,
    )


def _open(key: str, shown: pd.DataFrame) -> None:
    """Choose the episode of the row that was clicked."""
    rows = widget(key)["selection"]["rows"]
    if rows:
        state.select(episode=str(shown.iloc[rows[0]]["episode"]))
