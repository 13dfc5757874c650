"""Rules indoors with the whole house known, as `rules` knows the street map: compare all routes,
then walk the best.

Routes are shortest paths, as those of R2R are. The answer is the viewpoint with the most
probability within the success radius, not the most probable route.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from navviz.records import (
    Candidate,
    Decision,
    DecisionEvent,
    EndEvent,
    Event,
    MoveEvent,
    PlanEvent,
    Trace,
)
from navviz.systems.base import NavigationTask, Settings
from navviz.systems.indoors import see
from navviz.systems.rules.indoors.common import IndoorSettings, InstructionTask, sub_goals
from navviz.systems.rules.indoors.deciding import Judged, judge, settle
from navviz.systems.rules.indoors.explain import Explainer, confidence_panel, routes_panel
from navviz.systems.rules.indoors.head import IndoorRules
from navviz.systems.rules.indoors.standpoints import IndexedRoute
from navviz.world.graph import Graph


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
        fitting = _beginning(routes, _walked(graph, task.past))
        order = _order(
            judged, around, graph, episode.success_radius_m, 1 + options.runners_up, fitting
        )
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


def _walked(graph: Graph, past: Trace | None) -> tuple[int, ...]:
    return (
        tuple(graph.index[node] for node in past.path if node in graph) if past is not None else ()
    )


def _beginning(routes: list[IndexedRoute], walked: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which routes begin with what was walked already; all of them where none does."""
    begins = np.array([route.nodes[: len(walked)] == walked for route in routes])
    return begins if begins.any() else ~begins


def _order(
    judged: Judged,
    around: NDArray[np.float64],
    graph: Graph,
    radius_m: float,
    count: int,
    fitting: NDArray[np.bool_],
) -> list[int]:
    """Return the best of the `fitting` routes, then the best others with ends apart."""
    kept = [int(np.where(fitting, around, -1.0).argmax())]
    ends = graph.positions[[route.nodes[-1] for route in judged.routes]]
    for k in np.argsort(-around, kind="stable").tolist():
        if len(kept) < count and all(
            np.linalg.norm(ends[k] - ends[other]) >= radius_m for other in kept
        ):
            kept.append(k)
    return kept


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
            heading_deg = _heading(graph, node, target)
            yield MoveEvent(path=(graph.ids[node], graph.ids[target]), heading_deg=heading_deg)
    yield EndEvent(
        status="done",
        reason="The whole route was walked.",
        node=graph.ids[nodes[-1]],
        plan=sub_goals(task.phrases, len(task.phrases)),
    )


def _heading(graph: Graph, a: int, b: int) -> float:
    """Heading of a move, rounded as traces write it."""
    return round(graph.heading_deg(graph.ids[a], graph.ids[b]), 3)


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
