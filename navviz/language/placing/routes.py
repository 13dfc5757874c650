"""Place a reading on a route: which junction each phrase means, which place each landmark."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from navviz.language.grammar.grammar import Reading
from navviz.language.placing.alignment import NEVER, Lattice, align, trace_back
from navviz.language.placing.area import Sightings, Surroundings, reachable
from navviz.language.placing.features import INDEX
from navviz.language.placing.landmarks import QUALITIES, PoiNames, match_mentions
from navviz.language.placing.scoring import Scored, load_weights, score_plan
from navviz.language.placing.streets import ANGLES, SHAPES, Streets, cut_around, streets_of
from navviz.records import Episode
from navviz.world.graph import Graph
from navviz.world.per_graph import per_graph


@dataclass(frozen=True)
class Search:
    """Everything that the search found out."""

    scored: Scored
    lattice: Lattice
    total: NDArray[np.float64]
    """Shape ``(hops, links)``: log score of every walk that ends there, length prior included."""
    length_bins: NDArray[np.int64]
    """Length bin of each number of hops."""
    node_mass: dict[int, float]
    """Probability of stopping at each node."""
    node: int
    """The answer."""
    confidence: float
    """Probability within the success radius of the answer."""


@per_graph
def names_of(graph: Graph) -> PoiNames:
    """Prepare the POI names of a graph, once for each graph that is alive."""
    return PoiNames(list(graph.pois.values()))


def forced_links(streets: Streets, walked: Sequence[int]) -> list[int]:
    """Find the links along walked nodes; two nodes without a link between them give none."""
    links = []
    for a, b in itertools.pairwise(walked):
        first, last = int(streets.first_link[a]), int(streets.first_link[a + 1])
        # the first of several parallel links: a walk of nodes does not say which one it took
        links += [first + k for k in np.flatnonzero(streets.target[first:last] == b)[:1].tolist()]
    return links


class GivenRoute:
    """One route, prepared so that many readings can be compared on it.

    Raises `ValueError` when two nodes in a row are not linked.

    Attributes
    ----------
    part
        The route's surroundings; node and POI numbers of what `align` finds refer to it.
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
        """Prepare an episode's reference path; ``None`` where the graph lacks a part."""
        path = episode.reference_path
        if graph.frame != "geo" or len(path) < 2 or any(node not in graph for node in path):
            return None
        try:
            return cls(graph, path)
        except ValueError:
            return None

    def align(self, reading: Reading) -> tuple[float, Search]:
        """Align a reading with the route."""
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


@dataclass(frozen=True, slots=True)
class Sighted:
    """A landmark that was taken for a POI."""

    mention: int
    poi: int
    quality: str
    distance_m: float
    lateral_m: float
    along_m: float
    at: int
    """Index into the route's nodes."""
    role: str


@dataclass(frozen=True)
class AlignedRoute:
    """One walk with its alignment."""

    nodes: tuple[int, ...]
    probability: float
    """Share of all probability that stops within the success radius of its end."""
    unit_at: dict[int, int]
    """Index into `nodes` where each unit was done; units without a place are missing."""
    turn_of: dict[int, str] = field(default_factory=dict)
    """How the junction of a unit looks: ``left · light · crossing``."""
    fit_of: dict[int, float] = field(default_factory=dict)
    """How well the junction of a unit fits its words, as log probability."""
    sighted: tuple[Sighted, ...] = ()


def route_to(graph: Graph, result: Search, node: int, probability: float) -> AlignedRoute | None:
    """Find the most probable walk that stops at a node, with what it recognised, if any."""
    return routes_to(graph, result, [(node, probability)])[0]


def routes_to(
    graph: Graph, result: Search, places: Sequence[tuple[int, float]]
) -> list[AlignedRoute | None]:
    """Find the most probable walk to each of several nodes, as `route_to` does to one."""
    ends = [_best_end(result, node) for node, _ in places]
    walks = [end for end in ends if end is not None]
    hops = np.array([hop for hop, _ in walks], np.int64)
    links = np.array([link for _, link in walks], np.int64)
    traces: list[list[_Traced]] = [[] for _ in walks]
    for event in trace_back(result.lattice, hops, links):
        columns = (event.walk, event.hop, event.link, event.unit, event.use, event.sight)
        lists = [column.tolist() for column in columns]
        for walk, *values in zip(*lists, strict=True):
            traces[walk].append(_Traced(*values))
    walked = iter(traces)
    routes: list[AlignedRoute | None] = []
    for end, (_, probability) in zip(ends, places, strict=True):
        if end is None:
            routes.append(None)
        else:
            routes.append(_route(graph, result, end, next(walked), probability))
    return routes


def _best_end(result: Search, node: int) -> tuple[int, int] | None:
    """Links walked, less one, and last link of the most probable walk that stops at a node."""
    links = np.flatnonzero(result.scored.area.target == node)
    if not len(links):
        return None
    hop, at = np.unravel_index(
        int(result.total[:, links].argmax()), (result.total.shape[0], len(links))
    )
    return int(hop), int(links[at])


class _Traced(NamedTuple):
    """One walk's part in an `Event`."""

    hop: int
    link: int
    unit: int
    use: int
    sight: int


def _route(
    graph: Graph,
    result: Search,
    end: tuple[int, int],
    traced: Sequence[_Traced],
    probability: float,
) -> AlignedRoute:
    scored, area = result.scored, result.scored.area
    streets = streets_of(graph)
    hop, link = end
    walked = {hop: link}
    unit_at: dict[int, int] = {}
    turn_of: dict[int, str] = {}
    fit_of: dict[int, float] = {}
    sighted: list[Sighted | None] = []
    for at, here, unit, choice, sight in traced:
        walked[at] = here
        if choice >= 0:
            unit_at[unit] = at
            step = int(area.choice_step[choice])
            lit = "light" if streets.lit[area.source[here]] else "no light"
            turn_of[unit] = (
                f"{ANGLES[streets.step_angle[step]]} · {lit} · {SHAPES[streets.step_shape[step]]}"
            )
            fit_of[unit] = float(scored.model.use[unit, choice])
            # corners are seen from the link that leads to the junction, as they were scored
            before = int(area.choice_from[choice])
            for mention in scored.units[unit].mentions:
                corner = scored.corners.get(mention)
                if corner is not None:
                    sighted.append(_sighted(corner, mention, before, at, "at a junction"))
        elif sight >= 0:
            # a sighting is made at the end of its link, a junction is the beginning of the link
            # taken
            unit_at[unit] = at + 1
            seen = scored.model.seen[unit]
            if seen is not None:
                mention = scored.units[unit].mentions[0]
                sighted.append(_sighted(seen, mention, here, at + 1, "on the way"))
    nodes = (int(area.source[walked[0]]), *(int(area.target[walked[t]]) for t in range(hop + 1)))
    for mention, seen in scored.stops.items():
        sighted.append(_sighted(seen, mention, link, len(nodes) - 1, "at the stop"))
    # stable: sightings of one place keep the order in which they were traced
    ordered = sorted(filter(None, sighted), key=lambda sighting: sighting.at)
    return AlignedRoute(nodes, probability, unit_at, turn_of, fit_of, tuple(ordered))


def _sighted(seen: Sightings, mention: int, link: int, at: int, role: str) -> Sighted | None:
    index = int(np.searchsorted(seen.link, link))
    if index >= len(seen.link) or seen.link[index] != link:
        return None
    # slots are numbers of features, and those of one family follow one another
    quality = QUALITIES[int(seen.slots[index, 0]) - _first_match_slot(role)]
    along, lateral = float(seen.along_m[index]), float(seen.lateral_m[index])
    return Sighted(
        mention,
        int(seen.poi[index]),
        quality,
        float(np.hypot(along, lateral)),
        lateral,
        along,
        at,
        role,
    )


def _first_match_slot(role: str) -> int:
    context = {"at a junction": "corner", "on the way": "pass", "at the stop": "stop"}[role]
    return INDEX[f"{context}-match:{QUALITIES[0]}"]
