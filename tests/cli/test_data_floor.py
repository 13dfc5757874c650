"""``navviz data floor``: a mesh becomes floor pictures that the graph's reader finds."""

import json
import shutil
from functools import partial

import numpy as np
import trimesh
from PIL import Image

from navviz.formats import open_graph
from navviz.world.floors import find_floors
from navviz.world.info import pictures_by_floor
from tests.command import invoke
from tests.paths import SAMPLES


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


call = partial(invoke, "data", "floor")


def test_each_floor_becomes_a_picture_with_its_place(tmp_path):
    mesh, graphs = house_with_mesh(tmp_path)
    done = call(mesh, "--graphs", graphs, "--metres-per-pixel", 0.05)
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
    done = call(mesh, "--graphs", graphs)
    assert done.exit_code != 0
    assert "has nothing at the heights of a floor" in done.output


def test_a_graph_outdoors_has_no_floors(tmp_path):
    mesh, _ = house_with_mesh(tmp_path)
    done = call(mesh, "--graphs", SAMPLES / "harbour")
    assert done.exit_code != 0
    assert "is no house" in done.output
