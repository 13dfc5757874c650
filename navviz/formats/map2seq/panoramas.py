"""The panorama variant of Map2Seq as VELMA (Schumann et al. 2024) and map2seq_vln ship it.

Graph: ``nodes.txt`` pano,yaw,lat,lng,split · ``links.txt`` pano,heading,pano. Episodes: JSON lines
of ``{id, instructions_id, route_panoids, navigation_text, start_heading}``, heading in degrees
clockwise.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_lines, peek
from navviz.formats.map2seq.folders import NodesFolder, by_id, data_set_name, data_set_of, read_ways
from navviz.formats.rows import floats
from navviz.formats.texts import as_heading, as_ids, as_text
from navviz.records import Episode
from navviz.world.graph import Graph


class PanoGraph(NodesFolder):
    """The Street View graph."""

    name: ClassVar[str] = "panorama graph"
    columns: ClassVar[tuple[str, ...]] = ("pano", "yaw", "lat", "lng", "split")

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read the graph; ``info`` holds ``yaw_deg`` and ``node_splits``, in node order."""
        folder = cls.folder(path)
        nodes, ways = read_ways(folder, world or data_set_name(folder), cls.columns, Problems())
        yaw_deg, splits = floats(nodes.columns[1]), nodes.columns[4].to_pylist()
        return replace(
            ways, info=replace(ways.info, source=str(folder), yaw_deg=yaw_deg, node_splits=splits)
        )


class PanoEpisodes:
    """Episodes on the Street View graph."""

    name: ClassVar[str] = "panorama episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line is an object with ``route_panoids``."""
        first = peek(path).first_line
        return isinstance(first, dict) and "route_panoids" in first

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes; their id is ``instructions_id``, their `path_id` is ``id``."""
        problems = Problems()
        lines = json_lines(path, problems)
        episodes = by_id(
            (_episode(value, path, number, problems) for number, value in lines), path, problems
        )
        if not episodes:
            raise InputError("not one of its lines is an episode", "check the file", file=path.name)
        return EpisodeSet(f"{data_set_name(path)} {path.stem}", cls.name, episodes, problems, path)


def _episode(value: Json, path: Path, number: int, problems: Problems) -> Episode | None:
    if (
        not isinstance(value, dict)
        or "route_panoids" not in value
        or not ("instructions_id" in value or "id" in value)
    ):
        what = "has no route_panoids or instructions_id"
        problems.skip(Problem(what, "it is left out", f"{path.name}:{number}"))
        return None
    key = str(value.get("instructions_id", value.get("id")))
    nodes = as_ids(
        value["route_panoids"],
        Problem("", "it is left out", path.name, key, "route_panoids"),
        problems,
    )
    if not nodes:
        return None
    own_fields = {"id", "instructions_id", "route_panoids", "navigation_text", "start_heading"}
    return Episode(
        id=key,
        dataset=data_set_of(path, value["route_panoids"] if "instructions_id" in value else None),
        split=path.stem,
        instruction=as_text(
            value.get("navigation_text"), path.name, key, "navigation_text", problems
        ),
        start=nodes[0],
        start_heading_deg=as_heading(
            value.get("start_heading"), path.name, key, "start_heading", problems
        ),
        reference_path=nodes,
        goal=nodes[-1],
        path_id=str(value["id"]) if "id" in value else None,
        extra={name: item for name, item in value.items() if name not in own_fields},
    )
