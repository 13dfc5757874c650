"""Views around an agent indoors, in eight directions of 45 degrees (Zhou et al. 2023, 3.2) or more.

The scene sentences and objects come from NavGPT's observation files where the house has them, else
the text holds what the graph alone tells: directions, distances, and where a way leads up or down.
The sectors are fixed to the house (the first is centred on +y); "Front" is the one that holds the
agent's heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from navviz.records import Candidate, Observation, Panel, SeenPoi
from navviz.records.base import plural
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.house import SECTORS, HouseObservations, NearObject

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


def views_panel(views: Sequence[DirectionView]) -> Panel:
    """Return the directions as data for the player's panel kind ``directions``."""
    items = [_panel_item(view) for view in views]
    return Panel(
        kind="directions", title="What the agent read around it", data={"directions": items}
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


DESCRIBED = "panorama"

GEOMETRY = "panorama-geometry"
"""Name of the observation's format where nobody described the viewpoint."""

SECTOR_DEG = 360.0 / SECTORS

_RISE_M = 0.4
"""A way that leads this far up or down is called so."""


def sector(heading_deg: float, sectors: int = SECTORS) -> int:
    """Index of the sector fixed to the house in which a heading lies."""
    wide_deg = 360.0 / sectors
    # the half sector before north belongs to the first, a border to the one that begins there
    return int((heading_deg % 360.0 + wide_deg / 2) // wide_deg) % sectors


def direction_labels(sectors: int = SECTORS) -> tuple[str, ...]:
    """Return the label of each sector clockwise from the front: the nearest of the eight."""
    return tuple(DIRECTIONS[round(k * SECTORS / sectors) % SECTORS] for k in range(sectors))


def observations_of(graph: Graph) -> HouseObservations:
    """Return the observation files that were opened with a house; empty where it has none."""
    observations = graph.info.observations
    return HouseObservations(graph.name) if observations is None else observations


def look_around(
    graph: Graph,
    node: str,
    heading_deg: float,
    seen: HouseObservations | None = None,
    lines: Sequence[str | None] | None = None,
) -> tuple[DirectionView, ...]:
    """Return the directions clockwise from the agent's front, eight of them without `lines`.

    `graph`: an indoor graph. `node` and `heading_deg`: where the agent stands and looks, degrees
    clockwise from +y. `seen`: observations of the house; those it was opened with by default.
    `lines`: another text of each direction, clockwise from +y; as many as there shall be
    directions. Objects stay those of `seen`, each in the direction that holds its heading.
    """
    seen = observations_of(graph) if seen is None else seen
    objects = seen.objects.get(node)
    near: Sequence[Sequence[NearObject]] = objects or ((),) * SECTORS
    scenes = seen.scenes.get(node) if lines is None else lines
    count = SECTORS if lines is None else len(lines)
    if lines is not None:
        things = tuple(chain.from_iterable(near))
        near = [
            [thing for thing in things if sector(thing.heading_deg, count) == k]
            for k in range(count)
        ]
    front, wide_deg = sector(heading_deg, count), 360.0 / count
    views = []
    for k, label in enumerate(direction_labels(count)):
        absolute = (front + k) % count
        middle_deg = absolute * wide_deg
        candidates = []
        for other, heading in graph.links(node):
            if sector(heading, count) == absolute:
                angle = round(turn_deg(heading_deg, heading), 2)
                candidates.append(
                    Candidate(
                        node=other,
                        direction=angle_text(angle),
                        heading_deg=round(heading, 2),
                        # straight behind is always to the right, as in NavGPT's text
                        angle_deg=180.0 if angle == -180.0 else angle,
                        distance_m=round(graph.distance_m(node, other), 2),
                    )
                )
        ways = tuple(candidates)
        scene = None if scenes is None else scenes[absolute]
        view = DirectionView(
            label=label,
            from_deg=turn_deg(heading_deg, middle_deg - wide_deg / 2),
            to_deg=turn_deg(heading_deg, middle_deg + wide_deg / 2),
            scene=_geometry(graph, node, ways) if scene is None else scene.strip(),
            objects=tuple(_near(thing, heading_deg, label) for thing in near[absolute]),
            candidates=ways,
            objects_known=objects is not None,
        )
        views.append(view)
    return tuple(views)


def _near(thing: NearObject, heading_deg: float, label: str) -> SeenPoi:
    side = angle_text(turn_deg(heading_deg, thing.heading_deg))
    return SeenPoi(
        name=thing.name.strip(),
        direction=side,
        position=label,
        distance_m=round(thing.distance_m, 2),
    )


def _geometry(graph: Graph, node: str, candidates: tuple[Candidate, ...]) -> str:
    """Return what the graph alone tells of a direction."""
    if not candidates:
        return "No description; no way leads here."
    height = graph.position(node)[2]
    rises = [graph.position(way.node)[2] - height for way in candidates]
    ways = "One way leads here" if len(candidates) == 1 else f"{len(candidates)} ways lead here"
    steps = []
    for rise in rises:
        if abs(rise) >= _RISE_M:
            direction = "up" if rise > 0 else "down"
            steps.append(f"{abs(rise):.1f} m {direction} the stairs")
    stairs = ", " + " and ".join(steps) if steps else ""
    return f"No description. {ways}{stairs}."


def summary_of(graph: Graph, node: str, seen: HouseObservations | None = None) -> str:
    """One sentence on a viewpoint that goes on from "Scene from the viewpoint is a"."""
    seen = observations_of(graph) if seen is None else seen
    count = graph.degree(node)
    return (
        seen.summaries.get(node) or f"place that nobody described, with {plural(count, 'way')} on."
    )


def observe(
    views: tuple[DirectionView, ...], *, described: bool, objects: ObjectDetail = "distances"
) -> Observation:
    """Return the views as an observation, with the prompt's text and its objects."""
    things: list[SeenPoi] = []
    ways: list[Candidate] = []
    for view in views:
        things += view.objects
        ways += view.candidates
    if objects == "none":
        things = []
    elif objects == "names":
        names_only = {"direction": None, "distance_m": None}
        things = [thing.model_copy(update=names_only) for thing in things]
    return Observation(
        format=DESCRIBED if described else GEOMETRY,
        text=format_views(views, objects),
        visible_nodes=tuple(way.node for way in ways),
        pois=tuple(things),
        candidates=tuple(ways),
    )
