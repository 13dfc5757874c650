"""From waypoints, as GROKE's logs keep them, to paths over links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from navviz.errors import Problem, Problems
from navviz.world.graph import Graph
from navviz.world.search import UNREACHED, fewest_links


@dataclass(frozen=True, slots=True)
class WaypointLeg:
    """From one waypoint to the next."""

    start: str
    target: str | None
    """As the log names it; ``None`` where it holds no node."""
    path: tuple[str, ...] = ()
    """From `start` to `target`; empty where the agent stayed or the target cannot be reached."""
    fault: str | None = None
    """Why there is no path."""


def join_legs(
    graph: Graph, waypoints: Sequence[str | None], where: Problem, problems: Problems
) -> list[WaypointLeg]:
    """Join waypoints by paths of fewest links, as GROKE evaluates them (Shami et al. 2026).

    A hole (``None``), an unknown node or one out of reach leaves the agent where it is; the latter
    two are reported at `where` (file, episode, field). The first waypoint is where the agent
    starts; it must be a node of the graph, else no leg is given.
    """
    unknown = [k for k, node in enumerate(waypoints) if node is not None and node not in graph]
    for k in unknown:
        what = f"waypoint {k + 1} is not in the graph"
        problems.add(replace(where, what=what, do="choose the graph of this run; it is skipped"))
    here = waypoints[0] if waypoints else None
    if here is None or here not in graph:
        return []
    legs: list[WaypointLeg] = []
    for node in waypoints[1:]:
        leg = _leg(graph, here, node)
        if leg.fault == UNREACHED:
            what = f"waypoint {len(legs) + 2} cannot be reached over the links"
            problems.add(replace(where, what=what, do="it is skipped"))
        legs.append(leg)
        here = leg.path[-1] if leg.path else here
    return legs


def _leg(graph: Graph, here: str, node: str | None) -> WaypointLeg:
    if node is None:
        return WaypointLeg(here, None, fault="the log names no node here")
    if node not in graph:
        return WaypointLeg(here, node, fault="is not in the graph")
    if node == here:
        return WaypointLeg(here, node)
    path = fewest_links(graph, here, node)
    return (
        WaypointLeg(here, node, fault=UNREACHED) if path is None else WaypointLeg(here, node, path)
    )
