"""Matterport3D's ``SCAN.house``: rooms with names and walls, without a mesh.

A text of one entry a line; the letter in front names the kind (``L`` level, ``R`` region, ``S``
surface, ``V`` vertex ...). A room's outline is the ring of vertices of its region's floor surface.

References
----------
Chang et al. 2017, doi:10.1109/3DV.2017.00081; ``data_organization.md`` of the data set.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from navviz.errors import InputError, Problem, Problems
from navviz.support.guarded import MAX_BYTES, is_regular, opened_lines

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

    Raises
    ------
    InputError
        Where it is no ``.house`` file.
    """
    regions: dict[int, _Region] = {}
    region_of: dict[int, int] = {}
    for number, fields in _entries(path):
        try:
            _take(fields, regions, region_of)
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


def _take(fields: Sequence[str], regions: dict[int, _Region], region_of: dict[int, int]) -> None:
    """Take one line: a region, a floor surface of one, or a corner of such a surface."""
    kind = fields[0]
    # one pass, so the order counts: a region stands before its surfaces, these before their corners
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
