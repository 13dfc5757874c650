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
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_mapping, as_number
from navviz.support.guarded import is_regular, read_json
from navviz.world.graph import Graph, Poi
from navviz.world.house import SECTORS, HouseObservations, NavigableWay, NearObject

_SAME_M = 0.6
"""Sightings of one name that lie closer than this are one object."""
_NUMBER = re.compile(r"_\d+$")


def read_observations(folder: Path, scan: str, problems: Problems) -> HouseObservations:
    """Read what a folder (or the one above) holds for a house; empty where there is nothing."""
    scenes = {}
    for node, raw in _read(folder, "scenes", scan, problems).items():
        scene = _scene(raw)
        if scene:
            scenes[node] = scene
    summaries = {}
    for node, raw in _read(folder, "summaries", scan, problems).items():
        if isinstance(raw, str):
            summaries[node] = raw.strip()
    objects = {}
    for node, raw in _read(folder, "objects", scan, problems).items():
        if isinstance(raw, list) and len(raw) == SECTORS:
            objects[node] = _objects(raw)
    ways = {}
    for node, raw in _read(folder, "ways", scan, problems).items():
        if isinstance(raw, dict):
            ways[node] = tuple(_ways(raw))
    return HouseObservations(scan, scenes, summaries, objects, ways)


_FILES = {
    "scenes": ("observations_list_summarized/{}.json",),
    "summaries": ("observations_summarized/{}_summarized.json", "observations_summarized/{}.json"),
    "objects": ("objects_list/{}.json",),
    "ways": ("navigable/{}_navigable.json",),
    "rooms": ("rooms/{}.json",),
}


def _read(folder: Path, name: str, scan: str, problems: Problems) -> dict[str, Json]:
    for place in (folder, folder.parent):
        for pattern in _FILES[name]:
            path = place / pattern.format(scan)
            if is_regular(path):
                return _object(path, problems)
    return {}


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


def _scene(raw: Json) -> tuple[str, ...]:
    if not isinstance(raw, list) or len(raw) != SECTORS:
        return ()
    return tuple(str(text) for text in raw)


def _objects(raw: list[Json]) -> tuple[tuple[NearObject, ...], ...]:
    sectors: list[tuple[NearObject, ...]] = []
    for sector in raw:
        near = _near(sector) if isinstance(sector, dict) else ()
        sectors.append(tuple(near))
    return tuple(sectors)


def _near(sector: Mapping[str, Json]) -> list[NearObject]:
    things = []
    for name, numbers in sector.items():
        values = as_mapping(numbers)
        heading, distance = as_number(values.get("heading")), as_number(values.get("distance"))
        if heading is not None and distance is not None:
            # the first sector reaches over north, where the files count below zero
            things.append(NearObject(str(name), heading % 360.0, distance))
    return things


def _ways(raw: Mapping[str, Json]) -> Iterator[NavigableWay]:
    for node, numbers in raw.items():
        values = as_mapping(numbers)
        heading_rad, distance_m = (
            as_number(values.get("heading")),
            as_number(values.get("distance")),
        )
        if heading_rad is not None and distance_m is not None:
            yield NavigableWay(node, math.degrees(heading_rad), distance_m)


def objects_of(graph: Graph, observations: HouseObservations) -> dict[str, Poi]:
    """Objects of a house with positions, put together from the sightings at all viewpoints.

    Sightings of one name within 0.6 m are one object; it stands at their mean, at half the camera's
    height.
    """
    sightings: dict[str, list[list[tuple[float, float, float]]]] = {}
    for node, sectors in observations.objects.items():
        if node not in graph:
            continue
        x, y, z = graph.position(node)
        for thing in chain.from_iterable(sectors):
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
    return _read(folder, "rooms", scan, problems)
