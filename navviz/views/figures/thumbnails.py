"""Path thumbnails: reference path and agent path as numbers, on a picture of their floor."""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from navviz.views.player.floor_images import chosen_pictures, floor_pixels
from navviz.views.player.floor_plan import floor_shapes
from navviz.world.floor_pictures import FloorPicture
from navviz.world.floors import Floors, find_floors
from navviz.world.graph import Graph
from navviz.world.link_lines import metric_line_of

if TYPE_CHECKING:
    from PIL.Image import Image

_SIZE = 96.0
_MARGIN = 10.0
_TOLERANCE_PX = 0.6
"""Simplifies paths (Douglas-Peucker) below what a thumbnail can show; 700 of them are sent at once.
"""

_FLOOR_PX = 1200
"""Longer side of a floor from which thumbnails are cut."""
_GROUND_PX = 128
_WALL = (128, 140, 150, 150)
_GROUND_QUALITY = 50
"""A ground takes 1 to 3 kB so: a gallery shows up to 40 at once, a site holds all of a run."""


@dataclass(frozen=True, slots=True)
class _Box:
    """Where metres lie in a thumbnail."""

    low: NDArray[np.float64]
    scale: float
    """Units a metre."""
    offset: NDArray[np.float64]

    @classmethod
    def around(cls, *lines: NDArray[np.float64]) -> _Box:
        """Fit some lines into the box."""
        every = np.vstack([points for points in lines if len(points)] or [np.zeros((1, 2))])
        low, high = every.min(axis=0), every.max(axis=0)
        # a walk that never moved has no extent, and no scale: a metre at least
        scale = (_SIZE - 2 * _MARGIN) / max(float((high - low).max()), 1.0)
        return cls(low, scale, (_SIZE - (high - low) * scale) / 2)

    def place(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points in metres lie."""
        at = (points - self.low) * self.scale + self.offset
        # SVG counts y downwards
        at[:, 1] = _SIZE - at[:, 1]
        return at

    def metres(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point of the box in metres."""
        units = np.array([x, _SIZE - y])
        east, north = ((units - self.offset) / self.scale + self.low).tolist()
        return east, north


def thumbnail_points(
    graph: Graph,
    reference: Sequence[str],
    walked: Sequence[str],
    legs: Sequence[tuple[str | None, Sequence[str]]] = (),
    *,
    has_floor: bool = True,
) -> dict[str, object]:
    """Return a reference path and an agent path as the gallery draws them (`list/gallery.js`).

    Parameters
    ----------
    graph
        Both paths lie on it; nodes that it does not have are left out.
    reference, walked
        Node ids.
    legs
        The walk in parts, each with a colour of its own (``None``: that of the outcome).
    has_floor
        Whether they lie on the picture of their floor, where it has one.

    Returns
    -------
    ``r`` and ``a``, reference and agent path as flat ``x, y`` in a box of 96 units, north (indoors:
    +y) up; ``l``, where legs have colours, pairs of a colour and such a path; ``g``, where the
    floor has a picture or rooms, the part of them that fills the box, as a data address.
    """
    ref, own = _points(graph, reference), _points(graph, walked)
    box = _Box.around(ref, own)
    points: dict[str, object] = {"r": _flat(box, ref), "a": _flat(box, own)}
    if any(colour for colour, _ in legs):
        coloured = []
        for colour, nodes in legs:
            coloured.append([colour, _flat(box, _points(graph, nodes))])
        points["l"] = coloured
    if has_floor and (ground := _ground(graph, walked or reference, box)):
        points["g"] = ground
    return points


def _flat(box: _Box, points: NDArray[np.float64]) -> list[float]:
    if not len(points):
        return []
    flat: list[float] = _simplified(box.place(points)).round(1).ravel().tolist()
    return flat


def _ground(graph: Graph, path: Sequence[str], box: _Box) -> str | None:
    """Return what fills the box of the floor on which most of a path lies: its picture, else the
    rooms that its house has.
    """
    if not graph.info.floor_pictures and not graph.info.rooms:
        return None
    floors = find_floors(graph)
    visits = Counter(floors.of[node] for node in path if node in graph)
    if not visits:
        return None
    ((floor, _),) = visits.most_common(1)
    picture = chosen_pictures(graph, floors).get(floor)
    if picture is None:
        return _rooms(graph, floors, floor, box)
    try:
        changed = picture.file.stat().st_mtime_ns
    except OSError:
        return None
    image = _floor(picture, changed)
    return None if image is None else _cut(image, picture.box_m, box)


@lru_cache(maxsize=16)
def _floor(picture: FloorPicture, _changed: int) -> Image | None:
    """Decode a floor once for all of its walks; anew where the file has changed."""
    image = floor_pixels(picture, most_px=_FLOOR_PX)
    return None if image is None else image.convert("RGBA")


def _cut(image: Image, floor_m: tuple[float, float, float, float], box: _Box) -> str:
    """Return the part of a floor's picture that a box shows; clear where the picture ends."""
    from PIL import Image as Images

    west, south, east, north = floor_m
    wide, high = image.width / (east - west), image.height / (north - south)
    # metres a pixel of the thumbnail, and the metres of its upper left corner
    step = _SIZE / _GROUND_PX / box.scale
    left, top = box.metres(0.0, 0.0)
    across, down = step * wide, step * high
    affine = (across, 0.0, (left - west) * wide, 0.0, down, (north - top) * high)
    cut = image.transform(
        (_GROUND_PX, _GROUND_PX),
        Images.Transform.AFFINE,
        affine,
        resample=Images.Resampling.BILINEAR,
        fillcolor=(0, 0, 0, 0),
    )
    return _as_address(cut)


def _rooms(graph: Graph, floors: Floors, floor: int, box: _Box) -> str | None:
    """Draw the walls of a floor's rooms; ``None`` where none is known."""
    from PIL import Image as Images
    from PIL import ImageDraw

    shapes = floor_shapes(graph, floors, floor)
    if not shapes:
        return None
    ground = Images.new("RGBA", (_GROUND_PX, _GROUND_PX))
    pen = ImageDraw.Draw(ground)
    for _, corners in shapes:
        at = box.place(np.array(corners, dtype=float)) * (_GROUND_PX / _SIZE)
        ring = [(x, y) for x, y in at.tolist()]
        # clear within: one drawing then serves the light and the dark theme
        pen.line([*ring, ring[0]], fill=_WALL, width=2)
    return _as_address(ground)


def _as_address(ground: Image) -> str:
    file = io.BytesIO()
    ground.save(file, "WEBP", quality=_GROUND_QUALITY)
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode('ascii')}"


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
