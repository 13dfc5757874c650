"""NavGPT's observations of a house: summaries of views, and lists of objects.

Files of NavGPT (Zhou et al. 2023), one a scan: for each viewpoint eight scene sentences, one for
each absolute sector of 45 degrees (the first centred on +y); one summary that goes on from "Scene
from the viewpoint is a"; and for each sector the objects within 3 m with heading (degrees) and
distance (metres); ``navigable``: for each viewpoint its ways on, with heading (radians) and
distance. Beside them NavViz reads ``rooms/SCAN.json``: room outlines of its sample house, for
drawing only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_mapping, as_number
from navviz.support.guarded import count_entries, packed_or_not, read_json
from navviz.world.graph import Graph, Poi
from navviz.world.house import SECTORS, HouseObservations, NavigableWay, NearObject

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
        count_entries(path, len(raw))
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
