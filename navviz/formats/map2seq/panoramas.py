"""Graphs of Street View panoramas: Touchdown's, and Map2Seq's as VELMA and map2seq_vln ship it.

Graph: ``nodes.txt`` pano,yaw,lat,lng and perhaps the split · ``links.txt`` pano,heading,pano.
Episodes: JSON lines of ``{id, instructions_id, route_panoids, navigation_text, start_heading}``,
heading in degrees clockwise. Touchdown (Chen et al. 2019) and manh50 (Zhu et al. 2021) name an
episode by ``route_id``; manh50 has ``start_pano`` and ``end_pano`` and no heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.columns import Nodes, floats, read_links, read_nodes
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.texts import (
    as_heading,
    as_ids,
    as_list,
    as_mapping,
    as_text,
    id_text,
    say_unlike,
)
from navviz.records import Episode
from navviz.records.base import plural
from navviz.support.guarded import is_folder, is_regular, is_there
from navviz.world.graph import Graph
from navviz.world.info import WorldInfo

_PANORAMA = re.compile(r"[\w-]{22}")
"""Id of a Street View panorama."""

_PLACES = (".", "graph", "osm/graph", "osm")

_GENERIC = frozenset({"graph", "osm", "splits", "data", "map", "graphs", ""})


class NodesFolder:
    """Base of both readers; the columns of ``nodes.txt`` say which of them a folder is for."""

    name: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    """Of ``nodes.txt``."""
    fewest_columns: ClassVar[int]
    """Columns that each row has; the others may be missing."""

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether ``nodes.txt`` has so many columns; without it, Map2Seq's other files count."""
        return _graph_folder(path, cls._counts()) is not None

    @classmethod
    def worlds(cls, path: Path) -> tuple[str, ...]:
        """Return the one graph."""
        return (data_set_name(path),)

    @classmethod
    def folder(cls, path: Path) -> Path:
        """Return the folder that holds nodes and links; raises `InputError` where there is none."""
        folder = _graph_folder(path, cls._counts())
        if folder is None:
            raise InputError(f"no {cls.name} here", "choose the folder with nodes.txt", file=path)
        _require(folder, "nodes.txt", "links.txt")
        return folder

    @classmethod
    def _counts(cls) -> range:
        return range(cls.fewest_columns, len(cls.columns) + 1)


def read_ways(
    folder: Path, name: str, columns: Sequence[str], problems: Problems
) -> tuple[Nodes, Graph]:
    """Read nodes and links into a graph; `columns` are those of ``nodes.txt``."""
    nodes = read_nodes(folder / "nodes.txt", columns, columns.index("lat"), problems)
    links = read_links(folder / "links.txt", nodes, problems)
    return nodes, Graph(
        name=name,
        frame="geo",
        ids=nodes.ids,
        positions=nodes.positions,
        sources=links.sources,
        targets=links.targets,
        headings_deg=links.headings_deg,
        info=WorldInfo(problems=problems),
    )


def by_id(read: Iterable[Episode | None], path: Path, problems: Problems) -> dict[str, Episode]:
    """Key the episodes of a file by id; of several with one id the first stays, with a report."""
    episodes: dict[str, Episode] = {}
    for episode in read:
        if episode is not None and episode.id in episodes:
            problems.skip(
                Problem(
                    "this id comes twice",
                    "give it another; the first is used",
                    path.name,
                    episode.id,
                )
            )
        elif episode is not None:
            episodes[episode.id] = episode
    return episodes


def _graph_folder(path: Path, counts: range) -> Path | None:
    """Return the folder at or under `path` whose ``nodes.txt`` has one of these column counts."""
    base = path.parent if is_regular(path) and path.name in {"nodes.txt", "links.txt"} else path
    if not is_folder(base):
        return None
    for place in _PLACES:
        nodes = base / place / "nodes.txt"
        if is_regular(nodes) and count_columns(nodes) in counts:
            return nodes.parent
        # only the reader of streets has three columns: it alone says that nodes.txt is missing
        if not is_there(nodes) and is_regular(base / place / "links.txt") and 3 in counts:
            return base / place
    return None


def count_columns(nodes: Path) -> int:
    """Count the columns of the first row of a file of nodes."""
    first = peek(nodes).text.lstrip("\ufeff").partition("\n")[0]
    return first.count(",") + 1


def data_set_name(path: Path) -> str:
    """Name of the data set of a path: the nearest folder with a name of its own."""
    # resolved, as `.` has neither a name nor parents
    folder = (path if is_folder(path) else path.parent).resolve()
    return next(
        (part.name for part in (folder, *folder.parents) if part.name not in _GENERIC), "map"
    )


def data_set_of(path: Path, panoramas: Json) -> str:
    """Name of a route's data set: ``map2seq`` by its panoramas, else its folder's name.

    Every route of Map2Seq names the Street View panoramas along it; who writes routes of their own
    in this format has none. So a split is known wherever it lies, and routes are not taken for
    Map2Seq's because of where they lie. Of those that are Map2Seq's, a name that says so already is
    kept: ratings are filed under it.
    """
    name = data_set_name(path)
    called_so = name.lower().startswith("map2seq")
    # one that is misspelt makes no route of somebody else
    if 2 * sum(map(_is_panorama, as_list(panoramas))) > len(as_list(panoramas)):
        return name if called_so else "map2seq"
    return f"own routes of {name}" if called_so else name


def _is_panorama(value: Json) -> bool:
    return isinstance(value, str) and _PANORAMA.fullmatch(value) is not None


def _require(folder: Path, *names: str) -> None:
    """Raise `InputError` for the files that are not in `folder`."""
    missing = [name for name in names if not is_regular(folder / name)]
    if missing:
        raise InputError(
            f"the graph lacks {' and '.join(missing)}",
            f"put {' and '.join(names)} into one folder",
            file=folder,
        )


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
        problems = Problems()
        nodes, ways = read_ways(folder, world or data_set_name(folder), columns, problems)
        yaw_deg = floats(nodes.columns[1])
        if lost := int(np.isnan(yaw_deg).sum()):
            what = f"{plural(lost, 'panorama')} without a yaw in degrees"
            do = "it is shown as missing; get the file again"
            problems.add(Problem(what, do, "nodes.txt", field="yaw"))
        splits = nodes.columns[4].to_pylist() if "split" in columns else ()
        return replace(
            ways, info=replace(ways.info, source=str(folder), yaw_deg=yaw_deg, node_splits=splits)
        )


class PanoEpisodes:
    """Episodes on the Street View graph."""

    name: ClassVar[str] = "panorama episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line, or a list's first item, is an object with ``route_panoids``."""
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
    fields = as_mapping(value)
    id_field = next((name for name in _ID_FIELDS if name in fields), None)
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
    say_unlike(value, {"id": ", ".join(_ID_FIELDS)}, Problem("", "", path.name, key), problems)
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


def _data_set(value: Mapping[str, Json], path: Path) -> str:
    """Name the data set of a route by the fields that only it has, else by panoramas or folder."""
    for field, data_set in _MARKS.items():
        if field in value:
            return data_set
    return data_set_of(path, value["route_panoids"] if "instructions_id" in value else None)
