"""Map2Seq v1.0 (Schumann and Riezler 2021): the OSM graph and the splits.

Graph: ``nodes.txt`` id,lat,lng · ``links.txt`` id,heading,id · ``pois.txt`` id,lat,lng,{json tags}
· ``poi_links.txt`` node,heading,lat,lng,poi, where lat/lng is the point of the POI's outline
nearest to the node. Split: a JSON list, or JSON lines, of
``{route: {pano_path, osm_path, initial_heading}, instructions, instructions_id}``, heading in
degrees clockwise.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from navviz.errors import InputError, Problem, Problems
from navviz.formats import world_cache
from navviz.formats.base import EpisodeSet
from navviz.formats.columns import (
    Column,
    Nodes,
    add_all,
    first_of_their_id,
    floats,
    indices,
    read_rows,
    refuse_large,
    repeats,
    texts_at,
)
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.map2seq.panoramas import (
    NodesFolder,
    by_id,
    data_set_name,
    data_set_of,
    read_ways,
)
from navviz.formats.texts import as_heading, as_ids, as_text, id_text, say_unlike
from navviz.records import Episode
from navviz.records.base import plural
from navviz.support.guarded import (
    FILE_BYTES,
    head_text,
    is_regular,
    note_entries,
    parse_json,
    read_json,
    report_size,
    size_of,
    taking_notes,
)
from navviz.world.geometry import within_180
from navviz.world.graph import Graph
from navviz.world.info import WorldInfo
from navviz.world.link_shapes import LinkShapes
from navviz.world.pois import Poi, PoiTable

_TOGETHER = 500
"""Tags checked as one JSON text: eight times faster; a bad one costs only its group."""

PoiLinks = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]


def read_pois(path: Path, problems: Problems) -> Mapping[str, Poi]:
    """Read ``pois.txt``; POIs without a position or usable tags are left out and reported."""
    if not is_regular(path):
        do = "put it beside nodes.txt to see POIs; where there are none, an empty file says so"
        problems.add(Problem("is missing", do, path.name))
        return {}
    ids, lat, lon, tags = read_rows(path, ("id", "lat", "lng", "tags"), problems)
    positions = np.column_stack([floats(lat), floats(lon)])
    with np.errstate(invalid="ignore"):
        placed = (np.abs(positions) <= (90.0, 180.0)).all(axis=1)
    texts: list[str] = tags.to_pylist()
    tagged = np.ones(len(texts), bool)
    # parsed together, and one by one only where a group holds a fault
    for begin in range(0, len(texts), _TOGETHER):
        group = texts[begin : begin + _TOGETHER]
        if not _all_objects(group):
            tagged[begin : begin + _TOGETHER] = [_tags(text) is not None for text in group]
    good = placed & tagged
    usable = np.flatnonzero(good)
    first = first_of_their_id(ids.take(pa.array(usable)))

    def problem(row: int) -> Problem:
        key = ids[row].as_py()
        if good[row]:
            return Problem(
                f"POI {key} comes twice", "keep one; the first is used", path.name, field="id"
            )
        fault = "position is not one in degrees" if tagged[row] else "tags are no JSON object"
        return Problem(
            f"POI {key}: its {fault}", "write id,lat,lng,{tags}; it is left out", path.name
        )

    add_all(
        problems, np.sort(np.concatenate([np.flatnonzero(~good), usable[~first]])).tolist(), problem
    )
    kept = usable[first]
    return table_of(texts_at(ids, kept), positions[kept], tags.take(pa.array(kept)))


def table_of(ids: Sequence[str], positions: NDArray[np.float64], tags: Column) -> PoiTable:
    """POIs whose tags are a column of JSON texts."""
    return PoiTable(ids, positions, tags.to_pylist(), lambda text: _tags(text) or {})


def _all_objects(texts: Sequence[str]) -> bool:
    """Tell whether each text is surely a JSON object, parsed as lines of a list."""
    # a cheap look first, which spares the parser what cannot be objects
    if not all(text.startswith("{") and text.endswith("}") for text in texts):
        return False
    try:
        values = parse_json("[" + ",\n".join(texts) + "]", "pois.txt", lenient=True)
    except InputError:
        return False
    return len(values) == len(texts) and all(isinstance(value, dict) for value in values)


def _tags(text: str) -> dict[str, str] | None:
    try:
        tags = parse_json(text, "pois.txt", lenient=True)
    except InputError:
        return None
    if not isinstance(tags, dict):
        return None
    texts = {}
    for key, value in tags.items():
        # tags of OpenStreetMap are texts: whatever else stands here becomes one
        texts[key] = value if isinstance(value, str) else json.dumps(value)
    return texts


def read_poi_links(
    path: Path, nodes: Nodes, pois: Mapping[str, Poi], problems: Problems
) -> PoiLinks:
    """Read ``poi_links.txt``: nodes, POIs, headings and positions; bad links are reported."""
    if not is_regular(path):
        if pois:
            problems.add(
                Problem("is missing", "put it beside nodes.txt to link POIs to streets", path.name)
            )
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0), np.empty((0, 2))
    columns = read_rows(path, ("node", "heading", "lat", "lng", "poi"), problems)
    if pois and not len(columns[0]):
        problems.add(
            Problem("holds no link", "no POI is linked to a street; get the file again", path.name)
        )
    a = indices(columns[0], nodes.keys)
    b = indices(columns[4], pa.array(list(pois), pa.string()))
    values = np.column_stack([floats(columns[i]) for i in (1, 2, 3)])
    linked = (a >= 0) & (b >= 0)
    good = linked & np.isfinite(values).all(axis=1)
    for kind, resolved, column in (("node", a, columns[0]), ("POI", b, columns[4])):
        _report_unknown(
            kind, Counter(texts_at(column, np.flatnonzero(resolved < 0))), path.name, problems
        )

    def problem(row: int) -> Problem:
        what = (
            f"link from {columns[0][row].as_py()} to POI {columns[4][row].as_py()} has no heading"
            " or position"
        )
        return Problem(what, "write node,heading,lat,lng,poi; it is left out", path.name)

    add_all(problems, np.flatnonzero(linked & ~good).tolist(), problem)
    again = repeats(a, b, values[:, 0]) & good
    if again.any():  # a POI with two entrances has two points
        rows = np.column_stack([a, b, values])
        again[np.unique(rows, axis=0, return_index=True)[1]] = False
    if count := int(again.sum()):
        what, do = f"holds {plural(count, 'link')} that stood there before", "all are kept"
        problems.add(Problem(what, do, path.name, usual="links that stand there twice"))
    return a[good], b[good], values[good, 0], values[good, 1:]


def _report_unknown(kind: str, counts: Counter[str], file: str, problems: Problems) -> None:
    for key, count in counts.items():
        what = f"{kind} {key}, named by {count} links, is not in {kind.lower()}s.txt"
        # the published maps are cut out of a larger one: their places lie partly outside
        usual = "links to places outside the map" if kind == "POI" else ""
        problem = Problem(what, "its links are left out", file, usual=usual)
        problems.skip(problem, count)


LINK_SHAPES = "link_shapes.txt"

_COLUMNS = ("id", "id", "length_m", "bends")

Bends = list[list[float]]


def with_link_shapes(graph: Graph, path: Path, nodes: Nodes, problems: Problems) -> Graph:
    """Return the graph with the lengths and bends of a file, or as it is without that file.

    Lines that name no link of the graph, no length or positions that are none are left out and
    reported.
    """
    if not is_regular(path):
        return graph
    sources, targets, lengths, bends = read_rows(path, _COLUMNS, problems)
    a, b, lengths_m = indices(sources, nodes.keys), indices(targets, nodes.keys), floats(lengths)
    links: dict[tuple[int, int], list[int]] = {}
    for k, pair in enumerate(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)):
        links.setdefault(pair, []).append(k)
    lines: dict[int, tuple[float, Bends]] = {}
    faults: list[tuple[int, str]] = []
    for row, (pair, length_m, text) in enumerate(
        zip(
            zip(a.tolist(), b.tolist(), strict=True),
            lengths_m.tolist(),
            bends.to_pylist(),
            strict=True,
        )
    ):
        points = _points(text)
        if pair not in links:
            faults.append((row, "names no link of links.txt"))
        elif not (math.isfinite(length_m) and length_m >= 0):
            faults.append((row, "has no length in metres"))
        elif points is None:
            faults.append((row, "has a bend that is no position in degrees"))
        else:
            # links.txt may hold a link twice: both get the same shape
            lines |= dict.fromkeys(links[pair], (length_m, points))
    add_all(problems, faults, lambda fault: _problem(path.name, *fault))
    return _given(graph, lines) if lines else graph


def _problem(file: str, row: int, what: str) -> Problem:
    do = f"write {','.join(_COLUMNS)}; the link counts as straight"
    return Problem(f"link {row + 1} {what}", do, file)


def _points(text: str) -> Bends | None:
    """Return the positions of a column, or ``None`` where one of them is none."""
    points: Bends = []
    for place in filter(str.strip, text.split(";")):
        try:
            lat, lon = map(float, place.split())
        except ValueError:
            return None
        if not (abs(lat) <= 90 and abs(lon) <= 180):
            return None
        points.append([lat, lon])
    return points


def _given(graph: Graph, lines: dict[int, tuple[float, Bends]]) -> Graph:
    lengths_m = graph.straight_lengths_m()
    for k, (length_m, _) in lines.items():
        lengths_m[k] = length_m
    nothing: tuple[float, Bends] = (0.0, [])
    bends = (lines.get(k, nothing)[1] for k in range(len(graph.targets)))
    return replace(graph, given_lengths_m=lengths_m, shapes=LinkShapes.of(bends, 2))


def link_shape_lines(graph: Graph) -> Iterator[str]:
    """Yield the lines of the file: all links of a graph that has lengths, none of another."""
    if graph.given_lengths_m is None:
        return
    for k, (a, b, length_m) in enumerate(
        zip(graph.sources, graph.targets, graph.given_lengths_m, strict=True)
    ):
        places = graph.shapes.bends(k).tolist() if graph.shapes is not None else []
        bends = ";".join(f"{lat:.7f} {within_180(lon):.7f}" for lat, lon in places)
        yield f"{graph.ids[a]},{graph.ids[b]},{length_m:.9f},{bends}"


STREET_COLUMNS = ("id", "lat", "lng")

_VERSION = "map2seq 4"
"""To be raised with every change of what is read or reported."""

_FILES = ("nodes.txt", "links.txt", "pois.txt", "poi_links.txt", LINK_SHAPES)

_ARRAYS = ("positions", "sources", "targets", "headings_deg")

_NEAR = ("poi_link_nodes", "poi_link_pois", "poi_link_headings_deg", "poi_link_positions")


def cached_streets(folder: Path, name: str) -> Graph:
    """Read streets and POIs of a folder, from the cache where it knows the same bytes."""
    files = [folder / file for file in _FILES]
    for file in filter(is_regular, files):
        refuse_large(file)  # the key is made of every byte
    key = world_cache.key_of(files, _VERSION)
    kept = world_cache.load(key)
    if kept is not None:
        try:
            for file, count in zip(files, kept["entries"].tolist(), strict=True):
                if is_regular(file):
                    note_entries(file, count)
            return _restored(kept, name)
        except (ValueError, KeyError, TypeError, IndexError):
            pass  # of another shape than its version says: as good as damaged
    with taking_notes() as notes:
        graph = _read(folder, name)
    graph.info.problems.extend(notes.problems)
    if key is not None:
        counts = [notes.entries.get(file, 0) for file in files]
        world_cache.save(key, {**_kept(graph), "entries": np.array(counts)})
    return graph


def _read(folder: Path, name: str) -> Graph:
    problems = Problems()
    files = [folder / file for file in _FILES]
    report_size(sum(size_of(file, FILE_BYTES) for file in files if is_regular(file)))
    nodes, ways = read_ways(folder, name, STREET_COLUMNS, problems)
    pois = read_pois(folder / "pois.txt", problems)
    near = read_poi_links(folder / "poi_links.txt", nodes, pois, problems)
    return replace(
        with_link_shapes(ways, folder / LINK_SHAPES, nodes, problems),
        pois=pois,
        poi_link_nodes=near[0],
        poi_link_pois=near[1],
        poi_link_headings_deg=near[2],
        poi_link_positions=near[3],
    )


def _kept(graph: Graph) -> world_cache.Arrays:
    table = graph.pois
    texts = table.texts if isinstance(table, PoiTable) else []
    places = table.positions if isinstance(table, PoiTable) else np.empty((0, 2))
    return {
        "counts": np.array([len(graph), len(table)]),
        "ids": world_cache.packed_texts(graph.ids),
        "pois": world_cache.packed_texts(list(table)),
        "tags": world_cache.packed_texts(texts),
        "places": places,
        "problems": np.frombuffer(world_cache.packed_problems(graph.info.problems), np.uint8),
        **{array: np.asarray(getattr(graph, array)) for array in (*_ARRAYS, *_NEAR)},
        **_kept_lines(graph),
    }


def _kept_lines(graph: Graph) -> world_cache.Arrays:
    """Lengths and shapes, as far as the world has any: most have none, and then nothing is kept."""
    kept: dict[str, NDArray[np.generic]] = {}
    if graph.given_lengths_m is not None:
        kept["given_lengths_m"] = graph.given_lengths_m
    if graph.shapes is not None:
        kept |= {"bends_begin": graph.shapes.begin, "bends": graph.shapes.points}
    return kept


def _restored_shapes(kept: world_cache.Arrays) -> LinkShapes | None:
    if "bends" not in kept:
        return None
    return LinkShapes(
        np.asarray(kept["bends_begin"], np.int64), np.asarray(kept["bends"], np.float64)
    )


def _restored(kept: world_cache.Arrays, name: str) -> Graph:
    nodes, count = kept["counts"].tolist()
    arrays = {array: kept[array] for array in (*_ARRAYS, *_NEAR)}
    if len(arrays["positions"]) != nodes or len(kept["places"]) != count:
        raise ValueError("positions and ids differ in number")
    lengths_m, shapes = kept.get("given_lengths_m"), _restored_shapes(kept)
    links = len(arrays["targets"])
    if (lengths_m is not None and len(lengths_m) != links) or (
        shapes is not None and len(shapes.begin) != links + 1
    ):
        raise ValueError("links and their lengths differ in number")
    return Graph(
        name=name,
        frame="geo",
        given_lengths_m=None if lengths_m is None else np.asarray(lengths_m, np.float64),
        shapes=shapes,
        ids=world_cache.unpacked_texts(kept["ids"], nodes),
        pois=_restored_pois(kept, count),
        info=WorldInfo(problems=world_cache.unpacked_problems(kept["problems"].tobytes())),
        **arrays,  # type: ignore[arg-type]  # each of the type it was kept in
    )


def _restored_pois(kept: world_cache.Arrays, count: int) -> Mapping[str, Poi]:
    if not count:
        return {}
    texts = world_cache.unpacked_texts(kept["tags"], count)
    places = np.asarray(kept["places"], np.float64)
    return table_of(
        world_cache.unpacked_texts(kept["pois"], count),
        places,
        pa.chunked_array([texts], pa.string()),
    )


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
    where = Problem("", "", path.name, key)
    say_unlike(value, {"id": "instructions_id"}, where, problems)
    say_unlike(route, {"texts": "pano_path"}, where, problems)
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
