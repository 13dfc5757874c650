"""What describes a house: captions, objects by viewpoint, rooms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError, Problems
from navviz.formats.houses import (
    drawing_of,
    find_objects,
    house_file_of,
    read_captions,
    read_house,
    read_objects,
)

VIEW = {
    "global_cap": " a hall with a bench ",
    "dense_cap": [
        {"obj_class": "bench", "coordinates": "1 2 3 4", "confidence": "0.5", "caption": "x"},
        {"obj_class": "door", "coordinates": "1 2", "confidence": 0.9},
        {"obj_class": "rug", "confidence": "high"},
        7,
    ],
}


def test_captions_and_detections(tmp_path: Path) -> None:
    (tmp_path / "langnav").mkdir()
    (tmp_path / "langnav" / "scan.json").write_text(
        json.dumps({"v": {"0": VIEW, "12": VIEW, "36": VIEW, "x": VIEW}})
    )
    problems = Problems()
    captions = read_captions(tmp_path, "scan", problems)
    [broken, lost] = problems.kept
    assert "2 views with detections that lack" in str(broken)
    assert "2 of 4 views have no number" in str(lost)
    assert sorted(captions.views["v"]) == [0, 12]
    view = captions.views["v"][0]
    assert view.caption == "a hall with a bench"
    assert [(d.name, d.confidence, d.box) for d in view.detections] == [
        ("door", 0.9, None),
        ("bench", 0.5, (1, 2, 3, 4)),
    ]


def test_what_is_missing_or_broken_is_told(tmp_path: Path) -> None:
    problems = Problems()
    assert not read_captions(tmp_path, "scan", problems)
    assert not problems.count, "no file is no fault"
    (tmp_path / "scan.json").write_text(json.dumps({"v": {"0": VIEW}, "w": {"0": {}}, "u": []}))
    assert list(read_captions(tmp_path, "scan", problems).views) == ["v"]
    assert problems.count == 3, "two viewpoints without a caption, one with broken detections"
    (tmp_path / "scan.json").write_text("[")
    assert not read_captions(tmp_path, "scan", problems)
    assert "no JSON object" in str(problems.kept[-1])


@pytest.mark.data
def test_real_houses(data_dir: Path) -> None:
    problems = Problems()
    captions = read_captions(data_dir / "langnav", "17DRP5sb8fy", problems)
    assert not problems.count
    assert {len(views) for views in captions.views.values()} == {36}
    assert (
        captions.views["30c97842da204e6290ac32904c924e17"][12].caption
        == "a bedroom with a bed and a blue chair"
    )


NODE = "abc"


def write(folder: Path, things: object, node: str = NODE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"scan_{node}.json").write_text(json.dumps({node: things}))
    return folder


CHAIR = {
    "name": "dining#chair",
    "visible_pos": [12, 13],
    "bbox2d": [[1, 2, 10, 10], [0, 0, 50, 50]],
}
HIDDEN = {"name": "lamp", "visible_pos": [], "bbox2d": []}
SOFA = {"name": "sofa", "visible_pos": [13], "bbox2d": [[0, 0, 100, 100]]}


def test_objects_with_views_and_boxes(tmp_path: Path) -> None:
    folder = write(tmp_path / "BBox", {"7": CHAIR, "8": HIDDEN, "9": SOFA})
    write(folder, {"7": CHAIR | {"visible_pos": [0], "bbox2d": [[0, 0, 1, 1]]}}, "def")
    problems = Problems()
    objects = read_objects(tmp_path, "scan", problems)
    assert not problems.count
    assert [thing.name for thing in objects.at[NODE]] == ["dining chair", "lamp", "sofa"]
    assert [thing.name for thing in objects.in_view(NODE, 13)] == ["sofa", "dining chair"], (
        "the largest first"
    )
    assert objects.in_view(NODE, 5) == ()
    assert objects.at[NODE][0].box(13) == (0, 0, 50, 50)
    assert objects.visible_from("7") == {NODE, "def"}
    assert objects.visible_from("8") == frozenset(), "hidden everywhere"
    assert objects.visible_from("no such") == frozenset()
    assert objects.names == {"dining chair", "lamp", "sofa"}


def test_the_folder_is_looked_for_beside_the_houses(tmp_path: Path) -> None:
    (tmp_path / "connectivity").mkdir()
    folder = write(tmp_path / "reverie" / "BBox", {"7": CHAIR})
    assert find_objects(tmp_path / "connectivity") == folder
    assert find_objects(folder) == folder
    assert not read_objects(tmp_path / "connectivity", "other", Problems())


@pytest.mark.parametrize(
    "things",
    [
        {"7": {"name": "x", "visible_pos": [36], "bbox2d": [[0, 0, 1, 1]]}},
        {"7": {"name": "x", "visible_pos": [1], "bbox2d": []}},
        {"7": {"name": "x", "visible_pos": [1], "bbox2d": [[0, 0, 1]]}},
        {"7": {"visible_pos": [], "bbox2d": []}},
        {"7": 3},
    ],
)
def test_a_broken_object_is_told_and_left_out(tmp_path: Path, things: dict) -> None:
    folder = write(tmp_path / "BBox", things | {"9": SOFA})
    problems = Problems()
    assert [thing.id for thing in read_objects(folder, "scan", problems).at[NODE]] == ["9"]
    assert "object 7" in str(problems.kept[0])
    assert f"scan_{NODE}.json" in str(problems.kept[0])


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "BBox", {"9": SOFA})
    (folder / "scan_bad.json").write_text("{")
    problems = Problems()
    assert list(read_objects(folder, "scan", problems).at) == [NODE]
    assert "scan_bad.json: holds no objects of viewpoint bad" in str(problems.kept[0])


@pytest.mark.data
def test_real_houses_of_reverie(data_dir: Path) -> None:
    problems = Problems()
    objects = read_objects(data_dir / "reverie", "1pXnuDYAj8r", problems)
    assert not problems.count
    assert len(objects.at) == 95
    assert not any("#" in name for name in objects.names)
    assert sum(1 for _ in objects.visible()) > 300


HOUSE = """\
ASCII 1.1
H scan label 1 2 0 0 2 8 0 0 2 1 0 0 0 0 0 0 0 10 8 6 0 0 0 0 0
L 0 2 label 5 4 0 0 0 0 10 8 3 0 0 0 0 0
R 0 0 0 0 k 2 2 1 0 0 0 4 4 3 3 0 0 0 0
R 1 0 0 0 s 7 2 1 4 0 3.1 10 8 6 3 0 0 0 0
S 0 0 0 F 2 2 0 0 0 1 0 0 0 4 4 0 0 0 0 0 0
S 1 0 0 C 2 2 3 0 0 -1 0 0 3 4 4 3 0 0 0 0 0
V 0 0 F 0 0 0 0 0 1 0 0 0
V 1 0 F 4 0 0 0 0 1 0 0 0
V 2 0 F 4 4 0 0 0 1 0 0 0
V 3 0 F 1 4 0 0 0 1 0 0 0
V 4 1 C 9 9 3 0 0 -1 0 0 0
P abc 0 0 0 1 1 1 0 0 0 0 0
"""


def read(tmp_path, text):
    path = tmp_path / "scan.house"
    path.write_text(text)
    problems = Problems()
    return read_house(path, problems), problems


def test_outlines_are_floor_surfaces_and_else_boxes(tmp_path):
    (kitchen, stairs), problems = read(tmp_path, HOUSE)
    assert kitchen == ("kitchen", 0.0, ((0, 0), (4, 0), (4, 4), (1, 4)))
    assert stairs == ("stairs", 3.1, ((4, 0), (10, 0), (10, 8), (4, 8)))
    assert problems.count == 0


def test_rooms_lie_on_the_floor_with_the_nearest_level(tmp_path):
    regions, _ = read(tmp_path, HOUSE)
    rooms = drawing_of(regions, (0.1, 2.9))
    assert [(room["name"], room["floor"], room["box_m"]) for room in rooms] == [
        ("kitchen", 0, [0, 0, 4, 4]),
        ("stairs", 1, [4, 0, 10, 8]),
    ]


@pytest.mark.parametrize("line", [
    "R 2 0", "R x 0 0 0 k 2 2 1 0 0 0 4 4 3", "V 9 0 F nan 0 0", "V 9 0 F 1e999 0 0", "S 5 0 0 F 1",
])  # fmt: skip
def test_a_damaged_line_is_named_and_left_out(tmp_path, line):
    regions, problems = read(tmp_path, HOUSE + line + "\n")
    assert len(regions) == 2
    assert "line 14 is no entry of a house" in str(problems.kept[0])


@pytest.mark.parametrize("text", ["", "<svg onload=alert(1)>", "{}"])
def test_what_is_no_house_file_has_no_rooms(tmp_path, text):
    if not text:
        assert read(tmp_path, text)[0] == ()
        return
    with pytest.raises(InputError, match=r"scan\.house: is no \.house file"):
        read(tmp_path, text)


def test_it_is_found_where_the_download_puts_it(tmp_path):
    folder = tmp_path / "connectivity"
    folder.mkdir()
    place = tmp_path / "abc" / "house_segmentations"
    place.mkdir(parents=True)
    (place / "abc.house").write_text(HOUSE)
    assert house_file_of(folder, "abc") == place / "abc.house"
    assert house_file_of(folder, "abd") is None
