"""Explore, for tasks of several parts: LH-VLN's figures by group, the paper's beside them, training
logs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import streamlit as st

from navviz.errors import InputError
from navviz.metrics.registry import metric
from navviz.metrics.stages import Lengths, Success
from navviz.runs.opened import OpenRun
from navviz.support.guarded import decoded
from navviz.systems.lhvln.logs.easi import logged_summary
from navviz.systems.lhvln.logs.training_log import parse_training_log
from navviz.systems.lhvln.long_horizon_table import (
    FIGURES,
    long_horizon_table,
    published_step_tasks,
    published_table,
)
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table

_SAME = 6e-5
"""Half of the last digit that a summary is written with, and a little."""
_PATTERNS = {"m": "%.2f m", "count": "%.0f"}
_HEADS = {
    "system": "System",
    "group": "Group",
    "tasks": "Tasks",
    "sub_tasks": "Sub-tasks",
    "source": "Source",
}
_RULES = {"distance": "near the target", "distance+view": "near and in view"}


def tables(run: OpenRun) -> None:
    """Show a foldable part with the tables; nothing for a run without such tasks."""
    if not run.has_tasks:
        return
    with st.expander(
        "Long-horizon figures (LH-VLN)", icon=":material/linear_scale:", key="explore_long_horizon"
    ):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            success = st.segmented_control(
                "Success",
                list(get_args(Success)),
                default="distance",
                format_func=lambda rule: _RULES[rule],
                key="explore_lh_success",
                help=(
                    "The paper also asks that the target lies within 60 degrees ahead; its code"
                    " does not."
                ),
            )
            lengths = st.segmented_control(
                "g and p in", list(get_args(Lengths)), default="moves", key="explore_lh_lengths"
            )
        table = long_horizon_table(run.run, run.graph_of, success or "distance", lengths or "moves")
        _shown(table)
        st.caption(
            "NE counts only sub-tasks that were ended: a low one may mean few stops, counted"
            " beside it."
        )
        # EASI takes its figures in this way, so that others cannot be compared with them
        _summary(run, table if (success, lengths) == ("distance", "moves") else None)
        if st.toggle("The paper's figures", key="explore_lh_published"):
            _shown(published_table())
            _shown(published_step_tasks())
        _log()


def _summary(run: OpenRun, ours: pd.DataFrame | None) -> None:
    """Show the figures that a run of EASI states itself, and where ours, taken as it takes them,
    differ.
    """
    rows = logged_summary(run.source.results) if run.source.results is not None else []
    if not rows:
        return
    st.markdown("**As the run's summary.json states them**")
    _shown(pd.DataFrame(rows))
    if ours is None:
        return
    wrong = _differing(rows, ours.set_index("group"))
    comparison = (
        f"Ours differ in {', '.join(wrong)}." if wrong else "Ours are the same to four digits."
    )
    st.caption(plain(comparison))


def _differing(rows: Sequence[Mapping[str, Any]], ours: pd.DataFrame) -> list[str]:
    differing = []
    for row in rows:
        own_row = ours.loc[row["group"]] if row["group"] in ours.index else {}
        for name in FIGURES:
            stated, computed = row.get(name), own_row.get(name)
            if stated is not None and computed is not None and abs(stated - computed) > _SAME:
                differing.append(f"{name} of {row['group']} ({computed:.4f}, stated {stated:.4f})")
    return differing


def _shown(table: pd.DataFrame) -> None:
    heads: dict[str, Any] = {
        name: st.column_config.TextColumn(head) for name, head in _HEADS.items()
    }
    for name in FIGURES:
        if name in table:
            figure = metric(name)
            pattern = _PATTERNS.get(figure.unit, "percent")
            text = f"{figure.title}: {figure.formula}"
            heads[name] = st.column_config.NumberColumn(name, help=text, format=pattern)
    show_table(table, "Figures of tasks of several parts", heads)


def _log() -> None:
    """Show a training log of LH-VLN as a table."""
    file = st.file_uploader("Training log of LH-VLN", type=["log", "txt"], key="explore_lh_log")
    if file is None:
        return
    try:
        log = parse_training_log(decoded(file.getvalue(), Path(file.name)), file.name)
    except InputError as error:
        st.error(plain(error), icon=":material/error:")
        return
    for problem in log.problems.kept:
        st.warning(plain(problem), icon=":material/warning:")
    _shown(pd.DataFrame(log.rows()))
    st.caption(plain(" · ".join(f"{name}: {count}" for name, count in log.events.items() if count)))
