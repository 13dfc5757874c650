"""NavGPT's text of what lies around an agent, written and read (Zhou et al. 2023, 3.2).

Eight directions of 45 degrees, clockwise from the agent's front; each with its scene in one
sentence, the objects within 3 m and the navigable viewpoints::

    Front Right, range (right 41.49 to right 86.49):
    'A view of a bathroom.'
    Front Right Objects in 3m: {'cabinet': 'right 61.31, 1.82m'}
    Front Right Navigable Viewpoints: {'cc0df704278a4f009b2239afd9a2ec9d': 'right 61.44, 1.40m'}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from navviz.records import Candidate, Panel, SeenPoi
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

DIRECTIONS = (
    "Front",
    "Front Right",
    "Right",
    "Rear Right",
    "Rear",
    "Rear Left",
    "Left",
    "Front Left",
)
"""Labels clockwise from the sector that the agent faces."""

ObjectDetail = Literal["none", "names", "distances"]
"""How much is told of the objects within 3 m; the three columns of NavGPT's Table 3."""

_LABELS = "|".join(sorted(DIRECTIONS, key=len, reverse=True))
_HEAD = re.compile(
    rf"^({_LABELS}), range \((left|right) ([\d.]+) to (left|right) ([\d.]+)\):", re.MULTILINE
)
_PAIR = re.compile(r"'([^'\n]+)': ?'(?:(left|right) (\d+\.\d+), (\d+\.\d+)m')?")
_VIEWPOINT = re.compile(r"^[0-9a-fA-F]{32}$")


@dataclass(frozen=True, slots=True)
class DirectionView:
    """One of the eight directions."""

    label: str
    from_deg: float
    """Left edge, relative to the agent's heading, positive to the right."""
    to_deg: float
    scene: str | None
    """``None`` where nobody described it."""
    objects: tuple[SeenPoi, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    objects_known: bool = True


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A viewpoint whose angle or distance in the text is not the graph's."""

    node: str
    angle_deg: float
    graph_angle_deg: float
    distance_m: float
    graph_distance_m: float


def angle_text(angle_deg: float) -> str:
    """Write a signed angle as NavGPT does: ``right 61.44``, ``left 19.95``, ``right 180.00``."""
    rounded = round(angle_deg, 2)
    return f"left {-rounded:.2f}" if -180.0 < rounded < 0.0 else f"right {abs(rounded):.2f}"


def _signed(side: str, value: str) -> float:
    return -float(value) if side == "left" else float(value)


def format_views(views: Sequence[DirectionView], objects: ObjectDetail = "distances") -> str:
    """All directions as one text, with as much of the objects as `objects` says."""
    return "\n".join(_format(view, objects) for view in views)


def _format(view: DirectionView, detail: ObjectDetail) -> str:
    edges = f"{angle_text(view.from_deg)} to {angle_text(view.to_deg)}"
    ways = {way.node: f"{way.direction}, {way.distance_m:.2f}m" for way in view.candidates}
    objects = f"{view.label} Objects in 3m: {_objects(view, detail)}\n" if detail != "none" else ""
    return (
        f"{view.label}, range ({edges}):\n'{view.scene}'\n{objects}{view.label} Navigable"
        f" Viewpoints: {ways or None}"
    )


def _objects(view: DirectionView, detail: ObjectDetail) -> str:
    if not view.objects_known:
        return "not recorded"
    if detail == "names":
        return str([thing.name for thing in view.objects] or None)
    return str(
        {thing.name: f"{thing.direction}, {thing.distance_m:.2f}m" for thing in view.objects}
        or None
    )


def parse_views(text: str) -> tuple[DirectionView, ...]:
    """Read the directions of a text; one that is cut off with dots keeps only its name."""
    heads = list(_HEAD.finditer(text))
    # a text without any head has no end either
    ends = [*(head.start() for head in heads[1:]), len(text)][: len(heads)]
    return tuple(
        _parse(head, text[head.end() : end]) for head, end in zip(heads, ends, strict=True)
    )


def _parse(head: re.Match[str], body: str) -> DirectionView:
    label = head[1]
    scene, _, rest = body.partition("Objects in 3m:")
    # the label of the objects' line still stands before the place of the cut
    scene = scene.strip().removesuffix(label).strip().strip("'")
    objects, _, ways = rest.partition("Navigable")
    candidates = [_candidate(pair) for pair in _PAIR.finditer(ways) if _VIEWPOINT.match(pair[1])]
    objects_recorded = "not recorded" not in objects
    return DirectionView(
        label=label,
        from_deg=_signed(head[2], head[3]),
        to_deg=_signed(head[4], head[5]),
        scene=scene or None,
        objects=tuple(_object(pair, label) for pair in _PAIR.finditer(objects)),
        candidates=tuple(candidates),
        objects_known=objects_recorded,
    )


def _candidate(pair: re.Match[str]) -> Candidate:
    if pair[2] is None:
        return Candidate(node=pair[1])
    angle = _signed(pair[2], pair[3])
    return Candidate(
        node=pair[1], direction=f"{pair[2]} {pair[3]}", angle_deg=angle, distance_m=float(pair[4])
    )


def _object(pair: re.Match[str], label: str) -> SeenPoi:
    if pair[2] is None:
        return SeenPoi(name=pair[1].strip(), position=label)
    return SeenPoi(
        name=pair[1].strip(),
        direction=f"{pair[2]} {pair[3]}",
        position=label,
        distance_m=float(pair[4]),
    )


def disagreements(
    views: Sequence[DirectionView],
    graph: Graph,
    node: str,
    heading_deg: float,
    *,
    angle_deg: float = 0.1,
    distance_m: float = 0.01,
) -> list[Disagreement]:
    """Candidates of a text whose numbers differ from the graph's beyond the tolerances."""
    differences = []
    for candidate in chain.from_iterable(view.candidates for view in views):
        given_deg, given_m = candidate.angle_deg, candidate.distance_m
        if given_deg is None or given_m is None or candidate.node not in graph:
            continue
        angle = turn_deg(heading_deg, graph.heading_deg(node, candidate.node))
        distance = graph.distance_m(node, candidate.node)
        # by the turn between the two: left 179.9 and right 180 are neighbours
        off = abs(turn_deg(angle, given_deg)) > angle_deg
        if off or abs(distance - given_m) > distance_m:
            differences.append(Disagreement(candidate.node, given_deg, angle, given_m, distance))
    return differences


def views_panel(
    views: Sequence[DirectionView], title: str = "What the agent read around it"
) -> Panel:
    """Return the directions as data for the player's panel kind ``directions``."""
    return Panel(
        kind="directions", title=title, data={"directions": [_panel_item(view) for view in views]}
    )


def _panel_item(view: DirectionView) -> dict[str, Any]:
    return {
        "label": view.label,
        "range_deg": [view.from_deg, view.to_deg],
        "text": view.scene or "",
        "objects": [
            _numbers(thing.name, thing.direction, thing.distance_m) for thing in view.objects
        ],
        "candidates": [
            _numbers(way.node, way.direction, way.distance_m) for way in view.candidates
        ],
    }


def _numbers(name: str, direction: str | None, distance_m: float | None) -> dict[str, Any]:
    return {"name": name, "direction": direction, "distance_m": distance_m}
