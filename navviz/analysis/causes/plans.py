"""Causes in the plan: turns that it lost, added or swapped, and landmarks that it left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final

from navviz.analysis.causes.counts import GoalStretch, stretches
from navviz.analysis.causes.landmarks import named_span, nearest_m
from navviz.analysis.causes.stops import words_quote
from navviz.analysis.causes.ways import decisive_departure
from navviz.analysis.landmarks import bearers_of_name, own_words
from navviz.analysis.turns import Side, instruction_turns, spoken_sides, walked_turns
from navviz.language.mentions import landmark_names
from navviz.records import SubGoal
from navviz.records.finding import Explanation, Grade, Quote, RepairPlan
from navviz.systems.causes import (
    CauseContext,
    Need,
    Precision,
    cause_of,
    quote_of,
    quote_of_sub_goal,
)

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

    def find(self, context: CauseContext) -> Iterator[Explanation]:
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
    ) -> Iterator[Explanation]:
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


_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")

_ACTION: Final = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b|\b[A-Z]{3,}\b")

"""``TURN_LEFT``, ``STOP``: words of a plan that its reader would take for names."""

_SENTENCE: Final = re.compile(r"[^.!?]+[.!?]*\s*")

_BEYOND: Final = re.compile(
    r"\btoo far\b|\bmissed\b|\bgone past\b|\bpassed (?:it|your)\b", re.IGNORECASE
)

"""A sentence about what stands beyond the goal; it helps only who might walk on."""

_AT_THE_GOAL: Final = frozenset({"undershoot", "overshoot"})

"""Departures at the end of the route: the goal decides, and no fork."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A landmark's name in a text."""

    text: str
    words: frozenset[str]
    """Its own words, without those for kinds of places."""
    poi: str
    """The place of the map that bears it."""


class PlanLandmarks:
    """The plan left out, made up or moved a landmark that stands where the walk went wrong."""

    id: ClassVar[str] = "plan-landmarks"
    name: ClassVar[str] = "Plan lost, added or moved a landmark"
    summary: ClassVar[str] = (
        "A landmark that stands where the walk went wrong is in the instruction and in no line of"
        " the plan, or in the plan alone, or in another order there; proved by both texts and the"
        " map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "route", "places"})
    precision: ClassVar[Precision] = Precision(read=30, right=22, mended=6, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield what the plan lost there, else what it added, else what it moved."""
        near = _where_it_went_wrong(context)
        plan = context.trace.sub_goals
        # of several tasks each has a plan of its own, while the instruction names them all
        if not near or not plan or context.episode.tasks:
            return
        text = context.episode.instruction
        lines = " ".join(goal.description for goal in plan)
        named = _on_map(context, _names(context), near)
        planned = _on_map(context, landmark_names(_ACTION.sub(" ", lines)), near)
        # one own word in common makes it the same landmark
        lost = [name for name in named if not name.words & _words(lines)]
        lost = [name for name in lost if _counts(context, name) and _is_ahead(context, name)]
        # the goal's landmark is missed by nobody who never came to the plan's last line
        if context.divergence.kind in _AT_THE_GOAL and not _came_to(context, len(plan) - 1):
            lost = []
        added = [name for name in planned if not name.words & _words(text)]
        moved = _moved(text, plan, named)
        if lost:
            yield self._lost(context, plan, lost[0])
        elif added:
            yield self._added(context, plan, added[0])
        elif moved is not None:
            yield self._moved(context, plan, *moved)

    def _lost(self, context: CauseContext, plan: Sequence[SubGoal], name: _Name) -> Explanation:
        text = context.episode.instruction
        repair = None
        if context.divergence.kind in _AT_THE_GOAL:
            # what is said of the goal belongs to the last line, so that its repair is plain
            words = _sentence_of(text, name).strip().rstrip(".")
            line = f"{plan[-1].description.rstrip('.')}. {words}."
            parameters = {"sub_goal": len(plan) - 1, "line": line}
            repair = RepairPlan(kind="replace_plan_line", step=1, parameters=parameters)
        where = "where the route ends" if repair is not None else "where the route was left"
        sentence = f"The plan leaves out {name.text}, which stands {where}."
        return self._cause(context, sentence, [_in_text(text, name)], name, repair=repair)

    def _added(self, context: CauseContext, plan: Sequence[SubGoal], name: _Name) -> Explanation:
        number = _line_of(plan, name)
        sentence = f"Sub-goal {number + 1} names {name.text}, which the instruction does not."
        quotes = [quote_of_sub_goal(None, plan, number)]
        return self._cause(context, sentence, quotes, name, sub_goal=number)

    def _moved(
        self, context: CauseContext, plan: Sequence[SubGoal], first: _Name, second: _Name
    ) -> Explanation:
        text = context.episode.instruction
        number = _line_of(plan, first)
        sentence = (
            f"The plan comes to {second.text} before {first.text}; the instruction names them the"
            " other way round."
        )
        quotes = [_in_text(text, first), _in_text(text, second)]
        quotes += [quote_of_sub_goal(None, plan, _line_of(plan, name)) for name in (second, first)]
        return self._cause(context, sentence, quotes, first, sub_goal=number)

    def _cause(
        self,
        context: CauseContext,
        sentence: str,
        quotes: list[Quote],
        name: _Name,
        *,
        sub_goal: int | None = None,
        repair: RepairPlan | None = None,
    ) -> Explanation:
        poi = context.graph.pois[name.poi]
        last = context.step(context.departure or 0)
        due = sub_goal
        if due is None and last is not None:
            due = last.sub_goal
        place = Quote(source="map", text=poi.name, poi=poi.id, position=poi.position)
        return cause_of(
            self,
            sentence=sentence,
            step=_begun(context, due),
            sub_goal=sub_goal,
            quotes=(*quotes, place),
            repair=repair,
        )


def _where_it_went_wrong(context: CauseContext) -> list[str]:
    """Return the node that decided the end: the fork, or the goal where the walk missed it."""
    if context.departure is None:
        return []
    route = context.episode.reference_path
    if context.divergence.kind in _AT_THE_GOAL:
        return [context.episode.goal or route[-1]]
    departure = decisive_departure(context)
    return [] if departure is None else [departure.node]


def _begun(context: CauseContext, number: int | None) -> int:
    """Return the step in which a line of the plan became due: before it, the line did no harm.

    Where the steps do not say what was due, the plan counts from its beginning.
    """
    for step in context.trace.steps:
        if number is not None and step.sub_goal == number:
            return min(step.index, context.departure or step.index)
    return 1


def _came_to(context: CauseContext, number: int) -> bool:
    """Whether a line of the plan became due; true where nobody logged what was."""
    due = [step.sub_goal for step in context.trace.steps if step.sub_goal is not None]
    if due:
        return max(due) >= number
    gave_up = context.divergence.gave_up
    return gave_up is None or gave_up >= number


def _is_ahead(context: CauseContext, name: _Name) -> bool:
    """Whether a landmark still tells something where the route was left.

    One that stands nearer to an earlier turn belongs to that turn, which was made.
    """
    departure = decisive_departure(context)
    if context.divergence.kind in _AT_THE_GOAL or departure is None:
        return True
    fork_m = nearest_m(context, name.poi, [departure.node])
    for turn in walked_turns(context.episode.reference_path, context.graph):
        is_made = turn.place < departure.place
        if is_made and nearest_m(context, name.poi, [turn.node]) < fork_m:
            return False
    return True


def _names(context: CauseContext) -> tuple[str, ...]:
    """Return the names of an instruction; of two that hold one another the longer one."""
    marks = context.trace.landmarks or context.episode.landmarks
    text = context.episode.instruction
    every = dict.fromkeys([*(mark.name for mark in marks), *landmark_names(text)])
    kept = []
    for name in every:
        longer = [other for other in every if other != name and name.lower() in other.lower()]
        if not longer and name.lower() in text.lower():
            kept.append(name)
    return tuple(kept)


def _on_map(context: CauseContext, names: Iterable[str], near: Sequence[str]) -> list[_Name]:
    """Return the names that a place within 60 m of some nodes bears."""
    borne = []
    for name in names:
        words = frozenset(_words(" ".join(own_words(name))))
        bearers = bearers_of_name(name, context.graph, near) if words else []
        if bearers:
            borne.append(_Name(name, words, bearers[0]))
    return borne


def _words(text: str) -> frozenset[str]:
    """Return the words of a text, without the endings that two spellings of a name differ in."""
    # the two texts may write the apostrophe differently
    words = _WORD.findall(text.lower().replace("’", "'"))
    return frozenset(word.removesuffix("'s").removesuffix("s") for word in words)


def _counts(context: CauseContext, name: _Name) -> bool:
    """Whether the loss of a landmark can have led astray where the walk went wrong."""
    text = context.episode.instruction
    if context.divergence.kind not in _AT_THE_GOAL:
        # what comes after the last turn tells where to stop, and decides no fork
        turns = instruction_turns(text)
        last = words_quote(text, turns[-1][1]) if turns else None
        return last is None or text.lower().find(name.text.lower()) < (last.end or 0)
    beyond = _BEYOND.search(_sentence_of(text, name)) is not None
    return not beyond or context.divergence.kind == "overshoot"


def _sentence_of(text: str, name: _Name) -> str:
    at = text.lower().find(name.text.lower())
    for sentence in _SENTENCE.finditer(text):
        if sentence.start() <= at < sentence.end():
            return sentence[0]
    return text


def _in_text(text: str, name: _Name) -> Quote:
    at = text.lower().find(name.text.lower())
    return quote_of("instruction", text, (at, at + len(name.text)))


def _line_of(plan: Sequence[SubGoal], name: _Name) -> int:
    """Return the first line of a plan that has all own words of a name; the last one without."""
    for number, goal in enumerate(plan):
        if name.words <= _words(goal.description):
            return number
    return len(plan) - 1


def _moved(
    text: str, plan: Sequence[SubGoal], names: Sequence[_Name]
) -> tuple[_Name, _Name] | None:
    """Return two names whose order differs between text and plan.

    Within one sentence or one line the order says nothing: "stop at the bank, just after the
    church".
    """
    lines = [_words(goal.description) for goal in plan]
    # what several lines name has no place in their order
    once = [name for name in names if _times(name, lines) == 1]
    once.sort(key=lambda name: text.lower().find(name.text.lower()))
    for first, second in pairwise(once):
        apart = _sentence_of(text, first) != _sentence_of(text, second)
        if apart and _line_of(plan, second) < _line_of(plan, first):
            return first, second
    return None


def _times(name: _Name, lines: Iterable[frozenset[str]]) -> int:
    return sum(name.words <= line for line in lines)


_UNSEEN: Final = re.compile(
    r"\b(?:roads? merges?|merg(?:es?|ing)|bends?\b|curves?\b|veers?\b|bridges?|overpass(?:es)?"
    r"|tunnels?|underpass(?:es)?|buildings?|awnings?|murals?|scaffolding|hill|uphill|downhill|water|river"
    r"|walls?|fences?|gates?|trees?|statues?|mail ?(?:drop )?box(?:es)?|crosswalks?|medians?"
    r"|one[- ]way|cobblestones?|construction|flags?|steps? (?:up|down)|stop signs?)\b",
    re.IGNORECASE,
)

"""Words for what neither the links nor the tagged places of a street map say."""

_TRIES: Final = 3

"""One try more than the longest stretch that a count or a far landmark needs on the right way."""


class ConditionUnseen:
    """The sub-goal ends at something that the observation has no word for."""

    id: ClassVar[str] = "condition-unseen"
    name: ClassVar[str] = "Condition cannot be seen"
    summary: ClassVar[str] = (
        "A sub-goal that waits for something which the observation has no word for stayed in"
        " progress for three steps or more, and the route was left; proved by its words, the"
        " prompts searched and the tries."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "prompts"})
    precision: ClassVar[Precision] = Precision(read=2, right=1, mended=1, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield a cause for each sub-goal that waited in vain where the route was left."""
        for stretch in stretches(context):
            if len(stretch.steps) < _TRIES or context.departure is None:
                continue
            first, last = stretch.first.index, stretch.last.index
            match = _UNSEEN.search(stretch.text)
            # a wait that ended before the route was left did no harm
            if match is None or not first <= context.departure <= last:
                continue
            start, end = _whole_name(context, stretch.text, match)
            own = stretch.text[start : match.start()] + stretch.text[match.end() : end]
            # a place with a name of its own can be shown by it: "Jensen Lewis building"
            if own_words(own):
                continue
            if not _in_observation(stretch, match[0], context.departure):
                yield self._cause(context, stretch, match)

    def _cause(
        self, context: CauseContext, stretch: GoalStretch, match: re.Match[str]
    ) -> Explanation:
        step = stretch.first
        start, end = span = _whole_name(context, stretch.text, match)
        goal = quote_of_sub_goal(step.index, context.plan_at(step), stretch.sub_goal, span)
        tries = Quote(
            source="decision",
            text=f"due from step {step.index} to {stretch.last.index}",
            step=stretch.last.index,
        )
        return cause_of(
            self,
            sentence=(
                f"Sub-goal {stretch.sub_goal + 1} waits for “{stretch.text[start:end]}”, which"
                " nothing that the agent is shown can say; it was due for"
                f" {len(stretch.steps)} steps."
            ),
            step=step.index,
            sub_goal=stretch.sub_goal,
            quotes=(goal, tries),
        )


def _whole_name(context: CauseContext, text: str, match: re.Match[str]) -> tuple[int, int]:
    """Return the span of the landmark that a word belongs to, else of the word."""
    for place in context.landmarks:
        span = named_span(place.name, text)
        if span is not None and span[0] <= match.start() and match.end() <= span[1]:
            return span
    return match.span()


def _in_observation(stretch: GoalStretch, word: str, until: int) -> bool:
    """Whether the agent was shown, up to a step, a place whose name holds a word."""
    for step in stretch.steps:
        # what was shown only after the route was left could not be used
        if step.observation is None or step.index > until:
            continue
        for poi in step.observation.pois:
            if word.casefold() in poi.name.casefold():
                return True
    return False
