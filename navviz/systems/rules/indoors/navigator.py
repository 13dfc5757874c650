"""Rules indoors: follow an instruction with learned weights of words, turns and texts, without a
model or a map.

The walk knows the viewpoints that it visited, with their texts, and those that are linked with
them. At each step it weighs all that it could do: stop at a visited viewpoint, or go on to one that
it has only seen, wherever that is; the way there leads through what it knows. So it can turn back.
How routes are scored stands in `scoring` beside this.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from navviz.records import (
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    MoveEvent,
    PanelEvent,
    PlanEvent,
    SubGoal,
    Trace,
)
from navviz.systems.base import INDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.indoors import place_after, plan_at, see
from navviz.systems.rules.indoors.deciding import (
    WALK_COST,
    Choices,
    ExploredHouse,
    Floats,
    Judged,
    choices,
    judge,
    probabilities,
    settle,
    terms_of,
)
from navviz.systems.rules.indoors.explain import Explainer, confidence_panel, routes_panel
from navviz.systems.rules.indoors.texts import Phrase, read_phrases
from navviz.systems.rules.indoors.weights import MOST_MOVES, IndexedRoute, load_weights
from navviz.systems.rules.local_navigator import LengthSwitch, is_of_r2r, switched
from navviz.world.graph import Graph

NAMES = ("rules", "rules-indoors", "rules-indoors-map")


class IndoorSettings(Settings):
    """Settings of both."""

    length_prior: LengthSwitch = Field(
        "auto",
        description=(
            "Use what was learned about how long the routes of R2R are (four to six moves): auto"
            " does so for episodes of R2R only, known by their data set, scan and path id."
        ),
    )
    longest_moves: int = Field(
        20,
        ge=1,
        le=60,
        description="Routes of more moves are not searched; with the length prior, of more than 7.",
    )
    runners_up: int = Field(4, ge=0, le=20, description="How many other routes are shown.")

    def knows_lengths(self, episode: Episode) -> bool:
        """Whether the learned route lengths are used on this episode."""
        return self.length_prior == "on" or (self.length_prior == "auto" and is_of_r2r(episode))

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Say whether the learned route lengths are used."""
        return {"length_prior": switched(used=self.knows_lengths(episode))}

    def most_moves(self, episode: Episode) -> int:
        """How many moves the routes have that are searched."""
        return MOST_MOVES if self.knows_lengths(episode) else self.longest_moves


@dataclass(frozen=True)
class InstructionTask:
    """An instruction taken up at its start, or after the steps of a trace that is forked."""

    explainer: Explainer | None
    """``None`` where the instruction holds no word that was learned."""
    explored: ExploredHouse
    here: int
    heading_deg: float
    index: int
    """Number of the last step that was done."""

    @property
    def phrases(self) -> Sequence[Phrase]:
        """The phrases that say something."""
        return self.explainer.phrases if self.explainer is not None else ()


def take_up(episode: Episode, graph: Graph, past: Trace | None) -> InstructionTask:
    """Read the instruction and remember what was visited.

    Raises `InputError` when the start is not in the house.
    """
    node, heading_deg, index = place_after(episode, graph, past)
    start_deg = episode.start_heading_deg if episode.start_heading_deg is not None else 0.0
    explored = ExploredHouse(graph, graph.index[episode.start], start_deg)
    if past is not None:
        explored.visit(graph.index[place] for place in past.path if place in graph)
    weights = load_weights()
    phrases = _understood(_text(episode, past))
    terms = terms_of(weights, weights.feature_rows(phrases)) if phrases else None
    explainer = Explainer(weights, graph, phrases, terms) if terms is not None else None
    return InstructionTask(explainer, explored, graph.index[node], heading_deg, index)


def _understood(instruction: str) -> list[Phrase]:
    """Return the phrases that hold a word that was learned."""
    phrases = read_phrases(instruction)
    learned = load_weights().feature_rows(phrases)
    return [phrase for phrase, rows in zip(phrases, learned, strict=True) if rows]


def _text(episode: Episode, past: Trace | None) -> str:
    """Return the instruction, or the plan of `past` where somebody edited it."""
    plan = [goal.description for goal in past.sub_goals] if past is not None else []
    if past is None or not plan or past.header.navigator not in NAMES:
        return episode.instruction
    texts = {episode.instruction, past.episode.instruction}
    for text in texts:
        # nobody edited the plan; the instruction, which somebody may have edited, is read
        if plan == [phrase.text for phrase in _understood(text)]:
            return episode.instruction
    # a full stop always ends a phrase, so that what was edited stays apart from the next one
    return ". ".join(plan)


def sub_goals(phrases: Sequence[Phrase], done: int) -> tuple[SubGoal, ...]:
    """Return the phrases as a plan of which the first `done` are completed."""
    return plan_at((phrase.text for phrase in phrases), done)


_Own = TypeVar("_Own", bound=Settings)


class IndoorRules(TaskNavigator[_Own]):
    """Follows the phrases of an instruction through a house; sub-classes choose the way."""

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]]
    learned_from: ClassVar[str] = "R2R train"

    @abstractmethod
    def follow(
        self, task: NavigationTask[_Own], standing: InstructionTask, explainer: Explainer
    ) -> Iterator[Event]:
        """Plan and walk, from where the instruction was taken up."""

    def walk(self, task: NavigationTask[_Own]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        standing = take_up(task.episode, task.graph, task.past)
        if standing.explainer is None:
            yield from _nothing_understood(standing, task.graph)
            return
        yield from self.follow(task, standing, standing.explainer)


def _nothing_understood(standing: InstructionTask, graph: Graph) -> Iterator[Event]:
    """Stop at once: the instruction holds no word that was learned."""
    reason = "The instruction says nothing that the rules have learned to follow."
    node = graph.ids[standing.here]
    yield from see(graph, standing.index + 1, node, standing.heading_deg)
    yield DecisionEvent(decision=Decision(target=node, stop=True, reason=reason))
    yield EndEvent(status="done", reason=reason, node=node)


class RulesIndoorsSettings(IndoorSettings):
    """How the walk weighs what it could do."""

    step_limit: int = Field(
        25, ge=1, le=500, description="At the last step it goes to the best visited viewpoint."
    )
    walk_cost: float = Field(
        WALK_COST,
        ge=0,
        le=10,
        description="What each metre to a choice costs, in logarithms of probability.",
    )
    stop_bonus: float = Field(
        0.0,
        ge=-20,
        le=20,
        description="What stopping gains against going on, in logarithms; less explores more.",
    )


class RulesIndoors(IndoorRules[RulesIndoorsSettings]):
    """The navigator ``rules-indoors``."""

    name: ClassVar[str] = "rules-indoors"
    summary: ClassVar[str] = (
        "Rules with weights learned from R2R, no model, no map: sees linked viewpoints, remembers,"
        " may turn back."
    )
    settings_type: ClassVar[type[Settings]] = RulesIndoorsSettings

    def follow(
        self,
        task: NavigationTask[RulesIndoorsSettings],
        standing: InstructionTask,
        explainer: Explainer,
    ) -> Iterator[Event]:
        """Tell the plan, then choose step by step."""
        if task.past is None or not task.past.sub_goals:
            yield PlanEvent(
                sub_goals=sub_goals(standing.phrases, 0), panels=(explainer.reading_panel(),)
            )
        yield from _HouseWalk(standing, explainer, task.episode, task.settings).events()


class _HouseWalk:
    """A walk that chooses its next viewpoint, or its stop, step by step."""

    def __init__(
        self,
        task: InstructionTask,
        explainer: Explainer,
        episode: Episode,
        options: RulesIndoorsSettings,
    ) -> None:
        self.explored, self.here, self.heading_deg, self.index = (
            task.explored,
            task.here,
            task.heading_deg,
            task.index,
        )
        self.explainer, self.episode, self.options = explainer, episode, options
        self.graph = explainer.graph
        self.length_prior = options.knows_lengths(episode)
        self.forced = False
        """Whether it stops because the step limit is reached, though it would go on."""

    def events(self) -> Iterator[Event]:
        """All steps and the end."""
        # a fork past the limit has one step, in which it stops
        last = max(self.options.step_limit, self.index + 1)
        while True:
            self.index += 1
            options = choices(
                self.explainer.weights,
                self.explainer.terms,
                self.explored,
                self.here,
                length_prior=self.length_prior,
                most_moves=self.options.most_moves(self.episode),
                walk_cost=self.options.walk_cost,
                must_stop=self.index >= last,
            )
            values = options.values + np.where(options.opens, 0.0, self.options.stop_bonus).astype(
                np.float32
            )
            if self.index >= last:
                self.forced = bool(options.opens[int(values.argmax())])
                values = np.where(options.opens, np.float32(-np.inf), values)
            stopped = yield from self._step(options, values)
            if stopped is not None:
                yield stopped
                return

    def _step(self, options: Choices, values: Floats) -> Generator[Event, None, EndEvent | None]:
        shares = probabilities(values)
        order = np.argsort(-shares, kind="stable")[: 1 + self.options.runners_up].tolist()
        pick = int(order[0])
        stop = not options.opens[pick]
        route = options.judged.routes[pick]
        places = self.explainer.places(options.judged, pick)
        # the last place of a route that goes on is where nobody has been yet
        reached = len(route.nodes) - (1 if stop else 2)
        done = sum(place < reached for place in places)
        seen = yield from see(
            self.graph,
            self.index,
            self.graph.ids[self.here],
            self.heading_deg,
            sub_goals(self.explainer.phrases, done),
        )
        yield PanelEvent(panel=routes_panel(self.graph, options.judged, shares, order))
        yield PanelEvent(panel=self.explainer.reading_panel(options.judged, pick))
        yield PanelEvent(panel=self.explainer.matches_panel(options.judged, pick))
        confidence = float(shares[pick])
        sees = f"{len(self.explored.seen.ways)} visited viewpoints and those linked with them"
        count = len(self.explainer.phrases)
        yield PanelEvent(
            panel=confidence_panel(
                confidence, options.judged, count, length_prior=self.length_prior, sees=sees
            )
        )
        way = tuple(self.graph.ids[node] for node in options.ways[route.nodes[-1]].nodes)
        reason = self._reason(options, pick, confidence, back=len(way) > (1 if stop else 2))
        yield DecisionEvent(
            decision=Decision(target=way[-1], stop=stop, reason=reason),
            candidates=_marked(seen.candidates, self._scores(options, shares), way),
        )
        if len(way) > 1:
            self.heading_deg = self.graph.heading_deg(way[-2], way[-1])
            yield MoveEvent(path=way, heading_deg=self.heading_deg)
        self.here = route.nodes[-1]
        self.explored.visit([self.here])
        if not stop:
            return None
        plan = sub_goals(self.explainer.phrases, count)
        return EndEvent(
            status="limit" if self.forced else "done", reason=reason, node=way[-1], plan=plan
        )

    def _reason(self, options: Choices, pick: int, confidence: float, *, back: bool) -> str:
        route = options.judged.routes[pick]
        if not options.opens[pick]:
            where = "a viewpoint visited before" if back else "this viewpoint"
            limit = "The step limit is reached. Among the stops: " if self.forced else ""
            return f"{limit}Stops at {where} with a probability of {confidence:.1%}."
        matched = self.explainer.matched(options.judged, pick, len(route.nodes) - 2)
        move = "Turns back and goes on here" if back else "Goes on here"
        heard = f" Matched: {matched}." if matched else " No phrase describes this way."
        return f"{move} with a probability of {confidence:.1%}.{heard}"

    def _scores(self, options: Choices, shares: NDArray[np.float64]) -> dict[str, float]:
        ends = [self.graph.ids[route.nodes[-1]] for route in options.judged.routes]
        return dict(zip(ends, shares.tolist(), strict=True))


def _marked(
    candidates: tuple[Candidate, ...], scores: dict[str, float], way: tuple[str, ...]
) -> tuple[Candidate, ...]:
    marked = []
    for candidate in candidates:
        # only neighbours are shown: of a way over several viewpoints that is the first one
        state = "chosen" if candidate.node in way[1:2] else "offered"
        score = scores.get(candidate.node)
        if score is not None:
            score = round(score, 4)
        marked.append(candidate.model_copy(update={"state": state, "score": score}))
    return tuple(marked)


class RulesIndoorsMapSettings(IndoorSettings):
    """Settings of `rules-indoors-map`."""


class RulesIndoorsMap(IndoorRules[RulesIndoorsMapSettings]):
    """The navigator ``rules-indoors-map``."""

    name: ClassVar[str] = "rules-indoors-map"
    summary: ClassVar[str] = (
        "Rules with weights learned from R2R, no model; knows the whole house and its texts before"
        " the first step."
    )
    settings_type: ClassVar[type[Settings]] = RulesIndoorsMapSettings

    def follow(
        self,
        task: NavigationTask[RulesIndoorsMapSettings],
        standing: InstructionTask,
        explainer: Explainer,
    ) -> Iterator[Event]:
        """Compare all routes, then walk the best one."""
        episode, options = task.episode, task.settings
        graph = explainer.graph
        standing.explored.visit(range(len(graph)))
        length_prior = options.knows_lengths(episode)
        routes = standing.explored.routes(options.most_moves(episode))
        judged = judge(
            explainer.weights, explainer.terms, standing.explored, routes, length_prior=length_prior
        )
        # its answer is not taken: a fork chooses among the routes that begin with its walk
        _, _, around = settle(standing.explored, judged, episode.success_radius_m)
        fitting = _beginning(
            routes,
            tuple(graph.index[node] for node in task.past.path if node in graph)
            if task.past is not None
            else (),
        )
        count = 1 + options.runners_up
        order = [int(np.where(fitting, around, -1.0).argmax())]
        ends = graph.positions[[route.nodes[-1] for route in judged.routes]]
        for k in np.argsort(-around, kind="stable").tolist():
            if len(order) < count and all(
                np.linalg.norm(ends[k] - ends[other]) >= episode.success_radius_m for other in order
            ):
                order.append(k)
        pick = order[0]
        panels = (
            explainer.reading_panel(judged, pick),
            explainer.matches_panel(judged, pick),
            routes_panel(graph, judged, around, order),
            confidence_panel(
                float(around[pick]),
                judged,
                len(standing.phrases),
                length_prior=length_prior,
                sees="the whole house",
            ),
        )
        yield PlanEvent(sub_goals=sub_goals(standing.phrases, 0), panels=panels)
        yield from _walk_along(standing, explainer, judged, order, around)


def _beginning(routes: list[IndexedRoute], walked: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which routes begin with what was walked already; all of them where none does."""
    begins = np.array([route.nodes[: len(walked)] == walked for route in routes])
    return begins if begins.any() else ~begins


def _walk_along(
    task: InstructionTask,
    explainer: Explainer,
    judged: Judged,
    order: list[int],
    around: NDArray[np.float64],
) -> Iterator[Event]:
    """Return the walk along the chosen route, one move a step."""
    graph, pick = explainer.graph, order[0]
    goal = judged.routes[pick].nodes
    if task.here in goal:
        nodes = goal[goal.index(task.here) :]
    else:
        # where no route begins with the walk so far, the agent may stand beside the one it chose
        nodes = task.explored.paths_from(task.here)[goal[-1]].nodes
    heading_deg, places = task.heading_deg, explainer.places(judged, pick)
    for k, node in enumerate(nodes):
        at = goal.index(node) if node in goal else 0
        stop = k == len(nodes) - 1
        plan = sub_goals(task.phrases, sum(place < at for place in places))
        yield from see(graph, task.index + k + 1, graph.ids[node], heading_deg, plan)
        matched = explainer.matched(judged, pick, at)
        reason = "The route goes on here; no phrase speaks of this place."
        if matched:
            reason = f"Matched: {matched}."
        if stop:
            reason = (
                f"{around[pick]:.1%} of the probability lies within the success radius of this"
                f" stop. {reason}"
            )
        target = node if stop else nodes[k + 1]
        yield DecisionEvent(
            decision=Decision(target=graph.ids[target], stop=stop, reason=reason),
            candidates=tuple(_candidates(graph, judged, order, around, goal[: at + 1])),
        )
        if not stop:
            heading_deg = round(graph.heading_deg(graph.ids[node], graph.ids[target]), 3)
            yield MoveEvent(path=(graph.ids[node], graph.ids[target]), heading_deg=heading_deg)
    yield EndEvent(
        status="done",
        reason="The whole route was walked.",
        node=graph.ids[nodes[-1]],
        plan=sub_goals(task.phrases, len(task.phrases)),
    )


def _candidates(
    graph: Graph,
    judged: Judged,
    order: list[int],
    around: NDArray[np.float64],
    walked: tuple[int, ...],
) -> Iterator[Candidate]:
    """Return the routes that begin with what was walked, the chosen one first."""
    at = len(walked) - 1
    for number, k in enumerate(order):
        nodes = judged.routes[k].nodes
        if nodes[: at + 1] != walked:
            continue
        chance = f"probability {around[k]:.1%}"
        yield Candidate(
            node=graph.ids[nodes[-1]],
            state="rejected" if number else "chosen",
            label=f"runner-up {number}" if number else "this route",
            score=round(float(around[k]), 4),
            path=tuple(graph.ids[node] for node in nodes[at:]),
            reason=(
                f"{chance} against {around[order[0]]:.1%}"
                if number
                else "the most probability around its end"
            ),
        )
