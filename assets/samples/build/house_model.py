"""The sample house as boxes: floors, walls with doors, and furniture, each with a colour.

Everything follows from ``house_plan.py``. The pictures of its viewpoints (``make_pictures.py``) and
its floor pictures are drawn from these boxes.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import house_plan as plan

WALL_M = 0.06
"""Half a wall's thickness."""
CEILING_M = 2.7
DOOR_HALF_M = 0.5
DOOR_M = 2.1
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Box:
    """An axis-aligned box with one colour, and perhaps a name on its sides."""

    low: tuple[float, float, float]
    high: tuple[float, float, float]
    colour: Colour
    name: str = ""
    room: str = ""


WALLS: dict[str, Colour] = {
    "porch": (196, 178, 150),
    "hall": (238, 222, 160),
    "living": (158, 66, 62),
    "kitchen": (232, 236, 236),
    "dining": (130, 168, 128),
    "stairs": (240, 238, 232),
    "study": (126, 88, 62),
    "glass": (190, 218, 226),
    "landing": (240, 238, 232),
    "gallery": (244, 242, 238),
    "upper": (204, 206, 208),
    "balcony": (178, 182, 190),
    "music": (82, 110, 160),
    "guest": (214, 196, 208),
    "bath": (140, 196, 182),
    "child": (176, 208, 236),
    "bedroom": (222, 204, 168),
}
FLOORS: dict[str, Colour] = {
    "hall": (214, 210, 204),
    "kitchen": (196, 190, 180),
    "bath": (206, 222, 220),
    "porch": (168, 150, 122),
    "balcony": (150, 150, 154),
    "glass": (184, 176, 160),
}
WOOD: Colour = (176, 134, 92)
OUTSIDE = {"porch", "balcony"}
"""Rooms without walls or ceiling: a railing stands around them."""

# name: (width, depth, height, height of its foot above the floor)
SIZES: dict[str, tuple[float, float, float, float]] = {
    "bench": (1.0, 0.4, 0.5, 0),
    "lantern": (0.25, 0.25, 0.4, 1.8),
    "flower pot": (0.4, 0.4, 0.6, 0),
    "coat rack": (0.4, 0.4, 1.7, 0),
    "mirror": (0.1, 0.8, 1.2, 0.7),
    "umbrella stand": (0.3, 0.3, 0.6, 0),
    "grandfather clock": (0.45, 0.5, 2.0, 0),
    "rug": (1.4, 2.2, 0.02, 0),
    "telephone table": (0.5, 0.5, 0.8, 0),
    "painting of a ship": (0.08, 1.0, 0.8, 1.1),
    "stained glass window": (1.2, 0.08, 1.4, 0.8),
    "green sofa": (2.0, 0.9, 0.8, 0),
    "coffee table": (1.0, 0.6, 0.42, 0),
    "fireplace": (0.4, 1.4, 1.2, 0),
    "armchair": (0.8, 0.8, 0.9, 0),
    "bookshelf": (0.4, 1.4, 2.0, 0),
    "standing lamp": (0.3, 0.3, 1.6, 0),
    "globe": (0.4, 0.4, 0.9, 0),
    "gas stove": (0.7, 0.5, 0.9, 0),
    "sink": (0.6, 0.9, 0.9, 0),
    "round table": (0.9, 0.9, 0.75, 0),
    "refrigerator": (0.7, 0.7, 1.8, 0),
    "hanging pans": (0.8, 0.3, 0.4, 1.7),
    "basket of apples": (0.35, 0.35, 0.25, 0.75),
    "long table": (2.6, 0.9, 0.75, 0),
    "chandelier": (0.8, 0.8, 0.4, 2.1),
    "sideboard": (0.5, 1.4, 0.9, 0),
    "china cabinet": (1.2, 0.4, 1.9, 0),
    "chair": (0.45, 0.45, 0.9, 0),
    "banister": (3.4, 0.08, 0.9, 0),
    "portrait of a lady": (0.6, 0.08, 0.8, 1.2),
    "stair carpet": (0.1, 0.1, 0.01, 0),
    "writing desk": (1.4, 0.6, 0.75, 0),
    "typewriter": (0.35, 0.3, 0.18, 0.75),
    "leather armchair": (0.8, 0.8, 0.95, 0),
    "wall of books": (0.4, 2.2, 2.3, 0),
    "ladder": (0.4, 0.2, 2.1, 0),
    "map of the world": (1.2, 0.06, 0.9, 1.0),
    "lemon tree": (0.6, 0.6, 1.6, 0),
    "wicker chair": (0.7, 0.7, 0.9, 0),
    "watering can": (0.35, 0.25, 0.35, 0),
    "fern": (0.6, 0.6, 0.9, 0),
    "potted palm": (0.5, 0.5, 1.6, 0),
    "marble bust": (0.4, 0.4, 1.5, 0),
    "row of portraits": (2.4, 0.06, 0.7, 1.2),
    "console table": (1.0, 0.3, 0.8, 0),
    "vase of tulips": (0.25, 0.2, 0.4, 0.8),
    "linen cupboard": (0.5, 1.1, 1.9, 0),
    "rocking horse": (0.4, 0.9, 0.8, 0),
    "model ship": (0.4, 0.6, 0.5, 0.8),
    "telescope": (0.3, 0.3, 1.4, 0),
    "deck chair": (0.7, 1.1, 0.6, 0),
    "grand piano": (1.5, 1.4, 1.0, 0),
    "harp": (0.5, 0.8, 1.7, 0),
    "music stand": (0.4, 0.4, 1.2, 0),
    "cello": (0.4, 0.4, 1.3, 0),
    "single bed": (2.0, 0.9, 0.55, 0),
    "window seat": (0.5, 1.2, 0.5, 0),
    "washstand": (0.8, 0.5, 0.85, 0),
    "suitcase": (0.7, 0.3, 0.5, 0),
    "bathtub": (0.8, 0.7, 0.6, 0),
    "washbasin": (0.5, 0.6, 0.85, 0),
    "towel": (0.3, 0.06, 0.7, 1.0),
    "bunk bed": (1.6, 0.9, 1.7, 0),
    "toy train": (0.8, 0.25, 0.2, 0),
    "teddy bear": (0.3, 0.3, 0.4, 1.7),
    "kite": (0.6, 0.06, 0.7, 1.4),
    "four-poster bed": (2.1, 1.6, 2.0, 0),
    "wardrobe": (0.6, 0.9, 2.1, 0),
    "dressing table": (1.0, 0.45, 0.8, 0),
    "night lamp": (0.3, 0.3, 0.6, 0.5),
    "window": (0.06, 1.4, 1.3, 0.9),
}
TINTS: dict[str, Colour] = {
    "green sofa": (62, 124, 74),
    "gas stove": (92, 96, 104),
    "sink": (200, 206, 210),
    "refrigerator": (226, 230, 232),
    "basket of apples": (186, 44, 40),
    "fireplace": (120, 74, 58),
    "grand piano": (28, 28, 32),
    "harp": (206, 164, 62),
    "bathtub": (246, 248, 250),
    "washbasin": (246, 248, 250),
    "fern": (62, 128, 62),
    "lemon tree": (98, 150, 58),
    "potted palm": (70, 140, 76),
    "mirror": (198, 216, 226),
    "window": (190, 222, 246),
    "stained glass window": (150, 70, 170),
    "marble bust": (236, 234, 228),
    "rug": (150, 52, 58),
    "teddy bear": (168, 112, 60),
    "kite": (226, 92, 46),
    "single bed": (118, 142, 196),
    "four-poster bed": (132, 44, 66),
    "bunk bed": (214, 150, 60),
    "leather armchair": (112, 54, 36),
    "armchair": (62, 88, 140),
    "chandelier": (230, 200, 110),
    "lantern": (250, 210, 110),
    "night lamp": (250, 220, 140),
    "standing lamp": (240, 214, 150),
    "globe": (72, 132, 186),
    "map of the world": (150, 190, 206),
    "towel": (240, 240, 250),
}


def house() -> list[Box]:
    """Return all boxes of the house."""
    boxes = []
    for room in plan.ROOMS:
        boxes += _room(room)
    return boxes + _steps() + _furniture()


def _room(room: plan.Room) -> list[Box]:
    """Floor, ceiling and the room's own side of its four walls, open at its doors."""
    west, south, east, north = room.box
    level = plan.FLOORS[room.floor][1]
    floor = FLOORS.get(room.key, WOOD)
    boxes = []
    if room.key != "stairs":
        boxes.append(Box((west, south, level - 0.1), (east, north, level), floor, room=room.key))
    if room.key in OUTSIDE:
        return boxes + _railing(room, level)
    top = level + CEILING_M
    if room.key != "stairs":
        white = (250, 249, 246)
        boxes.append(Box((west, south, top), (east, north, top + 0.1), white, room=room.key))
    else:
        top = 2 * plan.FLOORS[1][1] - 0.3
    colour = WALLS[room.key]
    for axis, at, begin, end, side in (
        (0, west, south, north, 1),
        (0, east, south, north, -1),
        (1, south, west, east, 1),
        (1, north, west, east, -1),
    ):
        inner = at + side * WALL_M
        thick = (min(at, inner), max(at, inner))
        for low, high, foot, name in _between_doors(room, axis, at, begin, end, level):
            spans = (thick, (low, high)) if axis == 0 else ((low, high), thick)
            corner = (spans[0][0], spans[1][0], foot)
            boxes.append(Box(corner, (spans[0][1], spans[1][1], top), colour, name, room.key))
    return boxes


def _between_doors(
    room: plan.Room, axis: int, at: float, begin: float, end: float, level: float
) -> list[tuple[float, float, float, str]]:
    """Parts of a wall as ``(from, to, foot, name)``: full height between doors, above each door a
    lintel with the name of the room behind it.
    """
    names = {other.key: other.name for other in plan.ROOMS}
    places = []
    for door in plan.DOORS:
        if room.key in door.rooms and math.isclose(door.at[axis], at, abs_tol=1e-6):
            middle = door.at[1 - axis]
            wide = (
                0.9
                if "wide" in door.what or door.what in {"an opening", "the stairs"}
                else DOOR_HALF_M
            )
            behind = door.rooms[door.rooms[0] == room.key]
            places.append((max(begin, middle - wide), min(end, middle + wide), names[behind]))
    parts = []
    here = begin
    for low, high, name in sorted(places):
        parts += [(here, low, level, ""), (low, high, level + DOOR_M, name)]
        here = high
    return [part for part in [*parts, (here, end, level, "")] if part[1] > part[0]]


def _railing(room: plan.Room, level: float) -> list[Box]:
    west, south, east, _ = room.box
    colour = WALLS[room.key]
    sides = (
        ((west, south), (west + 0.06, 0.0)),
        ((east - 0.06, south), (east, 0.0)),
        ((west, south), (east, south + 0.06)),
    )
    return [Box((*low, level), (*high, level + 0.9), colour, room=room.key) for low, high in sides]


def _steps() -> list[Box]:
    """Sixteen oak steps from x = 8.2 to x = 13, and the ground before them."""
    boxes = [Box((8, 4, -0.1), (13, 6, 0), WOOD, room="stairs")]
    for k in range(16):
        x = 8.2 + 0.3 * k
        shade = (164, 118, 74) if k % 2 else (184, 138, 92)
        height = 3.0 * (k + 1) / 16
        boxes.append(Box((x, 4.1, 0), (13.0, 5.9, height), shade, room="stairs"))
    return boxes


def _furniture() -> list[Box]:
    rooms = {room.key: room for room in plan.ROOMS}
    boxes = []
    for key, things in plan.OBJECTS.items():
        for name, wanted_x, wanted_y in things:
            if name == "stair carpet":
                continue
            west, south, east, north = rooms[key].box
            width, depth, height, foot = SIZES[name]
            x = min(max(wanted_x, west + width / 2 + 0.08), east - width / 2 - 0.08)
            y = min(max(wanted_y, south + depth / 2 + 0.08), north - depth / 2 - 0.08)
            level = plan.FLOORS[rooms[key].floor][1]
            if key == "stairs":
                level = 3.0 * min(1.0, max(0.0, (x - 8.2) / 4.8))
            foot += 0.01  # apart from the ground, so that one of them is above
            low = (x - width / 2, y - depth / 2, level + foot)
            high = (x + width / 2, y + depth / 2, level + foot + height)
            boxes.append(Box(low, high, tint_of(name), name, key))
    return boxes


def tint_of(name: str) -> Colour:
    """Colour of a piece of furniture; what has none of its own gets one from its name."""
    if name in TINTS:
        return TINTS[name]
    mark = zlib.crc32(name.encode())
    return 96 + mark % 90, 70 + (mark >> 8) % 70, 50 + (mark >> 16) % 70
