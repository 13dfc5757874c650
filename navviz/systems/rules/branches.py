"""What `rules-local` does after another link: its walk on from each of its decisions.

Its state is copied at each decision, and what is seen is shared between walks (`Sights`). The walks
are those that a fork makes (`navviz.runner.repairs.repaired`, then `navigate`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from navviz.language.grammar.grammar import read_instruction
from navviz.records import Episode
from navviz.systems.rules.local import LocalWalk, Sights, retrace, walk_on
from navviz.systems.rules.local_navigator import (
    RulesLocalSettings,
    begin_local,
    check,
    stand,
    understood,
)
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class LocalDecision:
    """A decision of the walk, and what is needed to take it again."""

    trail: tuple[str, ...]
    """Nodes walked before, up to where it stood."""
    heading_deg: float
    walk: LocalWalk
    """Its state before the decision."""


class LocalBranches:
    """One episode walked by `rules-local`, see `navviz.systems.branches.Branches`."""

    def __init__(
        self, episode: Episode, graph: Graph, settings: RulesLocalSettings, seen: dict[int, Any]
    ) -> None:
        if id(graph) not in seen:
            seen[id(graph)] = Sights(graph)
        self.sights, self.settings = seen[id(graph)], settings
        check(episode, graph)
        standing = stand(episode, graph, None)
        reading = understood(read_instruction(standing.instruction), episode)
        walk, heading_deg = begin_local(episode, graph, settings, standing, reading)
        trail = list(standing.walked)
        self.decisions: list[LocalDecision] = []
        self.paths: list[tuple[str, ...]] = []
        for step in walk_on(
            graph, walk, trail, heading_deg, step_limit=settings.step_limit, sights=self.sights
        ):
            chosen, before = step.chosen, tuple(trail)
            # the walk takes its choice when it is asked for the next step, so this is its state now
            self.decisions.append(LocalDecision(before, step.heading_deg, replace(walk)))
            self.paths.append(chosen.path)
            trail += chosen.path[1:]

    def after(self, place: int, way: Sequence[str]) -> Iterator[tuple[tuple[str, ...], bool]]:
        """Walk to the end after another `way` at a decision."""
        decision, graph = self.decisions[place], self.sights.graph
        walk = replace(decision.walk)
        walked = [*decision.trail, *way[1:]]
        begin = len(decision.trail) - 1
        heading_deg = retrace(
            graph, walk, walked, decision.heading_deg, begin=begin, sights=self.sights
        )
        limit = max(0, self.settings.step_limit - place - 1)
        for step in walk_on(
            graph, walk, tuple(walked), heading_deg, step_limit=limit, sights=self.sights
        ):
            yield step.chosen.path, step.chosen.stop
