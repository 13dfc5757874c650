"""Guess what goes along a walk: how headings count, actions without positions, pictures."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from navviz.formats.mapping import values
from navviz.formats.mapping.guess_names import is_reference, last_name, names_an_id, rank
from navviz.formats.mapping.model import WalkFields
from navviz.formats.mapping.paths import first_value, series
from navviz.formats.mapping.walks import action_name, habitat_name
from navviz.records.base import Position
from navviz.support.guarded import Json

_LOOKED_AT = 20
"""Entries by which a guess is made."""
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
    for record in records[:_LOOKED_AT]:
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
        yield {"heading_unit": "quaternion xyzw"}
        yield {"heading_unit": "quaternion wxyz"}
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
    for record in records[:_LOOKED_AT]:
        raw = values.raw_positions(record, fields.positions, fields.polyline_digits)
        headings = values.rows_along(record, fields.headings, len(raw))
        origin = next((each for each in raw if each is not None), None)
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
    for each in present[:_LOOKED_AT]:
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
    """Return how far an action leads ahead and turns; ``None`` where its name does not say it.

    ``MoveAhead_25`` leads 0.25 m ahead, ``RotateLeft_90`` turns by 90 degrees.
    """
    numbered = _NUMBERED.fullmatch(name)
    base, amount = (numbered[1], float(numbered[2])) if numbered else (name, None)
    plain = habitat_name(base.rstrip("_ "))
    if plain == "move_forward":
        # centimetres, where the number would be a leap
        ahead_m = AHEAD_M if amount is None else amount / (100.0 if amount >= _LEAP_M else 1.0)
        return ahead_m, 0.0
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
        for record in records[:_LOOKED_AT]:
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
    said = any(map(_NUMBERED.fullmatch, (*moved, *turned)))
    source = "as their names say" if said else "guessed"
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
