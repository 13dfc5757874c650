"""What a detector of causes is, and what it is given: one episode with all that is known of it.

A system lists its detectors in `System.causes`; `navviz.analysis.causes` runs them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, Protocol, TypeVar, cast

from navviz.metrics.divergence import Divergence
from navviz.records import Episode, Step, SubGoal, Trace
from navviz.records.finding import Explanation, Grade, Quote, QuoteSource, RepairPlan
from navviz.world.graph import Graph

__all__ = [
    "CauseContext",
    "CauseDetector",
    "LandmarkPlace",
    "LeftAt",
    "Need",
    "Precision",
    "cause_of",
    "due_sub_goal",
    "left_at",
    "quote_of",
    "quote_of_node",
    "quote_of_sub_goal",
    "sentence_with",
    "unhidden_way",
]

_Found = TypeVar("_Found")
_SENTENCE = re.compile(r"[^.\n]+")
LEAST_READ: Final = 30
LEAST_RIGHT: Final = 0.9
Need = Literal[
    "route", "links", "streets", "places", "prompts", "thoughts", "replies", "plan", "steps"
]
"""What a detector reads: the reference path, a walk from place to place (a free one leaves a route
by metres, at no fork), a street map (turns and lights are told by its metres), places on the map,
prompts, thoughts, raw replies, a plan with sub-goals, logged steps.
"""


@dataclass(frozen=True, slots=True)
class LandmarkPlace:
    """One landmark of the instruction, and what became of it."""

    name: str
    poi: str | None
    """Id of the place on the map that answers to it; ``None`` where none does."""
    poi_name: str | None
    route_m: float | None
    """How far it stands from the reference path, in metres."""
    shown_in: int | None
    """First step in which the agent was shown it."""
    of_the_street: bool
    """Whether it is a junction or a block, and no place of the map."""


@dataclass(frozen=True)
class CauseContext:
    """One episode as detectors see it."""

    trace: Trace
    graph: Graph
    divergence: Divergence
    success: bool | None
    """Whether the walk ended within the success radius; ``None`` where nobody knows."""
    landmarks: tuple[LandmarkPlace, ...] = ()
    has: frozenset[Need] = frozenset()
    """What there is of what detectors need."""
    _found: dict[Callable[..., object], object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def once(self, find: Callable[[CauseContext], _Found]) -> _Found:
        """Return what a function finds in this episode; two detectors that need it find it once."""
        if find not in self._found:
            self._found[find] = find(self)
        return cast("_Found", self._found[find])

    @property
    def episode(self) -> Episode:
        """The episode that was walked."""
        return self.trace.episode

    @property
    def departure(self) -> int | None:
        """Index of the step that decided the end: it left the route, stopped or failed."""
        return self.divergence.step

    def step(self, index: int) -> Step | None:
        """Return the step of an index; ``None`` where the trace has none."""
        for step in self.trace.steps:
            if step.index == index:
                return step
        return None

    def plan_at(self, step: Step) -> tuple[SubGoal, ...]:
        """Return the plan as it stood when a step began."""
        return step.plan or self.trace.sub_goals


@dataclass(frozen=True, slots=True)
class Precision:
    """How often a detector was right on real hits, read by hand (`docs/causes.md`)."""

    read: int
    """Hits of published logs and of our own runs that were read."""
    right: int
    """Those whose sentence is true and whose thing led to where the route was left or the walk
    ended.
    """
    mended: int = 0
    """Wrong ones that the detector no longer reports so, after it was changed for them."""
    every: bool = False
    """Whether all hits of the published logs were read, since there are fewer than thirty."""

    @property
    def is_shown(self) -> bool:
        """Whether nine of ten are right over thirty or over all there are, mended ones counted as
        right.
        """
        enough = self.read >= LEAST_READ or (self.every and self.read > 0)
        return enough and self.right + self.mended >= LEAST_RIGHT * self.read

    @property
    def grade(self) -> Grade:
        """What the detector may call its finds."""
        return "likely" if self.is_shown else "hint"


class CauseDetector(Protocol):
    """Finds one kind of cause in an episode."""

    id: ClassVar[str]
    """In tables, links and on the command line: lower case, hyphens."""
    name: ClassVar[str]
    """In menus and tables."""
    summary: ClassVar[str]
    """What counts as one, and what proves it, in one sentence."""
    needs: ClassVar[frozenset[Need]]
    """It is asked only of episodes that have all of this."""
    grade: ClassVar[Grade]
    """``hint`` until nine of ten of at least thirty real hits (or of all hits, where the published
    logs hold fewer), read by hand, are right; from `Precision`.
    """

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the causes of one episode, each with a quote."""
        ...


def cause_of(
    detector: CauseDetector,
    *,
    sentence: str,
    step: int,
    quotes: tuple[Quote, ...],
    sub_goal: int | None = None,
    repair: RepairPlan | None = None,
) -> Explanation:
    """Return what a detector found, under its name and with its grade."""
    return Explanation(
        id=detector.id,
        name=detector.name,
        sentence=sentence,
        step=step,
        sub_goal=sub_goal,
        quotes=quotes,
        repair=repair,
        grade=detector.grade,
    )


def due_sub_goal(context: CauseContext, step: Step) -> SubGoal | None:
    """Return the sub-goal that was due in a step; ``None`` where the trace has no plan."""
    plan = context.plan_at(step)
    if step.sub_goal is None or not 0 <= step.sub_goal < len(plan):
        return None
    return plan[step.sub_goal]


def sentence_with(words: re.Pattern[str], text: str) -> tuple[int, int] | None:
    """Return where the first sentence or line begins and ends that has the words."""
    for sentence in _SENTENCE.finditer(text):
        if words.search(sentence[0]):
            return sentence.end() - len(sentence[0].lstrip()), sentence.end()
    return None


def quote_of(
    source: QuoteSource,
    whole: str,
    span: tuple[int, int],
    *,
    step: int | None = None,
    call: int | None = None,
    message: int | None = None,
) -> Quote:
    """Quote the characters `span` of a text."""
    start, end = span
    return Quote(
        source=source,
        text=whole[start:end],
        step=step,
        call=call,
        message=message,
        start=start,
        end=end,
    )


def quote_of_sub_goal(
    step: int | None, goals: Sequence[SubGoal], number: int, span: tuple[int, int] | None = None
) -> Quote:
    """Quote one line of a plan as it stood in a step, or the characters `span` of that line."""
    line = goals[number].description
    start, end = (0, len(line)) if span is None else span
    return Quote(
        source="plan", text=line[start:end], step=step, sub_goal=number, start=start, end=end
    )


def quote_of_node(graph: Graph, node: str, text: str, step: int | None = None) -> Quote:
    """Quote what the map shows at a node; without a position where the map lacks the node."""
    position = graph.position(node) if node in graph else None
    return Quote(source="map", text=text, step=step, node=node, position=position)


@dataclass(frozen=True, slots=True)
class LeftAt:
    """A step that left the route, and where the route goes on from there.

    Which way was hidden is each system's own (NavGPT's text leaves ways out, MSNav prunes places);
    what follows from it is the same.
    """

    step: Step
    node: str
    due: str
    """The route's next node."""

    def cause(
        self, detector: CauseDetector, context: CauseContext, sentence: str, proof: str
    ) -> Explanation:
        """Return the cause that this way was hidden; `proof` is what the map says of it."""
        place = quote_of_node(context.graph, self.due, proof, self.step.index)
        return cause_of(
            detector,
            sentence=sentence,
            step=self.step.index,
            quotes=(place,),
            repair=RepairPlan(
                kind="unhide_way",
                step=self.step.index,
                parameters={"node": self.node, "to": self.due},
            ),
        )


def left_at(context: CauseContext) -> Iterator[LeftAt]:
    """Yield the logged steps that left the route before its last node."""
    route = context.episode.reference_path
    for departure in context.divergence.departures:
        step = context.step(departure.step)
        if step is not None and departure.place + 1 < len(route):
            yield LeftAt(step, departure.node, route[departure.place + 1])


def unhidden_way(past: Trace | None) -> tuple[str, str] | None:
    """Return the node and the next one whose way a repair shows; ``None`` without such a repair."""
    origin = None if past is None else past.header.forked_from
    if origin is None or origin.repair is None or origin.repair.kind != "unhide_way":
        return None
    way = origin.repair.parameters
    return str(way["node"]), str(way["to"])
