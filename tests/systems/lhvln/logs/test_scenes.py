"""Scene lists: exact regions, rooms by vote, and what is wrong with a list."""

from collections import Counter
from pathlib import Path

import pytest

from navviz.errors import InputError, Problems
from navviz.formats import open_worlds
from navviz.systems.lhvln.logs.scenes import as_published, read_scene
from navviz.world.floors import find_floors
from navviz.world.info import Scene, outline_m
from navviz.world.scene_graph import STRAIGHT_LINE

LIST = """Region id:_-1, position:[0. 0. 0.]
Region id:_1, position:[0. 0. 0.]
Id:1, name:bed, position:[1.0, 0.5, -2.0]
Id:2, name:lamp, position:[2.0, 0.5, -2.0]
Id:3, name:rug, position:[2.0, 0.0, -3.0]
Region id:_2, position:[0. 0. 0.]
Region id:_10, position:[0. 0. 0.]
Id:4, name:kettle, position:[5.0, 1.0, 0.0]
Id:5, name:box, position:[0.0, 0.0, 0.0]
Region id:_11, position:[0. 0. 0.]
Id:6, name:sofa, with a comma, position:[7.0, 0.5, 1.0]
something else
"""
VOTES = """Scene Name,Region #,Bathroom,Bedroom,Unknown room,Weighted Room Proposal
00999-TestHouse,1,0,2,3, Tie: Bedroom & Hall
00999-TestHouse,2,0,0,9, Unknown room
00999-TestHouse,10,0,0,1, Kitchen
00999-TestHouse,11,0,0,9, Unknown room
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "00999-TestHouse.txt").write_text(LIST)
    (tmp_path / "Per_Scene_Region_Weighted_Votes.csv").write_text(VOTES)
    return tmp_path


def _read(folder: Path) -> tuple[Scene, Problems]:
    problems = Problems()
    return read_scene(folder / "00999-TestHouse.txt", problems), problems


def test_regions_hold_exactly_their_objects(folder):
    scene, problems = _read(folder)
    assert {key: [thing.name for thing in region.objects] for key, region in scene.regions.items()} == {
        "-1": [], "1": ["bed", "lamp", "rug"], "2": [], "10": ["kettle", "box"], "11": ["sofa, with a comma"],
    }  # fmt: skip
    assert [region.label for region in scene.rooms] == [
        "Region 1: Tie: Bedroom & Hall",
        "Region 10: Kitchen",
    ]
    assert scene.regions["1"].tie
    assert scene.regions["1"].room == "Bedroom & Hall"
    assert str(problems.kept[0]).startswith(
        "00999-TestHouse.txt:12: is neither a region nor an object"
    )


def test_positions_come_into_our_frame(folder):
    scene, _ = _read(folder)
    assert scene.objects("bed", "1")[0].position == (1.0, 2.0, 0.5)
    assert scene.objects("box", "10")[0].position is None  # 0, 0, 0 stands for no box
    assert scene.regions["2"].middle is None
    assert scene.objects("bed", "10") == ()


def test_a_scene_is_a_graph_without_links(folder):
    graph = open_worlds(folder)("hm3d:00999-TestHouse")
    assert list(graph.ids) == ["region 1", "region 10", "region 11"]
    assert len(graph.targets) == 0
    assert graph.info.distances == STRAIGHT_LINE
    assert graph.pois["kettle 4"].tags["room"] == "Kitchen"
    assert "box 5" not in graph.pois
    assert len(find_floors(graph)) == 1
    assert graph.info.problems.count == 1


def test_outlines_are_hulls_or_what_there_is(folder):
    scene, _ = _read(folder)
    assert sorted(outline_m(scene.regions["1"])) == [(1.0, 2.0), (2.0, 2.0), (2.0, 3.0)]
    assert outline_m(scene.regions["10"]) == [(5.0, -0.0)]
    assert outline_m(scene.regions["2"]) == []


def test_the_published_reader_moves_objects_between_regions(folder):
    scene = as_published(folder / "00999-TestHouse.txt", Problems())
    assert {key: [thing.name for thing in region.objects] for key, region in scene.regions.items()} == {
        "1": ["bed", "lamp", "rug"], "10": ["kettle", "box", "sofa, with a comma"],
    }  # fmt: skip


def test_what_is_missing_is_one_sentence(folder):
    with pytest.raises(InputError, match="scene 00001-Nowhere not found"):
        open_worlds(folder)._reader.read(folder, "hm3d:00001-Nowhere")
    (folder / "Per_Scene_Region_Weighted_Votes.csv").unlink()
    scene, problems = _read(folder)
    assert scene.rooms == ()
    assert any("rooms have no names without it" in str(problem) for problem in problems.kept)
    (folder / "00998-Empty.txt").write_text("nothing\n")
    with pytest.raises(InputError, match="holds no region"):
        read_scene(folder / "00998-Empty.txt", Problems())


@pytest.mark.nightly
def test_the_181_public_scenes(data_dir):
    problems = Problems()
    scenes = [
        read_scene(path, problems) for path in sorted((data_dir / "lhvln" / "scene").glob("0*.txt"))
    ]
    regions = [region for scene in scenes for region in scene.regions.values()]
    rooms = Counter(region.room for region in regions if region.room and not region.tie)
    assert problems.count == 0
    assert (len(scenes), sum(len(region.objects) for region in regions), len(regions)) == (
        181,
        66_104,
        2_780,
    )
    assert sum(region.room is not None for region in regions) == 2_032
    assert sum(region.tie for region in regions) == 130
    assert rooms == {
        "Bedroom": 592, "Bathroom": 541, "Kitchen": 202, "Living room": 182, "Hall": 160, "Office": 125,
        "Laundry room": 44, "Dining room": 22, "Rec room": 18, "Garage": 16,
    }  # fmt: skip
    homeless = [
        sum(len(region.objects) for region in scene.regions.values() if not region.room)
        for scene in scenes
    ]
    assert (sum(homeless), sum(count > 0 for count in homeless)) == (8_213, 163)


def test_the_published_reader_keeps_every_object_somewhere(data_dir):
    path = data_dir / "lhvln" / "scene" / "00843-DYehNKdT76V.txt"
    exact, published = read_scene(path, Problems()), as_published(path, Problems())
    assert sum(len(r.objects) for r in published.regions.values()) == sum(
        len(r.objects) for r in exact.regions.values()
    )
    assert set(published.regions) == {region.id for region in exact.rooms}
