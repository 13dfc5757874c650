"""Moves that turn to one side where the model's own thoughts turn to the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import ClassVar, Final

from navviz.analysis.causes.stops import target_quotes
from navviz.analysis.causes.sub_goals import could_obey
from navviz.analysis.turns import Side, WalkedTurn, spoken_sides, walked_turns
from navviz.records import Step
from navviz.records.cause import Cause, Grade, Quote
from navviz.systems.causes import CauseContext, Need, Precision, cause_of, quote_of, quote_of_node

_SENTENCE: Final = re.compile(r"[^.\n]+")
_SIDE: Final = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"\n]*"|“[^“”\n]*”')
_BEFORE: Final = 12
"""Nodes of the way before a step: enough to see from where its first node was entered."""


class AgainstThoughts:
    """The model thinks of a turn to one side, and its move turns to the other."""

    id: ClassVar[str] = "against-thoughts"
    name: ClassVar[str] = "Reply against the thoughts"
    summary: ClassVar[str] = (
        "The thoughts of a step turn to one side and name no other, and its move turned to the"
        " other at a junction; proved by the thoughts and by the turn on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "thoughts", "streets", "links"})
    precision: ClassVar[Precision] = Precision(read=0, right=0)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield a cause for each step whose thoughts and move differ."""
        before: tuple[str, ...] = ()
        for step in context.trace.steps:
            way = (*before[-_BEFORE:], *step.path)
            before = (*before, *step.path)
            side = _thought_side(step)
            # steps without such words are most of a log, and turns cost a walk along their way
            if side is None or len(step.path) < 2:
                continue
            # a turn at the last node is made by the next step
            made = [
                turn for turn in walked_turns(way, context.graph) if turn.node in step.path[:-1]
            ]
            if (
                made
                and all(turn.side != side for turn in made)
                and could_obey(context, way, made[0])
            ):
                yield self._cause(context, step, side, made[0])

    def _cause(self, context: CauseContext, step: Step, side: Side, turn: WalkedTurn) -> Cause:
        words = f"turned {turn.side} by {abs(turn.angle_deg):.0f}° here"
        place = quote_of_node(context.graph, turn.node, words, step.index)
        target = step.decision.target if step.decision is not None else None
        replies = target_quotes(step, target) if target else ()
        return cause_of(
            self,
            sentence=(
                f"In step {step.index} the model's thoughts turn {side}, but the move turned"
                f" {turn.side}."
            ),
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=tuple(chain(_quotes(step), (place,), replies)),
        )


def _thought_side(step: Step) -> Side | None:
    """Return the one side to which the thoughts turn; ``None`` where they weigh both, or none."""
    text = "\n".join(_own_words(call.thoughts) for call in step.calls)
    sides = set(spoken_sides(text))
    # "the right turn is correct" is no turn by a verb, but it shows that both were weighed
    named = {word.lower() for word in _SIDE.findall(text)}
    return next(iter(sides)) if len(sides) == len(named) == 1 else None


def _own_words(thoughts: str | None) -> str:
    """Return thoughts with blanks for what they quote.

    ‘The "turn right" instruction and the map differ’ says what the model read, and not what it
    means to do. As many blanks, since quotes need the positions.
    """
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), thoughts or "")


def _quotes(step: Step) -> Iterator[Quote]:
    """Quote the first sentence of the thoughts that turns, as it stands in the log."""
    for number, call in enumerate(step.calls):
        for match in _SENTENCE.finditer(_own_words(call.thoughts)):
            if call.thoughts is not None and spoken_sides(match[0]):
                start = match.start() + len(match[0]) - len(match[0].lstrip())
                span = (start, match.end())
                yield quote_of("thoughts", call.thoughts, span, step=step.index, call=number)
                return
