"""What `rules-local` does after another link: its walk on from each of its decisions.

Its state is copied at each decision, and what is seen is shared between walks (`Sights`). The walks
are those that a fork makes (`navviz.runner.repairs.repaired`, then `navigate`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from navviz.language.grammar.grammar import read_instruction
from navviz.records import Episode
from navviz.systems.rules.local import LocalStep, LocalWalk, Sights, retrace, walk_on
from navviz.systems.rules.local_navigator import (
    RulesLocalSettings,
    begin_local,
    check,
    stand,
    understood,
)


@dataclass(frozen=True, slots=True)
class LocalDecision:
    """A decision of the walk, and what is needed to take it again."""

    path: tuple[str, ...]
    """Nodes walked in this step, from where it stood."""
    stop: bool
    trail: tuple[str, ...]
    """Nodes walked before, up to where it stood."""
    heading_deg: float
    walk: LocalWalk
    """Its state before the decision."""


class LocalBranches:
    """One episode walked by `rules-local`, to be walked on from any of its decisions.

    Parameters
    ----------
    episode, settings
        What is walked, and how.
    sights
        What was seen on the map, shared between episodes.
    """

    def __init__(self, episode: Episode, settings: RulesLocalSettings, sights: Sights) -> None:
        self.sights, self.settings = sights, settings
        check(episode, sights.graph)
        standing = stand(episode, sights.graph, None)
        reading = understood(read_instruction(standing.instruction), episode)
        walk, heading_deg = begin_local(episode, sights.graph, settings, standing, reading)
        trail = list(standing.walked)
        self.decisions: list[LocalDecision] = []
        for step in walk_on(
            sights.graph, walk, trail, heading_deg, step_limit=settings.step_limit, sights=sights
        ):
            chosen, before = step.chosen, tuple(trail)
            # the walk takes its choice when it is asked for the next step, so this is its state now
            self.decisions.append(
                LocalDecision(chosen.path, chosen.stop, before, step.heading_deg, replace(walk))
            )
            trail += chosen.path[1:]

    def steps_after(self, place: int, way: Sequence[str]) -> Iterator[LocalStep]:
        """Walk to the end after another `way` at the decision number `place`, from 0.

        `way` leads from where it stood to the link's end.
        """
        decision, graph = self.decisions[place], self.sights.graph
        walk = replace(decision.walk)
        walked = [*decision.trail, *way[1:]]
        begin = len(decision.trail) - 1
        heading_deg = retrace(
            graph, walk, walked, decision.heading_deg, begin=begin, sights=self.sights
        )
        limit = max(0, self.settings.step_limit - place - 1)
        return walk_on(
            graph, walk, tuple(walked), heading_deg, step_limit=limit, sights=self.sights
        )

    def after(self, place: int, way: Sequence[str]) -> tuple[str, ...]:
        """Return all nodes of `steps_after`, those of `way` first."""
        nodes = list(way)
        for step in self.steps_after(place, way):
            nodes += step.chosen.path[1:]
        return tuple(nodes)
