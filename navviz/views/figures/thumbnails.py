"""Path thumbnails: small SVGs of reference path versus agent path, coloured by outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from navviz.world.graph import Graph
from navviz.world.link_lines import metric_line_of

_SIZE = 96.0
_MARGIN = 10.0
_TOLERANCE_PX = 0.6
"""Simplifies paths (Douglas-Peucker) below what a thumbnail can show; 700 of them are sent at once.
"""

_Place = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def thumbnail_svg(
    graph: Graph,
    reference: Sequence[str],
    walked: Sequence[str],
    outcome: str,
    title: str,
    legs: Sequence[tuple[str | None, Sequence[str]]] = (),
) -> str:
    """Small SVG of a reference path (dashed) and an agent path (solid), north (indoors: +y) up.

    Parameters
    ----------
    graph
        Both paths lie on it; nodes that it does not have are left out.
    reference, walked
        Node ids.
    outcome
        ``success``, ``failure`` or ``unknown``: the class that colours it (see ``player.css``).
    title
        Told to screen readers and shown as a tooltip; escaped here.
    legs
        The walk in parts, each with a colour of its own (``None``: that of the outcome).

    Returns
    -------
    An ``<svg>`` element of 96 x 96 units, without size, so that it scales with its box.
    """
    ref, own, place = _fitted(graph, reference, walked)
    parts = [
        (
            f'<svg class="thumb {escape(outcome)}" viewBox="0 0 96 96"'
            f' role="img"><title>{escape(title)}</title>'
        )
    ]
    if len(ref):
        at = place(ref)
        parts.append(f'<polyline class="ref" points="{_text(at)}"/>')
        parts.append(f'<circle class="goal" cx="{at[-1, 0]:.1f}" cy="{at[-1, 1]:.1f}" r="4.5"/>')
    if len(own):
        at = place(own)
        if not any(colour for colour, _ in legs):
            parts.append(f'<polyline class="agent" points="{_text(at)}"/>')
        for colour, nodes in legs if any(colour for colour, _ in legs) else ():
            style = f' style="stroke:{escape(colour)}"' if colour else ""
            parts.append(
                f'<polyline class="agent"{style} points="{_text(place(_points(graph, nodes)))}"/>'
            )
        parts.append(f'<circle class="start" cx="{at[0, 0]:.1f}" cy="{at[0, 1]:.1f}" r="3"/>')
        parts.append(_stop_mark(float(at[-1, 0]), float(at[-1, 1]), outcome))
    return "".join(parts) + "</svg>"


def thumbnail_points(
    graph: Graph,
    reference: Sequence[str],
    walked: Sequence[str],
    legs: Sequence[tuple[str | None, Sequence[str]]] = (),
) -> dict[str, object]:
    """Return what `thumbnail_svg` draws as numbers, for a page that draws it itself.

    Parameters are those of `thumbnail_svg`.

    Returns
    -------
    ``r`` and ``a``, reference and agent path as flat ``x, y`` in a box of 96 units; ``l``, where
    legs have colours, pairs of a colour and such a path.
    """
    ref, own, place = _fitted(graph, reference, walked)
    points: dict[str, object] = {"r": _flat(place, ref), "a": _flat(place, own)}
    if any(colour for colour, _ in legs):
        coloured = []
        for colour, nodes in legs:
            coloured.append([colour, _flat(place, _points(graph, nodes))])
        points["l"] = coloured
    return points


def _flat(place: _Place, points: NDArray[np.float64]) -> list[float]:
    if not len(points):
        return []
    flat: list[float] = place(points).round(1).ravel().tolist()
    return flat


def _fitted(
    graph: Graph, reference: Sequence[str], walked: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64], _Place]:
    """Return both paths in metres, and what places metres in the box."""
    ref, own = _points(graph, reference), _points(graph, walked)
    every = np.vstack([points for points in (ref, own) if len(points)] or [np.zeros((1, 2))])
    low, high = every.min(axis=0), every.max(axis=0)
    # a walk that never moved has no extent, and no scale: a metre at least
    scale = (_SIZE - 2 * _MARGIN) / max(float((high - low).max()), 1.0)
    offset = (_SIZE - (high - low) * scale) / 2

    def place(points: NDArray[np.float64]) -> NDArray[np.float64]:
        at = (points - low) * scale + offset
        # SVG counts y downwards
        at[:, 1] = _SIZE - at[:, 1]
        return _simplified(at)

    return ref, own, place


def _stop_mark(x: float, y: float, outcome: str) -> str:
    """Return a dot; a cross for a failure, so that colour is not the only sign."""
    if outcome != "failure":
        return f'<circle class="stop" cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>'
    return f'<path class="cross" d="M{x - 3:.1f},{y - 3:.1f}l6,6m0,-6l-6,6"/>'


def _points(graph: Graph, path: Sequence[str]) -> NDArray[np.float64]:
    return metric_line_of(graph, path)


def _simplified(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Drop points that lie within a fraction of a pixel of the line between those kept before and
    next to them.

    shapely's `simplify` takes a third of the time, 0.1 ms less a thumbnail, and would be needed for
    nothing else.
    """
    if len(points) < 3:
        return points
    kept = [0]
    for i in range(1, len(points) - 1):
        (ax, ay), (bx, by), (px, py) = points[kept[-1]], points[i + 1], points[i]
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        off = abs((bx - ax) * (ay - py) - (ax - px) * (by - ay)) / length if length > 0 else 1.0
        if off > _TOLERANCE_PX:
            kept.append(i)
    return points[[*kept, len(points) - 1]]


def _text(points: NDArray[np.float64]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points.tolist())
