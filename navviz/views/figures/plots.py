"""Plots of statistics with plotly: confusion matrix, forest plot, and the marks that they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from navviz.metrics.agreement import Correlation
from navviz.views import palette
from navviz.views.figures.marks import (
    LEGEND_ABOVE,
    axis_font,
    chart_text,
    error_bars,
    page_margin,
    reaches,
)


def confusion_figure(
    counts: NDArray[np.int64],
    categories: Sequence[str],
    first: str,
    second: str,
    ink: str,
    height: int = 300,
) -> go.Figure:
    """Return counts as tiles; the diagonal is where both agree."""
    names = [chart_text(str(category)) for category in categories]
    # without any rating both ends of the colour scale would be 0
    largest = max(int(counts.max()), 1) if counts.size else 1
    pale = palette.translucent(palette.REFERENCE, 0.06)
    full = palette.translucent(palette.REFERENCE, 0.5)
    rater_lines = f"{chart_text(first)}: %{{y}}<br>{chart_text(second)}: %{{x}}"
    figure = go.Figure(
        go.Heatmap(
            z=counts,
            x=names,
            y=names,
            zmin=0,
            zmax=largest,
            colorscale=[[0.0, pale], [1.0, full]],
            showscale=False,
            xgap=3,
            ygap=3,
            hovertemplate=f"{rater_lines}<br>%{{z}} episodes<extra></extra>",
        )
    )
    count_font = {"color": ink, "size": 16}
    annotations: list[dict[str, Any]] = []
    for y, row in zip(names, counts.tolist(), strict=False):
        for x, count in zip(names, row, strict=False):
            text = {"text": str(count), "showarrow": False, "font": count_font}
            annotations.append({"x": x, "y": y, **text})
    font = axis_font(ink)
    look = {"type": "category", "showgrid": False, "tickfont": font}
    figure.update_xaxes(title={"text": chart_text(second), "font": font}, side="top", **look)
    # plotly puts the first row at the bottom, and a matrix is read from the top
    figure.update_yaxes(
        title={"text": chart_text(first), "font": font}, autorange="reversed", **look
    )
    # All counts at once: plotly checks all annotations again for each one added, 1.6 s for 12
    # categories.
    figure.update_layout(height=height, margin=page_margin(), annotations=annotations)
    return figure


# the last figure moves a method off the middle of its row, so that the two intervals do not cover
# each other
_STYLE = {
    "pearson": (palette.REFERENCE, "circle", -0.14),
    "spearman": (palette.AGENT, "diamond", 0.14),
}

_NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ"}


def forest_figure(table: Sequence[Correlation], labels: dict[str, str] | None = None) -> go.Figure:
    """Draw correlations with 95 % intervals around a line at zero; leave out undefined ones."""
    metrics = list(dict.fromkeys(row.metric for row in table))
    place = {metric: i for i, metric in enumerate(metrics)}
    figure = go.Figure()
    for method, (colour, symbol, shift) in _STYLE.items():
        rows = [row for row in table if row.method == method and row.value is not None]
        if rows:
            y = [place[row.metric] + shift for row in rows]
            figure.add_trace(_points(rows, y, colour, symbol, method))
    figure.add_vline(x=0, line={"color": palette.translucent(palette.POI, 0.8), "width": 1})
    counts = {row.metric: row.episodes for row in table}
    names = []
    for metric in metrics:
        label = chart_text((labels or {}).get(metric, metric))
        names.append(f"{label} (n {counts[metric]:,})")
    figure.update_yaxes(
        tickvals=list(range(len(metrics))),
        ticktext=names,
        autorange="reversed",
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(range=[-1, 1], title="correlation with the human rating", zeroline=False)
    height = 90 + 54 * len(metrics)
    figure.update_layout(height=height, margin=page_margin(top=30), legend=LEGEND_ABOVE)
    return figure


def _points(
    rows: Sequence[Correlation], y: list[float], colour: str, symbol: str, method: str
) -> go.Scatter:
    intervals = [(row.value or 0.0, row.low, row.high) for row in rows]
    below, above = reaches(intervals)
    return go.Scatter(
        x=[value for value, _, _ in intervals],
        y=y,
        mode="markers",
        name=_NAMES[method],
        marker={"size": 10, "color": colour, "symbol": symbol},
        error_x=error_bars(below, above, colour, 2, 5),
        customdata=[[row.p_holm, row.episodes] for row in rows],
        hovertemplate=(
            "%{x:.4f}, p (Holm) = %{customdata[0]:.4f}, %{customdata[1]} episodes<extra></extra>"
        ),
    )
