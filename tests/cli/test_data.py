"""``navviz data``: entries in against entries out, file by file, and floors drawn from a mesh."""

from __future__ import annotations

import json
import shutil
from functools import partial

import numpy as np
import pytest
import trimesh
from click.testing import Result
from PIL import Image

from navviz.formats import open_graph
from navviz.world.floors import find_floors
from navviz.world.info import pictures_by_floor
from tests.command import invoke
from tests.grids import split_item, state_item, straight, write_grid, write_json
from tests.paths import SAMPLES

PATH = straight()


call = partial(invoke, "data", "check")


@pytest.fixture
def folder(tmp_path):
    write_grid(tmp_path / "town")
    write_json(
        tmp_path / "states.json", {str(k): state_item(PATH, ["r0c0", "r0c4"]) for k in range(3)}
    )
    return tmp_path


def _cells(expected: Result, name: str) -> list[str]:
    return next(
        line for line in expected.stdout.splitlines() if line.strip().startswith(name)
    ).split()


def test_whole_data_is_counted_and_ends_well(folder):
    result = call(str(folder))
    assert result.exit_code == 0, result.output
    assert _cells(result, "states.json (GROKE") == [
        "states.json",
        "(GROKE",
        "states)",
        "3",
        "episodes",
    ]
    assert _cells(result, "town/graph/links.txt") == ["town/graph/links.txt", "168", "168", "0"]
    assert result.stdout.splitlines()[-1] == "All 224 entries of 5 files are read."


def test_what_is_lost_is_counted_and_ends_badly(folder):
    states = {str(k): state_item(PATH, ["r0c0", "r0c4"]) for k in range(3)}
    del states["1"]["osm_path"]
    write_json(folder / "states.json", states)
    (folder / "broken.json").write_text("[{")
    (folder / "notes.md").write_text("Mine.")
    result = call(str(folder))
    assert result.exit_code == 1
    assert _cells(result, "states.json  ")[:4] == ["states.json", "3", "2", "1"]
    said = result.stdout.splitlines()
    assert "states.json: states.json, episode 1: has no osm_path; it is left out." in said
    assert (
        f"not read: {folder.name}/broken.json: is invalid JSON at line 1; mend it or get it again; it is left out."
        in said
    )
    assert said[-2:] == [
        "Other files, which are no data: 1 .md.",
        "223 of 224 entries of 5 files are read; not read at all: 1 file.",
    ]


def test_what_is_changed_is_named(folder):
    text = (
        (folder / "states.json")
        .read_text()
        .replace('"current_instruction_index": 2', '"current_instruction_index": 2.0')
    )
    (folder / "states.json").write_text(text, encoding="utf-16")
    links = folder / "town" / "graph" / "links.txt"
    links.write_text(links.read_text().replace(",", ", "))
    result = call(str(folder), "--format", "json")
    assert result.exit_code == 0, result.output
    files = {
        file["name"]: file for part in json.loads(result.stdout)["parts"] for file in part["files"]
    }
    assert files["states.json"]["changed"] == {
        "decoded as UTF-16": 1,
        "integers written as floats (current_instruction_index)": 3,
    }
    assert files["town/graph/links.txt"]["changed"] == {"cells in quotes or blanks": 2 * 168}
    assert files["town/graph/links.txt"]["read"] == 168


def test_a_kept_world_counts_its_rows_too(folder):
    assert call(str(folder)).stdout == call(str(folder)).stdout


def test_each_file_counts_once_and_results_find_their_episodes(tmp_path):
    """Step logs join a state file beside them, a router log the details, and details are opened
    with the split.
    """
    shutil.copytree(SAMPLES / "house", tmp_path / "house")
    document = json.loads(call(str(tmp_path / "house"), "--format", "json").stdout)
    names = [
        file["name"]
        for part in document["parts"]
        for file in part["files"]
        if "*" not in file["name"]
    ]
    assert len(names) == len(set(names))
    details = next(
        part for part in document["parts"] if part["path"].endswith("detail_sample.json")
    )
    assert details["read"] == "3 episodes, with R2R_sample.json"
    assert document["lost"] == 0


def test_results_that_cannot_be_opened_are_lost(tmp_path):
    write_json(tmp_path / "split.json", [split_item(PATH, 1)])
    write_json(tmp_path / "states.json", {"5": state_item(PATH, ["r0c0", "r0c4"])})
    result = call(str(tmp_path))
    assert result.exit_code == 1
    assert (
        "states: no graph was given; check the folder that holds them and their graph."
        in result.stdout
    )


def test_a_run_is_checked_on_the_graph_that_score_finds(tmp_path):
    bundled = SAMPLES / "harbour" / "runs" / "rules"
    shutil.copytree(bundled, tmp_path / "noted")
    config = {"run": "rules", "graphs": [str(SAMPLES / "harbour" / "osm" / "graph")]}
    write_json(tmp_path / "noted" / "run.json", config)
    for folder in (bundled, tmp_path / "noted"):
        document = json.loads(call(str(folder), "--format", "json").stdout)
        (part,) = document["parts"]
        assert (part["read"], document["lost"]) == ("14 episodes", 0), folder
        assert call(str(folder)).exit_code == 0


@pytest.mark.parametrize(("pois", "code"), [(None, 1), ("", 0)])
def test_a_map_without_its_pois_is_named_and_one_that_has_none_is_not(folder, pois, code):
    for name in ("pois.txt", "poi_links.txt"):
        (folder / "town" / "graph" / name).unlink()
        if pois is not None:
            (folder / "town" / "graph" / name).write_text(pois)
    result = call(str(folder))
    assert result.exit_code == code, result.output
    assert ("pois.txt: is missing" in result.stdout) == (code == 1)


CUT = ("<kml xmlns='http://www.opengis.net/kml/2.2'><Document><Placemark><name>a</name><LineString>"
       "<coordinates>10.1,48.1 10.1,48.2</coordinates></LineString></Placemark></Doc")  # fmt: skip


@pytest.mark.parametrize(
    ("file", "content"),
    [("walk.kml", CUT), ("empty.trace.jsonl", ""), ("walk.gpx", "<gpx><trk><trkseg>")],
)
def test_whatever_cannot_be_read_ends_badly(folder, file, content):
    (folder / file).write_text(content)
    result = call(str(folder))
    assert result.exit_code == 1, result.output
    assert file in result.stdout


def test_a_broken_file_beside_a_good_one_of_its_name_is_named(folder):
    (folder / "b").mkdir()
    (folder / "b" / "states.json").write_text("[{")
    result = call(str(folder))
    assert result.exit_code == 1
    assert "not read: b/states.json: is invalid JSON" in result.stdout
    records = [
        json.loads(line) for line in call(str(folder), "--format", "jsonl").stdout.splitlines()
    ]
    assert [row["file"] for row in records if row.get("read") == 0] == ["b/states.json"]


def test_what_is_not_there_is_a_sentence(folder):
    result = call(str(folder / "nowhere"))
    assert result.exit_code == 2
    assert "nowhere" in result.stderr


def test_one_file_is_checked_as_its_folder_is():
    """The house that the episodes need lies beside it."""
    done = invoke("data", "check", str(SAMPLES / "house" / "R2R_sample.json"), "--format", "json")
    assert done.exit_code == 0, done.output
    [part] = json.loads(done.stdout)["parts"]
    assert part["kind"] == "episodes"


def test_a_file_of_no_kind_is_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Nothing to see.\n")
    done = invoke("data", "check", str(path))
    assert done.exit_code == 1
    assert "notes.txt: is of no kind that is read" in done.stdout + done.stderr


def test_a_log_is_checked_by_its_mapping_and_says_how_it_was_checked(tmp_path):
    log = tmp_path / "walks.csv"
    rows = [f"w,{k * 0.5},{k % 3 * 0.1},0\n" for k in range(9)]
    log.write_text("trip,x,y,z\n" + "".join(rows))
    unknown = invoke("data", "check", str(log))
    assert (
        unknown.exit_code,
        f"navviz data map {log} --save" in unknown.stderr + unknown.stdout,
    ) == (1, True)
    assert invoke("data", "map", str(log), "--save").exit_code == 0
    known = invoke("data", "check", str(log))
    assert known.exit_code == 0
    said = " ".join(known.stdout.split())
    assert "steps of a length that agents walk" in said
    assert "is upright, as it changes least" in said


def house_with_mesh(tmp_path, shift=0.0):
    """The sample house's graph, and a mesh of two slabs with a red block on the lower one."""
    graphs = tmp_path / "connectivity"
    shutil.copytree(SAMPLES / "house" / "connectivity", graphs)
    parts = []
    for begin, end, colour in (
        ((0, 0, -0.1), (14, 10, 0.0), (200, 200, 200)),
        ((0, 0, 2.9), (14, 10, 3.0), (90, 120, 90)),
        ((2, 1, 0.0), (3, 2, 0.8), (220, 20, 20)),
    ):
        low, high = np.array(begin, float), np.array(end, float)
        at = trimesh.transformations.translation_matrix((low + high) / 2 + (0, 0, shift))
        box = trimesh.creation.box(high - low, at)
        parts.append(trimesh.Trimesh(box.vertices, box.faces, vertex_colors=[[*colour, 255]] * 8))
    mesh = tmp_path / "NavVizHouse.ply"
    trimesh.util.concatenate(parts).export(mesh)
    return mesh, graphs


floor_call = partial(invoke, "data", "floor")


def test_each_floor_becomes_a_picture_with_its_place(tmp_path):
    mesh, graphs = house_with_mesh(tmp_path)
    done = floor_call(mesh, "--graphs", graphs, "--metres-per-pixel", 0.05)
    assert done.exit_code == 0, done.output
    assert "NavVizHouse_floor1.png" in done.output
    graph = open_graph(graphs)
    chosen = pictures_by_floor(graph.info.floor_pictures, find_floors(graph).levels_m)
    assert sorted(chosen) == [0, 1]
    lower = chosen[0]
    assert lower.source == "mesh"
    pixels = np.asarray(Image.open(lower.file))
    west, _, _, north = lower.box_m

    def at(x, y):
        return pixels[int((north - y) / 0.05), int((x - west) / 0.05)].tolist()

    assert at(2.5, 1.5) == [220, 20, 20, 255]
    assert at(6, 6) == [200, 200, 200, 255]
    assert at(-0.5, 5) == [0, 0, 0, 0]
    place = json.loads(lower.file.with_suffix(".json").read_text())
    assert place["north_up"] is True


def test_a_mesh_of_another_house_is_one_sentence(tmp_path):
    mesh, graphs = house_with_mesh(tmp_path, shift=50.0)
    done = floor_call(mesh, "--graphs", graphs)
    assert done.exit_code != 0
    assert "has nothing at the heights of a floor" in done.output


def test_a_graph_outdoors_has_no_floors(tmp_path):
    mesh, _ = house_with_mesh(tmp_path)
    done = floor_call(mesh, "--graphs", SAMPLES / "harbour")
    assert done.exit_code != 0
    assert "is no house" in done.output
