"""From waypoints, as foreign logs keep them, to paths over links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from navviz.errors import Problem, Problems
from navviz.graph import Graph

__all__ = ["UNREACHED", "Leg", "fewest_links", "join_legs", "published_path"]

UNREACHED = "cannot be reached"
"""`Leg.fault` of a waypoint that no links lead to."""


@dataclass(frozen=True, slots=True)
class Leg:
    """From one waypoint to the next."""

    start: str
    target: str | None
    """As the log names it; ``None`` where it holds no node."""
    path: tuple[str, ...] = ()
    """From `start` to `target`; empty where the agent stayed or the target cannot be reached."""
    fault: str | None = None
    """Why there is no path."""


def fewest_links(graph: Graph, a: str, b: str) -> tuple[str, ...] | None:
    """Path with the fewest links, the shortest in metres among several; ``None`` where there is none.

    Breadth-first search a layer at a time; within a layer the cheapest way to each node is kept. GROKE's scripts break
    ties by the order of their adjacency lists, which is not published; with this rule the paper's figures come out.
    """
    start, goal = graph.index[a], graph.index[b]
    links, parent, front = graph.weighted_adjacency, {start: start}, {start: 0.0}
    while front and goal not in parent:
        following: dict[int, float] = {}
        for node, walked_m in front.items():
            for target, length_m in links[node]:
                if target in parent and (target not in following or walked_m + length_m >= following[target]):
                    continue
                parent[target] = node
                following[target] = walked_m + length_m
        front = following
    if goal not in parent:
        return None
    path = [goal]
    while path[-1] != start:
        path.append(parent[path[-1]])
    return tuple(graph.ids[i] for i in reversed(path))


def join_legs(graph: Graph, waypoints: Sequence[str | None], where: Problem, problems: Problems) -> list[Leg]:
    """Join waypoints by paths of fewest links, as GROKE evaluates them (Shami et al. 2026).

    A hole (``None``), an unknown node or one out of reach leaves the agent where it is; the latter two are reported
    at `where` (file, episode, field).
    The first waypoint is where the agent starts; it must be a node of the graph, else no leg is given.
    """
    unknown = [k for k, node in enumerate(waypoints) if node is not None and node not in graph]
    for k in unknown:
        what = f"waypoint {k + 1} is not in the graph"
        problems.add(replace(where, what=what, do="choose the graph of this run; it is skipped"))
    here = waypoints[0] if waypoints else None
    if here is None or here not in graph:
        return []
    legs: list[Leg] = []
    for node in waypoints[1:]:
        leg = _leg(graph, here, node)
        if leg.fault == UNREACHED:
            what = f"waypoint {len(legs) + 2} cannot be reached over the links"
            problems.add(replace(where, what=what, do="it is skipped"))
        legs.append(leg)
        here = leg.path[-1] if leg.path else here
    return legs


def _leg(graph: Graph, here: str, node: str | None) -> Leg:
    if node is None:
        return Leg(here, None, fault="the log names no node here")
    if node not in graph:
        return Leg(here, node, fault="is not in the graph")
    if node == here:
        return Leg(here, node)
    path = fewest_links(graph, here, node)
    return Leg(here, node, fault=UNREACHED) if path is None else Leg(here, node, path)


def published_path(graph: Graph, waypoints: Sequence[str | None]) -> tuple[str, ...]:
    """The path that GROKE evaluates: holes and all repeats dropped, the rest joined by paths of fewest links.

    An agent that comes back to an earlier waypoint is so evaluated as if it had not; `Trace.path` is what it walked.
    A waypoint out of reach is appended as it is, one that the graph lacks is skipped.
    """
    kept = list(dict.fromkeys(node for node in waypoints if node is not None and node in graph))
    path = kept[:1]
    for node in kept[1:]:
        leg = fewest_links(graph, path[-1], node)
        path.extend((node,) if leg is None else leg[1:])
    return tuple(path)
