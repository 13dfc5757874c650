"""Guess where an agent went in a log: nodes or positions, their frame, and what goes along them."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from navviz.formats.mapping import values
from navviz.formats.mapping.guess_order import degrees_frame
from navviz.formats.mapping.guess_positions import (
    LOOKED_AT,
    Found,
    by_letter,
    find_positions,
    is_reference,
    is_scan,
    last_name,
    names_an_id,
    rank,
    words_of,
)
from navviz.formats.mapping.model import Frame, WalkFields, first_value, series
from navviz.formats.mapping.walks import action_name, habitat_name
from navviz.records.base import Position
from navviz.support.guarded import Json
from navviz.world.graph import Graph

_LEAST_MOVE_M = 0.02

_LEAST_MOVES = 3

_FITTING_DEG = 20.0
"""Agents slide along walls and turn before they go: so far a heading may lie beside the move."""

_PICTURE = re.compile(r".+\.(jpe?g|png|webp|gif)", re.IGNORECASE)

_STOPS = {"stop", "end", "done", "stay"}

AHEAD_M, TURN_DEG = 0.25, 15.0
"""Of R2R-CE, whose actions most logs have."""

_TURNS_DEG = {"turn_left": -TURN_DEG, "turn_right": TURN_DEG}


def guess_headings(records: Sequence[Json], walk: dict[str, Any]) -> dict[str, Any]:
    """Return unit, direction and zero of the headings: those by which agents go where they look.

    Where the walk has no positions, or never goes where it looks, the unit is that of the numbers'
    range alone.
    """
    given = walk["headings"]
    paths = [given] if isinstance(given, str) else given
    taken = list[Json]()
    for record in records[:LOOKED_AT]:
        taken += series(record, paths[0])
    turned = len(paths) > 1 or any(values.numbers(each) for each in taken)
    usual = _unit_by_range(taken, turned=turned)
    moves = list(_moves(records, walk)) if "positions" in walk else []
    if len(moves) < _LEAST_MOVES:
        return {"heading_unit": usual}
    best: dict[str, Any] = {"heading_unit": usual}
    best_deg = _error_deg(moves, walk | best)
    for fields in _ways_to_count(usual, turned=turned):
        error_deg = _error_deg(moves, walk | fields)
        # the usual way stays unless another is clearly better: a straight walk fits several
        if error_deg < min(_FITTING_DEG, best_deg - 5.0):
            best, best_deg = fields, error_deg
    return best


def _unit_by_range(taken: Sequence[Json], *, turned: bool) -> str:
    if turned:
        return "quaternion xyzw"
    # a walk that only turned a little in degrees looks like radians
    angles = [abs(angle) for each in taken if (angle := values.number(each)) is not None]
    return "radians" if angles and max(angles) <= 6.3 else "degrees"


def _ways_to_count(usual: str, *, turned: bool) -> Iterator[dict[str, Any]]:
    """Yield units, directions and zeros, the most usual ones first."""
    if turned:
        for axis in ("", "x", "z", "-z", "y"):
            for unit in ("quaternion xyzw", "quaternion wxyz"):
                yield {"heading_unit": unit} | ({"looks_along": axis} if axis else {})
        return
    for unit in dict.fromkeys((usual, "degrees", "radians")):
        # compasses count from north to the right, mathematics from east to the left
        for direction, zero_deg in COUNTED:
            fields: dict[str, Any] = {"heading_unit": unit}
            if direction != "clockwise":
                fields["heading_direction"] = direction
            if zero_deg:
                fields["heading_zero_deg"] = zero_deg
            yield fields


COUNTED = (
    ("clockwise", 0.0), ("counter-clockwise", 90.0), ("counter-clockwise", 0.0),
    ("clockwise", 90.0), ("clockwise", 180.0), ("counter-clockwise", 180.0),
    ("clockwise", 270.0), ("counter-clockwise", 270.0),
)  # fmt: skip


def _moves(records: Sequence[Json], walk: dict[str, Any]) -> Iterator[tuple[Json, Json, float]]:
    """Yield of each move the heading before and after it, and its compass direction."""
    fields = WalkFields.model_validate(walk)
    for record in records[:LOOKED_AT]:
        raw = values.raw_positions(record, fields.positions, fields.polyline_digits)
        headings = values.rows_along(record, fields.headings, len(raw))
        origin = values.first_place(raw)
        if headings is None or origin is None:
            continue
        places = [values.placed(each or (), fields, origin) for each in raw]
        for k in range(len(places) - 1):
            direction_deg = _direction_deg(places[k], places[k + 1])
            if direction_deg is not None:
                yield headings[k], headings[k + 1], direction_deg


def _direction_deg(here: Position | None, there: Position | None) -> float | None:
    if here is None or there is None:
        return None
    east_m, north_m = there[0] - here[0], there[1] - here[1]
    if math.hypot(east_m, north_m) < _LEAST_MOVE_M:
        return None
    return math.degrees(math.atan2(east_m, north_m))


def heading_error_deg(records: Sequence[Json], walk: WalkFields) -> float | None:
    """Return how far headings lie beside the moves; ``None`` where there are too few moves."""
    if not walk.headings or not walk.positions:
        return None
    fields = walk.model_dump(exclude_defaults=True)
    moves = list(_moves(records, fields))
    return _error_deg(moves, fields) if len(moves) >= _LEAST_MOVES else None


def _error_deg(moves: Sequence[tuple[Json, Json, float]], walk: dict[str, Any]) -> float:
    """Return how far headings lie beside the moves: the median, of those before or after them."""
    fields = WalkFields.model_validate(walk)
    medians = []
    for side in (0, 1):
        errors = []
        for move in moves:
            heading_deg = values.heading_deg(move[side], fields)
            if heading_deg is not None:
                errors.append(abs((heading_deg - move[2] + 180.0) % 360.0 - 180.0))
        medians.append(statistics.median(errors) if errors else 180.0)
    return min(medians)


def are_headings(taken: Sequence[Json]) -> bool:
    """Tell whether values are angles, or turns as four numbers; three are Euler's angles."""
    present = [each for each in taken if each is not None]
    if not present:
        return False
    for each in present[:LOOKED_AT]:
        turn = values.numbers(each)
        if turn is None and values.number(each) is None:
            return False
        if turn is not None and (len(turn) != 4 or abs(math.hypot(*turn) - 1.0) > 0.05):
            return False
    return True


def are_actions(taken: Sequence[Json]) -> bool:
    """Tell whether values may be actions: texts, or small whole numbers; never decimal ones."""
    for each in taken:
        number = values.number(each)
        if isinstance(each, bool) or (number is None and not isinstance(each, str | type(None))):
            return False
        # floats of a table may be whole, but a list with one decimal number counts nothing
        if number is not None and not (number.is_integer() and 0 <= number < MOST_ACTIONS):
            return False
    return True


MOST_ACTIONS = 30

_NUMBERED = re.compile(r"(.*?[A-Za-z])[_ ]?(\d{1,4}(?:\.\d{1,4})?)")

_STAYS = re.compile(
    r"(look|pick|put|open|close|toggle|slice|heat|cool|clean|drop|throw|teleport|wait|no_?op)",
    re.IGNORECASE,
)

_THOR_TURN_DEG = 90.0
"""AI2-THOR's usual turn; its actions rotate where others turn."""


def _meaning(name: str) -> tuple[float, float] | None:
    """Return how far an action leads ahead and turns; ``None`` where its name does not say it."""
    # ``MoveAhead_25`` leads 0.25 m ahead, ``RotateLeft_90`` turns by 90 degrees
    numbered = _NUMBERED.fullmatch(name)
    base, amount = (numbered[1], float(numbered[2])) if numbered else (name, None)
    plain = habitat_name(base.rstrip("_ "))
    if plain == "move_forward":
        # centimetres, where the number would be a leap
        ahead_m = AHEAD_M if amount is None else amount
        return ahead_m / 100.0 if ahead_m >= _LEAP_M else ahead_m, 0.0
    if plain in _TURNS_DEG:
        usual_deg = _THOR_TURN_DEG if base.lower().startswith("rotate") else TURN_DEG
        turn_deg = min(usual_deg if amount is None else amount, 180.0)
        return 0.0, math.copysign(turn_deg, _TURNS_DEG[plain])
    return (0.0, 0.0) if _STAYS.match(base) or base.lower() in _STOPS else None


_LEAP_M = 5.0


def guess_actions(records: Sequence[Json], leaves: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a walk whose log has actions alone; none where it has none."""
    best, most = dict[str, Any](), 0.0
    for path in leaves:
        if is_reference(path) or names_an_id(path):
            continue
        taken = list[Json]()
        for record in records[:LOOKED_AT]:
            taken += series(record, path)
        # numbers count many things: they are actions where the name says so
        numbers = any(values.number(each) is not None for each in taken)
        is_named = rank(last_name(path), "actions") > 0
        if not taken or not are_actions(taken) or (numbers and not is_named):
            continue
        names = {action_name(each, WalkFields()): None for each in taken if each is not None}
        meant = {name: meaning for name in names if (meaning := _meaning(name)) is not None}
        moved = {name: ahead_m for name, (ahead_m, turned) in meant.items() if not turned}
        turned_deg = {name: turned for name, (_, turned) in meant.items() if turned}
        # a stop needs no meaning, and a log of nothing else is no walk
        moved = {name: ahead_m for name, ahead_m in moved.items() if name.lower() not in _STOPS}
        if not any(moved.values()) or not turned_deg or len(meant) < 0.5 * len(names):
            continue
        # of two spellings of one action the one that says how far
        score = 1.0 + is_named + 2.0 * any(map(_NUMBERED.fullmatch, meant))
        if score > most:
            actions = path if "[*]" in path else f"{path}[*]"
            best, most = _reckoned(actions, moved, turned_deg), score
    return best


def _reckoned(path: str, moved: dict[str, float], turned: dict[str, float]) -> dict[str, Any]:
    ahead_m = " or ".join(f"{each:g}" for each in sorted({*moved.values()} - {0.0}))
    turn_deg = " or ".join(f"{each:g}" for each in sorted(set(map(abs, turned.values()))))
    is_numbered = any(map(_NUMBERED.fullmatch, (*moved, *turned)))
    source = "as their names say" if is_numbered else "guessed"
    fields: dict[str, Any] = {
        "actions": path,
        "moved_m": moved,
        "turned_deg": turned,
        "pose_source": (
            f"computed from the actions, with {ahead_m} m ahead and {turn_deg} degrees a turn"
            f" ({source})"
        ),
    }
    # AI2-THOR runs in Unity
    if any(name.startswith("Rotate") for name in turned):
        fields["frame"] = "unity"
    return fields


def guess_pictures(records: Sequence[Json], leaves: Sequence[str], count_path: str) -> str | None:
    """Return the path of the pictures along a walk: texts that end as files of pictures do."""
    for path in leaves:
        if "[*]" not in path:
            continue
        named = whole = 0
        for record in records[:5]:
            count = len(series(record, count_path))
            taken = values.aligned(record, path, count) or []
            names = list[str]()
            for each in taken:
                names += values.picture_names(each, "")
            named += sum(_PICTURE.fullmatch(name) is not None for name in names)
            whole += len(names)
        # some cameras fail at times, and other texts are no pictures
        if named and named >= 0.9 * whole:
            return path
    return None


def first_picture(records: Sequence[Json], path: str) -> str:
    """Return the first picture that a log names; empty where it names none."""
    for record in records[:5]:
        for value in series(record, path) or [first_value(record, path)]:
            for name in values.picture_names(value, ""):
                return name
    return ""


def guess_walk(
    records: Sequence[Json], leaves: Sequence[str], graphs: Sequence[Graph], world: str
) -> tuple[dict[str, Any], float, bool]:
    """Return the fields of the walk, how good they are, and whether it is a line on a map.

    There are no fields where there is no walk.
    """
    nodes, node_score = _nodes(records, leaves, graphs)
    reading = find_positions(records[:LOOKED_AT], leaves)
    if max(node_score, reading.score) <= 0.0:
        # less than any walk with places: those are where the agent really was
        by_actions = guess_actions(records, leaves)
        return by_actions, 2.0 if by_actions else 0.0, False
    walk: dict[str, Any] = {}
    if reading.score >= node_score:
        walk["positions"] = list(reading.paths)
        walk["frame"] = _frame(records, reading, graphs, world)
        if walk["frame"] == "enu" and len(reading.paths) == 3 and _is_x_upright(records, reading):
            # turned around, the frame keeps its hand
            walk["positions"] = [*reading.paths[1:], reading.paths[0]]
        walk |= _state_on_plane(records, reading)
        if reading.digits != 5:
            walk["polyline_digits"] = reading.digits
        count_path = reading.paths[0]
        matrix = [count_path.removesuffix("tx") + name for name in ("r13", "r23", "r33")]
        if walk["frame"] == "camera" and set(matrix) <= set(leaves):
            # the last column of the rotation is where the camera looks
            walk |= {"headings": matrix, "heading_unit": "vector"}
    else:
        walk["nodes"] = nodes
        count_path = nodes
    # what a router says of its steps does not run along the places of its line
    if not walk.get("positions") or not reading.is_line:
        is_turned = walk.get("positions", [count_path])[0] != count_path
        turns = _turns(records, leaves, count_path, walk.get("frame", ""), is_turned=is_turned)
        if turns and "headings" not in walk:
            walk["headings"] = turns
        for role in ("headings", "actions", "prompts", "thoughts", "replies"):
            path = None if role in walk else _along(records, leaves, role, count_path)
            if path is not None:
                walk[role] = path
        if "headings" in walk and "heading_unit" not in walk:
            walk |= guess_headings(records, walk)
            walk |= _left_handed(records, walk, reading)
        pictures = guess_pictures(records, leaves, count_path)
        if pictures is not None:
            walk["pictures"] = pictures
    is_line = bool(walk.get("positions")) and reading.is_line
    return walk, 4.0 + max(node_score, reading.score), is_line


def _state_on_plane(records: Sequence[Json], reading: Found) -> dict[str, Any]:
    """Return the fields of places whose third number is where the robot looks, not its height."""
    # the state of a robot on a plane is often x, y and an angle from x to the left, in radians
    if reading.kind != "list":
        return {}
    errors, angles, turned = list[float](), list[float](), list[float]()
    for record in records[:LOOKED_AT]:
        places = [place for place in _points([record], reading) if len(place) == 3]
        for here, there in pairwise(places):
            if math.dist(here[:2], there[:2]) >= _LEAST_MOVE_M:
                direction = math.atan2(there[1] - here[1], there[0] - here[0])
                off = (
                    abs(math.remainder(angle - direction, math.tau))
                    for angle in (here[2], there[2])
                )
                errors.append(min(off))
                angles.append(here[2])
                # a walk straight ahead along x fits any number that is about 0
                if abs(here[2] - angles[0]) > _CLEAR_TURN / 2:
                    turned.append(errors[-1])
    if len(errors) < _LEAST_MOVES or max(angles) - min(angles) < _CLEAR_TURN:
        return {}
    fits = [statistics.median(each) < _CLEAR_TURN / 2 for each in (errors, turned) if each]
    if max(map(abs, angles)) > math.tau or not all(fits):
        return {}
    x, y, heading = (f"{reading.paths[0]}[{k}]" for k in range(3))
    return {"positions": [x, y], "frame": "enu", "headings": heading}


_CLEAR_TURN = 0.3
"""Radians that a walk turns at least, so that its angles are no constant height."""


def _left_handed(records: Sequence[Json], walk: dict[str, Any], reading: Found) -> dict[str, Any]:
    """Return the fields of the frame in which headings fit where Habitat's do not."""
    # Habitat's z leads back, and its headings count from there to the left. In Unity 0 is z, to the
    # right; a camera looks along z, and its y leads down
    if walk.get("frame") == "habitat" and walk.get("looks_along") == "z":
        heights = [point[1] for point in _points(records, reading) if len(point) > 2]
        # who walks on floors of a scene is above 0; a camera is 0 where it began
        is_camera = not heights or min(heights) <= 0.0
        return {"frame": "camera" if is_camera else "unity", "looks_along": ""}
    if walk.get("frame") == "camera" and walk.get("looks_along") == "-z":
        return {"frame": "habitat", "looks_along": ""}
    fits = walk.get("heading_direction") == "counter-clockwise" and (
        walk.get("heading_zero_deg") == 180.0
    )
    if walk.get("frame") != "habitat" or not fits or not reading.paths:
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


def _points(records: Sequence[Json], reading: Found) -> list[list[float]]:
    """Return the positions of the first entries, one after the other."""
    taken: list[list[float]] = []
    for record in records[:LOOKED_AT]:
        raw = values.raw_positions(record, reading.paths, reading.digits)
        taken += [each for each in raw if each is not None and len(each) > 1]
    return taken


def _frame(records: Sequence[Json], reading: Found, graphs: Sequence[Graph], world: str) -> Frame:
    """Return the frame of positions: by what is declared, else by names and numbers."""
    points = _points(records, reading)
    if reading.kind == "polyline":
        return "latlon"
    # a line across 180 degrees may go on counting
    on_globe = all(abs(point[0]) <= 360.0 and abs(point[1]) <= 90.0 for point in points)
    if reading.kind in {"declared", "wkt"}:
        # a type that says degrees is believed before numbers, which are metres beyond the globe
        return "lonlat" if on_globe else "enu"
    # names before numbers: metres near 48 and 11 would look like Munich
    in_order = degrees_frame(records, reading.paths, points, graphs)
    return in_order or _frame_in_metres(records, reading, points, graphs, world)


def _frame_in_metres(
    records: Sequence[Json],
    reading: Found,
    points: Sequence[Sequence[float]],
    graphs: Sequence[Graph],
    world: str,
) -> Frame:
    """Return the frame of positions in metres: by bounds, names and the flattest axis."""
    # of agents in Matterport3D's scans, those that log positions walk in Habitat
    if any(len(point) < 3 for point in points):
        return "habitat" if _is_flat_habitat(records, reading) else "enu"
    for graph in graphs:
        if graph.frame == "metric" and len(graph.ids) and graph.name in {world, ""}:
            fitting = [each for each in _INDOORS if _within(points, each, graph)]
            if len(fitting) == 1:
                return fitting[0]
    if is_scan(world) or "ned" in words_of(" ".join(reading.paths)):
        return "habitat" if is_scan(world) else "ned"
    # people and robots change their height least of all; z is it where both are as flat
    spans = _spans(records, reading)
    if spans[1] < spans[2]:
        # poses of cameras call their places so: TUM, KITTI, EuRoC
        return "camera" if reading.paths[0].endswith("tx") else "habitat"
    heights = [point[2] for point in points]
    return "ned" if max(heights) < 0 and min(heights) < -3.0 else "enu"


def _is_flat_habitat(records: Sequence[Json], reading: Found) -> bool:
    """Tell whether positions are x and z, without the height y."""
    if len(reading.paths) == 2:
        return last_name(reading.paths[1]).endswith("z")
    first = next((each for each in series(records[0], reading.paths[0]) if each), None)
    return isinstance(first, dict) and "z" in map(str.lower, first)


def _is_x_upright(records: Sequence[Json], reading: Found) -> bool:
    """Tell whether walks lie in y and z alone: clearly, since straight ones have two flat axes."""
    x, *others = _spans(records, reading)
    return 10.0 * x < min(others)


def _spans(records: Sequence[Json], reading: Found) -> list[float]:
    """Return how far walks change along each axis, in sum; nothing where there is no height."""
    spans = [0.0, 0.0, 0.0]
    for record in records[:LOOKED_AT]:
        points = [point[:3] for point in _points([record], reading) if len(point) > 2]
        for k, along in enumerate(zip(*points, strict=True)):
            spans[k] += max(along) - min(along)
    return spans


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

_HEIGHT_IS_Y = {"habitat", "unity", "camera"}


def _turns(
    records: Sequence[Json], leaves: Sequence[str], count_path: str, frame: str, *, is_turned: bool
) -> list[str]:
    """Return columns that are a turn: x, y, z and w, or the angle around what is upright."""
    # where the axes of places are turned around, those of turns are, too
    for (above, stem, _), paths in by_letter(leaves, _TURNED).items():
        words = words_of(f"{above}.{stem}".strip("."))
        if is_reference(f"{above}{stem}") or _OF_TURNS.isdisjoint(words):
            continue
        letters = "y" if frame in _HEIGHT_IS_Y else "z"
        if is_turned:
            letters = "x"
        if "w" in paths:
            letters = "yzxw" if is_turned else "xyzw"
        columns = [paths[letter] for letter in letters if letter in paths]
        for record in records[:5]:
            rows = values.rows_along(record, columns, _count(record, count_path)) or []
            if len(columns) < len(letters) or not are_headings(rows):
                break
        else:
            return columns
    return []
