"""Show one landmark more than the visible area holds: the repair of a landmark never shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz import fuzz

from navviz.errors import InputError
from navviz.records import Trace
from navviz.systems.groke.prompts.landmarks import (
    Grounded,
    Match,
    assign_letters,
    poi_text,
)
from navviz.systems.groke.prompts.visible_area import (
    AT_NODE_M,
    NearbyPoi,
    PathNode,
    View,
    nearby_poi,
)
from navviz.world.geometry import great_circle_m
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class ShownLandmark:
    """A landmark that a repair shows while one sub-goal is due."""

    name: str
    poi: str
    sub_goal: int
    """Index of that sub-goal, counted from 0."""


def shown_landmark(past: Trace | None, current: int) -> ShownLandmark | None:
    """Return what a fork is to be shown; ``None`` where it repairs no landmark.

    Parameters
    ----------
    past
        The walk that is gone on with.
    current
        Index of the sub-goal that is due next.
    """
    origin = None if past is None else past.header.forked_from
    if past is None or origin is None or origin.repair is None:
        return None
    if origin.repair.kind != "show_landmark":
        return None
    for step in past.steps:
        if step.index == origin.step and step.sub_goal is not None:
            current = step.sub_goal
    name, poi = origin.repair.parameters["name"], origin.repair.parameters["poi"]
    return ShownLandmark(str(name), str(poi), current)


def with_landmark(view: View, graph: Graph, shown: ShownLandmark) -> View:
    """Return a view that lists the landmark too, beside the nearest node of the street ahead.

    Raises
    ------
    InputError
        When the map has no such place.
    """
    if shown.poi not in graph.pois:
        raise InputError(
            f"place {shown.poi} is not on the map {graph.name}", "show a place of this map"
        )
    if any(poi.poi.id == shown.poi for _, poi in view.seen):
        return view
    poi = graph.pois[shown.poi]
    names = [landmark.name for landmark in view.landmarks]
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
    return replace(node, beside=(*node.beside, entry))
