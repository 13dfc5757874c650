"""Choose the content of a figure's panels: one an episode outdoors, one a floor indoors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.metrics.divergence import find_divergence
from navviz.records import SeenPoi, Trace
from navviz.views.player.floor_plan import floor_shapes
from navviz.views.player.pictures import chosen_pictures
from navviz.world.floors import Floors, find_floors
from navviz.world.graph import Graph
from navviz.world.info import FloorPicture
from navviz.world.link_lines import link_segments, metric_line_of

MarkKind = Literal["start", "stop", "goal", "divergence", "stairs"]
PlaceKind = Literal["landmark", "missed", "guess"]
"""A landmark in its place; a landmark without any guess; a wrong guess for a landmark."""
Points = NDArray[np.float64]

_MARGIN_M = {"geo": 30.0, "metric": 1.0}
_MARGIN_SHARE = 0.12
"""Free margin around the paths for labels, as a share of the longer side."""
_PLACE_LIMIT = 12
"""More landmarks than this leave no free place for their names at the width of one column."""
_MARKED = {"wrong turn", "overshoot", "undershoot", "illegal decision"}
"""Kinds of divergence that have a place."""


@dataclass(frozen=True, slots=True)
class FigureEpisode:
    """An episode that is drawn."""

    trace: Trace
    graph: Graph
    landmarks: Mapping[str, str] | None = None
    """Ids of POIs by the names they are labelled with; ``None`` labels what the agent was shown."""
    guesses: Mapping[str, SeenPoi | None] = field(default_factory=dict)
    """The navigator's wrong guess by the landmark's name; ``None`` where it guessed nothing."""
    steps: tuple[int, ...] = ()
    """Steps whose numbers stand on the agent's path."""
    only: frozenset[str] | None = None
    """Names of landmarks and rooms that are labelled; ``None`` labels all."""

    def names(self, name: str) -> bool:
        """Whether a name is written."""
        return self.only is None or name in self.only


@dataclass(frozen=True, slots=True)
class Named:
    """A name and its place, in the metres of `Graph.metric_positions`."""

    name: str
    at: tuple[float, float]
    outline: Points | None = None
    """Corners of an area, ``(k, 2)``."""
    kind: PlaceKind = "landmark"


@dataclass(frozen=True, slots=True)
class MapPanel:
    """One map; all positions are metres."""

    title: str
    low: Points
    high: Points
    """Corners of the part that must be visible."""
    reference: list[Points]
    walked: list[Points]
    """Lines, ``(k, 2)`` each."""
    streets: Points
    """Links, ``(k, 2, 2)``."""
    marks: list[tuple[MarkKind, tuple[float, float]]]
    places: list[Named]
    steps: list[Named] = field(default_factory=list)
    """Numbers of steps, each where it was decided."""
    rooms: list[Named] = field(default_factory=list)
    ground: FloorPicture | None = None
    """Picture of the floor, drawn under everything else."""
    radius_m: float = 0.0
    """Success radius around the goal."""
    divergence: str = ""
    """Kind of the divergence, where there is one."""
    has_north: bool = True


def panels_of(episode: FigureEpisode, title: str = "", *, labels: bool = True) -> list[MapPanel]:
    """Return the panels of an episode."""
    walk = _Walk.of(episode, labels=labels)
    if episode.graph.frame == "geo":
        return [walk.panel(title)]
    floors = find_floors(episode.graph)
    # where no node of the episode is in the graph, the first floor is drawn
    touched = sorted({floors.of[node] for node in walk.nodes}) or list(range(min(1, len(floors))))
    rooms = {k: _rooms(episode, floors, k) for k in touched}
    shapes = [room.outline for room in chain.from_iterable(rooms.values())]
    corners = [shape for shape in shapes if shape is not None]
    titles = {k: _joined(title, floors.names[k]) for k in touched}
    if len(floors) == 1:
        # a bungalow needs no number of its floor, and a flight over open ground has no floor
        titles = dict.fromkeys(touched, title)
    grounds = chosen_pictures(episode.graph, floors)
    panels = [walk.panel(titles[k], floors, k, rooms[k], corners) for k in touched]
    pairs = zip(touched, panels, strict=True)
    return [replace(panel, ground=grounds.get(k)) for k, panel in pairs]


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _Walk:
    """The drawn parts of an episode."""

    graph: Graph
    reference: list[str]
    walked: list[str]
    goal: str | None
    radius_m: float
    divergence: tuple[str, str] | None
    """Its kind and node."""
    places: list[tuple[Named, str]]
    """Each with the node that it belongs to."""
    steps: list[tuple[Named, str]]
    """As the places."""

    @classmethod
    def of(cls, episode: FigureEpisode, *, labels: bool) -> _Walk:
        trace, graph = episode.trace, episode.graph
        reference = [node for node in trace.episode.reference_path if node in graph]
        # Without steps, the path of a trace is its start alone.
        walked = [node for node in trace.path if node in graph] if trace.steps else []
        goal = trace.episode.goal
        divergence: tuple[str, str] | None = None
        left = find_divergence(trace, graph)
        if walked and left.kind in _MARKED and left.node is not None and left.node in graph:
            divergence = (left.kind, left.node)
        places = _places(episode, [*reference, *walked]) if labels else []
        return cls(
            graph,
            reference,
            walked,
            goal if goal in graph else None,
            trace.episode.success_radius_m,
            divergence,
            places[:_PLACE_LIMIT],
            _numbers(episode),
        )

    @property
    def nodes(self) -> list[str]:
        nodes = [*self.reference, *self.walked]
        if self.goal is not None:
            nodes.append(self.goal)
        return nodes

    def at(self, node: str) -> tuple[float, float]:
        x, y = self.graph.metric_positions[self.graph.index[node]][:2]
        return float(x), float(y)

    def panel(
        self,
        title: str,
        floors: Floors | None = None,
        floor: int = 0,
        rooms: Sequence[Named] = (),
        corners: Sequence[Points] = (),
    ) -> MapPanel:
        """Return one panel: everything, or one floor with the stairs that leave it."""
        # all `corners` are visible: those of the rooms of all floors, so that the floors align

        def here(node: str) -> bool:
            return floors is None or floors.of[node] == floor

        low, high = self._extent(corners)
        marks: list[tuple[MarkKind, tuple[float, float]]] = []
        ends: list[tuple[MarkKind, str | None]] = [
            ("goal", self.goal),
            ("stop", self.walked[-1] if self.walked else None),
            ("start", next(iter(self.walked or self.reference), None)),
            ("divergence", self.divergence[1] if self.divergence else None),
        ]
        marks += [(kind, self.at(node)) for kind, node in ends if node is not None and here(node)]
        if floors is not None:
            marks += [("stairs", at) for at in self._stairs(floors, floor)]
        # the links near the box; in a house those of one floor
        graph = self.graph
        p, span = graph.metric_positions[:, :2], high - low
        keep = np.logical_and.reduce((p >= low - span) & (p <= high + span), axis=1)
        if floors is not None:
            keep &= np.array([floors.of[node] == floor for node in graph.ids])
            # a link to another floor would end in the middle of this one
            both = keep[graph.sources] & keep[graph.targets]
        else:
            # one end is enough: a street has to go on to the edge of the panel
            both = keep[graph.sources] | keep[graph.targets]
        both &= graph.sources < graph.targets
        return MapPanel(
            title=title,
            low=low,
            high=high,
            reference=self._lines(self.reference, floors, floor),
            walked=self._lines(self.walked, floors, floor),
            streets=link_segments(graph, np.flatnonzero(both)),
            marks=marks,
            places=[place for place, node in self.places if here(node)],
            steps=[place for place, node in self.steps if here(node)],
            rooms=list(rooms),
            radius_m=self.radius_m,
            divergence=self.divergence[0] if self.divergence and here(self.divergence[1]) else "",
            # the axes of a house say nothing about north
            has_north=floors is None,
        )

    def _extent(self, corners: Sequence[Points]) -> tuple[Points, Points]:
        """Corners around the paths, the success radius, the places and the rooms."""
        points = [self.at(node) for node in self.nodes] + [place.at for place, _ in self.places]
        if self.goal is not None:
            x, y = self.at(self.goal)
            radius = self.radius_m
            points += [(x - radius, y - radius), (x + radius, y + radius)]
        shapes = [np.array(points, dtype=float).reshape(-1, 2), *corners]
        if self.graph.shapes is not None:
            # Bends of streets may lie outside the box of their nodes.
            shapes += [self._line(self.reference), self._line(self.walked)]
        every = np.vstack([shape[:, :2] for shape in shapes])
        if not len(every):
            every = self.graph.metric_positions[:, :2].mean(axis=0, keepdims=True)
        low, high = every.min(axis=0), every.max(axis=0)
        margin = max(_MARGIN_M[self.graph.frame], _MARGIN_SHARE * float((high - low).max()))
        return low - margin, high + margin

    def _line(self, path: Sequence[str]) -> Points:
        return metric_line_of(self.graph, path)

    def _lines(self, path: Sequence[str], floors: Floors | None, floor: int) -> list[Points]:
        """Cut a path into the parts on a floor; a link between floors belongs to both."""
        if floors is None:
            return [self._line(path)] if path else []
        lines: list[list[str]] = []
        for a, b in pairwise(path):
            if floor not in {floors.of[a], floors.of[b]}:
                continue
            if lines and lines[-1][-1] == a:
                lines[-1].append(b)
            else:
                lines.append([a, b])
        # a path of one node has no link, and still has its place on this floor
        if not lines and path and floors.of[path[0]] == floor:
            lines = [[path[0]]]
        return [self._line(line) for line in lines]

    def _stairs(self, floors: Floors, floor: int) -> list[tuple[float, float]]:
        """Return the places beyond which paths go on to another floor, each once."""
        ends = []
        for a, b in chain(pairwise(self.reference), pairwise(self.walked)):
            here, there = floors.of[a], floors.of[b]
            if here != there and floor in {here, there}:
                ends.append(b if here == floor else a)
        return [self.at(node) for node in dict.fromkeys(ends)]


def _places(episode: FigureEpisode, path: Sequence[str]) -> list[tuple[Named, str]]:
    """Return the landmarks in their places, and the wrong guesses of the navigator."""
    places = [*_standing(episode, path), *_guessed(episode, path)]
    return [place for place in places if episode.names(place[0].name.removesuffix("?"))]


def _path_points(graph: Graph, path: Sequence[str]) -> Points:
    """Return the positions of a path; of all nodes for an empty path."""
    if not path:
        return graph.metric_positions
    return graph.metric_positions[[graph.index[node] for node in path]]


def _at_node(name: str, node: str, graph: Graph) -> tuple[Named, str]:
    x, y = graph.metric_positions[graph.index[node]][:2]
    return Named(name, (float(x), float(y))), node


def _guessed(episode: FigureEpisode, path: Sequence[str]) -> Iterator[tuple[Named, str]]:
    """Yield the wrong guesses for landmarks, named with a question mark."""
    graph = episode.graph
    near = _path_points(graph, path)
    for name, seen in episode.guesses.items():
        if seen is None:
            continue
        if seen.poi_id is not None and seen.poi_id in graph.pois:
            place, node = _place_of(f"{name}?", _poi_points(graph, seen.poi_id), near, path, graph)
        elif seen.node is not None and seen.node in graph:
            place, node = _at_node(f"{name}?", seen.node, graph)
        else:
            continue
        yield replace(place, kind="guess"), node


def _standing(episode: FigureEpisode, path: Sequence[str]) -> list[tuple[Named, str]]:
    """Return landmarks at the point of their outline nearest to the paths, else at their node."""
    graph = episode.graph
    near = _path_points(graph, path)
    if not len(near):
        return []
    if episode.landmarks is None:
        return _shown_to_agent(episode, near, path)
    missed = {name for name, guess in episode.guesses.items() if guess is None}
    placed: list[tuple[Named, str]] = []
    for name, poi in episode.landmarks.items():
        if poi in graph.pois:
            place, node = _place_of(name, _poi_points(graph, poi), near, path, graph)
            placed.append((replace(place, kind="missed") if name in missed else place, node))
    return placed


def _shown_to_agent(
    episode: FigureEpisode, near: Points, path: Sequence[str]
) -> list[tuple[Named, str]]:
    """Return the POIs that the agent was shown, each name where it was first shown."""
    graph = episode.graph
    shown: dict[str, tuple[Named, str]] = {}
    observations = [step.observation for step in episode.trace.steps]
    pois = chain.from_iterable(seen.pois for seen in observations if seen is not None)
    for poi in pois:
        if poi.name in shown:
            continue
        if poi.poi_id in graph.pois and poi.poi_id is not None:
            points = _poi_points(graph, poi.poi_id)
            shown[poi.name] = _place_of(poi.name, points, near, path, graph)
        elif poi.node is not None and poi.node in graph:
            shown[poi.name] = _at_node(poi.name, poi.node, graph)
    return list(shown.values())


def _numbers(episode: FigureEpisode) -> list[tuple[Named, str]]:
    """Numbers of the chosen steps where they were decided; steps at one node share a label."""
    graph, at = episode.graph, dict[str, list[int]]()
    for step in episode.trace.steps:
        if step.index in episode.steps and step.node is not None and step.node in graph:
            at.setdefault(step.node, []).append(step.index)
    return [_at_node(", ".join(map(str, steps)), node, graph) for node, steps in at.items()]


def names_in(episode: FigureEpisode) -> list[str]:
    """Return the names that a figure of an episode would show, each once: landmarks, then rooms."""
    panels = panels_of(replace(episode, only=None))
    places = list(chain.from_iterable(panel.places for panel in panels))
    names = [place.name for place in places if place.kind != "guess"]
    names += [place.name.removesuffix("?") for place in places if place.kind == "guess"]
    for panel in panels:
        names += [room.name for room in panel.rooms]
    return [name for name in dict.fromkeys(names) if name]


def _poi_points(graph: Graph, poi: str) -> Points:
    """Return the points of a POI's outline in metres; its position where the outline is missing."""
    positions = np.array([graph.pois[poi].position], dtype=float)
    if len(graph.poi_link_positions):
        # links name a POI by its number in this order, not by its id
        number = list(graph.pois).index(poi)
        linked = graph.poi_link_positions[graph.poi_link_pois == number]
        if len(linked):
            positions = np.array(linked, dtype=float)
    return graph.to_metric(positions) if graph.frame == "geo" else positions


def _place_of(
    name: str, points: Points, near: Points, path: Sequence[str], graph: Graph
) -> tuple[Named, str]:
    # A POI may have a height where the nodes have none, and the other way round.
    axes = min(points.shape[1], near.shape[1])
    gaps = np.linalg.norm(points[:, None, :axes] - near[None, :, :axes], axis=2)
    i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
    node = path[int(j)] if path else graph.ids[int(j)]
    return Named(name, (float(points[i][0]), float(points[i][1]))), node


def _rooms(episode: FigureEpisode, floors: Floors, floor: int) -> list[Named]:
    """Return the rooms of a floor; a room without a label has an empty name."""
    rooms = []
    for name, corners in floor_shapes(episode.graph, floors, floor):
        outline = np.array(corners, dtype=float)
        x, y = ((outline.min(axis=0) + outline.max(axis=0)) / 2).tolist()
        rooms.append(Named(name if episode.names(name) else "", (x, y), outline))
    return rooms
