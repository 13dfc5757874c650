"""Causes in counting: lights, intersections and blocks of a sub-goal against those walked by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from navviz.analysis.crossings import Passed, has_light, is_crossing, passed_things
from navviz.analysis.turns import possible_sides
from navviz.records import Step
from navviz.records.base import plural
from navviz.records.finding import Explanation, Grade, Quote, RepairPlan
from navviz.systems.causes import (
    CauseContext,
    Need,
    Precision,
    cause_of,
    due_sub_goal,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
    sentence_with,
)
from navviz.world.graph import Graph

NEXT_GOALS = 2

"""How many sub-goals after a wrong one the route may still be left because of it."""


@dataclass(frozen=True, slots=True)
class GoalStretch:
    """The steps in a row in which one sub-goal was due."""

    sub_goal: int
    text: str
    steps: tuple[Step, ...]
    closed: bool
    """Whether the last of them marked it as completed."""
    path: tuple[str, ...]
    """Nodes walked in these steps, the start included."""

    @property
    def first(self) -> Step:
        """The step in which it became due."""
        return self.steps[0]

    @property
    def last(self) -> Step:
        """The last step in which it was due."""
        return self.steps[-1]


def stretches(context: CauseContext) -> list[GoalStretch]:
    """List the sub-goals that were due, in the order of the steps."""
    rows: list[list[Step]] = []
    for step in context.trace.steps:
        if due_sub_goal(context, step) is None:
            continue
        # a sub-goal that becomes due again later has another stretch
        if rows and rows[-1][-1].sub_goal == step.sub_goal:
            rows[-1].append(step)
        else:
            rows.append([step])
    made = []
    for row in rows:
        goal = due_sub_goal(context, row[0])
        if goal is None or row[0].sub_goal is None:
            continue
        path = way_through(row)
        made.append(
            GoalStretch(row[0].sub_goal, goal.description, tuple(row), _closed(row[-1]), path)
        )
    return made


def _closed(step: Step) -> bool:
    decision = step.decision
    # what an illegal decision says was never carried out
    return decision is not None and decision.legal and decision.sub_goal_status == "COMPLETED"


def way_through(steps: list[Step]) -> tuple[str, ...]:
    """Return the nodes walked in some steps, without repeats of the node the agent stands on."""
    nodes: list[str] = []
    for step in steps:
        for node in step.path or ((step.node,) if step.node else ()):
            if not nodes or nodes[-1] != node:
                nodes.append(node)
    return tuple(nodes)


def led_astray(context: CauseContext, stretch: GoalStretch) -> bool:
    """Whether the route was left while a sub-goal was due, or soon after.

    A slip that the walk survived is no cause: the route must be left (or the walk end wrongly) in
    one of the steps of this sub-goal or of the next two.
    """
    steps = {departure.step for departure in context.divergence.departures}
    # a reply that could not be carried out ends the walk wherever the plan stands
    if context.departure is not None and context.divergence.kind != "illegal decision":
        steps.add(context.departure)
    for index in steps:
        step = context.step(index)
        # what was left before the sub-goal was due cannot come from it
        if step is None or step.sub_goal is None or index < stretch.first.index:
            continue
        if stretch.sub_goal <= step.sub_goal <= stretch.sub_goal + NEXT_GOALS:
            return True
    return False


_NUMBERS: Final = {
    "1": 1, "one": 1, "first": 1, "1st": 1, "2": 2, "two": 2, "second": 2, "2nd": 2, "both": 2,
    "3": 3, "three": 3, "third": 3, "3rd": 3, "4": 4, "four": 4, "fourth": 4, "4th": 4, "5": 5,
    "five": 5, "fifth": 5, "5th": 5, "next": 1, "following": 1,
}  # fmt: skip

_NUMBER: Final = "|".join(sorted(_NUMBERS, key=len, reverse=True))

_COUNTED: Final = re.compile(
    rf"\b(?P<number>{_NUMBER})\b(?: (?:more|sets?|of|the|big|small))*"
    r" (?P<thing>(?:stop ?|traffic ?)?lights?|traffic signals?|intersections?)\b",
    re.IGNORECASE,
)

LIGHT: Final = re.compile(r"light|signal", re.IGNORECASE)

_VAGUE: Final = re.compile(
    r"\bdouble\b|\bafter that\b|\bof (?:the|a) (?:next |double )|\bbefore\b|\bhalf|1/2|\bstop\b"
    r"|\b(?:and|then) (?:then )?(?:continue|go|walk|keep|head|move|pass)\b|\buntil\b.*\buntil\b",
    re.IGNORECASE,
)

"""Phrases in which nobody can say what is counted."""


@dataclass(frozen=True, slots=True)
class CountedThing:
    """A number of things that a sub-goal asks for."""

    number: int
    light: bool
    """Traffic lights; else intersections."""
    ordinal: bool
    """"the second light", not "two lights"."""
    relative: bool
    """"the next light": another one begins to count behind it."""
    span: tuple[int, int]


def counted_thing(text: str) -> CountedThing | None:
    """Return what a sub-goal counts; ``None`` where it counts nothing, or several things."""
    # plans write TURN_LEFT; a blank in place of "_" keeps the positions of the words
    matches = list(_COUNTED.finditer(text.replace("_", " ")))
    if len(matches) != 1 or _VAGUE.search(text):
        return None
    match = matches[0]
    number = _NUMBERS[match["number"].lower()]
    light = LIGHT.search(match["thing"]) is not None
    word = match["number"].lower()
    ordinal = word.endswith(("st", "nd", "rd", "th"))
    return CountedThing(number, light, ordinal, word in {"next", "following"}, match.span())


class CountLost:
    """A number of lights or intersections was lost: the sub-goal ended after another number."""

    id: ClassVar[str] = "count-lost"
    name: ClassVar[str] = "Count lost"
    summary: ClassVar[str] = (
        "A sub-goal names a number of lights or intersections, and was closed after another number,"
        " or went on after it; proved by the places passed on the map and by the sub-goal's words."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "places", "replies", "streets"})
    precision: ClassVar[Precision] = Precision(read=9, right=7, mended=2, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield a cause for each sub-goal whose count was lost and where the route was left."""
        rows = stretches(context)
        for number, stretch in enumerate(rows):
            counted = counted_thing(stretch.text)
            if counted is None or not led_astray(context, stretch):
                continue
            if _said_before(rows[:number], counted):
                continue
            before = _counted_before(rows[:number], counted)
            is_thing = has_light if counted.light else is_crossing
            step, passed = _until(context.graph, before, stretch, counted.number, is_thing)
            # the wide count falls short or the narrow one exceeds: who counts a median or the start
            # otherwise finds the same; a single thing that was missed is a matter of `ClosedEarly`
            early = stretch.closed and passed.most < counted.number and counted.number > 1
            if early or passed.least > counted.number:
                since = before[0].sub_goal if before else None
                yield self._cause(context, stretch, counted, passed, (step, since))

    def _cause(
        self,
        context: CauseContext,
        stretch: GoalStretch,
        counted: CountedThing,
        passed: Passed,
        at: tuple[int, int | None],
    ) -> Explanation:
        """Return the cause; `at` is its step, and the sub-goal from which the number goes on."""
        step, since = at
        kind = "traffic light" if counted.light else "intersection"
        words = stretch.text[counted.span[0] : counted.span[1]]
        early = passed.most < counted.number
        number = len(passed.nodes)
        what = plural(number, kind) if number else f"no {kind}"
        how = "it was closed after" if early else "the agent went on past"
        begun = "" if since is None else f" since sub-goal {since + 1} began"
        sentence = f"Sub-goal {stretch.sub_goal + 1} says “{words}”, but {how} {what}{begun}."
        plan = context.plan_at(stretch.first)
        quotes = [quote_of_sub_goal(step, plan, stretch.sub_goal, counted.span)]
        quotes += quotes_of_places(context.graph, passed.nodes, kind, step)
        quotes += _thoughts_that_count(stretch, counted)
        # what is missing needs a place, too, at which one can look
        if not passed.nodes:
            here = stretch.path[-1]
            quotes.append(quote_of_node(context.graph, here, f"no {kind} on this way"))
        return cause_of(
            self,
            sentence=sentence,
            step=step,
            sub_goal=stretch.sub_goal,
            quotes=tuple(quotes),
            repair=_repair(stretch, step) if early else None,
        )


def _repair(stretch: GoalStretch, step: int) -> RepairPlan:
    return RepairPlan(kind="reopen_sub_goal", step=step, parameters={"sub_goal": stretch.sub_goal})


def _said_before(rows: list[GoalStretch], counted: CountedThing) -> bool:
    """Whether an earlier sub-goal already goes to the second light at which this one turns."""
    for stretch in rows:
        earlier = counted_thing(stretch.text)
        if earlier is not None and counted.ordinal and earlier.number == counted.number:
            return True
    return False


def _counted_before(rows: list[GoalStretch], counted: CountedThing) -> list[Step]:
    """Return the steps of earlier sub-goals from which the number goes on ("1st", then "2nd")."""
    steps: list[Step] = []
    if not counted.ordinal:
        return steps
    for stretch in reversed(rows):
        earlier = counted_thing(stretch.text)
        if earlier is None or earlier.light != counted.light or earlier.number >= counted.number:
            break
        # behind "the next light", and behind a turn, the count begins anew
        if earlier.relative or possible_sides(stretch.text.replace("_", " ")):
            break
        steps = [*stretch.steps, *steps]
    return steps


def _until(
    graph: Graph,
    before: list[Step],
    stretch: GoalStretch,
    number: int,
    is_thing: Callable[[Graph, str], bool],
) -> tuple[int, Passed]:
    """Return the step that passed more than a number of things, else the last one, with what was
    passed by then.
    """
    passed = passed_things(graph, (), is_thing)
    for count in range(1, len(stretch.steps) + 1):
        path = way_through([*before, *stretch.steps[:count]])
        passed = passed_things(graph, path, is_thing)
        if passed.least > number:
            return stretch.steps[count - 1].index, passed
    return stretch.last.index, passed


def quotes_of_places(
    graph: Graph, nodes: tuple[str, ...], kind: str, step: int | None
) -> Iterator[Quote]:
    """Quote places of the map in walking order, with their numbers."""
    for number, node in enumerate(nodes, start=1):
        yield quote_of_node(graph, node, f"{kind} {number} on the way", step)


def _thoughts_that_count(stretch: GoalStretch, counted: CountedThing) -> Iterator[Quote]:
    """Quote the model's words about which of the things it has come to."""
    # a light may be called by its intersection, but no intersection is called a light
    thing = r"(?:lights?|signals?|intersections?)" if counted.light else r"intersections?"
    ordinal = re.compile(
        rf"\b(?:first|second|third|fourth|next|two|three|both)\b[^.\n]{{0,40}}\b{thing}",
        re.IGNORECASE,
    )
    for step in stretch.steps:
        for number, call in enumerate(step.calls):
            span = sentence_with(ordinal, call.thoughts or "")
            if span is not None and call.thoughts is not None:
                yield quote_of("thoughts", call.thoughts, span, step=step.index, call=number)
                break
