"""Graphs of networkx and osmnx as worlds, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError, Problems
from navviz.world.geometry import Frame, run_on_at_180, within_180
from navviz.world.info import WorldInfo
from navviz.world.link_shapes import LinkShapes
from navviz.world.networkx_links import read_edges
from navviz.world.pois import Poi, PoiLink

if TYPE_CHECKING:
    import networkx as nx

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

    Parameters
    ----------
    shape
        Directed or not (then each link counts both ways), with parallel links or not (of these the
        shortest is kept). A node has ``position`` or ``pos``, ``lat`` and ``lon``, or ``x`` and
        ``y`` as osmnx has them (longitude and latitude). An edge may have ``length`` in metres,
        ``geometry`` (its shape) and ``heading_deg``. Links may have ``heading_deg``; where one
        lacks it, all headings are computed from the positions.
    name
        Of the world; the graph's own name if not given.
    frame
        ``geo`` where positions are ``(lat, lon)`` in degrees, ``metric`` where they are ``(x, y)``
        or ``(x, y, z)`` in metres. A graph of `to_networkx` or of osmnx says so itself, and so do
        nodes with ``lat`` and ``lon``.

    Returns
    -------
    dict
        Fields by name. Node ids are the graph's own as text. Streets of osmnx keep their nodes,
        lengths and shapes. A link's heading is the one with which one leaves along its shape,
        unless every edge names its ``heading_deg``; osmnx's ``bearing`` is the straight line's and
        is not used.

    Raises
    ------
    InputError
        Where a node has no position, the frame is not known, or the graph is projected or empty.
    """
    title = name or str(shape.graph.get("name") or "networkx")
    if not len(shape):
        raise InputError("has no nodes", "give a graph with some", file=title)
    chosen = frame or _frame(shape, title)
    ids = [str(node) for node in shape.nodes]
    # 1 and "1" are two nodes in networkx, and one here
    if len(set(ids)) < len(ids):
        raise InputError("has two nodes with one name as text", "relabel them", file=title)
    positions, problems = _positions(shape, chosen, title), Problems()
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


def _positions(shape: nx.Graph, frame: Frame, title: str) -> NDArray[np.float64]:
    wanted = 2 if frame == "geo" else 3
    rows = []
    for node, data in shape.nodes(data=True):
        place = _position(data, frame)
        if place is None:
            do = "give each node a position, lat and lon, or x and y"
            raise InputError(f"node {node} has no position", do, file=title, field="position")
        if len(place) < wanted and frame == "metric":
            place = (*place, 0.0)
        if len(place) != wanted or not np.isfinite(place).all():
            what = f"node {node} has the position {tuple(place)}"
            raise InputError(what, f"give {wanted} finite numbers", file=title, field="position")
        if frame == "geo" and (abs(place[0]) > 90 or abs(place[1]) > 180):
            what = f"node {node} has the position {tuple(place)}, which is none in degrees"
            raise InputError(
                what, "give latitude -90..90 and longitude -180..180", file=title, field="position"
            )
        rows.append(place)
    return np.array(rows, dtype=float)


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
