"""Show one thing more than the visible area holds: a landmark, or a way; both are repairs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz import fuzz

from navviz.errors import InputError
from navviz.records import Trace
from navviz.systems.groke.prompts.landmarks import Grounded, Match, assign_letters, poi_text
from navviz.systems.groke.prompts.visible_area import (
    AT_NODE_M,
    Connection,
    NearbyPoi,
    PathNode,
    PreviousNode,
    View,
    branch_of,
    connection_to,
    entry_of,
    look,
    nearby_poi,
    positions_of,
)
from navviz.world.geometry import great_circle_m, turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg


@dataclass(frozen=True, slots=True)
class ShownLandmark:
    """A landmark that a repair shows while one sub-goal is due."""

    name: str
    poi: str
    sub_goal: int
    """Index of that sub-goal, counted from 0."""


def shown_landmark(past: Trace | None, current: int) -> ShownLandmark | None:
    """Return what a fork is to be shown; ``None`` where it repairs no landmark."""
    origin = None if past is None else past.header.forked_from
    if past is None or origin is None or origin.repair is None:
        return None
    if origin.repair.kind != "show_landmark":
        return None
    for step in past.steps:
        if step.index == origin.step and step.sub_goal is not None:
            # the repair was made for this step: its sub-goal counts, even where another one is due
            # by now
            current = step.sub_goal
    name, poi = origin.repair.parameters["name"], origin.repair.parameters["poi"]
    return ShownLandmark(str(name), str(poi), current)


def with_landmark(view: View, graph: Graph, shown: ShownLandmark) -> View:
    """Return a view that lists the landmark too, beside the nearest node of the street ahead.

    Raises `InputError` when the map has no such place.
    """
    if shown.poi not in graph.pois:
        raise InputError(
            f"place {shown.poi} is not on the map {graph.name}", "show a place of this map"
        )
    if any(poi.poi.id == shown.poi for _, poi in view.seen):
        return view
    poi = graph.pois[shown.poi]
    names = [landmark.name for landmark in view.landmarks]
    # letters are given in order, so that the landmarks before this one keep theirs
    letters = assign_letters(list(dict.fromkeys([*names, shown.name])))
    match = Match(poi, fuzz.partial_ratio(shown.name, poi_text(poi)))
    mark = Grounded(shown.name, (match,), letters[shown.name])
    landmarks = [*view.landmarks]
    if shown.name in names:
        place = names.index(shown.name)
        matches = (*landmarks[place].matches, match)
        landmarks[place] = replace(landmarks[place], matches=matches)
    else:
        landmarks.append(mark)
    positions = np.array([node.position for node in view.path])
    distances_m = great_circle_m(positions, poi.position)
    nearest = int(np.argmin(distances_m))
    node = view.path[nearest]
    entry = nearby_poi(
        graph,
        node.id,
        node.heading_deg,
        node.intersection,
        mark,
        poi,
        float(distances_m[nearest]),
    )
    path = list(view.path)
    path[nearest] = _with_entry(node, entry.distance_m < AT_NODE_M, entry)
    return replace(view, path=tuple(path), landmarks=tuple(landmarks))


def _with_entry(node: PathNode, close: bool, entry: NearbyPoi) -> PathNode:
    if close and node.here is None:
        return replace(node, here=entry)
    return replace(node, nearby_pois=(*node.nearby_pois, entry))


def with_way(view: View, graph: Graph, node: str, target: str) -> View:
    """Return a view that lists the link from a node to another too; the same without that node.

    The published area leaves out links that lead back. At an intersection the link gets its branch
    as the others have; where a side street alone shows the node, the node gets an entry of its own.
    """
    if target in view.links.get(node, ()) or target not in graph or node not in graph:
        return view
    places = [place for place, entry in enumerate(view.path) if entry.id == node]
    path = list(view.path)
    if places:
        place = places[0]
    else:
        came_from = next((other for other, near in view.links.items() if node in near), None)
        if came_from is None:
            return view  # out of sight in this step
        place = len(path)
        path.append(entry_of(graph, node, arrival_deg(graph, came_from, node)))
        if target in {connection.target for connection in path[place].connections}:
            return _with_path(view, graph, path)
    entry = path[place]
    link = connection_to(graph, node, target, entry.heading_deg)
    branches = entry.branches
    if entry.intersection:
        branches = (*branches, branch_of(graph, node, link))
    path[place] = replace(entry, connections=(*entry.connections, link), branches=branches)
    return _with_path(view, graph, path)


def _with_path(view: View, graph: Graph, path: list[PathNode]) -> View:
    return replace(view, path=tuple(path), positions=positions_of(graph, path, view.previous))


_PRINTED_DEG = 0.005
"""Contexts print headings with two decimals."""


def arrival_heading_deg(graph: Graph, a: str, b: str) -> float | None:
    """Return the last link's bearing from `a` to `b`, by fewest links; ``None`` without a way."""
    route = _leg(graph, a, b)
    return None if len(route) < 2 else arrival_deg(graph, route[-2], route[-1])


def exact_heading_deg(graph: Graph, node: str, printed_deg: float) -> float:
    """Return the bearing of the link into `node` that a printed heading was rounded from, or it.

    It matters since the view begins with the heading cut to whole degrees: 229.998 is printed as
    230.0 and cut to 229.
    """
    if node not in graph:
        return printed_deg
    into = graph.sources[graph.targets == graph.index[node]].tolist()
    bearings = (arrival_deg(graph, graph.ids[source], node) for source in into)
    near = (bearing for bearing in bearings if abs(turn_deg(printed_deg, bearing)) <= _PRINTED_DEG)
    return min(near, key=lambda bearing: abs(turn_deg(printed_deg, bearing)), default=printed_deg)


def previous_path(
    graph: Graph, waypoints: Sequence[str], *, units: int = 1
) -> tuple[PreviousNode, ...]:
    """Return the nodes passed between the named places, as GROKE's published prompts list them.

    Each leg is the way with the fewest links. Of a leg only those nodes are listed that were in
    view from its start (facing along its first link), each with the offered links that stay on the
    leg; the place where the agent stands is left out, and so are legs without a way.
    """
    legs = [_leg(graph, a, b) for a, b in itertools.pairwise(waypoints)]
    legs = [leg for leg in legs if len(leg) > 1]
    kept: dict[str, PreviousNode] = {}
    for leg in legs:
        view = look(graph, leg[0], departure_deg(graph, leg[0], leg[1]), units=units)
        for node in view.path:
            if node.id in leg:
                kept[node.id] = _merged(kept.get(node.id), node, leg)
    order: dict[str, None] = {}
    for leg in legs:
        # the end of a leg begins the next one, and the last end is where the agent stands
        order.update(dict.fromkeys(leg[:-1]))
    return tuple(kept[node] for node in order if node in kept)


def _leg(graph: Graph, a: str, b: str) -> tuple[str, ...]:
    if a not in graph or b not in graph:
        return ()
    return graph.hops(a, b) or ()


def _merged(former: PreviousNode | None, node: PathNode, leg: Sequence[str]) -> PreviousNode:
    on_leg = tuple(c for c in node.connections if c.target in leg)
    if former is None:
        return PreviousNode(node.id, node.intersection, on_leg)
    # a node passed twice keeps the links of both legs
    targets = {c.target for c in former.connections}
    more: tuple[Connection, ...] = tuple(c for c in on_leg if c.target not in targets)
    return PreviousNode(node.id, former.intersection, former.connections + more)
