"""The navigator `rules-local` as events: what was in sight, what could be done, what was chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import Field

from navviz.errors import InputError
from navviz.records import (
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    Landmark,
    MoveEvent,
    Observation,
    ObservationEvent,
    Panel,
    PanelEvent,
    PlanEvent,
    SeenPoi,
    StepEvent,
    SubGoal,
)
from navviz.records.cause import RepairKind
from navviz.systems.base import OUTDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.plan import plan_at
from navviz.systems.rules.explain import phrases_panel, text_landmarks
from navviz.systems.rules.grammar.grammar import read_instruction
from navviz.systems.rules.grammar.plan import Leg, legs_of
from navviz.systems.rules.length_prior import switched
from navviz.systems.rules.local import (
    STEP_LIMIT,
    LocalStep,
    LocalWalk,
    StepOption,
    retrace,
    walk_on,
)
from navviz.systems.rules.search.scoring import load_expected, load_weights
from navviz.systems.rules.walk import (
    LengthPrior,
    Standing,
    check,
    knows_lengths,
    nothing_left,
    stand,
    understood,
)
from navviz.world.geometry import relative_direction, turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg


class RulesLocalSettings(Settings):
    """Settings of `rules-local`."""

    length_prior: LengthPrior = "auto"
    step_limit: int = Field(
        STEP_LIMIT, ge=1, le=1000, description="The walk ends after this many steps."
    )

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Say whether the learned route lengths are used."""
        return {"length_prior": switched(used=knows_lengths(self.length_prior, episode))}


class RulesLocal(TaskNavigator[RulesLocalSettings]):
    """The navigator ``rules-local``."""

    name: ClassVar[str] = "rules-local"
    summary: ClassVar[str] = (
        "Rules, step by step, no model; sees GROKE's visible area only: one intersection ahead."
    )
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = OUTDOORS
    settings_type: ClassVar[type[Settings]] = RulesLocalSettings
    learned_from: ClassVar[str] = "Map2Seq val"
    repairs: ClassVar[frozenset[RepairKind]] = frozenset({"replace_plan_line"})

    def walk(self, task: NavigationTask[RulesLocalSettings]) -> Iterator[Event]:
        """Walk from view to view; see `navviz.systems.base.Navigator`."""
        episode, graph, options, past = task.episode, task.graph, task.settings, task.past
        check(episode, graph)
        standing = stand(episode, graph, past)
        if not standing.instruction:
            yield nothing_left(standing)
            return
        reading = understood(read_instruction(standing.instruction), episode)
        legs = legs_of(reading, reading.units)
        goals = (*standing.completed, *(SubGoal(description=leg.text) for leg in legs))
        yield PlanEvent(
            sub_goals=goals, landmarks=text_landmarks(reading), panels=(phrases_panel(reading),)
        )
        length_prior = knows_lengths(options.length_prior, episode)
        name = "length-prior" if length_prior else "no-length-prior"
        walk = LocalWalk.begin(
            reading, load_weights(name), load_expected(name), length_prior=length_prior
        )
        walk.before_m = standing.before_m
        heading_deg = retrace(graph, walk, standing.walked, _heading(standing, graph, episode))
        yield from _Teller(graph, walk, legs, goals, standing).events(
            heading_deg, options.step_limit
        )


def _heading(standing: Standing, graph: Graph, episode: Episode) -> float:
    """Return the start heading, else that of the first link in file order: who sees only ahead must
    face somewhere.
    """
    if standing.heading_deg is not None:
        return standing.heading_deg
    links = graph.links(standing.start)
    if not links:
        what = f"the start {standing.start} has no street and the episode no start heading"
        raise InputError(what, "choose another start", episode=episode.id, field="start")
    return graph.heading_deg(standing.start, links[0][0])


class _Teller:
    """Tells a local walk as events."""

    def __init__(
        self,
        graph: Graph,
        walk: LocalWalk,
        legs: tuple[Leg, ...],
        goals: tuple[SubGoal, ...],
        standing: Standing,
    ) -> None:
        self.graph, self.walk, self.legs, self.goals, self.standing = (
            graph,
            walk,
            legs,
            goals,
            standing,
        )
        self.first = len(standing.completed)

    def events(self, heading_deg: float, step_limit: int) -> Iterator[Event]:
        """Events of all steps, and the end."""
        node, leg, stopped = self.standing.walked[-1], self._leg(), False
        limit = max(0, step_limit - self.standing.steps)
        steps = walk_on(self.graph, self.walk, self.standing.walked, heading_deg, step_limit=limit)
        # where no step is left to do, the limit is judged by the steps of the trace that is forked
        index = self.standing.steps
        for index, step in enumerate(steps, start=self.standing.steps + 1):
            after = self._leg_after(step.chosen)
            # the plan never goes back, though a later view may make fewer parts of it likely
            yield from self._step(index, step, leg, max(leg, after))
            node, leg, stopped = step.chosen.node, max(leg, after), step.chosen.stop
        reached = index >= step_limit and not stopped
        reason = None
        if reached:
            reason = f"The limit of {step_limit} steps was reached."
        elif not stopped:
            reason = "No street leads on."
        plan = self._plan(len(self.legs) if stopped else leg)
        yield EndEvent(status="limit" if reached else "done", reason=reason, node=node, plan=plan)

    def _leg(self) -> int:
        return self._leg_of(self.walk.done)

    def _leg_after(self, choice: StepOption) -> int:
        return self._leg_of(int((choice.fits + self.walk.ahead).argmax()))

    def _leg_of(self, done: int) -> int:
        return next(
            (k for k, leg in enumerate(self.legs) if leg.stops or leg.units[-1] >= done),
            len(self.legs) - 1,
        )

    def _plan(self, current: int) -> tuple[SubGoal, ...]:
        return plan_at((goal.description for goal in self.goals), self.first + current)

    def _step(self, index: int, step: LocalStep, leg: int, after: int) -> Iterator[Event]:
        view, chosen = step.sight.view, step.chosen
        yield StepEvent(
            index=index,
            node=view.node,
            heading_deg=round(step.heading_deg, 3),
            plan=self._plan(leg),
            sub_goal=leg + self.first,
        )
        shares = _shares(step)
        shown = [pair for pair in shares if pair[1] >= 0.01 or pair[0] is chosen]
        observation = Observation(
            format="visible area",
            text=self._text(step),
            visible_nodes=tuple(node.id for node in view.path),
            pois=_pois(step, text_landmarks(self.walk.reading)),
            candidates=tuple(_candidate(step, choice, share) for choice, share in shown),
        )
        yield ObservationEvent(observation=observation)
        yield PanelEvent(panel=_choices_panel(shares, chosen))
        completed = after > leg or chosen.stop
        yield DecisionEvent(
            decision=Decision(
                target=chosen.node,
                sub_goal_status="COMPLETED" if completed else "IN_PROGRESS",
                stop=chosen.stop,
                reason=(
                    f"{'To stop' if chosen.stop else 'To go on'} there fits best of"
                    f" {len(step.choices)} choices."
                ),
            )
        )
        if len(chosen.path) > 1:
            yield MoveEvent(
                path=chosen.path, heading_deg=round(arrival_deg(self.graph, *chosen.path[-2:]), 3)
            )

    def _text(self, step: LocalStep) -> str:
        crossing = next((node.id for node in step.sight.view.path if node.intersection), None)
        ahead = f"next intersection {crossing}" if crossing else "no intersection ahead"
        pois = f"{len(step.sight.world.pois)} POIs within 50 m of them"
        return f"{len(step.sight.view.path)} nodes in sight, {ahead}, {pois}"


def _shares(step: LocalStep) -> list[tuple[StepOption, float]]:
    """Choices with their share of the sum of exp(score)."""
    from math import exp

    best = max(choice.score for choice in step.choices)
    weights = [exp(max(choice.score - best, -50.0)) for choice in step.choices]
    total = sum(weights)
    return [(choice, w / total) for choice, w in zip(step.choices, weights, strict=True)]


def _candidate(step: LocalStep, choice: StepOption, share: float) -> Candidate:
    world, path = step.sight.world, choice.path
    before = world.heading_deg(path[-3], path[-2]) if len(path) > 2 else step.heading_deg
    heading_deg = world.heading_deg(path[-2], path[-1]) if len(path) > 1 else step.heading_deg
    return Candidate(
        node=choice.node,
        state="chosen" if choice is step.chosen else "rejected",
        label="stop" if choice.stop else "go on",
        direction=None if choice.stop else relative_direction(before, heading_deg),
        heading_deg=round(heading_deg, 2),
        angle_deg=round(turn_deg(before, heading_deg), 2),
        distance_m=round(world.path_length_m(path), 1),
        score=round(share, 4),
        path=path,
    )


def _pois(step: LocalStep, landmarks: tuple[Landmark, ...]) -> tuple[SeenPoi, ...]:
    """POIs in sight that a landmark may mean."""
    world = step.sight.world
    path = {node.id for node in step.sight.view.path}
    seen = []
    for mention, poi_id in step.matched:
        poi = world.pois[poi_id]
        node, distance_m = world.nearest(poi.position)
        if node in path:
            name, letter = landmarks[mention].name, landmarks[mention].letter
            seen.append(
                SeenPoi(
                    name=name,
                    letter=letter,
                    poi_id=poi_id,
                    node=node,
                    distance_m=round(distance_m, 1),
                )
            )
    return tuple(seen)


def _choices_panel(shares: list[tuple[StepOption, float]], chosen: StepOption) -> Panel:
    items = []
    for choice, share in shares[:8]:
        action = "stop at" if choice.stop else "go to"
        item = {
            "label": f"{action} {choice.node}",
            "value": round(share, 4),
            "chosen": choice is chosen,
            "note": f"score {choice.score:.2f}",
        }
        items.append(item)
    return Panel(kind="bars", title="What it could do", data={"items": items})
