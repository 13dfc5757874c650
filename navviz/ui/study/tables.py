"""Tables of runs: rows, columns and metrics chosen, or a paper's table, to look at and to take
along.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import pandas as pd
import streamlit as st

from navviz.analysis.charts import CHARTS, FIGURE_7, chart_by, marginal_table
from navviz.analysis.grouped import (
    GroupedTable,
    TableSpec,
    grouped_table,
    preset,
    preset_table,
    presets,
)
from navviz.analysis.measures import measure, measures
from navviz.analysis.tables import Format, printed_table, write_grouped
from navviz.analysis.walks import (
    GROUPINGS,
    Difficulties,
    ScoredWalk,
    difficulties_beside,
    grouping,
    walks_of,
)
from navviz.annotation.questions import difficulty_ratings
from navviz.annotation.store import Study
from navviz.errors import NavVizError, SettingsError
from navviz.metrics.agreement import bands
from navviz.runs.run import OpenRun
from navviz.support.installation.extras import extra_hint
from navviz.ui.components import finding
from navviz.ui.components.charts import show_chart
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import BOUND, pick, show_table
from navviz.ui.data import cache
from navviz.ui.server import audit, visitor
from navviz.ui.state import shell, state

_MOST = 8


def choose_runs() -> dict[str, OpenRun]:
    """Multiselect of all runs; the choice holds for tables and charts, and stands in the address.

    Runs that cannot be read are named and left out.
    """
    listed = {source.name: source for source in visitor.sources() if not source.fault}
    selected = state.selection().run
    usual = [selected] if selected in listed else list(listed)[:1]
    chosen = st.multiselect(
        "Runs",
        list(listed),
        default=usual,
        key="study_runs",
        max_selections=_MOST,
        placeholder="choose one or more",
        help="Open others on the Explore page.",
        **BOUND,
    )
    opened: dict[str, OpenRun] = {}
    for name in chosen:
        try:
            opened[name] = cache.open_run(listed[name])
        except NavVizError as error:
            st.error(plain(error), icon=":material/error:")
    finding.wait_for(*opened.values())
    return opened


def difficulties(study: Study, runs: dict[str, OpenRun]) -> Difficulties:
    """Return the bands by the ratings of this study, else by a file of ratings at the results."""
    rated = difficulty_ratings(study.ratings("difficulty"))
    walked = set(chain.from_iterable(run.traces for run in runs.values()))
    # bands are normalised over these episodes: ratings of others would shift them
    own = {episode: levels for episode, levels in rated.items() if episode in walked}
    if own:
        return Difficulties(bands(own), "the ratings made here")
    places = [run.source.results for run in runs.values() if run.source.results is not None]
    return difficulties_beside(places) or Difficulties()


def walks(study: Study, runs: dict[str, OpenRun]) -> tuple[list[ScoredWalk], Difficulties]:
    """Return the walks of the chosen runs, and the ratings that their bands come from."""
    given = difficulties(study, runs)
    return walks_of(runs, given), given


_OWN = "my own"

_ALONE = "metrics alone"
"""No columns beside each other. A text and not None: on the way back in the browser's history
Streamlit gives a box its default as a chosen value, and a chosen None leaves the box empty.
"""

_METRICS = ["SR", "NE", "SPL", "nDTW", "SDTW"]

_TASK_METRICS = ["SR", "NE", "SPL", "ISR", "CSR", "CGT", "TAR"]
"""Of tasks of several parts, which are judged by their parts (LH-VLN)."""

_WRITTEN = (
    (Format.LATEX, "LaTeX", "tex"),
    (Format.CSV, "CSV", "csv"),
    (Format.MARKDOWN, "Markdown", "md"),
)

_TALLEST_PX = 620

_ROW_PX = 35


def tables(study: Study) -> None:
    """Choose and show one table."""
    runs = choose_runs()
    if not runs:
        shell.empty("No run is chosen", "Choose one or more above.")
        return
    rows, given = walks(study, runs)
    with shell.guard():
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            name = pick(
                "Table",
                [_OWN, *presets(), FIGURE_7],
                "study_table",
                format_func=_title,
                width=420,
                help="A paper's table has its own rows, columns and metrics; all figures are"
                " computed from the runs above.",
            )
            intervals = st.toggle(
                "95 % intervals",
                key="study_intervals",
                help="Bootstrap over episodes; exact for rates of fewer than 30.",
                **BOUND,
            )
            best = st.toggle(
                "Best in bold",
                key="study_best",
                help="Of the runs that one row each compares, where all are over the same"
                " episodes.",
                **BOUND,
            )
        note = [f"difficulty bands by {given.source}"] if given.source else []
        if name == _OWN:
            table = _own(rows, len(runs), note, intervals=intervals)
        elif name == FIGURE_7:
            table = _figure_7(rows, list(runs))
        else:
            # only a table by difficulty hangs on where its bands come from
            used = note if "difficulty" in preset(name).rows else []
            table = preset_table(rows, name, intervals=intervals, notes=used)
        _show(table, best=best)
        _downloads(table, "navviz" if name == _OWN else name, best=best)


def _title(name: str) -> str:
    own = {
        _OWN: "My own rows and columns",
        FIGURE_7: "GROKE, figure 7: what one more unit costs (two runs)",
    }
    return own[name] if name in own else preset(name).title


def _figure_7(rows: list[ScoredWalk], runs: list[str]) -> GroupedTable:
    """Compare two runs; the first is the one that spends more."""
    if len(runs) != 2:
        raise SettingsError(f"GROKE's figure 7 compares two runs; {len(runs)} are chosen.")
    first = [walk for walk in rows if walk.run == runs[0]]
    second = [walk for walk in rows if walk.run == runs[1]]
    if _thoughts_tokens(first) >= _thoughts_tokens(second):
        return marginal_table(first, second)
    return marginal_table(second, first)


def _thoughts_tokens(walks: list[ScoredWalk]) -> float:
    tokens = measure("thoughts_tokens")
    return sum(tokens.of(walk) or 0.0 for walk in walks)


def _own(rows: list[ScoredWalk], runs: int, note: list[str], *, intervals: bool) -> GroupedTable:
    names = {grouping_.name: grouping_.label for grouping_ in GROUPINGS.values()}
    all_measures = measures()
    parts = any(walk.facts.sub_tasks for walk in rows)
    # other runs have other first rows: another key lets them in
    kind = f"{runs > 1}{'_parts' if parts else ''}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        groups = st.multiselect(
            "Rows",
            list(names),
            _first_rows(runs, parts=parts),
            format_func=names.__getitem__,
            key=f"study_rows_{kind}",
            width=380,
            **BOUND,
        )
        columns = pick(
            "Columns",
            [_ALONE, *names],
            "study_columns",
            format_func=lambda one: names.get(one, _ALONE),
            width=240,
            help="Groups beside each other, each with all metrics.",
        )
        shown = st.multiselect(
            "Metrics",
            list(all_measures),
            _TASK_METRICS if parts else _METRICS,
            format_func=lambda one: all_measures[one].label,
            key=f"study_table_metrics{'_parts' if parts else ''}",
            help="\n".join(f"- {one.label}: {one.title}" for one in all_measures.values()),
            **BOUND,
        )
    spec = TableSpec(
        rows=tuple(grouping(one) for one in groups),
        measures=tuple(measure(one) for one in shown),
        columns=None if columns == _ALONE else grouping(columns),
        intervals=intervals,
    )
    return grouped_table(rows, spec, notes=note if "difficulty" in {*groups, columns} else [])


def _first_rows(runs: int, *, parts: bool) -> list[str]:
    """Return the default rows of a table: several runs, else the length of episodes in parts."""
    if runs > 1:
        return ["run"]
    return ["sub-tasks" if parts else "sub-goals"]


def _show(table: GroupedTable, *, best: bool) -> None:
    """Show a table as it is printed."""
    printed = printed_table(table, best=best)
    left, grouped = printed.left, bool(printed.groups)
    names: list[Any] = list(printed.heads)
    if grouped:
        over = [""] * left
        for label, width in printed.groups:
            over += [label] * width
        names = list(zip(over, printed.heads, strict=True))
    rows = printed.rows
    frame = pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(names) if grouped else names)
    styles = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for row, column in printed.bold:
        styles.iloc[row, left + column] = "font-weight: bold"
    # by number, since names of grouped columns are pairs; the hidden index is column 0
    config: Any = dict.fromkeys(
        range(left + 1, len(names) + 1), st.column_config.TextColumn(alignment="right")
    )
    show_table(
        frame.style.apply(lambda _: styles, axis=None),
        table.title or "Table of the chosen runs",
        config,
        height=min(_TALLEST_PX, (len(rows) + 1 + grouped) * _ROW_PX + 3),
    )
    if printed.notes:
        st.caption(plain(". ".join(printed.notes)) + ".")


def _downloads(table: GroupedTable, stem: str, *, best: bool) -> None:
    with st.container(horizontal=True, gap="small"):
        for form, label, ending in _WRITTEN:
            audit.download(
                label,
                write_grouped(table, form, best=best),
                file_name=f"{stem}.{ending}",
                icon=":material/table:",
                on_click="ignore",
                key=f"evaluate_table_{ending}",
            )
        missing = extra_hint("figures")

        def drawn() -> bytes:
            # an extra: matplotlib, imported once the button is pressed
            from navviz.analysis.tables import table_bytes

            return table_bytes(table, "svg", best=best)

        audit.download(
            "SVG",
            drawn,
            file_name=f"{stem}.svg",
            mime="image/svg+xml",
            icon=":material/image:",
            on_click="ignore",
            disabled=missing is not None,
            help=missing,
            key="evaluate_table_svg",
        )


_OWN_CHART = "One metric by one grouping"


def charts(study: Study) -> None:
    """Choose and show charts, two beside each other."""
    runs = choose_runs()
    if not runs:
        shell.empty("No run is chosen", "Choose one or more above.")
        return
    rows, _ = walks(study, runs)
    chosen = st.pills(
        "Charts",
        [*CHARTS, _OWN_CHART],
        selection_mode="multi",
        default=["Success by length", "Success by number of sub-goals"],
        key="study_charts",
        label_visibility="collapsed",
        wrap=True,
        **BOUND,
    )
    metric, by = _own_chart() if _OWN_CHART in chosen else ("", "")
    columns = st.columns(2, gap="large")
    # in the order of the buttons, whatever was pressed first
    ordered = [name for name in [*CHARTS, _OWN_CHART] if name in chosen]
    for k, name in enumerate(ordered):
        with columns[k % 2]:
            try:
                chart = chart_by(rows, by, metric) if name == _OWN_CHART else CHARTS[name](rows)
            except NavVizError as error:
                st.markdown(f"**{plain(name)}**")
                st.info(plain(error), icon=":material/info:")
            else:
                show_chart(chart, f"evaluate_chart_{name}")


def _own_chart() -> tuple[str, str]:
    all_measures = measures()
    names = {grouping.name: grouping.label for grouping in GROUPINGS.values()}
    with st.container(horizontal=True, gap="small"):
        metric = pick(
            "Metric",
            list(all_measures),
            "study_chart_metric",
            index=list(all_measures).index("NE"),
            format_func=lambda name: all_measures[name].label,
            width=240,
        )
        by = pick(
            "By",
            [name for name in names if name != "run"],
            "study_chart_by",
            format_func=names.__getitem__,
            width=240,
        )
    return metric, by
