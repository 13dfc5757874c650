"""Explanations in the plan's progress: what was counted, closed too early, too late, made again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from navviz.analysis.causes.texts import thoughts_quote
from navviz.analysis.causes.told import (
    act_quotes,
    count_of,
    count_quotes,
    said,
)
from navviz.analysis.crossings import has_light, is_crossing, passed_things
from navviz.analysis.street_acts import TURN_DEG
from navviz.analysis.told_route import lengths_along
from navviz.analysis.turns import walked_turns
from navviz.language.plan_map import words_of
from navviz.language.said import said_counts, says_done
from navviz.records import Step
from navviz.records.act import Act
from navviz.records.base import plural
from navviz.records.finding import Explanation, Quote, RepairPlan
from navviz.systems.causes import (
    CauseContext,
    Need,
    cause_of,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
    sentence_with,
    target_quotes,
)

_STATUS: Final = re.compile(r"COMPLETED|IN[_ ]PROGRESS", re.IGNORECASE)

_ORDINAL: Final = re.compile(
    r"\b(?:first|second|third|fourth|next|two|three|both)\b[^.\n]{0,40}"
    r"\b(?:lights?|signals?|intersections?|junctions?)\b",
    re.IGNORECASE,
)

_DONE_M: Final = 32.0

"""An act that the route places no further ahead than this is done at a junction."""


def is_closed(context: CauseContext, step: Step) -> bool | None:
    """Whether a step closed its sub-goal; ``None`` where nobody can say."""
    decision = step.decision
    # what an illegal decision says was never carried out
    if decision is None or not decision.legal:
        return None
    if decision.sub_goal_status is not None:
        return decision.sub_goal_status == "COMPLETED"
    later = [s for s in context.trace.steps if s.index > step.index and s.sub_goal is not None]
    if later and step.sub_goal is not None and later[0].sub_goal is not None:
        return later[0].sub_goal > step.sub_goal
    replies = " ".join(call.reply or "" for call in step.calls)
    return says_done(replies)


def closed_in(context: CauseContext) -> dict[int, Step]:
    """Return the first step that closed each sub-goal, the decisive one too."""
    closed: dict[int, Step] = {}
    for step in context.trace.steps:
        if step.sub_goal is not None and is_closed(context, step):
            closed.setdefault(step.sub_goal, step)
    return closed


def status_quote(step: Step) -> Quote:
    """Quote the word of the reply for the sub-goal's status."""
    for number, call in enumerate(step.calls):
        match = _STATUS.search(call.reply or "")
        if match is not None and call.reply is not None:
            return quote_of("reply", call.reply, match.span(), step=step.index, call=number)
    status = step.decision.sub_goal_status if step.decision is not None else None
    return Quote(source="decision", text=status or "the plan's next line was due", step=step.index)


def way_of(steps: list[Step]) -> list[str]:
    """Return the nodes walked in some steps, without repeats of the node the agent stands on."""
    nodes: list[str] = []
    for step in steps:
        for node in step.places:
            if not nodes or nodes[-1] != node:
                nodes.append(node)
    return nodes


def is_done(context: CauseContext, act: Act) -> bool:
    """Whether the walk came by an act before it left the route."""
    place = context.act.route_place
    if act.at is None or place is None:
        return True
    along_m = lengths_along(context.episode.reference_path, context.graph)
    return along_m[act.at] <= along_m[place] + _DONE_M


def works_late(context: CauseContext) -> bool:
    """Whether the decisive step still worked on an earlier sub-goal, whose acts were done."""
    due, number, act = context.due, context.goal_of_act, context.act.act
    if due is None or number is None or act is None or due >= number:
        return False
    if context.how in {"too early", "repeated", "extra turn", "stopped early", "broke off"}:
        return False
    own = [a for a in context.act.acts if context.plan_map.get(a.number) == due]
    # nobody knows whether an act without a place was done
    if own and all(a.at is None for a in own):
        return False
    return all(is_done(context, a) for a in own if a.number < act.number)


def _turned_again(context: CauseContext) -> bool:
    """Whether the walk turned to the side of its last turn: it repeats that, and does not count."""
    last, side = context.act.last_turn, context.act.walked_side
    return last is not None and side is not None and last.side == side


class Miscounted:
    """The agent lost count of lights or intersections."""

    id: ClassVar[str] = "miscounted"
    name: ClassVar[str] = "Miscounted"
    summary: ClassVar[str] = (
        "The due sub-goal asks for a number of lights or intersections, and its steps walked past"
        " more, over the act; or the turn was made at another number than the instruction and the"
        " route have; proved by the places passed on the map and by the words."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"route", "streets", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the count that was lost."""
        act, step, due = context.act.act, context.step, context.due
        if act is None:
            return
        lines = [] if step is None or due is None else [due]
        goal = context.goal_of_act
        # the number may have been lost in the line before, that the act's own line goes on from
        if goal is not None and goal == due and context.how in {"went on", "too late", "skipped"}:
            lines = [goal - 1] if goal else []
        elif not works_late(context) or _turned_again(context):
            lines = []
        for number in lines:
            lost = self._lost(context, number)
            if lost is not None:
                yield lost
                return
        count = count_of(context)
        if count is None:
            return
        if count.route[0] <= count.number <= count.route[1] and not (
            count.walked[0] <= count.number <= count.walked[1]
        ):
            sentence = (
                f"The walk turned at {count.thing} {count.walked_words} since the last turn; the"
                f" instruction and the route turn at {count.thing} {count.number}."
            )
            yield self._cause(context, step, sentence, count.nodes, count.thing, due)

    def _lost(self, context: CauseContext, number: int) -> Explanation | None:
        """Return the number that the steps of one line went beyond."""
        act, line = context.act.act, context.goals[number].description
        own = [a for a in context.act.acts if context.plan_map.get(a.number) == number]
        passes = [a for a in own if a.kind == "pass" and a.place in {"light", "intersection"}]
        things = {a.place for a in passes}
        steps = [s for s in context.trace.steps if s.sub_goal == number]
        if act is None or len(things) != 1 or not steps or _NO_NUMBER.search(line):
            return None
        counts = said_counts(line)
        kind = things.pop()
        passed = passed_things(
            context.graph, way_of(steps), has_light if kind == "light" else is_crossing
        )
        wanted = counts[0].number if len(counts) == 1 else len(passes)
        if passed.least <= wanted:
            return None
        over = "over the place of" if number == context.due else "before the line of"
        sentence = (
            f"Sub-goal {number + 1} (“{line}”) asks for {plural(wanted, kind)}; by the end of step"
            f" {steps[-1].index} the walk had passed {passed.least}, {over} {said(act)}."
        )
        return self._cause(context, steps[-1], sentence, passed.nodes, kind, number)

    def _cause(
        self,
        context: CauseContext,
        step: Step | None,
        sentence: str,
        nodes: tuple[str, ...],
        thing: str,
        due: int | None,
    ) -> Explanation:
        quotes = act_quotes(context, context.act.act)
        if due is not None and step is not None:
            quotes.append(quote_of_sub_goal(step.index, context.goals, due))
        quotes += count_quotes(context, nodes, thing)
        span = sentence_with(_ORDINAL, context.thoughts)
        if step is not None and span is not None:
            counted = thoughts_quote(step, span, context.thoughts)
            quotes += [] if counted is None else [counted]
        return cause_of(self, context, sentence, quotes, sub_goal=due)


class Repeated:
    """The last turn was made again."""

    id: ClassVar[str] = "repeated"
    name: ClassVar[str] = "Turn made again"
    summary: ClassVar[str] = (
        "The walk turned to the side of its last turn again, since the step that had made it left"
        " its sub-goal, or the whole text, open, or since the thoughts quote it again; proved by"
        " the status, the thoughts and both turns."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links", "streets"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the turn that was made again."""
        decisive, step, last = context.act, context.step, context.act.last_turn
        again = {"repeated", "too early", "went on", "extra turn", "wrong side"}
        if step is None or last is None or last.at is None or decisive.how not in again:
            return
        side, there = decisive.walked_side, decisive.node
        if decisive.how == "went on" and side is None:
            # behind the end of the route the turn may come further on than the fork is looked at
            turns = walked_turns(context.whole, context.graph, TURN_DEG)
            begin = decisive.walk_place or 0
            for turn in turns:
                if turn.place > begin and turn.node in step.path[:-1] and side is None:
                    side, there = turn.side, turn.node
        if side != last.side or there is None or not context.has & _LOGGED:
            return
        made = context.episode.reference_path[last.at]
        first = next((s for s in context.trace.steps if made in s.path[:-1]), None)
        if first is None or first is step:
            return
        goals, number = context.goals, context.plan_map.get(last.number)
        is_open = is_closed(context, first) is False
        stays = len(goals) > 1 and is_open and first.sub_goal == context.due == number
        whole = len(goals) <= 1 and is_open
        quoted = _quoted_acts(context)
        names_last = last.number in quoted
        names_due = decisive.act is not None and decisive.act.number in quoted
        elsewhere = context.goal_of_act != context.due or decisive.how == "went on"
        how = {"repeated", "went on", "wrong side"}
        if stays and (elsewhere or decisive.how in how):
            why = f"Step {first.index} made {said(last)} and left sub-goal {(number or 0) + 1} in"
            why += f" progress, so step {step.index} made it again."
        elif names_last and not names_due:
            why = f"Step {step.index} made {said(last)} again, which step {first.index} had made."
        elif whole and decisive.how in how:
            why = f"Step {first.index} made {said(last)}, and the prompt of step {step.index}"
            why += " still has the whole instruction as one open sub-goal; it was made again."
        else:
            return
        quotes = [*act_quotes(context, last), status_quote(first)]
        quotes += [quoted[last.number]] if names_last else []
        for node, at in ((made, first), (there, step)):
            turned = f"turned {last.side} in step {at.index}"
            quotes.append(quote_of_node(context.graph, node, turned, at.index))
        yield cause_of(self, context, why, quotes, act=last, sub_goal=number)


_NO_NUMBER: Final = re.compile(r"\buntil\b|continue|merge", re.IGNORECASE)

_LOGGED: Final = frozenset({"thoughts", "replies", "prompts"})

_IN_QUOTES: Final = re.compile(r"[\"“']([^\"”\n]{6,160}?)[\"”']")


def _quoted_acts(context: CauseContext) -> dict[int, Quote]:
    """Return the acts whose words the thoughts quote, with the quotes."""
    text, step = context.episode.instruction.lower(), context.step
    quoted: dict[int, Quote] = {}
    for match in _IN_QUOTES.finditer(context.thoughts):
        words = match[1].lower().rstrip(".,;")
        at = text.find(words)
        quote = None if step is None else thoughts_quote(step, match.span(), context.thoughts)
        if at < 0 or len(words.split()) < 2 or quote is None:
            continue
        for act in context.act.acts:
            if act.span is not None and act.span[0] < at + len(words) and act.span[1] > at:
                quoted.setdefault(act.number, quote)
    return quoted


class ClosedEarly:
    """The sub-goal of the act, or of the way to it, was closed before it was done."""

    id: ClassVar[str] = "closed-early"
    name: ClassVar[str] = "Sub-goal closed too early"
    summary: ClassVar[str] = (
        "The sub-goal that holds the act, or the junctions before it, was closed in an earlier"
        " step, or by the step that stopped; proved by the status and by the way walked."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "route"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the sub-goal that was closed without what it asks for."""
        decisive, act, step = context.act, context.act.act, context.step
        if step is None or act is None or decisive.how in {"went on", "repeated"}:
            return
        closed, goals = closed_in(context), context.goals
        approach = [a for a in decisive.due if a.kind == "pass" and a.number < act.number]
        for one in approach if decisive.how == "too early" else [act]:
            number = context.plan_map.get(one.number)
            if len(goals) < 2 or number is None or number not in closed:
                continue
            if closed[number].index < step.index:
                yield self._cause(context, closed[number], number, f"{said(one)} was done")
                return
        number = context.goal_of_act
        if decisive.how == "too early" and len(goals) > 1 and number:
            before = number - 1
            own = [a for a in decisive.acts if context.plan_map.get(a.number) == before]
            thing = "light" if act.place == "light" else "intersection"
            words = words_of(goals[before].description)
            says = words & (_LIGHT if thing == "light" else _CROSSING)
            bare = not any(a.kind in {"turn", "pass"} for a in own)
            if before not in closed or not says or not bare:
                return
            what = f"the {thing} of {said(act)} was reached"
            named = _light_in_prompt(closed[before]) if thing == "light" else None
            # the published links of places give a light to corners that it can be seen from
            if named is not None and not has_light(context.graph, named):
                what += "; the prompt names a light on the way of that step, where the map has none"
            yield self._cause(context, closed[before], before, what)
        elif decisive.how == "stopped early" and context.due is not None:
            if closed.get(context.due) is not step:
                return
            yield self._cause(context, step, context.due, f"{said(act)} was done")

    def _cause(self, context: CauseContext, step: Step, number: int, what: str) -> Explanation:
        place = step.path[-1] if step.path else step.node
        plan = step.plan or context.trace.sub_goals or context.goals
        quotes = [quote_of_sub_goal(step.index, plan, number), status_quote(step)]
        if place is not None:
            quotes.append(quote_of_node(context.graph, place, "closed here", step.index))
        repair = RepairPlan(
            kind="reopen_sub_goal", step=step.index, parameters={"sub_goal": number}
        )
        sentence = (
            f"Sub-goal {number + 1} (“{plan[number].description}”) was closed in step"
            f" {step.index}, before {what}."
        )
        quotes += act_quotes(context, context.act.act)
        return cause_of(
            self, context, sentence, quotes, step=step.index, sub_goal=number, repair=repair
        )


def _light_in_prompt(step: Step) -> str | None:
    """Return the node of a step's way at which its prompt names a light."""
    for poi in () if step.observation is None else step.observation.pois:
        if poi.node in step.path and _LIGHT & words_of(poi.name):
            return poi.node
    return None


_LIGHT: Final = frozenset({"light", "lights", "signal", "signals"})

_CROSSING: Final = frozenset(
    {"intersection", "intersections", "junction", "corner", "t", "end", "ends", "street"}
)


class ClosedLate:
    """An earlier sub-goal, whose own acts were done, was still due."""

    id: ClassVar[str] = "closed-late"
    name: ClassVar[str] = "Sub-goal closed too late"
    summary: ClassVar[str] = (
        "The decisive step still worked on an earlier sub-goal, whose own acts were done, and"
        " walked over the place of the act; proved by the plan, the status and the way walked."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "route"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the sub-goal that should have been closed before."""
        act, step, due, number = context.act.act, context.step, context.due, context.goal_of_act
        if step is None or act is None or due is None or number is None:
            return
        if not works_late(context) or not context.has & _LOGGED:
            return
        line = context.goals[due].description
        sentence = (
            f"Step {step.index} still worked on sub-goal {due + 1} (“{line}”), whose acts were"
            f" done, and walked over the place of {said(act)} (sub-goal {number + 1})."
        )
        quotes = [
            quote_of_sub_goal(step.index, context.goals, due),
            quote_of_sub_goal(step.index, context.goals, number),
            *target_quotes(step, context.target),
            *act_quotes(context, act),
        ]
        yield cause_of(self, context, sentence, quotes, sub_goal=due)
