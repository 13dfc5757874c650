"""OpenStreetMap as an outdoor world: ``.osm``, ``.osm.bz2``, ``.osm.gz``, osmnx's GraphML, or a place by name (online).

The walkable network (osmnx's filter for walking), each street between two junctions split evenly about every 10 m as in
Map2Seq (Schumann and Riezler 2021), and the POIs of its tags, each linked to the street nodes within 33 m of its
outline, which is how far Map2Seq's links reach. Positions are (lat, lon) in degrees; all links lead both ways.
"""

from __future__ import annotations

import bz2
import gzip
import json
import math
import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from navviz.errors import InputError, Problem, Problems
from navviz.geometry import great_circle_m
from navviz.graph import Graph, Poi

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["ATTRIBUTION", "SPACING_M", "OsmGraph", "open_place", "write_world"]

ATTRIBUTION = "© OpenStreetMap contributors"
SPACING_M = 10.0
"""Distance between two street nodes, as Map2Seq has it."""
REACH_M = 33.0
"""A POI is linked to street nodes this near to its outline (the farthest link of Map2Seq: 33.3 m)."""

_NAMES = (".osm", ".osm.bz2", ".osm.gz", ".graphml")
_NO_STREET = re.compile(
    "abandoned|bus_guideway|construction|cycleway|motor|no|planned|platform|proposed|raceway|razed|rest_area|services"
)
"""osmnx's filter for walking (Boeing 2017, doi:10.1016/j.compenvurbsys.2017.05.004)."""
_POI_KEYS = (
    "amenity", "shop", "tourism", "leisure", "historic", "railway", "highway", "public_transport", "office", "craft",
    "healthcare", "place_of_worship",
)  # fmt: skip
_POI_HIGHWAY = frozenset({"traffic_signals", "bus_stop", "stop", "crossing"})
_POI_RAILWAY = frozenset({"station", "subway_entrance", "tram_stop", "halt"})
_DULL = frozenset({"waste_basket", "parking_space", "bench", "picnic_table"})
_KEPT_TAGS = ("name", *_POI_KEYS, "cuisine", "sport", "landuse", "building", "brand")
_OUTLINE_M = 5.0

Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Place:
    """A POI before it is linked: its tags and its outline (one point for a node)."""

    id: str
    tags: Mapping[str, str]
    outline: NDArray[np.float64]


@dataclass(slots=True)
class _Map:
    """What a source gives: positions of junction candidates, walkable ways, POIs."""

    positions: dict[str, Position] = field(default_factory=dict)
    ways: list[list[str]] = field(default_factory=list)
    places: list[_Place] = field(default_factory=list)


class OsmGraph:
    """Reads an OpenStreetMap extract or a GraphML file of osmnx."""

    name: ClassVar[str] = "OpenStreetMap"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the name ends like an extract's."""
        return path.is_file() and path.name.endswith(_NAMES)

    @classmethod
    def worlds(cls, path: Path) -> tuple[str, ...]:
        """The one map."""
        return (_world_name(path),)

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read the map; raises `InputError` where it is broken, empty or has no street that one can walk."""
        problems = Problems()
        found = _from_graphml(path) if path.name.endswith(".graphml") else _from_xml(path, problems)
        return _graph(found, world or _world_name(path), path.name, problems)


def _world_name(path: Path) -> str:
    name = path.name
    for ending in _NAMES:
        name = name.removesuffix(ending)
    return name


# --- sources


def _from_xml(path: Path, problems: Problems) -> _Map:
    nodes: dict[str, Position] = {}
    tagged: list[tuple[str, dict[str, str]]] = []
    ways: list[tuple[str, list[str], dict[str, str]]] = []
    try:
        with _open(path) as file:
            for element in _elements(file):
                key = element.get("id", "")
                tags = {tag.get("k", ""): tag.get("v", "") for tag in element.iterfind("tag")}
                if element.tag == "node":
                    place = (float(element.get("lat", "nan")), float(element.get("lon", "nan")))
                    if not all(map(math.isfinite, place)):
                        continue
                    nodes[key] = place
                    if tags:
                        tagged.append((key, tags))
                else:
                    ways.append((key, [ref.get("ref", "") for ref in element.iterfind("nd")], tags))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot be read ({error})", "get the extract again", file=path.name) from error
    except (ET.ParseError, ValueError) as error:
        raise InputError(f"is broken OSM XML ({error})", "get the extract again", file=path.name) from error
    if not nodes:
        raise InputError("holds no OpenStreetMap node", "get the extract again", file=path.name)
    return _selected(nodes, tagged, ways, path.name, problems)


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".bz2":
        return bz2.open(path)
    if path.suffix == ".gz":
        return gzip.open(path)  # type: ignore[return-value]
    return path.open("rb")


def _elements(file: IO[bytes]) -> Iterable[ET.Element]:
    """Nodes and ways one at a time; what was read is forgotten."""
    root: ET.Element | None = None
    for event, element in ET.iterparse(file, events=("start", "end")):  # noqa: S314 - expat refuses entity bombs
        if root is None:
            root = element
            if element.tag != "osm":
                raise ValueError(f"its first element is {element.tag}, not osm")
        if event == "end" and element.tag in {"node", "way"}:
            yield element
            root.clear()


def _selected(
    nodes: Mapping[str, Position],
    tagged: Sequence[tuple[str, dict[str, str]]],
    ways: Sequence[tuple[str, list[str], dict[str, str]]],
    file: str,
    problems: Problems,
) -> _Map:
    found = _Map()
    outside = 0
    for key, refs, tags in ways:
        known = [ref for ref in refs if ref in nodes]
        walkable = _is_walkable(tags)
        outside += walkable and len(known) < len(refs)
        if walkable and len(known) > 1:
            found.ways.append(known)
            found.positions.update((ref, nodes[ref]) for ref in known)
        elif _is_poi(tags) and len(known) > 2:
            found.places.append(_Place(f"w{key}", _kept(tags), np.array([nodes[ref] for ref in known])))
    for key, tags in tagged:
        if _is_poi(tags):
            found.places.append(_Place(f"n{key}", _kept(tags), np.array([nodes[key]])))
    if outside:
        what = f"{outside} streets lead out of the extract"
        problems.add(Problem(what, "they end at its edge", file))
    return found


def _is_walkable(tags: Mapping[str, str]) -> bool:
    highway = tags.get("highway")
    if highway is None or _NO_STREET.search(highway) or tags.get("area") == "yes":
        return False
    if tags.get("foot") == "no" or tags.get("access") == "private" or tags.get("service") == "private":
        return False
    return not any(
        tags.get(key) == "separate" for key in ("sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right")
    )


def _is_poi(tags: Mapping[str, str]) -> bool:
    if tags.get("amenity") in _DULL or tags.get("leisure") in _DULL:
        return False
    if "highway" in tags:
        return tags["highway"] in _POI_HIGHWAY
    if "railway" in tags and tags["railway"] not in _POI_RAILWAY:
        return False
    return any(key in tags for key in _POI_KEYS) or ("building" in tags and "name" in tags)


def _kept(tags: Mapping[str, str]) -> dict[str, str]:
    return {key: tags[key] for key in _KEPT_TAGS if key in tags}


def _from_graphml(path: Path) -> _Map:
    import osmnx

    try:
        graph = osmnx.load_graphml(path)
    except (OSError, ValueError, KeyError, ET.ParseError, TypeError, AttributeError) as error:
        raise InputError(
            f"is no GraphML file of osmnx ({error})", "save it with save_graphml", file=path.name
        ) from error
    return _from_networkx(graph)


def _from_networkx(graph: nx.MultiDiGraph) -> _Map:
    """Edges of osmnx, with the bends of simplified ones; each street once."""
    found = _Map({str(node): (float(data["y"]), float(data["x"])) for node, data in graph.nodes(data=True)})
    seen: set[tuple[str, ...]] = set()
    for a, b, number, data in graph.edges(keys=True, data=True):
        way = [str(a), *_bends(found, data.get("geometry"), f"{a}_{b}_{number}"), str(b)]
        shape = tuple(f"{found.positions[node][0]:.7f},{found.positions[node][1]:.7f}" for node in way)
        if shape not in seen and len(way) > 1:
            seen.update((shape, shape[::-1]))
            found.ways.append(way)
    return found


def _bends(found: _Map, line: Any, name: str) -> list[str]:  # noqa: ANN401 - a shapely line
    """Inner points of a simplified edge, as nodes of their own."""
    if line is None:
        return []
    inner = [(float(y), float(x)) for x, y in list(line.coords)[1:-1]]
    names = [f"{name}_{k}" for k in range(len(inner))]
    found.positions.update(zip(names, inner, strict=True))
    return names


def open_place(query: str | tuple[float, float, float, float]) -> Graph:
    """Download a place by its name, or a box ``(west, south, east, north)`` in degrees, through osmnx and its cache.

    Raises `InputError` where the place is not known or the servers of OpenStreetMap cannot be reached.
    """
    import osmnx

    tags: dict[str, bool | str | list[str]] = dict.fromkeys(_POI_KEYS, True)
    name = query if isinstance(query, str) else ",".join(f"{edge:g}" for edge in query)
    try:
        if isinstance(query, str):
            streets = osmnx.graph_from_place(query, network_type="walk", simplify=False, retain_all=True)
            features = osmnx.features_from_place(query, tags)
        else:
            streets = osmnx.graph_from_bbox(query, network_type="walk", simplify=False, retain_all=True)
            features = osmnx.features_from_bbox(query, tags)
    except Exception as error:  # osmnx, requests and geopandas have errors of their own
        what = f"could not be downloaded ({type(error).__name__}: {error})"
        raise InputError(what, "check the spelling and the network, or open an extract", file=name) from error
    found = _from_networkx(streets)
    found.places = list(_places(features))
    return _graph(found, name, name, Problems())


def _places(features: Any) -> Iterable[_Place]:  # noqa: ANN401 - a GeoDataFrame
    for (kind, key), row in features.iterrows():
        shape = row["geometry"]
        tags = {str(k): str(v) for k, v in row.items() if k != "geometry" and isinstance(v, str)}
        if not _is_poi(tags) or shape is None or shape.is_empty:
            continue
        line = (
            getattr(shape, "exterior", shape)
            if shape.geom_type in {"Polygon", "Point", "LineString"}
            else shape.envelope.exterior
        )
        outline = np.array([(y, x) for x, y in line.coords])
        yield _Place(f"{str(kind)[0]}{key}", _kept(tags), outline)


# --- the graph


def _graph(found: _Map, name: str, file: str, problems: Problems) -> Graph:
    if not found.ways:
        raise InputError("has no street that one can walk", "choose a larger extract", file=file)
    ids, positions, pairs = _split(found)
    both = np.concatenate([pairs, pairs[:, ::-1]]).astype(np.int32)
    pois = {place.id: Poi(place.id, _middle(place.outline), place.tags) for place in found.places}
    links = _poi_links(positions, found.places)
    return Graph(
        name=name,
        frame="geo",
        ids=ids,
        positions=positions,
        sources=both[:, 0],
        targets=both[:, 1],
        headings_deg=_bearings(positions[both[:, 0]], positions[both[:, 1]]),
        pois=pois,
        poi_link_nodes=links[0],
        poi_link_pois=links[1],
        poi_link_positions=links[2],
        poi_link_headings_deg=_bearings(positions[links[0]], links[2]),
        attributes={"problems": problems, "source": file, "attribution": ATTRIBUTION},
    )


def _middle(outline: NDArray[np.float64]) -> Position:
    corners = outline[:-1] if len(outline) > 2 and (outline[0] == outline[-1]).all() else outline
    lat, lon = corners.mean(axis=0)
    return float(lat), float(lon)


def _split(found: _Map) -> tuple[list[str], NDArray[np.float64], NDArray[np.int64]]:
    """Streets between junctions, split evenly about every 10 m: ids, positions and undirected links."""
    ids: dict[str, int] = {}
    positions: list[Position] = []
    pairs: set[tuple[int, int]] = set()

    def node(name: str, place: Position) -> int:
        if name not in ids:
            ids[name] = len(ids)
            positions.append(place)
        return ids[name]

    for chain in _chains(found.ways):
        line = np.array([found.positions[name] for name in chain])
        ends = node(chain[0], found.positions[chain[0]]), node(chain[-1], found.positions[chain[-1]])
        inner = _even(line)
        stem = f"{chain[0]}_{chain[1]}"
        row = [ends[0], *(node(f"{stem}_{k}", (p[0], p[1])) for k, p in enumerate(inner.tolist(), start=1)), ends[1]]
        pairs.update((min(a, b), max(a, b)) for a, b in pairwise(row) if a != b)
    return list(ids), np.array(positions), np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _chains(ways: Sequence[Sequence[str]]) -> Iterable[list[str]]:
    """Ways cut at junctions: nodes at a way's end, or that several ways (or one way twice) share."""
    uses: dict[str, int] = {}
    for way in ways:
        for name in way:
            uses[name] = uses.get(name, 0) + 1
        for end in (way[0], way[-1]):
            uses[end] += 1
    for way in ways:
        start = 0
        for k in range(1, len(way)):
            if uses[way[k]] > 1:
                yield list(way[start : k + 1])
                start = k


def _even(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inner points of a line at equal distances of about 10 m along it, shape ``(k, 2)``."""
    lengths = great_circle_m(line[:-1], line[1:])
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    parts = max(1, round(float(along[-1]) / SPACING_M))
    at = along[-1] * np.arange(1, parts) / parts
    return np.column_stack([np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])])


def _bearings(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Initial great-circle bearings in degrees, row by row."""
    p, q = np.radians(a), np.radians(b)
    d = q[:, 1] - p[:, 1]
    x = np.sin(d) * np.cos(q[:, 0])
    y = np.cos(p[:, 0]) * np.sin(q[:, 0]) - np.sin(p[:, 0]) * np.cos(q[:, 0]) * np.cos(d)
    return np.asarray(np.degrees(np.arctan2(x, y)) % 360.0)


def _poi_links(
    positions: NDArray[np.float64], places: Sequence[_Place]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Street nodes within 33 m of each POI's outline, with the outline's nearest point."""
    middle = positions.mean(axis=0)
    scale = np.array([111_194.93, 111_194.93 * np.cos(np.radians(middle[0]))])
    tree = cKDTree((positions - middle) * scale)
    nodes: list[int] = []
    owners: list[int] = []
    points: list[list[float]] = []
    for k, place in enumerate(places):
        outline = _dense(place.outline, middle, scale)
        best: dict[int, tuple[float, int]] = {}
        for i, point in enumerate(outline):
            for node in tree.query_ball_point(point, REACH_M):
                far = float(np.hypot(*(tree.data[node] - point)))
                best[node] = min(best.get(node, (np.inf, 0)), (far, i))
        for node, (_, i) in sorted(best.items()):
            nodes.append(node)
            owners.append(k)
            points.append((outline[i] / scale + middle).tolist())
    return np.array(nodes, np.int32), np.array(owners, np.int32), np.array(points).reshape(-1, 2)


def _dense(
    outline: NDArray[np.float64], middle: NDArray[np.float64], scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """An outline in metres with a point at least every 5 m."""
    metres = (outline - middle) * scale
    if len(metres) < 2:
        return np.asarray(metres)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(metres, axis=0).T))])
    at = np.union1d(along, np.arange(0.0, along[-1], _OUTLINE_M))
    return np.column_stack([np.interp(at, along, metres[:, 0]), np.interp(at, along, metres[:, 1])])


def write_world(graph: Graph, folder: Path) -> None:
    """Save a map in Map2Seq's format, so that it opens as any other world, without network."""
    folder.mkdir(parents=True, exist_ok=True)
    positions = graph.positions.tolist()
    lines = [f"{node},{lat:.7f},{lon:.7f}" for node, (lat, lon) in zip(graph.ids, positions, strict=True)]
    _save(folder / "nodes.txt", lines)
    links = ((a, h, b) for a in graph.ids for b, h in graph.links(a))
    _save(folder / "links.txt", [f"{a},{h:.6f},{b}" for a, h, b in links])
    pois = ((poi.id, poi.position, json.dumps(dict(poi.tags), ensure_ascii=False)) for poi in graph.pois.values())
    _save(folder / "pois.txt", [f"{key},{place[0]:.7f},{place[1]:.7f},{tags}" for key, place, tags in pois])
    near = (link for node in graph.ids for link in graph.poi_links(node))
    rows = [
        f"{link.node},{link.heading_deg:.6f},{link.position[0]:.7f},{link.position[1]:.7f},{link.poi}" for link in near
    ]
    _save(folder / "poi_links.txt", rows)


def _save(path: Path, lines: Sequence[str]) -> None:
    path.write_text("\n".join(lines) + "\n" if lines else "", encoding="utf-8")
