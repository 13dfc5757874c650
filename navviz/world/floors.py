"""The floors of a house, found from the heights of its viewpoints.

Matterport3D does not say on which floor a viewpoint stands. Viewpoints of one floor share the
height of their feet; those on stairs lie between. So floors are the peaks of the distribution of
heights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from navviz.world.graph import Graph


_BANDWIDTH_M = 0.2
"""Spread of the feet on one floor."""

_SEPARATION_M = 1.6
"""Two floors are at least this far apart; split levels closer than that are drawn as one floor."""

_STAIRS_M = 0.6
"""A viewpoint farther than this from its floor stands on stairs."""

_STOREY_M = 3.0

_HIGHEST_STOREY_M = 9.0
"""Two floors of a house that are farther apart have another one between them: a hall has 6 m."""

_CAMERA_M = 1.4
"""Height of the camera on its tripod where a house gives none."""


@dataclass(frozen=True, slots=True)
class Floors:
    """Floors of a house, from the lowest up."""

    levels_m: tuple[float, ...]
    """Height of each floor in the house's own frame."""
    of: Mapping[str, int]
    """Floor index of each node, counted from 0."""
    stairs: frozenset[str]
    """Nodes that stand between two floors."""
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.levels_m)

    def links_between(self, graph: Graph) -> list[tuple[str, str]]:
        """Links that lead from one floor to another, each direction on its own."""
        pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
        ids = graph.ids
        return [(ids[a], ids[b]) for a, b in pairs if self.of[ids[a]] != self.of[ids[b]]]


def find_floors(graph: Graph) -> Floors:
    """Find the floors of an indoor graph.

    Peaks of a Gaussian kernel density of the feet's heights, the densest first, at least 1.6 m
    apart and with at least three viewpoints (or 3 %) within 0.5 m. Every node belongs to the
    nearest peak. `graph`: a graph of frame ``metric``. ``info.camera_height_m`` (or
    ``info.feet_m``) and ``info.floor_names`` are used where they are there; poses of a walk belong
    to a floor, but make none. Raises `ValueError` for a graph outdoors.
    """
    if graph.frame != "metric":
        raise ValueError("floors are for graphs in metres")
    if not len(graph):
        return Floors((), {}, frozenset(), ())
    feet = feet_m(graph)
    # poses of a walk may be guesses, and spend long on stairs
    settled = [k for k, node in enumerate(graph.ids) if node not in graph.info.poses]
    levels = np.sort(_peaks(feet[np.array(settled or range(len(graph)), dtype=np.int64)]))
    if _is_flight(graph, feet, levels):
        levels = np.array([feet.min()])
    nearest = np.abs(feet[:, None] - levels[None, :]).argmin(axis=1)
    off = np.abs(feet - levels[nearest]) > _STAIRS_M
    return Floors(
        levels_m=tuple(round(float(level), 3) for level in levels),
        of={node: int(k) for node, k in zip(graph.ids, nearest, strict=True)},
        stairs=frozenset(node for node, stairs in zip(graph.ids, off, strict=True) if stairs),
        names=_names(graph, len(levels)),
    )


def _is_flight(graph: Graph, feet: NDArray[np.float64], levels: NDArray[np.float64]) -> bool:
    """Tell whether a walk that draws its own ground is no walk in a house."""
    # a drone that hovers makes peaks as floors do, and so does a hill's path at its foot and on its
    # top; but nobody in a house is far below all floors, a storey above the highest one, or mostly
    # between them
    if len(graph.info.poses) < len(graph):
        return False
    between = np.abs(feet[:, None] - levels[None, :]).min(axis=1) > _STAIRS_M
    if between.mean() > 0.5 or np.diff(levels, prepend=levels[0]).max() > _HIGHEST_STOREY_M:
        return True
    return bool(feet.min() < levels[0] - _STOREY_M or feet.max() > levels[-1] + _STOREY_M)


def feet_m(graph: Graph) -> NDArray[np.float64]:
    """Height of the floor under each viewpoint; unusual camera heights are not trusted."""
    feet_m = graph.info.feet_m
    if feet_m:
        floor_heights = [feet_m.get(node, graph.position(node)[2]) for node in graph.ids]
        return np.array(floor_heights, dtype=float)
    heights_m = graph.info.camera_height_m
    usual = float(np.median(list(heights_m.values()))) if heights_m else _CAMERA_M
    heights = np.array([heights_m.get(node, usual) for node in graph.ids])
    # heights in stairwells reach down to steps far below
    heights = np.where(np.abs(heights - usual) > 0.5, usual, heights)
    return np.asarray(graph.positions[:, 2] - heights)


def _peaks(feet: NDArray[np.float64]) -> NDArray[np.float64]:
    gaps = feet[:, None] - feet[None, :]
    density = np.exp(-0.5 * (gaps / _BANDWIDTH_M) ** 2).sum(axis=1)
    support = (np.abs(gaps) <= 0.5).sum(axis=1)
    enough = max(3.0, 0.03 * len(feet))
    levels: list[float] = []
    for i in np.argsort(-density, kind="stable"):
        far = all(abs(feet[i] - level) >= _SEPARATION_M for level in levels)
        # the densest height is a floor also in a house of one or two viewpoints
        if far and (support[i] >= enough or not levels):
            levels.append(float(feet[i]))
    return np.array(levels)


def _names(graph: Graph, count: int) -> tuple[str, ...]:
    if len(graph.info.floor_names) == count:
        return tuple(graph.info.floor_names)
    return tuple(f"Floor {k + 1}" for k in range(count))


Floats = NDArray[np.float32]

_CANDIDATES = 1_500_000
"""Pixels that are looked at at once: about 150 MB of arrays."""

_CUT_COLOUR = (52, 58, 64)

_NOTHING = -np.inf


@dataclass(frozen=True, slots=True)
class Mesh:
    """A triangle mesh in the world's frame: x, y in metres, z up."""

    vertices: Floats
    """``(n, 3)``."""
    triangles: NDArray[np.int32]
    """``(m, 3)``, indices of vertices."""
    colours: NDArray[np.uint8] | None = None
    """``(n, 3)``, a colour a vertex; without any the height is drawn in greys."""


@dataclass(slots=True)
class FloorRaster:
    """A picture of one floor that is being drawn."""

    west_m: float
    north_m: float
    metres_per_pixel: float
    width: int
    height: int
    z_m: tuple[float, float]
    """Heights that are drawn, from and to."""
    depth: Floats = field(init=False)
    picture: NDArray[np.uint8] = field(init=False)
    """Red, green, blue and opacity; nothing was drawn where the last is 0."""

    def __post_init__(self) -> None:
        self.depth = np.full((self.height, self.width), _NOTHING, np.float32)
        self.picture = np.zeros((self.height, self.width, 4), np.uint8)

    def draw(self, mesh: Mesh, progress: Callable[[int], object] | None = None) -> None:
        """Draw a mesh; `progress` is given the number of triangles done since its last call."""
        low, high = self.z_m
        heights = mesh.vertices[mesh.triangles, 2]
        inside = (heights.min(axis=1) <= high) & (heights.max(axis=1) >= low)
        near = mesh.triangles[inside]
        if progress is not None:
            progress(len(mesh.triangles) - len(near))
        # in parts, so that progress can be told and arrays stay small
        for part in np.array_split(near, max(1, len(near) // 200_000)):
            corners = self._in_pixels(mesh.vertices[part])
            first = np.floor(corners[..., :2].min(axis=1)).astype(np.int32)
            last = np.floor(corners[..., :2].max(axis=1)).astype(np.int32)
            first = np.maximum(first, 0)
            last = np.minimum(last, (self.width - 1, self.height - 1))
            seen = (last >= first).all(axis=1)
            extent = np.where(seen, (last - first + 1).max(axis=1), 0)
            size = 1
            while seen.any() and size < 2 * int(extent.max()):
                # all boxes of a group get one size: with sizes that double, less than half of their
                # longer side is looked at in vain
                group = np.flatnonzero(seen & (extent <= size) & (extent > size // 2))
                for some in _batches(group, size):
                    self._fill(mesh, part[some], corners[some], first[some], size)
                size *= 2
            if progress is not None:
                progress(len(part))
        # last, since lines know no depth: walls stand over all that was drawn
        self._draw_cut(mesh, near, high)

    def _in_pixels(self, places: Floats) -> Floats:
        corners = np.empty_like(places)
        corners[..., 0] = (places[..., 0] - self.west_m) / self.metres_per_pixel
        corners[..., 1] = (self.north_m - places[..., 1]) / self.metres_per_pixel
        corners[..., 2] = places[..., 2]
        return corners

    def _fill(
        self,
        mesh: Mesh,
        triangles: NDArray[np.int32],
        corners: Floats,
        first: NDArray[np.int32],
        size: int,
    ) -> None:
        """Draw the pixels whose middles lie in triangles; bounding boxes of `size` pixels."""
        steps = np.arange(size, dtype=np.float32) + 0.5
        x = (first[:, 0, None, None] + steps[None, None, :]).astype(np.float32)
        y = (first[:, 1, None, None] + steps[None, :, None]).astype(np.float32)
        (a, b, c) = (corners[:, k, :, None, None] for k in range(3))
        area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        flat = np.where(np.abs(area) > 1e-9, area, np.nan)  # seen from its edge: no pixel
        of_b = ((x - a[:, 0]) * (c[:, 1] - a[:, 1]) - (y - a[:, 1]) * (c[:, 0] - a[:, 0])) / flat
        of_c = ((b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x - a[:, 0])) / flat
        of_a = 1 - of_b - of_c
        z = of_a * a[:, 2] + of_b * b[:, 2] + of_c * c[:, 2]
        low, high = self.z_m
        # a little below zero, so that rounding leaves no gaps between neighbours
        within = (np.minimum(np.minimum(of_a, of_b), of_c) >= -1e-5) & (z >= low) & (z <= high)
        within &= (x < self.width) & (y < self.height)
        which, row, column = np.nonzero(within)
        shares = np.stack([of_a[within], of_b[within], of_c[within]], axis=1)
        weights, depths = shares.astype(np.float32), z[within].astype(np.float32)
        places = (first[which, 1] + row) * self.width + first[which, 0] + column
        self._keep_highest(mesh, triangles[which], weights, places, depths)

    def _keep_highest(
        self,
        mesh: Mesh,
        triangles: NDArray[np.int32],
        weights: Floats,
        places: NDArray[np.int32],
        z: Floats,
    ) -> None:
        depth = self.depth.reshape(-1)
        # several triangles of a group may cover one pixel, so a plain assignment would keep any of
        # them
        np.maximum.at(depth, places, z)
        won = np.flatnonzero(depth[places] == z)
        pixels = self.picture.reshape(-1, 4)
        pixels[places[won], 3] = 255
        if mesh.colours is None:
            # light floors, darker furniture
            low, high = self.z_m
            share = np.clip((z[won] - low) / max(high - low, 1e-6), 0, 1)
            pixels[places[won], :3] = np.asarray(236 - 110 * share).astype(np.uint8)[:, None]
            return
        shades = mesh.colours[triangles[won]].astype(np.float32)
        mixed = (shades * weights[won][..., None]).sum(axis=1)
        pixels[places[won], :3] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)

    def _draw_cut(self, mesh: Mesh, triangles: NDArray[np.int32], cut_m: float) -> None:
        """Draw where the plane at `cut_m` cuts the mesh: walls, and what reaches the ceiling."""
        corners = self._in_pixels(mesh.vertices[triangles])
        above = corners[..., 2] > cut_m
        crossing = corners[above.any(axis=1) & ~above.all(axis=1)]
        if not len(crossing):
            return
        after = np.roll(crossing, -1, axis=1)
        z, next_z = crossing[..., 2], after[..., 2]
        crosses = (z > cut_m) != (next_z > cut_m)
        # an edge that does not cross may be level: 1 keeps the division defined, and its place is
        # dropped
        rise = np.where(crosses, next_z - z, 1.0)
        share = ((cut_m - z) / rise)[..., None]
        met = crossing[..., :2] + (after[..., :2] - crossing[..., :2]) * share
        # two of the three edges of a triangle cross, never one or three
        ends = np.asarray(met[crosses].reshape(-1, 2, 2))
        length = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
        # two points a pixel, so that no gap is left; edges beyond the picture count as long, too
        counts = np.clip(np.ceil(2 * length) + 1, 2, 4 * (self.width + self.height)).astype(int)
        for some in _runs(counts):
            self._draw_lines(ends[some], counts[some])

    def _draw_lines(self, ends: Floats, counts: NDArray[np.intp]) -> None:
        line = np.repeat(np.arange(len(ends)), counts)
        start = np.repeat(np.cumsum(counts) - counts, counts)
        share = (np.arange(len(line)) - start) / (counts[line] - 1)
        at = ends[line, 0] + (ends[line, 1] - ends[line, 0]) * share[:, None]
        column, row = np.floor(at).astype(np.int64).T
        inside = (column >= 0) & (column < self.width) & (row >= 0) & (row < self.height)
        self.picture[row[inside], column[inside]] = (*_CUT_COLOUR, 255)


def _batches(group: NDArray[np.intp], size: int) -> Iterator[NDArray[np.intp]]:
    count = max(1, _CANDIDATES // (size * size))
    for start in range(0, len(group), count):
        yield group[start : start + count]


def _runs(counts: NDArray[np.intp]) -> Iterator[slice]:
    """Cut lines into runs of a bounded number of points."""
    before = np.cumsum(counts)
    start = 0
    while start < len(counts):
        done = before[start - 1] if start else 0
        # one line at least, however long it is, else this would never end
        stop = max(start + 1, int(np.searchsorted(before, done + _CANDIDATES)))
        yield slice(start, stop)
        start = stop
