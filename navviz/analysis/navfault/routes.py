"""A correct walk of a real episode, as a plan of one line a turn and as moves from junction to
junction.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from navviz.analysis.turns import Side, walked_turns
from navviz.records import Episode
from navviz.systems.groke.prompts.visible_area import is_intersection, look
from navviz.world.geometry import great_circle_m, turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg
from navviz.world.pois import Poi

Thing = Literal["light", "intersection"]

_LIT_M: Final = 25.0
_APART_M: Final = 34.0
"""Junctions nearer than this may count as one or as two: such routes are left out."""
_STOP_M: Final = 15.0
_MOST_TURNS: Final = 4
_NAMED_M: Final = 38.0
"""How near to a node a place stands that a line names."""
_UNIQUE_M: Final = 400.0
_STRAIGHT_DEG: Final = 30.0
_TURN_DEG: Final = (55.0, 130.0)
"""Between these a link leads plainly to a side."""
_TOLD_UNITS: Final = 2
"""Junctions that a prompt reaches to."""
_NAME: Final = re.compile(
    r"(?:[A-Z][a-z]{2,}|[a-z]{2,3}|&)(?: (?:[A-Z][a-z]{2,}|[a-z]{2,3}|&)){0,3}"
)
_SPEAKING: Final = re.compile(
    r"\b(left|right|turn|light|stop|street|avenue|first|second|third|north|south|east|west|park"
    r"|square|plaza|corner|go|end|the|next)\b",
    re.IGNORECASE,
)
"""Words of a name that would read as a direction."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the plan: a turn, or the stop."""

    number: int
    side: Side | None
    """``None`` for the stop."""
    place: int
    """Index into the route: the junction of the turn, or the goal."""
    nth: int
    """Number of that junction since the line before."""
    thing: Thing
    landmark: Poi | None
    """Where the line names a place; it then counts nothing."""

    @property
    def landmark_name(self) -> str:
        """Name of that place; empty without one."""
        return "" if self.landmark is None else self.landmark.name


@dataclass(frozen=True, slots=True)
class PlaceSight:
    """What a prompt shows at a place."""

    places: tuple[tuple[str, Thing | None], ...]
    """Nodes of the street ahead; ``None`` where no junction is."""
    ways: tuple[tuple[str, str, str, int], ...]
    """Node, the node that a link leads to, its direction (``Left``, ``Right``, ``Forward``), and
    its compass heading in whole degrees.
    """
    pois: tuple[tuple[Poi, str, int], ...]
    """Named places with the node that each is near, and the distance in whole metres."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """All nodes that are shown."""
        shown = dict.fromkeys(node for node, _ in self.places)
        return tuple(shown | dict.fromkeys(target for _, target, _, _ in self.ways))

    @property
    def named(self) -> dict[str, str]:
        """Nodes of the named places, by name."""
        return {poi.name: node for poi, node, _ in self.pois}


@dataclass(frozen=True, slots=True)
class FaultRoute:
    """The route of an episode, cut into lines and moves."""

    episode: Episode
    graph: Graph
    nodes: tuple[str, ...]
    crossings: tuple[int, ...]
    """Indices of its junctions, without start and goal."""
    lines: tuple[Line, ...]

    def line_at(self, place: int) -> Line:
        """Return the line that is due on the way to a place of the route."""
        return next(line for line in self.lines if place <= line.place)

    def nth_at(self, place: int) -> int:
        """Return the number of a junction since the last turn."""
        line = self.line_at(place)
        begin = 0 if line.number == 0 else self.lines[line.number - 1].place
        return sum(begin < crossing <= place for crossing in self.crossings)

    def heading_after(self, walked: Sequence[str]) -> float:
        """Return the heading of who has walked these nodes from the start."""
        if len(walked) < 2:
            return self.episode.start_heading_deg or 0.0
        return arrival_deg(self.graph, *walked[-2:])

    def link_to(self, place: int, side: Side | None) -> str | None:
        """Return the node that the only link to a side, or straight on, leads to from a place of
        the route; ``None`` where there is none or several.
        """
        before, here = self.nodes[place - 1], self.nodes[place]
        arrived_deg = arrival_deg(self.graph, before, here)
        hits = []
        for target in self.graph.neighbours(here):
            angle_deg = turn_deg(arrived_deg, departure_deg(self.graph, here, target))
            bent = _TURN_DEG[0] <= abs(angle_deg) <= _TURN_DEG[1]
            straight = side is None and abs(angle_deg) <= _STRAIGHT_DEG
            if straight or (bent and side == ("left" if angle_deg < 0 else "right")):
                hits.append(target)
        return hits[0] if len(hits) == 1 and hits[0] != before else None


def drawn(*key: object) -> int:
    """Return a number that depends on nothing but the key, on each machine."""
    text = "|".join(map(str, key))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def route_of(episode: Episode, graph: Graph) -> FaultRoute | None:
    """Cut an episode's reference path; ``None`` where turns, counts or the goal are not plain."""
    nodes = episode.reference_path
    known = all(node in graph for node in nodes) and len(set(nodes)) == len(nodes) > 2
    if not known or graph.frame != "geo" or episode.start_heading_deg is None:
        return None
    if not all(graph.has_link(a, b) for a, b in pairwise(nodes)):
        return None
    crossings = [k for k in range(1, len(nodes) - 1) if is_intersection(graph, nodes[k])]
    turns = {turn.place: turn.side for turn in walked_turns(nodes, graph)}
    if not _is_plain(nodes, graph, crossings, list(turns)):
        return None
    lines: list[Line] = []
    begin, goal = 0, len(nodes) - 1
    for number, place in enumerate((*sorted(turns), goal)):
        since = [crossing for crossing in crossings if begin < crossing <= place]
        landmark = _landmark(graph, nodes, crossings, place)
        if place == goal and landmark is None:
            # a stop that no place marks is told by the junction just before it
            if not since or graph.path_length_m(nodes[since[-1] :]) > _STOP_M:
                return None
        # of turns that may be counted half are
        elif landmark is not None and place != goal and len(since) > 1:
            landmark = (None, landmark)[drawn(episode.id, number) % 2]
        lit = all(_is_lit(graph, nodes[crossing]) for crossing in since)
        thing: Thing = "light" if lit and since else "intersection"
        lines.append(Line(number, turns.get(place), place, len(since), thing, landmark))
        begin = place
    return FaultRoute(episode, graph, nodes, tuple(crossings), tuple(lines))


def _is_plain(
    nodes: Sequence[str], graph: Graph, crossings: Sequence[int], turns: Sequence[int]
) -> bool:
    """Whether there are one to four turns, all at junctions that lie apart, and each junction is
    either turned at or passed straight on; the stop needs a step of its own.
    """
    if not 1 <= len(turns) <= _MOST_TURNS or not set(turns) <= set(crossings):
        return False
    apart = all(graph.path_length_m(nodes[a : b + 1]) >= _APART_M for a, b in pairwise(crossings))
    for place in crossings:
        arrived_deg = arrival_deg(graph, nodes[place - 1], nodes[place])
        bend_deg = abs(turn_deg(arrived_deg, departure_deg(graph, *nodes[place : place + 2])))
        least, most = _TURN_DEG if place in turns else (0.0, _STRAIGHT_DEG)
        if not least <= bend_deg <= most:
            return False
    return apart and max(turns) + 1 < len(nodes) - 1


def moves_of(route: FaultRoute) -> list[tuple[int, int]]:
    """Cut the walk as ``(begin, end)`` of the route: moves end one node past a junction."""
    ends = [crossing + 1 for crossing in route.crossings]
    goal = len(route.nodes) - 1
    marks = [0, *(end for end in ends if end < goal), goal]
    return list(pairwise(marks))


def sight_of(graph: Graph, node: str, heading_deg: float, names: Collection[str]) -> PlaceSight:
    """Look two junctions ahead: the street, the ways that leave it, the places of these names and
    one more place a junction.
    """
    view = look(graph, node, heading_deg, units=_TOLD_UNITS)
    places: list[tuple[str, Thing | None]] = []
    ways = []
    nearest: dict[str, tuple[int, int, Poi]] = {}
    for k, at in enumerate(view.path):
        lit: Thing = "light" if _is_lit(graph, at.id) else "intersection"
        places.append((at.id, lit if at.intersection else None))
        for way in at.connections:
            ways.append((at.id, way.target, way.direction, round(way.heading_deg) % 360))
        for poi, away_m in _places_near(graph, at.id):
            if poi.name not in nearest or away_m < nearest[poi.name][0]:
                nearest[poi.name] = (away_m, k, poi)
    pois, taken = [], set[int]()
    for away_m, k, poi in sorted(nearest.values(), key=lambda entry: entry[:2]):
        if poi.name in names or (view.path[k].intersection and k not in taken):
            pois.append((poi, view.path[k].id, away_m))
        taken.add(k)
    return PlaceSight(tuple(places), tuple(ways), tuple(pois))


def _is_lit(graph: Graph, node: str) -> bool:
    near = graph.pois_near(graph.position(node), _LIT_M)
    return any(poi.tags.get("highway") == "traffic_signals" for poi in near)


def _places_near(graph: Graph, node: str) -> list[tuple[Poi, int]]:
    """Named places near a node whose names do not read as directions, with metres."""
    hits = []
    here = graph.position(node)
    for poi in graph.pois_near(here, _NAMED_M):
        name = poi.tags.get("name", "")
        if _NAME.fullmatch(name) and len(name) > 4 and not _SPEAKING.search(name):
            # whole metres: the last digits of a distance differ between machines
            hits.append((poi, round(float(great_circle_m(here, poi.position)))))
    return hits


def _landmark(
    graph: Graph, nodes: Sequence[str], crossings: Sequence[int], place: int
) -> Poi | None:
    """Return the named place near a node of the route that lies at no other junction and whose name
    no other place near by has.
    """
    here = graph.position(nodes[place])
    for poi, away_m in _places_near(graph, nodes[place]):
        others = [
            great_circle_m(graph.position(nodes[k]), poi.position) for k in crossings if k != place
        ]
        alike = [other for other in graph.pois_near(here, _UNIQUE_M) if other.name == poi.name]
        if len(alike) == 1 and all(float(other) > away_m + 20.0 for other in others):
            return poi
    return None
