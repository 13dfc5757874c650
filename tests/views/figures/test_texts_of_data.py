"""No chart obeys a text of data: no tag, no field of a template, no formula."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.text import Text

from navviz.metrics.intervals import Interval
from navviz.views.figures import chart, repair_figure
from navviz.views.figures.chart import Chart, ChartPoint, ChartSeries, chart_figure
from navviz.views.figures.marked_text import usage_figure
from navviz.views.figures.plots import confusion_figure
from tests.alphabets import EVERY_PAYLOAD, MARKUP
from tests.nights import by_day

TEXTS = [
    "_x_", *EVERY_PAYLOAD, *MARKUP, "$" * 200, r"\$x$ \frac{", "\"a\" 'b'", "<b>x</b><br>", "%{y}",
]  # fmt: skip
CASES = by_day(TEXTS, ["_x_", *(text for text in TEXTS if set(text) & set("$<%"))])
"""A sign that plotly or matplotlib reads stands in each of the day's; Markdown's own wait for the night."""


def _chart(text: str, *, categories: bool) -> Chart:
    points = [ChartPoint(float(k), 3.0, 2.0, 4.0, label=text, episodes=4) for k in range(2)]
    series = [ChartSeries(text, points[:1]), ChartSeries(f"{text}2", points[1:], colour=1)]
    names = [text, f"{text}2"] if categories else []
    return Chart(text, text, text, series, names)


def _read_by_plotly(figure: go.Figure) -> str:
    """Return all its texts, with what it puts in itself left out."""
    texts = json.dumps(json.loads(figure.to_json()), ensure_ascii=False)
    return re.sub(r"</?extra>|<br>|%\{[xyz](?::\.[14][gf])?\}", "", texts)


@pytest.mark.parametrize("text", CASES)
def test_plotly_obeys_no_text(text):
    figures = [
        chart_figure(_chart(text, categories=True), "black"),
        chart_figure(_chart(text, categories=False), "black"),
        confusion_figure(np.eye(2, dtype=np.int64), [text, "b"], text, text, "black", 300),
        usage_figure([(text, {})], "black"),
    ]
    for figure in figures:
        # what the chart hands over to presses is no text that plotly shows
        for trace in figure.data:
            trace.customdata = None
        read = _read_by_plotly(figure)
        assert not re.search(r"<[a-zA-Z/!]|%\{|\$", read)
    shown = figures[0].layout.xaxis.title.text or figures[0].layout.yaxis.title.text
    assert unescape(shown) == text


@pytest.mark.parametrize("text", CASES)
def test_matplotlib_obeys_no_text(text):
    marks = [repair_figure.RepairMarks(text, [Interval(0.5, 0.2, 0.8, 4)] * 3)]
    figures = [
        chart.paper_chart(_chart(text, categories=True)),
        chart.paper_chart(_chart(text, categories=False)),
        repair_figure.repair_figure(marks),
    ]
    for figure in figures:
        assert not any(
            each.get_parse_math() for each in figure.findobj(Text) if "$" in each.get_text()
        )
    axis = figures[1].axes[0].xaxis.label
    assert axis.get_text() == text.strip()
    (legend,) = figures[1].legends
    assert legend.get_texts()[0].get_text().strip() == text.strip()
    figures[2].draw_without_rendering()
