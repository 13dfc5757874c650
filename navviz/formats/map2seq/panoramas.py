"""Graphs of Street View panoramas: Touchdown's, and Map2Seq's as VELMA and map2seq_vln ship it.

Graph: ``nodes.txt`` pano,yaw,lat,lng and perhaps the split · ``links.txt`` pano,heading,pano.
Episodes: JSON lines of ``{id, instructions_id, route_panoids, navigation_text, start_heading}``,
heading in degrees clockwise. Touchdown (Chen et al. 2019) and manh50 (Zhu et al. 2021) name an
episode by ``route_id``; manh50 has ``start_pano`` and ``end_pano`` and no heading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.map2seq.folders import (
    NodesFolder,
    by_id,
    count_columns,
    data_set_name,
    data_set_of,
    read_ways,
)
from navviz.formats.rows import floats
from navviz.formats.texts import as_heading, as_ids, as_mapping, as_text, id_text
from navviz.records import Episode
from navviz.world.graph import Graph

_ID_FIELDS = ("instructions_id", "route_id", "id")
_OWN_FIELDS = frozenset({*_ID_FIELDS, "route_panoids", "navigation_text", "start_heading"})
_MARKS = {"td_location_text": "touchdown", "end_pano": "manh50"}
"""Fields that only one data set has."""


class PanoGraph(NodesFolder):
    """The Street View graph."""

    name: ClassVar[str] = "panorama graph"
    columns: ClassVar[tuple[str, ...]] = ("pano", "yaw", "lat", "lng", "split")
    fewest_columns: ClassVar[int] = 4

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read the graph; ``info`` holds ``yaw_deg`` and ``node_splits``, in node order.

        Touchdown's has no splits.
        """
        folder = cls.folder(path)
        # Touchdown leaves the split out
        columns = cls.columns[: count_columns(folder / "nodes.txt")]
        nodes, ways = read_ways(folder, world or data_set_name(folder), columns, Problems())
        yaw_deg = floats(nodes.columns[1])
        splits = nodes.columns[4].to_pylist() if "split" in columns else ()
        return replace(
            ways, info=replace(ways.info, source=str(folder), yaw_deg=yaw_deg, node_splits=splits)
        )


class PanoEpisodes:
    """Episodes on the Street View graph."""

    name: ClassVar[str] = "panorama episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line, or the first item of a list, is an object with
        ``route_panoids``.
        """
        seen = peek(path)
        listed = next((value for key, value in seen.items if key is None), None)
        return any(
            isinstance(each, dict) and "route_panoids" in each for each in (seen.first_line, listed)
        )

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes.

        Their id is ``instructions_id``, else ``route_id``, else ``id``; with ``instructions_id``
        their `path_id` is ``id``.
        """
        problems = Problems()
        # they are published as lines; whoever filters them with Python may write one list
        lines = json_lines(path, problems)
        if peek(path).opener == "[":
            items = (value for _, value in json_items(path, problems))
            lines = enumerate(items, start=1)
        episodes = by_id(
            (_episode(value, path, number, problems) for number, value in lines), path, problems
        )
        if not episodes:
            raise InputError("not one of its lines is an episode", "check the file", file=path.name)
        return EpisodeSet(f"{data_set_name(path)} {path.stem}", cls.name, episodes, problems, path)


def _episode(value: Json, path: Path, number: int, problems: Problems) -> Episode | None:
    id_field = _id_field(value)
    if id_field is None or "route_panoids" not in value:
        what = "has no route_panoids or instructions_id"
        problems.skip(Problem(what, "it is left out", f"{path.name}:{number}"))
        return None
    key = id_text(value[id_field])
    nodes = as_ids(
        value["route_panoids"],
        Problem("", "it is left out", path.name, key, "route_panoids"),
        problems,
    )
    if not nodes:
        return None
    heading_deg = None
    # manh50 gives no heading, on any line: nothing is wrong with it
    if "start_heading" in value or "start_pano" not in value:
        heading_deg = as_heading(
            value.get("start_heading"), path.name, key, "start_heading", problems
        )
    return Episode(
        id=key,
        dataset=_data_set(value, path),
        split=path.stem,
        instruction=as_text(
            value.get("navigation_text"), path.name, key, "navigation_text", problems
        ),
        start=nodes[0],
        start_heading_deg=heading_deg,
        reference_path=nodes,
        goal=nodes[-1],
        path_id=id_text(value["id"]) if "id" in value else None,
        extra={name: item for name, item in value.items() if name not in _OWN_FIELDS},
    )


def _id_field(value: Json) -> str | None:
    fields = as_mapping(value)
    return next((name for name in _ID_FIELDS if name in fields), None)


def _data_set(value: Mapping[str, Json], path: Path) -> str:
    """Name the data set of a route by the fields that only it has, else by panoramas or folder."""
    for field, data_set in _MARKS.items():
        if field in value:
            return data_set
    return data_set_of(path, value["route_panoids"] if "instructions_id" in value else None)
