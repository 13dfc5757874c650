"""All episodes of a run on one map: their paths by outcome on the graph's streets, as an SVG."""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from navviz.views.figures.marks import Projection
from navviz.views.player.floor_plan import floor_shapes
from navviz.views.player.pictures import chosen_pictures, floor_pixels
from navviz.world.floors import Floors, find_floors
from navviz.world.graph import Graph
from navviz.world.info import FloorPicture
from navviz.world.link_lines import link_segments, metric_line_of

if TYPE_CHECKING:
    from PIL.Image import Image


PATHS_DRAWN = 1500
"""More paths than this hide each other and make the page slow; then only the first ones are drawn.
"""

_WIDTH, _HEIGHT = 640.0, 360.0

_MARGIN = 14.0
"""Pixels; an end marker and half its outline must not be cut by the frame."""

_AROUND = 0.5
"""Streets are drawn this much of the box's size beyond the paths."""

_MARK_PX = 3.0

_GROUNDS = {"water": "water", "land": "land", "park": "green", "garden": "green"}
"""Classes of what a backdrop may show, by its kind."""

_MANY = 150
"""More paths than this are drawn thinner (class ``many``)."""

_GRID_PX = 1.0
"""Streets shorter than this on the picture are drawn as one, which keeps Manhattan's 37,000 below
200 kB.
"""


@dataclass(frozen=True, slots=True)
class Walked:
    """One episode on the map."""

    episode: str
    path: Sequence[str]
    """Nodes that the agent walked; the reference path where nobody walked."""
    outcome: str
    """``success``, ``failure`` or ``unknown``: its class."""
    title: str
    """For screen readers and the tooltip; escaped here."""


class Overview:
    """Lay out all walks of one world once, north (indoors: +y) up, to draw any choice of them."""

    def __init__(self, graph: Graph, walks: Sequence[Walked]) -> None:
        positions = graph.metric_positions[:, :2]
        self._walks = walks[:PATHS_DRAWN]
        tracks = [metric_line_of(graph, walk.path) for walk in self._walks]
        lines = [track for track in tracks if len(track)]
        ground = np.vstack(lines) if lines else positions
        self._empty = not len(ground)
        if self._empty:
            return
        # laid out by the walks alone: streets reach beyond them and are cut by the picture's frame
        place = Projection(ground, (_WIDTH, _HEIGHT), _MARGIN, least_m=1.0)
        low, high = place(ground).min(axis=0) - _MARGIN, place(ground).max(axis=0) + _MARGIN
        self._box = (low[0], low[1], high[0] - low[0], high[1] - low[1])
        self._many = " many" if len(self._walks) > _MANY else ""
        mark = _MARK_PX / (2 if self._many else 1)
        self._base = "".join(_grounds(graph, place))
        self._base += f'<path class="streets" d="{_streets(graph, place)}"/>'
        self._credit = _credit(graph)
        self._drawn: dict[int, _Drawn] = {}
        for k, (walk, track) in enumerate(zip(self._walks, tracks, strict=True)):
            if len(track):
                self._drawn[k] = _Drawn(walk, place(track), mark)

    def svg(self, passing: Container[str] | None = None) -> str:
        """Return an ``<svg>`` element without size, and a paragraph that names the map's source.

        Each episode in `passing` (all, if not given) is a group with ``data-value`` (its episode)
        and its outcome as class; the others stay as a shade. The end is a dot, and a cross for a
        failure, so that colour is not the only sign.
        """
        if self._empty:
            return _NOTHING
        shown = [passing is None or walk.episode in passing for walk in self._walks]
        ranks = [_RANK.get(walk.outcome, 0) for walk in self._walks]
        # SVG draws what comes later on top: first the shades, last the failures
        order = sorted(self._drawn, key=lambda k: (shown[k], ranks[k]))
        groups = "".join(self._drawn[k].group(passes=shown[k]) for k in order)
        box = " ".join(f"{side:.1f}" for side in self._box)
        label = escape(f"Map of {len(shown):,} episodes, their paths coloured by outcome")
        return (
            f'<svg class="overview{self._many}" viewBox="{box}" role="group" aria-label="{label}">'
            f"{self._base}{groups}</svg>{self._credit}"
        )


_NOTHING = (
    '<svg class="overview" viewBox="0 0 1 1" role="group" aria-label="Nothing is known of this'
    ' world"></svg>'
)

_RANK = {"unknown": 0, "success": 1, "failure": 2}


def _credit(graph: Graph) -> str:
    """Name the source of the map's data where its licence asks for it."""
    attribution = graph.info.attribution
    return f'<p class="credit">{escape(attribution)}</p>' if attribution else ""


def _grounds(graph: Graph, place: Projection) -> Iterator[str]:
    """Yield water, parks and land of the backdrop in file order; leave out malformed features."""
    if graph.frame != "geo" or graph.info.backdrop is None:
        return
    for feature in graph.info.backdrop.get("features") or ():
        try:
            kind = _GROUNDS[feature["properties"]["kind"]]
            coordinates = feature["geometry"]["coordinates"]
            rings = [np.asarray(ring, dtype=float)[:, 1::-1] for ring in coordinates]
        except (KeyError, TypeError, ValueError, IndexError):
            continue
        d = ""
        for ring in rings:
            outline = np.round(place(graph.to_metric(ring)), 1).tolist()
            d += "M" + "L".join(f"{x:g} {y:g}" for x, y in outline) + "Z"
        yield f'<path class="ground {kind}" d="{d}"/>'


def _streets(graph: Graph, place: Projection) -> str:
    """Return the links inside the picture as a path, each once, on a grid of pixels."""
    ends = np.sort(np.column_stack((graph.sources, graph.targets)), axis=1)
    # numbers of links, not their ends: the bends belong to the link
    links = np.unique(ends, axis=0, return_index=True)[1]
    segments = link_segments(graph, links)
    pairs = np.hstack((place(segments[:, 0]), place(segments[:, 1])))
    edge_x, edge_y = _WIDTH * _AROUND, _HEIGHT * _AROUND
    inside = (
        (pairs[:, [0, 2]].max(axis=1) > -edge_x)
        & (pairs[:, [0, 2]].min(axis=1) < _WIDTH + edge_x)
        & (pairs[:, [1, 3]].max(axis=1) > -edge_y)
        & (pairs[:, [1, 3]].min(axis=1) < _HEIGHT + edge_y)
    )
    cells = np.unique(np.round(pairs[inside] / _GRID_PX).astype(int), axis=0)
    # a street shorter than a cell has become a point, which draws nothing
    cells = cells[(cells[:, 0] != cells[:, 2]) | (cells[:, 1] != cells[:, 3])]
    return "".join(f"M{a} {b}L{c} {d}" for a, b, c, d in cells.tolist())


class _Drawn:
    """One walk on the picture, as it looks where it passes the filters and where it does not."""

    def __init__(self, walk: Walked, track: NDArray[np.float64], mark: float) -> None:
        points = np.round(track, 1)
        kept = np.ones(len(points), dtype=bool)
        # nodes that fall on the same tenth of a unit add nothing but bytes; both ends stay
        kept[1:-1] = np.abs(np.diff(points, axis=0)[:-1]).sum(axis=1) > 0
        self._points = " ".join(f"{x:g},{y:g}" for x, y in points[kept].tolist())
        x, y = points[-1].tolist()
        across = 2 * mark
        strokes = f"l{across:g},{across:g}m0,{-across:g}l{-across:g},{across:g}"
        cross = f"M{x - mark:g},{y - mark:g}{strokes}"
        # An arc cannot end where it begins, so a dot has two halves.
        half = f"a{mark:g},{mark:g} 0 1 0"
        dot = f"M{x - mark:g},{y:g}{half} {across:g},0{half} {-across:g},0"
        self._end = cross if walk.outcome == "failure" else dot
        self._outcome, self._title = escape(walk.outcome, quote=True), escape(walk.title)
        self._value = f' data-value="{escape(walk.episode, quote=True)}"'

    def group(self, *, passes: bool) -> str:
        group, reach = f'<g class="{self._outcome} shade">', ""
        if passes:
            group = f'<g class="{self._outcome}"{self._value}>'
            # Wider than the line and invisible, so that it is easy to hit.
            reach = f'<polyline class="reach" points="{self._points}"/>'
        walk = f'<polyline class="walk" points="{self._points}"/>'
        end = f'<path class="end" d="{self._end}"/>'
        return f"{group}<title>{self._title}</title>{reach}{walk}{end}</g>"


_SIZE = 96.0

_THUMBNAIL_MARGIN = 10.0

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
        scale = (_SIZE - 2 * _THUMBNAIL_MARGIN) / max(float((high - low).max()), 1.0)
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
    """Return a reference path and an agent path as the gallery draws them (`list/gallery.js`)."""
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
