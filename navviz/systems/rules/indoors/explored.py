"""What the agent knows of a house, and the routes it could take there."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field

from navviz.systems.rules.indoors.scoring import Laid, ScoreMemory, lay
from navviz.systems.rules.indoors.standpoints import HouseSurroundings, IndexedRoute
from navviz.systems.rules.indoors.weights import MOST_MOVES
from navviz.world.graph import Graph


@dataclass
class ExploredHouse:
    """The part of a house that was seen: visited viewpoints, and those they are linked with.

    Parameters
    ----------
    graph
        The whole house; only what `visit` has unlocked is read.
    start, start_heading_deg
        Index of the first viewpoint, and where the agent looks there.
    """

    graph: Graph
    start: int
    start_heading_deg: float
    seen: HouseSurroundings = field(init=False)
    desk: ScoreMemory = field(default_factory=ScoreMemory)

    def __post_init__(self) -> None:
        self.seen = HouseSurroundings(self.graph.positions, {})
        self.visit([self.start])

    def visit(self, nodes: Iterable[int]) -> None:
        """Look around at viewpoints: their ways and texts are known from now on."""
        for node in nodes:
            self.seen.ways[node] = self.graph.adjacency[node]

    def paths_from(self, start: int) -> dict[int, IndexedRoute]:
        """Shortest paths to all that is known (Dijkstra 1959); viewpoints not visited are no way
        through.
        """
        links = self.graph.weighted_adjacency
        paths: dict[int, IndexedRoute] = {}
        queue: list[tuple[float, tuple[int, ...]]] = [(0.0, (start,))]
        while queue:
            # of equal lengths the lower numbers come first, so that every walk comes out the same
            # again
            length, nodes = heapq.heappop(queue)
            if nodes[-1] in paths:
                continue
            paths[nodes[-1]] = IndexedRoute(nodes, length)
            if nodes[-1] in self.seen.ways:
                for target, metres in links[nodes[-1]]:
                    if target not in paths:
                        heapq.heappush(queue, (length + metres, (*nodes, target)))
        return paths

    def routes(
        self, most_moves: int = MOST_MOVES, *, must_stop: bool = False
    ) -> list[IndexedRoute]:
        """Routes from the start to all that is known and not too far.

        The start itself is no answer where there is another: whoever writes an instruction wants
        one to go. Where the walk must stop, and can so at visited viewpoints only, it is one if no
        other was visited.
        """
        paths = self.paths_from(self.start)
        reached = [route for route in paths.values() if 1 < len(route.nodes) <= most_moves + 1]
        if must_stop and all(route.nodes[-1] not in self.seen.ways for route in reached):
            reached.append(paths[self.start])
        return reached or [paths[self.start]]

    def lay(self, routes: list[IndexedRoute]) -> Laid:
        """Return the routes as arrays."""
        return lay(self.seen, routes, self.start_heading_deg, self.desk)
