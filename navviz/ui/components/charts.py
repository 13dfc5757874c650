"""A chart on a page, and its downloads: SVG and PDF for a paper, CSV of its points."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from navviz.support.installation.extras import extra_hint
from navviz.ui.components.plain import plain
from navviz.ui.server import audit
from navviz.ui.state.session import widget
from navviz.views import palette
from navviz.views.figures.chart import Chart, chart_csv, chart_figure

if TYPE_CHECKING:
    from navviz.views.figures.figure import FigureFormat

_CHART = {"displayModeBar": False}


def ink() -> str:
    """Colour of text on figures in the user's theme."""
    return palette.INK_ON_DARK if st.context.theme.type == "dark" else palette.INK


def run_colours() -> tuple[str, ...]:
    """Colours of compared runs in the user's theme, as the player draws their paths."""
    return palette.RUNS_ON_DARK if st.context.theme.type == "dark" else palette.RUNS


def show_chart(
    chart: Chart, key: str, on_click: Callable[[str], None] | None = None, height: int = 400
) -> None:
    """Draw a chart in the theme's colours, with what it means and its downloads."""
    st.markdown(f"**{plain(chart.title)}**")
    more: dict[str, Any] = {}
    if on_click is not None:
        more = {"on_select": lambda: _clicked(key, on_click), "selection_mode": "points"}
    st.plotly_chart(
        chart_figure(chart, ink(), height, run_colours()),
        key=key,
        config=_CHART,
        alt=f"{chart.title}. {chart.note}",
        **more,
    )
    if chart.note:
        st.caption(plain(chart.note))
    stem = re.sub(r"[\W_]+", "-", chart.title.lower()).strip("-")
    missing = extra_hint("figures")
    with st.container(horizontal=True, gap="small"):
        for kind, mime in (("svg", "image/svg+xml"), ("pdf", "application/pdf")):
            audit.download(
                kind.upper(),
                _drawn(chart, kind),  # type: ignore[arg-type]
                file_name=f"{stem}.{kind}",
                mime=mime,
                icon=":material/image:",
                on_click="ignore",
                disabled=missing is not None,
                help=missing,
                key=f"{key}_{kind}",
            )
        audit.download(
            "CSV",
            lambda: chart_csv(chart).encode(),
            file_name=f"{stem}.csv",
            mime="text/csv",
            icon=":material/table:",
            on_click="ignore",
            key=f"{key}_csv",
        )


def _clicked(key: str, on_click: Callable[[str], None]) -> None:
    label = clicked_label(widget(key))
    if label:
        on_click(label)


def clicked_label(event: Any) -> str:  # noqa: ANN401 - what streamlit hands over
    """Return the label of the point that was clicked; empty where none was."""
    points = event["selection"]["points"] if event else []
    data = points[0].get("customdata") if points else None
    # a list may come as an object whose names are the places
    if isinstance(data, dict):
        data = [data[name] for name in sorted(data)]
    return str(data[0]) if data else ""


def _drawn(chart: Chart, kind: FigureFormat) -> Callable[[], bytes]:
    """Draws the chart when its button is pressed; only then matplotlib is imported."""

    def drawn() -> bytes:
        # an extra: matplotlib
        from navviz.views.figures.chart import paper_chart
        from navviz.views.figures.figure import figure_bytes

        return figure_bytes(paper_chart(chart), kind)

    return drawn
