"""Whole runs side by side: means with intervals, tests against a baseline, charts, and who succeeds
where.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import permutations

import pandas as pd
import streamlit as st

from navviz.analysis.charts import difference_chart, mean_chart, scatter_of_two
from navviz.analysis.measures import measures
from navviz.analysis.significance import Inference
from navviz.analysis.tables import (
    FAILED,
    INFERENCE_COLUMNS,
    SUCCEEDED,
    Format,
    inference_frame,
    inference_note,
    inference_records,
    outcome_matrix,
    write_table,
)
from navviz.analysis.walks import walks_of
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.support.guarded import csv_text
from navviz.ui.compare.flips import compared
from navviz.ui.components.charts import show_chart
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.server import audit
from navviz.ui.state import state
from navviz.ui.state.session import widget
from navviz.views import palette
from navviz.views.compare import column_head, short_names

_SOLVED = "Solved by"

_ROW_HEAD = 40
"""Letters that the widest column of names has room for."""

_MOST_COLOURED = 100_000
"""Cells; pandas refuses to colour more than 262,144, and takes a second for half of that."""


def show(runs: dict[str, OpenRun], episode: str) -> None:
    """Compare two to eight runs over the episodes that all of them walked; the first one stands in
    the address.
    """
    box = st.expander(
        "Whole runs: means, tests, charts, who solves what",
        icon=":material/table_chart:",
        key="whole",
        on_change="rerun",
        bind="query-params",
    )
    # its charts take a second, and most come for one episode
    if not box.open:
        return
    with box:
        # other runs give other keys, so that their boxes begin anew
        stem = "compare_" + "_".join(list(runs)[:2])
        names = list(runs)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            baseline = state.box(
                "Baseline",
                names,
                name="baseline",
                format_func=short_names(names).__getitem__,
                key=f"{stem}_baseline",
                width=320,
                help="The others are tested against it.",
            )
        try:
            inference = compared(
                tuple(run.source.identity for run in runs.values()), baseline, runs
            )
        except NavVizError as error:
            st.info(plain(error), icon=":material/info:")
            return
        eyes = {name: run.eyes for name, run in runs.items()}
        frame = inference_frame(inference, eyes, near=any(run.is_near for run in runs.values()))
        # the files get the whole names
        shown = frame.rename(index=short_names(list(runs))).rename(index=_row_head)
        # by itself the column of names is cut after some 15 letters, where many are still alike
        longest = max(map(len, shown.index))
        show_table(
            shown,
            "Means of the runs with intervals and adjusted p",
            {"_index": st.column_config.Column(width=min(max(96, 8 * longest), 320))},
            hide_index=None,
        )
        st.caption(plain(inference_note(inference)))
        with st.container(horizontal=True, gap="small"):
            for form, label, ending in (
                (Format.LATEX, "LaTeX", "tex"),
                (Format.CSV, "CSV", "csv"),
                (Format.MARKDOWN, "Markdown", "md"),
            ):
                audit.download(
                    label,
                    partial(_written, inference, frame, form, eyes),
                    file_name=f"comparison.{ending}",
                    icon=":material/table:",
                    on_click="ignore",
                    key=f"compare_table_{ending}",
                )
        _charts(runs, inference, stem)
        _outcomes(runs, inference, stem, episode)


def _row_head(name: str) -> str:
    """Leave out the middle of a name that its column would cut: names often differ at their end."""
    return name if len(name) <= _ROW_HEAD else f"{name[:18]}…{name[-20:]}"


def _written(
    inference: Inference, frame: pd.DataFrame, form: Format, eyes: Mapping[str, str | None]
) -> bytes:
    """Write the table of means when its button is pressed; CSV holds the numbers."""
    if form is Format.CSV:
        rows: list[list[object]] = [[*INFERENCE_COLUMNS]]
        rows += [[*record.values()] for record in inference_records(inference, eyes)]
        return csv_text(rows).encode()
    return write_table(frame, form, inference_note(inference)).encode()


def _charts(runs: dict[str, OpenRun], inference: Inference, stem: str) -> None:
    """Means and differences with intervals; one metric in two runs, where a click opens the episode
    above.
    """
    names, metrics = list(runs), measures()
    short = short_names(names)
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            metric = state.box(
                "Metric",
                list(inference.means),
                name="metric",
                format_func=lambda name: metrics[name].label,
                key=f"{stem}_metric",
                width=160,
            )
            way = state.segmented(
                "Shown", ["means", "differences"], name="shown", key=f"{stem}_intervals"
            )
        draw = mean_chart if way == "means" else difference_chart
        show_chart(draw(inference, metric, short), f"{stem}_interval_chart", height=320)
    with right:
        with st.container(horizontal=True, gap="small"):
            other = state.box(
                "Each episode in two runs",
                ["NE", "nDTW", "SPL", "TL", "steps", "tokens"],
                name="each",
                format_func=lambda name: metrics[name].label,
                key=f"{stem}_scatter",
                width=200,
            )
            second = (
                state.box(
                    "Against",
                    names[1:],
                    name="against",
                    format_func=short.__getitem__,
                    key=f"{stem}_against",
                )
                if len(names) > 2
                else names[1]
            )
        try:
            walks = walks_of({name: runs[name] for name in (names[0], second)})
            scatter = scatter_of_two(walks, names[0], second, other, short)
        except NavVizError as error:
            st.info(plain(error), icon=":material/info:")
        else:
            show_chart(scatter, f"{stem}_scatter_{other}_{second}", _open, height=320)


def _outcomes(runs: dict[str, OpenRun], inference: Inference, stem: str, episode: str) -> None:
    """Show which run succeeds on which episode; a click opens the episode above."""
    won = outcome_matrix(
        {name: run.scores for name, run in runs.items()}, inference.comparison.episodes
    )
    ways, short = _ways(won), short_names(list(runs))
    way = state.box(
        "Episodes",
        list(ways),
        name="solved",
        format_func=lambda name: f"{_with_short(name, short)} ({int(ways[name].sum())})",
        key=f"{stem}_way",
        width="stretch",
    )
    rows = won[ways[way]]
    shown = (
        rows.assign(**{_SOLVED: (rows == SUCCEEDED).sum(axis=1)})
        .rename_axis("episode")
        .reset_index()
    )
    heads = {}
    for name, label in short.items():
        heads[name] = st.column_config.TextColumn(column_head(label), help=plain(name))
    # another key drops the selected cell, which means another episode in other rows
    key = f"{stem}_{way}_{episode}"
    show_table(
        shown.style.map(_colour, subset=list(runs)) if shown.size <= _MOST_COLOURED else shown,
        "Which run succeeds on which episode",
        {
            "episode": st.column_config.TextColumn("Episode", pinned=True),
            **heads,
            _SOLVED: st.column_config.NumberColumn(
                help="How many of the runs succeed; sort by it for the hardest."
            ),
        },
        height=320,
        on_select=lambda: _chosen(key, shown),
        selection_mode="single-cell",
        key=key,
    )
    st.caption(
        "Click a cell or a point to open its episode above, with all paths. Click a column header"
        " to sort."
    )


def _with_short(way: str, short: Mapping[str, str]) -> str:
    for first, second in permutations(short, 2):
        if way == _won_by(first, second):
            return _won_by(short[first], short[second])
    return way


def _won_by(first: str, second: str) -> str:
    return f"{first} fails, {second} succeeds"


def _colour(cell: object) -> str:
    colour = {SUCCEEDED: palette.SUCCESS, FAILED: palette.FAILURE}.get(str(cell))
    return f"color: {colour}; font-weight: bold" if colour else ""


def _ways(won: pd.DataFrame) -> dict[str, pd.Series[bool]]:
    """Ways to look at the outcomes: all, where they differ, and for each pair who fails where the
    other succeeds.
    """
    names = list(won.columns)
    ways: dict[str, pd.Series[bool]] = {
        "all episodes": pd.Series(data=True, index=won.index),
        "they differ": won.ne(won[names[0]], axis=0).any(axis=1),
        "all fail": (won == FAILED).all(axis=1),
        "all succeed": (won == SUCCEEDED).all(axis=1),
    }
    for first, second in permutations(names, 2):
        ways[_won_by(first, second)] = (won[first] == FAILED) & (won[second] == SUCCEEDED)
    return ways


def _chosen(key: str, shown: pd.DataFrame) -> None:
    """Open the episode of the cell that was clicked."""
    cells = widget(key)["selection"]["cells"]
    if cells:
        _open(str(shown.iloc[cells[0][0]]["episode"]))


def _open(episode: str) -> None:
    state.select(episode=episode)
