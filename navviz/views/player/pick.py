"""The streets around a place, for choosing nodes on a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from navviz.world.graph import Graph

__all__ = ["pick_document"]

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
) -> dict[str, Any]:
    """Build the picker's document: nodes within `radius_m` metres of a node, the links between them, what was chosen.

    Outdoors positions are ``[lat, lon]`` in degrees; indoors ``[y, x]`` in metres, north up.
    """
    radius_m = radius_m if graph.frame == "geo" else 1e6
    inside = graph.within(graph.position(around), radius_m)
    while len(inside) > _MOST_NODES:
        radius_m *= 0.8
        inside = graph.within(graph.position(around), radius_m)
    place = {node: i for i, node in enumerate(inside)}
    links = {
        (min(place[a], place[b]), max(place[a], place[b])) for a in inside for b in graph.neighbours(a) if b in place
    }
    return {
        "frame": graph.frame,
        "around": place.get(around),
        "ids": inside,
        "at": [_point(graph, node) for node in inside],
        "links": sorted(links),
        "pois": [{"at": list(poi.position[:2]), "name": poi.tags["name"]} for poi in _named_near(graph, set(inside))],
        "start": place.get(start) if start is not None else None,
        "goal": place.get(goal) if goal is not None else None,
        "more": [place[node] for node in more if node in place],
        "route": [_point(graph, node) for node in route],
        "attribution": graph.info.attribution,
    }


def _point(graph: Graph, node: str) -> list[float]:
    first, second = graph.position(node)[:2]
    return [round(first, 6), round(second, 6)] if graph.frame == "geo" else [round(second, 3), round(first, 3)]


def _named_near(graph: Graph, inside: set[str]) -> list[Any]:
    if graph.frame != "geo":
        return []
    pois = list(graph.pois.values())
    near: dict[str, Any] = {}
    for node, poi in zip(graph.poi_link_nodes.tolist(), graph.poi_link_pois.tolist(), strict=True):
        if graph.ids[node] in inside and "name" in pois[poi].tags:
            near[pois[poi].id] = pois[poi]
    return list(near.values())
