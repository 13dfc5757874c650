"""Rules indoors: follow an instruction with learned weights of words, turns and texts, without a
model or a map.

The walk knows the viewpoints that it visited, with their texts, and those that are linked with
them. At each step it weighs all that it could do: stop at a visited viewpoint, or go on to one that
it has only seen, wherever that is; the way there leads through what it knows. So it can turn back.
How routes are scored stands in `scoring` beside this.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import ClassVar

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
)
from navviz.systems.base import NavigationTask, Settings
from navviz.systems.indoors import see
from navviz.systems.rules.indoors.common import IndoorSettings, InstructionTask, sub_goals
from navviz.systems.rules.indoors.deciding import WALK_COST, Choices, choices, probabilities
from navviz.systems.rules.indoors.explain import Explainer, confidence_panel, routes_panel
from navviz.systems.rules.indoors.head import IndoorRules
from navviz.systems.rules.indoors.scoring import Floats


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
