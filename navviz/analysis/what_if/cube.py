"""The cube of what-ifs of one walk: at each fork each other link, and how the walk ends then.

A *cell* ``(k, u -> v)`` is the walk up to node u in step k, link v instead of what followed, then
the same navigator to its end; its value is the navigation error there. The *null cell* is the link
taken anyway: where it ends otherwise, the navigator is unstable at this fork and nothing is
claimed there. *Stop cells* are free and never proof: stopping at the goal succeeds by definition.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from navviz.errors import InputError
from navviz.metrics.walked import Ruler
from navviz.records import EndStatus, Episode, Trace
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class ForkNode:
    """A node with a choice that a walk came to."""

    step: int
    """Index of the step, counted from 1."""
    place: int
    """Index into the trace's steps, counted from 0."""
    node: str
    way: tuple[str, ...]
    """Nodes of the step up to `node`, from where the agent stood."""
    taken: str | None
    """Where the walk went on; ``None`` where it stopped here."""
    others: tuple[str, ...]
    """Ends of the other legal links."""


@dataclass(frozen=True, slots=True)
class WhatIfCell:
    """One what-if: the walk after one link."""

    step: int
    fork: str
    link: str | None
    """The link's end; ``None`` for the null cell of a stop."""
    tail: tuple[str, ...]
    """Nodes from the fork to the end of the walk."""
    ne_m: float | None
    """Navigation error at the end, as the metric NE measures; ``None`` out of reach."""
    success: bool
    """Whether the end lies within the success radius."""
    is_taken: bool = False
    """Whether it is the null cell: what followed, done again."""
    is_reference: bool = False
    """Whether the reference path takes this link from the fork."""


@dataclass(frozen=True, slots=True)
class StopCell:
    """Stopping at a node of the walk: free, and never proof."""

    step: int
    node: str
    ne_m: float | None


@dataclass(frozen=True)
class WhatIf:
    """All what-ifs of one walk."""

    episode: str
    navigator: str
    """Who walks on; of recorded model runs the follower."""
    ne_m: float | None
    """Navigation error of the walk itself."""
    success: bool
    steps: tuple[int, ...]
    """Indices of the walk's steps."""
    cells: tuple[WhatIfCell, ...]
    """Null cells included, in walking order."""
    stops: tuple[StopCell, ...] = ()
    end: str | None = None
    """Where the walk ended."""
    problems: tuple[str, ...] = field(default=())
    """Cells that could not be walked, a sentence each."""

    @cached_property
    def others(self) -> tuple[WhatIfCell, ...]:
        """Return the cells of links that were not taken."""
        return tuple(cell for cell in self.cells if not cell.is_taken)

    @cached_property
    def unstable(self) -> frozenset[tuple[int, str]]:
        """Return forks, as step and node, whose null cell ends at another node than the walk."""
        return frozenset(
            (cell.step, cell.fork)
            for cell in self.cells
            if cell.is_taken and cell.tail[-1:] != (self.end,)
        )

    @cached_property
    def proven(self) -> tuple[WhatIfCell, ...]:
        """Return the cells of other links at forks where the null cell ends as the walk did."""
        checked = {(cell.step, cell.fork) for cell in self.cells if cell.is_taken} - self.unstable
        return tuple(cell for cell in self.others if (cell.step, cell.fork) in checked)

    @cached_property
    def decisive(self) -> tuple[int, ...]:
        """Return the steps of a failure at which the reference link succeeds, in order."""
        return self._steps(cell for cell in self.proven if cell.is_reference)

    @cached_property
    def decisive_any(self) -> tuple[int, ...]:
        """Return the steps of a failure at which any other link succeeds, in order."""
        return self._steps(self.proven)

    def _steps(self, cells: Iterable[WhatIfCell]) -> tuple[int, ...]:
        if self.success:
            return ()
        return tuple(sorted({cell.step for cell in cells if cell.success}))

    @cached_property
    def ruining(self) -> tuple[WhatIfCell, ...]:
        """Return the other links that ruin a success; none for a failure."""
        if not self.success:
            return ()
        return tuple(cell for cell in self.proven if not cell.success)

    def best(self, step: int) -> WhatIfCell | None:
        """Return the other link of a step that ends nearest to the goal; no stop cell."""
        known = [cell for cell in self.others if cell.step == step and cell.ne_m is not None]
        return min(known, key=lambda cell: cell.ne_m or 0.0, default=None)

    def blame_m(self, step: int) -> float | None:
        """Return how much nearer a step's best other link ends than the walk did, in metres."""
        best = self.best(step)
        if best is None or best.ne_m is None or self.ne_m is None:
            return None
        return self.ne_m - best.ne_m

    def cell(self, step: int, fork: str, link: str) -> WhatIfCell | None:
        """Return the cell of one link."""
        for cell in self.cells:
            if (cell.step, cell.fork, cell.link) == (step, fork, link):
                return cell
        return None


def forks_of(trace: Trace, graph: Graph) -> Iterator[ForkNode]:
    """Yield the forks of a walk in order: nodes with a link besides the one taken.

    Outdoors the link back to where the walk came from is none: nobody turns round in a street.
    Where the walk stopped of its own, each link onward is what stopping left out.
    """
    before: str | None = None
    last = len(trace.steps) - 1
    for place, step in enumerate(trace.steps):
        stopped = place == last and (step.decision is None or step.decision.stop)
        way = step.path or ((step.node,) if step.node is not None and stopped else ())
        following = [*way[1:], *([None] if stopped and way else [])]
        seen: set[str] = set()
        for at, (node, after) in enumerate(zip(way, following, strict=False)):
            # a repair finds a node by its first place in the step
            if node in graph and node not in seen:
                back = before if graph.frame == "geo" else None
                others = [one for one in graph.neighbours(node) if one not in {node, back, after}]
                if others:
                    yield ForkNode(step.index, place, node, way[: at + 1], after, tuple(others))
            seen.add(node)
            before = node
        if way and not stopped:
            # the last node is the next step's first one
            before = way[-2] if len(way) > 1 else before


def reference_links(episode: Episode) -> frozenset[tuple[str, str]]:
    """Return the links of the reference path."""
    return frozenset(pairwise(episode.reference_path))


class Judge:
    """Measures ends of walks against the goal of one episode, as NE and SR do."""

    def __init__(self, episode: Episode, graph: Graph) -> None:
        reference = episode.reference_path
        self.goal = episode.goal or (reference[-1] if reference else None)
        self.radius_m = episode.success_radius_m
        self.links = reference_links(episode)
        self._ruler = Ruler(graph)

    def ne_m(self, nodes: Sequence[str]) -> list[float | None]:
        """Return the navigation error at each node in metres; ``None`` out of reach."""
        if self.goal is None or not nodes:
            return [None] * len(nodes)
        row = self._ruler.matrix_m([self.goal], nodes)[0].tolist()
        return [value if math.isfinite(value) else None for value in row]

    def cell(self, fork: ForkNode, link: str | None, tail: tuple[str, ...]) -> WhatIfCell:
        """Return the cell of a link whose walk was taken to its end."""
        ne_m = self.ne_m([tail[-1]])[0]
        return WhatIfCell(
            fork.step,
            fork.node,
            link,
            tail,
            ne_m,
            success=ne_m is not None and ne_m <= self.radius_m,
            is_taken=link == fork.taken,
            is_reference=link is not None and (fork.node, link) in self.links,
        )


def check_walk(trace: Trace, graph: Graph) -> Judge:
    """Return who measures the ends of a walk; raise `InputError` where it has no cube."""
    judge = Judge(trace.episode, graph)
    reason = None
    if trace.is_free or trace.episode.tasks:
        reason = ("it does not walk from node to node to one goal", "choose another episode")
    elif judge.goal is None or judge.goal not in graph:
        reason = ("it has no goal on this map", "open the episodes with their reference paths")
    elif not trace.path or any(node not in graph for node in trace.path):
        reason = ("its walk has nodes that the map lacks", "open the map that it was walked on")
    elif trace.end is not None and trace.end.status in {EndStatus.ERROR, EndStatus.STOPPED}:
        reason = ("its walk was cut off", "walk it to its end first")
    if reason is not None:
        raise InputError(*reason, episode=trace.episode.id, field="what if")
    return judge
