"""Meshes of houses in three formats, and files that are none."""

from __future__ import annotations

import json

import numpy as np
import pytest
import trimesh

from navviz.errors import InputError
from navviz.formats.floor_pictures import read_mesh
from navviz.support.guarded import taking_notes

CORNERS = np.array([[0, 0, 0], [4, 0, 0], [4, 3, 0], [0, 3, 0.5]], float)
FACES = [[0, 1, 2], [0, 2, 3]]
COLOURS = np.array([[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [9, 9, 9, 255]], np.uint8)


def write(path):
    """Export in the frame of the format: GLB has y up."""
    corners = CORNERS
    if path.suffix == ".glb":
        corners = np.column_stack([CORNERS[:, 0], CORNERS[:, 2], -CORNERS[:, 1]])
    trimesh.Trimesh(corners, FACES, vertex_colors=COLOURS, process=False).export(path)
    return path


def surface(mesh):
    return sorted(map(tuple, np.round(mesh.vertices[mesh.triangles.ravel()], 4).tolist()))


@pytest.mark.parametrize("suffix", [".ply", ".obj", ".glb"])
def test_three_formats_hold_one_house(tmp_path, suffix):
    mesh = read_mesh(write(tmp_path / f"house{suffix}"))
    truth = sorted(map(tuple, CORNERS[np.ravel(FACES)].tolist()))
    assert surface(mesh) == truth
    red = mesh.vertices[(mesh.colours == (255, 0, 0)).all(axis=1)]
    assert {tuple(place) for place in red.tolist()} == {(0.0, 0.0, 0.0)}


def test_parts_of_a_scene_stand_where_their_nodes_put_them(tmp_path):
    scene = trimesh.Scene()
    part = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 0, -1]], [[0, 1, 2]], process=False)
    for x in (0.0, 5.0):
        scene.add_geometry(part, transform=trimesh.transformations.translation_matrix([x, 2, 0]))
    scene.export(tmp_path / "house.glb")
    mesh = read_mesh(tmp_path / "house.glb")
    assert len(mesh.triangles) == 2
    firsts = [[0, 0, 2], [1, 0, 2], [0, 1, 2]]
    seconds = [[5, 0, 2], [6, 0, 2], [5, 1, 2]]
    assert sorted(mesh.vertices[:, [0, 1, 2]].tolist()) == sorted(firsts + seconds)
    assert mesh.colours is None


def _glb(document, binary=b""):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = len(text).to_bytes(4, "little") + b"JSON" + text
    chunks += len(binary).to_bytes(4, "little") + b"BIN\0" + binary
    return b"glTF" + (2).to_bytes(4, "little") + (12 + len(chunks)).to_bytes(4, "little") + chunks


HOSTILE = {
    "empty.obj": b"",
    "empty.ply": b"",
    "text.glb": b"<html><script>alert(1)</script>",
    "cut.ply": b"ply\nformat binary_little_endian 1.0\nelement vertex 900000000\nproperty float x\nend_header\n\0",
    "huge.ply": b"ply\nformat ascii 1.0\nelement vertex 99999999999999\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n",
    "index.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\n",
    "negative.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -9 -8 -7\n",
    "nan.obj": b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "far.obj": b"v 1e30 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "points.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\n",
    "loop.glb": _glb(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"children": [0]}],
        }
    ),
    "out.glb": _glb(
        {
            "asset": {"version": "2.0"},
            "meshes": [{"primitives": [{"attributes": {"POSITION": 7}}]}],
            "nodes": [{"mesh": 0}],
            "scenes": [{"nodes": [0]}],
        }
    ),
    "buffer.glb": _glb(
        {"asset": {"version": "2.0"}, "buffers": [{"uri": "../../etc/passwd", "byteLength": 9}]}
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_mesh_is_one_sentence(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(HOSTILE[name])
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        read_mesh(path)


def test_a_material_outside_of_the_mesh_s_folder_is_not_read(tmp_path):
    (tmp_path / "secret.mtl").write_text("newmtl wall\nKd 1 0 0\n")
    folder = tmp_path / "mesh"
    folder.mkdir()
    lines = "mtllib ../secret.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl wall\nf 1 2 3\n"
    (folder / "house.obj").write_text(lines)
    assert read_mesh(folder / "house.obj").colours is None


def test_another_ending_is_named(tmp_path):
    with pytest.raises(InputError, match="no mesh"):
        read_mesh(tmp_path / "house.stl")


OBJ = "v 0 0 0\nv 4 0 0\nv 4 3 0\nv 0 3 0.5\n"
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n4 0 0\n4 3 0\n0 3 0.5\n"
)
LOST = "1 of 2 triangles are damaged and are not drawn"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.obj", f"{OBJ}f 1 2 3\nf 1/1/1 3/2/1 4/3/1\n", ""),
        ("a.obj", f"{OBJ}# a square\nf 1 2 3 4\n", ""),
        ("a.obj", f"{OBJ}f 1 2 3\nf 1 3\n", LOST),
        ("a.obj", f"{OBJ}f 1 2 3\nf\n", LOST),
        ("a.obj", f"{OBJ}f 1 2 3\nq 1 3 4\n", "1 line of no kind that OBJ has"),
        ("a.ply", f"{PLY}3 0 1 2\n3 0 2 3\n", ""),
        ("a.ply", f"{PLY}3 0 1 2\n4 0 1 2 3\n", ""),
        ("a.ply", f"{PLY}3 0 1 2\n3 0 2\n", LOST),
        ("a.ply", f"{PLY}3 0 1 2\n2 0 2\n", LOST),
        ("a.ply", f"{PLY}3 0 1 2\n", LOST),
    ],
)
def test_a_damaged_face_is_named(tmp_path, name, text, says):
    (tmp_path / name).write_text(text)
    with taking_notes() as notes:
        read_mesh(tmp_path / name)
    said = [str(problem) for problem in notes.problems.kept]
    assert len(said) == bool(says)
    assert says in "".join(said)
