"""Draw a figure for a paper: maps with reference path and agent path, as SVG, PDF or PNG."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from typing import Literal

from navviz.records.walker import eyes
from navviz.support.installation.extras import needs_extra
from navviz.views import palette
from navviz.views.figures.figure_panels import FigureEpisode, MapPanel, panels_of

with needs_extra("figures"):
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

    from navviz.views.figures.figure_maps import (
        STRIP_IN,
        draw_panel,
        fitted,
        legend_handles,
    )
    from navviz.views.figures.print_type import FONT_PT, drawable, print_type
    from navviz.views.figures.view_row import FigureView, draw_row, row_height_in

FigureFormat = Literal["svg", "pdf", "png"]
FigureWidth = Literal["single", "double"]

WIDTHS_IN = {"single": 3.5, "double": 7.16}
"""Width of one column and of two, in inches, as IEEE and ACM print them."""
_DPI = 300
"""For PNG only; the least that IEEE and ACM take."""
_TITLE_IN, _GAP_IN, _EDGE_IN = 0.17, 0.1, 0.03
_TALLEST = 1.3
"""Height of a panel as a share of its width, at most; the least is half of it."""
_HIGHEST_IN = 3.5
"""Height of one episode in one column: with its caption, a figure then takes a third of a page."""
_LEGEND_SHARE = 0.1
"""Of the figure's area, the most that its legend takes."""
_LINE_IN = 1.25 * FONT_PT / 72
"""Height of a line of text; 1.25 is matplotlib's own leading."""


def episodes_figure(
    episodes: Sequence[FigureEpisode],
    *,
    width: FigureWidth = "single",
    labels: bool = True,
    views: Sequence[FigureView] = (),
) -> Figure:
    """Draw episodes as panels of one figure, indoors one panel a floor.

    All text is 8 pt where the figure is printed at its own width. Scale bar and north arrow stand
    under each panel, the legend and the source of the map data under all of them.

    Parameters
    ----------
    episodes
        One or more.
    width
        One column (3.5 in) or two (7.16 in); the height follows from the paths' extents, and is at
        most 3.5 in, views aside, for one episode in one column.
    labels
        Whether landmarks and rooms are named. A label that fits nowhere without touching a path, a
        symbol or another label is left out.
    views
        What the agent saw at some steps (`views_of`), in a row beneath the maps.
    """
    panels: list[MapPanel] = []
    for k, episode in enumerate(episodes):
        # The caption names a single episode.
        name = f"({_letter(k)}) {episode.trace.episode.id}" if len(episodes) > 1 else ""
        panels += panels_of(episode, name, labels=labels)
    figure = Figure(figsize=(WIDTHS_IN[width], 1.0), dpi=_DPI)
    # a canvas of its own: pyplot keeps its figures in one list for all threads
    FigureCanvasAgg(figure)
    with print_type():
        small = width == "single" and len(episodes) == 1
        highest = _HIGHEST_IN if small else None
        _compose(figure, panels, _credits(episodes), views, labels=labels, highest=highest)
    return figure


def figure_bytes(figure: Figure, kind: FigureFormat, dpi: int = _DPI) -> bytes:
    """Return the figure as a file; the same episode gives the same bytes (no date in it)."""
    buffer = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    # without a salt the ids in an SVG are random; 42 puts TrueType fonts into a PDF, since many
    # publishers refuse Type 3, matplotlib's default
    with mpl.rc_context({"svg.hashsalt": "navviz", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure.savefig(buffer, format=kind, dpi=dpi, metadata=metadata)
    return buffer.getvalue()


def _letter(k: int) -> str:
    return (chr(ord("a") + k // 26 - 1) if k >= 26 else "") + chr(ord("a") + k % 26)


def _credits(episodes: Sequence[FigureEpisode]) -> str:
    """Return what stands at the foot, each once: what the agents saw, and the sources that a map
    must name (ODbL, section 4.3).
    """
    lines: list[str | None] = []
    for episode in episodes:
        header = episode.trace.header
        # a figure leaves its page: whose walk it shows must not depend on the text around it
        shown = eyes(header)
        lines.append(f"{header.navigator}: {shown}" if shown else None)
    lines += [episode.graph.info.attribution for episode in episodes]
    return "; ".join(dict.fromkeys(line for line in lines if line))


def _compose(
    figure: Figure,
    panels: Sequence[MapPanel],
    credit: str,
    views: Sequence[FigureView],
    *,
    labels: bool,
    highest: float | None = None,
) -> None:
    """Place panels in rows, from the top, over the views, legend and credit.

    All but the views is at most `highest` inches high.
    """
    width = figure.get_figwidth()
    columns = _columns(len(panels), width)
    each = (width - 2 * _EDGE_IN - (columns - 1) * _GAP_IN) / columns
    rows = [panels[k : k + columns] for k in range(0, len(panels), columns)]
    heights: list[float] = []
    heads: list[float] = []
    for row in rows:
        heights.append(max(_height(panel, each) for panel in row))
        heads.append(_TITLE_IN if any(panel.title for panel in row) else 0.0)
    legend = _legend(figure, panels)
    legend_in = legend.get_window_extent().height / figure.dpi if legend is not None else 0.0
    # 0.6: about the width of a letter, as a share of the type's size
    lines = textwrap.wrap(drawable(credit), max(int(width * 72 / (0.6 * FONT_PT)), 1))
    foot = len(lines) * _LINE_IN + 0.03
    strips = len(rows) * (STRIP_IN + _GAP_IN)
    around = _EDGE_IN + sum(heads) + strips + legend_in + foot
    if highest is not None:
        # the maps give way, or take room: their scale follows from the box, type keeps its size
        least = _legend_area(figure, legend) / (_LEGEND_SHARE * width)
        wanted = min(max(around + sum(heights), least), highest)
        share = (wanted - around) / sum(heights)
        heights = [height * share for height in heights]
    total = around + sum(heights) + row_height_in(views, width)
    figure.set_size_inches(width, total)
    right, bottom = 1 - _EDGE_IN / width, 0.025 / total
    source = figure.text(right, bottom, "\n".join(lines), color=palette.MUTE)
    source.set(ha="right", va="bottom")
    if legend is not None:
        legend.set_bbox_to_anchor((0.5, foot / total))
    top = total - _EDGE_IN
    for row, height, head in zip(rows, heights, heads, strict=True):
        for k, panel in enumerate(row):
            left = _EDGE_IN + k * (each + _GAP_IN)
            if panel.title:
                words = fitted(figure, drawable(panel.title), each)
                title = figure.text(left / width, (top - 0.02) / total, words, weight="bold")
                title.set(va="top", color=palette.INK)
            draw_panel(figure, panel, (left, top - head - height, each, height), labels=labels)
        top -= head + height + STRIP_IN + _GAP_IN
    if views:
        draw_row(figure, views, top)


def _legend_area(figure: Figure, legend: Legend | None) -> float:
    """Return how much of the paper a legend takes, in square inches."""
    if legend is None:
        return 0.0
    extent = legend.get_window_extent()
    return float(extent.width * extent.height) / figure.dpi**2


def _columns(count: int, width: float) -> int:
    """Return two panels a row in one column, three in two; four stand in a square."""
    return min(count, 2) if width < 5 or count == 4 else min(count, 3)


def _height(panel: MapPanel, width: float) -> float:
    span = panel.high - panel.low
    return width * min(max(float(span[1] / span[0]), 0.5 * _TALLEST), _TALLEST)


def _legend(figure: Figure, panels: Sequence[MapPanel]) -> Legend | None:
    """Make the legend with as many columns as fit."""
    # long names share a column, so that the others are narrow and one more column fits
    handles = sorted(legend_handles(panels), key=lambda handle: len(str(handle.get_label())) > 12)
    for columns in range(min(len(handles), 6), 0, -1):
        legend = figure.legend(
            handles=handles,
            loc="lower center",
            ncols=columns,
            frameon=False,
            borderpad=0.1,
            borderaxespad=0.0,
            handlelength=1.5,
            handletextpad=0.4,
            columnspacing=0.8,
            labelspacing=0.1,
            bbox_to_anchor=(0.5, 0.0),
        )
        if legend.get_window_extent().width <= figure.bbox.width or columns == 1:
            return legend
        legend.remove()
    return None
