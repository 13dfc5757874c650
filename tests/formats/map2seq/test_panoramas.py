"""The panorama variant."""

from __future__ import annotations

import json

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_graph
from tests.grids import grid_links, grid_rows, straight, write_lines


@pytest.fixture
def world(tmp_path):
    graph = tmp_path / "views" / "graph"
    graph.mkdir(parents=True)
    write_lines(
        graph / "nodes.txt",
        (f"{n},{i},{lat!r},{lon!r},seen" for i, (n, lat, lon) in enumerate(grid_rows())),
    )
    write_lines(graph / "links.txt", (f"{a},{h},{b}" for a, h, b in grid_links()))
    return tmp_path / "views"


PATH = straight()


def _line(path=PATH, key=5, **changes):
    fields = {
        "id": 50,
        "instructions_id": key,
        "route_panoids": list(path),
        "navigation_text": "Go.",
        "start_heading": 90,
    }
    return json.dumps({**fields, **changes})


def test_graph_and_episodes(world):
    graph = open_graph(world)
    assert (len(graph), graph.info.yaw_deg[3], graph.info.node_splits[0]) == (49, 3.0, "seen")
    path = write_lines(world / "data.json", [_line(), _line(key=6)])
    found = open_episodes(path)
    own_episode = found.episodes["5"]
    assert (found.format, list(found.episodes)) == ("panorama episodes", ["5", "6"])
    assert (
        own_episode.path_id,
        own_episode.start,
        own_episode.goal,
        own_episode.start_heading_deg,
    ) == ("50", "r0c0", "r0c4", 90.0)


def test_bad_lines_are_told_and_the_rest_is_shown(world):
    lines = [
        _line(), "{", _line(), _line(key=7, route_panoids=[]), json.dumps({"id": 1}),
        _line(key=8)[:40],
    ]  # fmt: skip
    found = open_episodes(write_lines(world / "d.json", lines))
    assert list(found.episodes) == ["5"]
    text = "\n".join(map(str, found.problems.kept))
    assert found.problems.count == 5
    for part in (
        "d.json:2: is no whole JSON line",
        "episode 5: this id comes twice",
        "is an empty path",
        "d.json:5: has no",
    ):
        assert part in text


def test_a_file_without_one_episode_is_refused(world):
    with pytest.raises(InputError, match=r"d\.json: not one of its lines is an episode"):
        open_episodes(write_lines(world / "d.json", [_line(route_panoids=[])]))


@pytest.mark.data
def test_published_graph_and_episodes(data_dir):
    graph = open_graph(data_dir / "map2seq_pano")
    assert (len(graph), len(graph.targets)) == (29_641, 61_317)
    found = open_episodes(data_dir / "map2seq_pano" / "data" / "dev.json")
    assert (len(found), found.problems.count) == (800, 0)
    assert all(
        node in graph
        for each_episode in found.episodes.values()
        for node in each_episode.reference_path
    )


def test_touchdowns_graph_has_four_columns(tmp_path):
    graph = tmp_path / "td" / "graph"
    graph.mkdir(parents=True)
    write_lines(graph / "nodes.txt", (f"{n},7,{lat!r},{lon!r}" for n, lat, lon in grid_rows()))
    write_lines(graph / "links.txt", (f"{a},{h},{b}" for a, h, b in grid_links()))
    read = open_graph(tmp_path / "td")
    assert (len(read), read.info.yaw_deg[3], read.info.node_splits) == (49, 7.0, ())
    assert read.info.problems.count == 0


def test_route_ids_of_touchdown_and_manh50(tmp_path):
    touchdown = {"route_id": 3, "route_panoids": list(PATH), "navigation_text": "Go.",
                 "start_heading": 0.0, "td_location_text": "There.", "num_finished": 1}  # fmt: skip
    manh50 = {"route_id": 4, "route_panoids": list(PATH), "navigation_text": "Go.",
              "start_pano": PATH[0], "end_pano": PATH[-1]}  # fmt: skip
    for line, data_set, heading_deg in ((touchdown, "touchdown", 0.0), (manh50, "manh50", None)):
        found = open_episodes(write_lines(tmp_path / "dev.json", [json.dumps(line)]))
        (episode,) = found.episodes.values()
        assert (episode.id, episode.dataset) == (str(line["route_id"]), data_set)
        assert (episode.start_heading_deg, found.problems.count) == (heading_deg, 0)


@pytest.mark.data
def test_published_touchdown_and_manh50(data_dir):
    folder = data_dir / "wild" / "touchdown"
    graph = open_graph(folder / "graph")
    assert (len(graph), len(graph.targets)) == (29_641, 61_319)
    touchdown = open_episodes(folder / "data" / "velma_dev.json")
    assert (len(touchdown), touchdown.problems.count) == (300, 0)
    assert all(
        node in graph for each in touchdown.episodes.values() for node in each.reference_path
    )
    manh50 = open_episodes(folder / "data" / "manh50_dev.json")
    assert (len(manh50), manh50.problems.count) == (200, 0)
