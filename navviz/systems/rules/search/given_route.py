"""Align an instruction with one given route: how well it describes it, and where each of its parts
lies.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from navviz.records import Episode
from navviz.systems.rules.grammar.grammar import Reading
from navviz.systems.rules.search.alignment import NEVER, align
from navviz.systems.rules.search.area import Surroundings, reachable
from navviz.systems.rules.search.landmarks import match_mentions
from navviz.systems.rules.search.routes import Search, forced_links, names_of
from navviz.systems.rules.search.scoring import load_weights, score_plan
from navviz.systems.rules.search.section import cut_around
from navviz.systems.rules.search.streets import streets_of
from navviz.world.graph import Graph


class GivenRoute:
    """One route, prepared so that many readings can be compared on it.

    Parameters
    ----------
    graph
        The street graph.
    path
        Node ids of the route, at least two, each linked with the next.

    Attributes
    ----------
    part
        The route's surroundings; node and POI numbers of what `align` finds refer to it.

    Raises
    ------
    ValueError
        When two nodes in a row are not linked.
    """

    def __init__(self, graph: Graph, path: Sequence[str]) -> None:
        self.part = part = cut_around(graph, [graph.index[node] for node in path], 1)
        self._streets = streets_of(part)
        nodes = [part.index[node] for node in path]
        self._links = forced_links(self._streets, nodes)
        if len(self._links) != len(nodes) - 1 or not self._links:
            pairs = itertools.pairwise(path)
            apart = [f"{a} and {b}" for a, b in pairs if b not in graph.neighbours(a)]
            broken = apart[0] if apart else "none"
            raise ValueError(f"the route is no walk over links ({broken} are not linked)")
        self._area = reachable(self._streets, self._links[:1], len(self._links), forced=self._links)
        self._around = Surroundings(self._streets, self._area)
        # the length is given: how likely it is says nothing
        self._weights = load_weights("no-length-prior")

    @classmethod
    def of_episode(cls, episode: Episode, graph: Graph) -> GivenRoute | None:
        """Prepare an episode's reference path; ``None`` indoors, without one, or where the graph
        lacks a part of it.
        """
        path = episode.reference_path
        if graph.frame != "geo" or len(path) < 2 or any(node not in graph for node in path):
            return None
        try:
            return cls(graph, path)
        except ValueError:
            return None

    def align(self, reading: Reading) -> tuple[float, Search]:
        """Align a reading with the route.

        Returns
        -------
        score
            Unnormalised log probability of the reading's best alignment that ends where the route
            ends.
        search
            What `navviz.systems.rules.explain.route_to` makes a route with all matches of, on
            `part`.
        """
        matches = match_mentions(reading.mentions, names_of(self.part), self._around.nearby)
        scored = score_plan(
            self._streets, self._area, self._around, reading, matches, self._weights
        )
        local = np.searchsorted(self._area.links, np.array(self._links, np.int64))
        lattice = align(self._area, scored.model, len(local), forced=local.tolist())
        total = lattice.best[:, -1, :].astype(np.float64) + scored.stop[None, :]
        score = float(total[len(local) - 1, local[-1]])
        # the end is given: earlier stops are no answers
        total[: len(local) - 1] = NEVER
        end = int(self._area.target[local[-1]])
        # all probability lies on the given end, since it is compared with no other place
        return score, Search(
            scored, lattice, total, np.zeros(len(total), np.int64), {end: 1.0}, end, 1.0
        )
