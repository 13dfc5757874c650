"""REVERIE's objects by viewpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import Problems
from navviz.formats.houses import find_objects, read_objects

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
def test_real_houses(data_dir: Path) -> None:
    problems = Problems()
    objects = read_objects(data_dir / "reverie", "1pXnuDYAj8r", problems)
    assert not problems.count
    assert len(objects.at) == 95
    assert not any("#" in name for name in objects.names)
    assert sum(1 for _ in objects.visible()) > 300
