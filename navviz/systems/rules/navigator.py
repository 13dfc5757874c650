"""The navigators `rules` and `rules-local`: turn-by-turn instructions followed without a model.

`rules` reads the instruction with a grammar, scores every walk from the start on the whole map
against it, and goes where most of the probability lies. `rules-local` has the same grammar and
weights and GROKE's visible area.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pydantic import Field

from navviz.errors import InputError
from navviz.language.grammar.grammar import Leg, Reading, legs_of, read_instruction
from navviz.language.placing.routes import AlignedRoute, Search, routes_to
from navviz.language.placing.scoring import load_weights
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
    PlanEvent,
    SeenPoi,
    StepEvent,
    SubGoal,
)
from navviz.records.finding import RepairKind
from navviz.systems.base import EVERYWHERE, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.indoors import plan_at
from navviz.systems.rules.explain import (
    confidence_panel,
    landmark_panel,
    reading_panel,
    routes_panel,
    runner_ups,
    text_landmarks,
)
from navviz.systems.rules.indoors.navigator import RulesIndoors, RulesIndoorsSettings
from navviz.systems.rules.local_navigator import (
    LengthPrior,
    Standing,
    check,
    is_of_r2r,
    knows_lengths,
    nothing_left,
    stand,
    switched,
    understood,
)
from navviz.systems.rules.search import Reach, search, searched_part
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

_REACH_M = 700.0
"""Metres of path that are searched at least, however short the instruction is."""
_REACH_FOR_JUNCTION_M = 90.0
"""Two short blocks of Manhattan, for an instruction that names many junctions."""


class RulesSettings(Settings):
    """Settings of `rules`."""

    length_prior: LengthPrior = "auto"
    longest_m: float = Field(
        5000.0,
        ge=50,
        le=20_000,
        description=(
            "Routes longer than this are not searched, in metres. Without the length prior the"
            " search reaches 700 m, or 90 m for each junction that the instruction speaks of."
        ),
    )
    runners_up: int = Field(4, ge=0, le=20, description="How many other routes are shown.")

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Say whether learned route lengths are used: those of Map2Seq, or of R2R indoors."""
        used = knows_lengths(self.length_prior, episode) or (
            self.length_prior == "auto" and is_of_r2r(episode)
        )
        return {"length_prior": switched(used=used)}


def navigability(episode: Episode, graph: Graph, settings: RulesSettings | None = None) -> float:
    """How well the instruction singles out a place: the probability within the success radius of
    the best stop.

    From 0 to 1; needs no route and no goal. 0 where the instruction is empty, holds no directions
    or leads nowhere. Raises `InputError` when the start is not in the graph.
    """
    options = settings or RulesSettings()
    if not episode.instruction.strip():
        return 0.0
    check(episode, graph)
    standing = stand(episode, graph, None)
    try:
        reading = understood(read_instruction(standing.instruction), episode)
    except InputError:
        return 0.0
    return _search(episode, graph, standing, reading, options)[1].confidence


def _search(
    episode: Episode, graph: Graph, standing: Standing, reading: Reading, options: RulesSettings
) -> tuple[Graph, Search]:
    """Search the map; returns the part of it that the numbers of the search refer to."""
    length_prior = knows_lengths(options.length_prior, episode)
    junctions = sum(unit.kind == "junction" for unit in reading.units)
    reach = Reach(
        min(options.longest_m, max(_REACH_M, _REACH_FOR_JUNCTION_M * (junctions + 1))),
        length_prior=length_prior,
        before_m=standing.before_m,
    )
    part = searched_part(graph, graph.index[standing.start], len(standing.walked) - 1, reach)
    result = search(
        part,
        part.index[standing.start],
        standing.heading_deg,
        reading,
        load_weights("length-prior" if length_prior else "no-length-prior"),
        reach=reach,
        radius_m=episode.success_radius_m,
        walked=[part.index[node] for node in standing.walked],
    )
    return part, result


class Rules(TaskNavigator[RulesSettings]):
    """The navigator ``rules``."""

    name: ClassVar[str] = "rules"
    summary: ClassVar[str] = (
        "Rules: a grammar and a search over all routes, no model; plans with the whole map."
    )
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = EVERYWHERE
    """Indoors it is ``rules-indoors``."""
    settings_type: ClassVar[type[Settings]] = RulesSettings
    learned_from: ClassVar[str] = "Map2Seq val, indoors R2R train"
    repairs: ClassVar[frozenset[RepairKind]] = frozenset({"replace_plan_line"})

    def walk(self, task: NavigationTask[RulesSettings]) -> Iterator[Event]:
        """Read, search, then walk the chosen route leg by leg."""
        episode, graph, options, past = task.episode, task.graph, task.settings, task.past
        # `longest_m` stays behind: indoors the search is bounded by moves, not by metres
        if graph.frame == "metric":
            indoors = RulesIndoorsSettings(
                length_prior=options.length_prior, runners_up=options.runners_up
            )
            yield from RulesIndoors().navigate(episode, graph, None, indoors, past)
            return
        check(episode, graph)
        standing = stand(episode, graph, past)
        if not standing.instruction:
            yield nothing_left(standing)
            return
        reading = understood(read_instruction(standing.instruction), episode)
        # from here on `graph` is the part that was searched: numbers of nodes and POIs refer to it
        graph, result = _search(episode, graph, standing, reading, options)
        routes = _routes(graph, episode, result, options.runners_up)
        legs = legs_of(reading, reading.units)
        goals = (*standing.completed, *(SubGoal(description=leg.text) for leg in legs))
        length_prior = knows_lengths(options.length_prior, episode)
        best = routes[0] if routes else None
        panels = (
            reading_panel(graph, result, best),
            landmark_panel(graph, result, best),
            routes_panel(graph, routes),
            confidence_panel(result, length_prior=length_prior, sees="the whole map"),
        )
        yield PlanEvent(
            sub_goals=goals, landmarks=text_landmarks(result.scored.reading), panels=panels
        )
        if not routes:
            yield EndEvent(
                status="done",
                reason="No street leads on from the start.",
                node=standing.walked[-1],
                plan=goals,
            )
            return
        yield from _Walker(graph, result, routes, legs, goals, standing).events()


def _routes(graph: Graph, episode: Episode, result: Search, count: int) -> list[AlignedRoute]:
    places = runner_ups(graph, result, episode.success_radius_m, count)
    routes = routes_to(graph, result, places)
    # without a walk to the answer nothing is shown, so that no runner-up takes its place
    return (
        [route for route in routes if route is not None] if routes and routes[0] is not None else []
    )


class _Walker:
    """Tells the chosen route as steps: one for each junction decision, and one to the stop."""

    def __init__(
        self,
        graph: Graph,
        result: Search,
        routes: list[AlignedRoute],
        legs: Sequence[Leg],
        goals: tuple[SubGoal, ...],
        standing: Standing,
    ) -> None:
        self.graph, self.result, self.routes = graph, result, routes
        self.legs, self.goals, self.standing = legs, goals, standing
        self.route = routes[0]
        self.done_before = len(standing.completed)
        self.ids = [graph.ids[node] for node in self.route.nodes]

    def events(self) -> Iterator[Event]:
        """Events of all steps that are not walked yet, and the end."""
        begin = len(self.standing.walked) - 1
        index = self.standing.steps
        for start, end, leg, completed in self._stretches():
            # a fork begins amid the route: the trace that is forked tells the steps before; the
            # last leg stays even without a move, since it holds the stop
            if end < begin or (end == begin and begin > 0 and leg < len(self.legs) - 1):
                continue
            index += 1
            yield from self._step(index, max(start, begin), end, leg, completed=completed)
        plan = self._plan(len(self.legs))
        yield EndEvent(
            status="done", reason="The whole plan was followed.", node=self.ids[-1], plan=plan
        )

    def _stretches(self) -> list[tuple[int, int, int, bool]]:
        """``(first, last, leg, completed)``: indices into the route's nodes for each step."""
        stretches, at = [], 0
        last = len(self.route.nodes) - 1
        numbers = self._numbers()
        for number, leg in enumerate(self.legs[:-1]):
            # a step ends one node past its junction: only there one sees which way was taken
            matched = [numbers[u] for u in leg.units if numbers.get(u) in self.route.turn_of]
            marks = sorted({self.route.unit_at[unit] for unit in matched})
            ends = [min(mark + 1, last) for mark in marks if mark + 1 > at] or [at]
            for k, end in enumerate(ends):
                stretches.append((at, max(at, end), number, k == len(ends) - 1))
                at = max(at, end)
        stretches.append((at, last, len(self.legs) - 1, True))
        return stretches

    def _numbers(self) -> dict[int, int]:
        """From units of the reading to units of the search, which lacks distant landmarks."""
        # by identity: two units of a plan may be equal (two lights in a row), and `score_plan`
        # keeps the very objects
        kept = {id(unit): number for number, unit in enumerate(self.result.scored.units)}
        numbers: dict[int, int] = {}
        for k, unit in enumerate(self.result.scored.reading.units):
            if id(unit) in kept:
                numbers[k] = kept[id(unit)]
        return numbers

    def _plan(self, current: int) -> tuple[SubGoal, ...]:
        return plan_at((goal.description for goal in self.goals), self.done_before + current)

    def _step(
        self, index: int, start: int, end: int, leg: int, *, completed: bool
    ) -> Iterator[Event]:
        heading_deg = self.standing.heading_deg if start == 0 else self._heading(start)
        yield StepEvent(
            index=index,
            node=self.ids[start],
            heading_deg=heading_deg,
            plan=self._plan(leg),
            sub_goal=leg + self.done_before,
        )
        candidates = self._candidates(start, end)
        yield ObservationEvent(
            observation=Observation(
                format="route search",
                text=self._text(leg, start, end),
                visible_nodes=tuple(self.ids[start : end + 1]),
                pois=self._pois(start, end),
                candidates=candidates,
            )
        )
        last = leg == len(self.legs) - 1
        yield DecisionEvent(
            decision=Decision(
                target=self.ids[end],
                sub_goal_status="COMPLETED" if completed else "IN_PROGRESS",
                stop=last,
                reason=self._reason(leg, start, end),
            ),
        )
        if end > start:
            yield MoveEvent(path=tuple(self.ids[start : end + 1]), heading_deg=self._heading(end))

    def _heading(self, at: int) -> float:
        return round(arrival_deg(self.graph, self.ids[at - 1], self.ids[at]), 3)

    def _candidates(self, start: int, end: int) -> tuple[Candidate, ...]:
        chosen = Candidate(
            node=self.ids[end],
            state="chosen",
            label="this route",
            score=round(self.route.probability, 4),
            path=tuple(self.ids[start : end + 1]),
            reason="on the route with the most probability around its end",
        )
        candidates, walked = [chosen], self.route.nodes[: start + 1]
        for number, route in enumerate(self.routes[1:], start=1):
            # a runner-up that has parted from the chosen route is no choice at this step
            if route.nodes[: start + 1] != walked or len(route.nodes) <= start:
                continue
            candidate = Candidate(
                node=self.graph.ids[route.nodes[-1]],
                state="rejected",
                label=f"runner-up {number}",
                score=round(route.probability, 4),
                path=tuple(self.graph.ids[node] for node in route.nodes[start:]),
                reason=f"probability {route.probability:.1%} against {self.route.probability:.1%}",
            )
            candidates.append(candidate)
        return tuple(candidates)

    def _pois(self, start: int, end: int) -> tuple[SeenPoi, ...]:
        mentions = self.result.scored.reading.mentions
        letters = [landmark.letter for landmark in text_landmarks(self.result.scored.reading)]
        ids = self.graph.poi_ids
        pois = []
        for sighted in self.route.sighted:
            # what is seen at the very start belongs to the first step
            if not start < sighted.at <= end and not sighted.at == start == 0:
                continue
            poi = SeenPoi(
                name=mentions[sighted.mention].text,
                letter=letters[sighted.mention],
                poi_id=ids[sighted.poi],
                node=self.ids[sighted.at],
                direction="Right" if sighted.lateral_m > 0 else "Left",
                position=sighted.role,
                distance_m=round(sighted.distance_m, 1),
            )
            pois.append(poi)
        return tuple(pois)

    def _text(self, leg: int, start: int, end: int) -> str:
        length_m = self.graph.path_length_m(self.ids[start : end + 1])
        return (
            f"Part of the plan: {self.legs[leg].text}\nStretch of the chosen route: {length_m:.0f}"
            f" m to {self.ids[end]}"
        )

    def _reason(self, leg: int, start: int, end: int) -> str:
        numbers = self._numbers()
        units = self.legs[leg].units
        matched = [numbers[u] for u in units if numbers.get(u) in self.route.turn_of]
        here = [unit for unit in matched if start <= self.route.unit_at[unit] <= end]
        marks = [self.route.turn_of[unit] for unit in here]
        if marks:
            return f"Matched: {'; '.join(marks)}."
        if leg == len(self.legs) - 1:
            return (
                f"{self.route.probability:.1%} of the probability lies within the success radius of"
                " this stop."
            )
        return "The route goes on here; no junction of this part was matched."
