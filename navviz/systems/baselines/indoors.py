"""Baselines indoors, as the R2R paper has them (Anderson et al. 2018, section 4.3): shortest path
and random.

``shortest-path-oracle`` is told the goal: its success rate and SPL are 1 by definition, and tell
whether graph and metrics are in order. ``random-walker-indoors`` knows nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from navviz.errors import InputError
from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Event,
    MoveEvent,
)
from navviz.systems.base import INDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.indoors import mark_chosen, place_after, see
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

_AHEAD_DEG = 30.0
"""The random agent of R2R sees 60 degrees, and turns on by 30 where no viewpoint lies in sight."""


class OracleSettings(Settings):
    """It has none."""


class RandomSettings(Settings):
    """How the random walker walks."""

    seed: int = Field(0, description="The same seed gives the same walk.")
    moves: int = Field(5, ge=1, le=200, description="It stops after this many moves (R2R: 5).")


class ShortestPathOracle(TaskNavigator[OracleSettings]):
    """The navigator ``shortest-path-oracle``."""

    name: ClassVar[str] = "shortest-path-oracle"
    summary: ClassVar[str] = (
        "Walks the shortest path to the goal, which it is given: the upper bound, not an agent."
    )
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]] = OracleSettings

    def walk(self, task: NavigationTask[OracleSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        episode, graph = task.episode, task.graph
        node, heading, index = place_after(episode, graph, task.past)
        goal = episode.goal
        path = graph.shortest_path(node, goal) if goal is not None and goal in graph else None
        if path is None:
            raise InputError(
                "the goal is unknown or cannot be reached",
                "choose another navigator",
                episode=episode.id,
            )
        for target in path[1:]:
            index += 1
            seen = yield from see(graph, index, node, heading)
            yield DecisionEvent(
                decision=Decision(target=target, reason="Next on the shortest path to the goal."),
                candidates=mark_chosen(seen.candidates, target),
            )
            heading = graph.heading_deg(node, target)
            yield MoveEvent(path=(node, target), heading_deg=heading)
            node = target
        yield from see(graph, index + 1, node, heading)
        yield DecisionEvent(decision=Decision(target=node, stop=True, reason="This is the goal."))
        yield EndEvent(status="done", node=node)


class RandomWalkerIndoors(TaskNavigator[RandomSettings]):
    """The navigator ``random-walker-indoors``."""

    name: ClassVar[str] = "random-walker-indoors"
    summary: ClassVar[str] = (
        "Turns to a random heading and goes ahead five times, as R2R's random agent does."
    )
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]] = RandomSettings

    def walk(self, task: NavigationTask[RandomSettings]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        episode, graph, options, past = task.episode, task.graph, task.settings, task.past
        # a seed of its own for each episode, so that their order changes no walk
        rng = random.Random(f"{options.seed} {episode.id}")  # noqa: S311 - a baseline, no secret
        node, heading, index = place_after(episode, graph, past)
        # only a walk from the start turns at random; a fork goes on as it faces
        facing = rng.uniform(0, 360) if past is None else heading
        while index < options.moves and graph.degree(node):
            index += 1
            seen = yield from see(graph, index, node, heading)
            target, turned = _ahead(graph, node, facing)
            reason = "The way ahead."
            if turned:
                reason = f"Turned {turned:.0f} degrees on to find a way ahead."
            decision = Decision(target=target, reason=reason)
            yield DecisionEvent(decision=decision, candidates=mark_chosen(seen.candidates, target))
            facing = heading = graph.heading_deg(node, target)
            yield MoveEvent(path=(node, target), heading_deg=heading)
            node = target
        yield from see(graph, index + 1, node, heading)
        reason = f"{options.moves} moves are done."
        yield DecisionEvent(decision=Decision(target=node, stop=True, reason=reason))
        yield EndEvent(status="done", node=node)


def _ahead(graph: Graph, node: str, facing_deg: float) -> tuple[str, float]:
    """Return the viewpoint nearest to straight ahead, after as many turns to the right as it takes
    to see one.
    """
    links = graph.links(node)
    for k in range(12):
        look = facing_deg + k * _AHEAD_DEG
        seen = [(abs(turn_deg(look, heading)), other) for other, heading in links]
        best = min(seen)
        if best[0] <= _AHEAD_DEG:
            return best[1], k * _AHEAD_DEG
    # twelve looks cover the circle, so only a heading that is no number leads here
    return links[0][0], 360.0
