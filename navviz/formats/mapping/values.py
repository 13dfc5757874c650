"""Values of a mapped log as NavViz's own: positions by frame, headings by unit, ids, figures."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import zip_longest

from navviz.errors import InputError
from navviz.formats.mapping.geometry import points_in
from navviz.formats.mapping.model import WalkFields, entries, first_value, parse_path, series
from navviz.formats.texts import as_list, as_number, flag_word, id_text
from navviz.records.base import Position
from navviz.records.frames import to_navviz
from navviz.support.guarded import Json, parse_json
from navviz.world import geometry

_KEYS = (
    ("x", "y", "z"), ("x", "z"), ("lat", "lon", "alt"), ("latitude", "longitude", "altitude"),
    ("lat", "lng", "alt"), ("latitudee7", "longitudee7"), ("late7", "lnge7"),
)  # fmt: skip
_GEO_URI = re.compile(r"(?:geo:)?(-?\d{1,3}(?:\.\d{1,15})?)°?, ?(-?\d{1,3}(?:\.\d{1,15})?)°?")
"""Latitude and longitude as Google Takeout writes them: ``geo:48.1,11.5``, ``48.1°, 11.5°``."""
_UNIT_OF_NAME = re.compile(
    r"(?:[_\[( ](mm|cm|dm|km|ft|feet|inch|inches|yd|mi|miles)|[\[(](in)|(?<=[a-z])_?([Ee]7))"
    r"[\])]?\"?(?:\[\*\])?$"
)
_UNITS = {
    "mm": 0.001, "cm": 0.01, "dm": 0.1, "km": 1000.0, "e7": 1e-7, "ft": 0.3048, "feet": 0.3048,
    "in": 0.0254, "inch": 0.0254, "inches": 0.0254, "yd": 0.9144, "mi": 1609.344, "miles": 1609.344,
}  # fmt: skip
"""Units that a field's name says, in metres or degrees."""
_AFFINE = 4
"""Rows and columns of a pose as a matrix."""
_SCALE = {"cm": 0.01, "km": 1000.0, "feet": 0.3048, "percent": 0.01}
FARTHEST_M = 1e9
"""Of a position from the origin; Earth's orbits are nearer."""
_METRES_A_DEGREE = 111_195.0
"""On a sphere of 6,371 km."""


def number(value: Json) -> float | None:
    """Return a finite number, of a text (CSV), too."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return as_number(value)


def numbers(value: Json) -> list[float] | None:
    """Return the numbers of a list, an object with x, y, z or a text of a list."""
    # cells of CSV hold lists as Python prints them; a long text is no position
    if isinstance(value, str) and value[:1] in {"[", "("} and len(value) < 1000:
        try:
            value = parse_json(f"[{value[1:-1]}]", "a cell")
        except InputError:
            return None
    scale = 1.0
    if isinstance(value, str) and len(value) < LONGEST_NAME:
        written = _GEO_URI.fullmatch(value)
        value = [*written.groups()] if written and ("geo:" in value or "°" in value) else None
    if isinstance(value, dict):
        # simulators of games write X, Y and Z
        value = {str(key).lower(): each for key, each in value.items()}
        keys = next((keys for keys in _KEYS if set(keys[:2]) <= value.keys()), ())
        scale = scale_of(keys[0]) if keys else 1.0
        # a quaternion has four
        names = (*keys, "w") if {"z", "w"} <= value.keys() else keys
        value = [value[key] for key in names if key in value]
    if not isinstance(value, list):
        return None
    # a pose as a matrix of 3 or 4 rows has its place in the last column
    if len(value) in {3, _AFFINE} and all(
        isinstance(row, list) and len(row) == _AFFINE for row in value
    ):
        value = [row[3] for row in value[:3] if isinstance(row, list)]
    taken = [number(each) for each in value]
    coordinates = [each * scale for each in taken if each is not None]
    return coordinates if len(coordinates) == len(taken) else None


@cache
def scale_of(path: str) -> float:
    """Return what a number of a field is multiplied by, as its name says: ``x [mm]``, ``latE7``."""
    unit = _UNIT_OF_NAME.search(path)
    return 1.0 if unit is None else _UNITS[(unit[1] or unit[2] or "e7")]


def node_ids(value: Json) -> list[str]:
    """Return the node ids of a value: a list of them, of ``[id, heading ...]``, or of lists."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = parse_json(value.replace("'", '"'), "a cell")
        except InputError:
            return []
    if isinstance(value, bool) or value is None or value == "":
        return []
    if isinstance(value, str | int):
        return [id_text(value)]
    if not isinstance(value, list):
        return []
    # [viewpoint, heading, elevation] of the leaderboards, not a list of nodes
    if value and isinstance(value[0], str) and any(isinstance(each, float) for each in value):
        return [id_text(value[0])]
    # one text among numbers is a damaged position
    is_position = any(isinstance(each, int | float) for each in value)
    return [] if is_position else [id_text(each) for each in value if isinstance(each, str)]


def nodes_at(record: Json, path: str) -> list[str]:
    """Return the node ids along a path, each once where it stands several times in a row."""
    nodes: list[str] = []
    for value in series(record, path) or [first_value(record, path)]:
        for node in node_ids(value):
            # logs write a node at each step, also where the agent only turned
            if not nodes or nodes[-1] != node:
                nodes.append(node)
    return nodes


def raw_positions(record: Json, paths: Sequence[str], digits: int = 5) -> list[list[float] | None]:
    """Return positions as the log has them: of one path, or of one for each coordinate.

    A text may hold a whole line: JSON, WKT or an encoded polyline with so many `digits`. Lines
    that follow each other share the place where they meet.
    """
    if len(paths) > 1:
        columns = [_column(record, path) for path in paths]
        scales = [scale_of(path) for path in paths]
        # a coordinate that ends before the others makes a place without a position, not a shorter
        # walk
        rows = [numbers(list(row)) for row in zip_longest(*columns)]
        return rows if {*scales} == {1.0} else [_scaled(row, scales) for row in rows]
    positions: list[list[float] | None] = []
    for value in series(record, paths[0]) or [first_value(record, paths[0])]:
        line = points_in(value, digits) if isinstance(value, str) else None
        if line is None:
            positions.append(numbers(value))
            continue
        meets = bool(positions and line and positions[-1] == line[0])
        positions += line[meets:]
    # a path to nothing, or to one thing that is no line, is no walk
    return [] if positions == [None] else positions


def _column(record: Json, path: str) -> list[Json]:
    taken = series(record, path) or [first_value(record, path)]
    return listed(taken[0]) if len(taken) == 1 and isinstance(taken[0], str) else taken


def listed(text: str) -> list[Json]:
    """Return the items of a cell that holds a list; of another text, the text alone."""
    if text[:1] in {"[", "("}:
        with suppress(InputError):
            return as_list(parse_json(f"[{text[1:-1]}]", "a cell"))
    return [text]


def first_place(raw: Sequence[list[float] | None]) -> list[float] | None:
    """Return the first position of at least two numbers; ``None`` where there is none."""
    return next((each for each in raw if each is not None and len(each) > 1), None)


def raw_place(record: Json, paths: Sequence[str]) -> list[float] | None:
    """Return one position as the log has it; ``None`` where there is none."""
    if len(paths) == 1:
        return numbers(first_value(record, paths[0]))
    raw = numbers([first_value(record, path) for path in paths]) if paths else None
    return _scaled(raw, [scale_of(path) for path in paths])


def _scaled(place: list[float] | None, scales: Sequence[float]) -> list[float] | None:
    if place is None:
        return None
    return [each * scale for each, scale in zip(place, scales, strict=True)]


def placed(
    raw: Sequence[float], walk: WalkFields, origin: Sequence[float] | None
) -> Position | None:
    """Return a position in NavViz's frame; ``None`` where numbers lack or are too large.

    `origin`: the place that is (0, 0) in metres as the log has it, where no street map is open;
    else latitude and longitude stay what they are.
    """
    position = _in_metres(raw, walk, origin)
    # finite numbers may give infinite ones by a scale, and squares of large ones do
    return position if position is not None and is_drawable(position) else None


def is_drawable(position: Position) -> bool:
    """Tell whether a position is finite and not absurdly far; lengths of others are infinite."""
    return all(math.isfinite(each) and abs(each) <= FARTHEST_M for each in position)


def _in_metres(
    raw: Sequence[float], walk: WalkFields, origin: Sequence[float] | None
) -> Position | None:
    if len(raw) < 2 or (walk.frame == "ned" and len(raw) < 3):
        return None
    if walk.frame in _AHEAD:
        # without a height there are x and z alone
        x, up, z = raw[:3] if len(raw) > 2 else (raw[0], 0.0, raw[1])
        # Unity's is left-handed, a camera's y leads down: z leads ahead
        back = -z if walk.frame in {"unity", "camera"} else z
        up = 0.0 - up if walk.frame == "camera" else up
        return to_navviz((x, up, back), "ned" if walk.frame == "ned" else "habitat")
    first, second = raw[0], raw[1]
    third = raw[2] if len(raw) > 2 else 0.0
    if walk.frame == "pixels":
        scale_m = walk.metres_per_pixel or 1.0
        # pixels are counted from the top: down in a picture is south
        return first * scale_m, -second * scale_m, 0.0
    if walk.frame == "lonlat":
        first, second = second, first
        origin = None if origin is None else (origin[1], origin[0])
    if walk.frame not in {"latlon", "lonlat"}:
        return first, second, third
    if origin is None:
        return first, second  # a street map has no heights
    east_deg = float(geometry.turned_deg(second - origin[1], 0.0))
    east_m = east_deg * _METRES_A_DEGREE * math.cos(math.radians(origin[0]))
    return east_m, (first - origin[0]) * _METRES_A_DEGREE, third


def heading_deg(value: Json, walk: WalkFields) -> float | None:
    """Return a heading in degrees clockwise from north; ``None`` where there is none."""
    is_turn = walk.heading_unit.startswith("quaternion")
    if is_turn or walk.heading_unit == "vector":
        raw = numbers(value) or []
        ahead: Sequence[float] | None = _turned(raw, walk) if is_turn else raw
        # on the globe and in pictures turns have a frame of their own: x east, y north
        if walk.frame in _AHEAD or not is_turn:
            ahead = placed(ahead or (), walk, None)
        # straight up or down is no heading
        if not ahead or math.hypot(ahead[0], ahead[1]) < _VERTICAL:
            return None
        return _finite(math.degrees(math.atan2(ahead[0], ahead[1])) % 360.0)
    angle = number(value)
    if angle is None:
        return None
    if walk.heading_unit == "radians":
        angle = math.degrees(angle)
    if walk.heading_direction == "counter-clockwise":
        angle = -angle
    return _finite((walk.heading_zero_deg + angle) % 360.0)


def _finite(value: float | None) -> float | None:
    # two finite numbers may be infinite together, and an infinite angle is none
    return value if value is not None and math.isfinite(value) else None


_AHEAD = {"habitat": "-z", "unity": "z", "camera": "z", "ned": "x"}
"""The axis of a body that points ahead, by frames with other axes than NavViz's, where it is x."""

_VERTICAL = 1e-9


def _turned(rotation: Sequence[float], walk: WalkFields) -> list[float]:
    """Return where the axis that looks ahead points to, in the frame of the log."""
    length = math.hypot(*rotation)
    if len(rotation) != 4 or not 0 < length < math.inf:
        return []
    x, y, z, w = (each / length for each in rotation)
    if walk.heading_unit == "quaternion wxyz":
        w, x, y, z = x, y, z, w
    columns = {
        "x": (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
        "y": (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
        "z": (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
    }
    axis = walk.looks_along or _AHEAD.get(walk.frame, "x")
    sign = -1.0 if axis.startswith("-") else 1.0
    return [sign * each for each in columns[axis[-1]]]


def turned_deg(value: Json, walk: WalkFields) -> float:
    """Return a turn in degrees, positive to the right; none where there is no number."""
    angle = printed_number(value)
    if angle is not None and walk.heading_unit == "radians":
        angle = _finite(math.degrees(angle))
    if angle is None:
        return 0.0
    return -angle if walk.heading_direction == "counter-clockwise" else angle


def printed_number(value: Json) -> float | None:
    """Return a number as Python prints it: ``2.25``, ``np.float32(2.25)``, ``tensor(2.25)``."""
    if isinstance(value, str) and value.endswith(")") and "(" in value:
        value = value.rpartition("(")[2].removesuffix(")").partition(",")[0]
    return number(value)


def figure(value: Json, unit: str) -> float | None:
    """Return a figure in metres or as a fraction; ``None`` where it is no finite number."""
    flag = flag_word(value)
    if flag is not None:
        return float(flag)
    taken = number(value)
    return None if taken is None else _finite(taken * _SCALE.get(unit, 1.0))


def text_of(value: Json) -> str | None:
    """Return a text; messages of a chat and lists of texts are joined."""
    if isinstance(value, dict):
        value = value.get("content", value.get("text", value.get("instruction_text")))
    if isinstance(value, list):
        parts = [text_of(each) for each in value]
        return "\n\n".join(part for part in parts if part) or None
    return value.strip() if isinstance(value, str) else None


def aligned(record: Json, path: str, count: int) -> list[Json] | None:
    """Return a series of `count` values, or of one less; empty values where the path is empty.

    ``None`` where it is there with another length.
    """
    if not path:
        return [None] * count
    taken = series(record, path)
    # n places have n - 1 moves between them: actions are often one less
    if len(taken) not in {0, count, count - 1}:
        return None
    return [*taken, *[None] * (count - len(taken))]


def rows_along(record: Json, paths: Sequence[str], count: int) -> list[Json] | None:
    """Return a series of one path as `aligned` does; of several, lists of what they have."""
    if len(paths) < 2:
        return aligned(record, paths[0] if paths else "", count)
    columns = [aligned(record, path, count) for path in paths]
    if any(column is None for column in columns):
        return None
    return [list(row) for row in zip(*columns, strict=True)]


_TAG = re.compile(r"<[^<>]{0,300}>")


def instruction_at(record: Json, path: str) -> str | None:
    """Return the texts of all steps that a path with ``[*]`` leads to, without tags of HTML."""
    texts = [text_of(value) for _, value in entries(record, parse_path(path))]
    bare = [" ".join(html.unescape(_TAG.sub(" ", text)).split()) for text in texts if text]
    sentences = []
    for text in filter(None, bare):
        sentences.append(text if text.endswith(_ENDS) else f"{text}.")
    return " ".join(sentences) or None


_ENDS = (".", "!", "?", ":", ";", ",")


def exists(record: Json, path: str) -> bool:
    """Tell whether a path leads to anything."""
    return any(value is not None for _, value in entries(record, parse_path(path)))


def picture_names(value: Json, folder: str) -> list[str]:
    """Return the files of a place's pictures; where they may lie is for whoever opens them."""
    listed = value if isinstance(value, list) else [value]
    names = []
    for name in listed[:MOST_PICTURES]:
        # a long text is the picture itself, or no name of a file
        if isinstance(name, str) and name.strip() and len(name) <= LONGEST_NAME:
            names.append(f"{folder}/{_ABSOLUTE.sub('', name)}" if folder else name)
    return names


_ABSOLUTE = re.compile(r"^([/\\]|[A-Za-z]:).*[/\\]")
"""Folders of the machine that ran, which are another one than ours."""

MOST_PICTURES = 36
"""Of one place; the simulator of Matterport3D has as many views."""
LONGEST_NAME = 400
