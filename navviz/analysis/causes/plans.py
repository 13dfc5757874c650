"""Causes in the plan: turns that it lost, added or swapped, and landmarks that it left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from navviz.analysis.causes.stops import words_quote
from navviz.analysis.turns import Side, instruction_turns, spoken_sides
from navviz.records import SubGoal
from navviz.records.cause import Cause, Grade, Quote, RepairPlan
from navviz.systems.causes import CauseContext, Need, Precision, cause_of, quote_of_sub_goal

_SIDE: Final = re.compile(r"(?<![a-z])(left|right)(?![a-z])")


class PlanTurns:
    """The plan turns otherwise than the instruction."""

    id: ClassVar[str] = "plan-turns"
    name: ClassVar[str] = "Plan lost, added or swapped a turn"
    summary: ClassVar[str] = (
        "The turns of the sub-goals differ from those of the instruction; proved by both texts."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan"})
    precision: ClassVar[Precision] = Precision(read=0, right=0)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield the first place where plan and instruction differ."""
        plan = context.trace.sub_goals or context.plan_at(context.trace.steps[0])
        # of several tasks each has a plan of its own, while the instruction names them all
        if context.departure is None or context.episode.tasks:
            return
        if not _sides_differ(context.episode.instruction, plan):
            return
        text_turns = instruction_turns(context.episode.instruction)
        planned = list(_planned(plan))
        at = _difference(text_turns, planned, context.episode.instruction, plan)
        if at is not None:
            yield from self._cause(context, plan, text_turns, planned, *at)

    def _cause(
        self,
        context: CauseContext,
        plan: tuple[SubGoal, ...],
        text_turns: tuple[tuple[Side, str], ...],
        planned: list[tuple[Side, int]],
        kind: str,
        number: int,
    ) -> Iterator[Cause]:
        quotes: list[Quote] = []
        goal = None
        repair = None
        if number < len(text_turns):
            words = words_quote(context.episode.instruction, text_turns[number][1])
            if words is not None and kind != "added":
                quotes.append(words)
        if number < len(planned) and kind != "lost":
            goal = planned[number][1]
            quotes.append(quote_of_sub_goal(None, plan, goal))
        if kind == "swapped" and goal is not None:
            line = _swapped(plan[goal].description, planned[number][0], text_turns[number][0])
            parameters = {"sub_goal": goal, "line": line}
            repair = RepairPlan(kind="replace_plan_line", step=1, parameters=parameters)
        if quotes:
            yield cause_of(
                self,
                sentence=_sentence(kind, text_turns, planned, number),
                step=1,
                sub_goal=goal,
                quotes=tuple(quotes),
                repair=repair,
            )


def _planned(plan: tuple[SubGoal, ...]) -> Iterator[tuple[Side, int]]:
    for number, goal in enumerate(plan):
        for side in spoken_sides(goal.description):
            yield side, number


def _sides_differ(instruction: str, plan: Sequence[SubGoal]) -> bool:
    """Whether the two texts name a side unequally often; reading them takes a hundred times as
    long.
    """
    lines = " ".join(goal.description for goal in plan)
    return Counter(_SIDE.findall(instruction.lower())) != Counter(_SIDE.findall(lines.lower()))


def _difference(
    text_turns: Sequence[tuple[Side, str]],
    planned: Sequence[tuple[Side, int]],
    instruction: str,
    plan: Sequence[SubGoal],
) -> tuple[str, int] | None:
    """Return how the plan's turns differ, and the number of the turn that does.

    A turn counts as lost only where the plan has too few words for that side, and as added only
    where the instruction has: either text may say a turn without a verb.
    """
    lines = [goal.description for goal in plan]
    in_plan = Counter(_SIDE.findall(" ".join(lines).lower()))
    in_text = Counter(_SIDE.findall(instruction.lower()))
    # both at once are one turn that changed its side
    lost = _first_too_many([side for side, _ in text_turns], in_plan)
    added = _first_too_many([side for side, _ in planned], in_text)
    if lost is not None and added is not None:
        return _swapped_at(text_turns, planned)
    if lost is not None:
        return "lost", lost
    return None if added is None else ("added", added)


def _swapped_at(
    text_turns: Sequence[tuple[Side, str]], planned: Sequence[tuple[Side, int]]
) -> tuple[str, int] | None:
    """Return the one turn whose side differs; ``None`` where several do."""
    # then nobody can say which turn of the plan stands for which of the text
    if len(text_turns) != len(planned):
        return None
    pairs = zip(text_turns, planned, strict=True)
    unlike = [number for number, (a, b) in enumerate(pairs) if a[0] != b[0]]
    return ("swapped", unlike[0]) if len(unlike) == 1 else None


def _first_too_many(sides: Sequence[Side], there: Counter[str]) -> int | None:
    """Return the last turn of a side that the other text names too seldom."""
    for side in ("left", "right"):
        own = [number for number, one in enumerate(sides) if one == side]
        if len(own) > there[side]:
            return own[-1]
    return None


def _swapped(line: str, planned: Side, side: Side) -> str:
    # plans write TURN_LEFT, too
    return line.replace(planned, side).replace(planned.upper(), side.upper())


def _sentence(
    kind: str,
    text_turns: tuple[tuple[Side, str], ...],
    planned: list[tuple[Side, int]],
    number: int,
) -> str:
    if kind == "lost":
        return f"The plan leaves out a turn {text_turns[number][0]}: “{text_turns[number][1]}”."
    if kind == "added":
        side, goal = planned[number]
        return f"The plan adds a turn {side} in sub-goal {goal + 1} that the instruction lacks."
    side, goal = planned[number]
    return f"Sub-goal {goal + 1} turns {side} where the instruction says {text_turns[number][0]}."
