"""Marks and axes that several figures share: the projection, and plotly's fonts and error bars."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navviz.views import palette

PAGE_FONT_PX = palette.LABEL_PX
"""Size of labels and ticks of the charts on a page."""

LEGEND_ABOVE = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
"""Place of a plotly legend: a row above the chart."""

Interval = tuple[float, float | None, float | None]
"""A value with the lower and the upper end of its interval."""


class Projection:
    """Fit points in metres into a picture, north up, with the same scale on both axes."""

    def __init__(
        self, points: NDArray[np.float64], size: tuple[float, float], margin: float, least_m: float
    ) -> None:
        low, high = points.min(axis=0), points.max(axis=0)
        span_m = np.maximum(high - low, least_m)
        self._size = size
        width, height = size
        self.scale = float(min((width - 2 * margin) / span_m[0], (height - 2 * margin) / span_m[1]))
        self._middle = (low + high) / 2

    def __call__(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the places of points in the picture, ``(k, 2)``, y downward."""
        width, height = self._size
        at = (points - self._middle) * self.scale
        return np.column_stack((at[:, 0] + width / 2, height / 2 - at[:, 1]))


def chart_text(text: object) -> str:
    """Write a text of data so that plotly shows it as it is: no tag, no field of a template, no
    formula.
    """
    shown = escape(str(text), quote=False)  # plotly knows no name of a quote
    return shown.replace("%{", "&#37;{").replace("$", "&#36;")


def axis_font(ink: str) -> dict[str, Any]:
    """Return the font of an axis' title and ticks.

    Each axis needs it, since Streamlit's theme sets both in a grey with a contrast of 3.7 to 1.
    """
    return {"color": ink, "size": PAGE_FONT_PX}


def page_margin(top: int = 10) -> dict[str, int]:
    """Return the margins of a plotly figure on a page, in pixels."""
    return {"l": 10, "r": 10, "t": top, "b": 10}


def reaches(intervals: Sequence[Interval]) -> tuple[list[float], list[float]]:
    """Return how far each interval reaches below and above its value; 0 where an end is missing."""
    below: list[float] = []
    above: list[float] = []
    for value, low, high in intervals:
        below.append(value - low if low is not None else 0.0)
        above.append(high - value if high is not None else 0.0)
    return below, above


def error_bars(
    below: Sequence[float], above: Sequence[float], colour: str, thickness: float, width: float
) -> dict[str, Any]:
    """Return plotly's description of error bars; widths are pixels."""
    return {
        "type": "data",
        "array": above,
        "arrayminus": below,
        "thickness": thickness,
        "width": width,
        "color": colour,
    }
