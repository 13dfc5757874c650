"""The atlas: what it packs, that lines keep their course, that texts stay texts and that it needs
no network.
"""

import json
import re

import numpy as np
import pytest

import navviz
from navviz.support.installation.files import samples_dir
from navviz.views.figures.atlas import (
    atlas_map,
    coloured,
    pack_atlas,
    packed_map,
    shown_walks,
    walked_floors,
)
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.floors import find_floors
from tests.grids import grid, route

GRAPH = grid(9)


def packed(chart):
    """What the script draws."""
    page = chart.get_root().render()
    return json.loads(re.search(r"NavVizAtlas\.draw\(map_\w+, (\{.*\})\);", page)[1]), page


def line(steps, scale):
    return np.cumsum(np.array(steps).reshape(-1, 2), axis=0) / scale


def test_paths_keep_their_corners_and_lose_what_lies_straight_between():
    path = route(GRAPH, "r0c0", "r0c4", "r4c4")
    drawn, _ = packed(
        atlas_map(GRAPH, [AtlasWalk("1", tuple(path), "failure", departures=("r0c4",))])
    )
    (walk,) = drawn["walks"]
    (steps,) = walk["p"]
    corners = [GRAPH.position(node) for node in ("r0c0", "r0c4", "r4c4")]
    wanted = [corner[::-1] if GRAPH.frame == "geo" else corner[:2] for corner in corners]
    np.testing.assert_allclose(
        line(steps, drawn["scale"]), wanted, atol=2e-6 if GRAPH.frame == "geo" else 0.01
    )
    assert drawn["outcomes"][walk["o"]]["name"] == "failure"
    assert [drawn["names"][k] for k in walk["d"]] == ["r0c4"]
    # colour is not the only sign
    assert drawn["outcomes"][0]["dash"] != drawn["outcomes"][1]["dash"]


def test_every_street_is_drawn_once():
    drawn, _ = packed(atlas_map(GRAPH, [AtlasWalk("1", tuple(GRAPH.ids), "success")]))
    lengths = [
        np.abs(np.diff(line(steps, drawn["scale"]), axis=0)).sum() for steps in drawn["streets"]
    ]
    ends = GRAPH.positions[np.column_stack((GRAPH.sources, GRAPH.targets))][..., :2]
    assert sum(lengths) == pytest.approx(np.abs(ends[:, 0] - ends[:, 1]).sum() / 2, rel=1e-3)


def test_hostile_texts_end_no_script():
    hostile = "</script><script>window.hacked=1</script><img src=x onerror=hack()>"
    _, page = packed(atlas_map(GRAPH, [AtlasWalk(hostile, ("r0c0", "r0c1"), "success", hostile)]))
    assert "<img src=x" not in page
    assert "</script><script>window" not in page
    addresses = [
        url for url in re.findall(r'(?:src|href)="([^"]+)"', page) if not url.startswith("data:")
    ]
    assert addresses == []


def test_many_walks_are_drawn_as_traffic():
    path = tuple(route(GRAPH, "r0c0", "r0c4", "r4c4"))
    walks = [
        AtlasWalk(str(k), path, "failure", "", ("r0c4",), ("r0c1", "r0c4"), "r0c4")
        for k in range(9)
    ]
    walks.append(AtlasWalk("back", path[:2][::-1], "success"))
    drawn, _ = packed(atlas_map(GRAPH, walks, density=True))
    assert drawn["walks"] == []
    assert [band["title"] for band in drawn["traffic"]] == ["8 to 15 walks pass here"]
    assert drawn["departures"] == [
        {**drawn["departures"][0], "node": "r0c4", "count": 9, "ids": list("01234")}
    ]
    (junction,) = drawn["junctions"]
    assert (junction["visits"], junction["failures"], junction["mark"]) == (
        9,
        9,
        "junction passed: r0c4",
    )


def test_a_filter_names_the_walks_that_pass():
    walks = [AtlasWalk(key, ("r0c0", "r0c1"), "success") for key in "abc"]
    group = shown_walks(walks, {"a", "c"})
    (element,) = group._children.values()
    assert element.data == [0, 2]


def test_a_house_shows_one_floor_with_its_plan():
    run = navviz.open_run(
        samples_dir() / "house" / "runs" / "rules-indoors", graphs=samples_dir() / "house"
    )
    graph, walks = run.map_walks(next(iter(run.episodes.values())).world)
    floors = find_floors(graph)
    counted = walked_floors(graph, walks)
    assert list(counted.values()) == sorted(counted.values(), reverse=True)
    for floor in counted:
        drawn, page = packed(atlas_map(graph, walks, floor=floor))
        assert "L.CRS.Simple" in page
        nodes = {node for walk in walks for node in walk.departures if floors.of[node] == floor}
        assert {drawn["names"][k] for walk in drawn["walks"] for k in walk["d"]} == nodes
        assert drawn["rooms"]
        plan = np.vstack([line(room["line"], drawn["scale"]) for room in drawn["rooms"]])
        (south, west), (north, east) = json.loads(
            re.search(r"fitBounds\(\s*(\[.*?\]\])", page, re.DOTALL)[1]
        )
        assert south <= plan[:, 1].min() + 0.01 <= plan[:, 1].max() <= north + 0.01
        assert west <= plan[:, 0].min() + 0.01 <= plan[:, 0].max() <= east + 0.01
    everything, _ = packed(atlas_map(graph, walks))
    assert all(walk["p"] for walk in everything["walks"])


def test_nobody_walked_and_nodes_that_the_graph_lacks():
    drawn, _ = packed(
        atlas_map(
            GRAPH, [AtlasWalk("1", ("nowhere",), "unknown", "", ("gone",), ("gone",), "gone")]
        )
    )
    assert drawn["walks"][0]["p"] == []
    assert (drawn["walks"][0]["d"], drawn["walks"][0]["v"], drawn["walks"][0]["f"]) == (
        [],
        [],
        None,
    )
    assert packed(atlas_map(GRAPH, []))[0]["streets"]


def test_walks_are_coloured_by_group_and_the_rest_is_grey():
    path = tuple(route(GRAPH, "r0c0", "r0c4"))
    walks = [AtlasWalk(str(number), path, "failure") for number in range(30)]
    # ten groups, of which eight have a colour; the last walk has none
    groups = {str(number): f"<b>{min(number // 2, 9)}" for number in range(29)}
    plain = pack_atlas(GRAPH, walks)
    drawn, page = packed(packed_map(coloured(plain, groups)))
    looks = drawn["outcomes"]
    assert len(looks) == 10
    assert len({look["colour"] for look in looks}) == 9
    of = {walk["id"]: looks[walk["o"]] for walk in drawn["walks"]}
    assert of["20"]["name"] == groups["20"]  # the largest group
    assert of["29"]["name"] == "in no group"
    names = {key: look["name"] for key, look in of.items()}
    coloured_ones = [key for key, name in names.items() if name == groups.get(key)]
    assert len(coloured_ones) == 11 + 7 * 2
    assert list(names.values()).count("other groups") == 2 * 2
    assert "<b>1" not in page  # as JSON in a script it is escaped
    # what is kept for other visitors stays as it was
    assert {look["name"] for look in plain.drawn["outcomes"]} == {"success", "failure", "unknown"}
