"""The loop of the baselines: look at the ways on, let the sub-class choose, tell it as events."""

from __future__ import annotations

import random
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
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
    Trace,
)
from navviz.records.base import plural
from navviz.systems.base import OUTDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.indoors import plan_at
from navviz.world.geometry import Direction, compass, great_circle_m, relative_direction, turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

LIGHT_RADIUS_M = 15.0
"""A traffic light this close to an intersection belongs to it: where two carriageways cross it has
several.
"""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to go on from a place."""

    path: tuple[str, ...]
    """From the place to the next intersection or dead end, both included."""
    heading_deg: float
    angle_deg: float
    """Signed angle to the agent's heading, positive to the right."""
    direction: Direction
    length_m: float

    @property
    def label(self) -> str:
        """As shown in panels: where it leads off and how far it goes."""
        return f"{self.direction} ({self.angle_deg:+.0f}°, {self.length_m:.0f} m)"


@dataclass(slots=True)
class BaselineWalk:
    """Where a walk stands."""

    node: str
    heading_deg: float | None
    """``None`` where nobody says which way the agent faces at the start."""
    came_from: str | None = None
    walked_m: float = 0.0
    since_turn_m: float = 0.0
    """Metres since the last sub-goal was completed."""
    step: int = 0
    """Index of the last step."""

    def follow(self, path: Sequence[str], graph: Graph, *, completed: bool) -> None:
        """Walk along a path that starts where the agent stands."""
        length_m = graph.path_length_m(path)
        self.walked_m += length_m
        self.since_turn_m = length_m + (0.0 if completed else self.since_turn_m)
        if len(path) > 1:
            self.node, self.came_from = path[-1], path[-2]
            self.heading_deg = _arrival_deg(graph, path[-2], path[-1])


def begin(episode: Episode, graph: Graph) -> BaselineWalk:
    """Return the walk at an episode's start; raises `InputError` for one not on the map."""
    if episode.start not in graph:
        what = f"the start {episode.start} is not in the graph {graph.name}"
        raise InputError(
            what, "choose the map that the episode belongs to", episode=episode.id, field="start"
        )
    return BaselineWalk(episode.start, episode.start_heading_deg)


def resume(episode: Episode, graph: Graph, past: Trace | None) -> BaselineWalk:
    """Return the walk after the last step of `past`, or at the start."""
    walk = begin(episode, graph)
    for step in past.steps if past is not None else ():
        walk.step = step.index
        path = [node for node in step.path if node in graph]
        completed = step.decision is not None and step.decision.sub_goal_status == "COMPLETED"
        walk.follow(path, graph, completed=completed)
    return walk


def ways_from(graph: Graph, walk: BaselineWalk) -> list[Way]:
    """Return the ways to go on, in file order; the way back only where there is no other.

    In the middle of a street at the start, the way that the agent faces is the only one.
    """
    # a link to the node itself is no way on
    links = {node: heading for node, heading in graph.links(walk.node) if node != walk.node}
    onward = [node for node in links if node != walk.came_from] or list(links)
    facing = walk.heading_deg
    # nobody says where the agent faces: the first way of the file, so that the walk comes out the
    # same again
    if facing is None and onward:
        facing = links[onward[0]]
    ways = [_way(graph, walk.node, node, links[node], facing or 0.0) for node in onward]
    if walk.came_from is None and len(ways) == 2:
        return [min(ways, key=lambda way: abs(way.angle_deg))]
    return ways


def _way(graph: Graph, start: str, first: str, heading_deg: float, facing_deg: float) -> Way:
    path = [start, first]
    seen = {start, first}
    while True:
        # parallel links name a neighbour twice
        neighbours = dict.fromkeys(graph.neighbours(path[-1]))
        # neither back nor in place: a link may lead to its own node
        onward = [node for node in neighbours if node not in path[-2:]]
        if len(onward) != 1:
            break
        path.append(onward[0])
        if onward[0] in seen:  # a loop without an intersection
            break
        seen.add(onward[0])
    return Way(
        path=tuple(path),
        heading_deg=heading_deg,
        angle_deg=turn_deg(facing_deg, heading_deg),
        direction=relative_direction(facing_deg, heading_deg),
        length_m=graph.path_length_m(path),
    )


def _arrival_deg(graph: Graph, a: str, b: str) -> float:
    """Heading on arrival: of a straight link as the file has it, else by positions."""
    if len(graph.bends(a, b)):
        return arrival_deg(graph, a, b)
    return next((heading for node, heading in graph.links(a) if node == b), graph.heading_deg(a, b))


def cut_way(graph: Graph, way: Way, remaining_m: float | None) -> tuple[tuple[str, ...], bool]:
    """Cut a way to `remaining_m` metres (at the nearest node), and tell whether the walk ends
    there.

    ``None`` stands for no limit.
    """
    if remaining_m is None:
        return way.path, False
    kept, walked_m = [way.path[0]], 0.0
    for node in way.path[1:]:
        link_m = graph.link_m(kept[-1], node)
        # beyond half of the link its end is the nearer node
        if walked_m + link_m / 2 > remaining_m:
            return tuple(kept), True
        kept.append(node)
        walked_m += link_m
    return way.path, walked_m >= remaining_m


def at_light(graph: Graph, node: str) -> bool:
    """Whether a traffic light stands at an intersection."""
    here = graph.position(node)
    for link in graph.poi_links(node):
        if graph.pois[link.poi].tags.get("highway") == "traffic_signals":
            distance_m = float(great_circle_m(here, link.position))
            if distance_m <= LIGHT_RADIUS_M:
                return True
    return False


def observation(
    graph: Graph, walk: BaselineWalk, ways: Sequence[Way], scores: Sequence[float | None]
) -> Observation:
    """Return what a baseline looks at: the ways to go on, each as a candidate with its score."""
    candidates, nodes = [], {walk.node: None}
    for i, (way, score) in enumerate(zip(ways, scores, strict=True)):
        nodes.update(dict.fromkeys(way.path))
        candidate = Candidate(
            node=way.path[-1],
            label=chr(ord("A") + i) if i < 26 else str(i + 1),
            direction=way.direction,
            heading_deg=way.heading_deg,
            angle_deg=round(way.angle_deg, 1),
            distance_m=round(way.length_m, 1),
            score=score,
            path=way.path,
        )
        candidates.append(candidate)
    return Observation(
        format="intersection",
        text=_text(graph, walk, tuple(candidates)),
        visible_nodes=tuple(nodes),
        candidates=tuple(candidates),
    )


def _text(graph: Graph, walk: BaselineWalk, candidates: Sequence[Candidate]) -> str:
    light = " with traffic lights" if at_light(graph, walk.node) else ""
    facing = f", facing {compass(walk.heading_deg)}" if walk.heading_deg is not None else ""
    head = f"At {walk.node}{light}{facing}, {plural(len(candidates), 'way')} on:"
    ways = [
        f"{way.label}. {way.direction}, {way.distance_m:.0f} m to {way.node}" for way in candidates
    ]
    return "\n".join([head, *ways])


LAST_SUB_GOAL = "Go straight on and stop"

Side = Literal["Left", "Right"]

_VERB = r"(?:turn(?:ing)?|tak(?:e|ing)|mak(?:e|ing)|hang|bear|veer|go|head|keep|swing|cut|leave)"

_BETWEEN = r"(?:(?!\b(?:on|with|to\s+your|past|pass|by)\b)[^.;,]){0,30}?"

_NOT_A_SIDE = r"(?![\w-]*\s+(?:hand\s+)?(?:side|corner|of\s+you))(?!-?hand\b)"

_TURN = re.compile(
    rf"\b{_VERB}\b{_BETWEEN}\b(?P<a>left|right)\b{_NOT_A_SIDE}"
    r"|\b(?:tak(?:e|ing)|leave\s+it\s+by)\b[^.;,]{0,20}?\b(?:street|road|lane|exit|turning|way|way\s+out|one)\s+(?:on|to)"
    r"\s+(?:the|your)\s+(?P<d>left|right)\b"
    r"|\b(?P<b>left|right)\s+turn\b"
    r"|\b(?:a|another|second|first|next|then|and)\s+(?P<c>left|right)\s+at\b",
    re.IGNORECASE,
)

_LIGHT = re.compile(r"\b(?:traffic\s+|stop\s*)?lights?\b|\bstoplights?\b", re.IGNORECASE)

_STRAIGHT = re.compile(
    r"\bright\s+(?:before|after|past|in\s+front|next|at\s+the\s+start|away|there|ahead)\b",
    re.IGNORECASE,
)
"""Where "right" is no side."""

_LIGHT_BEFORE = 45
"""Characters before a turn in which a light belongs to it, beside those of the sentence."""

_LIGHT_AFTER = re.compile(r"[^.;,!?]{0,40}")


@dataclass(frozen=True, slots=True)
class TurnWord:
    """One turn that the instruction speaks of."""

    side: Side
    at_light: bool
    """Whether a light is spoken of near it, since the turn before."""
    words: str
    """The words that it was read from."""


def find_turns(text: str) -> list[TurnWord]:
    """Find the turns of an instruction, in order of mention.

    Landmark sides ("on your left", "the near right corner") are no turns. Ordinals ("the third
    light") are not read.
    """
    turns: list[TurnWord] = []
    begin = 0
    for match in _TURN.finditer(text):
        side = match["a"] or match["b"] or match["c"] or match["d"]
        if _STRAIGHT.match(text, match.end() - len(side)) and side.lower() == "right":
            continue
        # rfind gives -1 where there is no mark, which makes it the beginning of the text
        sentence = max(text.rfind(mark, 0, match.start()) + 1 for mark in ".;!?")
        before = text[max(begin, min(sentence, match.start() - _LIGHT_BEFORE)) : match.end()]
        after = _LIGHT_AFTER.match(text, match.end())
        # a light may follow its turn, too: "turn left at the light"
        near = before + (after[0] if after is not None else "")
        turns.append(
            TurnWord(
                "Left" if side.lower() == "left" else "Right", bool(_LIGHT.search(near)), match[0]
            )
        )
        # a light belongs to one turn: the next one looks for its own only behind it
        begin = after.end() if after is not None else match.end()
    return turns


def describe(turn: TurnWord) -> str:
    """Describe a turn as a sub-goal; `find_turns` reads it back as the same turn."""
    return (
        f"Turn {turn.side.lower()} at the next"
        f" {'traffic light' if turn.at_light else 'intersection'}"
    )


def turns_of(goals: Sequence[SubGoal]) -> list[TurnWord]:
    """Return the turns of a plan, one a sub-goal; a sub-goal without one is passed over."""
    turns: list[TurnWord] = []
    for goal in goals:
        turns += find_turns(goal.description)[:1]
    return turns


def marked(goals: Sequence[SubGoal], done: int) -> tuple[SubGoal, ...]:
    """Return the plan with its first `done` sub-goals completed and the next one in progress."""
    return plan_at((goal.description for goal in goals), done, None)


def completed_in(goals: Sequence[SubGoal], past: Trace | None) -> int:
    """How many sub-goals are completed: as marked, or as the last step of `past` left those that
    are the same.
    """
    done = _leading(goal.status == "COMPLETED" for goal in goals)
    if done or past is None or not past.steps:
        return done
    last = past.steps[-1]
    finished = _leading(goal.status == "COMPLETED" for goal in last.plan)
    finished += last.decision is not None and last.decision.sub_goal_status == "COMPLETED"
    pairs = zip(goals, last.plan[:finished], strict=False)
    return _leading(goal.description == old.description for goal, old in pairs)


def _leading(flags: Iterable[bool]) -> int:
    count = 0
    for flag in flags:
        if not flag:
            break
        count += 1
    return count


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
        """Random numbers by seed, episode and purpose alone, so that a fork draws the same."""
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
