"""The streets around a place, or one floor of a house, for choosing nodes on a map."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from navviz.views.player.floor_plan import floor_shapes
from navviz.views.player.pictures import ground_of
from navviz.world.floors import find_floors
from navviz.world.graph import Graph, Poi
from navviz.world.link_lines import drawn_bends

_MOST_NODES = 12_000
"""Clickable nodes; the circle around the middle shrinks until they fit."""


def pick_document(
    graph: Graph,
    around: str,
    radius_m: float = 1500.0,
    *,
    start: str | None = None,
    goal: str | None = None,
    route: Sequence[str] = (),
    more: Sequence[str] = (),
    floor: int | None = None,
) -> dict[str, Any]:
    """Build the picker's document: nodes near a node, the links between them, the choices so far.

    Outdoors the nodes lie within `radius_m` metres, with positions ``[lat, lon]`` in degrees.
    Indoors they are those of one floor, with its rooms: that of the node `around` where `floor` is
    ``None``; positions are ``[y, x]`` in metres, north up.
    """
    if graph.frame == "metric":
        floors = find_floors(graph)
        floor = floors.of[around] if floor is None else floor
        inside = [node for node in graph.ids if floors.of[node] == floor]
        between = floors.stairs.union(*floors.links_between(graph))
        stairs = [k for k, node in enumerate(inside) if node in between]
        rooms = []
        for name, corners in floor_shapes(graph, floors, floor):
            outline = [[round(y, 3), round(x, 3)] for x, y in corners]
            rooms.append({"name": name, "outline": outline})
        drawn = _ground(graph, inside, around, rooms=rooms, stairs=stairs)
        picture = ground_of(graph, floors, floor)
        ground = drawn if picture is None else drawn | {"picture": picture}
        return ground | _chosen(inside, graph, start, goal, route, more)
    inside = graph.within(graph.position(around), radius_m)
    while len(inside) > _MOST_NODES:
        radius_m *= 0.8
        inside = graph.within(graph.position(around), radius_m)
    near = _named_near(graph, set(inside))
    pois = [{"at": list(poi.position[:2]), "name": poi.tags["name"]} for poi in near]
    ground = _ground(graph, inside, around, pois=pois)
    return ground | _chosen(inside, graph, start, goal, route, more)


def _ground(
    graph: Graph, inside: Sequence[str], around: str, **drawn: Sequence[object]
) -> dict[str, Any]:
    """Return the nodes and links to choose from, with POIs, rooms or stairs `drawn` around them."""
    place = {node: k for k, node in enumerate(inside)}
    pairs: set[tuple[int, int]] = set()
    for a in inside:
        for b in graph.neighbours(a):
            if b in place:
                pairs.add((min(place[a], place[b]), max(place[a], place[b])))
    links = sorted(pairs)
    return {
        "frame": graph.frame,
        "around": inside.index(around) if around in inside else None,
        "ids": inside,
        "at": [_point(graph, node) for node in inside],
        "links": links,
        "bends": _bends(graph, inside, links),
        "pois": [],
        "rooms": [],
        "stairs": [],
        "attribution": graph.info.attribution,
    } | drawn


def _bends(
    graph: Graph, inside: Sequence[str], links: Sequence[tuple[int, int]]
) -> list[tuple[int, list[list[float]]]]:
    """Return the bends of links that do not run straight, each with the link's number."""
    bends: list[tuple[int, list[list[float]]]] = []
    if graph.shapes is None:
        return bends
    for k, (a, b) in enumerate(links):
        line = _line(graph, drawn_bends(graph, inside[a], inside[b]).tolist())
        if line:
            bends.append((k, line))
    return bends


def _chosen(
    inside: Sequence[str],
    graph: Graph,
    start: str | None,
    goal: str | None,
    route: Sequence[str],
    more: Sequence[str],
) -> dict[str, Any]:
    """Return the choices visible here; a house's route is cut where it leaves the floor."""
    place = {node: k for k, node in enumerate(inside)}
    lines: list[list[list[float]]] = []
    for a, b in pairwise(route):
        if graph.frame == "metric" and a not in place and b not in place:
            # an empty line marks the gap: the next link on this floor begins a new line
            lines.append([])
            continue
        if not lines or not lines[-1]:
            lines.append([_point(graph, a)])
        lines[-1] += [*_line(graph, drawn_bends(graph, a, b).tolist()), _point(graph, b)]
    # The goal itself is number 1.
    numbered = enumerate(more, start=2)
    return {
        "start": place.get(start) if start is not None else None,
        "goal": place.get(goal) if goal is not None else None,
        "more": [(number, place[node]) for number, node in numbered if node in place],
        "several": bool(more),
        "route": [line for line in lines if line],
    }


def _point(graph: Graph, node: str) -> list[float]:
    return _line(graph, [graph.position(node)])[0]


def _line(graph: Graph, places: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return positions in the document's order, rounded."""
    if graph.frame == "geo":
        return [[round(place[0], 6), round(place[1], 6)] for place in places]
    return [[round(place[1], 3), round(place[0], 3)] for place in places]


def _named_near(graph: Graph, inside: set[str]) -> list[Poi]:
    """Return the POIs with a name that are linked to nodes inside, each once."""
    ids = graph.poi_ids
    near: dict[str, Poi] = {}
    links = zip(graph.poi_link_nodes.tolist(), graph.poi_link_pois.tolist(), strict=True)
    for node, number in links:
        if graph.ids[node] not in inside:
            continue
        poi = graph.pois[ids[number]]
        if "name" in poi.tags:
            near[poi.id] = poi
    return list(near.values())
