"""OpenStreetMap as an outdoor world: XML, PBF, Overpass JSON, GraphML, or a place by name.

GraphML opens as the graph that was saved (`navviz.formats.osm.graphml`). Of the others: the
walkable network (osmnx's filter for walking), each street between two junctions split evenly about
every 10 m as in Map2Seq (Schumann and Riezler 2021), and the POIs of its tags, each linked to the
street nodes within 33 m of its outline, which is how far Map2Seq's links reach. Positions are (lat,
lon) in degrees; all links lead both ways. A link is as long as the street between its nodes, and
keeps the street's bends there.

Extracts are read here and not by osmnx: its reader takes every way, so that the filter stays ours;
it reads streets and POIs in two passes (0.20 s where this takes 0.03), and is an extra that takes 2
s to import.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar

import numpy as np

from navviz.errors import InputError, MissingExtraError, Problem, Problems
from navviz.formats.files import peek, plain_head
from navviz.formats.osm.graphml import read_graphml
from navviz.formats.osm.world import StreetMap, TaggedPlace, place_text, to_graph
from navviz.formats.texts import as_list, as_mapping, as_number, id_text
from navviz.support.guarded import (
    FILE_BYTES,
    head_bytes,
    is_regular,
    note_entries,
    opened_bytes,
    read_json,
    report_bytes,
    report_size,
    size_of,
    xml_events,
)
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True)
class OsmArea:
    """A relation of type multipolygon."""

    id: str
    outer: tuple[str, ...]
    """Ids of the ways along its outside."""
    tags: dict[str, str]

    @classmethod
    def of(
        cls, key: str, members: Iterable[tuple[str, str, str]], tags: dict[str, str]
    ) -> OsmArea | None:
        """Return the area of a relation, members ``(type, ref, role)``; ``None`` for others."""
        if tags.get("type") != "multipolygon":
            return None
        # editors leave out the role of a single ring
        outer = [ref for kind, ref, role in members if kind == "way" and role in {"outer", ""}]
        return cls(key, tuple(outer), tags)


@dataclass(slots=True)
class Elements:
    """Nodes, tagged nodes, ways and areas, in file order."""

    nodes: dict[str, tuple[float, float]] = field(default_factory=dict)
    """``(lat, lon)`` in degrees by id."""
    tagged: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    ways: list[tuple[str, list[str], dict[str, str]]] = field(default_factory=list)
    """Id, refs, tags."""
    areas: list[OsmArea] = field(default_factory=list)

    def add_node(self, key: str, place: tuple[float, float], tags: dict[str, str]) -> None:
        """Add a node, and its tags where it has any."""
        self.nodes[key] = place
        if tags:
            self.tagged.append((key, tags))


def outer_lines(area: OsmArea, refs_of: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Join the outer ways of an area, end to end, to its rings; the longest first.

    Ways that are not in the extract are skipped, and their ring stays open.
    """
    pieces = [list(refs_of[way]) for way in area.outer if len(refs_of.get(way, ())) > 1]
    lines: list[list[str]] = []
    while pieces:
        line = pieces.pop(0)
        while line[0] != line[-1]:
            joined = (k for k, piece in enumerate(pieces) if line[-1] in (piece[0], piece[-1]))
            following = next(joined, None)
            if following is None:
                break
            piece = pieces.pop(following)
            line += piece[1:] if piece[0] == line[-1] else piece[-2::-1]
        lines.append(line)
    return sorted(lines, key=len, reverse=True)


_PIECE_BYTES = 1_000_000

_HEADER_BYTES, _BLOCK_BYTES = 2**16, 2**25
"""The most that the format allows."""

_MEMBERS = {"n": "node", "w": "way", "r": "relation"}


def read_pbf(path: Path, problems: Problems) -> Elements:
    """Return the elements of an extract.

    Raises `InputError` where the file is broken or too large; `MissingExtraError` where pyosmium is
    not installed.
    """
    size = size_of(path, FILE_BYTES, "cut the extract to the area of the episodes")
    try:
        import osmium
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "Extracts in .osm.pbf need a package that is not installed (osmium); "
            "install it with: pip install 'navviz-vln[osm]'."
        ) from error
    elements = Elements()
    try:
        report_size(size)
        with opened_bytes(path, FILE_BYTES) as file:
            for piece, count in _pieces(file):
                for each in osmium.FileProcessor(osmium.io.FileBuffer(piece, "pbf")):
                    _add_pbf(elements, each, path.name, problems)
                report_bytes(count)
    except (RuntimeError, ValueError) as error:
        raise InputError(
            f"is broken OSM PBF ({error})", "get the extract again", file=path.name
        ) from error
    return elements


def _pieces(file: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """Cut a file into parts that are files of their own, each with how many bytes it stands for.

    pyosmium does not say how far it is in a file. A file is a row of blocks, the first of which
    tells what the others need (https://wiki.openstreetmap.org/wiki/PBF_Format), so it is put before
    each part.
    """
    first = _block(file)
    part, new = [first], len(first)
    while block := _block(file):
        part.append(block)
        new += len(block)
        if new >= _PIECE_BYTES:
            yield b"".join(part), new
            # the first block stands before every part, but counts once
            part, new = [first], 0
    if new:
        yield b"".join(part), new


def _block(file: IO[bytes]) -> bytes:
    """Read one block: the length of its header, the header, and the data it announces."""
    head = file.read(4)
    if not head:
        return b""
    length = int.from_bytes(head, "big")
    if len(head) < 4 or length > _HEADER_BYTES:
        raise ValueError("a block begins with no length")
    header = file.read(length)
    size = _data_size(header)
    # a larger size is damage, and must not make us read the whole file
    data = file.read(size) if size <= _BLOCK_BYTES else b""
    if len(data) < size or len(header) < length:
        raise ValueError("it ends within a block")
    return head + header + data


def _data_size(header: bytes) -> int:
    """Return field 3 of a BlobHeader (protocol buffers: a varint; fields 1 and 2 are strings)."""
    at = 0
    while at < len(header):
        tag, at = header[at], at + 1
        value, at = _varint(header, at)
        if tag == 0x18:  # field 3, varint
            return value
        # of a string it was the length, and its bytes follow; of a number it was the number
        at += value if tag & 7 == 2 else 0
    raise ValueError("a block states no length")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte, at = data[at], at + 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("a block's header is cut off")


def _add_pbf(elements: Elements, each: object, file: str, problems: Problems) -> None:
    from osmium.osm import Node, Relation, Way

    if isinstance(each, Node):
        if each.location.valid():
            place = (float(each.location.lat), float(each.location.lon))
            elements.add_node(str(each.id), place, {tag.k: tag.v for tag in each.tags})
        elif each.visible:
            what = f"node {each.id} has no position"
            problems.skip(Problem(what, "get the extract again; it is left out", file))
    elif isinstance(each, Way):
        tags = {tag.k: tag.v for tag in each.tags}
        elements.ways.append((str(each.id), [str(node.ref) for node in each.nodes], tags))
    elif isinstance(each, Relation):
        tags = {tag.k: tag.v for tag in each.tags}
        members = (
            (_MEMBERS.get(member.type, ""), str(member.ref), member.role) for member in each.members
        )
        area = OsmArea.of(str(each.id), members, tags)
        if area is not None:
            elements.areas.append(area)


_NAMES = (
    ".osm.xml.gz", ".osm.xml.bz2", ".osm.xml", ".osm.pbf", ".osm.bz2", ".osm.gz", ".osm.json",
    ".osm", ".graphml", ".graphml.gz", ".graphml.bz2", ".pbf",
)  # fmt: skip

_ROOTS = {"<osm": "osm", "<graphml": "graphml"}

_OVERPASS_SIGNS = ('"osm3s"', '"generator"', '"node"', '"way"')

_NO_STREET = re.compile(
    "abandoned|bus_guideway|construction|cycleway|motor|no|planned|platform|proposed|raceway|razed|rest_area|services"
)
"""osmnx's filter for walking (Boeing 2017, doi:10.1016/j.compenvurbsys.2017.05.004)."""

POI_KEYS = (
    "amenity", "shop", "tourism", "leisure", "historic", "railway", "highway", "public_transport",
    "office", "craft", "healthcare", "place_of_worship",
)  # fmt: skip

_SIDEWALKS = ("sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right")

_POI_HIGHWAY = frozenset({"traffic_signals", "bus_stop", "stop", "crossing"})

_POI_RAILWAY = frozenset({"station", "subway_entrance", "tram_stop", "halt"})

_DULL = frozenset({"waste_basket", "parking_space", "bench", "picnic_table"})

_KEPT_TAGS = ("name", *POI_KEYS, "cuisine", "sport", "landuse", "building", "brand")


class OsmGraph:
    """Reads an OpenStreetMap extract or a GraphML file of osmnx."""

    name: ClassVar[str] = "OpenStreetMap"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it begins like an extract, or its name ends like one's."""
        return is_regular(path) and (path.name.endswith(_NAMES) or _form(path) != "")

    @classmethod
    def worlds(cls, path: Path) -> tuple[str, ...]:
        """Return the one map."""
        return (_world_name(path),)

    @classmethod
    def read(cls, path: Path, world: str = "") -> Graph:
        """Read the map; raises `InputError` where it is broken or has no walkable street."""
        name = world or _world_name(path)
        # a file that begins like none of them is told by its name what it should be
        form = _form(path) or ("graphml" if path.name.endswith(".graphml") else "osm")
        if form == "graphml":
            return read_graphml(path, name)
        problems = Problems()
        if form == "pbf" or path.name.endswith(".pbf"):
            elements = read_pbf(path, problems)
        else:
            elements = _from_json(path, problems) if form == "json" else _from_xml(path, problems)
        return to_graph(_selected(elements, path.name, problems), name, path.name, problems)


def _world_name(path: Path) -> str:
    name = path.name
    for ending in _NAMES:
        name = name.removesuffix(ending)
    return name


def _form(path: Path) -> str:
    """Return a file's form by its first bytes: ``osm``, ``graphml``, ``json``, ``pbf``, or none."""
    seen = peek(path)
    if seen.opener not in {"{", "<"}:
        return "pbf" if head_bytes(path, 64)[4:].find(b"OSMHeader") >= 0 else ""
    text = seen.text.lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        text = plain_head(path)[:4096]
        signs = '"elements"' in text and any(sign in text for sign in _OVERPASS_SIGNS)
        return "json" if signs else ""
    while text.startswith(("<?", "<!")):
        text = text.partition("-->" if text.startswith("<!--") else ">")[2].lstrip()
    return next((form for root, form in _ROOTS.items() if text.startswith(root)), "")


# --- sources


def _from_json(path: Path, problems: Problems) -> Elements:
    """Read the answer of an Overpass server (``[out:json]``)."""
    raw = as_mapping(read_json(path, lenient=True)).get("elements")
    elements = Elements()
    for number, entry in enumerate(as_list(raw), start=1):
        each = as_mapping(entry)
        kind, key = each.get("type"), id_text(each.get("id"))
        tags = {str(name): str(value) for name, value in as_mapping(each.get("tags")).items()}
        if kind == "node":
            place = as_number(each.get("lat")), as_number(each.get("lon"))
            _add_node(elements, key, place, tags, path.name, problems)
        elif kind == "way" and isinstance(each.get("nodes"), list):
            refs = [id_text(ref) for ref in each["nodes"]]
            # `out geom` gives the positions of nodes with their way
            for ref, at in zip(refs, as_list(each.get("geometry")), strict=False):
                lat, lon = (
                    as_number(as_mapping(at).get("lat")),
                    as_number(as_mapping(at).get("lon")),
                )
                if lat is not None and lon is not None:
                    elements.nodes.setdefault(ref, (lat, lon))
            elements.ways.append((key, refs, tags))
        elif kind == "relation":
            members = []
            for member in map(as_mapping, as_list(each.get("members"))):
                kind, role = str(member.get("type")), str(member.get("role") or "")
                members.append((kind, id_text(member.get("ref")), role))
            area = OsmArea.of(key, members, tags)
            if area is not None:
                elements.areas.append(area)
        else:
            what = f"element {number} is no node, way or relation"
            problems.skip(Problem(what, "get the answer again; it is left out", path.name))
    note_entries(path, len(as_list(raw)))
    return elements


def _add_node(
    elements: Elements,
    key: str,
    place: tuple[float | None, float | None],
    tags: dict[str, str],
    file: str,
    problems: Problems,
) -> None:
    """Add a node; one without a position is named."""
    lat, lon = place
    if lat is None or lon is None or not (math.isfinite(lat) and math.isfinite(lon)):
        what = f"node {key} has no position"
        problems.skip(Problem(what, "write lat and lon in degrees; it is left out", file))
        return
    elements.add_node(key, (lat, lon), tags)


def _from_xml(path: Path, problems: Problems) -> Elements:
    elements = Elements()
    try:
        with opened_bytes(path) as file:
            if path.suffix not in {".gz", ".bz2"}:  # the length of a packed file is not known
                report_size(size_of(path, FILE_BYTES))
            for element in _elements(_Reported(file)):
                _add(elements, element, path.name, problems)
    except (ET.ParseError, ValueError) as error:
        raise InputError(
            f"is broken OSM XML ({error})", "get the extract again", file=path.name
        ) from error
    return elements


def _add(elements: Elements, element: ET.Element, file: str, problems: Problems) -> None:
    # JOSM keeps what was deleted until it is uploaded; histories say that it is not visible
    if element.get("action") == "delete" or element.get("visible") == "false":
        return
    key = element.get("id", "")
    tags = {tag.get("k", ""): tag.get("v", "") for tag in element.iterfind("tag")}
    is_broken = any(None in {tag.get("k"), tag.get("v")} for tag in element.iterfind("tag"))
    between = [element.text, *(each.tail for each in element)]
    if is_broken or any(text and text.strip() for text in between):
        what = f"{element.tag} {key:.40} has a tag without a key or a value, or text between tags"
        problems.add(Problem(what, "what it lacks is missing; get the extract again", file))
    if element.tag == "node":
        place = as_number(element.get("lat")), as_number(element.get("lon"))
        _add_node(elements, key, place, tags, file, problems)
    elif element.tag == "way":
        elements.ways.append((key, [ref.get("ref", "") for ref in element.iterfind("nd")], tags))
    else:
        members = element.iterfind("member")
        area = OsmArea.of(key, map(_member, members), tags)
        if area is not None:
            elements.areas.append(area)


def _member(member: ET.Element) -> tuple[str, str, str]:
    return member.get("type", ""), member.get("ref", ""), member.get("role", "")


class _Reported:
    """A file that reports how far it was read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, count: int = -1) -> bytes:
        """Read as the file does."""
        piece = self._file.read(count)
        report_bytes(len(piece))
        return piece


def _elements(file: _Reported) -> Iterable[ET.Element]:
    """Nodes, ways and relations one at a time; what was read is forgotten."""
    root: ET.Element | None = None
    for event, element in xml_events(file):
        if root is None:
            root = element
            if element.tag != "osm":
                raise ValueError(f"its first element is {element.tag}, not osm")
        if event == "end" and element.tag in {"node", "way", "relation"}:
            yield element
            root.clear()


def _selected(elements: Elements, file: str, problems: Problems) -> StreetMap:
    nodes = elements.nodes
    if not nodes:
        what = f"holds no OpenStreetMap node{problems.because}"
        raise InputError(what, "get the extract again", file=file)
    street_map = StreetMap()
    outside = 0
    for key, refs, tags in elements.ways:
        placed = [ref for ref in refs if ref in nodes]
        walkable = _is_walkable(tags)
        outside += walkable and len(placed) < len(refs)
        if walkable and len(placed) > 1:
            street_map.ways.append(placed)
            street_map.positions.update((ref, nodes[ref]) for ref in placed)
        elif is_poi(tags) and len(placed) > 2:
            outline = np.array([nodes[ref] for ref in placed])
            street_map.places.append(TaggedPlace(f"w{key}", kept_tags(tags), outline))
    street_map.places.extend(_area_places(elements))
    for key, tags in elements.tagged:
        if is_poi(tags):
            outline = np.array([nodes[key]])
            street_map.places.append(TaggedPlace(f"n{key}", kept_tags(tags), outline))
    if outside:
        what = f"{outside} streets lead out of the extract"
        problems.add(Problem(what, "they end at its edge", file))
    return street_map


def _area_places(elements: Elements) -> Iterable[TaggedPlace]:
    """POIs that are areas of several ways: an outline for each ring, the longest first."""
    areas = [area for area in elements.areas if is_poi(area.tags)]
    wanted = set(chain.from_iterable(area.outer for area in areas))
    refs_of = {key: refs for key, refs, _ in elements.ways if key in wanted}
    for area in areas:
        outlines = []
        for refs in outer_lines(area, refs_of):
            line = [elements.nodes[ref] for ref in refs if ref in elements.nodes]
            if len(line) > 2:
                outlines.append(np.array(line))
        if outlines:
            yield TaggedPlace(f"r{area.id}", kept_tags(area.tags), outlines[0], tuple(outlines[1:]))


def _is_walkable(tags: Mapping[str, str]) -> bool:
    highway = tags.get("highway")
    if highway is None or _NO_STREET.search(highway) or tags.get("area") == "yes":
        return False
    if tags.get("foot") == "no" or "private" in (tags.get("access"), tags.get("service")):
        return False
    # a sidewalk that is mapped as a way of its own is walked instead of the street
    return not any(tags.get(key) == "separate" for key in _SIDEWALKS)


def is_poi(tags: Mapping[str, str]) -> bool:
    """Tell whether the tags make a place of interest."""
    if tags.get("amenity") in _DULL or tags.get("leisure") in _DULL:
        return False
    if "highway" in tags:
        return tags["highway"] in _POI_HIGHWAY
    if "railway" in tags and tags["railway"] not in _POI_RAILWAY:
        return False
    return any(key in tags for key in POI_KEYS) or ("building" in tags and "name" in tags)


def kept_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """Keep the tags that prompts and search use."""
    return {key: tags[key] for key in _KEPT_TAGS if key in tags}


def from_networkx(graph: nx.MultiDiGraph) -> StreetMap:
    """Edges of osmnx, with the bends of simplified ones; each street once."""
    street_map = StreetMap()
    for node, data in graph.nodes(data=True):
        street_map.positions[str(node)] = (float(data["y"]), float(data["x"]))
    seen: set[tuple[str, ...]] = set()
    for a, b, number, data in graph.edges(keys=True, data=True):
        way = [str(a), *_bends(street_map, data.get("geometry"), f"{a}_{b}_{number}"), str(b)]
        shape = tuple(place_text(street_map.positions[node]) for node in way)
        # osmnx has an edge for each direction
        if shape not in seen and len(way) > 1:
            seen.update((shape, shape[::-1]))
            street_map.ways.append(way)
    return street_map


def _bends(street_map: StreetMap, line: Any, name: str) -> list[str]:  # noqa: ANN401 - a shapely line
    """Inner points of a simplified edge, as nodes of their own."""
    if line is None:
        return []
    inner = [(float(y), float(x)) for x, y in list(line.coords)[1:-1]]
    names = [f"{name}_{k}" for k in range(len(inner))]
    street_map.positions.update(zip(names, inner, strict=True))
    return names
