"""The map around a route, as GROKE's published prompts were made with it."""

from __future__ import annotations

from collections.abc import Iterable

from navviz.errors import InputError
from navviz.world.graph import Graph

AREA_LINKS = 20
"""GROKE's published runs cut the map to the nodes within this many links of the route (its released
scripts).
"""


def cut_to_route(graph: Graph, route: Iterable[str], links: int) -> Graph:
    """Cut the graph cut to the nodes within `links` links of a route, with dead ends at its edge.

    For checks against published prompts only: in a live run it would tell the agent where the route
    goes.

    Raises
    ------
    InputError
        When the route is empty or leaves the graph.
    """
    nodes = list(route)
    missing = [node for node in nodes if node not in graph]
    if not nodes or missing:
        what = (
            f"node {missing[0]} of the route is not in the graph {graph.name}"
            if missing
            else "there is no route"
        )
        raise InputError(what, "do not cut the map to the route", field="reference_path")
    return graph.subgraph(graph.hop_ball(nodes, links))
