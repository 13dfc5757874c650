"""The navigator `rules-local` as events: what was in sight, what could be done, what was chosen."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from navviz.errors import InputError
from navviz.language.grammar.grammar import Leg, Reading, legs_of, read_instruction
from navviz.language.placing.scoring import load_expected, load_weights
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
    Trace,
)
from navviz.records.finding import RepairKind
from navviz.systems.base import OUTDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.indoors import plan_at
from navviz.systems.rules.explain import phrases_panel, text_landmarks
from navviz.systems.rules.local import (
    STEP_LIMIT,
    LocalStep,
    LocalWalk,
    StepOption,
    retrace,
    walk_on,
)
from navviz.world.geometry import relative_direction, turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg
from navviz.world.matterport3d import SCANS

_SWITCH: dict[bool, Literal["on", "off"]] = {True: "on", False: "off"}

LengthSwitch = Annotated[
    Literal["auto", "on", "off"],
    BeforeValidator(lambda value: _SWITCH[value] if isinstance(value, bool) else value),
]
"""Whether to lean on learned route lengths; true and false stand for on and off."""


def is_of_r2r(episode: Episode) -> bool:
    """Whether an episode is one of R2R: by its data set, its scan and its path id."""
    # ids of R2R's instructions are the path's number and their own: 4332_1
    path_id = episode.path_id or episode.id.rpartition("_")[0]
    return episode.dataset == "R2R" and episode.world in SCANS and path_id.isdecimal()


def is_of_map2seq(episode: Episode) -> bool:
    """Whether an episode is Map2Seq's: by its route's panoramas, or GROKE's fields."""
    return episode.dataset.lower().startswith("map2seq")


def switched(*, used: bool) -> Literal["on", "off"]:
    """Return the switch of a walk that uses the learned lengths, or does not."""
    return _SWITCH[used]


LengthPrior = Annotated[
    LengthSwitch,
    Field(
        description=(
            "Use what was learned about how long the routes of Map2Seq are (300 to 450 m): auto"
            " does so for episodes of Map2Seq only, known by the panoramas of their routes."
        )
    ),
]
"""Whether to lean on the route lengths of Map2Seq; true and false stand for on and off."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The task as it is taken up: what to read, where to begin, what was walked already."""

    instruction: str
    """The whole instruction, or what remains of an edited plan; empty where nothing remains."""
    start: str
    heading_deg: float | None
    walked: tuple[str, ...]
    """Nodes already walked that the instruction speaks of too, from `start`; just the start where
    nothing was.
    """
    before_m: float = 0.0
    """Length walked before `start`, in metres."""
    steps: int = 0
    completed: tuple[SubGoal, ...] = ()
    """Sub-goals that are done and not read again."""


def knows_lengths(length_prior: LengthPrior, episode: Episode) -> bool:
    """Whether the learned route lengths are used on this episode."""
    return length_prior == "on" or (length_prior == "auto" and is_of_map2seq(episode))


def check(episode: Episode, graph: Graph) -> None:
    """Raise `InputError` where an episode cannot be walked on this graph by rules."""
    if episode.start not in graph:
        what = f"the start {episode.start} is not in the graph {graph.name}"
        raise InputError(
            what, "choose the map that the episode belongs to", episode=episode.id, field="start"
        )
    if not episode.instruction.strip():
        raise InputError(
            "the instruction is empty", "write where to go", episode=episode.id, field="instruction"
        )


def understood(reading: Reading, episode: Episode) -> Reading:
    """Return the reading, or `InputError` where the text holds no directions."""
    events = any(unit.kind == "junction" for unit in reading.units)
    if not events and not reading.stop.text:
        what = "the rules find no directions in the instruction"
        do = (
            'write it in English with turns, junctions or landmarks ("turn left at the light, stop'
            ' before the bank")'
        )
        raise InputError(what, do, episode=episode.id, field="instruction")
    return reading


def stand(episode: Episode, graph: Graph, past: Trace | None) -> Standing:
    """Take up an episode, at its start or after the last step of `past`.

    Where the plan of `past` was edited, what is left of it is read instead of the instruction; else
    the whole instruction (which may have been edited too) is read and the walk so far is taken as
    its beginning.
    """
    begin = Standing(
        episode.instruction, episode.start, episode.start_heading_deg, (episode.start,)
    )
    if past is None:
        return begin
    path = tuple(node for node in past.path if node in graph) or (episode.start,)
    steps = past.steps[-1].index if past.steps else 0
    edited, same = _edited(episode, past), episode.instruction == past.episode.instruction
    # the search takes only forward walks over links as given; after a walk that turned round or
    # jumped only the rest is read, from where it ended
    if edited or not _forward(graph, path):
        # a new instruction has no part that is done
        done = _completed(past) if edited or same else 0
        left = (
            " ".join(goal.description for goal in past.sub_goals[done:])
            if edited or same
            else episode.instruction
        )
        heading_deg = (
            arrival_deg(graph, path[-2], path[-1]) if len(path) > 1 else episode.start_heading_deg
        )
        return Standing(
            left,
            path[-1],
            heading_deg,
            (path[-1],),
            graph.path_length_m(path),
            steps,
            tuple(
                goal.model_copy(update={"status": "COMPLETED"}) for goal in past.sub_goals[:done]
            ),
        )
    return Standing(episode.instruction, episode.start, episode.start_heading_deg, path, 0.0, steps)


def nothing_left(standing: Standing) -> EndEvent:
    """Return the end of a walk whose plan was completed before."""
    reason = "Every part of the plan is completed."
    return EndEvent(status="done", reason=reason, node=standing.start, plan=standing.completed)


def _forward(graph: Graph, path: tuple[str, ...]) -> bool:
    """Whether a path follows links and never turns round."""
    linked = all(graph.has_link(a, b) for a, b in itertools.pairwise(path))
    # the same node two places on means that the walk turned round
    return linked and all(a != c for a, c in zip(path, path[2:], strict=False))


def _edited(episode: Episode, past: Trace) -> bool:
    """Whether the plan is neither that of the instruction nor that of the instruction before."""
    plan = tuple(goal.description for goal in past.sub_goals)
    # sub-goals of another navigator are in its own words: they would always look edited
    if not plan or past.header.navigator not in ("", "rules", "rules-local"):
        return False
    return all(plan != _plan_of(text) for text in {episode.instruction, past.episode.instruction})


def _plan_of(text: str) -> tuple[str, ...]:
    reading = read_instruction(text)
    return tuple(leg.text for leg in legs_of(reading, reading.units))


def _completed(past: Trace) -> int:
    """How many sub-goals are completed, by the plan or else by the last step."""
    states = [goal.status for goal in past.sub_goals]
    if any(state != "TODO" for state in states):
        return next((k for k, state in enumerate(states) if state != "COMPLETED"), len(states))
    if not past.steps:
        return 0
    last = past.steps[-1]
    finished = last.decision is not None and last.decision.sub_goal_status == "COMPLETED"
    done = sum(goal.status == "COMPLETED" for goal in last.plan) if last.plan else 0
    return min(done + int(finished), len(past.sub_goals))


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
        walk, heading_deg = begin_local(episode, graph, options, standing, reading)
        yield from _Teller(graph, walk, legs, goals, standing).events(
            heading_deg, options.step_limit
        )


def begin_local(
    episode: Episode,
    graph: Graph,
    options: RulesLocalSettings,
    standing: Standing,
    reading: Reading,
) -> tuple[LocalWalk, float]:
    """Return the state of a walk where it is taken up, and its heading there."""
    length_prior = knows_lengths(options.length_prior, episode)
    name = "length-prior" if length_prior else "no-length-prior"
    walk = LocalWalk.begin(
        reading, load_weights(name), load_expected(name), length_prior=length_prior
    )
    walk.before_m = standing.before_m
    heading_deg = retrace(graph, walk, standing.walked, _heading(standing, graph, episode))
    return walk, heading_deg


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
        node, leg, stopped = self.standing.walked[-1], self._leg_of(self.walk.done), False
        limit = max(0, step_limit - self.standing.steps)
        steps = walk_on(self.graph, self.walk, self.standing.walked, heading_deg, step_limit=limit)
        # where no step is left to do, the limit is judged by the steps of the trace that is forked
        index = self.standing.steps
        for index, step in enumerate(steps, start=self.standing.steps + 1):
            after = self._leg_of(int((step.chosen.fits + self.walk.ahead).argmax()))
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

    def _leg_of(self, done: int) -> int:
        return next(
            (k for k, leg in enumerate(self.legs) if leg.stops or leg.units[-1] >= done),
            len(self.legs) - 1,
        )

    def _plan(self, current: int) -> tuple[SubGoal, ...]:
        return plan_at((goal.description for goal in self.goals), self.first + current)

    def _step(self, index: int, step: LocalStep, leg: int, after: int) -> Iterator[Event]:
        from math import exp

        view, chosen = step.sight.view, step.chosen
        yield StepEvent(
            index=index,
            node=view.node,
            heading_deg=round(step.heading_deg, 3),
            plan=self._plan(leg),
            sub_goal=leg + self.first,
        )

        best = max(choice.score for choice in step.choices)
        weights = [exp(max(choice.score - best, -50.0)) for choice in step.choices]
        total = sum(weights)
        shares = [(choice, w / total) for choice, w in zip(step.choices, weights, strict=True)]
        shown = [pair for pair in shares if pair[1] >= 0.01 or pair[0] is chosen]
        crossing = next((node.id for node in step.sight.view.path if node.intersection), None)
        ahead = f"next intersection {crossing}" if crossing else "no intersection ahead"
        pois = f"{len(step.sight.world.pois)} POIs within 50 m of them"
        observation = Observation(
            format="visible area",
            text=f"{len(step.sight.view.path)} nodes in sight, {ahead}, {pois}",
            visible_nodes=tuple(node.id for node in view.path),
            pois=_pois(step, text_landmarks(self.walk.reading)),
            candidates=tuple(_candidate(step, choice, share) for choice, share in shown),
        )
        yield ObservationEvent(observation=observation)
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
        yield PanelEvent(panel=Panel(kind="bars", title="What it could do", data={"items": items}))
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
