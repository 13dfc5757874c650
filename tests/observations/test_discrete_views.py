"""The 36 views: order, snapping, direction words at their edges, and which view shows a
neighbour.
"""

from __future__ import annotations

import math

import pytest

from navviz.formats import open_worlds
from navviz.observations.discrete_views import (
    VIEWS,
    CandidateView,
    candidate_views,
    direction_words,
    in_order,
    nearest_view,
    snapped_heading_deg,
    view_elevation_deg,
    view_heading_deg,
    view_towards,
)
from navviz.world.geometry import turn_deg


def test_rows_look_down_level_and_up():
    assert [view_elevation_deg(v) for v in (0, 11, 12, 23, 24, 35)] == [-30, -30, 0, 0, 30, 30]
    assert [view_heading_deg(v) for v in (0, 11, 12, 15, 35)] == [0, 330, 0, 90, 330]


@pytest.mark.parametrize(("turned", "elevation", "words"), [
    (0, 0, "go forward"), (90, 0, "turn right"), (-90, 0, "turn left"), (91, 0, "turn around"),
    (-91, 0, "turn around"), (180, 0, "turn around"), (269, 0, "turn around"),
    (-269, 0, "turn around"), (270, 0, "turn left"), (-270, 0, "turn right"), (330, 0, "turn left"),
    (-330, 0, "turn right"), (0, 30, "go up"), (180, 30, "go up"), (0, -30, "go down"),
])  # fmt: skip
def test_direction_words(turned, elevation, words):
    assert direction_words(turned, elevation) == words


@pytest.mark.parametrize(
    ("heading", "snapped"),
    [(0, 0), (14.9, 0), (15, 30), (44.9, 30), (345, 0), (359, 0), (-20, 330), (180.0, 180)],
)
def test_headings_snap_to_the_grid(heading, snapped):
    assert snapped_heading_deg(heading) == snapped


@pytest.mark.parametrize(
    ("heading", "elevation", "view"),
    [(0, 0, 12), (91, 2, 15), (340, 40, 35), (15, 0, 12), (0, 15, 12), (45, -16, 1)],
)
def test_the_nearest_view_and_its_ties(heading, elevation, view):
    """A tie goes to the view with the smaller number."""
    assert nearest_view(heading, elevation) == view


def test_candidates_come_in_the_order_of_discovery():
    """View 0 shows headings from -40 to 40; within a view the one nearer to its centre comes
    first.
    """
    ways = [view_towards(f"{h}", h, 0.0, 1.0) for h in (200.0, 100.0, 39.0, 325.0, 2.0, 41.0)]
    assert [way.node for way in in_order(ways)] == [
        "2.0",
        "325.0",
        "39.0",
        "41.0",
        "100.0",
        "200.0",
    ]


@pytest.mark.data
def test_on_real_houses_both_rules_pick_the_same_view(data_dir):
    """MSNav's selection minimises a sum, MapGPT a root of squares, of the same two angles: only
    ties could differ.
    """
    worlds = open_worlds(data_dir / "mp3d" / "connectivity")
    count = 0
    for scan in worlds.names[:4]:
        graph = worlds(scan)
        for node in graph.ids:
            ways = candidate_views(graph, node)
            assert {way.node for way in ways} == set(graph.neighbours(node))
            for way in ways:
                count += 1
                assert way.view == way.selected
                shown = [
                    v
                    for v in range(VIEWS)
                    if abs(turn_deg(view_heading_deg(v), way.heading_deg)) <= 40.0
                ]
                assert way.view == min(shown, key=lambda v, w=way: math.hypot(*off_deg(v, w)))
                assert way.selected == min(range(VIEWS), key=lambda v, w=way: sum(off_deg(v, w)))
                assert abs(turn_deg(view_heading_deg(way.view), way.heading_deg)) <= 15.0 + 1e-9
    assert count > 1000


def off_deg(view: int, way: CandidateView) -> tuple[float, float]:
    turned = turn_deg(view_heading_deg(view), way.heading_deg)
    return abs(turned), abs(way.elevation_deg - view_elevation_deg(view))
