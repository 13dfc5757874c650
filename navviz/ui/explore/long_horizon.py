"""Explore, for tasks of several parts: LH-VLN's figures by group, the paper's beside them, training logs."""

from __future__ import annotations

from typing import Any, get_args

import pandas as pd
import streamlit as st

from navviz.analysis.long_horizon import FIGURES, long_horizon_table, published_table
from navviz.errors import InputError
from navviz.formats.lhvln.training_log import parse_training_log
from navviz.metrics.registry import metric
from navviz.metrics.stages import Lengths, Success
from navviz.runs.opened import OpenRun
from navviz.ui.plain import plain

__all__ = ["tables"]

_HEADS = {"group": "Group", "tasks": "Tasks", "sub_tasks": "Sub-tasks"}
_RULES = {"distance": "near the target", "distance+view": "near and in view"}


def tables(run: OpenRun) -> None:
    """Show a foldable part with the tables; nothing for a run without such tasks."""
    if not run.has_tasks:
        return
    with st.expander("Long-horizon figures (LH-VLN)", icon=":material/linear_scale:", key="explore_long_horizon"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            success = st.segmented_control(
                "Success",
                list(get_args(Success)),
                default="distance",
                format_func=lambda rule: _RULES[rule],
                key="explore_lh_success",
                help="The paper also asks that the target lies within 60 degrees ahead; its code does not.",
            )
            lengths = st.segmented_control(
                "g and p in", list(get_args(Lengths)), default="moves", key="explore_lh_lengths"
            )
        table = long_horizon_table(run.run, run.graph_of, success or "distance", lengths or "moves")
        _shown(table)
        st.caption("NE counts only sub-tasks that were ended: a low one may mean few stops, which stand beside it.")
        if st.toggle("The paper's figures", key="explore_lh_published"):
            _shown(published_table())
        _log()


def _shown(table: pd.DataFrame) -> None:
    heads: dict[str, Any] = {name: st.column_config.TextColumn(head) for name, head in _HEADS.items()}
    for name in FIGURES:
        if name in table:
            told = metric(name)
            pattern = "%.2f m" if told.unit == "m" else "%.0f" if told.unit == "count" else "percent"
            heads[name] = st.column_config.NumberColumn(name, help=f"{told.title}: {told.formula}", format=pattern)
    st.dataframe(table, hide_index=True, column_config=heads, alt="Figures of tasks of several parts")


def _log() -> None:
    """Show a training log of LH-VLN as a table."""
    file = st.file_uploader("Training log of LH-VLN", type=["log", "txt"], key="explore_lh_log")
    if file is None:
        return
    try:
        log = parse_training_log(file.getvalue().decode("utf-8", "replace"), file.name)
    except InputError as error:
        st.error(plain(error), icon=":material/error:")
        return
    _shown(pd.DataFrame(log.rows()))
    st.caption(plain(" · ".join(f"{name}: {count}" for name, count in log.events.items() if count)))
