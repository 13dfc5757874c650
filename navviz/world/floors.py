"""The floors of a house, found from the heights of its viewpoints.

Matterport3D does not say on which floor a viewpoint stands. Viewpoints of one floor share the
height of their feet; those on stairs lie between. So floors are the peaks of the distribution of
heights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
    nearest peak.

    Parameters
    ----------
    graph
        A graph of frame ``metric``. ``info.camera_height_m`` (or ``info.feet_m``) and
        ``info.floor_names`` are used where they are there; poses of a walk belong to a floor, but
        make none.

    Raises
    ------
    ValueError
        For a graph outdoors.
    """
    if graph.frame != "metric":
        raise ValueError("floors are for graphs in metres")
    if not len(graph):
        return Floors((), {}, frozenset(), ())
    feet = feet_m(graph)
    levels = np.sort(_peaks(feet[_settled(graph)]))
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
    """Tell whether a walk that draws its own ground is no walk in a house.

    A drone that hovers makes peaks as floors do, and so does a hill's path at its foot and on its
    top; but nobody in a house is far below all floors, a storey above the highest one, or mostly
    between them.
    """
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


def _settled(graph: Graph) -> NDArray[np.int64]:
    """Nodes of the house itself: poses of a walk may be guesses, and spend long on stairs."""
    settled = [k for k, node in enumerate(graph.ids) if node not in graph.info.poses]
    return np.array(settled or range(len(graph)), dtype=np.int64)


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
