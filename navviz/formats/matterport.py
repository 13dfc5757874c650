"""Matterport3D connectivity graphs: ``SCAN_connectivity.json``, one house a file.

Format of the Matterport3D simulator (Anderson et al. 2018,
https://github.com/peteanderson80/Matterport3DSimulator, ``connectivity/README.md``): a list of
viewpoints with ``image_id``, ``pose`` (4x4, row by row, metres, z up), ``included``,
``unobstructed`` (one flag a viewpoint) and ``height`` of the camera above the floor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from navviz.errors import InputError, NotFoundError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.floor_pictures import find_floor_pictures
from navviz.formats.houses import (
    drawing_of,
    house_file_of,
    objects_of,
    read_house,
    read_objects,
    read_observations,
    read_rooms,
)
from navviz.formats.texts import as_number
from navviz.support.guarded import files_like, is_folder, is_regular, read_text
from navviz.world.floors import find_floors
from navviz.world.graph import Graph
from navviz.world.info import WorldInfo

SUFFIX = "_connectivity.json"


class _Viewpoint(BaseModel):
    model_config = ConfigDict(extra="ignore")

    image_id: str
    pose: tuple[float, ...]
    included: bool
    unobstructed: list[bool]
    height: float | None = None


_FILE: TypeAdapter[list[_Viewpoint]] = TypeAdapter(list[_Viewpoint])


class MatterportGraphs:
    """Reads connectivity graphs: one file, or a folder with one file a house."""

    name: ClassVar[str] = "Matterport3D"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a connectivity file or a folder of them."""
        return bool(_scans(path))

    @classmethod
    def worlds(cls, path: Path) -> tuple[str, ...]:
        """Return the scans, sorted."""
        return tuple(_scans(path))

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read one house (by default the first), with NavGPT's texts and REVERIE's objects."""
        scans = _scans(path)
        scan = world or next(iter(scans), "")
        if scan not in scans:
            problem = scan_not_found(scan)
            raise NotFoundError(problem.what, problem.do, file=path.name, field=problem.field)
        problems = Problems()
        graph = read_scan(scans[scan], problems)
        folder = scans[scan].parent
        observations = read_observations(folder, graph.name, problems)
        drawing = read_rooms(folder, graph.name, problems)
        info = replace(
            graph.info,
            problems=problems,
            observations=observations,
            visible_objects=read_objects(folder, graph.name, problems) or None,
            rooms=drawing or None,
            floor_names=_floor_names(drawing, graph.name, problems),
            floor_pictures=find_floor_pictures((folder, folder.parent), graph.name, problems),
        )
        whole = replace(graph, pois=objects_of(graph, observations), info=info)
        return _with_house_file(whole, folder, problems)


def _with_house_file(graph: Graph, folder: Path, problems: Problems) -> Graph:
    """Take rooms, names and walls of ``SCAN.house`` where nobody drew the rooms."""
    path = house_file_of(folder, graph.name)
    if path is None or (graph.info.rooms or {}).get("rooms"):
        return graph
    try:
        regions = read_house(path, problems)
    except InputError as error:
        problems.skip(error.problem)
        return graph
    rooms = drawing_of(regions, find_floors(graph).levels_m)
    if not rooms:
        return graph
    drawing = dict(graph.info.rooms or {}) | {"rooms": rooms}
    return replace(graph, info=replace(graph.info, rooms=drawing))


def _floor_names(drawing: Mapping[str, Json], scan: str, problems: Problems) -> tuple[str, ...]:
    floors = drawing.get("floors", [])
    if isinstance(floors, list) and all(
        isinstance(floor, dict)
        and isinstance(floor.get("name"), str)
        and as_number(floor.get("height_m", 0)) is not None
        for floor in floors
    ):
        return tuple(str(floor["name"]) for floor in floors)
    do = "write a list of {name, height_m}; the floors are numbered"
    problems.add(
        Problem("is no list of floors with names", do, f"rooms/{scan}.json", field="floors")
    )
    return ()


def _scans(path: Path) -> dict[str, Path]:
    if is_folder(path):
        return find_scans(path)
    named = _scan_of(path) != "" and is_regular(path)
    return {_scan_of(path): path} if named else {}


def _scan_of(path: Path) -> str:
    """Return the house that a file's name tells, packed or not; empty for other names."""
    name = path.name.removesuffix(".gz").removesuffix(".bz2")
    return name.removesuffix(SUFFIX) if name.endswith(SUFFIX) else ""


def find_scans(folder: Path) -> dict[str, Path]:
    """All connectivity files of a folder (or of its ``connectivity`` folder), by scan, sorted."""
    # the simulator keeps them in a folder of that name, others unpack them anywhere
    for place in (folder, folder / "connectivity"):
        scans = {_scan_of(path): path for path in files_like(place, "*" + SUFFIX)}
        if scans:
            return scans
    return {}


def scan_not_found(
    scan: str, *, file: str = "", episode: str = "", episodes: int | None = None
) -> Problem:
    """Return what to tell a user whose episode names a house that is not there."""
    count = "" if episodes is None else f" ({episodes} episodes are in it)"
    return Problem(
        f"scan {scan} not found{count}",
        f"put {scan}{SUFFIX} into the connectivity folder",
        file,
        episode,
        "scan",
    )


def read_scan(path: Path, problems: Problems | None = None) -> Graph:
    """Read one house as a graph in metres.

    Nodes are the included viewpoints, in file order; links the unobstructed ones between them. Its
    `info` holds ``camera_height_m`` and ``excluded``, the viewpoints that the simulator leaves out.
    Raises `InputError` when the file cannot be read, is no connectivity file or has no included
    viewpoint.
    """
    try:
        viewpoints = _FILE.validate_json(read_text(path))
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        raise InputError(
            f"is no Matterport3D connectivity file ({fault['msg'].lower()})",
            "open a SCAN_connectivity.json of the Matterport3D simulator",
            file=path.name,
            field=name,
        ) from error
    _check(viewpoints, path.name)
    # flags are by place in the file, so that excluded viewpoints count in their columns
    included = [k for k, viewpoint in enumerate(viewpoints) if viewpoint.included]
    if not included:
        raise InputError("has no included viewpoint", "open another scan", file=path.name)
    kept = [viewpoints[k] for k in included]
    sources, targets = _links(viewpoints, included, path.name, problems)
    scan = _scan_of(path) or path.name
    low = [viewpoint.image_id for viewpoint in kept if viewpoint.height is None]
    if problems is not None and 0 < len(low) < len(kept):
        what, do = (
            f"viewpoint {low[0]} has no height",
            "its camera's is unknown; get the file again",
        )
        problems.add(Problem(what, do, path.name, field="height"))
    return Graph(
        name=scan,
        frame="metric",
        ids=[viewpoint.image_id for viewpoint in kept],
        positions=np.array([_position(viewpoint) for viewpoint in kept]),
        sources=sources,
        targets=targets,
        info=WorldInfo(
            source=str(path),
            camera_height_m={v.image_id: v.height for v in kept if v.height is not None},
            rotations={v.image_id: _rotation(v) for v in kept},
            excluded={v.image_id: _position(v) for v in viewpoints if not v.included},
        ),
    )


def _check(viewpoints: list[_Viewpoint], file: str) -> None:
    seen: set[str] = set()
    for viewpoint in viewpoints:
        fault = None
        if len(viewpoint.pose) != 16 or not np.isfinite(viewpoint.pose).all():
            fault = ("pose", f"viewpoint {viewpoint.image_id} has no pose of 16 numbers")
        elif len(viewpoint.unobstructed) != len(viewpoints):
            count = len(viewpoint.unobstructed)
            fault = (
                "unobstructed",
                (
                    f"viewpoint {viewpoint.image_id} has {count} flags for {len(viewpoints)}"
                    " viewpoints"
                ),
            )
        elif viewpoint.image_id in seen:
            fault = ("image_id", f"viewpoint {viewpoint.image_id} is there twice")
        if fault:
            raise InputError(fault[1], "get the file again", file=file, field=fault[0])
        seen.add(viewpoint.image_id)


def _position(viewpoint: _Viewpoint) -> tuple[float, float, float]:
    # a 4x4 matrix row by row: its last column is the camera's place
    return viewpoint.pose[3], viewpoint.pose[7], viewpoint.pose[11]


def _rotation(viewpoint: _Viewpoint) -> tuple[float, ...]:
    pose = viewpoint.pose
    return (*pose[0:3], *pose[4:7], *pose[8:11])


def _links(
    viewpoints: list[_Viewpoint], included: list[int], file: str, problems: Problems | None
) -> tuple[Any, Any]:
    flags = np.empty((len(included), len(included)), dtype=bool)
    for row, i in enumerate(included):
        flags[row] = [viewpoints[i].unobstructed[j] for j in included]
    np.fill_diagonal(flags, val=False)
    # the simulator asks each viewpoint alone: the way back may be obstructed
    one_way = int((flags & ~flags.T).sum())
    if one_way and problems is not None:
        what = f"{one_way} links lead one way only"
        problems.add(Problem(what, "they are kept as they are", file, field="unobstructed"))
    sources, targets = np.nonzero(flags)
    return sources.astype(np.int32), targets.astype(np.int32)


def where_is(graph: Graph, node: str) -> str | None:
    """Why a viewpoint is not in the graph, in words for a user; ``None`` where it is there."""
    if node in graph:
        return None
    if node in graph.info.excluded:
        return f"viewpoint {node} is excluded from scan {graph.name}: the simulator leaves it out"
    return f"viewpoint {node} is not in scan {graph.name}"
