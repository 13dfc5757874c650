"""Draw a panel of a figure with matplotlib: streets, paths, symbols, labels, scale bar, legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, product
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon
from matplotlib.text import Text
from numpy.typing import NDArray

from navviz.views import palette
from navviz.views.figures.figure_panels import MapPanel, MarkKind, Named, PlaceKind
from navviz.views.figures.label_boxes import Box, LabelBox, place_boxes
from navviz.views.figures.print_type import FONT_PT, drawable
from navviz.views.player.pictures import floor_pixels

STRIP_IN = 0.2
"""Height of the strip under a panel with scale bar and north arrow."""
_GROUND_ALPHA = 0.55
"""Of a floor's picture: paths and labels must stand out in print."""
_WRAP = 22
"""Characters of a label's line."""

_MARKS: Mapping[MarkKind, dict[str, Any]] = {
    "goal": {
        "marker": "*",
        "ms": 13,
        "color": palette.REFERENCE,
        "mec": palette.PAPER,
        "mew": 0.7,
        "zorder": 5,
    },
    "stop": {
        "marker": "s",
        "ms": 5.5,
        "color": palette.AGENT,
        "mec": palette.PAPER,
        "mew": 0.8,
        "zorder": 6,
    },
    "start": {
        "marker": "o",
        "ms": 6,
        "mfc": palette.PAPER,
        "mec": palette.INK,
        "mew": 1.4,
        "zorder": 6,
    },
    "divergence": {
        "marker": "D",
        "ms": 8.5,
        "mfc": "none",
        "mec": palette.BAD,
        "mew": 1.5,
        "zorder": 7,
    },
    "stairs": {
        "marker": "^",
        "ms": 5,
        "color": palette.MUTE,
        "mec": palette.PAPER,
        "mew": 0.6,
        "zorder": 5,
    },
}
"""The divergence is hollow: it often stands where the agent stopped or the route began."""
_DIVERGENCE_KEY = {"ms": 5.0, "mew": 1.3}
"""The divergence in the legend, whose lines stand 9 pt apart: a larger one would touch another."""
_PLACES: Mapping[PlaceKind, dict[str, Any]] = {
    "landmark": {
        "marker": "o",
        "ms": 4,
        "color": palette.PLACE,
        "mec": palette.PAPER,
        "mew": 0.6,
        "zorder": 5,
    },
    "missed": {
        "marker": "o",
        "ms": 4,
        "mfc": palette.PAPER,
        "mec": palette.PLACE,
        "mew": 1.0,
        "zorder": 5,
    },
    "guess": {
        "marker": "X",
        "ms": 5.5,
        "color": palette.BAD,
        "mec": palette.PAPER,
        "mew": 0.5,
        "zorder": 5.5,
    },
}
_PLACE_NAMES: Mapping[PlaceKind, str] = {
    "landmark": "landmark",
    "missed": "unrecognised landmark",
    "guess": "wrong guess of a landmark",
}
_STEP: dict[str, Any] = {
    "marker": "o",
    "ms": 3.6,
    "mfc": palette.PAPER,
    "mec": palette.AGENT,
    "mew": 1.0,
    "zorder": 4.6,
}
_REFERENCE: dict[str, Any] = {
    "color": palette.REFERENCE,
    "lw": 3.6,
    "ls": (0, (1.0, 0.6)),
    "dash_capstyle": "butt",
    "zorder": 3,
}
_AGENT: dict[str, Any] = {"color": palette.AGENT, "lw": 1.4, "solid_capstyle": "round", "zorder": 4}


def fitted(figure: Figure, text: str, width_in: float) -> str:
    """Shorten a text until it fits into a width, with an ellipsis."""
    probe = figure.text(0, 0, text, weight="bold")
    shown = text
    while len(shown) > 1 and probe.get_window_extent().width > width_in * figure.dpi:
        # two: the ellipsis of the last round and the letter before it
        shown = shown[:-2].rstrip(" ,") + "…"
        probe.set_text(shown)
    probe.remove()
    return shown


def legend_handles(panels: Sequence[MapPanel]) -> list[Line2D | Circle]:
    """Return legend entries for the kinds of marks that the panels show, each once."""
    handles: list[Line2D | Circle] = []
    if any(panel.reference for panel in panels):
        handles.append(Line2D([], [], label="reference", **_REFERENCE))
    if any(panel.walked for panel in panels):
        handles.append(Line2D([], [], label="agent", **_AGENT))
    marks = chain.from_iterable(panel.marks for panel in panels)
    shown = {kind for kind, _ in marks}
    kinds = list(dict.fromkeys(panel.divergence for panel in panels if panel.divergence))
    names: dict[MarkKind, str] = {
        "start": "start",
        "stop": "stop",
        "goal": "goal",
        "divergence": f"divergence ({kinds[0]})" if len(kinds) == 1 else "divergence",
        "stairs": "to another floor",
    }
    looks = {**_MARKS, "divergence": {**_MARKS["divergence"], **_DIVERGENCE_KEY}}
    handles += [_symbol(name, looks[kind]) for kind, name in names.items() if kind in shown]
    disc: dict[str, Any] = {
        "marker": "o",
        "ms": 8,
        "mfc": mpl.colors.to_rgba(palette.REFERENCE, 0.18),
        "mec": palette.REFERENCE,
        "mew": 0.5,
    }
    for radius_m in sorted({panel.radius_m for panel in panels if _has_radius(panel)}):
        handles.append(_symbol(f"success radius {radius_m:g} m", disc))
    if any(panel.steps for panel in panels):
        handles.append(_symbol("step", _STEP))
    places = chain.from_iterable(panel.places for panel in panels)
    place_kinds = {place.kind for place in places}
    for kind, name in _PLACE_NAMES.items():
        if kind in place_kinds:
            handles.append(_symbol(name, _PLACES[kind]))
    return handles


def _symbol(label: str, look: Mapping[str, Any]) -> Line2D:
    return Line2D([], [], ls="none", label=label, **look)


def _has_radius(panel: MapPanel) -> bool:
    return panel.radius_m > 0 and any(kind == "goal" for kind, _ in panel.marks)


def draw_panel(
    figure: Figure, panel: MapPanel, box_in: tuple[float, float, float, float], *, labels: bool
) -> None:
    """Draw a panel and the strip under it."""
    width, height = figure.get_size_inches()
    left, bottom, wide, high = box_in
    axes = figure.add_axes((left / width, bottom / height, wide / width, high / height))
    span_m = panel.high - panel.low
    # one scale for both axes: that of the side with less room
    m_per_in = max(float(span_m[0]) / wide, float(span_m[1]) / high)
    middle = (panel.low + panel.high) / 2
    axes.set_xlim(middle[0] - wide * m_per_in / 2, middle[0] + wide * m_per_in / 2)
    axes.set_ylim(middle[1] - high * m_per_in / 2, middle[1] + high * m_per_in / 2)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set(color=palette.STREET, linewidth=0.5)
    pixels = None if panel.ground is None else floor_pixels(panel.ground)
    if panel.ground is not None and pixels is not None:
        west, south, east, north = panel.ground.box_m
        axes.imshow(
            np.asarray(pixels.convert("RGBA")),
            extent=(west, east, south, north),
            alpha=_GROUND_ALPHA,
            # else `imshow` changes the shape of the axes, and the scale bar would be wrong
            aspect="auto",
            zorder=0.2,
        )
    for room in panel.rooms:
        # a picture of the floor shows the walls itself
        if room.outline is not None and pixels is None:
            walls = Polygon(room.outline, fc="none", ec=palette.NODE, lw=0.6, zorder=0.5)
            axes.add_patch(walls)
    streets = LineCollection(list(panel.streets), colors=palette.STREET, linewidths=1.1, zorder=1)
    # streets reach beyond the panel, whose limits are set
    axes.add_collection(streets, autolim=False)
    if _has_radius(panel):
        goal = next(at for kind, at in panel.marks if kind == "goal")
        fill = mpl.colors.to_rgba(palette.REFERENCE, 0.12)
        disc = Circle(goal, panel.radius_m, fc=fill, ec=palette.REFERENCE, lw=0.5, zorder=2)
        axes.add_patch(disc)
    for line in panel.reference:
        axes.plot(*line.T, **_REFERENCE)
    for line in panel.walked:
        axes.plot(*line.T, **_AGENT)
    for kind, at in panel.marks:
        axes.plot(*at, ls="none", **_MARKS[kind])
    for place in panel.places:
        axes.plot(*place.at, ls="none", **_PLACES[place.kind])
    for step in panel.steps:
        axes.plot(*step.at, ls="none", **_STEP)
    _labels(axes, panel, names=labels)
    _strip(figure, panel, box_in, m_per_in)


def _labels(axes: Axes, panel: MapPanel, *, names: bool) -> None:
    """Write step numbers and names of landmarks and rooms; omit labels that would cover a mark."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return
    pt = 72 / figure.dpi
    # in the order of importance: what comes later gives way
    wanted = [(step, palette.AGENT) for step in panel.steps]
    if names:
        wanted += [(place, _place_colour(place)) for place in panel.places]
        wanted += [(room, palette.MUTE) for room in panel.rooms if room.name]
    texts: list[Text] = []
    labels: list[LabelBox] = []
    for named, colour in wanted:
        text = axes.text(0, 0, _wrapped(drawable(named.name)), fontsize=FONT_PT, zorder=8)
        text.set(ha="center", va="center", linespacing=1.0)
        text.set(color=colour, weight="bold" if colour == palette.AGENT else "normal")
        extent = text.get_window_extent()
        x, y = (axes.transData.transform(named.at) * pt).tolist()
        size = (extent.width * pt, extent.height * pt)
        labels.append(LabelBox((x, y), size, _room_box(axes, named, pt)))
        texts.append(text)
    frame = axes.bbox
    area = (frame.x0 * pt + 1, frame.y0 * pt + 1, frame.x1 * pt - 1, frame.y1 * pt - 1)
    placed = place_boxes(labels, area, _segments(axes, panel, pt), _symbols(axes, panel, pt))
    back = axes.transData.inverted()
    for text, where in zip(texts, placed, strict=True):
        if where is None or not text.get_text():
            text.remove()
            continue
        x0, y0, x1, y1 = where.box
        text.set_position(tuple(back.transform(((x0 + x1) / 2 / pt, (y0 + y1) / 2 / pt))))
        text.set_bbox({"fc": mpl.colors.to_rgba(palette.PAPER, 0.8), "ec": "none", "pad": 0.6})
        if where.leader is not None:
            ends = back.transform(np.array(where.leader) / pt)
            # over both paths, under every symbol
            axes.plot(*ends.T, color=palette.MUTE, lw=0.5, zorder=4.5)


def _place_colour(place: Named) -> str:
    return palette.BAD if place.kind == "guess" else palette.INK


def _room_box(axes: Axes, named: Named, pt: float) -> Box | None:
    """Box of a room in points; its name stays inside."""
    if named.outline is None:
        return None
    corners = axes.transData.transform(named.outline) * pt
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return x0, y0, x1, y1


def _wrapped(text: str) -> str:
    """Break a long name into two lines of about the same length."""
    if len(text) <= _WRAP or " " not in text:
        return text
    breaks = [k for k, character in enumerate(text) if character == " "]
    k = min(breaks, key=lambda at: abs(at - len(text) / 2))
    return f"{text[:k]}\n{text[k + 1 :]}"


def _segments(axes: Axes, panel: MapPanel, pt: float) -> NDArray[np.float64]:
    """Both paths as segments in points; a path of one node is a segment without length."""
    parts = [np.empty((0, 4))]
    for line in (*panel.reference, *panel.walked):
        ends = axes.transData.transform(line if len(line) > 1 else np.vstack([line, line])) * pt
        parts.append(np.hstack([ends[:-1], ends[1:]]))
        # 1.8 pt, half the width of the reference's line, keeps labels off it on both sides.
        parts += [parts[-1] + shift for shift in 1.8 * _ASIDE]
    return np.vstack(parts)


_ASIDE = np.array([[1, 0, 1, 0], [-1, 0, -1, 0], [0, 1, 0, 1], [0, -1, 0, -1]], dtype=float)


def _symbols(axes: Axes, panel: MapPanel, pt: float) -> list[Box]:
    """Boxes of all symbols in points."""
    sized = [(at, float(_MARKS[kind]["ms"])) for kind, at in panel.marks]
    sized += [(place.at, float(_PLACES[place.kind]["ms"])) for place in panel.places]
    sized += [(step.at, float(_STEP["ms"])) for step in panel.steps]
    boxes = []
    for at, size in sized:
        x, y = axes.transData.transform(at) * pt
        half = size / 2 + 0.5
        boxes.append((x - half, y - half, x + half, y + half))
    return boxes


def _strip(
    figure: Figure, panel: MapPanel, box_in: tuple[float, float, float, float], m_per_in: float
) -> None:
    """Draw scale bar and north arrow under a map, where they cover nothing."""
    left, bottom, wide, _ = box_in
    lengths = [digit * power for power, digit in product((1, 10, 100, 1000, 10_000), (1, 2, 5))]
    length_m = next((m for m in reversed(lengths) if m <= 0.4 * wide * m_per_in), lengths[0])
    y, end = bottom - STRIP_IN / 2, left + length_m / m_per_in
    inches = figure.dpi_scale_trans
    ticks = ([left, left, end, end], [y + 0.03, y - 0.03, y - 0.03, y + 0.03])
    ink: dict[str, Any] = {"transform": inches, "color": palette.INK}
    figure.add_artist(Line2D(*ticks, lw=1.0, solid_joinstyle="miter", **ink))
    middle: dict[str, Any] = ink | {"va": "center_baseline", "fontsize": FONT_PT}
    figure.text(end + 0.05, y, f"{length_m} m", **middle)
    if panel.has_north:
        x = left + wide - 0.04
        figure.add_artist(Line2D([x, x], [y - 0.07, y + 0.03], lw=1.0, **ink))
        figure.add_artist(Line2D([x], [y + 0.04], marker="^", ms=4, **ink))
        figure.text(x - 0.06, y, "N", ha="right", **middle)
