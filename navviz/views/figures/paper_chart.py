"""Draw the charts of `navviz.views.figures.chart` with matplotlib at print size."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence

from navviz.support.installation.extras import needs_extra
from navviz.views import palette
from navviz.views.figures.chart import (
    Chart,
    ChartSeries,
    count_text,
    row_name,
    shifted,
    with_gaps,
)
from navviz.views.figures.marks import Interval, reaches

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
            _frame_rows(axes, chart)
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


def _frame_rows(axes: Axes, chart: Chart) -> None:
    """Frame a chart of one point a series that lies on its side, the first row above."""
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
