"""What lies beside a house's graph: rooms and walls, sentences of views, captions, objects."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_count, as_list, as_mapping, as_number, say_unlike
from navviz.observations.discrete_views import VIEWS
from navviz.observations.view_text import Detection, ViewCaption, ViewCaptions
from navviz.records.base import plural
from navviz.support.guarded import (
    MAX_BYTES,
    files_like,
    is_folder,
    is_regular,
    natural,
    note_entries,
    opened_lines,
    packed_or_not,
    read_json,
)
from navviz.world.graph import Graph, Poi
from navviz.world.house import (
    SECTORS,
    Box,
    HouseObjects,
    HouseObservations,
    NavigableWay,
    NearObject,
    VisibleObject,
)

MAX_LINES = 2_000_000

ROOM_NAMES: Mapping[str, str] = {
    "a": "bathroom",
    "b": "bedroom",
    "c": "closet",
    "d": "dining room",
    "e": "entry",
    "f": "family room",
    "g": "garage",
    "h": "hallway",
    "i": "library",
    "j": "laundry",
    "k": "kitchen",
    "l": "living room",
    "m": "conference room",
    "n": "lounge",
    "o": "office",
    "p": "porch",
    "r": "rec room",
    "s": "stairs",
    "t": "toilet",
    "u": "utility room",
    "v": "TV room",
    "w": "gym",
    "x": "outdoors",
    "y": "balcony",
    "z": "",
    "B": "bar",
    "C": "classroom",
    "D": "dining booth",
    "S": "spa",
    "Z": "",
    "-": "",
}
"""The letters of regions; ``z`` (other), ``Z`` (junk) and ``-`` name nothing."""

_FLAT = 0.7
"""A surface whose normal points up by more than this is a floor."""


class HouseRegion(NamedTuple):
    """A region of a ``.house`` file."""

    name: str
    """Of its room; empty where it has none."""
    floor_m: float
    """Height of its floor."""
    outline_m: tuple[tuple[float, float], ...]
    """Corners ``(x, y)``; those of its box where the file has no floor surface of it."""


def house_file_of(folder: Path, scan: str) -> Path | None:
    """Find ``SCAN.house`` beside a connectivity folder, as Matterport3D's download lays it out."""
    inner = (Path(), Path("house_segmentations"), Path(scan), Path(scan) / "house_segmentations")
    for place in (folder, folder.parent):
        for step in inner:
            path = place / step / f"{scan}.house"
            if is_regular(path):
                return path
    return None


def read_house(path: Path, problems: Problems) -> tuple[HouseRegion, ...]:
    """Read the regions of a house; lines that cannot be read are reported and left out.

    Raises `InputError` where it is no ``.house`` file.
    """
    regions: dict[int, _Region] = {}
    region_of: dict[int, int] = {}
    for number, fields in _entries(path):
        try:
            kind = fields[0]
            # one pass, so the order counts: a region stands before its surfaces, these before
            # their corners
            if kind == "R":
                regions[int(fields[1])] = _Region(fields)
            elif kind == "S":
                surface, region = int(fields[1]), int(fields[2])
                (_, _, up) = _numbers(fields[8:11])
                if region in regions and up > _FLAT:
                    region_of[surface] = region
                    regions[region].floors[surface] = []
            elif kind == "V" and int(fields[2]) in region_of:
                surface = int(fields[2])
                x, y, _ = _numbers(fields[4:7])
                regions[region_of[surface]].floors[surface].append((x, y))
        except (ValueError, IndexError, OverflowError):
            what = f"line {number} is no entry of a house"
            problems.add(Problem(what, "it is left out", path.name, field=fields[0]))
    return tuple(region.finished() for region in regions.values())


class _Region:
    """A region while its lines are read."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.name = ROOM_NAMES.get(fields[5], "")
        # behind the label stand a centre, then the lowest and the highest corner of the box
        west, south, low, east, north, _ = _numbers(fields[9:15])
        self.box = ((west, south), (east, south), (east, north), (west, north))
        self.low_m = low
        self.floors: dict[int, list[tuple[float, float]]] = {}

    def finished(self) -> HouseRegion:
        """Return the region with its largest floor as outline, else with its box."""
        rings = [tuple(ring) for ring in self.floors.values() if len(ring) > 2]
        outline = max(rings, key=_area_m2) if rings else self.box
        return HouseRegion(self.name, self.low_m, outline)


def _entries(path: Path) -> Iterator[tuple[int, list[str]]]:
    with opened_lines(path, MAX_BYTES) as lines:
        for number, line in enumerate(lines, start=1):
            if number == 1 and not line.startswith(b"ASCII"):
                raise InputError(
                    "is no .house file of Matterport3D",
                    "get it from house_segmentations again",
                    file=path.name,
                )
            if number > MAX_LINES:
                break
            fields = line[:2000].decode("utf-8", "replace").split()
            if fields and fields[0] in {"R", "S", "V"}:
                yield number, fields


def _numbers(fields: Sequence[str]) -> tuple[float, ...]:
    numbers = tuple(float(field) for field in fields)
    if not all(math.isfinite(number) and abs(number) < 1e5 for number in numbers):
        raise ValueError("no finite number")
    return numbers


def _area_m2(ring: Sequence[tuple[float, float]]) -> float:
    twice = 0.0
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        twice += ax * by - bx * ay
    return abs(twice) / 2


def drawing_of(regions: Sequence[HouseRegion], levels_m: Sequence[float]) -> list[dict[str, Any]]:
    """Return regions as the rooms of a drawing, each on the floor whose level is nearest."""
    rooms = []
    for region in regions:
        xs = [x for x, _ in region.outline_m]
        ys = [y for _, y in region.outline_m]
        gaps = [abs(region.floor_m - level_m) for level_m in levels_m]
        room = {
            "name": region.name,
            "floor": gaps.index(min(gaps)),
            "box_m": [min(xs), min(ys), max(xs), max(ys)],
            "outline_m": [list(corner) for corner in region.outline_m],
        }
        rooms.append(room)
    return rooms


Value = TypeVar("Value")

_SAME_M = 0.6
"""Sightings of one name that lie closer than this are one object."""

_NUMBER = re.compile(r"_\d+$")


def read_observations(folder: Path, scan: str, problems: Problems) -> HouseObservations:
    """Read what a folder (or the one above) holds for a house; empty where there is nothing."""
    return HouseObservations(
        scan,
        _by_viewpoint(folder, "scenes", scan, problems, _scene),
        _by_viewpoint(folder, "summaries", scan, problems, _summary),
        _by_viewpoint(folder, "objects", scan, problems, _objects),
        _by_viewpoint(folder, "ways", scan, problems, _ways),
    )


def _by_viewpoint(
    folder: Path,
    name: str,
    scan: str,
    problems: Problems,
    parse: Callable[[Json, list[str]], Value | None],
) -> dict[str, Value]:
    """Return what a file says of each viewpoint; what cannot be read is named and left out."""
    read: dict[str, Value] = {}
    path, raw = _read(folder, name, scan, problems)
    if raw:
        note_entries(path, len(raw))
    for node, entry in raw.items():
        lost: list[str] = []
        value = parse(entry, lost)
        if value is not None:
            read[node] = value
        file = f"{path.parent.name}/{path.name}"
        if value is None:
            what = f"viewpoint {node} holds no {name} as they should be"
            problems.skip(Problem(what, "it is shown without them", file, field=node))
        elif lost:
            what = f"viewpoint {node}: {len(lost)} of its {name} cannot be read ({lost[0][:40]})"
            problems.add(Problem(what, "the others are shown", file, field=node))
    return read


_FILES = {
    "scenes": ("observations_list_summarized/SCAN.json",),
    "summaries": (
        "observations_summarized/SCAN_summarized.json",
        "observations_summarized/SCAN.json",
    ),
    "objects": ("objects_list/SCAN.json",),
    "ways": ("navigable/SCAN_navigable.json",),
    "rooms": ("rooms/SCAN.json",),
}


def _read(folder: Path, name: str, scan: str, problems: Problems) -> tuple[Path, dict[str, Json]]:
    for place in (folder, folder.parent):
        for pattern in _FILES[name]:
            path = packed_or_not(place / pattern.replace("SCAN", scan))
            if path is not None:
                return path, _object(path, problems)
    return folder, {}


def _object(path: Path, problems: Problems) -> dict[str, Json]:
    try:
        raw = read_json(path, lenient=True)
    except InputError:
        raw = None
    if isinstance(raw, dict):
        return raw
    problems.skip(
        Problem(
            "is no JSON object", "the house is shown without it", f"{path.parent.name}/{path.name}"
        )
    )
    return {}


def _scene(raw: Json, lost: list[str]) -> tuple[str, ...] | None:
    if not isinstance(raw, list) or len(raw) != SECTORS:
        return None
    lost += [f"sector {k}" for k, text in enumerate(raw) if not isinstance(text, str)]
    return tuple(str(text) for text in raw)


def _summary(raw: Json, _lost: list[str]) -> str | None:
    return raw.strip() if isinstance(raw, str) else None


def _objects(raw: Json, lost: list[str]) -> tuple[tuple[NearObject, ...], ...] | None:
    if not isinstance(raw, list) or len(raw) != SECTORS:
        return None
    sectors: list[tuple[NearObject, ...]] = []
    for number, sector in enumerate(raw):
        if not isinstance(sector, dict):
            lost.append(f"sector {number}")
        sectors.append(tuple(_near(as_mapping(sector), lost)))
    return tuple(sectors)


def _near(sector: Mapping[str, Json], lost: list[str]) -> list[NearObject]:
    things = []
    for name, numbers in sector.items():
        values = as_mapping(numbers)
        heading, distance = as_number(values.get("heading")), as_number(values.get("distance"))
        if heading is not None and distance is not None:
            # the first sector reaches over north, where the files count below zero
            things.append(NearObject(str(name), heading % 360.0, distance))
        else:
            lost.append(str(name).strip())
    return things


def _ways(raw: Json, lost: list[str]) -> tuple[NavigableWay, ...] | None:
    if not isinstance(raw, dict):
        return None
    ways = []
    for node, numbers in raw.items():
        values = as_mapping(numbers)
        heading_rad, distance_m = (
            as_number(values.get("heading")),
            as_number(values.get("distance")),
        )
        if heading_rad is not None and distance_m is not None:
            ways.append(NavigableWay(node, math.degrees(heading_rad), distance_m))
        else:
            lost.append(node)
    return tuple(ways)


def objects_of(graph: Graph, observations: HouseObservations) -> dict[str, Poi]:
    """Objects of a house with positions, put together from the sightings at all viewpoints.

    Sightings of one name within 0.6 m are one object; it stands at their mean, at half the camera's
    height.
    """
    sightings: dict[str, list[list[tuple[float, float, float]]]] = {}
    # in the order of the graph and of the sectors: that of a file's keys says nothing
    for node in graph.ids:
        x, y, z = graph.position(node)
        for thing in _in_order(observations.objects.get(node, ())):
            angle = math.radians(thing.heading_deg)
            place = (
                # headings count clockwise from +y, so the sine belongs to x
                x + math.sin(angle) * thing.distance_m,
                y + math.cos(angle) * thing.distance_m,
                z - 0.7,  # the files give no height: half the camera's
            )
            # names are numbered within one sector: `lamp_2` of one may be the `lamp` of the next
            _gather(sightings.setdefault(_NUMBER.sub("", thing.name.strip()), []), place)
    objects = {}
    for name, groups in sightings.items():
        for number, group in enumerate(groups, start=1):
            key = f"{name} {number}"
            place = tuple(np.mean(group, axis=0).tolist())
            objects[key] = Poi(key, place, {"name": name})
    return objects


def _in_order(sectors: Iterable[Iterable[NearObject]]) -> Iterator[NearObject]:
    for sector in sectors:
        yield from sorted(
            sector, key=lambda thing: (thing.name.strip(), thing.heading_deg, thing.distance_m)
        )


def _gather(
    groups: list[list[tuple[float, float, float]]], place: tuple[float, float, float]
) -> None:
    for group in groups:
        # the first sighting decides: a mean would wander along a row of chairs
        if math.dist(group[0][:2], place[:2]) <= _SAME_M and abs(group[0][2] - place[2]) < 1.5:
            group.append(place)
            return
    groups.append([place])


def read_rooms(folder: Path, scan: str, problems: Problems) -> dict[str, Any]:
    """Room outlines: ``{"floors": [{name, height_m}], "rooms": [{name, floor, box_m}], "doors":
    [{at_m, floor}]}``.
    """
    return _read(folder, "rooms", scan, problems)[1]


FOLDERS = ("langnav", "r2r_blip_DETR_vis2text", "captions")
"""Names under which the folder of captions is looked for."""


def find_captions(folder: Path, scan: str) -> Path | None:
    """Find the file of a house in `folder`, in one of `FOLDERS` within it, or beside it."""
    for place in (folder, folder.parent):
        for candidate in (place, *(place / name for name in FOLDERS)):
            path = packed_or_not(candidate / f"{scan}.json")
            # NavGPT's lists of objects are called `SCAN.json` as well, so a folder beside needs a
            # name that says what it holds
            if path is not None and (candidate == folder or candidate.name in FOLDERS):
                return path
    return None


def read_captions(folder: Path, scan: str, problems: Problems) -> ViewCaptions:
    """Read the captions of one house; empty (and false) where there is no file of it.

    Viewpoints and views that are none are reported in `problems` and left out.
    """
    path = find_captions(folder, scan)
    if path is None:
        return ViewCaptions(scan)
    try:
        raw = read_json(path, lenient=True)
    except InputError:
        raw = None
    if not isinstance(raw, dict):
        problems.skip(
            Problem("is no JSON object of captions", "the house is read without it", path.name)
        )
        return ViewCaptions(scan)
    views = {node: _views(node, item, path.name, problems) for node, item in raw.items()}
    return ViewCaptions(scan, {node: item for node, item in views.items() if item})


def _views(node: str, raw: Json, file: str, problems: Problems) -> dict[int, ViewCaption]:
    captions = {}
    where = Problem("", "", file, field=node)
    lost, broken = 0, list[int]()
    for key, item in as_mapping(raw).items():
        view = natural(key)
        given = as_mapping(item)
        say_unlike(given, {"text": "global_cap", "list": "dense_cap"}, where, problems)
        caption = given.get("global_cap")
        if view is None or view >= VIEWS or not isinstance(caption, str):
            lost += 1
            continue
        read = [_detection(as_mapping(each)) for each in as_list(given.get("dense_cap"))]
        detections = [each for each in read if each is not None]
        if len(detections) < len(read) or any(each.box is None for each in detections):
            broken.append(view)
        detections.sort(key=lambda detection: -detection.confidence)
        captions[view] = ViewCaption(caption.strip(), tuple(detections))
    if broken:
        what = f"{plural(len(broken), 'view')} with detections that lack a name, confidence or box"
        problems.add(replace(where, what=what, do="what they lack is left out"))
    if captions and lost:
        what = f"{lost} of {lost + len(captions)} views have no number or no caption"
        problems.add(replace(where, what=what, do="they are left out"))
    if not captions:
        problems.skip(
            Problem(
                f"viewpoint {node} has no view with a caption", "it is left out", file, field=node
            )
        )
    return captions


def _detection(item: Mapping[str, Json]) -> Detection | None:
    name, confidence = item.get("obj_class"), _number(item.get("confidence"))
    if not isinstance(name, str) or confidence is None or not 0.0 <= confidence <= 1.0:
        return None
    corners = [_number(part) for part in str(item.get("coordinates", "")).split()]
    box_px = [value for value in corners if value is not None]
    box = (box_px[0], box_px[1], box_px[2], box_px[3]) if len(box_px) == len(corners) == 4 else None
    return Detection(name.strip(), confidence, box)


def _number(raw: Json) -> float | None:
    """Return a number, or a text that is one, as LangNav writes them."""
    if isinstance(raw, str):
        try:
            return as_number(float(raw))
        except ValueError:
            return None
    return as_number(raw)


FOLDER = "BBox"


def find_objects(folder: Path) -> Path | None:
    """Find the folder of object files: `folder`, its parent, or ``reverie`` in one of them."""
    for place in (folder, folder.parent):
        for candidate in (place, place / FOLDER, place / "reverie" / FOLDER):
            if candidate.name == FOLDER and is_folder(candidate):
                return candidate
    return None


def read_objects(folder: Path, scan: str, problems: Problems) -> HouseObjects:
    """Read the objects of one house.

    `folder`: the ``BBox`` folder, a folder that holds it, or one beside it (see `find_objects`).
    `problems`: takes what could not be read; the rest is returned. Returns the objects by
    viewpoint; empty (and false) where there is no file of this house.
    """
    place = find_objects(folder)
    if place is None:
        return HouseObjects(scan)
    objects: dict[str, tuple[VisibleObject, ...]] = {}
    # sorted, as folders list their files in another order on each machine
    for path in files_like(place, f"{scan}_*.json"):
        viewpoint = path.name.partition(".json")[0].removeprefix(f"{scan}_")
        raw = _viewpoint(path, viewpoint, problems)
        if raw is not None:
            things = []
            for name, entry in raw.items():
                thing = _thing(str(name), entry) if isinstance(entry, dict) else None
                if thing is None:
                    what = f"object {name} has no name, views and boxes that fit together"
                    problems.skip(
                        Problem(what, "it is left out", f"{FOLDER}/{path.name}", field=str(name))
                    )
                else:
                    things.append(thing)
            objects[viewpoint] = tuple(things)
    return HouseObjects(scan, objects)


def _viewpoint(path: Path, viewpoint: str, problems: Problems) -> Mapping[str, Json] | None:
    try:
        raw = read_json(path, lenient=True)
    except InputError:
        raw = None
    things = as_mapping(raw).get(viewpoint)
    if isinstance(things, dict):
        return things
    what = f"holds no objects of viewpoint {viewpoint}"
    problems.skip(Problem(what, "the viewpoint is shown without objects", f"{FOLDER}/{path.name}"))
    return None


def _thing(name: str, entry: Mapping[str, Json]) -> VisibleObject | None:
    views, boxes, called = entry.get("visible_pos"), entry.get("bbox2d"), entry.get("name")
    if not isinstance(views, list) or not isinstance(boxes, list) or not isinstance(called, str):
        return None
    read = [_box(box) for box in boxes]
    seen_in = [view for view in map(as_count, views) if view is not None and 0 <= view < VIEWS]
    if (
        # a box belongs to the view at its place in the list: one that is lost would shift the
        # others
        len(views) != len(read) or None in read or len(seen_in) != len(views)
    ):
        return None
    plain = " ".join(called.replace("#", " ").split())
    return VisibleObject(name, plain, tuple(seen_in), tuple(box for box in read if box is not None))


def _box(raw: Json) -> Box | None:
    numbers = [as_number(value) for value in raw] if isinstance(raw, list) and len(raw) == 4 else []
    if len(numbers) != 4 or any(value is None for value in numbers):
        return None
    x, y, width, height = (float(value or 0.0) for value in numbers)
    return x, y, width, height
