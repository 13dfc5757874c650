"""The follower: from which steps of a recorded walk `rules`, reading on, still reaches the goal.

For walks that cannot be taken again (of a model, or of another project's agent). It says that
somebody who reads the instruction could still have made it; never that a step was the mistake of
the agent that walked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from navviz.analysis.what_if.cube import ForkNode, WhatIfCell, check_walk
from navviz.errors import NavVizError
from navviz.records import MoveEvent, Trace
from navviz.systems.registry import get_navigator
from navviz.world.graph import Graph


@dataclass(frozen=True)
class Followed:
    """What the follower does from each place of a walk."""

    episode: str
    ne_m: float | None
    """Navigation error of the walk itself."""
    success: bool
    steps: tuple[int, ...]
    """Indices of the walk's steps."""
    cells: tuple[WhatIfCell, ...]
    """One a step, from where it began, in order; then one from where the walk ended."""
    navigator: str = "rules"
    """Who follows."""

    @cached_property
    def until(self) -> int | None:
        """Return the last step of a failure before which the follower still reaches the goal.

        One more than the last step where it still does from where the walk ended. ``None`` for a
        success, and where the follower fails from the start: then it says nothing.
        """
        reached = [cell.step for cell in self.cells if cell.success]
        if self.success or not self.cells or not self.cells[0].success:
            return None
        return max(reached)

    @property
    def sentence(self) -> str | None:
        """Say how far the goal was still within reach of the follower; ``None`` without a claim."""
        if self.until is None:
            return None
        if self.until > self.steps[-1]:
            return f"`{self.navigator}`, reading on from the end, still reaches the goal."
        return (
            f"`{self.navigator}`, reading on from here, still reaches the goal up to step"
            f" {self.until}."
        )


def follow_on(trace: Trace, graph: Graph) -> Followed:
    """Let `rules` read on from each place of a walk.

    Raises `InputError` when the episode has no goal on the map, or the walk is no walk from node to
    node.
    """
    judge = check_walk(trace, graph)
    follower, cells = get_navigator(Followed.navigator), []
    settings = follower.settings_type()
    for place in range(len(trace.steps) + 1):
        past = trace.model_copy(update={"steps": trace.steps[:place], "end": None})
        here = past.path[-1]
        nodes, last = [here], trace.steps[-1].index if trace.steps else 0
        number = trace.steps[place].index if place < len(trace.steps) else last + 1
        before = past if place else None
        try:
            for event in follower.navigate(trace.episode, graph, None, settings, before):
                if isinstance(event, MoveEvent):
                    nodes += event.path[1:]
        except NavVizError:
            # an instruction that the rules cannot read: the follower has nothing to say
            break
        cells.append(judge.cell(ForkNode(number, place, here, (here,), None, ()), "", tuple(nodes)))
    ne_m = judge.ne_m([trace.path[-1]])[0]
    success = ne_m is not None and ne_m <= judge.radius_m
    steps = tuple(step.index for step in trace.steps)
    return Followed(trace.episode.id, ne_m, success, steps, tuple(cells))
