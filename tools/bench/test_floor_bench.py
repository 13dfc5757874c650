"""A house of a million triangles becomes floor pictures: at most 20 s of one core, 1.5 GB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.paths import SAMPLES

TRIANGLES = 1_000_000
MEASURED = """
import resource, sys
from navviz.cli import application
application()(sys.argv[1:], standalone_mode=False)
used = resource.getrusage(resource.RUSAGE_SELF)
print("seconds", used.ru_utime + used.ru_stime, "kilobytes", used.ru_maxrss)
"""


def write_house(path: Path) -> int:
    """Two floors of bumpy ground and walls around each metre, as a scan has them."""
    side = int((TRIANGLES / 2 / 4) ** 0.5)
    across = np.linspace(0, 14, side)
    x, y = np.meshgrid(across, across * 12.5 / 14)
    cell = np.arange(side * side).reshape(side, side)
    a, b, c, d = (cell[i : side - 1 + i, j : side - 1 + j].ravel() for i in (0, 1) for j in (0, 1))
    faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([b, d, c])])
    parts, triangles = [], []
    for floor in range(4):
        bumps = 0.4 * (np.sin(3 * x) > 0.6) * (np.cos(2 * y) > 0.3) + 2.2 * (np.sin(x) > 0.97)
        parts.append(np.column_stack([x.ravel(), y.ravel(), bumps.ravel() + 1.5 * floor]))
        triangles.append(faces + floor * side * side)
    places, corners = np.concatenate(parts), np.concatenate(triangles)
    colours = (np.abs(np.sin(places)) * 255).astype(np.uint8)
    with path.open("wb") as file:
        kinds = "property float x\nproperty float y\nproperty float z\nproperty uchar red\n"
        file.write(
            f"ply\nformat binary_little_endian 1.0\nelement vertex {len(places)}\n{kinds}"
            f"property uchar green\nproperty uchar blue\nelement face {len(corners)}\n"
            "property list uchar int vertex_indices\nend_header\n".encode()
        )
        line = np.zeros(len(places), np.dtype([("at", "<f4", 3), ("colour", "u1", 3)]))
        line["at"], line["colour"] = places, colours
        file.write(line.tobytes())
        face = np.zeros(len(corners), np.dtype([("count", "u1"), ("corners", "<i4", 3)]))
        face["count"], face["corners"] = 3, corners
        file.write(face.tobytes())
    return len(corners)


def test_a_million_triangles(tmp_path: Path) -> None:
    mesh = tmp_path / "NavVizHouse.ply"
    assert write_house(mesh) > 0.99 * TRIANGLES
    command = ["data", "floor", str(mesh), "--graphs", str(SAMPLES / "house")]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *command, "--out", str(tmp_path / "floors")],
        capture_output=True,
        text=True,
        check=True,
    )
    words = done.stdout.split()
    seconds, kilobytes = float(words[-3]), float(words[-1])
    print(f"{seconds:.1f} s of processor time, {kilobytes / 1e6:.2f} GB")
    assert (tmp_path / "floors" / "NavVizHouse_floor2.png").is_file()
    assert seconds < 20
    assert kilobytes < 1.5e6
