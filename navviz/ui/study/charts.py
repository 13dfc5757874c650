"""Charts of runs: success by length, difficulty and sub-goals, cost against success, tokens against
steps.
"""

from __future__ import annotations

import streamlit as st

from navviz.analysis.charts import CHARTS, chart_by
from navviz.analysis.measures import measures
from navviz.analysis.walks import GROUPINGS
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.ui.components.charts import show_chart
from navviz.ui.components.plain import plain
from navviz.ui.state import shell
from navviz.ui.study.chosen_runs import choose_runs, walks

_OWN = "One metric by one grouping"


def charts(study: Study) -> None:
    """Choose and show charts, two beside each other."""
    runs = choose_runs()
    if not runs:
        shell.empty("No run is chosen", "Choose one or more above.")
        return
    rows, _ = walks(study, runs)
    chosen = st.pills(
        "Charts",
        [*CHARTS, _OWN],
        selection_mode="multi",
        default=["Success by length", "Success by number of sub-goals"],
        key="study_charts",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    metric, by = _own() if _OWN in chosen else ("", "")
    columns = st.columns(2, gap="large")
    # in the order of the buttons, whatever was pressed first
    ordered = [name for name in [*CHARTS, _OWN] if name in chosen]
    for k, name in enumerate(ordered):
        with columns[k % 2]:
            try:
                chart = chart_by(rows, by, metric) if name == _OWN else CHARTS[name](rows)
            except NavVizError as error:
                st.markdown(f"**{plain(name)}**")
                st.info(plain(error), icon=":material/info:")
            else:
                show_chart(chart, f"evaluate_chart_{name}")


def _own() -> tuple[str, str]:
    all_measures = measures()
    names = {grouping.name: grouping.label for grouping in GROUPINGS.values()}
    with st.container(horizontal=True, gap="small"):
        metric = st.selectbox(
            "Metric",
            list(all_measures),
            list(all_measures).index("NE"),
            format_func=lambda name: all_measures[name].label,
            key="study_chart_metric",
            bind="query-params",
            persist_state="session",
            width=240,
        )
        by = st.selectbox(
            "By",
            [name for name in names if name != "run"],
            format_func=names.__getitem__,
            key="study_chart_by",
            bind="query-params",
            persist_state="session",
            width=240,
        )
    return metric, by
