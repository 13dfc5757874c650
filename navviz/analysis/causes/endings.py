"""Causes in how a walk ended: replies that could not be used, limits, loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from navviz.records import Step
from navviz.records.cause import Cause, Grade, Quote
from navviz.records.trace import UNKNOWN_PLACE
from navviz.systems.causes import CauseContext, Need, Precision, cause_of, quote_of
from navviz.world.search import UNREACHED

_QUOTED = 300
"""A raw reply may have pages; its head shows what is wrong with it."""


class NoLegalMove:
    """The reply could not be used: it was empty, could not be parsed, or named no place to go."""

    id: ClassVar[str] = "no-legal-move"
    name: ClassVar[str] = "No legal move"
    summary: ClassVar[str] = (
        "A reply was empty, could not be parsed or named a place that cannot be reached; proved by"
        " the raw reply."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps"})
    precision: ClassVar[Precision] = Precision(read=24, right=21, mended=3, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield the first step of a row of useless replies that ended the walk or left the route.

        A reply that was asked for again, with a good one after it, did no harm.
        """
        row: Cause | None = None
        decided = False
        for step in context.trace.steps:
            of_step = self._of_step(step)
            if of_step is None and decided:
                break
            if of_step is None:
                row = None
                continue
            # a row of useless replies is one cause, which began with its first
            row = of_step if row is None else _also(row, step, of_step)
            ended = step is context.trace.steps[-1] and not context.success
            decided = decided or ended or step.index == context.departure
        if row is not None and decided:
            yield row

    def _of_step(self, step: Step) -> Cause | None:
        for number, call in enumerate(step.calls):
            wrong = call.parse_error or call.error
            # usage shows that a model answered; without it the log may just lack the reply
            if wrong is None and (call.reply or "").strip() == "" and call.usage is not None:
                wrong = call.why_unread
            # why it could not be read says more than what is wrong with what came of it
            if wrong is not None:
                wrong = call.shortfall or wrong
            # a step that moved all the same was not stopped by its reply
            if wrong is not None and number == len(step.calls) - 1 and not _moved(step):
                return self._cause(step, wrong, _reply_quote(step, number, wrong))
        decision = step.decision
        if decision is None or decision.legal or decision.reason == UNKNOWN_PLACE:
            return None
        reason = decision.reason or "the decision could not be carried out"
        if reason == UNREACHED:
            reason = f"{decision.target or 'the place it names'} cannot be reached"
        # the last call: the replies before it were asked for again
        number = len(step.calls) - 1
        return self._cause(step, reason, _reply_quote(step, number, reason))

    def _cause(self, step: Step, wrong: str, quote: Quote) -> Cause:
        return cause_of(
            self,
            sentence=f"Step {step.index} had no legal move: {wrong.rstrip('.')}.",
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=(quote,),
        )


def _also(row: Cause, step: Step, last: Cause) -> Cause:
    """Return the cause of a row with what was wrong in its last step, where that is another fault:
    an empty reply that was asked for again is not what ended the walk.
    """
    wrong = last.sentence.partition(": ")[2]
    first = row.sentence.partition("; then, in step ")[0].rstrip(".")
    if first.endswith(f": {wrong.rstrip('.')}"):
        return row
    sentence = f"{first}; then, in step {step.index}, {wrong}"
    return row.model_copy(update={"sentence": sentence, "quotes": (row.quotes[0], *last.quotes)})


def _moved(step: Step) -> bool:
    return len(set(step.path)) > 1


def _reply_quote(step: Step, number: int, wrong: str) -> Quote:
    """Quote the raw reply; where there is none, what the trace records instead."""
    reply = step.calls[number].reply if 0 <= number < len(step.calls) else None
    if reply is None or not reply.strip():
        return Quote(source="decision", text=wrong, step=step.index)
    return quote_of("reply", reply, (0, min(len(reply), _QUOTED)), step=step.index, call=number)
