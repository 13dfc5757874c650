"""Describe charts of runs and draw them with plotly; `paper_chart` draws them for paper.

A point has a place, an interval where it is an estimate, and how many episodes it stands for. Axes
are numbers, or categories in order.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import plotly.graph_objects as go

from navviz.support.guarded import csv_text
from navviz.support.installation.extras import needs_extra
from navviz.views import palette
from navviz.views.figures.marks import (
    LEGEND_ABOVE,
    Interval,
    axis_font,
    chart_text,
    error_bars,
    page_margin,
    reaches,
)

_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "cross", "star", "pentagon")

_MOST_COUNTED = 24
"""Points up to which each shows its number of episodes; of more, tooltips and the CSV have it."""

_LINE, _LINES = 30, 3
"""Letters of a line and lines of a name that stands before its row."""

_LINE_PX, _BETWEEN_PX, _FRAME_PX = 17, 8, 100
"""Heights of a line of a name, of the gap between two rows, and of what is around all rows."""

_TOGETHER = 60
"""Letters of all names that still fit below an axis of half a page."""

_SPREAD = 0.36
"""Share of a category's width that its series use; with more, neighbours touch each other."""


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
    """Its tooltip: the run, or the episode."""
    episodes: int = 0
    """Number of episodes behind it; 0 for a single episode."""


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
        """Numbers of the points before which the line has a gap, as categories have no episode."""
        if not self.line:
            return []
        numbered = enumerate(pairwise(self.points), start=1)
        # `x` is the number of a category here: a step of more than one skips a category
        return [k for k, (before, after) in numbered if after.x - before.x > 1]


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
    def names_series(self) -> bool:
        """Whether each place of the x axis is one series: a legend would say its names again."""
        drawn = [series.name for series in self.series]
        return bool(drawn) and drawn == list(self.categories)

    @property
    def in_rows(self) -> bool:
        """Whether it is drawn with a row a series: long names fit beside rows and not below
        columns.
        """
        return self.names_series and sum(map(len, self.categories)) > _TOGETHER

    @property
    def has_counts(self) -> bool:
        """Whether each point shows its number of episodes: few points are readable."""
        points = chain.from_iterable(series.points for series in self.series)
        return sum(point.episodes > 0 for point in points) <= _MOST_COUNTED


def count_text(point: ChartPoint) -> str:
    """Return the label of a point: its number of episodes."""
    return f"n {point.episodes:,}" if point.episodes else ""


def shifted(chart: Chart) -> list[tuple[ChartSeries, list[float]]]:
    """Return each series with the x of its points; series of one category stand side by side."""
    columns: list[ChartSeries] = []
    if chart.categories:
        columns = [series for series in chart.series if not series.faint]
    points = list(chain.from_iterable(series.points for series in columns))
    if len({point.x for point in points}) == len(points):
        columns = []  # Each category has one point, which stands in the middle.
    places = []
    for series in chart.series:
        shift = 0.0
        if series in columns and len(columns) > 1:
            shift = _SPREAD * (columns.index(series) / (len(columns) - 1) - 0.5)
        places.append((series, [point.x + shift for point in series.points]))
    return places


def row_name(name: str) -> str:
    """Return a name in lines before its row; the middle of a very long one is left out."""
    lines = textwrap.wrap(name, _LINE) or [" "]
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], f"… {lines[-1]}"]
    return "\n".join(lines)


def chart_csv(chart: Chart) -> str:
    """Write the points of a chart as CSV, one a row; missing ends of intervals are empty."""
    ends_heads = ("low", "high", "x low", "x high")
    rows: list[list[object]] = [
        ["series", chart.x_label, chart.y_label, *ends_heads, "episodes", "label"]
    ]
    for series in chart.series:
        for point in series.points:
            x = chart.categories[int(point.x)] if chart.categories else point.x
            ends = (point.low, point.high, point.x_low, point.x_high)
            # 0 stands for a single episode, which a reader of the file cannot know
            rows.append([series.name, x, point.y, *ends, point.episodes or 1, point.label])
    return csv_text(rows)


def chart_figure(
    chart: Chart, ink: str, height: int = 400, colours: Sequence[str] = palette.RUNS
) -> go.Figure:
    """Draw a chart for the page."""
    counts = chart.has_counts
    figure = go.Figure()
    for series, xs in shifted(chart):
        colour = colours[series.colour % len(colours)]
        figure.add_trace(_trace(series, xs, colour, counts=counts))
    if chart.in_rows:
        return _in_rows(figure, chart, ink, height)
    if chart.diagonal:
        figure.add_trace(_diagonal(chart))
    look = _lay_out(figure, chart, ink, height)
    font = axis_font(ink)
    figure.update_xaxes(title={"text": chart_text(chart.x_label), "font": font}, **look)
    figure.update_yaxes(title={"text": chart_text(chart.y_label), "font": font}, **look)
    if chart.categories:
        names = [chart_text(name) for name in chart.categories]
        figure.update_xaxes(
            tickvals=list(range(len(names))),
            ticktext=names,
            range=[-0.5, len(names) - 0.5],
            showgrid=False,
        )
    if chart.from_zero:
        figure.update_yaxes(rangemode="tozero")
        if not chart.categories:
            figure.update_xaxes(rangemode="tozero")
    if chart.y_most is not None:
        figure.update_yaxes(range=[0, chart.y_most * 1.02])
    return figure


def _lay_out(figure: go.Figure, chart: Chart, ink: str, height: int) -> dict[str, Any]:
    """Set what all charts share, and return the look of an axis."""
    grid = palette.translucent(palette.MUTE, 0.25)
    figure.update_layout(
        height=height,
        margin=page_margin(top=30),
        font=axis_font(ink),
        legend=LEGEND_ABOVE,
        # a single run has colour 0 alone, and needs no legend
        showlegend=any(series.colour for series in chart.series) and not chart.in_rows,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    return {"gridcolor": grid, "zeroline": False, "linecolor": grid, "tickfont": axis_font(ink)}


def _in_rows(figure: go.Figure, chart: Chart, ink: str, height: int) -> go.Figure:
    """Lay a chart of one point a series on its side: its x axis becomes rows, from above."""
    for trace in figure.data:
        trace.x, trace.y = trace.y, trace.x
        # plotly has a type for each of the two
        along, across = trace.error_y.to_plotly_json(), trace.error_x.to_plotly_json()
        trace.error_x, trace.error_y = along, across
        trace.textposition = "top center"  # beside the mark lies its interval
        trace.hovertemplate = [
            text.replace("%{x}, %{y:.4g}", "%{x:.4g}") for text in trace.hovertemplate
        ]
    names = [chart_text(row_name(name)).replace("\n", "<br>") for name in chart.categories]
    row_px = _BETWEEN_PX + _LINE_PX * max(name.count("<br>") + 1 for name in names)
    look = _lay_out(figure, chart, ink, max(height, _FRAME_PX + row_px * len(names)))
    figure.update_xaxes(title={"text": chart_text(chart.y_label), "font": axis_font(ink)}, **look)
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        range=[len(names) - 0.5, -0.7],  # room above the first row for its number of episodes
        showgrid=False,
        automargin=True,
        **look,
    )
    if chart.from_zero:
        figure.update_xaxes(rangemode="tozero")
    if chart.y_most is not None:
        figure.update_xaxes(range=[0, chart.y_most * 1.02])
    return figure


def _trace(series: ChartSeries, xs: Sequence[float], colour: str, *, counts: bool) -> go.Scatter:
    points = series.points
    breaks = series.breaks
    name = chart_text(series.name)
    tooltips: list[list[str]] = []
    hover: list[str] = []
    for point in points:
        count = f"{point.episodes} episodes" if point.episodes else ""
        tooltips.append([point.label, count])
        place = f"{chart_text(point.label or series.name)}<br>%{{x}}, %{{y:.4g}}{_span(point)}"
        hover.append(f"{place}<br>{count}<extra>{name}</extra>")
    modes = ["markers"]
    if series.line:
        modes.append("lines")
    if counts and not series.faint:
        modes.append("text")
    return go.Scatter(
        x=with_gaps(xs, breaks),
        y=with_gaps([point.y for point in points], breaks),
        mode="+".join(modes),
        connectgaps=False,
        text=with_gaps([count_text(point) for point in points], breaks),
        textposition="middle right",
        textfont={"size": palette.SMALL_PX},
        cliponaxis=False,  # The mark of a rate of 0 or 100 % on the edge would be cut in half.
        name=name,
        showlegend=not series.faint,
        marker={
            "size": 6 if series.faint else 10,
            "color": palette.translucent(colour, 0.35) if series.faint else colour,
            "symbol": _SYMBOLS[series.colour % len(_SYMBOLS)],
        },
        line={"color": colour, "width": 1.5},
        error_y=_error([(p.y, p.low, p.high) for p in points], colour, breaks),
        error_x=_error([(p.x, p.x_low, p.x_high) for p in points], colour, breaks),
        customdata=with_gaps(tooltips, breaks, ["", ""]),
        hovertemplate=with_gaps(hover, breaks, ""),
    )


def with_gaps(values: Sequence[Any], breaks: Sequence[int], gap: object = None) -> list[Any]:
    """Return the values of points with a `gap` before each break, at which a line ends."""
    gapped: list[Any] = []
    for k, value in enumerate(values):
        gapped += [gap, value] if k in breaks else [value]
    return gapped


def _span(point: ChartPoint) -> str:
    if point.low is None or point.high is None:
        return ""
    return f" [{point.low:.4g}, {point.high:.4g}]"


def _error(
    intervals: Sequence[Interval], colour: str, breaks: Sequence[int]
) -> dict[str, Any] | None:
    if all(low is None or high is None for _, low, high in intervals):
        return None
    # the bars get the same gaps as the points, since plotly matches the two by their places
    below, above = reaches(intervals)
    return error_bars(with_gaps(below, breaks), with_gaps(above, breaks), colour, 1.5, 4)


def _diagonal(chart: Chart) -> go.Scatter:
    points = chain.from_iterable(series.points for series in chart.series)
    most = max((max(point.x, point.y) for point in points), default=1.0)
    return go.Scatter(
        x=[0, most], y=[0, most], mode="lines", showlegend=False, hoverinfo="skip",
        line={"color": palette.translucent(palette.MUTE, 0.8), "width": 1, "dash": "dot"},
    )  # fmt: skip


with needs_extra("figures"):
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from navviz.views.figures.figure import WIDTHS_IN, FigureWidth
    from navviz.views.figures.print_type import FONT_PT, drawable, print_type


_DPI = 300

_MARKERS = ("o", "D", "s", "^", "X", "P", "*", "p")

_COUNT_PT = 6

_SHAPE = 0.68
"""Height of a chart as a share of its width; a double column is flatter."""

_ROW_IN = 0.38
"""Height of a row: three lines of 8 pt."""

_LONG = 9
"""Names of categories longer than this are set at a slant where they would not fit."""


def paper_chart(chart: Chart, width: FigureWidth = "single") -> Figure:
    """Draw a chart one or two columns wide, all text 8 pt; its title is left to the caption."""
    inches = WIDTHS_IN[width]
    with print_type():
        shape = _SHAPE if width == "single" else 0.45
        high = inches * shape
        if chart.in_rows:
            high = max(high, 0.5 + _ROW_IN * len(chart.categories))
        figure = Figure(figsize=(inches, high), dpi=_DPI, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        for series, xs in shifted(chart):
            _draw(axes, series, xs, counts=chart.has_counts, in_rows=chart.in_rows)
        if chart.in_rows:
            axes.set_xlabel(drawable(chart.y_label))
            axes.grid(visible=True, axis="x", color=palette.STREET, linewidth=0.5)
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
            names = [drawable(row_name(name)) for name in chart.categories]
            axes.set_yticks(range(len(names)), names)
            axes.set_ylim(len(names) - 0.5, -0.7)
            if chart.from_zero:
                axes.set_xlim(left=0)
            if chart.y_most is not None:
                axes.set_xlim(0, chart.y_most * 1.02)
            return figure
        _frame(axes, chart, inches)
        if any(series.colour for series in chart.series):
            figure.legend(loc="outside upper left", ncols=2 if inches < 5 else 4, frameon=False)
    return figure


def _draw(axes: Axes, series: ChartSeries, xs: list[float], *, counts: bool, in_rows: bool) -> None:
    colour = palette.RUNS[series.colour % len(palette.RUNS)]
    marker = _MARKERS[series.colour % len(_MARKERS)]
    breaks = series.breaks
    ys = [point.y for point in series.points]
    if series.faint:
        axes.scatter(xs, ys, s=4, color=colour, alpha=0.25, linewidths=0)
        return
    # matplotlib breaks a line at NaN, plotly at None.
    places = [with_gaps(xs, breaks, math.nan), with_gaps(ys, breaks, math.nan)]
    errors = [
        _spans([(p.x, p.x_low, p.x_high) for p in series.points], breaks),
        _spans([(p.y, p.low, p.high) for p in series.points], breaks),
    ]
    if in_rows:
        places.reverse()
        errors.reverse()
    axes.errorbar(
        places[0],
        places[1],
        xerr=errors[0],
        yerr=errors[1],
        fmt=marker,
        color=colour,
        markersize=4,
        linewidth=1,
        elinewidth=0.8,
        capsize=2,
        linestyle="-" if series.line else "none",
        # a label that begins with an underscore is left out of the legend
        label=re.sub(r"^_", " _", drawable(series.name)),
    )
    if counts:
        for x, point in zip(xs, series.points, strict=True):
            axes.annotate(
                count_text(point),
                (point.y, x) if in_rows else (x, point.y),
                xytext=(0, 4) if in_rows else (4, 0),
                textcoords="offset points",
                ha="center" if in_rows else "left",
                va="bottom" if in_rows else "center",
                fontsize=_COUNT_PT,
            )


def _spans(intervals: Sequence[Interval], breaks: Sequence[int]) -> list[list[float]] | None:
    """Return the reaches of intervals below and above their values; ``None`` without any."""
    if all(low is None for _, low, _ in intervals):
        return None
    below, above = reaches(intervals)
    return [with_gaps(below, breaks, 0.0), with_gaps(above, breaks, 0.0)]


def _frame(axes: Axes, chart: Chart, inches: float) -> None:
    axes.set_xlabel(drawable(chart.x_label))
    axes.set_ylabel(drawable(chart.y_label))
    axes.grid(
        visible=True, axis="y" if chart.categories else "both", color=palette.STREET, linewidth=0.5
    )
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if chart.diagonal:
        axes.axline((0, 0), slope=1, color=palette.MUTE, linewidth=0.6, linestyle=":")
    if chart.categories:
        names = [drawable(name) for name in chart.categories]
        # 0.6: the mean width of a letter of Source Sans, as a share of its size.
        crowded = len(names) * _LONG * FONT_PT * 0.6 / 72 > inches
        if not crowded:
            names = ["\n".join(textwrap.wrap(name, _LONG)) or " " for name in names]
        axes.set_xticks(range(len(names)), names)
        if crowded:
            axes.tick_params(axis="x", rotation=30)
            for label in axes.get_xticklabels():
                label.set_horizontalalignment("right")
        axes.set_xlim(-0.5, len(names) - 0.5)
    if chart.from_zero:
        axes.set_ylim(bottom=0)
        if not chart.categories:
            axes.set_xlim(left=0)
    if chart.y_most is not None:
        axes.set_ylim(0, chart.y_most * 1.02)
