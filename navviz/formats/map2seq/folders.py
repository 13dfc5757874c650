"""What both variants of Map2Seq's graph share: a folder with ``nodes.txt`` and ``links.txt``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.columns import Nodes, read_links, read_nodes
from navviz.formats.files import Json, peek
from navviz.records import Episode
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
    if isinstance(panoramas, list) and bool(panoramas) and all(map(_is_panorama, panoramas)):
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
