"""Floor pictures beside graphs: found, checked, chosen, and drawn in the player's document."""

from __future__ import annotations

import json
import shutil

import pytest
from PIL import Image

from navviz.errors import Problems
from navviz.formats import open_graph
from navviz.formats.floor_pictures import find_floor_pictures
from navviz.records import Episode, Trace, TraceHeader
from navviz.views.figures.atlas import pack_atlas
from navviz.views.figures.figure_panels import FigureEpisode, panels_of
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import MAX_BYTES
from navviz.world.info import pictures_by_floor
from tests.paths import SAMPLES

SCAN = "NavVizHouse"
PLACE = {"metres_per_pixel": 0.1, "origin": [-1, 13], "z": [-0.3, 1.7], "north_up": True}


def put(folder, number=1, picture=True, name=SCAN, **changes):
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"{name}_floor{number}"
    stem.with_suffix(".json").write_text(json.dumps(PLACE | changes))
    if picture:
        Image.new("RGB", (160, 150), (10 * number, 90, 90)).save(stem.with_suffix(".png"))
    return stem.with_suffix(".png")


def find(*folders):
    problems = Problems()
    return find_floor_pictures(folders, SCAN, problems), problems


def test_a_picture_lies_where_its_json_says(tmp_path):
    put(tmp_path)
    put(tmp_path, name="OtherHouse")
    (picture,), problems = find(tmp_path)
    assert picture.box_m == (-1, -2, 15, 13)
    assert picture.source == "picture"
    assert problems.count == 0


def test_somebody_s_picture_wins_then_habitat_then_the_mesh(tmp_path):
    for number, source in ((1, "mesh"), (2, "habitat"), (3, "picture")):
        put(tmp_path / str(number), number, source=source)
        found, _ = find(*(tmp_path / str(each) for each in range(1, number + 1)))
        assert pictures_by_floor(found, (0.0, 3.0))[0].source == source


def test_a_floor_gets_the_picture_of_its_own_heights(tmp_path):
    put(tmp_path, 1, z=[2.7, 4.4])
    put(tmp_path / "floors", 2)
    found, _ = find(tmp_path)
    chosen = pictures_by_floor(found, (0.0, 3.0, 6.0))
    assert {floor: picture.file.name for floor, picture in chosen.items()} == {
        0: f"{SCAN}_floor2.png",
        1: f"{SCAN}_floor1.png",
    }


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"metres_per_pixel": 0}, "metres_per_pixel"),
        ({"metres_per_pixel": "1e999"}, "metres_per_pixel"),
        ({"origin": [1]}, "origin"),
        ({"z": [0, 1e99]}, "z"),
        ({"north_up": False}, "north_up"),
        ({"source": "../x"}, "source"),
    ],
)
def test_a_place_that_is_none_is_named(tmp_path, changes, field):
    put(tmp_path, **changes)
    found, problems = find(tmp_path)
    assert found == ()
    assert field in str(problems.kept[0])


def test_a_place_without_a_picture_is_named(tmp_path):
    put(tmp_path, picture=False)
    found, problems = find(tmp_path)
    assert found == ()
    assert "has no picture beside it" in str(problems.kept[0])


@pytest.mark.parametrize("raw", [b"<svg onload='alert(1)'/>", b"\x89PNG\r\n\x1a\n", b"GIF89a"])
def test_what_is_no_picture_is_named(tmp_path, raw):
    put(tmp_path).write_bytes(raw)
    found, problems = find(tmp_path)
    assert found == ()
    assert problems.count == 1


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    secret = tmp_path / "elsewhere.png"
    Image.new("RGB", (9, 9)).save(secret)
    put(tmp_path / "house").unlink()
    (tmp_path / "house" / f"{SCAN}_floor1.png").symlink_to(secret)
    found, problems = find(tmp_path / "house")
    assert found == ()
    assert problems.count == 1


@pytest.fixture
def house(tmp_path):
    """The sample house without floor pictures of its own."""
    folder = tmp_path / "house"
    without = shutil.ignore_patterns("floors", "runs", "*skybox*", "*.house")
    shutil.copytree(SAMPLES / "house", folder, ignore=without)
    return folder


def trace_in(folder):
    episode = json.loads((folder / "R2R_sample.json").read_text())[0]
    start = Episode(
        id="1",
        dataset="R2R",
        instruction="Go.",
        world=SCAN,
        start=episode["path"][0],
        success_radius_m=3.0,
    )
    return Trace(header=TraceHeader(navigator="x", episode=start))


def document_of(folder):
    return replay_document(trace_in(folder), open_graph(folder))


def test_the_player_s_document_holds_the_picture_of_each_floor(house):
    put(house / "floors")
    (picture,) = document_of(house)["indoor"]["pictures"]
    assert picture["floor"] == 0
    assert picture["box_m"] == [-1, -2, 15, 13]
    assert picture["url"].startswith("data:image/webp;base64,")
    assert len(picture["url"]) < MAX_BYTES * 4 / 3 + 100


def test_a_picture_that_is_cut_off_leaves_the_drawing(house):
    path = put(house / "floors")
    Image.effect_noise((400, 400), 80).save(path)
    path.write_bytes(path.read_bytes()[:5000])
    assert document_of(house)["indoor"]["pictures"] == []


def test_rooms_come_from_a_house_file_where_nobody_drew_them(house):
    lines = ["ASCII 1.1", "R 0 0 0 0 k 2 8 1 0 6 0 5 10 2.7 2.7 0 0 0 0"]
    lines += ["S 0 0 0 F 2 2 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0"]
    lines += [
        f"V {k} 0 F {x} {y} 0 0 0 1 0 0 0" for k, (x, y) in enumerate([(0, 6), (5, 6), (2, 10)])
    ]
    (house / f"{SCAN}.house").write_text("\n".join(lines))
    assert len(document_of(house)["indoor"]["rooms"]) == 17
    shutil.rmtree(house / "rooms")
    assert document_of(house)["indoor"]["rooms"] == [
        {
            "name": "kitchen",
            "floor": 0,
            "box_m": [0, 6, 5, 10],
            "outline_m": [[0, 6], [5, 6], [2, 10]],
        }
    ]


def test_atlas_and_figures_draw_the_picture_under_everything(house):
    put(house / "floors")
    graph = open_graph(house)
    ground = pack_atlas(graph, [], floor=0).drawn["ground"]
    assert ground["corners"] == [[-2, -1], [13, 15]]
    assert ground["url"].startswith("data:image/webp;base64,")
    assert pack_atlas(graph, [], floor=1).drawn["ground"] is None
    panels = panels_of(FigureEpisode(trace_in(house), graph))
    assert [panel.ground.file.name for panel in panels if panel.ground] == [f"{SCAN}_floor1.png"]
