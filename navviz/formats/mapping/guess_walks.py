"""Guess where an agent went in a log: nodes or positions, their frame, and what goes along them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from navviz.formats.mapping import values
from navviz.formats.mapping.guess_along import (
    are_actions,
    are_headings,
    guess_actions,
    guess_headings,
    guess_pictures,
)
from navviz.formats.mapping.guess_names import (
    is_reference,
    is_scan,
    last_name,
    names_an_id,
    rank,
    words_of,
)
from navviz.formats.mapping.guess_order import degrees_frame
from navviz.formats.mapping.guess_positions import LOOKED_AT, Found, by_letter, find_positions
from navviz.formats.mapping.model import Frame, WalkFields
from navviz.formats.mapping.paths import series
from navviz.support.guarded import Json
from navviz.world.graph import Graph


def guess_walk(
    records: Sequence[Json], leaves: Sequence[str], graphs: Sequence[Graph], world: str
) -> tuple[dict[str, Any], float, bool]:
    """Return the fields of the walk, how good they are, and whether it is a line on a map.

    There are no fields where there is no walk.
    """
    nodes, node_score = _nodes(records, leaves, graphs)
    found = find_positions(records[:LOOKED_AT], leaves)
    if max(node_score, found.score) <= 0.0:
        # less than any walk with places: those are where the agent really was
        by_actions = guess_actions(records, leaves)
        return by_actions, 2.0 if by_actions else 0.0, False
    walk: dict[str, Any] = {}
    if found.score >= node_score:
        walk["positions"] = list(found.paths)
        walk["frame"] = _frame(records, found, graphs, world)
        if found.digits != 5:
            walk["polyline_digits"] = found.digits
        count_path = found.paths[0]
        if found.paths[0].endswith("tx") and _flattest(records, found) == 1:
            walk |= _camera_poses(walk, leaves)
    else:
        walk["nodes"] = nodes
        count_path = nodes
    # what a router says of its steps does not run along the places of its line
    if not walk.get("positions") or not found.is_line:
        turns = _turns(records, leaves, count_path, walk.get("frame", ""))
        if turns and "headings" not in walk:
            walk["headings"] = turns
        for role in ("headings", "actions", "prompts", "thoughts", "replies"):
            path = None if role in walk else _along(records, leaves, role, count_path)
            if path is not None:
                walk[role] = path
        if "headings" in walk and "heading_unit" not in walk:
            walk |= guess_headings(records, walk)
            walk |= _left_handed(walk, found)
        pictures = guess_pictures(records, leaves, count_path)
        if pictures is not None:
            walk["pictures"] = pictures
    is_line = bool(walk.get("positions")) and found.is_line
    return walk, 4.0 + max(node_score, found.score), is_line


def _camera_poses(walk: dict[str, Any], leaves: Sequence[str]) -> dict[str, Any]:
    """Return the fields of poses of a camera (KITTI): x right, y down, z ahead."""
    x, y, z = walk["positions"]
    fields = {"positions": [z, x, y], "frame": "ned"}
    # the last column of the rotation is where the camera looks
    ahead = [x.removesuffix("tx") + name for name in ("r33", "r13", "r23")]
    if set(ahead) <= set(leaves):
        fields |= {"headings": ahead, "heading_unit": "vector"}
    return fields


def _left_handed(walk: dict[str, Any], found: Found) -> dict[str, Any]:
    """Return the fields of Unity's frame where headings only fit so: 0 is z, to the right.

    Habitat's z leads back, and its headings count from there to the left.
    """
    fits = walk.get("heading_direction") == "counter-clockwise" and (
        walk.get("heading_zero_deg") == 180.0
    )
    if walk.get("frame") != "habitat" or not fits or not found.paths:
        return {}
    return {"frame": "unity", "heading_direction": "clockwise", "heading_zero_deg": 0.0}


def _nodes(
    records: Sequence[Json], leaves: Sequence[str], graphs: Sequence[Graph]
) -> tuple[str, float]:
    """Return the path to the nodes of the walk: those that stand in a graph, or look like ids."""
    best, best_score = "", 0.0
    for path in leaves:
        if is_reference(path):
            continue
        ids, longest, empty = list[str](), 0, 0
        for record in records[:20]:
            nodes = values.nodes_at(record, path)
            ids += nodes
            longest = max(longest, len(nodes))
            empty += not nodes
        if len(ids) < 2 or ("[*]" not in path and longest < 2):
            continue
        # ids have no blanks: such texts are sentences
        if any(" " in node or len(node) > 64 for node in ids[:100]):
            continue
        there = any(set(ids[:100]) <= set(graph.ids) for graph in graphs)
        # an id of something else is no place, and numbers are places where the name says so
        is_number = all(values.number(node) is not None for node in ids[:100])
        name = rank(last_name(path), "nodes")
        if not there and (names_an_id(path) or (is_number and name <= 1.0)):
            continue
        score = name + (3.0 if there else 0.0) - 0.05 * len(path) / 10
        score -= 2.0 * empty / len(records[:20])
        if score > best_score and (there or name > 0):
            best, best_score = path, score
    return best, best_score


def _points(records: Sequence[Json], found: Found) -> list[list[float]]:
    """Return the positions of the first entries, one after the other."""
    taken: list[list[float]] = []
    for record in records[:LOOKED_AT]:
        raw = values.raw_positions(record, found.paths, found.digits)
        taken += [each for each in raw if each is not None and len(each) > 1]
    return taken


def _frame(records: Sequence[Json], found: Found, graphs: Sequence[Graph], world: str) -> Frame:
    """Return the frame of positions: by what is declared, else by names and numbers."""
    points = _points(records, found)
    if found.kind == "polyline":
        return "latlon"
    on_globe = all(abs(point[0]) <= 180.0 and abs(point[1]) <= 90.0 for point in points)
    if found.kind in {"declared", "wkt"}:
        # a type that says degrees is believed before numbers, which are metres beyond the globe
        return "lonlat" if on_globe else "enu"
    # names before numbers: metres near 48 and 11 would look like Munich
    in_order = degrees_frame(records, found.paths, points, graphs)
    return in_order or _frame_in_metres(records, found, points, graphs, world)


def _frame_in_metres(
    records: Sequence[Json],
    found: Found,
    points: Sequence[Sequence[float]],
    graphs: Sequence[Graph],
    world: str,
) -> Frame:
    """Return the frame of positions in metres: by bounds, names and the flattest axis.

    Of agents in Matterport3D's scans, those that log positions walk in Habitat.
    """
    if any(len(point) < 3 for point in points):
        return "habitat" if _is_flat_habitat(records, found) else "enu"
    for graph in graphs:
        if graph.frame == "metric" and len(graph.ids) and graph.name in {world, ""}:
            fitting = [each for each in _INDOORS if _within(points, each, graph)]
            if len(fitting) == 1:
                return fitting[0]
    if is_scan(world) or "ned" in words_of(" ".join(found.paths)):
        return "habitat" if is_scan(world) else "ned"
    # people and robots change their height least of all
    if _flattest(records, found) == 1:
        return "habitat"
    heights = [point[2] for point in points]
    return "ned" if max(heights) < 0 and min(heights) < -3.0 else "enu"


def _is_flat_habitat(records: Sequence[Json], found: Found) -> bool:
    """Tell whether positions are x and z, without the height y."""
    if len(found.paths) == 2:
        return last_name(found.paths[1]).endswith("z")
    first = next((each for each in series(records[0], found.paths[0]) if each), None)
    return isinstance(first, dict) and "z" in map(str.lower, first)


def _flattest(records: Sequence[Json], found: Found) -> int:
    """Return the axis along which walks change least, y or z; z where both are as flat."""
    spans = [0.0, 0.0]
    for record in records[:LOOKED_AT]:
        points = [point for point in _points([record], found) if len(point) > 2]
        for k in (0, 1) if points else ():
            along = [point[k + 1] for point in points]
            spans[k] += max(along) - min(along)
    return 1 if spans[0] < spans[1] else 2


_INDOORS: tuple[Frame, ...] = ("habitat", "enu", "ned")


def _within(points: Sequence[Sequence[float]], frame: Frame, graph: Graph) -> bool:
    """Tell whether nearly all positions of a frame lie in the bounds of a graph."""
    # 2 m: the outermost viewpoint stands in a room, not at its wall
    low, high = graph.positions.min(axis=0) - 2.0, graph.positions.max(axis=0) + 2.0
    inside = 0
    for point in points:
        placed = values.placed(point, WalkFields(frame=frame), None)
        if placed is not None:
            inside += all(low[k] <= placed[k] <= high[k] for k in range(3))
    return inside >= 0.9 * len(points)


def _along(
    records: Sequence[Json], leaves: Sequence[str], role: str, count_path: str
) -> str | None:
    """Return the path of a series that runs along the walk."""
    best, best_score = None, 0.5
    for path in leaves:
        if path == count_path or "[*]" not in path or (role == "actions" and names_an_id(path)):
            continue
        # one number of a turn is no angle: those are looked for together
        if role == "headings" and _PART_OF_TURN.search(last_name(path)):
            continue
        score = rank(last_name(path), role)
        if score <= best_score:
            continue
        for record in records[:5]:
            count = _count(record, count_path)
            taken = values.aligned(record, path, count)
            if (
                taken is None
                or all(each is None for each in taken)
                or (role in _SOUND and not _SOUND[role](taken))
            ):
                score = 0.0
        if score > best_score:
            best, best_score = path, score
    return best


def _count(record: Json, path: str) -> int:
    return len(series(record, path)) or len(values.raw_positions(record, (path,)))


_SOUND = {"actions": are_actions, "headings": are_headings}
_TURNED = re.compile(r"(?P<stem>|.*[^a-z0-9]|.*?(quaternion|quat|rot)|q)(?P<letter>x|y|z|w)")
_PART_OF_TURN = re.compile(r"[^a-z0-9][xyzw]$")
_OF_TURNS = {"orientation", "rotation", "quaternion", "quat", "q", "rot", "euler"}
_HEIGHT_IS_Y = {"habitat", "unity"}


def _turns(
    records: Sequence[Json], leaves: Sequence[str], count_path: str, frame: str
) -> list[str]:
    """Return columns that are a turn: x, y, z and w, or the angle around what is upright."""
    for (above, stem, _), paths in by_letter(leaves, _TURNED).items():
        words = words_of(f"{above}.{stem}".strip("."))
        if is_reference(f"{above}{stem}") or _OF_TURNS.isdisjoint(words):
            continue
        letters = "xyzw" if "w" in paths else ("y" if frame in _HEIGHT_IS_Y else "z")
        columns = [paths[letter] for letter in letters if letter in paths]
        for record in records[:5]:
            rows = values.rows_along(record, columns, _count(record, count_path)) or []
            if len(columns) < len(letters) or not are_headings(rows):
                break
        else:
            return columns
    return []
