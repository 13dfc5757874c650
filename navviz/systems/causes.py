"""What a detector of causes is, and what it is given: the decisive act of a failed walk, the steps
up to it, and the plan.

A system lists its detectors in `System.causes`; `navviz.analysis.causes` runs them, checks what
they say, and keeps what is about the decisive act.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, Protocol, TypeVar, cast

from navviz.metrics.divergence import Divergence
from navviz.records import Episode, Step, SubGoal, Trace
from navviz.records.act import Act, DecisiveAct
from navviz.records.finding import Explanation, Quote, QuoteSource, RepairPlan
from navviz.world.graph import Graph

__all__ = [
    "CauseContext",
    "CauseDetector",
    "LandmarkPlace",
    "Need",
    "cause_of",
    "due_sub_goal",
    "hidden_way",
    "quote_of",
    "quote_of_node",
    "quote_of_sub_goal",
    "sentence_with",
    "target_quotes",
    "unhidden_way",
]

_Found = TypeVar("_Found")
_SENTENCE = re.compile(r"[^.\n]+")
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
    of_the_street: bool
    """Whether it is a junction or a block, and no place of the map."""


@dataclass(frozen=True)
class CauseContext:
    """The decisive act of a failed walk, as detectors see it."""

    trace: Trace
    """Up to the decisive step: what came later explains nothing."""
    graph: Graph
    act: DecisiveAct
    divergence: Divergence
    landmarks: tuple[LandmarkPlace, ...] = ()
    has: frozenset[Need] = frozenset()
    """What there is of what detectors need."""
    plan_map: Mapping[int, int] = field(default_factory=dict)
    """The sub-goal of each act, by their numbers (`navviz.language.plan_map`)."""
    whole: tuple[str, ...] = ()
    """All nodes walked, those behind the decisive step too."""
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
    def step(self) -> Step | None:
        """The step that did not do the act; ``None`` where nothing was logged."""
        steps = self.trace.steps
        return steps[-1] if steps and steps[-1].index == self.act.step else None

    @property
    def how(self) -> str:
        """How the act was not done."""
        return self.act.how

    @property
    def goals(self) -> tuple[SubGoal, ...]:
        """The plan as it stood in the decisive step."""
        return (() if self.step is None else self.step.plan) or self.trace.sub_goals

    @property
    def due(self) -> int | None:
        """Index of the sub-goal on which the decisive step worked."""
        number = None if self.step is None else self.step.sub_goal
        return number if number is not None and 0 <= number < len(self.goals) else None

    @property
    def goal_of_act(self) -> int | None:
        """Index of the sub-goal that holds the decisive act."""
        return None if self.act.act is None else self.plan_map.get(self.act.act.number)

    @property
    def thoughts(self) -> str:
        """All thoughts of the decisive step."""
        calls = () if self.step is None else self.step.calls
        return "\n".join(call.thoughts for call in calls if call.thoughts)

    @property
    def target(self) -> str | None:
        """The place that the decisive step named."""
        decision = None if self.step is None else self.step.decision
        return None if decision is None else decision.target


class CauseDetector(Protocol):
    """Finds one kind of explanation of a decisive act."""

    id: ClassVar[str]
    """In tables, links and on the command line: lower case, hyphens."""
    name: ClassVar[str]
    """In menus and tables."""
    summary: ClassVar[str]
    """What counts as one, and what proves it, in one sentence."""
    needs: ClassVar[frozenset[Need]]
    """It is asked only of episodes that have all of this."""

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the explanations of the decisive act, each with a quote."""
        ...


def cause_of(
    detector: CauseDetector,
    context: CauseContext,
    sentence: str,
    quotes: Sequence[Quote],
    *,
    step: int | None = None,
    sub_goal: int | None = None,
    act: Act | None = None,
    repair: RepairPlan | None = None,
) -> Explanation:
    """Return an explanation under its detector's name; about the decisive act and its step, where
    none other is given.
    """
    about = context.act.act if act is None else act
    return Explanation(
        id=detector.id,
        name=detector.name,
        episode=context.episode.id,
        sentence=sentence,
        step=step or context.act.step or 1,
        act=None if about is None else about.number,
        sub_goal=sub_goal,
        quotes=tuple(quotes),
        repair=repair,
    )


def due_sub_goal(context: CauseContext, step: Step) -> SubGoal | None:
    """Return the sub-goal that was due in a step; ``None`` where the trace has no plan."""
    plan = step.plan or context.trace.sub_goals
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


def target_quotes(step: Step, target: str | None) -> Iterator[Quote]:
    """Quote where a step's reply names a place."""
    for number, call in enumerate(step.calls):
        at = (call.reply or "").find(target) if target else -1
        if at >= 0 and call.reply is not None and target is not None:
            span = (at, at + len(target))
            yield quote_of("reply", call.reply, span, step=step.index, call=number)
            return


def hidden_way(
    detector: CauseDetector, context: CauseContext, sentence: str, proof: str
) -> Explanation | None:
    """Say that the route's way from the decisive node was hidden; `proof` is what the map says.

    Which way was hidden is each system's own (NavGPT's text leaves ways out, MSNav prunes places).
    """
    place, route = context.act.route_place, context.episode.reference_path
    if place is None or context.step is None or place + 1 >= len(route):
        return None
    due = route[place + 1]
    quote = quote_of_node(context.graph, due, proof, context.step.index)
    plan = RepairPlan(
        kind="unhide_way",
        step=context.step.index,
        parameters={"node": route[place], "to": due},
    )
    return cause_of(detector, context, sentence, [quote], repair=plan)


def unhidden_way(past: Trace | None) -> tuple[str, str] | None:
    """Return the node and the next one whose way a repair shows; ``None`` without such a repair."""
    origin = None if past is None else past.header.forked_from
    if origin is None or origin.repair is None or origin.repair.kind != "unhide_way":
        return None
    way = origin.repair.parameters
    return str(way["node"]), str(way["to"])


FORKS: Final = frozenset(
    {"skipped", "too late", "wrong side", "two ways", "unsaid turn", "set out wrong", "other way"}
)

"""Hows in which the walk missed a way that the route takes."""

ENDS: Final = frozenset({"broke off", "stopped early", "did not stop"})

"""Hows in which the walk ended on its route."""
