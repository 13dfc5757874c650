"""Charts of runs: one description, drawn by plotly for the page; `navviz.views.figures.paper_chart` draws it for paper.

A point has a place, an interval where it is an estimate, and how many episodes it stands for. Axes are numbers, or
categories in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from navviz.support.guarded import csv_text
from navviz.views import palette

__all__ = ["Chart", "ChartPoint", "ChartSeries", "chart_csv", "chart_figure", "count_text", "shifted", "with_gaps"]

_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "cross", "star", "pentagon")
_MOST_COUNTED = 24
"""Points with their number of episodes beside them; of more, pointing at one tells it, and the CSV has all."""
_SPREAD = 0.36
"""Room of one category that its series share, of 1; more and neighbours run into each other."""


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """One point; where its axis has categories, `x` is the number of the category."""

    x: float
    y: float
    low: float | None = None
    """Lower end of the interval of `y`."""
    high: float | None = None
    x_low: float | None = None
    x_high: float | None = None
    label: str = ""
    """Told when it is pointed at: the run, or the episode."""
    episodes: int = 0
    """How many it stands for; 0 where it is one episode."""


@dataclass(frozen=True)
class ChartSeries:
    """Points of one run."""

    name: str
    points: Sequence[ChartPoint]
    line: bool = False
    """Whether its points are joined."""
    faint: bool = False
    """Whether it lies behind the others: single episodes behind their means."""
    colour: int = 0
    """Number of its colour and symbol."""

    @property
    def breaks(self) -> list[int]:
        """Numbers of the points before which a line ends: a place between them has no episode, which is a gap."""
        places = [point.x for point in self.points]
        return [k for k, (a, b) in enumerate(pairwise(places), start=1) if b - a > 1] if self.line else []


@dataclass(frozen=True)
class Chart:
    """What a chart shows."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[ChartSeries]
    categories: Sequence[str] = ()
    """Names of the places on the x axis; empty where it has numbers."""
    note: str = ""
    """How to read it: what the intervals are, how many episodes there are."""
    diagonal: bool = False
    """Whether a line marks where both axes are equal."""
    from_zero: bool = True
    y_most: float | None = None
    """Where the y axis ends; 100 for per cent."""

    @property
    def has_counts(self) -> bool:
        """Whether the number of episodes stands beside each point: there are few enough to be read."""
        return sum(point.episodes > 0 for one in self.series for point in one.points) <= _MOST_COUNTED


def count_text(point: ChartPoint) -> str:
    """Return what stands beside a point: the number of episodes that it stands for."""
    return f"n {point.episodes:,}" if point.episodes else ""


def shifted(chart: Chart) -> list[tuple[ChartSeries, list[float]]]:
    """Return each series with the places of its points, series of one category beside each other."""
    beside = [one for one in chart.series if not one.faint] if chart.categories else []
    taken = [point.x for one in beside for point in one.points]
    if len(set(taken)) == len(taken):  # each category has one point: it stands in the middle
        beside = []
    places = []
    for one in chart.series:
        shift = 0.0
        if one in beside and len(beside) > 1:
            shift = _SPREAD * (beside.index(one) / (len(beside) - 1) - 0.5)
        places.append((one, [point.x + shift for point in one.points]))
    return places


def chart_csv(chart: Chart) -> str:
    """Write the points of a chart as CSV, one a row; missing ends of intervals are empty."""
    rows: list[list[object]] = [
        ["series", chart.x_label, chart.y_label, "low", "high", "x low", "x high", "episodes", "label"]
    ]
    for one in chart.series:
        for point in one.points:
            x = chart.categories[int(point.x)] if chart.categories else point.x
            ends = ["" if end is None else end for end in (point.low, point.high, point.x_low, point.x_high)]
            rows.append([one.name, x, point.y, *ends, point.episodes or 1, point.label])
    return csv_text(rows)


def chart_figure(chart: Chart, ink: str, height: int = 400) -> go.Figure:
    """Draw a chart for the page.

    Parameters
    ----------
    chart
        All its texts are data, and escaped here.
    ink
        Colour of the text, as the page's theme has it.
    height
        In pixels.

    Returns
    -------
    A figure; `customdata` of each point is its label, so that a click tells which episode it was.
    """
    figure = go.Figure([_trace(one, xs, counts=chart.has_counts) for one, xs in shifted(chart)])
    if chart.diagonal:
        figure.add_trace(_diagonal(chart))
    grid = palette.translucent(palette.MUTE, 0.25)
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        font={"color": ink, "size": 13},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        showlegend=any(one.colour for one in chart.series),
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    font = {"color": ink, "size": 13}  # said for each axis: Streamlit's theme sets these alone, in a grey of 3.7 to 1
    look = {"gridcolor": grid, "zeroline": False, "linecolor": grid, "tickfont": font}
    figure.update_xaxes(title={"text": escape(chart.x_label), "font": font}, **look)
    figure.update_yaxes(title={"text": escape(chart.y_label), "font": font}, **look)
    if chart.categories:
        names = [escape(name) for name in chart.categories]
        figure.update_xaxes(
            tickvals=list(range(len(names))), ticktext=names, range=[-0.5, len(names) - 0.5], showgrid=False
        )
    if chart.from_zero:
        figure.update_yaxes(rangemode="tozero")
        if not chart.categories:
            figure.update_xaxes(rangemode="tozero")
    if chart.y_most is not None:
        figure.update_yaxes(range=[0, chart.y_most * 1.02])
    return figure


def _trace(one: ChartSeries, xs: Sequence[float], *, counts: bool) -> go.Scatter:
    colour = palette.SERIES[one.colour % len(palette.SERIES)]
    points = one.points
    told = [[point.label, f"{point.episodes} episodes" if point.episodes else ""] for point in points]
    name = escape(one.name)
    hover = [
        f"{escape(label or one.name)}<br>%{{x}}, %{{y:.4g}}{_span(point)}<br>{count}<extra>{name}</extra>"
        for point, (label, count) in zip(points, told, strict=True)
    ]
    modes = ["markers", *(["lines"] if one.line else []), *(["text"] if counts and not one.faint else [])]
    return go.Scatter(
        x=with_gaps(xs, one.breaks),
        y=with_gaps([point.y for point in points], one.breaks),
        mode="+".join(modes),
        connectgaps=False,
        text=with_gaps([count_text(point) for point in points], one.breaks),
        textposition="middle right",
        textfont={"size": 11},
        cliponaxis=False,  # a rate of 0 or 100 % stands on the edge: its mark would be cut in half
        name=name,
        showlegend=not one.faint,
        marker={
            "size": 6 if one.faint else 10,
            "color": palette.translucent(colour, 0.35) if one.faint else colour,
            "symbol": _SYMBOLS[one.colour % len(_SYMBOLS)],
        },
        line={"color": colour, "width": 1.5},
        error_y=_error([(p.y, p.low, p.high) for p in points], colour, one.breaks),
        error_x=_error([(p.x, p.x_low, p.x_high) for p in points], colour, one.breaks),
        customdata=with_gaps(told, one.breaks, ["", ""]),
        hovertemplate=with_gaps(hover, one.breaks, ""),
    )


def with_gaps(values: Sequence[Any], breaks: Sequence[int], gap: object = None) -> list[Any]:
    """Return the values of points with a `gap` before each break, at which a line ends."""
    gapped: list[Any] = []
    for k, value in enumerate(values):
        gapped += [gap, value] if k in breaks else [value]
    return gapped


def _span(point: ChartPoint) -> str:
    return "" if point.low is None or point.high is None else f" [{point.low:.4g}, {point.high:.4g}]"


def _error(
    spans: Sequence[tuple[float, float | None, float | None]], colour: str, breaks: Sequence[int]
) -> dict[str, Any] | None:
    if all(low is None or high is None for _, low, high in spans):
        return None
    up = with_gaps([(high - value) if high is not None else 0.0 for value, _, high in spans], breaks)
    down = with_gaps([(value - low) if low is not None else 0.0 for value, low, _ in spans], breaks)
    return {"type": "data", "array": up, "arrayminus": down, "thickness": 1.5, "width": 4, "color": colour}


def _diagonal(chart: Chart) -> go.Scatter:
    most = max((max(point.x, point.y) for one in chart.series for point in one.points), default=1.0)
    return go.Scatter(
        x=[0, most], y=[0, most], mode="lines", showlegend=False, hoverinfo="skip",
        line={"color": palette.translucent(palette.MUTE, 0.8), "width": 1, "dash": "dot"},
    )  # fmt: skip
