"""Searches over links that the graph itself does not offer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph

UNREACHED = "cannot be reached"
"""Why a step has no path: no links lead to its target."""


def fewest_links(graph: Graph, a: str, b: str) -> tuple[str, ...] | None:
    """Path with the fewest links, the shortest in metres among several, or ``None``.

    Breadth-first search a layer at a time; within a layer the cheapest way to each node is kept.
    GROKE's scripts break ties by the order of their adjacency lists, which is not published; with
    this rule the paper's figures come out.
    """
    start, goal = graph.index[a], graph.index[b]
    if start == goal:
        return (a,)
    # two small discs hold half of the nodes of one large one, and most time goes into such searches
    layers = _layers_before(graph, start, goal)
    if layers is None:
        return None
    links, parent, front = graph.weighted_adjacency, {start: start}, {start: 0.0}
    for layer in layers:
        following: dict[int, float] = {}
        for node, walked_m in front.items():
            for target, length_m in links[node]:
                # nodes off all ways with the fewest links decide nothing, not even a tie: who
                # comes first to a node of such a way stands on one itself
                if target not in layer or (
                    target in following and walked_m + length_m >= following[target]
                ):
                    continue
                parent[target] = node
                following[target] = walked_m + length_m
        front = following
    path = [goal]
    while path[-1] != start:
        path.append(parent[path[-1]])
    return tuple(graph.ids[i] for i in reversed(path))


def _layers_before(graph: Graph, start: int, goal: int) -> list[set[int]] | None:
    """Return the nodes that a way with the fewest links may come to after its first link, its
    second, and so on up to the goal; ``None`` where no way leads there.
    """
    onward, back = graph.adjacency, _incoming(graph)
    seen, met = {start}, {goal}
    ahead, behind = [seen.copy()], [met.copy()]
    # whole layers on the smaller side: so the first meeting is one of the fewest links
    while not ahead[-1] & behind[-1]:
        if len(ahead[-1]) <= len(behind[-1]):
            ahead.append(_reached(onward, ahead[-1], seen))
        else:
            behind.append(_reached(back, behind[-1], met))
        if not ahead[-1] or not behind[-1]:
            return None
    # the layers before the meeting may hold more nodes than those of the ways: they do no harm
    ahead[-1] &= behind[-1]
    return [*ahead[1:], *reversed(behind[:-1])]


@per_graph
def _incoming(graph: Graph) -> list[list[int]]:
    """Return the sources of the links that lead to each node by index, as plain lists."""
    order = np.argsort(graph.targets, kind="stable")
    ends = np.searchsorted(graph.targets[order], range(1, len(graph.ids)))
    return [part.tolist() for part in np.split(graph.sources[order], ends)]


def _reached(links: Sequence[Iterable[int]], front: set[int], seen: set[int]) -> set[int]:
    following = set().union(*(links[node] for node in front)) - seen
    seen |= following
    return following
