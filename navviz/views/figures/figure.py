"""Draw a figure for a paper: maps with reference path and agent path, as SVG, PDF or PNG."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.errors import SettingsError
from navviz.observations.agent_pictures import pixels_seen
from navviz.observations.pictures.films import WalkPictures
from navviz.records import Step, Trace
from navviz.records.walker import eyes
from navviz.support.installation.extras import needs_extra
from navviz.views import palette
from navviz.views.figures.figure_panels import FigureEpisode, MapPanel, panels_of
from navviz.world.graph import Graph

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
        # the foot names, each once, what the agents saw and a map's sources (ODbL, section 4.3)
        lines: list[str | None] = []
        for episode in episodes:
            header = episode.trace.header
            # a figure leaves its page: whose walk it shows must not depend on the text around it
            shown = eyes(header)
            lines.append(f"{header.navigator}: {shown}" if shown else None)
        lines += [episode.graph.info.attribution for episode in episodes]
        _compose(
            figure,
            panels,
            "; ".join(dict.fromkeys(line for line in lines if line)),
            views,
            labels=labels,
            highest=highest,
        )
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


def _compose(
    figure: Figure,
    panels: Sequence[MapPanel],
    credit: str,
    views: Sequence[FigureView],
    *,
    labels: bool,
    highest: float | None = None,
) -> None:
    """Place panels in rows, from the top, over the views, legend and credit."""
    # all but the views is at most `highest` inches high
    width = figure.get_figwidth()
    # four stand in a square
    count = len(panels)
    columns = min(count, 2) if width < 5 or count == 4 else min(count, 3)
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


with needs_extra("figures"):
    from matplotlib.figure import Figure


MOST_VIEWS = 5
"""Of one row: a sixth would be 0.5 in wide in one column, too small to see anything in."""

_LEAST_COLUMNS = 3
"""One or two views are no wider than three would be: the map stays the figure."""

_VIEW_GAP_IN, _VIEW_EDGE_IN, _VIEW_TITLE_IN = 0.06, 0.03, 0.16

_TALLEST_VIEW = 1.0
"""Height of a view as a share of its width; a taller picture is cut above and below."""


@dataclass(frozen=True, slots=True)
class FigureView:
    """What the agent saw at one step."""

    step: int
    pixels: NDArray[np.uint8]
    """``(height, width, 3)``."""


def views_of(
    trace: Trace, graph: Graph, pictures: WalkPictures, steps: Sequence[int]
) -> tuple[FigureView, ...]:
    """Take what the agent saw at some steps, towards where it went.

    Raises `SettingsError` for more than five steps, or naming a step without a picture;
    `InputError` where a picture is broken.
    """
    wanted = sorted(set(steps))
    if len(wanted) > MOST_VIEWS:
        raise SettingsError(
            f"{len(wanted)} views do not fit in a row: name at most {MOST_VIEWS} steps."
        )
    taken = []
    for number, step in enumerate(trace.steps):
        if step.index not in wanted:
            continue
        pixels = None
        for seen in pictures.of_step(step, number):
            pixels = pixels_seen(seen, pictures.folders, _towards(step, graph))
            if pixels is not None:
                break
        if pixels is None:
            raise SettingsError(
                f"Step {step.index} has no picture in the opened folders: name the folder of the"
                " pictures with --pictures, or another step."
            )
        taken.append(FigureView(step.index, pixels))
    return tuple(taken)


def _towards(step: Step, graph: Graph) -> float:
    """Return where the agent went, else where it looked: a cube can be cut in any direction."""
    target = step.decision.target if step.decision is not None else None
    if target is None and step.path:
        target = step.path[-1]
    here = step.node
    if here in graph and target in graph and here != target:
        return graph.heading_deg(str(here), str(target))
    return step.heading_deg or 0.0


def row_height_in(views: Sequence[FigureView], width_in: float) -> float:
    """Return the height that a row needs, its titles with it; 0 for no views."""
    if not views:
        return 0.0
    each = _each_in(len(views), width_in)
    return _VIEW_TITLE_IN + max(each * _shape(view) for view in views) + _VIEW_GAP_IN


def _each_in(count: int, width_in: float) -> float:
    columns = max(count, _LEAST_COLUMNS)
    return (width_in - 2 * _VIEW_EDGE_IN - (columns - 1) * _VIEW_GAP_IN) / columns


def _shape(view: FigureView) -> float:
    """Height by width, as it is drawn."""
    high, wide = view.pixels.shape[:2]
    return min(float(high / wide), _TALLEST_VIEW)


def draw_row(figure: Figure, views: Sequence[FigureView], top_in: float) -> None:
    """Draw the views side by side, in the middle of the figure, from a height on."""
    width, total = figure.get_size_inches()
    each = _each_in(len(views), width)
    row = len(views) * each + (len(views) - 1) * _VIEW_GAP_IN
    left = (width - row) / 2
    for view in views:
        height = each * _shape(view)
        bottom = top_in - _VIEW_TITLE_IN - height
        title = figure.text(left / width, top_in / total, f"step {view.step}", weight="bold")
        title.set(va="top", color=palette.INK)
        axes = figure.add_axes((left / width, bottom / total, each / width, height / total))
        # the pixels are those of the print already, and the axes have their shape
        axes.imshow(_printed(view, each), interpolation="none", aspect="auto")
        axes.set_xticks([])
        axes.set_yticks([])
        for side in axes.spines.values():
            side.set(linewidth=0.5, color=palette.MUTE)
        left += each + _VIEW_GAP_IN


def _printed(view: FigureView, width_in: float) -> NDArray[np.uint8]:
    """Return the pixels that print can show: a file of 36 megapixels helps nobody."""
    from PIL import Image  # 0.05 s, and most figures have no picture

    high, wide = view.pixels.shape[:2]
    kept = min(high, round(wide * _TALLEST_VIEW))
    first = (high - kept) // 2
    image = Image.fromarray(view.pixels[first : first + kept])
    most = max(1, round(width_in * _DPI))
    image.thumbnail((most, round(most * _TALLEST_VIEW)), reducing_gap=2.0)
    return np.asarray(image)
