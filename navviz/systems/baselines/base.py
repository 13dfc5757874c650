"""The loop of the baselines: look at the ways on, let the sub-class choose, tell it as events."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

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
    Panel,
    PanelEvent,
    PlanEvent,
    StepEvent,
    SubGoal,
)
from navviz.systems.base import OUTDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.baselines.turn_words import completed_in, marked
from navviz.systems.baselines.walk import BaselineWalk, Way, cut_way, observation, resume, ways_from
from navviz.world.graph import Graph


class BaselineSettings(Settings):
    """What all baselines have."""

    seed: int = Field(0, description="The same seed gives the same walk.")
    step_limit: int = Field(
        60, ge=1, le=10_000, description="The walk ends after this many intersections."
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """What a baseline decides at a place."""

    way: Way
    reason: str
    panel: Panel
    scores: tuple[float | None, ...]
    """One a way: how likely it was to be taken."""
    remaining_m: float | None = None
    """The walk ends after this many metres; ``None`` goes to the next intersection."""
    turned: bool = False
    """Whether the current sub-goal is completed."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a baseline looks at when it decides."""

    episode: str
    graph: Graph
    walk: BaselineWalk
    ways: Sequence[Way]
    to_do: Sequence[SubGoal]
    """Sub-goals that are not completed."""
    seed: int

    def rng(self, purpose: str) -> random.Random:
        """Random numbers that depend on seed, episode and purpose alone, so that a forked walk
        draws the same.
        """
        # a text seeds by its SHA-512, which is the same in every process, unlike its `hash`
        return random.Random(f"{self.seed}|{self.episode}|{purpose}")  # noqa: S311 - a reproducible walk, no secret

    @property
    def step_rng(self) -> random.Random:
        """Random numbers of this step."""
        return self.rng(f"step {self.walk.step + 1}")


class Baseline(TaskNavigator[BaselineSettings]):
    """A walk from intersection to intersection; sub-classes choose the way."""

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = OUTDOORS
    settings_type: ClassVar[type[Settings]]
    knows_length: ClassVar[bool] = False
    """Whether it is told how long the reference route is, and stops there."""

    @abstractmethod
    def choose(self, at: Situation, settings: Settings) -> Choice:
        """Choose one of the ways."""

    def plan(self, instruction: str) -> PlanEvent | None:  # noqa: ARG002 - for sub-classes that read it
        """Return what is read from the instruction; random walks read nothing."""
        return None

    def walk(self, task: NavigationTask[BaselineSettings]) -> Iterator[Event]:
        """Walk the episode; see `Navigator.navigate`."""
        episode, graph, past = task.episode, task.graph, task.past
        walk = resume(episode, graph, past)
        route_m = self._route_m(episode, graph) if self.knows_length else None
        # a fork keeps the plan of its trace, which somebody may have edited
        goals = past.sub_goals if past is not None else ()
        if not goals and (planned := self.plan(episode.instruction)) is not None:
            yield planned
            goals = planned.sub_goals
        progress = _Progress(goals, completed_in(goals, past))
        yield from self._steps(episode.id, graph, task.settings, walk, progress, route_m)

    def _steps(
        self,
        episode: str,
        graph: Graph,
        settings: BaselineSettings,
        walk: BaselineWalk,
        progress: _Progress,
        route_m: float | None,
    ) -> Iterator[Event]:
        while True:
            ways = ways_from(graph, walk)
            if not ways:
                yield progress.end("done", "No street leads away from here.", walk)
                return
            # steps of a trace that is forked count, too
            if walk.step >= settings.step_limit:
                reason = f"Ended after {settings.step_limit} intersections."
                yield progress.end("limit", reason, walk)
                return
            situation = Situation(episode, graph, walk, ways, progress.to_do, settings.seed)
            choice = self.choose(situation, settings)
            remaining_m, why = choice.remaining_m, "it has walked as far as its rule says"
            if route_m is not None:
                remaining_m = max(0.0, route_m - walk.walked_m)
                why = "the reference route is as long"
            path, ended = cut_way(graph, choice.way, remaining_m)
            yield from _step_events(graph, walk, ways, choice, path, ended=ended, progress=progress)
            walk.follow(path, graph, completed=choice.turned)
            walk.step += 1
            if ended:
                yield progress.end("done", f"Stopped after {walk.walked_m:.0f} m: {why}.", walk)
                return

    def _route_m(self, episode: Episode, graph: Graph) -> float:
        missing = any(node not in graph for node in episode.reference_path)
        if missing or not episode.reference_path:
            what = (
                f"{self.name} is given the length of the reference route, and there is no such"
                " route on this map"
            )
            raise InputError(
                what, f"use {self.name.removesuffix('-route-length')}", episode=episode.id
            )
        return graph.path_length_m(episode.reference_path)


@dataclass(slots=True)
class _Progress:
    """The plan, and how much of it is done."""

    goals: tuple[SubGoal, ...]
    done: int

    @property
    def to_do(self) -> tuple[SubGoal, ...]:
        return self.goals[self.done :]

    def decided(self, choice: Choice, *, ended: bool) -> Literal["IN_PROGRESS", "COMPLETED"] | None:
        """State of the current sub-goal after a decision; the last one is completed by stopping."""
        if not self.to_do:
            return None
        before = self.done
        self.done += choice.turned
        self.done += ended and len(self.to_do) == 1
        return "COMPLETED" if self.done > before else "IN_PROGRESS"

    def end(self, status: Literal["done", "limit"], reason: str, walk: BaselineWalk) -> EndEvent:
        return EndEvent(
            status=status, reason=reason, node=walk.node, plan=marked(self.goals, self.done)
        )


def _step_events(
    graph: Graph,
    walk: BaselineWalk,
    ways: Sequence[Way],
    choice: Choice,
    path: tuple[str, ...],
    *,
    ended: bool,
    progress: _Progress,
) -> Iterator[Event]:
    # as it stands before the decision, since `decided` below moves it on
    plan = marked(progress.goals, progress.done)
    current = progress.done if progress.to_do else None
    yield StepEvent(
        index=walk.step + 1,
        node=walk.node,
        heading_deg=walk.heading_deg,
        plan=plan,
        sub_goal=current,
    )
    seen = observation(graph, walk, ways, choice.scores)
    yield ObservationEvent(observation=seen)
    yield PanelEvent(panel=choice.panel)
    status = progress.decided(choice, ended=ended)
    decision = Decision(target=path[-1], sub_goal_status=status, stop=ended, reason=choice.reason)
    yield DecisionEvent(decision=decision, candidates=_judged(seen, ways.index(choice.way), path))
    if len(path) > 1:
        heading_deg = next(
            (heading for node, heading in graph.links(path[-2]) if node == path[-1]), None
        )
        yield MoveEvent(path=path, heading_deg=heading_deg)


def _judged(seen: Observation, chosen: int, path: tuple[str, ...]) -> tuple[Candidate, ...]:
    """Return the candidates with their states; the chosen one as far as it is walked."""
    states: list[dict[str, object]] = [{"state": "rejected"} for _ in seen.candidates]
    states[chosen] = {"state": "chosen", "node": path[-1], "path": path}
    return tuple(
        way.model_copy(update=state) for way, state in zip(seen.candidates, states, strict=True)
    )
