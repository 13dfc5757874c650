"""Paths over a graph's adjacency, by node number.

scipy searches from one node to all others three to seven times faster than Python does (Manhattan:
28 ms, not 195), but knows no goal to end at: for a single pair it takes 15 ms where these take 1.5
(tests/bench). Nor does it break ties as the published runs do (`fewest`: file order;
`navviz.world.search`: metres).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence


def fewest(adjacency: Sequence[Sequence[int]], start: int, goal: int) -> list[int] | None:
    """Return the path with the fewest links (breadth first, first link wins ties), or ``None``."""
    if start == goal:
        return [start]
    parent, front = {start: start}, [start]
    while front:
        following: list[int] = []
        for node in front:
            for target in adjacency[node]:
                if target not in parent:
                    parent[target] = node
                    if target == goal:
                        return walk_back(parent, start, goal)
                    following.append(target)
        front = following
    return None


def cheapest(
    links: Sequence[Sequence[tuple[int, float]]], start: int, goal: int
) -> tuple[dict[int, float], dict[int, int]]:
    """Return distances and parents of the nodes that are done when `goal` is reached (Dijkstra)."""
    done: dict[int, float] = {}
    parent, best, queue = {start: start}, {start: 0.0}, [(0.0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        # heapq cannot lower a key, so a node may stand in the queue several times
        if node in done:
            continue
        done[node] = d
        if node == goal:
            break
        for target, length in links[node]:
            reached = d + length
            if reached < best.get(target, math.inf):
                best[target], parent[target] = reached, node
                heapq.heappush(queue, (reached, target))
    return done, parent


def walk_back(parent: Mapping[int, int], start: int, goal: int) -> list[int]:
    """Return the path from `start` to `goal` that the parents tell."""
    path = [goal]
    while path[-1] != start:
        path.append(parent[path[-1]])
    return path[::-1]
