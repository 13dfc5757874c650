"""What the panels of a figure show: outdoors one an episode, indoors one for each floor that the episode touches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navviz.metrics.divergence import find_divergence
from navviz.records import SeenPoi, Trace
from navviz.views.player.floor_plan import floor_shapes
from navviz.world.floors import Floors, find_floors
from navviz.world.graph import Graph
from navviz.world.link_lines import link_segments, metric_line_of

__all__ = ["FigureEpisode", "MapPanel", "MarkKind", "Named", "PlaceKind", "names_in", "panels_of"]

MarkKind = Literal["start", "stop", "goal", "divergence", "stairs"]
PlaceKind = Literal["landmark", "missed", "guess"]
"""A landmark where it stands; one for which the navigator took nothing; and what it took wrongly for one."""
Points = NDArray[np.float64]

_MARGIN_M = {"geo": 30.0, "metric": 1.0}
_MARGIN_SHARE = 0.12
"""Of the longer side: what stays free around the paths, for labels."""
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
    """By a landmark's name what the navigator took for it wrongly; ``None`` where it took nothing."""
    steps: tuple[int, ...] = ()
    """Steps whose numbers stand on the agent's path."""
    only: frozenset[str] | None = None
    """Names of landmarks and rooms that are labelled; ``None`` labels all."""

    def names(self, name: str) -> bool:
        """Whether a name is written."""
        return self.only is None or name in self.only


@dataclass(frozen=True, slots=True)
class Named:
    """A name and where it belongs, in the metres of `Graph.metric_positions`."""

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
    """Corners of what must be seen."""
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
    radius_m: float = 0.0
    """Success radius around the goal."""
    divergence: str = ""
    """Kind of the divergence, where there is one."""
    has_north: bool = True


def panels_of(episode: FigureEpisode, title: str = "", *, labels: bool = True) -> list[MapPanel]:
    """Return the panels of an episode.

    Parameters
    ----------
    episode
        Nodes that its graph does not have are left out.
    title
        Stands over its panels; the name of the floor follows it.
    labels
        Whether landmarks are marked and named.
    """
    walk = _Walk.of(episode, labels=labels)
    if episode.graph.frame == "geo":
        return [walk.panel(title)]
    floors = find_floors(episode.graph)
    touched = sorted({floors.of[node] for node in walk.nodes}) or list(range(min(1, len(floors))))
    rooms = {k: _rooms(episode, floors, k) for k in touched}
    corners = [room.outline for k in touched for room in rooms[k] if room.outline is not None]
    return [walk.panel(_joined(title, floors.names[k]), floors, k, rooms[k], corners) for k in touched]


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _Walk:
    """An episode with what is drawn of it."""

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
        walked = [node for node in trace.path if node in graph] if trace.steps else []  # nobody has walked it
        goal = trace.episode.goal
        left = find_divergence(trace, graph)
        parted = bool(walked) and left.kind in _MARKED and left.node in graph
        return cls(
            graph,
            reference,
            walked,
            goal if goal in graph else None,
            trace.episode.success_radius_m,
            (left.kind, left.node) if parted and left.node is not None else None,
            _places(episode, [*reference, *walked])[:_PLACE_LIMIT] if labels else [],
            _numbers(episode),
        )

    @property
    def nodes(self) -> list[str]:
        return [*self.reference, *self.walked, *([self.goal] if self.goal is not None else [])]

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
        """Return one panel: everything, or what stands on one floor and the stairs that leave it.

        All `corners` are seen: those of the rooms of all floors, so that the floors align.
        """

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
        return MapPanel(
            title=title,
            low=low,
            high=high,
            reference=self._lines(self.reference, floors, floor),
            walked=self._lines(self.walked, floors, floor),
            streets=_streets(self.graph, low, high, floors, floor),
            marks=marks,
            places=[place for place, node in self.places if here(node)],
            steps=[place for place, node in self.steps if here(node)],
            rooms=list(rooms),
            radius_m=self.radius_m,
            divergence=self.divergence[0] if self.divergence and here(self.divergence[1]) else "",
            has_north=floors is None,
        )

    def _extent(self, corners: Sequence[Points]) -> tuple[Points, Points]:
        """Corners around the paths, the success radius, the places and the rooms."""
        points = [self.at(node) for node in self.nodes] + [place.at for place, _ in self.places]
        if self.graph.shapes is not None:
            points += [(float(x), float(y)) for path in (self.reference, self.walked) for x, y in self._line(path)]
        if self.goal is not None:
            x, y = self.at(self.goal)
            points += [(x - self.radius_m, y - self.radius_m), (x + self.radius_m, y + self.radius_m)]
        points += [(float(x), float(y)) for shape in corners for x, y in shape]
        every = np.array(points or [self.graph.metric_positions[:, :2].mean(axis=0)], dtype=float)
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
        if not lines and path and floors.of[path[0]] == floor:
            lines = [[path[0]]]
        return [self._line(line) for line in lines]

    def _stairs(self, floors: Floors, floor: int) -> list[tuple[float, float]]:
        """Where paths go on to another floor."""
        ends = [
            b if floors.of[a] == floor else a
            for path in (self.reference, self.walked)
            for a, b in pairwise(path)
            if floors.of[a] != floors.of[b] and floor in {floors.of[a], floors.of[b]}
        ]
        return [self.at(node) for node in dict.fromkeys(ends)]


def _places(episode: FigureEpisode, path: Sequence[str]) -> list[tuple[Named, str]]:
    """Landmarks where they stand, and what the navigator took for them wrongly."""
    return [
        place
        for place in (*_standing(episode, path), *_guessed(episode, path))
        if episode.names(place[0].name.removesuffix("?"))
    ]


def _guessed(episode: FigureEpisode, path: Sequence[str]) -> Iterator[tuple[Named, str]]:
    """Yield what was taken for a landmark wrongly, named with a question mark."""
    graph = episode.graph
    near = graph.metric_positions[[graph.index[node] for node in path]] if path else graph.metric_positions
    for name, seen in episode.guesses.items():
        if seen is None:
            continue
        if seen.poi_id is not None and seen.poi_id in graph.pois:
            place, node = _place_of(f"{name}?", _poi_points(graph, seen.poi_id), near, path, graph)
        elif seen.node is not None and seen.node in graph:
            x, y = graph.metric_positions[graph.index[seen.node]][:2]
            place, node = Named(f"{name}?", (float(x), float(y))), seen.node
        else:
            continue
        yield replace(place, kind="guess"), node


def _standing(episode: FigureEpisode, path: Sequence[str]) -> list[tuple[Named, str]]:
    """Landmarks where they stand: the point of a POI's outline that is nearest to the paths, else its node."""
    graph = episode.graph
    near = graph.metric_positions[[graph.index[node] for node in path]] if path else graph.metric_positions
    if not len(near):
        return []
    if episode.landmarks is not None:
        known = [(name, poi) for name, poi in episode.landmarks.items() if poi in graph.pois]
        placed = [_place_of(name, _poi_points(graph, poi), near, path, graph) for name, poi in known]
        missed = {name for name, seen in episode.guesses.items() if seen is None}
        return [(replace(place, kind="missed") if place.name in missed else place, node) for place, node in placed]
    shown: dict[str, tuple[Named, str]] = {}
    for step in episode.trace.steps:
        for seen in step.observation.pois if step.observation else ():
            if seen.name in shown:
                continue
            if seen.poi_id in graph.pois and seen.poi_id is not None:
                shown[seen.name] = _place_of(seen.name, _poi_points(graph, seen.poi_id), near, path, graph)
            elif seen.node is not None and seen.node in graph:
                x, y = graph.metric_positions[graph.index[seen.node]][:2]
                shown[seen.name] = (Named(seen.name, (float(x), float(y))), seen.node)
    return list(shown.values())


def _numbers(episode: FigureEpisode) -> list[tuple[Named, str]]:
    """Numbers of the chosen steps where they were decided; steps at one node share a label."""
    graph, at = episode.graph, dict[str, list[int]]()
    for step in episode.trace.steps:
        if step.index in episode.steps and step.node is not None and step.node in graph:
            at.setdefault(step.node, []).append(step.index)
    numbered = []
    for node, steps in at.items():
        x, y = graph.metric_positions[graph.index[node]][:2]
        numbered.append((Named(", ".join(map(str, steps)), (float(x), float(y))), node))
    return numbered


def names_in(episode: FigureEpisode) -> list[str]:
    """Return the names that a figure of an episode would show, each once: landmarks, then rooms."""
    panels = panels_of(replace(episode, only=None))
    named = [*(place.name for panel in panels for place in panel.places if place.kind != "guess")]
    named += [place.name.removesuffix("?") for panel in panels for place in panel.places if place.kind == "guess"]
    named += [room.name for panel in panels for room in panel.rooms]
    return [name for name in dict.fromkeys(named) if name]


def _poi_points(graph: Graph, poi: str) -> Points:
    """Points of a POI's outline, as far as they are known, in metres."""
    order = list(graph.pois).index(poi)
    linked = graph.poi_link_positions[graph.poi_link_pois == order] if len(graph.poi_link_positions) else []
    degrees = np.array(linked if len(linked) else [graph.pois[poi].position], dtype=float)
    return graph.to_metric(degrees) if graph.frame == "geo" else degrees


def _place_of(name: str, points: Points, near: Points, path: Sequence[str], graph: Graph) -> tuple[Named, str]:
    gaps = np.linalg.norm(points[:, None, : near.shape[1]] - near[None, :, : points.shape[1]], axis=2)
    i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
    node = path[int(j)] if path else graph.ids[int(j)]
    return Named(name, (float(points[i][0]), float(points[i][1]))), node


def _streets(graph: Graph, low: Points, high: Points, floors: Floors | None, floor: int) -> Points:
    """Straight pieces of the links in or near a box, as ``(k, 2, 2)``; of a house those of one floor."""
    p, span = graph.metric_positions[:, :2], high - low
    keep = np.logical_and.reduce((p >= low - span) & (p <= high + span), axis=1)
    if floors is not None:
        keep &= np.array([floors.of[node] == floor for node in graph.ids])
        both = keep[graph.sources] & keep[graph.targets]
    else:
        both = keep[graph.sources] | keep[graph.targets]
    both &= graph.sources < graph.targets
    return link_segments(graph, np.flatnonzero(both))


def _rooms(episode: FigureEpisode, floors: Floors, floor: int) -> list[Named]:
    """Rooms of a floor; one that shall not be labelled has an empty name."""
    rooms = []
    for name, corners in floor_shapes(episode.graph, floors, floor):
        outline = np.array(corners, dtype=float)
        x, y = ((outline.min(axis=0) + outline.max(axis=0)) / 2).tolist()
        rooms.append(Named(name if episode.names(name) else "", (x, y), outline))
    return rooms
