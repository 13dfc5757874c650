"""Scene lists of LH-VLN's NavGen: ``SCENE.txt`` with regions and objects,
``Per_Scene_Region_Weighted_Votes.csv``.

A list has lines ``Region id:_8, position:[0. 0. 0.]`` (the position is always zero) each followed
by its objects, ``Id:240, name:kettle, position:[x, y, z]`` in habitat's frame (y up). The table
names the rooms by vote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, NotFoundError, Problem, Problems
from navviz.formats.texts import as_count
from navviz.support.guarded import csv_rows, head_text, is_folder, is_regular, read_text
from navviz.systems.lhvln.logs.motion import to_metric
from navviz.world.graph import Graph
from navviz.world.info import Region, Scene, SceneObject
from navviz.world.scene_graph import scene_graph

PREFIX = "hm3d:"
"""Worlds are named ``hm3d:00843-DYehNKdT76V``."""

VOTES = "Per_Scene_Region_Weighted_Votes.csv"

_SCENE = re.compile(r"^\d{5}-\w+$")
_REGION = re.compile(r"^Region id:_(-?\w+), position:\[[^\]\n]*\]")
# greedy, since a name may hold commas: the last ", position:" ends it
_OBJECT = re.compile(r"^Id:(\S+), name:(.*), position:\[([^\]]*)\]\s*$")
_FAR_M = 1e6
"""No house is so large; an object beyond, or at NaN, has no place."""
_UNKNOWN_ROOM = "Unknown room"
_TIE = "Tie: "


def scene_name(world: str) -> str:
    """``00843-DYehNKdT76V`` from a world's name."""
    return world.removeprefix(PREFIX)


def bare_scene(world: str) -> Graph:
    """Return a scene of which nothing is known: for walks whose scene list is not there."""
    return scene_graph(Scene(scene_name(world)), world)


class SceneLists:
    """Reads scene lists: one file, or a folder with one file a scene."""

    name: ClassVar[str] = "LH-VLN scene lists"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a scene list or a folder of them."""
        first = next(iter(_files(path).values()), None)
        return first is not None and (_REGION.match(head_text(first, 200)) is not None)

    @classmethod
    def worlds(cls, path: Path) -> tuple[str, ...]:
        """Return the scenes, sorted."""
        return tuple(PREFIX + scene for scene in _files(path))

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read one scene (the first if none is named); rooms come from the votes beside it."""
        files = _files(path)
        scene = scene_name(world) or next(iter(files), "")
        if scene not in files:
            raise NotFoundError(
                f"scene {scene} not found",
                f"put {scene}.txt into the folder of scene lists",
                file=path.name,
            )
        problems = Problems()
        return scene_graph(read_scene(files[scene], problems), PREFIX + scene, problems)


def _files(path: Path) -> dict[str, Path]:
    files = [path] if path.suffix == ".txt" else []
    if is_folder(path):
        files = sorted(path.glob("*.txt"))
    return {file.stem: file for file in files if _SCENE.match(file.stem)}


def read_scene(path: Path, problems: Problems) -> Scene:
    """Read one scene list, objects under exactly the region that they stand under.

    Regions without objects and without a room are kept; what cannot be read is reported and passed
    over. Raises `InputError` when the file cannot be opened or holds no region.
    """
    regions: dict[str, list[SceneObject]] = {}
    current: list[SceneObject] | None = None
    for number, line in enumerate(_lines(path), start=1):
        head = _REGION.match(line)
        if head is not None:
            current = regions.setdefault(head[1], [])
        elif line.strip():
            thing = _object(line)
            if thing is None or current is None:
                what = "stands before the first region"
                if thing is None:
                    what = "is neither a region nor an object"
                problems.skip(Problem(what, "the other lines are shown", f"{path.name}:{number}"))
            else:
                if any(thing.id == other.id for other in current):
                    what, do = f"object {thing.id} is there twice", "both are shown; keep one"
                    problems.add(Problem(what, do, f"{path.name}:{number}"))
                current.append(thing)
    if not regions:
        raise InputError("holds no region", "open a scene list of LH-VLN's NavGen", file=path.name)
    tables = read_rooms(path.parent / VOTES, problems)
    rooms = tables.get(path.stem, {})
    # -1 is what lies outside of all rooms
    unnamed = [key for key in regions if key not in rooms and key != "-1"]
    if tables and unnamed:
        what = f"has no row for the regions {', '.join(unnamed[:5])} of {path.stem}"
        problems.add(Problem(what, "their rooms have no names; get the table again", VOTES))
    return Scene(path.stem, {key: _region(key, things, rooms) for key, things in regions.items()})


def _lines(path: Path) -> list[str]:
    return read_text(path, lenient=True).splitlines()


def _object(line: str) -> SceneObject | None:
    match = _OBJECT.match(line)
    if match is None:
        return None
    try:
        x, y, z = (float(part) for part in match[3].split(","))
    except ValueError:
        return None
    # NaN compares as False, so this takes it out, too
    if not all(abs(value) < _FAR_M for value in (x, y, z)):
        return None
    place = (
        None if x == y == z == 0 else to_metric((x, y, z))
    )  # the simulator's value for "has no box"
    return SceneObject(match[1], match[2].strip(), place)


def _region(key: str, things: list[SceneObject], rooms: Mapping[str, str]) -> Region:
    room = rooms.get(key)
    tie = room is not None and room.startswith(_TIE)
    return Region(key, room.removeprefix(_TIE) if room else None, tie, tuple(things))


def read_rooms(path: Path, problems: Problems) -> dict[str, dict[str, str]]:
    """Room names by scene and region id, empty where unknown; ties as ``Tie: A & B``.

    Empty, with a problem, where the table is missing.
    """
    if not is_regular(path):
        problems.add(
            Problem("is not beside the scene lists", "rooms have no names without it", path.name)
        )
        return {}
    rooms: dict[str, dict[str, str]] = {}
    # the room is the last column: between it and the region stand as many votes as there were
    head, *rows = [*csv_rows(read_text(path, lenient=True), path.name, trimmed=True)] or [[]]
    if not rows:
        do = "rooms have no names without them; get it again"
        problems.add(Problem("holds no row of a region", do, path.name))
    for number, row in enumerate(rows, start=2):
        whole = len(row) == len(head) and all(as_count(each) is not None for each in row[1:-1])
        if row and not (whole and any(letter.isalpha() for letter in row[-1])):
            what = "is no row of a region's number, its votes and the name of its room"
            do = "mend the row; its room is shown as it stands"
            problems.add(Problem(what, do, f"{path.name}:{number}"))
        if len(row) > 2:
            room = row[-1].strip()
            rooms.setdefault(row[0], {})[row[1]] = "" if room == _UNKNOWN_ROOM else room
    return rooms


def as_published(path: Path, problems: Problems) -> Scene:
    """Return the scene as NavGen's released reader takes it: objects of a region without a room go
    to another region.

    A region line chooses the first region with a room whose label holds the number as a part (``1``
    fits ``Region 10``); where none does, the last choice stands. For comparing generated tasks
    only.
    """
    rooms = read_rooms(path.parent / VOTES, problems).get(path.stem, {})
    known = [key for key, room in rooms.items() if room]
    named = {key: _region(key, [], rooms) for key in known}
    things: dict[str, list[SceneObject]] = {key: [] for key in named}
    current = next(iter(named), None)
    for line in _lines(path):
        head = _REGION.match(line)
        if head is not None:
            current = next(
                (key for key, region in named.items() if head[1] in region.label), current
            )
        elif current is not None and (thing := _object(line)) is not None:
            things[current].append(thing)
    return Scene(
        path.stem,
        {key: replace(region, objects=tuple(things[key])) for key, region in named.items()},
    )
