"""Map2Seq v1.0 (Schumann and Riezler 2021): the OSM graph and the splits.

Graph: ``nodes.txt`` id,lat,lng · ``links.txt`` id,heading,id · ``pois.txt`` id,lat,lng,{json tags}
· ``poi_links.txt`` node,heading,lat,lng,poi, where lat/lng is the point of the POI's outline
nearest to the node. Split: a JSON list, or JSON lines, of
``{route: {pano_path, osm_path, initial_heading}, instructions, instructions_id}``, heading in
degrees clockwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.map2seq.folders import NodesFolder, by_id, data_set_name, data_set_of
from navviz.formats.map2seq.streets import STREET_COLUMNS, cached_streets
from navviz.formats.texts import as_heading, as_ids, as_text, id_text
from navviz.records import Episode
from navviz.support.guarded import head_text, is_regular, read_json
from navviz.world.graph import Graph

OPENSTREETMAP = "© OpenStreetMap contributors"
"""Map2Seq's graph is OpenStreetMap's, whose licence (ODbL) asks every map to say so."""


class Map2SeqGraph(NodesFolder):
    """The OSM graph of Map2Seq."""

    name: ClassVar[str] = "Map2Seq graph"
    columns: ClassVar[tuple[str, ...]] = STREET_COLUMNS
    fewest_columns: ClassVar[int] = len(STREET_COLUMNS)

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read the graph with its POIs; a graph without POI files is shown without POIs."""
        folder = cls.folder(path)
        graph = cached_streets(folder, world or data_set_name(folder))
        backdrop = _backdrop(folder, graph.info.problems)
        if backdrop is not None and len(graph) and graph.positions[:, 1].max() > 180.0:
            backdrop = _run_on(backdrop)
        info = replace(
            graph.info, source=str(folder), backdrop=backdrop, attribution=_attribution(folder)
        )
        return replace(graph, info=info)


def _attribution(folder: Path) -> str:
    """Return whom a map must name: the folder's ``attribution.txt``, else Map2Seq's makers."""
    path = folder / "attribution.txt"
    text = head_text(path, 1000).strip()[:200]
    return text or OPENSTREETMAP


def _backdrop(folder: Path, problems: Problems) -> dict[str, Json] | None:
    """GeoJSON to draw behind the streets, where a world brings ``backdrop.geojson``."""
    path = folder / "backdrop.geojson"
    if not is_regular(path):
        return None
    try:
        geojson: dict[str, Json] = read_json(path, lenient=True)
        features = geojson["features"]
    except (InputError, KeyError, TypeError):
        problems.skip(Problem("is no GeoJSON", "the map is drawn without a backdrop", path.name))
        return None
    if not isinstance(features, list):
        problems.skip(
            Problem(
                "is no list", "the map is drawn without a backdrop", path.name, field="features"
            )
        )
        return None
    return geojson


def _run_on(value: Json) -> Json:
    """Return GeoJSON with western longitudes moved beyond 180, as those of the world's nodes."""
    if isinstance(value, dict):
        return {key: _run_on(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > 1 and all(isinstance(item, int | float) for item in value):
        return [value[0] + 360.0 if value[0] < 0 else value[0], *value[1:]]
    return [_run_on(item) for item in value]


class Map2SeqSplit:
    """A split of Map2Seq."""

    name: ClassVar[str] = "Map2Seq split"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether one of the first items, or lines, has a ``route`` with an ``osm_path``."""
        seen = peek(path)
        # its authors write a list; lines of the same items are read, too
        listed = [value for key, value in seen.items if key is None]
        return any(map(_is_item, [*listed, seen.first_line]))

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes."""
        problems = Problems()
        items = enumerate(_items(path, problems), start=1)
        episodes = by_id(
            (_episode(value, path, number, problems) for number, value in items), path, problems
        )
        if not episodes:
            raise InputError(
                f"not one of its episodes can be read{problems.because}",
                "check the file",
                file=path.name,
            )
        return EpisodeSet(f"{data_set_name(path)} {path.stem}", cls.name, episodes, problems, path)


def _items(path: Path, problems: Problems) -> Iterator[Json]:
    """Yield the items of a list, or of JSON lines."""
    if peek(path).opener == "{":
        yield from (value for _, value in json_lines(path, problems))
    else:
        yield from (value for _, value in json_items(path, problems))


def _is_item(value: Json) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("route"), dict):
        return False
    return "osm_path" in value["route"] and "instructions_id" in value


def _episode(value: Json, path: Path, number: int, problems: Problems) -> Episode | None:
    if not _is_item(value):
        problems.skip(
            Problem(
                f"item {number} has no route.osm_path or instructions_id",
                "write route, instructions, instructions_id; it is left out",
                path.name,
            )
        )
        return None
    key, route = id_text(value["instructions_id"]), value["route"]
    # numbers or texts: as texts they are one
    nodes = as_ids(
        route["osm_path"], Problem("", "it is left out", path.name, key, "route.osm_path"), problems
    )
    if not nodes:
        return None
    own_fields = {"route", "instructions", "instructions_id"}
    return Episode(
        id=key,
        dataset=data_set_of(path, route.get("pano_path")),
        split=path.stem,
        instruction=as_text(value.get("instructions"), path.name, key, "instructions", problems),
        start=nodes[0],
        start_heading_deg=as_heading(
            route.get("initial_heading"), path.name, key, "initial_heading", problems
        ),
        reference_path=nodes,
        goal=nodes[-1],
        extra={name: item for name, item in value.items() if name not in own_fields},
    )
