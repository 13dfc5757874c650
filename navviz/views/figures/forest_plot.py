"""A forest plot: coefficients with their intervals, one a row."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from navviz.metrics.correlation import Correlation
from navviz.views import palette

__all__ = ["forest_figure"]

_STYLE = {"pearson": (palette.REFERENCE, "circle", -0.14), "spearman": (palette.AGENT, "diamond", 0.14)}
_NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ"}


def forest_figure(table: Sequence[Correlation], labels: dict[str, str] | None = None) -> go.Figure:
    """Correlations with 95 % intervals around a line at zero; what is not defined is left out.

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
            figure.add_trace(_points(rows, [place[row.metric] + shift for row in rows], colour, symbol, method))
    figure.add_vline(x=0, line={"color": "rgba(128,140,152,0.8)", "width": 1})
    counts = {row.metric: row.episodes for row in table}
    names = [f"{(labels or {}).get(metric, metric)} (n {counts[metric]:,})" for metric in metrics]
    figure.update_yaxes(
        tickvals=list(range(len(metrics))), ticktext=names, autorange="reversed", showgrid=False, zeroline=False
    )
    figure.update_xaxes(range=[-1, 1], title="correlation with the human rating", zeroline=False)
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    figure.update_layout(height=90 + 54 * len(metrics), margin={"l": 10, "r": 10, "t": 30, "b": 10}, legend=legend)
    return figure


def _points(rows: Sequence[Correlation], y: list[float], colour: str, symbol: str, method: str) -> go.Scatter:
    values = [row.value or 0.0 for row in rows]
    up = [(row.high if row.high is not None else v) - v for row, v in zip(rows, values, strict=True)]
    down = [v - (row.low if row.low is not None else v) for row, v in zip(rows, values, strict=True)]
    return go.Scatter(
        x=values,
        y=y,
        mode="markers",
        name=_NAMES[method],
        marker={"size": 10, "color": colour, "symbol": symbol},
        error_x={"type": "data", "array": up, "arrayminus": down, "thickness": 2, "width": 5, "color": colour},
        customdata=[[row.p_holm, row.episodes] for row in rows],
        hovertemplate="%{x:.4f}, p (Holm) = %{customdata[0]:.4f}, %{customdata[1]} episodes<extra></extra>",
    )
