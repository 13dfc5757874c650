"""What SkillNav's agents read: the place, and the global map of what was visited or seen."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from navviz.observations.panorama import (
    DirectionView,
    angle_text,
    look_around,
    observations_of,
    observe,
    summary_of,
)
from navviz.records import Candidate, Observation, SeenPoi
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph, Poi

STOP = "stop"
"""The action that ends the walk, beside the node ids."""


@dataclass(frozen=True, slots=True)
class OpenWay:
    """A place that can be gone to from here."""

    node: str
    heading_deg: float
    angle_deg: float
    """Relative to the agent's heading, positive to the right."""
    rise_m: float
    """How much higher it lies; 0 outdoors."""
    distance_m: float
    path: tuple[str, ...]
    """Nodes from here to there, both included."""
    text: str = ""
    """Words for the direction in which it lies."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the agent stands and what it can read there."""

    node: str
    heading_deg: float
    summary: str
    """One sentence on the place itself."""
    ways: tuple[OpenWay, ...]
    views: tuple[DirectionView, ...] = ()
    """The eight directions, indoors."""
    near: tuple[str, ...] = ()
    """Names of the things within 3 m."""

    def way(self, node: str) -> OpenWay | None:
        """Return the way to a node; ``None`` where none leads there at once."""
        return next((way for way in self.ways if way.node == node), None)


@dataclass
class GlobalMap:
    """The map that grows with the walk: visited and seen places, links, stop probabilities."""

    visited: dict[str, None] = field(default_factory=dict)
    """In the order of the first visit."""
    seen: dict[str, OpenWay] = field(default_factory=dict)
    """Each with the way by which it was seen last."""
    links: dict[str, dict[str, tuple[float, tuple[str, ...]]]] = field(default_factory=dict)
    """Known links: from, to, length in metres and the nodes on the way."""
    stop_prob: dict[str, float] = field(default_factory=dict)
    """Of each visited place, as stored when the agent stood there last."""
    remaining: int | None = None
    """Sub-goals that come after the one that is due; ``None`` where nobody knows."""
    finished: bool = False
    """Whether the localiser holds that all is done."""

    def arrive(self, place: Place) -> None:
        """Take a place and what is seen from it into the map."""
        self.visited.setdefault(place.node)
        # the frontier is made of `seen`: a place that was visited leaves it
        self.seen.pop(place.node, None)
        for way in place.ways:
            self.links.setdefault(place.node, {})[way.node] = (way.distance_m, way.path)
            # the way back holds until the agent has seen its own
            back = (way.distance_m, way.path[::-1])
            self.links.setdefault(way.node, {}).setdefault(place.node, back)
            if way.node not in self.visited:
                self.seen[way.node] = way

    @property
    def frontier(self) -> tuple[str, ...]:
        """Seen places that were not visited, in the order in which they were seen."""
        return tuple(self.seen)

    def pairs(self) -> list[tuple[str, str]]:
        """Known links, each once."""
        pairs: set[tuple[str, str]] = set()
        for a, targets in self.links.items():
            pairs |= {(min(a, b), max(a, b)) for b in targets}
        return sorted(pairs)

    def way_to(self, start: str, goal: str) -> tuple[str, ...] | None:
        """Return the shortest known way through visited places; ``None`` where there is none."""
        distances = self.distances_m(start)
        if goal not in distances:
            return None
        hops = [goal]
        while hops[-1] != start:
            hops.append(distances[hops[-1]][1])
        path: list[str] = [start]
        # hops run from the goal back: read from the other end, each place meets the one after it,
        # and the goal has none
        for here, there in zip(hops[::-1], hops[-2::-1], strict=False):
            path.extend(self.links[here][there][1][1:])
        return tuple(path)

    def distances_m(self, start: str) -> dict[str, tuple[float, str]]:
        """Length of the shortest known way in metres to each place, and the place before it."""
        best: dict[str, tuple[float, str]] = {start: (0.0, start)}
        queue, done = [(0.0, start)], set[str]()
        while queue:
            walked_m, node = heapq.heappop(queue)
            # an older, longer way that was left in the queue
            if node in done:
                continue
            done.add(node)
            if node != start and node not in self.visited:
                continue  # what was only seen is no way through
            for target, (length_m, _) in self.links.get(node, {}).items():
                reached_m = walked_m + length_m
                if reached_m < best.get(target, (float("inf"), ""))[0]:
                    best[target] = (reached_m, node)
                    heapq.heappush(queue, (reached_m, target))
        return best

    def best_stop(self, here: str) -> str | None:
        """Return the visited place with the highest stop probability; ``None`` where it is here."""
        # a place has to be better than this one: for an equal chance nobody walks back
        best, highest = None, self.stop_prob.get(here, 0.0)
        for node, prob in self.stop_prob.items():
            if prob > highest and node != here:
                best, highest = node, prob
        return best


def normalised(scores: Mapping[str, float], allowed: Iterable[str]) -> dict[str, float]:
    """Scores of the allowed places made to sum to 1; equal ones where all are zero."""
    # a model may write a score below 0, which is no share of 1
    kept = {node: max(0.0, float(scores.get(node, 0.0))) for node in allowed}
    total = sum(kept.values())
    if total <= 0:
        return dict.fromkeys(kept, 1.0 / len(kept)) if kept else {}
    return {node: value / total for node, value in kept.items()}


def option_scores(pairs: Iterable[tuple[object, object]]) -> dict[str, float]:
    """Return the numbers of a reply by option; ``stop`` counts in upper case, too."""
    scores: dict[str, float] = {}
    for key, value in pairs:
        if isinstance(value, int | float) and not isinstance(value, bool):
            option = str(key)
            scores[STOP if option.lower() == STOP else option] = float(value)
    return scores


def options(place: Place, memory: GlobalMap, action_space: str) -> Sequence[str]:
    """Return stop and the places to choose from: all seen and not visited, or the neighbours."""
    if action_space == "local":
        return (STOP, *(way.node for way in place.ways))
    return (STOP, *memory.frontier)


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
