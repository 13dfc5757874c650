"""Explanations in thoughts and replies: no legal move, a rule that was followed, a slip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from navviz.analysis.causes.texts import thoughts_quote
from navviz.analysis.causes.told import act_quotes, said
from navviz.language.said import STRAIGHT, said_sides, sides_of
from navviz.records import EndStatus, Step
from navviz.records.finding import Explanation, Quote, RepairPlan
from navviz.records.trace import UNKNOWN_PLACE
from navviz.systems.causes import (
    ENDS,
    CauseContext,
    Need,
    cause_of,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
    sentence_with,
    target_quotes,
)
from navviz.world.search import UNREACHED

_QUOTED: Final = 300

"""A raw reply may have pages; its head shows what is wrong with it."""


class IllegalReply:
    """The last reply could not be used: it was empty, could not be read, or named no place."""

    id: ClassVar[str] = "illegal-reply"
    name: ClassVar[str] = "No legal move"
    summary: ClassVar[str] = (
        "The run ended with a reply that was empty, could not be parsed or named a place that"
        " cannot be reached; proved by the raw reply."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the reply that ended the run."""
        step = context.step
        if step is None or context.how not in ENDS or len(set(step.path)) > 1:
            return
        call = step.calls[-1] if step.calls else None
        wrong = None if call is None else call.parse_error or call.error
        # usage shows that a model answered; without it the log may just lack the reply
        if call is not None and wrong is None and not (call.reply or "").strip() and call.usage:
            wrong = call.why_unread
        if call is not None and wrong is not None:
            wrong = call.shortfall or wrong
        decision = step.decision
        if wrong is None:
            if decision is None or decision.legal or decision.reason == UNKNOWN_PLACE:
                return
            # a log without the reply, the place or the act that it named proves nothing of a reply
            if call is None and decision.target is None and decision.action is None:
                return
            wrong = decision.reason or "the decision could not be carried out"
            if wrong == UNREACHED:
                wrong = "the place that it names cannot be reached"
        quote = Quote(source="decision", text=wrong, step=step.index)
        if call is not None and call.reply is not None and call.reply.strip():
            span = (0, min(len(call.reply), _QUOTED))
            quote = quote_of("reply", call.reply, span, step=step.index, call=len(step.calls) - 1)
        sentence = f"Step {step.index} had no legal move: {wrong.rstrip('.')}."
        yield cause_of(self, context, sentence, [quote], sub_goal=step.sub_goal)


class StoodStill:
    """The reply named the place where the agent stood, and that ended the run."""

    id: ClassVar[str] = "stood-still"
    name: ClassVar[str] = "Stood still, which ended the walk"
    summary: ClassVar[str] = (
        "The reply named the place where the agent stood while sub-goals were open, and the"
        " navigator ends a run that does not move; proved by the reply and the recorded end."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "replies"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the last step, where it stood still with sub-goals left."""
        step, end = context.step, context.trace.end
        if step is None or context.due is None or context.how not in ENDS or end is None:
            return
        decision = step.decision
        # a limit ends the run by itself, whatever the last reply named
        if decision is None or decision.target != step.node or end.status is EndStatus.LIMIT:
            return
        done = decision.sub_goal_status != "IN_PROGRESS"
        left = len(context.goals) - context.due - done
        if left < 1 or (decision.stop and done):
            return
        to_go = f"{left} sub-goal{'s' if left > 1 else ''} to go"
        sentence = (
            f"In step {step.index} the reply names the place where the agent stands; that ends the"
            f" run with {to_go}."
        )
        quotes = [
            *target_quotes(step, decision.target),
            Quote(source="decision", text=end.reason or "the run ended", step=step.index),
            quote_of_sub_goal(
                step.index if step.plan else None, context.goals, len(context.goals) - left
            ),
        ]
        yield cause_of(self, context, sentence, quotes, sub_goal=context.due)


_TITLE: Final = re.compile(
    r"^[^\w\n]*(?:\w{1,2}[.)]\s*)?\W{0,3}(?P<title>[\w\"“”'-]+(?: [\w\"“”'-]+){1,5})\W{0,3}:",
    re.MULTILINE,
)

_OF_A_RULE: Final = re.compile(
    r"prevent|rule|constraint|validat|visib|condition|require|restrict|polic|principle|priorit|"
    r"limit|safeguard|check|guard|caution|avoid|policy|movement",
    re.IGNORECASE,
)


class RuleNamed:
    """The thoughts name a rule of the prompt where the act was missed."""

    id: ClassVar[str] = "rule-named"
    name: ClassVar[str] = "A rule of the prompt named"
    summary: ClassVar[str] = (
        "The thoughts of the step name a rule that the prompt gives under a title, and a turn was"
        " missed or made elsewhere; proved by both texts."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "thoughts", "prompts"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the rule that the thoughts name."""
        step, act = context.step, context.act.act
        missed = {"skipped", "too late", "too early", "wrong side", "extra turn"}
        if step is None or act is None or context.how not in missed:
            return
        thoughts = context.thoughts
        for number, call in enumerate(step.calls):
            for at, message in enumerate(call.messages):
                for title in _TITLE.finditer(message.text):
                    words = re.findall(r"\w+", title["title"])
                    if len(words) < 2 or not _OF_A_RULE.search(title["title"]):
                        continue
                    named = re.compile(r"\W{1,4}".join(map(re.escape, words)), re.IGNORECASE)
                    span = sentence_with(named, thoughts)
                    quote = None if span is None else thoughts_quote(step, span, thoughts)
                    if quote is None:
                        continue
                    rule = quote_of(
                        "prompt",
                        message.text,
                        title.span("title"),
                        step=step.index,
                        call=number,
                        message=at,
                    )
                    sentence = (
                        f"The thoughts of step {step.index} name a rule of the prompt,"
                        f" “{title['title']}”, where {said(act)} was due."
                    )
                    yield cause_of(self, context, sentence, [quote, rule])
                    return


class AgainstSubGoal:
    """The due sub-goal says the act, and the reply went the other way."""

    id: ClassVar[str] = "against-sub-goal"
    name: ClassVar[str] = "Reply against the sub-goal"
    summary: ClassVar[str] = (
        "The due sub-goal turns to the side of the act and to no other, and the move turned to the"
        " other side; proved by the sub-goal and by the turn on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "streets"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the move against its sub-goal."""
        decisive, act, step, due = context.act, context.act.act, context.step, context.due
        if step is None or act is None or due is None or decisive.node is None:
            return
        if decisive.how != "wrong side" or act.side is None or context.goal_of_act != due:
            return
        line = context.goals[due].description
        if set(sides_of(line)) != {act.side}:
            return
        sentence = (
            f"In step {step.index} sub-goal {due + 1} says “{line}”, but the move turned"
            f" {decisive.walked_side}."
        )
        turned = quote_of_node(
            context.graph, decisive.node, f"turned {decisive.walked_side} here", step.index
        )
        quotes = [quote_of_sub_goal(step.index, context.goals, due), turned]
        yield cause_of(
            self,
            context,
            sentence,
            [*quotes, *target_quotes(step, context.target)],
            sub_goal=due,
            repair=right_link(context),
        )


class AgainstThoughts:
    """The thoughts end with the side of the act, and the reply did not turn there."""

    id: ClassVar[str] = "against-thoughts"
    name: ClassVar[str] = "Reply against the thoughts"
    summary: ClassVar[str] = (
        "The thoughts of the step end with a turn to the side of the act, and its move turned"
        " otherwise or not at all; proved by the thoughts and by the turn on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "thoughts", "streets", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the reply against its thoughts."""
        decisive, act, step = context.act, context.act.act, context.step
        if step is None or act is None or decisive.node is None:
            return
        text = context.thoughts
        own = _own_words(context)
        turns = said_sides(own)
        if decisive.how in {"extra turn", "repeated", "too early"} and not turns:
            yield from self._straight_on(context, step, own)
        if decisive.how not in {"skipped", "wrong side", "too late"} or act.side is None:
            return
        if not turns or turns[-1][0] != act.side:
            return
        start = max(own.rfind(".", 0, turns[-1][1][0]), own.rfind("\n", 0, turns[-1][1][0])) + 1
        end = own.find(".", turns[-1][1][1])
        span = (start, len(text) if end < 0 else end + 1)
        quote = thoughts_quote(step, span, text)
        if quote is None:
            return
        did = f"turned {decisive.walked_side}" if decisive.walked_side else "went straight on"
        sentence = (
            f"The thoughts of step {step.index} end with turning {act.side}, and the move {did}."
        )
        place = quote_of_node(context.graph, decisive.node, f"{did} here", step.index)
        quotes = [quote, place, *target_quotes(step, context.target)]
        yield cause_of(self, context, sentence, [*quotes, *act_quotes(context, act)])

    def _straight_on(self, context: CauseContext, step: Step, own: str) -> Iterator[Explanation]:
        """Yield a turn of who thinks of going straight on, and of no side."""
        span, side = sentence_with(STRAIGHT, own), context.act.walked_side
        quote = None if span is None else thoughts_quote(step, span, context.thoughts)
        if quote is None or side is None or context.act.node is None:
            return
        sentence = f"The thoughts of step {step.index} go straight on, and the move turned {side}."
        place = quote_of_node(context.graph, context.act.node, f"turned {side} here", step.index)
        quotes = [quote, place, *target_quotes(step, context.target)]
        yield cause_of(self, context, sentence, quotes)


_CLAUSE: Final = re.compile(r"[^.\n]+")

_LATER: Final = re.compile(
    r"\b(?:instruct\w*|sub-?goal|if|verify|eventual\w*|later|after (?:that|passing)|"
    r"subsequent\w*|then|(?:since|after) (?:the|my)|latest|previous\w*|not)\b|n['’]t\b|^\W*\*\*",
    re.IGNORECASE,
)

"""In clauses of what is to be done later, was done, or is denied; and in titles."""

_IN_QUOTES: Final = re.compile(r"[\"“][^\"“”\n]*[\"”]|(?<!\w)['‘`][^'’`\n]{3,}['’`](?!\w)")

_WORD: Final = re.compile(r"\w+")

_RUN: Final = 5
"""So many words in a row that stand in the text, the plan or the prompt are taken from there."""


def _own_words(context: CauseContext) -> str:
    """Return the thoughts with blanks for what they quote, marked or not, for titles, and for what
    is to be done later, was done or is denied.
    """
    thoughts, step = context.thoughts, context.step
    spans = [quoted.span() for quoted in _IN_QUOTES.finditer(thoughts)]
    spans += [each.span() for each in _CLAUSE.finditer(thoughts) if _LATER.search(each[0])]
    given = [context.episode.instruction, *(goal.description for goal in context.goals)]
    for call in () if step is None else step.calls:
        given += [message.text for message in call.messages]
    known: set[tuple[str, ...]] = set()
    for text in given:
        known.update(words for words, _ in _runs(text))
    spans += [span for words, span in _runs(thoughts) if words in known]
    for start, end in spans:
        thoughts = thoughts[:start] + " " * (end - start) + thoughts[end:]
    return thoughts


def _runs(text: str) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    """Yield each run of `_RUN` words in lower case, with its characters."""
    words = list(_WORD.finditer(text))
    for k in range(len(words) - _RUN + 1):
        run = words[k : k + _RUN]
        yield tuple(word[0].lower() for word in run), (run[0].start(), run[-1].end())


def right_link(context: CauseContext) -> RepairPlan | None:
    """Return the repair that takes the route's way from the decisive node."""
    place, route, step = context.act.route_place, context.episode.reference_path, context.step
    if place is None or step is None or place + 1 >= len(route):
        return None
    parameters = {"node": route[place], "to": route[place + 1]}
    return RepairPlan(kind="take_link", step=step.index, parameters=parameters)
