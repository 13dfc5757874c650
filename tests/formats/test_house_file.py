"""Matterport3D's .house files: rooms with names and outlines."""

from __future__ import annotations

import pytest

from navviz.errors import InputError, Problems
from navviz.formats.houses import drawing_of, house_file_of, read_house

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


@pytest.mark.parametrize(
    "line",
    [
        "R 2 0",
        "R x 0 0 0 k 2 2 1 0 0 0 4 4 3",
        "V 9 0 F nan 0 0",
        "V 9 0 F 1e999 0 0",
        "S 5 0 0 F 1",
    ],
)
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
