"""Searches over links that the graph itself does not offer."""

from __future__ import annotations

from navviz.world.graph import Graph

UNREACHED = "cannot be reached"
"""Why a step has no path: no links lead to its target."""


def fewest_links(graph: Graph, a: str, b: str) -> tuple[str, ...] | None:
    """Path with the fewest links, the shortest in metres among several, or ``None``.

    Breadth-first search a layer at a time; within a layer the cheapest way to each node is kept.
    GROKE's scripts break ties by the order of their adjacency lists, which is not published; with
    this rule the paper's figures come out.
    """
    start, goal = graph.index[a], graph.index[b]
    links, parent, front = graph.weighted_adjacency, {start: start}, {start: 0.0}
    while front and goal not in parent:
        following: dict[int, float] = {}
        for node, walked_m in front.items():
            for target, length_m in links[node]:
                # a node of an earlier layer is done; one of this layer may still find a shorter way
                if target in parent and (
                    target not in following or walked_m + length_m >= following[target]
                ):
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
