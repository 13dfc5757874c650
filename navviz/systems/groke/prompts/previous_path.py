"""Where an agent has been, by the places that it named."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from navviz.systems.groke.prompts.visible_area import Connection, PathNode, PreviousNode, look
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg, departure_deg

_PRINTED_DEG = 0.005
"""Contexts print headings with two decimals."""


def arrival_heading_deg(graph: Graph, a: str, b: str) -> float | None:
    """Return the bearing of the last link from `a` to `b`, by the fewest links; ``None`` without a
    way.
    """
    route = _leg(graph, a, b)
    return None if len(route) < 2 else arrival_deg(graph, route[-2], route[-1])


def exact_heading_deg(graph: Graph, node: str, printed_deg: float) -> float:
    """Return the bearing of the link into `node` that a printed heading was rounded from, or it.

    It matters since the view begins with the heading cut to whole degrees: 229.998 is printed as
    230.0 and cut to 229.
    """
    if node not in graph:
        return printed_deg
    into = graph.sources[graph.targets == graph.index[node]].tolist()
    bearings = (arrival_deg(graph, graph.ids[source], node) for source in into)
    near = (bearing for bearing in bearings if abs(turn_deg(printed_deg, bearing)) <= _PRINTED_DEG)
    return min(near, key=lambda bearing: abs(turn_deg(printed_deg, bearing)), default=printed_deg)


def previous_path(
    graph: Graph, waypoints: Sequence[str], *, units: int = 1
) -> tuple[PreviousNode, ...]:
    """Return the nodes passed between the named places, as GROKE's published prompts list them.

    Each leg is the way with the fewest links. Of a leg only those nodes are listed that were in
    view from its start (facing along its first link), each with the offered links that stay on the
    leg; the place where the agent stands is left out, and so are legs without a way.

    Parameters
    ----------
    graph
        The map that the agent was shown.
    waypoints
        The start and every place named since, the current one last.
    units
        Intersections that a view reaches to.
    """
    legs = [_leg(graph, a, b) for a, b in itertools.pairwise(waypoints)]
    legs = [leg for leg in legs if len(leg) > 1]
    kept: dict[str, PreviousNode] = {}
    for leg in legs:
        view = look(graph, leg[0], departure_deg(graph, leg[0], leg[1]), units=units)
        for node in view.path:
            if node.id in leg:
                kept[node.id] = _merged(kept.get(node.id), node, leg)
    order: dict[str, None] = {}
    for leg in legs:
        # the end of a leg begins the next one, and the last end is where the agent stands
        order.update(dict.fromkeys(leg[:-1]))
    return tuple(kept[node] for node in order if node in kept)


def _leg(graph: Graph, a: str, b: str) -> tuple[str, ...]:
    if a not in graph or b not in graph:
        return ()
    return graph.hops(a, b) or ()


def _merged(former: PreviousNode | None, node: PathNode, leg: Sequence[str]) -> PreviousNode:
    on_leg = tuple(c for c in node.connections if c.target in leg)
    if former is None:
        return PreviousNode(node.id, node.intersection, on_leg)
    # a node passed twice keeps the links of both legs
    targets = {c.target for c in former.connections}
    more: tuple[Connection, ...] = tuple(c for c in on_leg if c.target not in targets)
    return PreviousNode(node.id, former.intersection, former.connections + more)
