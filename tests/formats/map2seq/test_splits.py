"""Map2Seq's graph and splits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_graph
from navviz.systems.rules.local_navigator import knows_lengths
from tests.grids import grid_rows, split_item, straight, write_grid, write_json, write_lines


def _sentences(graph) -> list[str]:
    return [str(problem) for problem in graph.info.problems.kept]


@pytest.fixture
def world(tmp_path):
    return write_grid(tmp_path / "town")


def test_graph_is_read_from_any_of_its_folders(world):
    for path in (world, world / "graph", world / "graph" / "nodes.txt"):
        graph = open_graph(path)
        assert (len(graph), len(graph.targets), len(graph.pois)) == (49, 168, 2)
        assert graph.name == "town"
    assert graph.links("r0c0") == [("r1c0", 0.0), ("r0c1", 90.0)]
    assert graph.pois["p1"].name == "Kiosk, north"
    assert [(link.poi, link.heading_deg) for link in graph.poi_links("r0c0")] == [("p1", 10.0)]
    assert _sentences(graph) == []


def test_lengths_and_bends_of_links_are_read_where_a_file_has_them(world):
    plain = open_graph(world)
    lines = [
        "r0c0,r1c0,40.5,54.0001 10.0002;54.0003 10.0002",
        "r1c0,r0c0,41,",
        "r0c0,r3c3,5,",
        "r0c1,r0c0,long,",
        "r0c0,r0c1,12,north",
        "r0c2,r0c1,-1,",
        "r0c2",
    ]
    (world / "graph" / "link_shapes.txt").write_text("\n".join(lines))
    graph = open_graph(world)
    assert (graph.link_m("r0c0", "r1c0"), graph.link_m("r1c0", "r0c0")) == (40.5, 41.0)
    assert graph.bends("r0c0", "r1c0").tolist() == [[54.0001, 10.0002], [54.0003, 10.0002]]
    assert graph.link_m("r0c1", "r0c0") == plain.link_m("r0c1", "r0c0"), (
        "what cannot be used leaves a straight line"
    )
    assert graph.link_m("r0c2", "r0c1") == plain.link_m("r0c2", "r0c1")
    assert graph.links("r0c0") == plain.links("r0c0"), "the headings of links.txt win"
    said = "\n".join(_sentences(graph))
    assert len(_sentences(graph)) == 5
    for part in (
        "link 3 names no link",
        "link 4 has no length",
        "link 5 has a bend",
        "link 6 has no length",
        "1 of 4",
    ):
        assert part in said


def test_links_keep_the_order_of_the_file(world):
    graph = open_graph(world)
    assert graph.neighbours("r1c1") == ["r2c1", "r1c2", "r0c1", "r1c0"]


@pytest.mark.parametrize("missing", ["nodes.txt", "links.txt"])
def test_a_missing_file_is_named(world, missing):
    (world / "graph" / missing).unlink()
    with pytest.raises(
        InputError, match=f"lacks {missing}; put nodes.txt and links.txt into one folder"
    ):
        open_graph(world)


def test_without_poi_files_the_streets_are_shown(world):
    (world / "graph" / "pois.txt").unlink()
    graph = open_graph(world)
    assert len(graph) == 49
    assert graph.pois == {}
    assert any("pois.txt: is missing" in text for text in _sentences(graph))


def _change_nodes(world, change):
    write_lines(
        world / "graph" / "nodes.txt", [change(i, *row) for i, row in enumerate(grid_rows())]
    )


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ("r0c3,nan,11.0", "node r0c3 is not a position in degrees"),
        ("r0c3,north,11.0", "node r0c3 is not a position in degrees"),
        ("r0c3,148.0,11.0", "node r0c3 is not a position in degrees"),
        ("r0c3,11.0,48.0", "node r0c3 is swapped"),
        ("r0c3,8.0,11.0", "node r0c3 lies more than 5 degrees"),
        ("r0c3", "has 1 of 3 columns"),
    ],
)
def test_a_bad_node_is_left_out_and_told(world, bad, sentence):
    _change_nodes(world, lambda i, node, lat, lon: bad if i == 3 else f"{node},{lat!r},{lon!r}")
    graph = open_graph(world)
    assert len(graph) == 48
    assert "r0c3" not in graph
    assert any(sentence in text and text.startswith("nodes.txt") for text in _sentences(graph))
    assert sum("names a node that is not in nodes.txt" in text for text in _sentences(graph)) == 6


def test_a_node_that_comes_twice_is_told(world):
    with (world / "graph" / "nodes.txt").open("a") as file:
        file.write("r0c0,48.001,11.0\n")
    graph = open_graph(world)
    assert len(graph) == 49
    assert graph.position("r0c0") == (48.0, 11.0)
    assert _sentences(graph) == [
        "nodes.txt, field id: node r0c0 comes twice; keep one; the first is used."
    ]


def test_a_file_with_all_coordinates_swapped_is_refused(world):
    _change_nodes(world, lambda i, node, lat, lon: f"{node},{lon!r},{lat!r}")
    with pytest.raises(
        InputError, match=r"nodes\.txt, field lat/lng: latitude and longitude are swapped"
    ):
        open_graph(world)


def test_a_file_without_one_usable_node_is_refused(world):
    _change_nodes(world, lambda i, node, lat, lon: f"{node},nan,nan")
    with pytest.raises(
        InputError, match=r"nodes\.txt: holds no usable node; write latitude before longitude"
    ):
        open_graph(world)


def test_bad_links_and_pois_are_left_out_and_told(world):
    graph_dir = world / "graph"
    for name, line in (
        ("links.txt", "r0c0,x,r0c1"),
        ("links.txt", "r0c0,90,nowhere"),
        ("pois.txt", "p3,48.0,11.0,{tags}"),
        ("pois.txt", 'p4,nan,11.0,{"shop": "books"}'),
        ("poi_links.txt", "r0c0,0,48.0,11.0,p9"),
    ):
        with (graph_dir / name).open("a") as file:
            file.write(line + "\n")
    graph = open_graph(world)
    text = "\n".join(_sentences(graph))
    assert (len(graph.targets), len(graph.pois), len(graph.poi_link_nodes)) == (168, 2, 2)
    for part in (
        "link r0c0 to r0c1 has no heading",
        "link r0c0 to nowhere names a node",
        "POI p3: its tags are no JSON object",
        "POI p4: its position is not one in degrees",
        "POI p9, named by 1 links, is not in pois.txt",
    ):
        assert part in text
    assert graph.info.problems.count == 5


def test_a_thousand_bad_links_are_counted_and_not_all_kept(world):
    with (world / "graph" / "links.txt").open("a") as file:
        file.writelines(f"r0c0,90,x{i}\n" for i in range(1000))
    problems = open_graph(world).info.problems
    assert problems.count == 1000
    assert len(problems.kept) == problems.limit


def test_split(world):
    path = write_json(
        world / "splits" / "test.json", [split_item(straight(), 7), split_item(straight(1), 8)]
    )
    found = open_episodes(path)
    assert (found.name, found.format, list(found.episodes)) == (
        "town test",
        "Map2Seq split",
        ["7", "8"],
    )
    own_episode = found.episodes["7"]
    assert (
        own_episode.start,
        own_episode.goal,
        own_episode.start_heading_deg,
        own_episode.success_radius_m,
    ) == ("r0c0", "r0c4", 90.0, 25.0)
    assert (own_episode.dataset, own_episode.split, own_episode.reference_path) == (
        "town",
        "test",
        straight(),
    )


@pytest.mark.parametrize(("item", "sentence"), [
    (split_item((), 3), "episode 3, field route.osm_path: is an empty path"),
    (split_item(straight(), 1), "episode 1: this id comes twice"),
    ({"route": {}, "instructions_id": 3}, "item 2 has no route.osm_path"),
    ("text", "item 2 has no route.osm_path"),
    ({**split_item((), 3), "route": {"osm_path": [None]}}, "holds something that is no node id"),
    ({**split_item((), 3), "route": {"osm_path": "r0c0"}}, "is no list of node ids"),
])  # fmt: skip
def test_a_bad_episode_is_left_out_and_told(tmp_path, item, sentence):
    path = write_json(
        tmp_path / "s.json", [split_item(straight(), 1), item, split_item(straight(), 9)]
    )
    found = open_episodes(path)
    assert list(found.episodes) == ["1", "9"]
    assert found.problems.count == 1
    assert sentence in str(found.problems.kept[0])
    assert str(found.problems.kept[0]).startswith("s.json")


def test_what_an_episode_lacks_is_shown_as_missing(tmp_path):
    item = split_item(straight(), 1, instructions=None)
    item["route"]["initial_heading"] = "east"
    found = open_episodes(write_json(tmp_path / "s.json", [item]))
    assert found.episodes["1"].instruction == ""
    assert found.episodes["1"].start_heading_deg is None
    assert [problem.field for problem in found.problems.kept] == ["instructions", "initial_heading"]


def test_a_cut_split_shows_what_came_before(tmp_path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps([split_item(straight(), 1), split_item(straight(), 2)])[:-30])
    found = open_episodes(path)
    assert list(found.episodes) == ["1"]
    assert "breaks after 1 items" in str(found.problems.kept[0])


def test_map2seq_is_known_by_its_panoramas_wherever_its_files_lie(tmp_path):
    panoramas = ["oHsJjc7O4EcFQBh6EjdIZA", "Lzav1v6RGDtegrPTN46d_-"]
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name, ids, known in (
        ("theirs", panoramas, True),
        ("ours", [], False),
        ("others", ["r0c0", "r0c1"], False),
    ):
        item = split_item(straight())
        item["route"]["pano_path"] = ids
        (own_episode,) = open_episodes(
            write_json(folder / f"{name}.json", [item])
        ).episodes.values()
        assert own_episode.dataset == ("map2seq" if known else "elsewhere"), name
        assert knows_lengths("auto", own_episode) is known


@pytest.mark.parametrize(
    ("folder", "panoramas", "dataset"),
    [
        ("map2seq-mine", [], "own routes of map2seq-mine"),
        ("map2seq-mine", ["oHsJjc7O4EcFQBh6EjdIZA"], "map2seq-mine"),
        ("mine", ["oHsJjc7O4EcFQBh6EjdIZA"], "map2seq"),
    ],
)
def test_routes_are_not_map2seqs_because_of_where_they_lie(folder, panoramas, dataset, tmp_path):
    item = split_item(straight())
    item["route"]["pano_path"] = panoramas
    (tmp_path / folder).mkdir()
    (own_episode,) = open_episodes(
        write_json(tmp_path / folder / "val.json", [item])
    ).episodes.values()
    assert own_episode.dataset == dataset
    assert knows_lengths("auto", own_episode) is bool(panoramas)


@pytest.mark.data
def test_published_splits_keep_their_prior_in_any_folder(data_dir, tmp_path):
    for published in ("map2seq/splits/test_seen.json", "map2seq_pano/data/dev.json"):
        copy = tmp_path / Path(published).name
        copy.write_bytes((data_dir / published).read_bytes())
        assert {each_episode.dataset for each_episode in open_episodes(copy).episodes.values()} == {
            "map2seq"
        }


@pytest.mark.data
def test_published_graph_and_splits(data_dir):
    graph = open_graph(data_dir / "map2seq")
    assert (len(graph), len(graph.targets), len(graph.pois)) == (36_108, 74_764, 6_794)
    assert len(graph.poi_link_nodes) == 59_681 - 110
    # six POIs that are not there, and 15 rows that stand there twice
    assert graph.info.problems.count == 7
    for split, count in (("val", 605), ("test_seen", 700)):
        found = open_episodes(data_dir / "map2seq" / "splits" / f"{split}.json")
        assert (len(found), found.problems.count) == (count, 0)
        assert all(
            node in graph
            for each_episode in found.episodes.values()
            for node in each_episode.reference_path
        )
