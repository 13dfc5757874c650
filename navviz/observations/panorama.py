"""Views around an agent indoors: eight directions of 45 degrees (Zhou et al. 2023, 3.2).

The scene sentences and objects come from NavGPT's observation files where the house has them, else
the text holds what the graph alone tells: directions, distances, and where a way leads up or down.
The sectors are fixed to the house (the first is centred on +y); "Front" is the one that holds the
agent's heading.
"""

from __future__ import annotations

from navviz.observations.panorama_text import (
    DIRECTIONS,
    DirectionView,
    ObjectDetail,
    angle_text,
    format_views,
)
from navviz.records import Candidate, Observation, SeenPoi
from navviz.records.plural import plural
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.house import SECTORS, HouseObservations, NearObject

DESCRIBED = "panorama"
GEOMETRY = "panorama-geometry"
"""Name of the observation's format where nobody described the viewpoint."""

SECTOR_DEG = 360.0 / SECTORS
_RISE_M = 0.4
"""A way that leads this far up or down is called so."""


def sector(heading_deg: float) -> int:
    """Index of the sector fixed to the house in which a heading lies."""
    # the half sector before north belongs to the first
    return int((heading_deg % 360.0 + SECTOR_DEG / 2) // SECTOR_DEG) % SECTORS


def observations_of(graph: Graph) -> HouseObservations:
    """Return the observation files that were opened with a house; empty where it has none."""
    observations = graph.info.observations
    return HouseObservations(graph.name) if observations is None else observations


def look_around(
    graph: Graph, node: str, heading_deg: float, seen: HouseObservations | None = None
) -> tuple[DirectionView, ...]:
    """Return the eight directions clockwise from the agent's front.

    Parameters
    ----------
    graph
        An indoor graph.
    node, heading_deg
        Where the agent stands and looks, degrees clockwise from +y.
    seen
        Observations of the house; those it was opened with by default.
    """
    seen = observations_of(graph) if seen is None else seen
    front = sector(heading_deg)
    return tuple(
        _view(graph, node, heading_deg, seen, k, (front + k) % SECTORS) for k in range(SECTORS)
    )


def _view(
    graph: Graph, node: str, heading_deg: float, seen: HouseObservations, k: int, absolute: int
) -> DirectionView:
    middle = absolute * SECTOR_DEG
    candidates = tuple(_candidates(graph, node, heading_deg, absolute))
    scene = seen.scenes.get(node)
    objects = seen.objects.get(node)
    return DirectionView(
        label=DIRECTIONS[k],
        from_deg=turn_deg(heading_deg, middle - SECTOR_DEG / 2),
        to_deg=turn_deg(heading_deg, middle + SECTOR_DEG / 2),
        scene=_geometry(graph, node, candidates) if scene is None else scene[absolute].strip(),
        objects=tuple(_near(thing, heading_deg, DIRECTIONS[k]) for thing in objects[absolute])
        if objects
        else (),
        candidates=candidates,
        objects_known=objects is not None,
    )


def _candidates(graph: Graph, node: str, heading_deg: float, absolute: int) -> list[Candidate]:
    candidates = []
    for other, heading in graph.links(node):
        if sector(heading) == absolute:
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
    return candidates


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
