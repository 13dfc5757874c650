"""The path that GROKE's scripts evaluate, from waypoints."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.world.graph import Graph
from navviz.world.search import fewest_links


def published_path(graph: Graph, waypoints: Sequence[str | None]) -> tuple[str, ...]:
    """Return the path that GROKE evaluates: without repeats, joined by fewest links.

    An agent that comes back to an earlier waypoint is so evaluated as if it had not; `Trace.path`
    is what it walked. A waypoint out of reach is appended as it is, one that the graph lacks is
    skipped.
    """
    kept = list(dict.fromkeys(node for node in waypoints if node is not None and node in graph))
    path = kept[:1]
    for node in kept[1:]:
        leg = fewest_links(graph, path[-1], node)
        path.extend((node,) if leg is None else leg[1:])
    return tuple(path)
