"""A row of views beneath the maps of a figure: what the agent saw at some of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navviz.errors import SettingsError
from navviz.observations.agent_pictures import pixels_seen
from navviz.observations.pictures.episode import WalkPictures
from navviz.records import Step, Trace
from navviz.support.installation.extras import needs_extra
from navviz.views import palette
from navviz.world.graph import Graph

with needs_extra("figures"):
    from matplotlib.figure import Figure

MOST_VIEWS = 5
"""Of one row: a sixth would be 0.5 in wide in one column, too small to see anything in."""
_LEAST_COLUMNS = 3
"""One or two views are no wider than three would be: the map stays the figure."""
_GAP_IN, _EDGE_IN, _TITLE_IN = 0.06, 0.03, 0.16
_TALLEST = 1.0
"""Height of a view as a share of its width; a taller picture is cut above and below."""
_DPI = 300


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

    Raises
    ------
    SettingsError
        For more than five steps, or for a step without a picture; naming it.
    InputError
        Where a picture is broken.
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
    return _TITLE_IN + max(each * _shape(view) for view in views) + _GAP_IN


def _each_in(count: int, width_in: float) -> float:
    columns = max(count, _LEAST_COLUMNS)
    return (width_in - 2 * _EDGE_IN - (columns - 1) * _GAP_IN) / columns


def _shape(view: FigureView) -> float:
    """Height by width, as it is drawn."""
    high, wide = view.pixels.shape[:2]
    return min(float(high / wide), _TALLEST)


def draw_row(figure: Figure, views: Sequence[FigureView], top_in: float) -> None:
    """Draw the views side by side, in the middle of the figure, from a height on."""
    width, total = figure.get_size_inches()
    each = _each_in(len(views), width)
    row = len(views) * each + (len(views) - 1) * _GAP_IN
    left = (width - row) / 2
    for view in views:
        height = each * _shape(view)
        bottom = top_in - _TITLE_IN - height
        title = figure.text(left / width, top_in / total, f"step {view.step}", weight="bold")
        title.set(va="top", color=palette.INK)
        axes = figure.add_axes((left / width, bottom / total, each / width, height / total))
        # the pixels are those of the print already, and the axes have their shape
        axes.imshow(_printed(view, each), interpolation="none", aspect="auto")
        axes.set_xticks([])
        axes.set_yticks([])
        for side in axes.spines.values():
            side.set(linewidth=0.5, color=palette.MUTE)
        left += each + _GAP_IN


def _printed(view: FigureView, width_in: float) -> NDArray[np.uint8]:
    """Return the pixels that print can show: a file of 36 megapixels helps nobody."""
    from PIL import Image  # 0.05 s, and most figures have no picture

    high, wide = view.pixels.shape[:2]
    kept = min(high, round(wide * _TALLEST))
    first = (high - kept) // 2
    image = Image.fromarray(view.pixels[first : first + kept])
    most = max(1, round(width_in * _DPI))
    image.thumbnail((most, round(most * _TALLEST)), reducing_gap=2.0)
    return np.asarray(image)
