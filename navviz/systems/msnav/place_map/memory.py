"""The map that MapGPT and MSNav keep in words, and MSNav's pruning of it: rules only, no model.

Every viewpoint gets a Place number when it is first seen, for ever. At each time step t (from 0)
the agent's place and its candidates are added; then the places that were explored long ago, have
few ways and nothing left to explore are scored, and the highest are taken off the map.

References
----------
.. [1] Liu et al., "MSNav: Zero-Shot Vision-and-Language Navigation with Dynamic Memory and LLM
   Spatial Reasoning",
   2025, arXiv:2508.16654: memory module and its parameters.
.. [2] Chen et al., "MapGPT: Map-Guided Prompting with Adaptive Path Planning", 2024,
   arXiv:2401.07314: the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from pydantic import TypeAdapter, ValidationError

from navviz.errors import InputError
from navviz.records import Trace
from navviz.world.graph import Graph

NAVIGATOR = "msnav"
"""Name of the navigator whose settings hold the fields of `PruningRules`."""
MAPGPT = "mapgpt"
"""Name that logs of MapGPT get; their maps only grow."""


@dataclass(frozen=True, slots=True)
class PruningRules:
    """The numbers of the pruning; the defaults are the paper's."""

    start_step: int = 15
    """First time step at which places may be taken off."""
    keep_recent: int = 3
    """A place stays while its age is not above this (theta_recent)."""
    keep_young: int = 10
    """A place stays while its age is not above this (theta_age); older ones count from here."""
    remove: int = 1
    """Most places taken off in one step."""
    time_weight: float = 1.0
    degree_weight: float = 2.0
    frontier_weight: float = 5.0
    distance_weight: float = 0.5
    distance_term: bool = True
    """Whether the hops to the agent count; the published run script never switches this on."""


_RULES = TypeAdapter(PruningRules)

PAPER = PruningRules()
"""As the paper tells them."""
PARSER = PruningRules(keep_recent=6, keep_young=13, degree_weight=2.5, distance_term=False)
"""Defaults of the published code's options."""
SCRIPT = PruningRules(distance_term=False)
"""As the published run script sets them."""


@dataclass(frozen=True, slots=True)
class PruningScore:
    """Why a place may be taken off the map at one step; the highest score goes first."""

    node: str
    age: int
    """Time steps since the agent stood there."""
    effective_age: int
    """``max(1, age - keep_young)``."""
    degree: int
    """Neighbours still listed."""
    unvisited: int
    """Those of them that the agent never stood on."""
    hops: int | None
    """Links to the agent over explored places; ``None`` where no such way is left, or nobody asked.
    """
    time: float
    degree_term: float
    frontier: float
    distance: float
    removed: bool = False

    @property
    def score(self) -> float:
        """Sum of the four terms."""
        return self.time + self.degree_term + self.frontier + self.distance


@dataclass(frozen=True, slots=True)
class PrunedAt:
    """A place that was taken off the map."""

    step: int
    """Time step, from 0."""
    score: float | None
    """``None`` where a log does not print it."""

    def __str__(self) -> str:
        score = "" if self.score is None else f", score {self.score:g}"
        return f"pruned at step {self.step}{score}"


@dataclass(frozen=True, slots=True)
class Arrival:
    """What one time step did to the map."""

    step: int
    """Time step t, from 0."""
    node: str
    candidates: tuple[str, ...]
    scores: tuple[PruningScore, ...] = ()
    """The places that could be taken off, the highest score first; empty where there is none or
    pruning has not started.
    """
    stays: Mapping[str, str] = field(default_factory=dict)
    """Why each other place with links stays: ``current``, ``recent``, ``too young`` or ``shown by a
    repair``; empty before the start.
    """
    started: bool = False
    """Whether pruning was on and had started at this step."""

    @property
    def removed(self) -> tuple[PruningScore, ...]:
        """The places that were taken off in this step."""
        return tuple(score for score in self.scores if score.removed)


def score_place(
    node: str, age: int, degree: int, unvisited: int, hops: int | None, rules: PruningRules = PAPER
) -> PruningScore:
    """Return the pruning score of one place (Liu et al. 2025, memory module).

    ``time + degree + frontier + distance`` with the terms ``w_t * max(1, age - theta_age)``, ``-w_d
    * degree``, ``-w_f * unvisited`` and ``w_dist * hops``, the last 0 where `hops` is ``None`` or
    the term is off.
    """
    effective = max(1, age - rules.keep_young)
    counted = hops if rules.distance_term else None
    return PruningScore(
        node=node,
        age=age,
        effective_age=effective,
        degree=degree,
        unvisited=unvisited,
        hops=counted,
        time=rules.time_weight * effective,
        degree_term=-rules.degree_weight * degree,
        frontier=-rules.frontier_weight * unvisited,
        distance=0.0 if counted is None else rules.distance_weight * counted,
    )


class MapMemory:
    """The growing map of one episode."""

    def __init__(self, rules: PruningRules | None = PAPER) -> None:
        self.rules = rules
        self.places: dict[str, int] = {}
        """Place number of every node ever seen, in the order first seen."""
        self.links: dict[str, list[str]] = {}
        """Explored places on the map, in the order explored, each with the neighbours still listed.
        """
        self.trajectory: list[str] = []
        """All nodes stood on, repeats included."""
        self.last_visit: dict[str, int] = {}
        self.pruned: dict[str, PrunedAt] = {}
        """Places off the map now."""
        self.arrivals: list[Arrival] = []
        self.kept: set[str] = set()
        """Places that are never taken off: those that a repair shows."""

    # --- growing and pruning
    # ---------------------------------------------------------------------------------------

    def arrive(self, node: str, candidates: Iterable[str]) -> Arrival:
        """Add a place and its candidates at the next time step, then prune."""
        offered = tuple(candidates)
        step = len(self.trajectory)
        for seen in (node, *offered):
            self.places.setdefault(seen, len(self.places))
        self.trajectory.append(node)
        # a second visit adds nothing, and only a newly explored place brings pruned ones back
        if node not in self.links:
            self.links[node] = list(offered)
            for back in (node, *offered):
                self.pruned.pop(back, None)
        self.last_visit[node] = step
        arrival = self._pruned(step, node, offered)
        self.arrivals.append(arrival)
        return arrival

    def keep(self, node: str) -> None:
        """Never take a place off, and put it back where it is off now: a repair.

        It comes back with the ways that it had, and takes its old age along: nothing but the place
        differs from a map on which it was never pruned.
        """
        self.kept.add(node)
        if self.pruned.pop(node, None) is None:
            return
        # of several visits the last one stays, as in `last_visit`
        stood = {arrival.node: arrival for arrival in self.arrivals}
        self.last_visit[node] = stood[node].step
        self.links[node] = []
        for other in self.links:
            on_map = {*self.links[other], node}
            if other == node:
                on_map = set(self.nodes)
            self.links[other] = [near for near in stood[other].candidates if near in on_map]
        # ties of the pruning go to the place explored first, so that the order matters
        explored = dict.fromkeys(self.trajectory)
        self.links = {other: self.links[other] for other in explored if other in self.links}

    def _pruned(self, step: int, node: str, offered: tuple[str, ...]) -> Arrival:
        rules = self.rules
        if rules is None or step < rules.start_step:
            return Arrival(step, node, offered)
        # without the term the search would be for nothing
        hops = self._hops_from(node) if rules.distance_term else {}
        stood = set(self.trajectory)
        stays, scores = {}, []
        for other, neighbours in self.links.items():
            why = self._why_it_stays(other, node, step, rules)
            if why:
                stays[other] = why
                continue
            age, degree = step - self.last_visit[other], len(neighbours)
            unvisited = sum(near not in stood for near in neighbours)
            scores.append(score_place(other, age, degree, unvisited, hops.get(other), rules))
        # stable: of equals the one explored earlier comes first
        scores.sort(key=lambda score: -score.score)
        for score in scores[: rules.remove]:
            self._take_off(score, step)
        marked = tuple(replace(score, removed=k < rules.remove) for k, score in enumerate(scores))
        return Arrival(step, node, offered, marked, stays, started=True)

    def _why_it_stays(self, other: str, current: str, step: int, rules: PruningRules) -> str | None:
        if other == current:
            return "current"
        if other in self.kept:
            return "shown by a repair"
        age = step - self.last_visit[other]
        if age <= rules.keep_recent:
            return "recent"
        return "too young" if age <= rules.keep_young else None

    def _hops_from(self, node: str) -> dict[str, int]:
        """Links to every explored place, breadth first, over explored places only."""
        hops, front = {node: 0}, [node]
        while front:
            following = []
            for here in front:
                for there in self.links[here]:
                    if there in self.links and there not in hops:
                        hops[there] = hops[here] + 1
                        following.append(there)
            front = following
        return hops

    def _take_off(self, score: PruningScore, step: int) -> None:
        del self.links[score.node]
        del self.last_visit[score.node]
        for near in self.links.values():
            if score.node in near:
                # neighbours lose a way with it, so that they are pruned more easily later
                near.remove(score.node)
        self.pruned[score.node] = PrunedAt(step, score.score)

    # --- what is on it
    # ---------------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The time step of the last arrival; -1 before the first."""
        return len(self.trajectory) - 1

    @property
    def explored(self) -> tuple[str, ...]:
        """Places on the map that were stood on, in the order explored."""
        return tuple(self.links)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Places still on the map, by number; one that was pruned counts if it came back."""
        return tuple(node for node in self.places if node not in self.pruned)

    # --- as words
    # --------------------------------------------------------------------------------------------------  # noqa: E501

    def trajectory_text(self) -> str:
        """``Place 0 3 7``: every place stood on."""
        return " ".join(["Place", *(str(self.places[node]) for node in self.trajectory)])

    def map_lines(self) -> list[str]:
        """One line for each explored place still on the map, in the order of the trajectory."""
        lines = []
        for node in dict.fromkeys(self.trajectory):
            near = [str(self.places[other]) for other in self.links.get(node, ())]
            if near:
                lines.append(
                    f"Place {self.places[node]} is connected with Places {', '.join(near)}"
                )
        return lines

    def supplementary(self) -> list[str]:
        """Nodes that were seen, never stood on, and are no candidates now."""
        now = set(self.links.get(self.trajectory[-1], ())) if self.trajectory else set()
        stood = set(self.trajectory)
        return [node for node in self.places if node not in stood and node not in now]


def remembered(
    path: Sequence[str], near: Mapping[str, Sequence[str]], rules: PruningRules | None
) -> MapMemory:
    """Return the memory of an agent that stood on `path`; `near` has each node's candidates."""
    memory = MapMemory(rules)
    for node in path:
        memory.arrive(node, near[node])
    return memory


def memory_of(path: Sequence[str], graph: Graph, rules: PruningRules | None) -> MapMemory:
    """Return the memory of an agent that walked `path`; nodes that the graph lacks are passed over.

    Candidates come in the graph's order, so Place numbers are not those that the agent used; the
    set of nodes, the scores and what is pruned are.
    """
    walked = [node for node in path if node in graph]
    return remembered(walked, {node: graph.neighbours(node) for node in walked}, rules)


def rules_of(trace: Trace) -> PruningRules | None:
    """Return the pruning that a trace's settings name; ``None`` where it did not prune."""
    settings = trace.header.settings
    if trace.header.navigator != NAVIGATOR or not settings.get("pruning"):
        return None
    # the settings hold much else, and where a number is missing the paper's stands in
    names = {spec.name for spec in fields(PruningRules)}
    numbers = {name: value for name, value in settings.items() if name in names}
    try:
        # other writers may have written 15 as "15"
        return _RULES.validate_python(numbers)
    except ValidationError as error:
        field_name = ".".join(["settings", *map(str, error.errors()[0]["loc"])])
        raise InputError(
            "the header holds a setting of the pruning that is no number",
            "write a number",
            episode=trace.episode.id,
            field=field_name,
        ) from error
