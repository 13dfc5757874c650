"""Graphs of networkx and osmnx as worlds, and back."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError, Problem, Problems
from navviz.world.geometry import Frame, great_circle_m, run_on_at_180, turned_deg, within_180
from navviz.world.info import WorldInfo
from navviz.world.link_shapes import LinkShapes
from navviz.world.pois import Poi, PoiLink

if TYPE_CHECKING:
    import networkx as nx


_WKT = re.compile(r"\s*+LINESTRING\s*+Z?\s*+\(([^()]*)\)\s*+", re.IGNORECASE)

_AT_NODE = {"geo": 1e-6, "metric": 0.05}
"""A shape that begins this near to its node (a decimetre; in degrees outdoors) begins there."""

_SHORTER_SHARE, _SHORTER_M = 0.99, 1.0
"""A length this much below the straight line is no rounding error: it is not in metres."""

Line = list[tuple[float, ...]]


@dataclass(frozen=True)
class EdgeLinks:
    """Links in the order of their edges, as `Graph` takes them."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    headings_deg: NDArray[np.float64] | None
    """``None`` where an edge names none."""
    lengths_m: NDArray[np.float64] | None
    """``None`` where all links are straight and as long as that."""
    shapes: LinkShapes | None


@dataclass(frozen=True, slots=True)
class _Edge:
    """One way of an edge."""

    source: int
    target: int
    length_m: float
    """As given; NaN where it is not."""
    bends: Line
    heading_deg: float | None


def read_edges(
    shape: nx.Graph, positions: NDArray[np.float64], frame: Frame, title: str, problems: Problems
) -> EdgeLinks:
    """Read all edges.

    `shape`: directed or not, with parallel edges or not. `positions`: of its nodes in their order,
    shape ``(n, 2)`` or ``(n, 3)``. `problems`: takes lengths and shapes that cannot be used.
    """
    edges = list(_edges(shape, positions, frame, title, problems))
    pairs = np.array([(edge.source, edge.target) for edge in edges], dtype=np.int32).reshape(-1, 2)
    straight_m = _apart_m(positions[pairs[:, 0]], positions[pairs[:, 1]], frame)
    lengths_m = np.array([edge.length_m for edge in edges], dtype=np.float64)
    for k in np.flatnonzero(np.isnan(lengths_m)).tolist():
        lengths_m[k] = _along_m(edges[k], positions, frame) if edges[k].bends else straight_m[k]
    best: dict[tuple[int, int], int] = {}
    for k, (source, target) in enumerate(pairs.tolist()):
        # the dictionary keeps the place of the first edge of a pair, whichever of them stays
        before = best.setdefault((source, target), k)
        if lengths_m[k] < lengths_m[before]:
            best[source, target] = k
    kept = np.array(list(best.values()), dtype=np.int64)
    fault = Problem("", "", title)
    _report_shorter(shape, pairs[kept], lengths_m[kept], straight_m[kept], fault, problems)
    shapes = LinkShapes.of((edges[k].bends for k in kept.tolist()), positions.shape[1])
    # given lengths are kept only where they say more than the positions do
    as_straight = shapes is None and np.array_equal(lengths_m[kept], straight_m[kept])
    headings = [edges[k].heading_deg for k in kept.tolist()]
    given = [heading for heading in headings if heading is not None]
    return EdgeLinks(
        sources=pairs[kept, 0],
        targets=pairs[kept, 1],
        headings_deg=np.array(given, dtype=float) if len(given) == len(headings) else None,
        lengths_m=None if as_straight else lengths_m[kept],
        shapes=shapes,
    )


def _edges(
    shape: nx.Graph, positions: NDArray[np.float64], frame: Frame, title: str, problems: Problems
) -> Iterator[_Edge]:
    index: dict[Hashable, int] = {node: i for i, node in enumerate(shape.nodes)}
    for a, b, data in shape.edges(data=True):
        source, target = index[a], index[b]
        length_m = _length_m(data, f"link {a} to {b}", title, problems)
        ends = positions[source], positions[target]
        fault = Problem(f"the shape of link {a} to {b}", "", title)
        bends = _bends(data, ends, frame, fault, problems)
        yield _Edge(source, target, length_m, bends, data.get("heading_deg"))
        if not shape.is_directed():
            # one `heading_deg` cannot hold for both directions, so all headings of such a graph are
            # computed
            yield _Edge(target, source, length_m, bends[::-1], None)


def _length_m(data: Mapping[str, Any], link: str, title: str, problems: Problems) -> float:
    value = data.get("length_m", data.get("length"))
    if value is None:
        return math.nan
    try:
        length_m = float(value)
    except (TypeError, ValueError):
        length_m = math.nan
    if math.isfinite(length_m) and length_m >= 0:
        return length_m
    what = f"{link} has the length {str(value)[:40]}"
    do = "write metres; it counts as long as it is drawn"
    problems.add(Problem(what, do, title, field="length"))
    return math.nan


def _bends(
    data: Mapping[str, Any],
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    frame: Frame,
    fault: Problem,
    problems: Problems,
) -> Line:
    """Points of an edge's shape between its nodes; none where it has no usable shape."""
    line = _own_line(data.get("shape"), len(ends[0]))
    if line is not None and frame == "geo":
        line = [(place[0], float(turned_deg(place[1], float(ends[0][1])))) for place in line]
    if line is None and data.get("geometry") is not None:
        line = _drawn_line(data["geometry"], ends, frame)
        if line is None:
            do = "give it in metres"
            if frame == "geo":
                do = "give it in degrees, longitude before latitude"
            what = f"{fault.what} is no line of finite positions"
            problems.add(Problem(what, f"{do}; it is drawn straight", fault.file))
    if line is None or len(line) < 2:
        return []
    # an undirected edge may be drawn from its second node to its first
    if _off(line, ends) > _off(line[::-1], ends):
        line = line[::-1]
    if _is_at(line[0], ends[0], frame):
        line = line[1:]
    if line and _is_at(line[-1], ends[1], frame):
        line = line[:-1]
    return line


def _is_at(place: Sequence[float], node: NDArray[np.float64], frame: Frame) -> bool:
    """Tell whether a place of a line is its node's."""
    own: list[float] = node.tolist()
    return all(abs(a - b) <= _AT_NODE[frame] for a, b in zip(place, own, strict=True))


def _off(line: Line, ends: tuple[NDArray[np.float64], NDArray[np.float64]]) -> float:
    """How far a line begins and ends from its nodes."""
    return math.dist(line[0], ends[0].tolist()) + math.dist(line[-1], ends[1].tolist())


def _own_line(value: object, size: int) -> Line | None:
    """Return the positions of the attribute ``shape``; other programs may use it otherwise."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    try:
        line = [tuple(map(float, place)) for place in value]
    except (TypeError, ValueError):
        return None
    return line if all(len(place) == size for place in line) and np.isfinite(line).all() else None


def _drawn_line(
    value: Any,  # noqa: ANN401
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    frame: Frame,
) -> Line | None:
    """Return the line of a ``geometry`` in the frame's order; missing heights are interpolated."""
    try:
        if isinstance(value, str):
            rows = _numbers(value)
        else:
            rows = [tuple(map(float, place)) for place in value.coords]
    # shapely raises NotImplementedError for the `coords` of a line of several parts
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None
    if len(rows) < 2 or not all(map(_is_place, rows)):
        return None
    if frame == "geo":
        if not all(abs(row[1]) <= 90 and abs(row[0]) <= 180 for row in rows):
            return None
        at_end = float(ends[0][1])
        return [(row[1], float(turned_deg(row[0], at_end))) for row in rows]
    heights = np.linspace(ends[0][2], ends[1][2], len(rows)).tolist()
    in_metres: Line = []
    for row, height in zip(rows, heights, strict=True):
        z = row[2] if len(row) > 2 else height
        in_metres.append((row[0], row[1], z))
    return in_metres


def _is_place(row: Sequence[float]) -> bool:
    return len(row) >= 2 and all(map(math.isfinite, row))


def _numbers(wkt: str) -> list[tuple[float, ...]]:
    """Return the positions of a line in well-known text; raises `ValueError` for anything else."""
    match = _WKT.fullmatch(wkt)
    if match is None:
        raise ValueError("no LINESTRING")
    return [tuple(map(float, place.split())) for place in match[1].split(",")]


def _apart_m(p: NDArray[np.float64], q: NDArray[np.float64], frame: Frame) -> NDArray[np.float64]:
    return great_circle_m(p, q) if frame == "geo" else np.asarray(np.linalg.norm(q - p, axis=-1))


def _along_m(edge: _Edge, positions: NDArray[np.float64], frame: Frame) -> float:
    line = np.array([positions[edge.source], *edge.bends, positions[edge.target]])
    return float(_apart_m(line[:-1], line[1:], frame).sum())


def _report_shorter(
    shape: nx.Graph,
    pairs: NDArray[np.int32],
    lengths_m: NDArray[np.float64],
    straight_m: NDArray[np.float64],
    fault: Problem,
    problems: Problems,
) -> None:
    """Name links that are shorter than the straight line; their length is kept for searches."""
    # both at once: the share alone flags decimetres on short links, the metre alone rounding on
    # long ones
    short = np.flatnonzero(
        (lengths_m < _SHORTER_SHARE * straight_m) & (lengths_m < straight_m - _SHORTER_M)
    )
    if not len(short):
        return
    names, first = list(shape.nodes), int(short[0])
    a, b = (names[i] for i in pairs[first].tolist())
    example = f"{a} to {b} has {lengths_m[first]:.1f} m, straight it is {straight_m[first]:.1f} m"
    what = f"{len(short)} links are shorter than the straight line between their nodes ({example})"
    do = "write lengths in metres; they are used as they are"
    problems.add(Problem(what, do, fault.file, field="length"))


_DEGREES = ("epsg:4326", "wgs84", "wgs 84", "ogc:crs84")
"""Names of the coordinate system whose x and y are longitude and latitude."""

_DEGREE_NAMES = {"lat", "lon"}


def is_networkx(candidate: object) -> bool:
    """Whether an object is a graph of networkx (osmnx's are), without importing networkx."""
    return any(base.__module__.partition(".")[0] == "networkx" for base in type(candidate).__mro__)


class NetworkxSource(Protocol):
    """What `to_networkx` needs of a `Graph`."""

    name: str
    frame: Frame
    ids: Sequence[str]
    positions: NDArray[np.float64]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    headings_deg: NDArray[np.float64] | None
    shapes: LinkShapes | None
    pois: Mapping[str, Poi]
    info: WorldInfo

    @property
    def lengths_m(self) -> NDArray[np.float64]: ...  # noqa: D102

    def poi_links(self, node: str) -> list[PoiLink]: ...  # noqa: D102


def to_networkx(graph: NetworkxSource) -> nx.DiGraph:
    """Convert a world to a `networkx.DiGraph`.

    Nodes have ``position`` (``(lat, lon)`` in degrees or ``(x, y, z)`` in metres), links
    ``heading_deg``, ``length_m`` and, where they bend, ``shape`` (positions from node to node).
    ``graph.graph`` holds ``name``, ``frame``, ``pois``, ``poi_links`` and ``info``, so that
    `Graph.from_networkx` gives back the same world. Of several links from one node to another the
    last stays.
    """
    # networkx takes 0.4 s to import, and few commands need it
    import networkx as nx

    links: list[PoiLink] = []
    for node in graph.ids:
        links += graph.poi_links(node)
    shape: nx.DiGraph = nx.DiGraph(
        name=graph.name, frame=graph.frame, pois=dict(graph.pois), poi_links=links, info=graph.info
    )
    for node, position in zip(graph.ids, graph.positions.tolist(), strict=True):
        shape.add_node(node, position=_as_written(position, graph.frame))
    headings = np.asarray(graph.headings_deg)
    for k, (a, b) in enumerate(zip(graph.sources, graph.targets, strict=True)):
        heading, length_m = float(headings[k]), float(graph.lengths_m[k])
        shape.add_edge(graph.ids[a], graph.ids[b], heading_deg=heading, length_m=length_m)
    if graph.shapes is not None:
        _add_shapes(shape, graph, graph.shapes)
    return shape


def _add_shapes(shape: nx.DiGraph, graph: NetworkxSource, shapes: LinkShapes) -> None:
    for k in shapes.bent.tolist():
        a, b = graph.sources[k], graph.targets[k]
        line = [graph.positions[a].tolist(), *shapes.bends(k).tolist(), graph.positions[b].tolist()]
        written = tuple(_as_written(place, graph.frame) for place in line)
        shape.edges[graph.ids[a], graph.ids[b]]["shape"] = written


def _as_written(position: Sequence[float], frame: Frame) -> tuple[float, ...]:
    """Return a position as files have it; a world across 180 degrees runs on beyond."""
    return (position[0], within_180(position[1])) if frame == "geo" else tuple(position)


def read_networkx(
    shape: nx.Graph, name: str | None = None, frame: Frame | None = None
) -> dict[str, Any]:
    """Read a graph of networkx or osmnx as the fields of a `Graph`.

    `shape`: directed or not (then each link counts both ways), with parallel links or not (of these
    the shortest is kept). A node has ``position`` or ``pos``, ``lat`` and ``lon``, or ``x`` and
    ``y`` as osmnx has them (longitude and latitude). An edge may have ``length`` in metres,
    ``geometry`` (its shape) and ``heading_deg``. Links may have ``heading_deg``; where one lacks
    it, all headings are computed from the positions. `name`: of the world; the graph's own name if
    not given. `frame`: ``geo`` where positions are ``(lat, lon)`` in degrees, ``metric`` where they
    are ``(x, y)`` or ``(x, y, z)`` in metres. A graph of `to_networkx` or of osmnx says so itself,
    and so do nodes with ``lat`` and ``lon``. Returns fields by name. Node ids are the graph's own
    as text. Streets of osmnx keep their nodes, lengths and shapes. A link's heading is the one with
    which one leaves along its shape, unless every edge names its ``heading_deg``; osmnx's
    ``bearing`` is the straight line's and is not used. Raises `InputError` where a node has no
    position, the frame is not known, or the graph is projected or empty.
    """
    title = name or str(shape.graph.get("name") or "networkx")
    if not len(shape):
        raise InputError("has no nodes", "give a graph with some", file=title)
    chosen = frame or _frame(shape, title)
    ids = [str(node) for node in shape.nodes]
    # 1 and "1" are two nodes in networkx, and one here
    if len(set(ids)) < len(ids):
        raise InputError("has two nodes with one name as text", "relabel them", file=title)
    wanted = 2 if chosen == "geo" else 3
    rows = []
    for node, data in shape.nodes(data=True):
        place = _position(data, chosen)
        if place is None:
            do = "give each node a position, lat and lon, or x and y"
            raise InputError(f"node {node} has no position", do, file=title, field="position")
        if len(place) < wanted and chosen == "metric":
            place = (*place, 0.0)
        if len(place) != wanted or not np.isfinite(place).all():
            what = f"node {node} has the position {tuple(place)}"
            raise InputError(what, f"give {wanted} finite numbers", file=title, field="position")
        if chosen == "geo" and (abs(place[0]) > 90 or abs(place[1]) > 180):
            what = f"node {node} has the position {tuple(place)}, which is none in degrees"
            raise InputError(
                what, "give latitude -90..90 and longitude -180..180", file=title, field="position"
            )
        rows.append(place)
    positions, problems = np.array(rows, dtype=float), Problems()
    if chosen == "geo":
        positions[:, 1] = run_on_at_180(positions[:, 1])
    links = read_edges(shape, positions, chosen, title, problems)
    info = shape.graph.get("info") or WorldInfo(source=title, attribution=_attribution(shape))
    return {
        "name": title,
        "frame": chosen,
        "ids": ids,
        "positions": positions,
        "sources": links.sources,
        "targets": links.targets,
        "headings_deg": links.headings_deg,
        "given_lengths_m": links.lengths_m,
        "shapes": links.shapes,
        "info": replace(info, problems=problems) if problems.kept else info,
        **_pois(shape, ids),
    }


def _frame(shape: nx.Graph, title: str) -> Frame:
    stated = shape.graph.get("frame")
    if stated in {"geo", "metric"}:
        return "geo" if stated == "geo" else "metric"
    crs = shape.graph.get("crs")
    if crs is None and all(data.keys() >= _DEGREE_NAMES for _, data in shape.nodes(data=True)):
        return "geo"
    if crs is None:
        do = "open it with navviz.open_graph(graph, frame='geo'), or frame='metric' for metres"
        raise InputError("does not say what its positions are", do, file=title)
    if str(crs).lower() not in _DEGREES:
        do = "give it in degrees: osmnx.project_graph(graph, to_latlong=True)"
        raise InputError(f"is projected ({str(crs)[:40]})", do, file=title)
    return "geo"


def _attribution(shape: nx.Graph) -> str | None:
    """Graphs of osmnx name the version that made them; their data must be attributed."""
    made = str(shape.graph.get("created_with", ""))
    return "© OpenStreetMap contributors" if "osmnx" in made.lower() else None


def _position(data: Mapping[str, Any], frame: Frame) -> tuple[float, ...] | None:
    # `pos` is what networkx's own generators write
    place: Sequence[float] | None = data.get("position", data.get("pos"))
    if place is not None:
        return tuple(float(value) for value in place)
    if frame == "geo" and data.keys() >= _DEGREE_NAMES:
        return float(data["lat"]), float(data["lon"])
    if data.get("x") is None or data.get("y") is None:
        return None
    x, y = float(data["x"]), float(data["y"])
    return (y, x) if frame == "geo" else (x, y, float(data.get("z", 0.0)))


def _pois(shape: nx.Graph, ids: Sequence[str]) -> dict[str, Any]:
    """POIs and their links as `Graph` takes them, of a graph that `to_networkx` made."""
    pois: Mapping[str, Poi] = shape.graph.get("pois") or {}
    index = {node: i for i, node in enumerate(ids)}
    order = {poi: i for i, poi in enumerate(pois)}
    given = shape.graph.get("poi_links") or ()
    # nodes may have been taken away since `to_networkx`
    links = [link for link in given if link.node in index and link.poi in order]
    if not links:
        return {"pois": pois}
    return {
        "pois": pois,
        "poi_link_nodes": np.array([index[link.node] for link in links], np.int32),
        "poi_link_pois": np.array([order[link.poi] for link in links], np.int32),
        "poi_link_headings_deg": np.array([link.heading_deg for link in links], dtype=float),
        "poi_link_positions": np.array([link.position for link in links], dtype=float),
    }
