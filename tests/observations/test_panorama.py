"""What an agent reads around it indoors."""

import numpy as np
import pytest

from navviz.formats import open_graph, open_results, open_worlds
from navviz.observations.panorama import (
    DESCRIBED,
    DIRECTIONS,
    GEOMETRY,
    format_views,
    look_around,
    observe,
    parse_views,
    sector,
    summary_of,
)
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations, NearObject
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"


@pytest.fixture
def cross():
    """m in the middle; n 2 m north, e 3 m east, s 1 m south and 1 m up; linked with m only."""
    positions = np.array([[0, 0, 1.5], [0, 2, 1.5], [3, 0, 1.5], [0, -1, 2.5]])
    pairs = [(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)]
    return Graph(
        name="cross",
        frame="metric",
        ids=list("mnes"),
        positions=positions,
        sources=np.array([a for a, _ in pairs], np.int32),
        targets=np.array([b for _, b in pairs], np.int32),
    )


@pytest.mark.parametrize(
    ("heading", "expected"),
    [(0, 0), (22.4, 0), (22.6, 1), (337.6, 0), (337.4, 7), (360, 0), (-46, 7)],
)
def test_sectors_are_fixed_to_the_house(heading, expected):
    assert sector(heading) == expected


def test_the_front_is_the_sector_that_holds_the_heading(cross):
    views = look_around(cross, "m", 100.0)
    assert [view.label for view in views] == list(DIRECTIONS)
    assert (views[0].from_deg, views[0].to_deg) == (-32.5, 12.5)
    where = {
        way.node: (view.label, way.direction, way.distance_m)
        for view in views
        for way in view.candidates
    }
    assert where == {
        "e": ("Front", "left 10.00", 3.0),
        "s": ("Right", "right 80.00", pytest.approx(1.41)),
        "n": ("Left", "left 100.00", 2.0),
    }


def test_all_links_are_offered_whatever_the_heading(cross):
    for heading in range(0, 720, 7):
        found = [way.node for view in look_around(cross, "m", heading) for way in view.candidates]
        assert sorted(found) == ["e", "n", "s"]


def test_a_house_without_files_is_told_from_its_geometry(cross):
    views = look_around(cross, "m", 0.0)
    seen = observe(views, described=False)
    assert seen.format == GEOMETRY
    assert "Rear Objects in 3m: not recorded" in seen.text
    assert "'No description. One way leads here, 1.0 m up the stairs.'" in seen.text
    assert "'No description; no way leads here.'" in seen.text
    assert summary_of(cross, "n") == "place that nobody described, with 1 way on."


def test_files_give_scenes_and_objects_turned_to_the_agent(cross):
    objects = tuple((NearObject("stove", 90.0, 1.2),) if k == 2 else () for k in range(8))
    seen = HouseObservations(
        "cross", {"m": tuple(f"scene {k}" for k in range(8))}, {"m": "kitchen."}, {"m": objects}
    )
    views = look_around(cross, "m", 180.0, seen)
    assert views[0].scene == "scene 4"
    left = next(view for view in views if view.objects)
    assert (left.label, left.objects[0].direction, left.objects[0].distance_m) == (
        "Left",
        "left 90.00",
        1.2,
    )
    assert "Left Objects in 3m: {'stove': 'left 90.00, 1.20m'}" in format_views(views)
    assert "Front Objects in 3m: None" in format_views(views)
    assert summary_of(cross, "m", seen) == "kitchen."


def test_the_text_of_the_sample_house_can_be_read_back():
    house = open_graph(HOUSE / "connectivity")
    for node in house.ids:
        views = look_around(house, node, 33.3)
        assert observe(views, described=True).format == DESCRIBED
        again = parse_views(format_views(views))
        assert len(again) == 8
        assert [[way.node for way in view.candidates] for view in again] == [
            [way.node for way in view.candidates] for view in views
        ]
        assert [view.scene for view in again] == [view.scene for view in views]


@pytest.mark.data
def test_our_candidates_are_those_of_navgpts_published_log(data_dir):
    """Sector by sector, angle by angle: what NavGPT's model read is what ours would read."""
    worlds = open_worlds(data_dir / "mp3d")
    trace = open_results(data_dir / "navgpt" / "detail_val_unseen.json", worlds)[0].traces["4676_0"]
    graph = worlds(trace.episode.world)
    for step in trace.steps:
        ours = {view.label: view for view in look_around(graph, step.node, step.heading_deg)}
        for view in parse_views(step.observation.text):
            if step.index == 4:  # the typed-in text has wrong labels here and lists no viewpoint
                continue
            mine = {way.node: way for way in ours[view.label].candidates}
            assert set(mine) == {way.node for way in view.candidates}
            for way in view.candidates:
                if way.direction is not None:
                    assert mine[way.node].angle_deg == pytest.approx(way.angle_deg, abs=0.1)
                    assert mine[way.node].distance_m == pytest.approx(way.distance_m, abs=0.01)
