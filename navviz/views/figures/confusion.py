"""A confusion matrix as a plotly figure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from navviz.views import palette

__all__ = ["confusion_figure"]


def confusion_figure(
    counts: NDArray[np.int64], categories: Sequence[str], first: str, second: str, ink: str, height: int = 300
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
    names = [escape(str(category)) for category in categories]
    largest = max(int(counts.max()), 1) if counts.size else 1
    figure = go.Figure(
        go.Heatmap(
            z=counts,
            x=names,
            y=names,
            zmin=0,
            zmax=largest,
            colorscale=[
                [share, palette.translucent(palette.REFERENCE, alpha)] for share, alpha in ((0.0, 0.06), (1.0, 0.5))
            ],
            showscale=False,
            xgap=3,
            ygap=3,
            hovertemplate=f"{escape(first)}: %{{y}}<br>{escape(second)}: %{{x}}<br>%{{z}} episodes<extra></extra>",
        )
    )
    written = [
        {"x": names[j], "y": names[i], "text": str(count), "showarrow": False, "font": {"color": ink, "size": 16}}
        for i, row in enumerate(counts.tolist())
        for j, count in enumerate(row)
    ]
    font = {"color": ink, "size": 13}  # said for each axis: Streamlit's theme sets these alone, in a grey of 3.7 to 1
    look = {"type": "category", "showgrid": False, "tickfont": font}
    figure.update_xaxes(title={"text": escape(second), "font": font}, side="top", **look)
    figure.update_yaxes(title={"text": escape(first), "font": font}, autorange="reversed", **look)
    margin = {"l": 10, "r": 10, "t": 10, "b": 10}
    # all counts at once: plotly checks those that are there again with each one added, 1.6 s for 12 categories
    figure.update_layout(height=height, margin=margin, annotations=written)
    return figure
