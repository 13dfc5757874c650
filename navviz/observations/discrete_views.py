"""The 36 views of a viewpoint in the Matterport3D simulator, and which of them shows a neighbour.

View 0 to 11 looks 30 degrees down, 12 to 23 level, 24 to 35 up; in a row the heading is 30 degrees
times the place in it, clockwise from +y. The vertical field of view is 60 degrees at 640 x 480
pixels; the simulator takes 60 * 640 / 480 degrees as the horizontal one, and never asks whether a
neighbour is too high or too low for the image.

References
----------
Anderson et al. 2018, doi:10.1109/CVPR.2018.00387 (Matterport3D simulator); Chen et al. 2024
(MapGPT), arXiv:2401.07314; Liu et al. 2025 (MSNav), arXiv:2508.16654, view selection.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

VIEWS = 36
"""Matterport3D's simulator: three rows of twelve headings."""
STEP_DEG = 30.0
"""Between neighbouring views, across and up."""
_ROW = 12
_HALF_FIELD_DEG = 40.0
_EDGE_DEG = 1e-6
"""The simulator compares cosines in single precision; the very edge counts as inside."""


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A neighbour with the view that shows it."""

    node: str
    heading_deg: float
    """Straight to the neighbour, clockwise from +y."""
    elevation_deg: float
    distance_m: float
    view: int
    """The view that MapGPT keeps: of those with the neighbour in the image, the one with the least
    ``hypot(heading off, elevation off)``."""
    selected: int
    """The view that MSNav selects: the least ``|heading off| + |elevation off|`` of all 36.

    It is the same view, see `nearest_view`.
    """
    path: tuple[str, ...] = ()
    """Nodes to the place, both ends included, where they are no neighbours (outdoors)."""


def view_heading_deg(view: int) -> float:
    """Heading of a view, degrees clockwise from +y."""
    return STEP_DEG * (view % _ROW)


def view_elevation_deg(view: int) -> float:
    """Elevation of a view in degrees: -30, 0 or 30."""
    return STEP_DEG * (view // _ROW - 1)


def snapped_heading_deg(heading_deg: float) -> float:
    """Return the heading on the grid of 30 degrees; halves away from zero, as ``lround`` does."""
    return STEP_DEG * (math.floor((heading_deg % 360.0) / STEP_DEG + 0.5) % _ROW)


def nearest_view(heading_deg: float, elevation_deg: float) -> int:
    """Return the view with the least sum of angles to a direction (Liu et al. 2025).

    MapGPT's rule, the least root of the sum of squares among the views with the place in the image,
    picks the same: both grow with each of the two angles, so the nearest heading and the nearest
    row win, and it is in the image.
    """
    # rounded: a heading computed as 29.999999999 lies on the view at 30
    before, off_deg = divmod(round(heading_deg % 360.0, 9), STEP_DEG)
    column, after = int(before) % _ROW, int(before + 1) % _ROW
    # half way, the first of the two in the simulator's order wins: view 0 at 345 degrees, not 11
    if off_deg > STEP_DEG / 2 or (off_deg == STEP_DEG / 2 and after < column):
        column = after
    elevation = round(elevation_deg, 9)
    row = 1
    # half way between rows, the lower one wins, whose views come first
    if elevation <= -STEP_DEG / 2:
        row = 0
    elif elevation > STEP_DEG / 2:
        row = 2
    return _ROW * row + column


def candidate_views(graph: Graph, node: str) -> tuple[CandidateView, ...]:
    """Return the neighbours of a viewpoint in the order in which views 0 to 35 show them."""
    return in_order(_way(graph, node, other) for other in graph.neighbours(node) if other != node)


def _way(graph: Graph, node: str, other: str) -> CandidateView:
    here, there = graph.position(node), graph.position(other)
    elevation = 0.0
    if graph.frame == "metric":
        elevation = math.degrees(math.atan2(there[2] - here[2], math.dist(here[:2], there[:2])))
    return view_towards(
        other, graph.heading_deg(node, other), elevation, graph.distance_m(node, other)
    )


def view_towards(
    node: str,
    heading_deg: float,
    elevation_deg: float,
    distance_m: float,
    path: tuple[str, ...] = (),
) -> CandidateView:
    """Return the views that show a place in a given direction."""
    view = nearest_view(heading_deg, elevation_deg)
    return CandidateView(node, heading_deg, elevation_deg, distance_m, view, view, path)


def in_order(views: Iterable[CandidateView]) -> tuple[CandidateView, ...]:
    """Candidates by the first view that shows them, and there by the angle to its centre."""
    return tuple(sorted(views, key=_discovery))


def _discovery(way: CandidateView) -> tuple[int, float]:
    """First view that shows a candidate, and its angle to the centre there."""
    ahead_deg = way.heading_deg % 360.0
    edge_deg = _HALF_FIELD_DEG + _EDGE_DEG
    # view 0 looks across north: it also shows what lies up to 40 degrees left of it
    first = (
        0 if ahead_deg >= 360.0 - edge_deg else max(0, math.ceil((ahead_deg - edge_deg) / STEP_DEG))
    )
    # the first view that shows it is in the lowest row, which looks 30 degrees down
    return first, math.hypot(
        turn_deg(view_heading_deg(first), ahead_deg), way.elevation_deg + STEP_DEG
    )


def direction_words(turned_deg: float, elevation_deg: float) -> str:
    """MapGPT's words for a way.

    `turned_deg`: heading of the neighbour's view minus that of the agent, both in ``[0, 360)``,
    *not* wrapped.
    """
    if elevation_deg:
        return "go up" if elevation_deg > 0 else "go down"
    if turned_deg == 0:
        return "go forward"
    if abs(turned_deg) <= 90:
        return "turn right" if turned_deg > 0 else "turn left"
    if abs(turned_deg) < 270:
        return "turn around"
    # not wrapped: 300 degrees to the right are 60 to the left
    return "turn left" if turned_deg > 0 else "turn right"
