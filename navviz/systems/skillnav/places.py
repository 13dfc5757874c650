"""What the agent reads of a place: NavGPT's texts indoors, our own of streets outdoors.

Outdoors a way leads along a street to the next junction, or `LEG_NODES` nodes on, and is described
by the names and kinds of the POIs along it.
"""

from __future__ import annotations

from navviz.observations.panorama import look_around, observations_of, observe, summary_of
from navviz.observations.panorama_text import DirectionView, angle_text
from navviz.records import Candidate, Observation, SeenPoi
from navviz.systems.skillnav.memory import OpenWay, Place
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph, Poi

LEG_NODES = 5
"""Outdoors a way ends after so many nodes where no junction comes: about 50 m on Map2Seq's graph.
"""

_MOST_NAMES = 6
"""Names told of a place, so that a line of the prompt stays readable."""
_NEAR_M = 15.0
"""About the width of an avenue: both sides of the street are in sight."""
_KINDS = frozenset({"amenity", "shop", "tourism", "leisure", "highway"})
_SAID = {"traffic signals": "traffic light"}
"""Tags for which people say another word."""


def look(graph: Graph, node: str, heading_deg: float) -> Place:
    """Return the place at a node, seen with a heading."""
    if graph.frame == "geo":
        return _streets(graph, node, heading_deg)
    return _rooms(graph, node, heading_deg)


def _rooms(graph: Graph, node: str, heading_deg: float) -> Place:
    views = look_around(graph, node, heading_deg)
    near: dict[str, None] = {}
    ways: list[OpenWay] = []
    for view in views:
        near.update(dict.fromkeys(thing.name for thing in view.objects))
        ways += [_way(graph, node, view, candidate) for candidate in view.candidates]
    return Place(node, heading_deg, summary_of(graph, node), tuple(ways), views, tuple(near))


def _way(graph: Graph, node: str, view: DirectionView, candidate: Candidate) -> OpenWay:
    things = ", ".join(thing.name for thing in view.objects)
    return OpenWay(
        node=candidate.node,
        heading_deg=candidate.heading_deg or 0.0,
        angle_deg=candidate.angle_deg or 0.0,
        rise_m=graph.position(candidate.node)[2] - graph.position(node)[2],
        distance_m=graph.distance_m(node, candidate.node),
        path=(node, candidate.node),
        text=f"{view.scene or ''} {things}".strip(),
    )


def _streets(graph: Graph, node: str, heading_deg: float) -> Place:
    # two streets may end at one place: the later one stays
    ways: dict[str, OpenWay] = {}
    for other in graph.neighbours(node):
        way = _street(graph, node, other, heading_deg)
        ways[way.node] = way
    names = _names(graph, (node,))
    kind = "intersection, junction or corner" if graph.degree(node) > 2 else "street"
    summary = f"{kind} with {graph.degree(node)} ways on"
    if names:
        summary += f", near {', '.join(names)}"
    return Place(node, heading_deg, summary, tuple(ways.values()), near=names)


def _street(graph: Graph, node: str, first: str, heading_deg: float) -> OpenWay:
    path = [node, first]
    while graph.degree(path[-1]) == 2 and len(path) <= LEG_NODES:
        # not back, and not a second time round a block
        on = [other for other in graph.neighbours(path[-1]) if other not in path]
        if not on:
            break
        path.append(on[0])
    heading = next(h for other, h in graph.links(node) if other == first)
    return OpenWay(
        node=path[-1],
        heading_deg=heading,
        angle_deg=turn_deg(heading_deg, heading),
        rise_m=0.0,
        distance_m=graph.path_length_m(path),
        path=tuple(path),
        text=", ".join(_names(graph, tuple(path[1:]))),
    )


def _names(graph: Graph, nodes: tuple[str, ...]) -> tuple[str, ...]:
    """Return what stands along some nodes: their linked POIs, and those near the last node."""
    # near the end of the way first, since only the first names are said
    pois = [*graph.pois_near(graph.position(nodes[-1]), _NEAR_M)]
    for node in nodes:
        pois += [graph.pois[link.poi] for link in graph.poi_links(node)]
    return tuple(dict.fromkeys(map(_spoken, pois)))[:_MOST_NAMES]


def _spoken(poi: Poi) -> str:
    """Return name and kinds of a POI as people say them."""
    kinds = [value.replace("_", " ") for key, value in poi.tags.items() if key in _KINDS]
    return " ".join(dict.fromkeys(_SAID.get(name, name) for name in [poi.name, *kinds]))


def observation(graph: Graph, place: Place) -> Observation:
    """Return what the agent is shown, as an observation."""
    if place.views:
        return observe(place.views, described=place.node in observations_of(graph).scenes)
    visible: dict[str, None] = {}
    for way in place.ways:
        visible.update(dict.fromkeys(way.path[1:]))
    return Observation(
        format="street-ways",
        text="\n".join([f"Here: {place.summary}.", *map(_line, place.ways)]),
        visible_nodes=tuple(visible),
        pois=tuple(SeenPoi(name=name, node=place.node) for name in place.near),
        candidates=tuple(map(_candidate, place.ways)),
    )


def _candidate(way: OpenWay) -> Candidate:
    return Candidate(
        node=way.node,
        direction=angle_text(way.angle_deg),
        heading_deg=round(way.heading_deg, 2),
        angle_deg=round(way.angle_deg, 2),
        distance_m=round(way.distance_m, 2),
        path=way.path,
    )


def _line(way: OpenWay) -> str:
    along = f", along {way.text}" if way.text else ""
    return f"{way.node}: {angle_text(way.angle_deg)} degrees, {way.distance_m:.0f} m{along}"
