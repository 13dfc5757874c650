"""Thumbnails: small, true to the paths, on the picture of their floor."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from navviz.formats import open_graph
from navviz.runs.episode_list import thumb_of
from navviz.runs.opened import load
from navviz.runs.sources import samples
from navviz.views.figures.overview import thumbnail_points
from navviz.views.player.pictures import chosen_pictures
from navviz.world.floors import find_floors
from tests.paths import SAMPLES
from tests.worlds import ROUTE, write_world


@pytest.fixture
def graph(tmp_path):
    return open_graph(write_world(tmp_path))


def _line(drawn: dict[str, Any], name: str) -> list[tuple[float, float]]:
    flat = drawn[name]
    return list(zip(flat[::2], flat[1::2], strict=True))


def test_straight_parts_collapse_and_corners_stay(graph):
    drawn = thumbnail_points(graph, ROUTE, ["s1", "s0", "x", "n0"])
    reference, agent = _line(drawn, "r"), _line(drawn, "a")
    assert len(reference) == 3  # s1, the corner at x, e1
    assert len(agent) == 2
    assert reference[0] == agent[0]
    assert agent[-1][1] < agent[0][1]  # north is up
    assert drawn.keys() == {"r", "a"}, "no ground where no floor has a picture"


@pytest.mark.parametrize(
    ("reference", "walked", "places"),
    [([], [], (0, 0)), ([], ["x"], (0, 1)), (["gone"], ["x", "gone"], (0, 1)), (["x"], [], (1, 0))],
)
def test_missing_paths_leave_a_picture(graph, reference, walked, places):
    drawn = thumbnail_points(graph, reference, walked)
    assert (len(_line(drawn, "r")), len(_line(drawn, "a"))) == places
    assert all(at == (48.0, 48.0) for name in "ra" for at in _line(drawn, name)), "in the middle"


def test_the_ground_lies_where_the_walk_does():
    """The colour below a viewpoint is that of the floor's picture at its place."""
    run = load(next(source for source in samples() if source.name == "house/rules-indoors"))
    graph, trace = run.graph("101_0"), run.outlines["101_0"]
    drawn = thumb_of(run, "101_0")
    raw = base64.b64decode(str(drawn["g"]).removeprefix("data:image/webp;base64,"))
    ground = Image.open(io.BytesIO(raw)).convert("RGB")
    floors = find_floors(graph)
    picture = chosen_pictures(graph, floors)[floors.of[trace.path[0]]]
    west, _, _, north = picture.box_m
    floor = Image.open(picture.file).convert("RGB")
    for node, (x, y) in ((trace.path[0], drawn["a"][:2]), (trace.path[-1], drawn["a"][-2:])):
        east_m, north_m, *_ = graph.position(node)
        at = (
            int((east_m - west) / picture.metres_per_pixel),
            int((north - north_m) / picture.metres_per_pixel),
        )
        seen = ground.getpixel((int(x * ground.width / 96), int(y * ground.height / 96)))
        assert max(abs(a - b) for a, b in zip(seen, floor.getpixel(at), strict=True)) < 40, node


def test_without_a_picture_the_walls_of_the_rooms_are_drawn():
    """Where the map has a wall, the ground has one; within a room it is clear."""
    graph = open_graph(SAMPLES / "house")
    bare = replace(graph, info=replace(graph.info, floor_pictures=()))
    path = [node for node in graph.ids if find_floors(graph).of[node] == 0]
    drawn = thumbnail_points(bare, [], path)
    raw = base64.b64decode(str(drawn["g"]).removeprefix("data:image/webp;base64,"))
    shades = np.asarray(Image.open(io.BytesIO(raw)).convert("RGBA"))[..., 3]
    assert 0.001 < (shades > 60).mean() < 0.3
    assert (shades < 10).mean() > 0.5
    no_rooms = replace(bare, info=replace(bare.info, rooms=None))
    assert "g" not in thumbnail_points(no_rooms, [], path)
