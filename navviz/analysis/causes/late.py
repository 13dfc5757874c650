"""Sub-goals that stayed open although they were done: a turn made twice, a light passed twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from navviz.analysis.causes.lights import has_light, is_crossing, passed_things
from navviz.analysis.causes.progress import GoalStretch, led_astray, stretches, way_through
from navviz.analysis.causes.sub_goals import TO_A_LIGHT
from navviz.analysis.turns import WalkedTurn, spoken_sides, walked_turns
from navviz.records import Step
from navviz.records.cause import Cause, Grade, Quote
from navviz.systems.causes import (
    CauseContext,
    Need,
    Precision,
    cause_of,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
)

_THROUGH: Final = re.compile(
    r"\b(?:through|past)\s+(?:the|a|one|1)\s*(?:traffic |stop ?)?(?P<thing>lights?|intersection)\b",
    re.IGNORECASE,
)
"""A light without a number, and not the next one: the one that comes first."""


class ClosedLate:
    """A sub-goal stayed open although its turn was made, so that the turn was made again; or it
    used up the light of the next one.
    """

    id: ClassVar[str] = "sub-goal-closed-late"
    name: ClassVar[str] = "Sub-goal closed too late"
    summary: ClassVar[str] = (
        "A sub-goal with one turn stayed in progress after that turn and turned to the same side"
        " again, or a sub-goal without a light went through the light that the next one asks for;"
        " proved by the status and the way walked."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "replies", "streets"})
    precision: ClassVar[Precision] = Precision(read=7, right=7, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield a cause for each sub-goal that was closed too late where the route was left."""
        rows = stretches(context)
        for number, stretch in enumerate(rows):
            if not led_astray(context, stretch):
                continue
            yield from self._turned_twice(context, stretch)
            if number + 1 < len(rows):
                yield from self._used_up(context, stretch, rows[number + 1])

    def _turned_twice(self, context: CauseContext, stretch: GoalStretch) -> Iterator[Cause]:
        sides = spoken_sides(stretch.text.replace("_", " "))
        # two sides are two turns, and after a single step nothing could be made again
        if len(sides) != 1 or len(stretch.steps) < 2:
            return
        before = _way_before(context, stretch)
        first: tuple[Step, WalkedTurn] | None = None
        for step, turn in _turns_of(context, stretch, before):
            if turn.side != sides[0]:
                continue
            if first is None:
                first = (step, turn)
                continue
            # between two turns of one step no reply could have closed the sub-goal
            if first[0] is not step:
                yield self._cause(context, stretch, first, (step, turn))
            return

    def _cause(
        self,
        context: CauseContext,
        stretch: GoalStretch,
        first: tuple[Step, WalkedTurn],
        again: tuple[Step, WalkedTurn],
    ) -> Cause:
        step, side = first[0], first[1].side
        goal = quote_of_sub_goal(step.index, context.plan_at(step), stretch.sub_goal)
        quotes = [goal, *_open_quotes(step)]
        for at, turn in (first, again):
            quotes.append(
                quote_of_node(
                    context.graph, turn.node, f"turned {side} in step {at.index}", at.index
                )
            )
        return cause_of(
            self,
            sentence=(
                f"Step {step.index} made the turn {side} of sub-goal {stretch.sub_goal + 1} but"
                f" left it in progress, so step {again[0].index} turned {side} again."
            ),
            step=step.index,
            sub_goal=stretch.sub_goal,
            quotes=tuple(quotes),
        )

    def _used_up(
        self, context: CauseContext, stretch: GoalStretch, after: GoalStretch
    ) -> Iterator[Cause]:
        """Yield a cause where the light of the next sub-goal was passed before it was due."""
        wanted = _THROUGH.search(after.text.replace("_", " "))
        # a sub-goal with a light of its own may pass one
        if wanted is None or TO_A_LIGHT.search(stretch.text.replace("_", " ")):
            return
        if spoken_sides(stretch.text.replace("_", " ")):
            return
        # a map without places has no lights, so that its junctions stand for them
        light = wanted["thing"].lower().startswith("light") and bool(context.graph.pois)
        is_thing = has_light if light else is_crossing
        passed = passed_things(context.graph, stretch.path, is_thing)
        again = passed_things(context.graph, after.path[1:], is_thing)
        if not passed.nodes or again.least < 1:
            return
        kind = "traffic light" if light else "intersection"
        step, node = stretch.last, passed.nodes[-1]
        # one that it stopped at is gone through by the next sub-goal, which does not close there
        took = "came to" if node == stretch.path[-1] else "went through"
        plan = context.plan_at(after.first)
        goal = quote_of_sub_goal(after.first.index, plan, after.sub_goal, wanted.span("thing"))
        place = quote_of_node(
            context.graph,
            node,
            f"the {kind} that sub-goal {stretch.sub_goal + 1} came to or went through",
            step.index,
        )
        second = quote_of_node(
            context.graph,
            again.nodes[0],
            f"the {kind} that sub-goal {after.sub_goal + 1} went through",
            after.last.index,
        )
        yield cause_of(
            self,
            sentence=(
                f"Sub-goal {stretch.sub_goal + 1} already {took} the {kind} that sub-goal"
                f" {after.sub_goal + 1} goes through, so that one went through another."
            ),
            step=step.index,
            sub_goal=stretch.sub_goal,
            quotes=(goal, place, second),
        )


def _way_before(context: CauseContext, stretch: GoalStretch) -> tuple[str, ...]:
    earlier = [step for step in context.trace.steps if step.index < stretch.first.index]
    # a few nodes show from where the agent came
    return way_through(earlier)[-12:]


def _turns_of(
    context: CauseContext, stretch: GoalStretch, before: tuple[str, ...]
) -> Iterator[tuple[Step, WalkedTurn]]:
    """Yield the turns of a sub-goal's steps; one at the end of a step belongs to the next."""
    turns = walked_turns((*before, *stretch.path), context.graph)
    for step in stretch.steps:
        own = set(step.path[:-1])
        for turn in turns:
            if turn.node in own:
                yield step, turn


def _open_quotes(step: Step) -> Iterator[Quote]:
    """Quote the word of the reply that left a sub-goal open."""
    for number, call in enumerate(step.calls):
        match = re.search(r"IN_PROGRESS", call.reply or "")
        if match is not None and call.reply is not None:
            yield quote_of("reply", call.reply, match.span(), step=step.index, call=number)
            return
