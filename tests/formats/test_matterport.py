"""Matterport3D connectivity graphs, and the floors found in them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from navviz.errors import InputError, Problems
from navviz.formats.matterport import find_scans, read_scan, scan_not_found, where_is
from navviz.world.floors import find_floors


def viewpoint(
    name: str, x: float, y: float, z: float, flags: list[bool], *, included: bool = True
) -> dict:
    pose = [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1]
    return {
        "image_id": name,
        "pose": pose,
        "included": included,
        "visible": flags,
        "unobstructed": flags,
        "height": 1.5,
    }


def write(folder: Path, viewpoints: object, name: str = "house") -> Path:
    path = folder / f"{name}_connectivity.json"
    path.write_text(json.dumps(viewpoints))
    return path


def two_floors() -> list[dict]:
    """a b c d e below, then stairs f, then g h i above; each linked to the next."""
    heights = [1.5, 1.52, 1.5, 1.48, 1.5, 3.0, 4.5, 4.5, 4.51]
    count = len(heights)
    return [
        viewpoint("abcdefghi"[k], k, 0, z, [abs(k - j) == 1 for j in range(count)])
        for k, z in enumerate(heights)
    ]


def test_it_reads_positions_links_and_headings(tmp_path: Path) -> None:
    graph = read_scan(
        write(
            tmp_path,
            [
                viewpoint("a", 0, 0, 1.5, [False, True, True]),
                viewpoint("b", 3, 0, 1.5, [True, False, False]),
                viewpoint("c", 0, -4, 1.5, [True, False, False]),
            ],
        )
    )
    assert graph.name == "house"
    assert graph.frame == "metric"
    assert graph.links("a") == [("b", 90.0), ("c", 180.0)]
    assert graph.geodesic_m("b", "c") == 7.0
    assert graph.info.camera_height_m["a"] == 1.5


def test_excluded_viewpoints_are_left_out_and_explained(tmp_path: Path) -> None:
    graph = read_scan(
        write(
            tmp_path,
            [
                viewpoint("a", 0, 0, 1.5, [False, True, True]),
                viewpoint("b", 3, 0, 1.5, [True, False, True], included=False),
                viewpoint("c", 0, -4, 1.5, [True, True, False]),
            ],
        )
    )
    assert list(graph.ids) == ["a", "c"]
    assert graph.neighbours("a") == ["c"]
    assert where_is(graph, "a") is None
    assert (
        where_is(graph, "b")
        == "viewpoint b is excluded from scan house: the simulator leaves it out"
    )
    assert where_is(graph, "z") == "viewpoint z is not in scan house"
    assert graph.info.excluded["b"] == (3, 0, 1.5)


def test_links_that_lead_one_way_are_kept_and_said(tmp_path: Path) -> None:
    problems = Problems()
    path = write(
        tmp_path, [viewpoint("a", 0, 0, 1, [False, True]), viewpoint("b", 1, 0, 1, [False, False])]
    )
    graph = read_scan(path, problems)
    assert graph.has_link("a", "b")
    assert not graph.has_link("b", "a")
    assert "1 links lead one way only" in str(problems.kept[0])


@pytest.mark.parametrize(("content", "says"), [
    ("not json", "is no Matterport3D connectivity file"),
    ("{}", "is no Matterport3D connectivity file"),
    ("[]", "has no included viewpoint"),
    (json.dumps([viewpoint("a", 0, 0, 0, [False]) | {"pose": [1, 2]}]), "has no pose of 16 numbers"),
    (json.dumps([viewpoint("a", 0, 0, 0, [False, True])]), "has 2 flags for 1 viewpoints"),
    (json.dumps([viewpoint("a", 0, 0, 0, [False] * 2)] * 2), "is there twice"),
    (json.dumps([{"image_id": "a"}]), "field 0.pose"),
])  # fmt: skip
def test_a_bad_file_gives_one_clear_sentence(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "bad_connectivity.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"bad_connectivity\.json") as caught:
        read_scan(path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_scan_says_what_to_do() -> None:
    said = str(scan_not_found("XYZ", file="R2R.json", episodes=3))
    assert "scan XYZ not found (3 episodes are in it)" in said
    assert "put XYZ_connectivity.json into the connectivity folder" in said


def test_floors_are_found_with_the_stairs_between(tmp_path: Path) -> None:
    graph = read_scan(write(tmp_path, two_floors()))
    floors = find_floors(graph)
    assert floors.levels_m == (0.0, 3.0)
    assert [floors.of[node] for node in "abcdeghi"] == [0] * 5 + [1] * 3
    assert floors.stairs == {"f"}
    assert floors.names == ("Floor 1", "Floor 2")
    links = floors.links_between(graph)
    assert len(links) == 2
    assert set(links[0]) == set(links[1])


def test_one_viewpoint_is_one_floor(tmp_path: Path) -> None:
    graph = read_scan(write(tmp_path, [viewpoint("a", 0, 0, 1.5, [False])]))
    assert find_floors(graph).levels_m == (0.0,)


@pytest.mark.data
def test_all_scans_read_and_have_floors(data_dir: Path) -> None:
    scans = find_scans(data_dir / "mp3d")
    assert len(scans) == 41
    for scan, path in scans.items():
        raw = json.loads(path.read_text())
        problems = Problems()
        graph = read_scan(path, problems)
        floors = find_floors(graph)
        included = {v["image_id"] for v in raw if v["included"]}
        assert set(graph.ids) == included, scan
        assert len(graph.info.excluded) == len(raw) - len(included)
        assert problems.count == 0
        assert 1 <= len(floors) <= 5
        assert set(floors.of) == included
        assert np.all(np.diff(floors.levels_m) >= 1.6)
        links = sum(
            flag and other["included"]
            for v in raw
            if v["included"]
            for flag, other in zip(v["unobstructed"], raw, strict=True)
        )
        assert len(graph.targets) == links


@pytest.mark.data
def test_the_smallest_scan_has_one_floor_and_eight_viewpoints(data_dir: Path) -> None:
    graph = read_scan(data_dir / "mp3d" / "connectivity" / "gZ6f7yhEvPG_connectivity.json")
    assert len(graph) == 8
    assert len(find_floors(graph)) == 1
