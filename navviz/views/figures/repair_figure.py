"""A report of repairs as a figure for a paper: each cause's repair, chance and placebo."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from navviz.metrics.intervals import Interval
from navviz.support.installation.extras import needs_extra
from navviz.views import palette

with needs_extra("figures"):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from navviz.views.figures.figure import WIDTHS_IN, FigureWidth
    from navviz.views.figures.print_type import drawable, print_type

_DPI = 300
_ROW_IN, _HEAD_IN = 0.52, 0.85
"""Height of a cause with its three marks; of the legend and the axis."""
_SHIFT = 0.24
_LABEL_CHARACTERS = {"single": 22, "double": 44}
_COUNT_PT = 6


@dataclass(frozen=True, slots=True)
class ArmMark:
    """How an arm is drawn: told apart without colour too, by shape and filling."""

    name: str
    colour: str
    marker: str
    filled: bool


ARM_MARKS = (
    ArmMark("repaired", palette.REFERENCE, "o", filled=True),
    ArmMark("chance", palette.MUTE, "x", filled=True),
    ArmMark("placebo", palette.AGENT, "D", filled=False),
)


@dataclass(frozen=True, slots=True)
class RepairMarks:
    """One cause with one kind of repair."""

    label: str
    shares: Sequence[Interval | None]
    """Of the arms in the order of `ARM_MARKS`; ``None`` where nothing was walked."""


def repair_figure(rows: Sequence[RepairMarks], width: FigureWidth = "single") -> Figure:
    """Draw shares that now succeed with 95 % intervals, a row for each cause, all text 8 pt.

    Beside each mark stands how many succeed of how many.
    """
    inches = WIDTHS_IN[width]
    with print_type():
        height = _HEAD_IN + _ROW_IN * max(len(rows), 1)
        figure = Figure(figsize=(inches, height), dpi=_DPI, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        for number, mark in enumerate(ARM_MARKS):
            named = False
            for place, row in enumerate(rows):
                share = row.shares[number]
                if share is None:
                    continue
                y = place + (number - 1) * _SHIFT
                low = share.mean if share.low is None else share.low
                high = share.mean if share.high is None else share.high
                axes.errorbar(
                    [100 * share.mean],
                    [y],
                    xerr=[[100 * (share.mean - low)], [100 * (high - share.mean)]],
                    fmt=mark.marker,
                    color=mark.colour,
                    markerfacecolor=mark.colour if mark.filled else "white",
                    markersize=4,
                    elinewidth=0.8,
                    capsize=2,
                    clip_on=False,  # a mark at 0 % or 100 % would be cut in half
                    # one entry in the legend, however many causes have this arm
                    label=None if named else mark.name,
                )
                named = True
                succeeded = round(share.mean * share.episodes)
                # the axis ends at 100: out there the text covers no mark
                axes.annotate(
                    f"{succeeded}/{share.episodes}",
                    (102, y),
                    va="center",
                    ha="left",
                    fontsize=_COUNT_PT,
                    color=mark.colour,
                    annotation_clip=False,
                )
        characters = _LABEL_CHARACTERS[width]
        labels = [textwrap.fill(drawable(row.label), characters) for row in rows]
        axes.set_yticks(range(len(rows)), labels)
        # downwards, so that the first cause stands on top
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.set_xlabel("now succeed (%)")
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=palette.STREET, linewidth=0.6)
        axes.set_axisbelow(True)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        figure.legend(loc="outside upper right", ncols=3, frameon=False, handletextpad=0.3)
    return figure
