"""Draw the charts of `navviz.views.figures.chart` with matplotlib at print size."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from navviz.support.installation.extras import needs_extra
from navviz.views import palette
from navviz.views.figures.chart import Chart, ChartSeries, count_text, shifted, with_gaps
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
_LONG = 9
"""Names of categories longer than this are set at a slant where they would not fit."""


def paper_chart(chart: Chart, width: FigureWidth = "single") -> Figure:
    """Draw a chart one or two columns wide, all text 8 pt; its title is left to the caption."""
    inches = WIDTHS_IN[width]
    with print_type():
        shape = _SHAPE if width == "single" else 0.45
        figure = Figure(figsize=(inches, inches * shape), dpi=_DPI, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        for series, xs in shifted(chart):
            _draw(axes, series, xs, counts=chart.has_counts)
        _frame(axes, chart, inches)
        if any(series.colour for series in chart.series):
            figure.legend(loc="outside upper left", ncols=2 if inches < 5 else 4, frameon=False)
    return figure


def _draw(axes: Axes, series: ChartSeries, xs: list[float], *, counts: bool) -> None:
    colour = palette.SERIES[series.colour % len(palette.SERIES)]
    marker = _MARKERS[series.colour % len(_MARKERS)]
    breaks = series.breaks
    ys = [point.y for point in series.points]
    if series.faint:
        axes.scatter(xs, ys, s=4, color=colour, alpha=0.25, linewidths=0)
        return
    axes.errorbar(
        # matplotlib breaks a line at NaN, plotly at None.
        with_gaps(xs, breaks, math.nan),
        with_gaps(ys, breaks, math.nan),
        yerr=_spans([(p.y, p.low, p.high) for p in series.points], breaks),
        xerr=_spans([(p.x, p.x_low, p.x_high) for p in series.points], breaks),
        fmt=marker,
        color=colour,
        markersize=4,
        linewidth=1,
        elinewidth=0.8,
        capsize=2,
        linestyle="-" if series.line else "none",
        label=drawable(series.name),
    )
    if counts:
        for x, point in zip(xs, series.points, strict=True):
            axes.annotate(
                count_text(point),
                (x, point.y),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
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
