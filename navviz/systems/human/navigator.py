"""A person walks: sees what an agent would see, chooses a place, says "here".

The walk is a trace like any other.

Outdoors the view is GROKE's visible area with the landmarks that the instruction names; the person
may also turn around. Indoors it is the viewpoints that are linked with the one where the person
stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from navviz.errors import InputError
from navviz.records import (
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    MoveEvent,
    Observation,
    ObservationEvent,
    StepEvent,
    TraceHeader,
)
from navviz.systems.groke.navigator import GrokeSettings, Sight, observe
from navviz.systems.groke.plan import divide
from navviz.systems.groke.reply import routes
from navviz.world.geometry import relative_direction
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

NAME = "human"


@dataclass(frozen=True, slots=True)
class CurrentPlace:
    """Where the person stands and what can be seen from there."""

    node: str
    heading_deg: float
    observation: Observation
    routes: Mapping[str, tuple[str, ...]]
    """The way to each place that can be chosen, from `node` on."""
    links: tuple[tuple[str, str], ...]
    """The streets or passages in sight."""


@dataclass
class HumanWalk:
    """A walk in progress; raises `InputError` where the start is not in the graph."""

    episode: Episode
    graph: Graph
    annotator: str
    choices: list[str] = field(default_factory=list)
    """What was chosen, in order: node ids, and the node itself for turning around."""

    def __post_init__(self) -> None:
        episode, graph = self.episode, self.graph
        if episode.start not in graph:
            what = f"the start {episode.start} is not in the graph {graph.name}"
            raise InputError(
                what, "open the map that the episode belongs to", episode=episode.id, field="start"
            )
        # no model is asked: of the plan only the landmarks are used, which the view shows
        plan = divide(episode, "none")
        outdoors = graph.frame == "geo" and plan is not None
        self._sight = (
            Sight(graph, episode, GrokeSettings(), plan) if outdoors and plan is not None else None
        )
        # choices that are given are walked one by one, as a person would: then place and trace
        # always follow from the choices alone
        chosen, self.choices = self.choices, []
        self._begin()
        for target in chosen:
            self.choose(target)

    def _begin(self) -> None:
        self.waypoints: list[str] = [self.episode.start]
        self.path: list[str] = [self.episode.start]
        self._events: list[Event] = []
        self.place = self._look(self.episode.start, self.episode.start_heading_deg or 0.0)

    def choose(self, target: str) -> None:
        """Walk to a place in sight; choosing where one stands turns around.

        Raises `InputError` for another place.
        """
        here = self.place
        turning = target == here.node
        if not turning and target not in here.routes:
            raise InputError(f"the place {target} is not in sight", "choose one that is shown")
        route = () if turning else here.routes[target]
        self._note(Decision(target=target, reason="turned around" if turning else None), target)
        if turning:
            # to turn round is a step without a move: the trace keeps what was seen before it
            self.place = self._look(here.node, (here.heading_deg + 180.0) % 360.0)
        else:
            heading_deg = arrival_deg(self.graph, route[-2], route[-1])
            self._events.append(MoveEvent(path=route, heading_deg=heading_deg))
            self.path.extend(route[1:])
            self.waypoints.append(target)
            self.place = self._look(target, heading_deg)
        self.choices.append(target)

    def back(self) -> None:
        """Take the last choice back; the trace forgets it."""
        chosen, self.choices = self.choices[:-1], []
        self._begin()
        for target in chosen:
            self.choose(target)

    def events(self, run: str, created: str, *, gave_up: bool = False) -> list[Event]:
        """Return the events of the walk, stopped where the person stands.

        `fold` of `navviz.records.trace_files` makes a trace of them.
        """
        header = TraceHeader(
            run=run,
            episode=self.episode,
            navigator=NAME,
            settings={"annotator": self.annotator},
            created=created,
        )
        stop = Decision(target=self.place.node, stop=True, reason="gave up" if gave_up else None)
        # giving up is the walker's own end: "stopped" would say that somebody ended the run
        end = EndEvent(
            status="done",
            reason="The annotator gave up." if gave_up else "The annotator said: here.",
            node=self.place.node,
        )
        return [header, *self._events, *self._step(stop, None), end]

    def _note(self, decision: Decision, target: str) -> None:
        self._events.extend(self._step(decision, target))

    def _step(self, decision: Decision, target: str | None) -> list[Event]:
        here = self.place
        judged = []
        for candidate in here.observation.candidates:
            state = "chosen" if candidate.node == target else "rejected"
            judged.append(candidate.model_copy(update={"state": state}))
        number = sum(isinstance(event, StepEvent) for event in self._events) + 1
        return [
            StepEvent(index=number, node=here.node, heading_deg=here.heading_deg),
            ObservationEvent(observation=here.observation),
            DecisionEvent(decision=decision, candidates=tuple(judged)),
        ]

    def _look(self, node: str, heading_deg: float) -> CurrentPlace:
        if self._sight is None:
            candidates, ways = [], {}
            for target, bearing_deg in self.graph.links(node):
                candidate = Candidate(
                    node=target,
                    direction=relative_direction(heading_deg, bearing_deg),
                    heading_deg=bearing_deg,
                    distance_m=self.graph.distance_m(node, target),
                )
                candidates.append(candidate)
                ways[target] = (node, target)
            observation = Observation(
                format="viewpoints",
                visible_nodes=(node, *(candidate.node for candidate in candidates)),
                candidates=tuple(candidates),
            )
            return CurrentPlace(node, heading_deg, observation, ways, tuple(ways.values()))
        view = self._sight.view(node, heading_deg, None, tuple(self.waypoints))
        links: list[tuple[str, str]] = []
        for a, targets in view.links.items():
            links += [(a, b) for b in targets]
        observation = observe(view, self.graph, "textual")
        return CurrentPlace(node, heading_deg, observation, routes(view), tuple(links))
