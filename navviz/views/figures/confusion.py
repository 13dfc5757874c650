"""A confusion matrix as a plotly figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from navviz.views import palette
from navviz.views.figures.marks import axis_font, chart_text, page_margin


def confusion_figure(
    counts: NDArray[np.int64],
    categories: Sequence[str],
    first: str,
    second: str,
    ink: str,
    height: int = 300,
) -> go.Figure:
    """Return counts as tiles; the diagonal is where both agree.

    Parameters
    ----------
    counts
        ``[i, j]``: rated ``categories[i]`` by `first` and ``categories[j]`` by `second`.
    categories
        Names of the rows and columns.
    first, second
        Who the rows and the columns belong to.
    ink
        Colour of counts and axes, as the page's theme has it.
    height
        In pixels.
    """
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
