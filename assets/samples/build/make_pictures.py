"""Make the sample house's pictures: ``python assets/samples/build/make_pictures.py``.

A ray caster draws the boxes of ``house_model.py`` around each viewpoint: six faces of a cube, as a
Matterport3D skybox has them, in the pose of the connectivity file. Beside them a picture of each
floor from above, and the rooms as a ``.house`` file. All is drawn, nothing is photographed.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import house_model as model
import house_plan as plan
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "assets" / "samples" / "house"
CONNECTIVITY = FOLDER / "connectivity" / f"{plan.SCAN}_connectivity.json"
DRAWN_PX, FACE_PX = 512, 512
QUALITY = 72
# image: (its middle, its right, its top) as (column of the pose's rotation, sign)
FACES = (
    ((1, -1), (0, -1), (2, 1)),
    ((2, -1), (0, -1), (1, -1)),
    ((0, -1), (2, 1), (1, -1)),
    ((2, 1), (0, 1), (1, -1)),
    ((0, 1), (2, -1), (1, -1)),
    ((1, 1), (0, -1), (2, -1)),
)
Floats = NDArray[np.float32]


def drawn_face(eye: Floats, rotation: Floats, image: int, boxes: list[model.Box]) -> Any:  # noqa: ANN401
    """Draw one face of a cube."""
    axes = np.stack([sign * rotation[:, column] for column, sign in FACES[image]])
    at = ((np.arange(DRAWN_PX) + 0.5) / DRAWN_PX * 2 - 1).astype(np.float32)
    middle, right, top = axes.astype(np.float32)
    rays = middle + at[None, :, None] * right - at[:, None, None] * top
    return cast(eye, rays, [box for box in boxes if may_show(eye, axes, box)])


def may_show(eye: Floats, axes: Floats, box: model.Box) -> bool:
    """Whether a box is not wholly beyond one side of a face: most boxes show on one face or two."""
    corners = np.array(list(product(*zip(box.low, box.high, strict=True)))) - eye
    ahead, right, top = (corners @ axes.T).T
    beyond = (ahead <= 0, right > ahead, right < -ahead, top > ahead, top < -ahead)
    return not any(side.all() for side in beyond)


def cast(eye: Floats, directions: Floats, boxes: list[model.Box]) -> NDArray[np.uint8]:
    """Colours of what rays from a place meet first."""
    flat = directions.reshape(-1, 3)
    flat = np.where(np.abs(flat) < 1e-7, np.float32(1e-7), flat)
    nearest = np.full(len(flat), np.inf, np.float32)
    which = np.full(len(flat), -1, np.int32)
    axis = np.zeros(len(flat), np.int8)
    inverse = 1 / flat
    for k, box in enumerate(boxes):
        one = (np.array(box.low, np.float32) - eye) * inverse
        two = (np.array(box.high, np.float32) - eye) * inverse
        enter = np.minimum(one, two)
        leave = np.maximum(one, two).min(axis=1)
        begin = enter.max(axis=1)
        met = (begin < leave) & (begin > 0.02) & (begin < nearest)
        nearest[met], which[met] = begin[met], k
        axis[met] = enter[met].argmax(axis=1)
    return (
        _colours(eye, flat, nearest, which, axis, boxes).reshape(directions.shape).astype(np.uint8)
    )


def _colours(
    eye: Floats,
    flat: Floats,
    nearest: Floats,
    which: NDArray[np.int32],
    axis: NDArray[np.int8],
    boxes: list[model.Box],
) -> Floats:
    length = np.linalg.norm(flat, axis=1)
    rise = flat[:, 2] / length
    sky = np.array([206, 226, 244], np.float32) - np.maximum(rise, 0)[:, None] * (80, 50, 10)
    colours = np.where(rise[:, None] < 0, np.float32([128, 158, 104]), sky).astype(np.float32)
    for k in np.unique(which[which >= 0]):
        hit = np.flatnonzero(which == k)
        at = eye + flat[hit] * nearest[hit, None]
        shade = _surface(boxes[k], at, axis[hit], flat[hit])
        far = nearest[hit] * length[hit]
        colours[hit] = shade * np.clip(1.04 - 0.022 * far, 0.75, 1.04)[:, None]
    return np.clip(colours, 0, 255)


def _surface(box: model.Box, at: Floats, axis: NDArray[np.int8], looks: Floats) -> Floats:
    """Return colours of places on a box: by side, floors with a pattern, dark edges, its name."""
    light = np.select([axis == 2, axis == 0], [1.0, 0.86], 0.93)
    colours = np.array(box.colour, np.float32) * light[:, None]
    low, high = np.array(box.low), np.array(box.high)
    if high[2] - low[2] <= 0.1 and not box.name:
        colours *= _pattern(box, at)[:, None]
    edge = np.minimum(at - low, high - at)
    edge[np.arange(len(at)), axis] = np.inf
    wide = 0.012 if box.name and box.colour != model.WALLS.get(box.room) else 0.004
    colours[edge.min(axis=1) < wide] *= 0.72
    if box.name:
        _write(box, at, axis, looks, colours)
    return colours


def _pattern(box: model.Box, at: Floats) -> Floats:
    """Tiles in hall, kitchen and bath; planks elsewhere; ceilings stay plain."""
    if box.colour[0] > 245:
        return np.ones(len(at), np.float32)
    if box.room in model.FLOORS:
        return np.where((np.floor(at[:, 0] * 2) + np.floor(at[:, 1] * 2)) % 2, 1.0, 0.84)
    row = np.floor(at[:, 1] * 6)
    return 0.9 + 0.1 * np.abs(np.sin(7.3 * row + np.floor(at[:, 0] * 0.7 + 0.37 * row)))


@cache
def label(name: str) -> NDArray[np.uint8]:
    """Return a name as a mask, 52 pixels high."""
    font = ImageFont.load_default(40)
    left, _, right, _ = font.getbbox(name)
    picture = Image.new("L", (int(right - left) + 16, 52))
    ImageDraw.Draw(picture).text((8 - left, 4), name, fill=255, font=font)
    return np.asarray(picture)


def _write(
    box: model.Box, at: Floats, axis: NDArray[np.int8], looks: Floats, colours: Floats
) -> None:
    """Write the box's name on its sides; on the upper one where it lies flat."""
    low, high = np.array(box.low), np.array(box.high)
    middle = (low + high) / 2
    mask = label(box.name)
    flat = high[2] - low[2] < 0.15
    for side in (2,) if flat else (0, 1):
        here = np.flatnonzero(axis == side)
        if not len(here):
            continue
        along = 1 if side == 0 else 0
        # right as one sees it from outside of the side
        turn = -np.sign(looks[here, side]) * (1 if side == 0 else -1)
        if side == 2:
            turn = np.ones(len(here))
        across = (at[here, along] - middle[along]) * turn
        upward = 1 if side == 2 else 2
        above = at[here, upward] - middle[upward]
        wide = min(0.94 * (high[along] - low[along]), 0.0048 * mask.shape[1])
        tall = wide * mask.shape[0] / mask.shape[1]
        column = ((across / wide + 0.5) * mask.shape[1]).astype(int)
        row = ((0.5 - above / tall) * mask.shape[0]).astype(int)
        inside = (column >= 0) & (column < mask.shape[1]) & (row >= 0) & (row < mask.shape[0])
        share = mask[row[inside], column[inside], None] / 255.0
        ink = 20.0 if sum(box.colour) > 330 else 250.0
        chosen = here[inside]
        colours[chosen] = colours[chosen] * (1 - share) + ink * share


def cubes() -> int:
    """Write a strip of six faces for each viewpoint; return the bytes of all."""
    folder = FOLDER / "connectivity" / plan.SCAN / "matterport_skybox_images"
    folder.mkdir(parents=True, exist_ok=True)
    boxes = model.house()
    size = 0
    for viewpoint in json.loads(CONNECTIVITY.read_text(encoding="utf-8")):
        if not viewpoint["included"]:
            continue
        pose = np.array(viewpoint["pose"], np.float32).reshape(4, 4)
        # the other floor is out of sight, but for the stairs
        level = 0.0 if pose[2, 3] < 2.6 else 3.0
        near = [box for box in boxes if box.room == "stairs" or abs(box.low[2] - level) < 2.85]
        faces = [drawn_face(pose[:3, 3], pose[:3, :3], image, near) for image in range(6)]
        strip = Image.fromarray(np.concatenate(faces, axis=1))
        path = folder / f"{viewpoint['image_id']}_skybox_small.webp"
        small = strip.resize((6 * FACE_PX, FACE_PX), Image.Resampling.BOX)
        small.save(path, "WEBP", quality=QUALITY, method=6)
        size += path.stat().st_size
    return size


# --- floors and rooms


def floor_pictures() -> None:
    """Draw both floors from above, each from the boxes of its rooms."""
    sys.path.insert(0, str(ROOT))
    from navviz.world.floor_raster import FloorRaster, Mesh

    from navviz.cli.data_floor import write_floor

    corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    sides = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    faces = np.array([each for a, b, c, d in sides for each in ((a, b, c), (a, c, d))])
    boxes = [box for box in model.house() if box.colour[0] < 250 or box.name]
    places = [np.where(corners, box.high, box.low) for box in boxes]
    colours = [np.tile(box.colour, (8, 1)) for box in boxes]
    triangles = [faces + 8 * k for k in range(len(boxes))]
    mesh = Mesh(
        np.concatenate(places).astype(np.float32),
        np.concatenate(triangles).astype(np.int32),
        np.concatenate(colours).astype(np.uint8),
    )
    folder = FOLDER / "floors"
    folder.mkdir(exist_ok=True)
    for k, (_, level) in enumerate(plan.FLOORS):
        raster = FloorRaster(-0.6, 13.1, 0.02, 760, 800, (level - 0.3, level + 1.75))
        raster.draw(mesh)
        write_floor(raster, folder / f"{plan.SCAN}_floor{k + 1}.png", "picture")


LETTERS = {
    "hall": "h", "living": "l", "kitchen": "k", "dining": "d", "stairs": "s", "study": "o",
    "porch": "p", "glass": "n", "landing": "h", "gallery": "h", "upper": "h", "balcony": "y",
    "music": "r", "guest": "b", "bath": "a", "child": "b", "bedroom": "b",
}  # fmt: skip


def house_file() -> None:
    """Write the rooms in the format of Matterport3D's house segmentations."""
    lines = ["ASCII 1.1"]
    vertices = 0
    for k, room in enumerate(plan.ROOMS):
        west, south, east, north = room.box
        low = plan.FLOORS[room.floor][1]
        middle = f"{(west + east) / 2:g} {(south + north) / 2:g} {low + 1.35:g}"
        box = f"{west:g} {south:g} {low:g} {east:g} {north:g} {low + model.CEILING_M:g}"
        flat = f"{west:g} {south:g} {low:g} {east:g} {north:g} {low:g}"
        letter = LETTERS[room.key]
        lines.append(f"R {k} {room.floor} 0 0 {letter} {middle} {box} {model.CEILING_M:g} 0 0 0 0")
        lines.append(f"S {k} {k} 0 F {middle} 0 0 1 {flat} 0 0 0 0")
        for x, y in ((west, south), (east, south), (east, north), (west, north)):
            lines.append(f"V {vertices} {k} F {x:g} {y:g} {low:g} 0 0 1 0 0 0")
            vertices += 1
    folder = FOLDER / "connectivity" / plan.SCAN / "house_segmentations"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{plan.SCAN}.house").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    house_file()
    floor_pictures()
    print(f"{cubes():,} bytes of cubes")
