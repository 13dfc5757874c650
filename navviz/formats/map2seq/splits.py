"""Map2Seq v1.0 (Schumann and Riezler 2021): the OSM graph and the splits; our sample worlds are written like it.

Graph: ``nodes.txt`` id,lat,lng · ``links.txt`` id,heading,id · ``pois.txt`` id,lat,lng,{json tags} · ``poi_links.txt``
node,heading,lat,lng,poi, where lat/lng is the point of the POI's outline nearest to the node. Split: a JSON list of
``{route: {pano_path, osm_path, initial_heading}, instructions, instructions_id}``, heading in degrees clockwise.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_items, peek
from navviz.formats.map2seq.streets import cached_streets
from navviz.formats.texts import as_heading, as_ids, as_text
from navviz.guarded import head_text, is_folder, is_regular, is_there, read_json
from navviz.records import Episode
from navviz.world.graph import Graph

__all__ = ["Map2SeqGraph", "Map2SeqSplit", "data_set_name", "data_set_of", "graph_folder"]

_PANORAMA = re.compile(r"[\w-]{22}")
"""Id of a Street View panorama."""
_PLACES = (".", "graph", "osm/graph", "osm")
_GENERIC = frozenset({"graph", "osm", "splits", "data", "map", "graphs", ""})


def graph_folder(path: Path, columns: int) -> Path | None:
    """Return the folder at or under `path` whose ``nodes.txt`` has so many columns."""
    base = path.parent if is_regular(path) and path.name in {"nodes.txt", "links.txt"} else path
    if not is_folder(base):
        return None
    for place in _PLACES:
        nodes = base / place / "nodes.txt"
        if is_regular(nodes) and _columns(nodes) == columns:
            return nodes.parent
        if not is_there(nodes) and is_regular(base / place / "links.txt") and columns == 3:
            return base / place
    return None


def _columns(nodes: Path) -> int:
    first = peek(nodes).text.lstrip("\ufeff").partition("\n")[0]
    return first.count(",") + 1


def data_set_name(path: Path) -> str:
    """Name of the data set that a file or folder belongs to: the nearest folder with a name of its own."""
    folder = (path if is_folder(path) else path.parent).resolve()
    return next((part.name for part in (folder, *folder.parents) if part.name not in _GENERIC), "map")


def data_set_of(path: Path, panoramas: Json) -> str:
    """Name of the data set that a route belongs to: ``map2seq`` by its panoramas, else as its folder is called.

    Every route of Map2Seq names the Street View panoramas along it; who writes routes of their own in this format has
    none. So a split is known wherever it lies. A name that says Map2Seq already is kept: ratings are filed under it.
    """
    name = data_set_name(path)
    known = isinstance(panoramas, list) and bool(panoramas) and all(map(_is_panorama, panoramas))
    return "map2seq" if known and not name.lower().startswith("map2seq") else name


def _is_panorama(value: Json) -> bool:
    return isinstance(value, str) and _PANORAMA.fullmatch(value) is not None


OPENSTREETMAP = "© OpenStreetMap contributors"
"""Map2Seq's graph and POIs are OpenStreetMap's; its licence (ODbL) asks every map of them to say so."""


class Map2SeqGraph:
    """The OSM graph of Map2Seq."""

    name: ClassVar[str] = "Map2Seq graph"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether there is a ``nodes.txt`` of three columns (or its other files without it)."""
        return graph_folder(path, 3) is not None

    @classmethod
    def worlds(cls, path: Path) -> tuple[str, ...]:
        """Return the one graph."""
        return (data_set_name(path),)

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read the graph with its POIs; a graph without POI files is shown without POIs."""
        folder = graph_folder(path, 3)
        if folder is None:
            raise InputError("no Map2Seq graph here", "choose the folder with nodes.txt", file=path)
        require_files(folder, "nodes.txt", "links.txt")
        graph = cached_streets(folder, world or data_set_name(folder))
        backdrop = _backdrop(folder, graph.info.problems)
        info = replace(graph.info, source=str(folder), backdrop=backdrop, attribution=_attribution(folder))
        return replace(graph, info=info)


def _attribution(folder: Path) -> str:
    """Return whom a map must name: the folder's ``attribution.txt``, else the makers of Map2Seq's own data."""
    path = folder / "attribution.txt"
    text = head_text(path, 1000).strip()[:200]
    return text or OPENSTREETMAP


def _backdrop(folder: Path, problems: Problems) -> dict[str, Json] | None:
    """GeoJSON of what a map may draw behind the streets, where a world brings it (``backdrop.geojson``)."""
    path = folder / "backdrop.geojson"
    if not is_regular(path):
        return None
    try:
        geojson: dict[str, Json] = read_json(path, lenient=True)
        features = geojson["features"]
    except (InputError, KeyError, TypeError):
        problems.add(Problem("is no GeoJSON", "the map is drawn without a backdrop", path.name))
        return None
    if not isinstance(features, list):
        problems.add(Problem("is no list", "the map is drawn without a backdrop", path.name, field="features"))
        return None
    return geojson


def require_files(folder: Path, *names: str) -> None:
    """Raise `InputError` for the files that are not in `folder`."""
    missing = [name for name in names if not is_regular(folder / name)]
    if missing:
        raise InputError(
            f"the graph lacks {' and '.join(missing)}", f"put {' and '.join(names)} into one folder", file=folder
        )


class Map2SeqSplit:
    """A split of Map2Seq."""

    name: ClassVar[str] = "Map2Seq split"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether one of the first items has a ``route`` with an ``osm_path``."""
        return any(_is_item(value) for key, value in peek(path).items if key is None)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes."""
        problems, episodes = Problems(), dict[str, Episode]()
        for number, (_, value) in enumerate(json_items(path, problems), start=1):
            episode = _episode(value, path, number, problems)
            if episode is None:
                continue
            if episode.id in episodes:
                problems.add(
                    Problem("this id comes twice", "give it another; the first is used", path.name, episode.id)
                )
                continue
            episodes[episode.id] = episode
        if not episodes:
            first = f" ({str(problems.kept[0]).rstrip('.')})" if problems.kept else ""
            raise InputError(f"not one of its episodes can be read{first}", "check the file", file=path.name)
        return EpisodeSet(f"{data_set_name(path)} {path.stem}", cls.name, episodes, problems, path)


def _is_item(value: Json) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("route"), dict):
        return False
    return "osm_path" in value["route"] and "instructions_id" in value


def _episode(value: Json, path: Path, number: int, problems: Problems) -> Episode | None:
    if not _is_item(value):
        problems.add(
            Problem(
                f"item {number} has no route.osm_path or instructions_id",
                "write route, instructions, instructions_id; it is left out",
                path.name,
            )
        )
        return None
    key, route = str(value["instructions_id"]), value["route"]
    nodes = as_ids(route["osm_path"], Problem("", "it is left out", path.name, key, "route.osm_path"), problems)
    if not nodes:
        return None
    known = {"route", "instructions", "instructions_id"}
    return Episode(
        id=key,
        dataset=data_set_of(path, route.get("pano_path")),
        split=path.stem,
        instruction=as_text(value.get("instructions"), path.name, key, "instructions", problems),
        start=nodes[0],
        start_heading_deg=as_heading(route.get("initial_heading"), path.name, key, "initial_heading", problems),
        reference_path=nodes,
        goal=nodes[-1],
        extra={name: item for name, item in value.items() if name not in known},
    )
