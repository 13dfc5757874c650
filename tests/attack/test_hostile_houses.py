"""Two hundred hostile meshes and ``.house`` files: each is read, or refused in one sentence."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from navviz.errors import NavVizError, Problems
from navviz.formats.floor_pictures import read_mesh
from navviz.formats.houses import read_house
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house/connectivity/NavVizHouse/house_segmentations/NavVizHouse.house"
OBJ = b"v 0 0 0\nv 4 0 0\nv 0 3 0\nf 1 2 3\n"
PLY = (
    b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    b"property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    b"0 0 0\n4 0 0\n0 3 0\n3 0 1 2\n"
)
WORDS = (
    *(b"nan", b"inf", b"-1", b"1e308", b"99999999999999999999", b"0x7f", b"\x00", b"\xff\xfe"),
    *(b"<script>", b"../../etc/passwd", b"mtllib /etc/passwd", b"f 1 2 9999999", b"%s%n"),
)


def _glb() -> bytes:
    """Return the smallest binary glTF with one triangle."""
    corners = np.array([[0, 0, 0], [4, 0, 0], [0, 0, -3]], "<f4").tobytes()
    gltf = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": len(corners)}],
        "buffers": [{"byteLength": len(corners)}],
    }
    head = json.dumps(gltf).encode()
    head += b" " * (-len(head) % 4)
    body = struct.pack("<II", len(head), 0x4E4F534A) + head
    body += struct.pack("<II", len(corners), 0x004E4942) + corners
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def _spoilt(raw: bytes, seed: int) -> bytes:
    """Cut a file, or put into it what no exporter writes; the same for the same seed."""
    rng = random.Random(seed)
    way = seed % 5
    at = rng.randrange(len(raw))
    if way == 0:
        return raw[:at]
    if way == 1:
        return raw[:at] + rng.choice(WORDS) + raw[at + 1 :]
    if way == 2:
        return raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :]
    if way == 3:
        lines = raw.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    words = raw.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(WORDS)
    return b" ".join(words)


def _meshes(suffix: str) -> Iterator[bytes]:
    sound = {".obj": OBJ, ".ply": PLY, ".glb": _glb()}[suffix]
    for seed in range(45):
        yield _spoilt(sound, seed)
    yield from (b"", b"\x00" * 4096, b"PK\x03\x04" + b"\x00" * 60)
    # counts that promise more than the file has: no memory is taken for them
    yield PLY.replace(b"vertex 3", b"vertex 4000000000")
    yield PLY.replace(b"face 1", b"face 4000000000")
    yield b"glTF" + struct.pack("<II", 2, 0xFFFFFFFF) + struct.pack("<II", 0xFFFFFFF0, 0x4E4F534A)


@pytest.mark.parametrize("suffix", [".obj", ".ply", ".glb"])
def test_a_hostile_mesh_is_read_or_refused_in_one_sentence(suffix: str, tmp_path: Path) -> None:
    read, refusals = 0, list[tuple[str, str]]()
    for number, raw in enumerate(_meshes(suffix)):
        path = tmp_path / f"{number}{suffix}"
        path.write_bytes(raw)
        try:
            mesh = read_mesh(path)
        except NavVizError as error:
            refusals.append((path.name, str(error)))
        else:
            read += 1
            assert np.isfinite(mesh.vertices).all()
            assert mesh.triangles.size
            assert mesh.triangles.max() < len(mesh.vertices)
    assert len(refusals) > 5
    assert read + len(refusals) > 50
    assert all(name in text and "\n" not in text for name, text in refusals)


def test_a_hostile_house_file_is_read_or_refused_in_one_sentence(tmp_path: Path) -> None:
    sound = HOUSE.read_bytes()
    count, refusals = 0, list[str]()
    path = tmp_path / "a.house"
    spoilt = [_spoilt(sound, seed) for seed in range(60)]
    spoilt += [b"", b"ASCII 1.1\n" + b"R 0 0 " * 100_000, b"ASCII 1.1\nR" + b" 1" * 30]
    spoilt += [sound + b"V 0 0 q nan nan nan 0 0 0\n" * 50, sound.replace(b"R  ", b"R  -")]
    for raw in spoilt:
        path.write_bytes(raw)
        problems = Problems()
        try:
            regions = read_house(path, problems)
        except NavVizError as error:
            refusals.append(str(error))
            continue
        count += 1
        for region in regions:
            assert np.isfinite(np.array(region.outline_m)).all()
        for problem in problems.kept:
            assert problem.what.endswith("is no entry of a house")
    assert count > 40
    assert refusals
    assert all("a.house" in text and "\n" not in text for text in refusals)
