"""What an agent sees of the map: the visible area of GROKE (Shami et al. 2026, Algorithm 1).

From a node and a heading the view follows the street ahead - always the link with the least change
of heading - until it met a number of intersections, and three nodes more. Landmarks near that path
are attached to their nearest node.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from navviz.errors import InputError
from navviz.systems.groke.prompts.landmarks import Grounded
from navviz.world.geometry import (
    Direction,
    bearing_deg,
    great_circle_m,
    relative_direction,
    turn_deg,
)
from navviz.world.graph import Graph, Poi
from navviz.world.link_lines import arrival_deg, departure_deg

AREA_LINKS = 20
"""GROKE's published runs cut the map to the nodes within this many links of the route (its released
scripts).
"""

POI_RADIUS_M = 50.0
"""POIs farther than this from every node of the path are not seen."""
AT_NODE_M = 5.0
"""A POI nearer than this to its node counts as being at the node."""

_MAX_ITERATIONS = 1000
"""Ends a walk round a block that meets no intersection."""
_AHEAD_DEG = 100.0
"""A link whose heading changes by less than this leads ahead."""
_NODES_AFTER = 3
"""The area runs three nodes past the last intersection, as published: its corners are in sight."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A link that is offered: its target, its bearing and where it lies for the agent."""

    target: str
    heading_deg: float
    direction: Direction


@dataclass(frozen=True, slots=True)
class Branch:
    """A street that leaves an intersection, with its first nodes."""

    direction: Direction
    heading_deg: float
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearbyPoi:
    """A landmark's POI, seen from the path node nearest to it."""

    name: str
    """The landmark as the instruction names it."""
    letter: str
    poi: Poi
    direction: Direction
    position: str
    """``on the corner`` for a POI left or right of an intersection, else the direction in lower
    case.
    """
    distance_m: float


@dataclass(frozen=True, slots=True)
class PathNode:
    """One node of the street ahead."""

    id: str
    position: tuple[float, ...]
    """``(lat, lon)`` in degrees."""
    intersection: bool
    heading_deg: float
    """Heading with which one arrives; whole degrees at the first node."""
    connections: tuple[Connection, ...] = ()
    """Links that do not lead back, in file order."""
    branches: tuple[Branch, ...] = ()
    """At intersections: ahead, then left, then right."""
    nearby_pois: tuple[NearbyPoi, ...] = ()
    here: NearbyPoi | None = None
    """A POI less than 5 m away."""


@dataclass(frozen=True, slots=True)
class PreviousNode:
    """A node that the agent passed, with the links to others that it passed."""

    id: str
    intersection: bool
    connections: tuple[Connection, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a prompt format may show of a place."""

    node: str
    heading_deg: float
    path: tuple[PathNode, ...]
    landmarks: tuple[Grounded, ...] = ()
    """Landmarks of the current sub-goal, with their letters."""
    previous: tuple[PreviousNode, ...] = ()
    positions: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Positions of all nodes that the view names."""

    @property
    def legend(self) -> dict[str, str]:
        """Letters of the landmarks, by name."""
        return {landmark.name: landmark.letter for landmark in self.landmarks}

    @property
    def nearby(self) -> list[tuple[PathNode, NearbyPoi]]:
        """POIs beside the path with the node that they are attached to, in walking order."""
        pairs: list[tuple[PathNode, NearbyPoi]] = []
        for node in self.path:
            pairs += [(node, poi) for poi in node.nearby_pois]
        return pairs

    @property
    def seen(self) -> list[tuple[PathNode, NearbyPoi]]:
        """All POIs with their nodes, in walking order: those beside each node, then the one at it."""
        pairs: list[tuple[PathNode, NearbyPoi]] = []
        for node in self.path:
            pairs += [(node, poi) for poi in node.nearby_pois]
            if node.here is not None:
                pairs.append((node, node.here))
        return pairs

    @property
    def links(self) -> dict[str, tuple[str, ...]]:
        """The shown map as an adjacency: the connections, and each branch as a chain."""
        links: dict[str, list[str]] = {}
        for node in self.path:
            links.setdefault(node.id, []).extend(c.target for c in node.connections)
            for branch in node.branches:
                chain = (node.id, *branch.nodes)
                for a, b in itertools.pairwise(chain):
                    links.setdefault(a, []).append(b)
        return {node: tuple(dict.fromkeys(targets)) for node, targets in links.items()}


def is_intersection(graph: Graph, node: str) -> bool:
    """Whether a node is linked with more than two others."""
    return bool(graph.junction_degrees[graph.index[node]] > 2)


def look(
    graph: Graph,
    node: str,
    heading_deg: float,
    landmarks: Sequence[Grounded] = (),
    *,
    units: int = 1,
    poi_radius_m: float = POI_RADIUS_M,
    previous: Iterable[PreviousNode] = (),
) -> View:
    """Look ahead from a node.

    Raises `InputError` when the node is not in the graph, or the graph is not outdoors. Source:
    Shami et al. 2026, Algorithm 1 and section 3; the three nodes after the last intersection, the
    100 degrees and the cut of the first heading as the published prompts show them.
    """
    _check_place(graph, node)
    start_deg = int(heading_deg % 360.0)
    attached = _attach(graph, _reach(graph, node, start_deg, units), landmarks, poi_radius_m)
    path = []
    for at, facing_deg in _street(graph, node, start_deg, units):
        path.append(_path_node(graph, at, facing_deg, attached.get(at, ())))
    previous = tuple(previous)
    positions = positions_of(graph, path, previous)
    return View(node, heading_deg, tuple(path), tuple(landmarks), previous, positions)


def pois_in_sight(
    graph: Graph,
    node: str,
    heading_deg: float,
    *,
    units: int = 1,
    poi_radius_m: float = POI_RADIUS_M,
) -> list[Poi]:
    """POIs that `look` could show from a place, in walking order.

    A live agent is shown landmarks among these only: naming what stands elsewhere would tell where
    the route goes.
    """
    _check_place(graph, node)
    reach = _reach(graph, node, int(heading_deg % 360.0), units)
    near: dict[str, Poi] = {}
    for at in reach:
        # a metre of slack: `_attach` measures again, and decides
        for poi in graph.pois_near(graph.position(at), poi_radius_m + 1.0):
            near[poi.id] = poi
    return list(near.values())


def _check_place(graph: Graph, node: str) -> None:
    if graph.frame != "geo":
        raise InputError(
            f"the world {graph.name} is indoors", "look around in a map with latitude and longitude"
        )
    if node not in graph:
        raise InputError(f"node {node} is not in the graph {graph.name}", "take a node of this map")


def _bearing(graph: Graph, a: str, b: str) -> float:
    return departure_deg(graph, a, b)


def _ahead(
    graph: Graph, node: str, heading_deg: float, came_from: str | None = None
) -> tuple[str, float] | None:
    """Return the neighbour with the least change of heading and the heading on arrival there."""
    best: tuple[float, str] | None = None
    for target in graph.neighbours(node):
        if target in {node, came_from}:
            continue
        bearing = _bearing(graph, node, target)
        change = abs(turn_deg(heading_deg, bearing))
        # of equals the first: the order of the map's file decides
        if change < _AHEAD_DEG and (best is None or change < best[0]):
            best = (change, target)
    return None if best is None else (best[1], arrival_deg(graph, node, best[1]))


def _street(graph: Graph, node: str, heading_deg: float, units: int) -> list[tuple[str, float]]:
    """Return the street ahead with headings, to three plain nodes after the last intersection."""
    street: list[tuple[str, float]] = []
    met, after = 0, 0
    at: tuple[str, float] | None = (node, heading_deg)
    # a place counts with its heading: a street may cross itself
    seen: set[tuple[str, float]] = set()
    for _ in range(_MAX_ITERATIONS):
        if at is None or at in seen:  # a dead end, or a ring without intersections
            break
        seen.add(at)
        street.append(at)
        if is_intersection(graph, at[0]):
            met, after = met + 1, 0
        else:
            after += 1
        if met >= units and after >= _NODES_AFTER:
            break
        at = _ahead(graph, *at)
    return street


def _reach(graph: Graph, node: str, heading_deg: float, units: int) -> list[str]:
    """Return the nodes that may have POIs: up to any three after the last of `units` intersections."""
    reach: list[str] = []
    met, left = 0, None
    for at, _ in _street(graph, node, heading_deg, units):
        reach.append(at)
        if left is None and is_intersection(graph, at):
            met += 1
            left = _NODES_AFTER if met >= units else None
        elif left is not None:
            left -= 1
        if left == 0:
            break
    return list(dict.fromkeys(reach))


_Attached = tuple[Grounded, Poi, float]


def _attach(
    graph: Graph, nodes: Sequence[str], landmarks: Sequence[Grounded], radius_m: float
) -> dict[str, list[_Attached]]:
    """Attach each POI to the nearest of `nodes` within the radius."""
    attached: dict[str, list[_Attached]] = {}
    positions = np.array([graph.position(node) for node in nodes])
    for landmark in landmarks:
        for match in landmark.matches:
            distances_m = great_circle_m(positions, match.poi.position)
            nearest = int(np.argmin(distances_m))
            if distances_m[nearest] <= radius_m:
                attachment = (landmark, match.poi, float(distances_m[nearest]))
                attached.setdefault(nodes[nearest], []).append(attachment)
    return attached


def _path_node(
    graph: Graph, node: str, heading_deg: float, attached: Sequence[_Attached]
) -> PathNode:
    crossing = is_intersection(graph, node)
    pois = [nearby_poi(graph, node, heading_deg, crossing, *attachment) for attachment in attached]
    close = [poi for poi in pois if poi.distance_m < AT_NODE_M]
    there = []
    for target in graph.neighbours(node):
        connection = connection_to(graph, node, target, heading_deg)
        if connection.direction != "Back":
            there.append(connection)
    connections = tuple(there)
    return PathNode(
        id=node,
        position=graph.position(node),
        intersection=crossing,
        heading_deg=heading_deg,
        connections=connections,
        branches=_branches(graph, node, connections) if crossing else (),
        nearby_pois=tuple(poi for poi in pois if poi.distance_m >= AT_NODE_M),
        here=close[-1] if close else None,
    )


def nearby_poi(
    graph: Graph,
    node: str,
    heading_deg: float,
    crossing: bool,
    landmark: Grounded,
    poi: Poi,
    distance_m: float,
) -> NearbyPoi:
    """Say where a POI lies for an agent that passes a node."""
    lat, lon = graph.position(node)
    direction = relative_direction(
        heading_deg, bearing_deg((lat, lon), (poi.position[0], poi.position[1]))
    )
    corner = crossing and direction in {"Left", "Right"}
    position = "on the corner" if corner else direction.lower()
    return NearbyPoi(landmark.name, landmark.letter, poi, direction, position, distance_m)


def connection_to(graph: Graph, node: str, target: str, heading_deg: float) -> Connection:
    """Return a link as an agent sees it that arrives at a node with a heading."""
    bearing = _bearing(graph, node, target)
    return Connection(target, bearing, relative_direction(heading_deg, bearing))


def _branches(graph: Graph, node: str, connections: Sequence[Connection]) -> tuple[Branch, ...]:
    order = ("Forward", "Left", "Right")
    ordered = sorted(connections, key=lambda connection: order.index(connection.direction))
    return tuple(branch_of(graph, node, connection) for connection in ordered)


def branch_of(graph: Graph, node: str, connection: Connection) -> Branch:
    """Return a side street with two nodes, as published; with one where it ends there."""
    following = _ahead(graph, connection.target, connection.heading_deg, node)
    nodes = (connection.target,) if following is None else (connection.target, following[0])
    return Branch(connection.direction, connection.heading_deg, nodes)


def entry_of(graph: Graph, node: str, heading_deg: float) -> PathNode:
    """Return a node without landmarks, as an agent that arrives with a heading sees it."""
    return _path_node(graph, node, heading_deg, ())


def positions_of(
    graph: Graph, path: Sequence[PathNode], previous: Sequence[PreviousNode]
) -> dict[str, tuple[float, ...]]:
    """Return the positions of all nodes that a view names."""
    named = [node.id for node in previous]
    for node in path:
        named += [node.id, *(c.target for c in node.connections)]
        for branch in node.branches:
            named += branch.nodes
    return {node: graph.position(node) for node in named}


def cut_to_route(graph: Graph, route: Iterable[str], links: int) -> Graph:
    """Cut the graph cut to the nodes within `links` links of a route, with dead ends at its edge.

    For checks against published prompts only: in a live run it would tell the agent where the route
    goes. Raises `InputError` when the route is empty or leaves the graph.
    """
    nodes = list(route)
    missing = [node for node in nodes if node not in graph]
    if not nodes or missing:
        what = (
            f"node {missing[0]} of the route is not in the graph {graph.name}"
            if missing
            else "there is no route"
        )
        raise InputError(what, "do not cut the map to the route", field="reference_path")
    return graph.subgraph(graph.hop_ball(nodes, links))
