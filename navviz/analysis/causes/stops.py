"""Causes in where a walk stopped: on the spot, too early, past a goal in view, in a loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from navviz.analysis.turns import (
    instruction_turns,
    missing_turns,
    turn_ahead,
    walked_turns,
    words_span,
)
from navviz.records import EndStatus, Step, SubGoal
from navviz.records.finding import Explanation, Grade, Quote
from navviz.records.trace import UNKNOWN_PLACE
from navviz.systems.causes import (
    CauseContext,
    Need,
    Precision,
    cause_of,
    due_sub_goal,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
)
from navviz.world.search import UNREACHED

_VISITS = 3

"""Coming to a place a second time may be a turn that was taken back; the third time is a loop."""

_HERE_M = 1.0

"""A turn nearer than this is at the place where the walk ended."""


class StoodStill:
    """The reply named the place where the agent stood, and that ended the run."""

    id: ClassVar[str] = "stood-still"
    name: ClassVar[str] = "Stood still, and that ended the run"
    summary: ClassVar[str] = (
        "The reply named the place where the agent stood while sub-goals were open, and the"
        " navigator ends a run that does not move; proved by the reply and the recorded end."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps"})
    precision: ClassVar[Precision] = Precision(read=14, right=14, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the last step, where it stood still with sub-goals left."""
        trace = context.trace
        last = trace.steps[-1]
        target = last.decision.target if last.decision is not None else None
        if trace.end is None or last.index != context.departure:
            return
        logged = "replies" in context.has
        plan, left = context.plan_at(last), 0
        # a limit ends the run by itself, whatever the last reply named
        limited = trace.end.status is EndStatus.LIMIT
        if logged and last.sub_goal is not None and target == last.node and not limited:
            done = last.decision is None or last.decision.sub_goal_status != "IN_PROGRESS"
            left = len(plan) - last.sub_goal - done
        # a file of results without a log still lists the sub-goals that were open at the end
        elif not logged and last.sub_goal is None and context.divergence.kind == "undershoot":
            plan = trace.end.plan
            left = sum(goal.status == "TODO" for goal in plan)
        if left < 1 or target is None:
            return
        yield self._cause(context, last, plan, left, logged=logged)

    def _cause(
        self,
        context: CauseContext,
        last: Step,
        plan: tuple[SubGoal, ...],
        left: int,
        *,
        logged: bool,
    ) -> Explanation:
        end = context.trace.end
        target = (last.decision.target if last.decision is not None else None) or ""
        to_go = f"{left} sub-goal{'s' if left > 1 else ''} to go"
        reason = (end.reason if end is not None else None) or "the run ended"
        sentence = (
            f"In step {last.index} the reply names the place where the agent stands; that ends the"
            f" run with {to_go}."
        )
        if not logged:
            sentence = (
                f"After step {last.index} the run ended with {to_go}; a log would show what the"
                " last reply named."
            )
        return cause_of(
            self,
            sentence=sentence,
            step=last.index,
            sub_goal=last.sub_goal,
            quotes=(
                *target_quotes(last, target),
                Quote(source="decision", text=reason, step=last.index),
                # a plan is done in order, so that this is the first of those that are left
                quote_of_sub_goal(last.index if last.plan else None, plan, len(plan) - left),
            ),
        )


def target_quotes(step: Step, target: str) -> Iterator[Quote]:
    """Quote where a step's reply names a place."""
    for number, call in enumerate(step.calls):
        at = (call.reply or "").find(target)
        if at >= 0 and call.reply is not None:
            span = (at, at + len(target))
            yield quote_of("reply", call.reply, span, step=step.index, call=number)
            return


class StoppedEarly:
    """The agent stopped itself although turns of the instruction were still to be made."""

    id: ClassVar[str] = "stopped-early"
    name: ClassVar[str] = "Stopped before the instruction ended"
    summary: ClassVar[str] = (
        "The walk ended short of the goal, the agent stopped itself, and the last turn of the"
        " instruction was never made, though the route makes it further on; proved by its words"
        " and the place on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"route", "streets"})
    precision: ClassVar[Precision] = Precision(read=91, right=72, mended=19)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the last step of a walk that stopped too early for its instruction."""
        trace, divergence = context.trace, context.divergence
        if divergence.kind != "undershoot" or divergence.step is None or not trace.steps:
            return
        if trace.end is not None and trace.end.status is not EndStatus.DONE:
            return
        text_turns = instruction_turns(context.episode.instruction)
        # 30 degrees instead of 45: what may be a turn counts as made, so that fewer are missing
        made = [turn.side for turn in walked_turns(trace.path, context.graph, least_deg=30.0)]
        missing = missing_turns([side for side, _ in text_turns], made)
        # a turn that is missing in the middle is no sign of an early stop
        if not missing or missing[-1] != len(text_turns) - 1:
            return
        side, words = text_turns[-1]
        quote = words_quote(context.episode.instruction, words)
        end = trace.path[-1]
        number = sum(text_turns[place][0] == side for place in missing)
        turn = turn_ahead(context.episode.reference_path, end, side, context.graph, number)
        if quote is None or turn is None:
            return
        node, ahead_m = turn
        # the links of one crossing are shorter than a metre
        where = f"{ahead_m:.0f} m further on" if ahead_m >= _HERE_M else "right there"
        yield cause_of(
            self,
            sentence=(
                f"It stopped before the turn {side} of “{quote.text}”, which the route makes"
                f" {where}."
            ),
            step=divergence.step,
            quotes=(quote, quote_of_node(context.graph, node, f"the route turns {side} here")),
        )


def words_quote(text: str, words: str) -> Quote | None:
    """Quote words of the instruction as the reading gives them (``turn left · the next light``),
    with its place where one sentence has both; ``None`` where they do not stand there so.
    """
    span = words_span(text, words)
    return None if span is None else quote_of("instruction", text, span)


class PassedGoal:
    """The goal was in what the agent was shown, and it went past it."""

    id: ClassVar[str] = "passed-goal"
    name: ClassVar[str] = "Did not stop at a goal that was shown"
    summary: ClassVar[str] = (
        "The walk followed the route to its goal and went on, though the goal's node stood in the"
        " prompt of that step; proved by the prompt and the reply."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "prompts", "route", "links"})
    precision: ClassVar[Precision] = Precision(read=13, right=7, mended=6, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the step that went past the goal."""
        if context.divergence.kind != "overshoot" or context.success or context.departure is None:
            return
        goal = context.episode.goal or context.episode.reference_path[-1]
        step = _went_past(context, goal)
        target = step.decision.target if step is not None and step.decision is not None else None
        if step is None or target is None or goal not in context.graph:
            return
        shown = node_in_prompt(step, goal)
        if shown is None:
            return
        due = due_sub_goal(context, step)
        words = "" if due is None else f" in sub-goal {(step.sub_goal or 0) + 1}"
        # within the success radius nothing was lost yet, so that the step that left it counts
        on = "" if step.index == context.departure else f"; step {context.departure} went on"
        yield cause_of(
            self,
            sentence=(
                f"In step {step.index}{words} the goal stood in the prompt, and the reply went past"
                f" it{on}."
            ),
            step=context.departure,
            sub_goal=step.sub_goal,
            quotes=(
                shown,
                *target_quotes(step, target),
                quote_of_node(context.graph, goal, "the goal"),
            ),
        )


def _went_past(context: CauseContext, goal: str) -> Step | None:
    """Return the last step up to the departure that went on from the goal's place, or over it.

    The success radius makes the departure come later: the next step's prompt has the goal among
    the places that were walked already. Who came by the goal on another street never was there.
    """
    past = None
    for step in context.trace.steps:
        if step.index > (context.departure or 0):
            break
        # a step that ends at the goal leaves it to the next one to stop there
        if goal in (step.node, *step.path) and step.path and step.path[-1] != goal:
            past = step
    return past


def node_in_prompt(step: Step, node: str) -> Quote | None:
    """Quote the first place where a step's prompts name a node; ``None`` where none does."""
    for number, call in enumerate(step.calls):
        for at, message in enumerate(call.messages):
            start = message.text.find(node)
            if start >= 0:
                span = (start, start + len(node))
                return quote_of(
                    "prompt", message.text, span, step=step.index, call=number, message=at
                )
    return None


class RanOut:
    """A limit of steps, calls or money ended the walk before the agent stopped."""

    id: ClassVar[str] = "limit-reached"
    name: ClassVar[str] = "Limit reached"
    summary: ClassVar[str] = (
        "The walk was still on its route when a limit of steps, calls, tokens or money ended it;"
        " proved by the recorded end and the setting."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps"})
    precision: ClassVar[Precision] = Precision(read=1, right=1, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the last step of a walk that a limit ended."""
        trace = context.trace
        limits = {EndStatus.LIMIT, EndStatus.BUDGET}
        if trace.end is None or trace.end.status not in limits or context.success:
            return
        if context.divergence.kind != "did not stop":
            return
        last = trace.steps[-1]
        reason = trace.end.reason or f"the {trace.end.status.value} was reached"
        quotes = [Quote(source="decision", text=reason, step=last.index)]
        for name, value in trace.header.settings.items():
            if name.startswith(("max_", "limit")):
                quotes.append(Quote(source="setting", text=f"{name} = {value}"))
        yield cause_of(
            self,
            sentence=f"After step {last.index} the run ended: {reason.rstrip('.')}.",
            step=last.index,
            sub_goal=last.sub_goal,
            quotes=tuple(quotes),
        )


class BackOnPath:
    """The agent came to one place for the third time, or walked back the way it had come."""

    id: ClassVar[str] = "loop"
    name: ClassVar[str] = "Loop, or back on its own path"
    summary: ClassVar[str] = (
        "The walk came to one node three times, or turned round and walked its route backwards;"
        " proved by the visits on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "links"})
    precision: ClassVar[Precision] = Precision(read=55, right=23)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the third visit, and each departure that went back."""
        if context.episode.tasks:
            return  # a walk from target to target may come by one place often
        yield from self._turned_back(context)
        # a path begins where the agent stands, so that the start is no visit of any path
        visits: Counter[str] = Counter([context.episode.start])
        came: dict[str, list[int]] = {context.episode.start: [context.trace.steps[0].index]}
        here = context.episode.start
        for step in context.trace.steps:
            for node in step.path:
                if node == here:
                    continue
                here = node
                visits[node] += 1
                came.setdefault(node, []).append(step.index)
                if visits[node] == _VISITS and node in context.graph:
                    steps = " and ".join(str(index) for index in came[node])
                    words = f"visited in step {steps}"
                    yield self._cause(context, step, node, words, "comes to one place a third time")
                    return

    def _turned_back(self, context: CauseContext) -> Iterator[Explanation]:
        for departure in context.divergence.departures:
            step = context.step(departure.step)
            if departure.backwards and step is not None and departure.place > 0:
                # it may have come to the route from elsewhere, so that this is not its own way
                words = "from here it walked the route backwards"
                yield self._cause(context, step, departure.node, words, "walks the route backwards")

    def _cause(
        self, context: CauseContext, step: Step, node: str, words: str, what: str
    ) -> Explanation:
        place = quote_of_node(context.graph, node, words, step.index)
        return cause_of(
            self,
            sentence=f"In step {step.index} the agent {what}.",
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=(place,),
        )


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

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the first step of a row of useless replies that ended the walk or left the route.

        A reply that was asked for again, with a good one after it, did no harm.
        """
        row: Explanation | None = None
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

    def _of_step(self, step: Step) -> Explanation | None:
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

    def _cause(self, step: Step, wrong: str, quote: Quote) -> Explanation:
        return cause_of(
            self,
            sentence=f"Step {step.index} had no legal move: {wrong.rstrip('.')}.",
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=(quote,),
        )


def _also(row: Explanation, step: Step, last: Explanation) -> Explanation:
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
