"""Find the positions of a walk in a log: lists, columns of coordinates, lines in one text.

Each reading is checked: the agent's own, of more than one place, and near to the next one.
"""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from navviz.formats.mapping import values
from navviz.formats.mapping.geometry import decoded, kind_of_text, points_in
from navviz.formats.mapping.model import entries, first_value, key_text, parse_path
from navviz.support.guarded import Json

_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("episode_id", "instr_id", "episode", "ep_id", "episode_index", "episode_idx", "traj_id",
           "trajectory_id", "trip_id", "trip", "track_id", "task_id", "sample_id", "sample_idx",
           "uid", "uuid", "idx", "index", "run_id", "trial", "name", "id", "ep", "key", "no",
           "number", "nr"),
    "world": ("scene_id", "scan_id", "scan", "scene", "world", "house", "env_name", "environment",
              "map", "city", "building", "env", "zone", "site", "floor_plan"),
    "instruction": ("instruction", "instruction_text", "episode_instruction", "navigation_text",
                    "instr", "command", "query", "prompt_text", "task", "goal_text", "text", "said",
                    "description", "utterance", "language"),
    "positions": ("trajectory", "positions", "position", "path", "poses", "pose", "locations",
                  "location", "agent_path", "pred_path", "walk", "route", "track", "states",
                  "state", "xyz", "pos", "coords", "coordinates", "points", "waypoints", "gps",
                  "polyline", "geometry", "linestring", "line", "shape", "geom", "wkt",
                  "encodedpolyline", "encoded_polyline", "overview_polyline", "transform_matrix",
                  "cam_to_world", "c2w", "extrinsics"),
    "nodes": ("trajectory", "path", "pred_path", "viewpoints", "viewpoint", "nodes", "node",
              "panos", "pano", "route", "walk", "visited", "viewpoint_id", "place"),
    "headings": ("heading", "headings", "yaw", "yaws", "bearing", "rotation", "orientation",
                 "compass", "theta", "heading_deg", "yaw_deg"),
    "actions": ("action", "actions", "act", "move", "decision", "command", "primitive"),
    "prompts": ("prompt", "prompts", "input", "messages", "question", "llm_input", "request"),
    "thoughts": ("thought", "thoughts", "reasoning", "rationale", "think", "cot", "analysis",
                 "why", "reason", "explanation"),
    "replies": ("reply", "response", "output", "answer", "raw", "completion", "llm_output",
                "generation"),
    "reference": ("reference_path", "gt_path", "reference", "expert_path", "ground_truth",
                  "gt_trajectory", "gold_path"),
    "start": ("start_position", "start", "start_pos", "origin", "init_action", "init_position",
              "initial_position", "start_pose", "init_pose", "initial_pose", "start_location"),
    "goal": ("goal_position", "goal", "target", "target_position", "end_position", "goal_pos"),
    "start_heading": ("start_heading", "start_yaw", "initial_heading", "initial_yaw", "heading0",
                      "start_bearing", "yaw0"),
}  # fmt: skip

_NOT_WALKED = frozenset((
    "gt", "reference", "ref", "expert", "gold", "ground", "teacher", "goal", "target",
    # things, not the agent
    "object", "objects", "obj", "bbox", "box", "boxes", "landmark", "landmarks", "detection",
    "detections", "obstacle", "obstacles", "candidate", "candidates", "receptacle", "receptacles",
    "neighbor", "neighbors", "neighbour", "neighbours", "furniture", "poi", "pois",
    # speeds and turns, not places
    "twist", "linear", "angular", "velocity", "vel", "acceleration", "accel", "acc", "imu", "gyro",
    "covariance", "cmd", "force",
))  # fmt: skip

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_SCAN = re.compile(r"(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]{11}")


def last_name(path: str) -> str:
    """Return the last key of a path, in small letters."""
    keys = [part.key for part in parse_path(path) if part.kind == "key"]
    return snake(keys[-1]) if keys else ""


def snake(name: str) -> str:
    """Return a name in small letters, its words parted by lines: ``taskDesc`` is ``task_desc``."""
    return _HUMP.sub("_", name).lower()


def words_of(path: str) -> set[str]:
    """Return the words in a path."""
    return set(re.split(r"[^a-z0-9]+", snake(path))) - {""}


def rank(name: str, role: str) -> float:
    """Return how well a name fits a role: 2 for the usual ones, less for those that contain one."""
    names = _NAMES[role]
    if name in names:
        return 2.0 - names.index(name) / 100
    words = set(re.split(r"[^a-z]+", name))
    inner = [each for each in names if each in words or (len(each) > 4 and each in name)]
    return 1.0 if inner else 0.0


def is_reference(path: str) -> bool:
    """Tell whether a path names no place of the agent: where it should have gone, or a thing."""
    return not _NOT_WALKED.isdisjoint(words_of(path))


def names_an_id(path: str) -> bool:
    """Tell whether a path leads to an id by its name: it is neither a walk nor an action."""
    # more than a name that only contains one
    return rank(last_name(path), "id") > 1.0


def is_scan(text: str) -> bool:
    """Tell whether a text names a scan of Matterport3D, alone or as a file."""
    return _SCAN.fullmatch(text.rsplit("/", maxsplit=1)[-1].split(".", maxsplit=1)[0]) is not None


LOOKED_AT = 20
"""Entries by which a guess is made."""

_Kind = Literal["list", "columns", "declared", "wkt", "polyline", "text"]

Places = list[list[float] | None]

_FEW_PLACES = 8

_SCATTERED = 0.35
"""Of the extent of a walk: where half of the steps are longer, the places lie in no order."""

_DECLARED = {"LineString", "MovingPoint", "MultiPoint", "MultiLineString", "Point"}

_NEAR_DEG = 0.02
"""A line begins so near to a place that the same reply names in plain numbers."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where positions may be."""

    paths: tuple[str, ...] = ()
    score: float = 0.0
    kind: _Kind = "list"
    """``declared``: a type of GeoJSON says that these are longitude and latitude."""
    digits: Literal[5, 6] = 5

    @property
    def is_line(self) -> bool:
        """Whether a line stands for itself: nothing goes along it but what it holds."""
        return self.kind in {"declared", "wkt", "polyline", "text"}


def find_positions(records: Sequence[Json], leaves: Sequence[str]) -> Found:
    """Return the best reading; its score is 0 where there is none."""
    best = Found()
    for reading in _readings(records, leaves):
        if is_reference(" ".join(reading.paths)) or names_an_id(reading.paths[0]):
            continue
        walks = [values.raw_positions(each, reading.paths, reading.digits) for each in records]
        walks = [walk for walk in walks if walk]
        flat = list(itertools.chain.from_iterable(walks))
        sound = [place for place in flat if place is not None and 2 <= len(place) <= 7]
        # a few broken positions are faults of the log, many are another kind of list
        if not sound or len(sound) < len(flat) * 0.9 or len(flat) <= len(records):
            continue
        score = reading.score + _doubts(walks, sound)
        if reading.is_line:
            # of a line and of its simpler copy, the one with more places
            score += min(len(sound), 10_000) / 20_000
        if score > best.score:
            best = Found(reading.paths, score, reading.kind, reading.digits)
    return best


def _readings(records: Sequence[Json], leaves: Sequence[str]) -> Iterator[Found]:
    """Yield all that may be positions, with how well its name fits."""
    for path in leaves:
        name = last_name(path)
        if path.endswith("[*]") or "[*]" in path:
            score = 1.0 + rank(name, "positions")
            # quaternions and one-hot actions are lists of three or four numbers, too
            if rank(name, "headings") > 0 or rank(name, "actions") > 0:
                score -= 2.0
            if is_declared(records, path):
                yield Found((path,), score + 2.0, "declared")
            else:
                yield Found((path,), score + 0.5 * _is_agent(path))
    # a cell of a table may hold all numbers of one coordinate
    cells = [
        path for path in leaves if "[" not in path and _is_listed(first_value(records[0], path))
    ]
    for paths, score in columns(leaves, cells):
        yield Found(paths, 1.0 + score + 0.5 * _is_agent(paths[0]), "columns")
    yield from _nameless(records, leaves)
    for path in leaves:
        # a cell of each row of an episode is no line of the episode
        if not path.startswith("rows["):
            yield from _texts(records, path)


def _is_listed(value: Json) -> bool:
    return isinstance(value, str) and value[:1] in {"[", "("} and len(values.listed(value)) > 1


def _nameless(records: Sequence[Json], leaves: Sequence[str]) -> Iterator[Found]:
    """Yield pairs of columns beside each other that are degrees of walks by their numbers alone."""
    named = {path for paths, _ in columns(leaves) for path in paths}
    rows = [path for path in leaves if path.startswith("rows[*].") and path.count("[") == 1]
    for pair in pairwise(rows):
        if named or any(
            rank(last_name(path), role) for path in pair for role in ("id", "headings")
        ):
            continue
        walks = [values.raw_positions(record, pair) for record in records[:_FEW_PLACES]]
        places = [place for place in itertools.chain.from_iterable(walks) if place is not None]
        # three decimals: other numbers that hardly change are rarely written so
        exact = any(round(each, 2) != each for place in places for each in place)
        if exact and is_degrees(places):
            yield Found(pair, 0.5, "columns")


def are_nameless(paths: Sequence[str]) -> bool:
    """Tell whether no name says that two columns are places."""
    return len(paths) > 1 and not any(columns(paths))


def is_degrees(points: Sequence[Sequence[float]]) -> bool:
    """Tell whether points lie on the globe and close together, far from (0, 0), in either order."""
    if len(points) < 2 or any(len(point) < 2 for point in points):
        return False
    firsts, seconds = [point[0] for point in points], [point[1] for point in points]
    span = max(max(firsts) - min(firsts), max(seconds) - min(seconds))
    # degrees have many digits, or steps that are no agent's as metres; whole numbers are cells
    moves = [math.dist(a[:2], b[:2]) for a, b in pairwise(points) if a[:2] != b[:2]]
    exact = any(round(each, 3) != each for each in firsts)
    exact = exact or (bool(moves) and 0 < statistics.median(moves) < _LEAST_STEP_M)
    tops = sorted((max(map(abs, firsts)), max(map(abs, seconds))))
    inside = tops[0] <= 90.0 and tops[1] <= 180.0
    # a robot that hardly moves has digits as well: it must stand far from where it counts
    far = min(map(abs, firsts)) > _FAR_DEGREES and span < 0.5
    still = span < _FEW_DEGREES and len(points) > 2
    # London lies on the first meridian, so that one of its degrees is about 0
    near = min(map(abs, firsts + seconds)) > 1.0 or min(map(abs, seconds)) > _FAR_DEGREES
    return exact and inside and (far or (still and near))


_FEW_DEGREES = 0.05
"""5 km: no walk is longer, and no walk in metres stays within 5 cm."""

_FAR_DEGREES = 15.0

_LEAST_STEP_M = 0.02


def _is_agent(path: str) -> bool:
    return not {"agent", "robot", "ego", "self", "base", "agent_state"}.isdisjoint(words_of(path))


def _texts(records: Sequence[Json], path: str) -> Iterator[Found]:
    """Yield a path to texts that hold lines."""
    texts = list[str]()
    for record in records:
        for value in (each for _, each in entries(record, parse_path(path))):
            if isinstance(value, str) and value:
                texts.append(value)
    kinds = {kind_of_text(text) for text in texts[:LOOKED_AT]}
    if len(kinds - {"json", "geojson"}) > 1 or not kinds or "" in kinds:
        return
    score = 3.0 + rank(last_name(path), "positions")
    if kinds == {"polyline"}:
        digits = _digits(records, path, texts)
        if digits:
            yield Found((path,), score, "polyline", digits)
    elif any(points_in(text, 5) for text in texts[:LOOKED_AT]):
        kind: _Kind = "text"
        if kinds == {"wkt"}:
            kind = "wkt"
        elif kinds == {"geojson"}:
            kind = "declared"
        yield Found((path,), score, kind)


def is_declared(records: Sequence[Json], path: str) -> bool:
    """Tell whether a path leads to the coordinates of GeoJSON, by the type that stands beside."""
    bare = re.sub(r"(\[\*\])+$", "", path)
    if last_name(bare) != "coordinates" or not bare.endswith("coordinates"):
        return False
    type_path = f"{bare.removesuffix('coordinates')}type"
    return any(value in _DECLARED for value in _all(records, type_path))


def _all(records: Sequence[Json], path: str) -> Iterator[Json]:
    for record in records:
        for _, value in entries(record, parse_path(path)):
            yield value


def _digits(records: Sequence[Json], path: str, texts: Sequence[str]) -> Literal[5, 6, 0]:
    """Return the decimals of encoded polylines by what else the log says; 0 of other texts."""
    lines = [line for text in texts[:LOOKED_AT] if (line := decoded(text, 5))]
    if len(lines) < 0.9 * len(texts[:LOOKED_AT]):
        return 0
    places = list(itertools.chain.from_iterable(lines))
    top_lat = max(abs(place[0]) for place in places)
    top_lon = max(abs(place[1]) for place in places)
    # words in capital letters lie within some metres of (0, 0)
    if max(top_lat, top_lon) < 0.01 or top_lat > 900 or top_lon > 1800:
        return 0
    if top_lat > 90 or top_lon > 180:
        return 6
    stated = _places_told(records)
    digits: Literal[5, 6]
    for digits in (5, 6):
        first = decoded(texts[0], digits)
        if first is not None and any(_is_near(first[0], place) for place in stated):
            return digits
    return 6 if last_name(path) == "shape" or "polyline6" in words_of(path) else 5


def polyline_doubt(records: Sequence[Json], path: str) -> bool:
    """Tell whether nothing in a log says with how many decimals its polylines are encoded."""
    lines = [decoded(text, 5) for text in _all(records, path) if isinstance(text, str)]
    places = [line[0] for line in lines if line]
    if not places or any(abs(lat) > 90 or abs(lon) > 180 for lat, lon in places):
        return False
    # of a tenth, five decimals would lie near (0, 0), where hardly anybody walks
    far = any(abs(lat) > 20 or abs(lon) > 40 for lat, lon in places)
    return not far and not any(_is_near(places[0], place) for place in _places_told(records))


def _places_told(records: Sequence[Json]) -> list[tuple[float, float]]:
    """Return latitudes and longitudes that stand as plain numbers in the first entry."""
    stated: list[tuple[float, float]] = []
    open_values: list[Json] = list(records[:1])
    while open_values and len(stated) < 50:
        value = open_values.pop()
        if isinstance(value, dict):
            open_values += value.values()
        elif isinstance(value, list):
            open_values += value[:200]
        pair = values.numbers(value) if isinstance(value, dict | list) else None
        if pair is not None and len(pair) == 2:
            stated.append((pair[0], pair[1]))
    return stated


def _is_near(place: Sequence[float], stated: Sequence[float]) -> bool:
    # in either order: OSRM has the longitude first
    for lat, lon in ((stated[0], stated[1]), (stated[1], stated[0])):
        if abs(place[0] - lat) < _NEAR_DEG and abs(place[1] - lon) < _NEAR_DEG:
            return True
    return False


def _doubts(walks: Sequence[Places], sound: Sequence[list[float]]) -> float:
    """Return what speaks against positions: nobody moves, or the places lie in no order."""
    first = sound[0]
    if all(place == first for place in sound[:200]):
        return -1.5
    # the rows of matrices
    if [0.0, 0.0, 0.0, 1.0] in sound[:200] and len(sound) % 4 == 0:
        return -9.0
    # turns as four numbers
    if all(len(place) == 4 and abs(math.hypot(*place) - 1.0) < 0.01 for place in sound[:200]):
        return -3.0
    scattered = looked_at = 0
    for walk in walks[:LOOKED_AT]:
        places = [place[:3] for place in walk[:500] if place is not None]
        moves_m = [math.dist(a, b) for a, b in pairwise(places) if len(a) == len(b) and a != b]
        if len(moves_m) >= _FEW_PLACES:
            lows = [min(along) for along in zip(*places, strict=False)]
            highs = [max(along) for along in zip(*places, strict=False)]
            looked_at += 1
            scattered += statistics.median(moves_m) > _SCATTERED * math.dist(lows, highs)
    return -2.0 if scattered * 2 > looked_at else 0.0


_UNIT = re.compile(
    r"(?<![\s_])[\s_]*+[\[(][^\])]{0,40}[\])]$|_(m|meters|metres|deg|mm|cm|km|e7|ft|feet|inch|inches|yd|mi|miles)$"
    r"|(?<=[xyz])_(center|centre|pos|position|coord|coordinate|world|global|map|utm)$"
)
"""What may stand behind the letter of a coordinate."""

_COORDINATE = re.compile(
    r"(?P<stem>|.*[^a-z0-9]|.*?(pos|position|loc|coord)|[tp])(?P<letter>x|y|z)s?"
    r"|(?P<geo_stem>.*?)(?P<geo>latitude|longitude|altitude|lat|lon|lng|long|alt)s?"
    r"|(?P<map_stem>|.*[^a-z0-9])(?P<map>easting|northing|col|row|u|v)"
)

_LETTERS = {"latitude": "lat", "longitude": "lon", "lng": "lon", "long": "lon", "altitude": "alt"}

_SETS = (
    ("lat", "lon", "alt"), ("lat", "lon"), ("x", "y", "z"), ("x", "z"), ("x", "y"),
    ("easting", "northing"), ("col", "row"), ("u", "v"),
)  # fmt: skip

_GEO = 2.0

_TURNS = {"orientation", "rotation", "quaternion", "quat", "euler", "rot"}


def by_letter(
    leaves: Iterable[str], pattern: re.Pattern[str], cells: Iterable[str] = ()
) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return paths that differ in the letter of a coordinate alone, by what they share.

    They share the path above, the name before the letter, and whether they are lists.
    """
    axes: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for path in itertools.chain((each for each in leaves if "[*]" in each), cells):
        tail = "[*]" if path.endswith("[*]") else ""
        bare = path.removesuffix("[*]")
        parts = parse_path(bare)
        if not parts or parts[-1].kind != "key":
            continue
        key = parts[-1].key
        match = pattern.fullmatch(_UNIT.sub("", snake(key.strip())))
        if match is None:
            continue
        groups = {name: text for name, text in match.groupdict().items() if text is not None}
        stem = next((text for name, text in groups.items() if name.endswith("stem")), "")
        letter = next(text for name, text in groups.items() if not name.endswith("stem"))
        above = bare.removesuffix(key_text(key))
        axes[above, stem, tail].setdefault(_LETTERS.get(letter, letter), path)
    return axes


def columns(
    leaves: Iterable[str], cells: Iterable[str] = ()
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield paths of coordinates that stand beside each other, with how well their names fit.

    `cells` are paths to texts that each hold all numbers of one coordinate.
    """
    for (above, stem, _), paths in by_letter(leaves, _COORDINATE, cells).items():
        # the angles of a turn are x, y and z, too
        if not _TURNS.isdisjoint(words_of(f"{above}.{stem}")):
            continue
        for letters in _SETS:
            if set(letters) <= paths.keys():
                named = rank(stem.strip("_ ."), "positions")
                named = max(named, rank(last_name(above.rstrip(".")), "positions"))
                score = _GEO if letters[0] == "lat" else 1.5 + 0.2 * (named > 0)
                yield tuple(paths[letter] for letter in letters), score
                break
