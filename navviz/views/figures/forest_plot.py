"""A forest plot: coefficients with their intervals, one a row."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from navviz.metrics.correlation import Correlation
from navviz.views import palette
from navviz.views.figures.marks import LEGEND_ABOVE, chart_text, error_bars, page_margin, reaches

# the last figure moves a method off the middle of its row, so that the two intervals do not cover
# each other
_STYLE = {
    "pearson": (palette.REFERENCE, "circle", -0.14),
    "spearman": (palette.AGENT, "diamond", 0.14),
}
_NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ"}


def forest_figure(table: Sequence[Correlation], labels: dict[str, str] | None = None) -> go.Figure:
    """Draw correlations with 95 % intervals around a line at zero; leave out undefined ones.

    Parameters
    ----------
    table
        From `navviz.metrics.correlation.correlation_table`.
    labels
        Names to show for metrics.
    """
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
    names = [
        f"{chart_text((labels or {}).get(metric, metric))} (n {counts[metric]:,})"
        for metric in metrics
    ]
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
