"""Explanations in what the agent was told: the instruction, its plan, and the words for a way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from navviz.analysis.causes.texts import name_pattern, node_quote
from navviz.analysis.contradictions import contradictions
from navviz.analysis.crossings import has_light, is_crossing, passed_things
from navviz.analysis.landmarks import bearers_of_name, own_words
from navviz.analysis.street_acts import TURN_DEG
from navviz.analysis.told_route import lengths_along
from navviz.analysis.turns import walked_turns
from navviz.language.plan_map import turn_lines, words_of
from navviz.records.act import Act
from navviz.records.finding import Explanation, Quote, RepairPlan
from navviz.systems.causes import (
    FORKS,
    CauseContext,
    Need,
    cause_of,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
)

NEAR_M: Final = 32.0

"""Two places of a route nearer than this are one junction."""

OTHER: Final = {"left": "right", "right": "left"}


def act_quotes(context: CauseContext, act: Act | None) -> list[Quote]:
    """Quote the words of an act in the instruction."""
    if act is None or act.span is None:
        return []
    return [quote_of("instruction", context.episode.instruction, act.span)]


def said(act: Act) -> str:
    """Say an act by its words."""
    return f"“{' '.join(act.text.replace(' · ', ' ').split())}”"


@dataclass(frozen=True, slots=True)
class Count:
    """The number of lights or intersections from the last turn on at which the instruction turns,
    and those at which route and walk did, each counted narrowly and widely.
    """

    thing: str
    number: int
    route: tuple[int, int]
    walked: tuple[int, int]
    nodes: tuple[str, ...]
    """The things that the walk passed, in order."""

    @property
    def walked_words(self) -> str:
        """The number at which the walk turned."""
        least, most = self.walked
        return f"{least}" if least == most else f"{least} or {most}"


def _takes_for_other(context: CauseContext, act: Act) -> bool:
    """Whether the plan's progress says that it took the act for done, or repeated the last turn:
    who does so does not count towards it.
    """
    goal, due, last = context.goal_of_act, context.due, context.act.last_turn
    if len(context.goals) < 2 or due is None or goal is None:
        return False
    again = last is not None and last.side == act.side and context.plan_map.get(last.number) == due
    return due > goal or (again and due < goal)


_NTH: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|next|following|last|[1-5](?:st|nd|rd|th))\b",
    re.IGNORECASE,
)


def _has_its_number(context: CauseContext, act: Act, count: int) -> bool:
    """Whether the words of a turn say at which light or intersection it is made."""
    # "A second light. Turn right." may mean this light or the one behind it, which proves nothing
    if act.place != "none" or count == 1 or act.span is None:
        return True
    before = context.episode.instruction[: act.span[0]]
    own = re.split(r"[.!?]", before)[-1]
    return _NTH.search(own) is not None


def count_of(context: CauseContext) -> Count | None:
    """Count up to a turn that was made too early or too late; ``None`` where nothing is told."""
    act, decisive = context.act.act, context.act
    if decisive.how not in {"too early", "too late"} or act is None or act.kind != "turn":
        return None
    if act.at is None or decisive.walk_place is None or _takes_for_other(context, act):
        return None
    same = [a for a in decisive.acts if a.group == act.group and a.kind in {"pass", "turn"}]
    same = [a for a in same if a.number <= act.number]
    places = {a.place for a in same if a.place != "none"}
    mixed = len(places) > 1 and "light" in places
    counted = any(a.counted for a in same) and _has_its_number(context, act, len(same))
    if not places or not counted or mixed or context.graph.frame != "geo":
        return None
    is_thing = has_light if places == {"light"} else is_crossing
    route, walk = context.episode.reference_path, context.whole
    route_m, walk_m = lengths_along(route, context.graph), lengths_along(walk, context.graph)
    begin = 0
    if decisive.last_turn is not None and decisive.last_turn.at is not None:
        begin = last = decisive.last_turn.at
        # behind the crossing of the last turn, both halves of it
        while begin + 1 < len(route) and route_m[begin] - route_m[last] < NEAR_M:
            begin += 1
    end = decisive.walk_place
    if decisive.how == "too late":
        later = [t for t in walked_turns(walk, context.graph, TURN_DEG) if t.side == act.side]
        later = [t for t in later if walk_m[t.place] > walk_m[end] + NEAR_M]
        if not later:
            return None
        end = later[0].place
    begins = [k for k, node in enumerate(walk[: end + 1]) if node == route[begin]]
    if not begins or begin > act.at:
        return None
    due = passed_things(context.graph, route[begin : act.at + 1], is_thing)
    made = passed_things(context.graph, walk[begins[-1] : end + 1], is_thing)
    thing = "light" if places == {"light"} else "intersection"
    return Count(thing, len(same), (due.least, due.most), (made.least, made.most), made.nodes)


def count_quotes(context: CauseContext, nodes: Sequence[str], thing: str) -> Iterator[Quote]:
    """Quote places of the map in walking order, with their numbers."""
    for number, node in enumerate(nodes, start=1):
        yield quote_of_node(context.graph, node, f"{thing} {number} on the way")


class Contradicted:
    """The instruction contradicts its own route at this act."""

    id: ClassVar[str] = "instruction-contradicts-route"
    name: ClassVar[str] = "Instruction contradicts its route"
    summary: ClassVar[str] = (
        "The words of the act say another side, another number or another turn than the route and"
        " the map show there, or lack the turn; proved by its words and by the place on the route."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"route", "streets", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield what the words of the act, or their lack, get wrong."""
        decisive, act = context.act, context.act.act
        if decisive.node is None:
            return
        node = decisive.node
        if decisive.how == "unsaid turn" and decisive.route_side is not None:
            place = quote_of_node(
                context.graph, node, f"the route turns {decisive.route_side} here"
            )
            sentence = (
                f"The instruction has no words for the turn {decisive.route_side} that the route"
                " makes here."
            )
            yield cause_of(self, context, sentence, [place])
        elif decisive.how == "told, not on route" and act is not None:
            place = quote_of_node(context.graph, node, "the route goes straight on here")
            sentence = f"The instruction says {said(act)}; the route has no such turn."
            yield cause_of(self, context, sentence, [*act_quotes(context, act), place])
        else:
            yield from self._claims(context)
        count = count_of(context)
        if count is None or act is None:
            return
        before = [a for a in decisive.acts if a.group == act.group and a.number < act.number]
        if any(a.kind == "landmark" for a in before):
            return  # "past the deli; at the next intersection" counts from the deli
        if _within(count.number, count.walked) and not _within(count.number, count.route):
            number = " or ".join(map(str, dict.fromkeys(count.route)))
            sentence = (
                f"The instruction turns {act.side} at {count.thing} {count.number} since the last"
                f" turn, and so did the walk; the route turns at {count.thing} {number}."
            )
            quotes = act_quotes(context, act)
            yield cause_of(
                self,
                context,
                sentence,
                [*quotes, *count_quotes(context, count.nodes, count.thing)],
            )

    def _claims(self, context: CauseContext) -> Iterator[Explanation]:
        decisive, act, text = context.act, context.act.act, context.episode.instruction
        route = context.episode.reference_path
        along_m = lengths_along(route, context.graph)
        for claim in contradictions(context.episode, context.graph):
            start, end = claim.words or (0, 0)
            at = route.index(claim.evidence.node)
            here = decisive.route_place is not None and abs(at - decisive.route_place) <= len(route)
            near = here and abs(along_m[at] - along_m[decisive.route_place or 0]) < NEAR_M
            own = act is not None and act.span is not None and claim.words is not None
            own = own and act.span[0] - 5 <= start <= act.span[1] + 5  # type: ignore[union-attr, index]
            # where one stands at the start says nothing of a later act, nor a place of a turn
            fits = {
                "heading": decisive.how == "set out wrong",
                "landmark": own,
                "turn": (own or near) and decisive.walked_side != claim.shown,
                "missing": near and decisive.how in FORKS,
            }
            if not fits[claim.kind]:
                continue
            shown = f"the route shows {claim.shown} here"
            quotes = [quote_of_node(context.graph, claim.evidence.node, shown)]
            repair = None
            if end > start and claim.kind != "missing":
                quotes.insert(0, quote_of("instruction", text, (start, end)))
            if claim.kind == "turn":
                parameters = {"start": start, "end": end, "word": claim.shown}
                repair = RepairPlan(kind="swap_instruction_word", step=1, parameters=parameters)
            yield cause_of(self, context, claim.sentence, quotes, repair=repair)


def _within(number: int, ends: tuple[int, int]) -> bool:
    return ends[0] <= number <= ends[1]


class WordOfTheWay:
    """The prompt's word for the right way is not the act's, or stands for two ways."""

    id: ClassVar[str] = "label-contradicts"
    name: ClassVar[str] = "The prompt's word for the way"
    summary: ClassVar[str] = (
        "Where the turn was due, the prompt calls the right way by another word than the"
        " instruction, or calls both the right way and the one that was taken by one word; proved"
        " by both entries of the prompt."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield what the prompt calls the right way at the turn."""
        decisive, act, step = context.act, context.act.act, context.step
        if decisive.how not in FORKS or step is None or step.observation is None:
            return
        if act is None or act.side is None or act.at is None or decisive.route_side is None:
            return
        words = {c.node: c.direction for c in step.observation.candidates if c.direction}
        place = act.at if decisive.route_place is None else max(act.at, decisive.route_place)
        right = _first_with(words, context.episode.reference_path[place + 1 :][:3])
        taken = _first_with(words, context.whole[(decisive.walk_place or 0) + 1 :][:3])
        if right is None:
            return
        word, other = words[right] or "", "" if taken is None else words[taken] or ""
        named = [(node, words[node] or "") for node in (right, taken) if node]
        quotes = [quote for each in named if (quote := node_quote(step, *each)) is not None]
        quotes += act_quotes(context, act)
        if not quotes:
            return
        parameters = {"node": context.episode.reference_path[place], "to": right}
        repair = RepairPlan(kind="take_link", step=step.index, parameters=parameters)
        if act.side not in word.lower():
            also = f"; the way taken is called “{other}”" if other else ""
            sentence = (
                f"In step {step.index} the prompt calls the right way “{word}”, and {said(act)}"
                f" asks for {act.side}{also}."
            )
            yield cause_of(self, context, sentence, quotes, repair=repair)
        elif other == word and taken != right and decisive.how in {"two ways", "set out wrong"}:
            sentence = (
                f"The prompt of step {step.index} calls two ways “{word}”: the one of the route,"
                " and the one that was taken."
            )
            yield cause_of(self, context, sentence, quotes, repair=repair)


def _first_with(words: Mapping[str, str | None], nodes: Sequence[str]) -> str | None:
    return next((node for node in nodes if node in words), None)


_SIDE: Final = re.compile(r"(?<![a-z])(left|right)(?![a-z])", re.IGNORECASE)


class PlanWrong:
    """The plan says the act otherwise than the instruction, or leaves it out."""

    id: ClassVar[str] = "plan-wrong"
    name: ClassVar[str] = "Plan lost or changed the act"
    summary: ClassVar[str] = (
        "No sub-goal near the act's own has its side, or the plan tells the same turns and this one"
        " to the other side; proved by both texts."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield what the plan lost of the act."""
        act, goals, number = context.act.act, context.goals, context.goal_of_act
        # of several tasks each has a plan of its own, while the instruction names them all
        if act is None or number is None or len(goals) < 2 or context.episode.tasks:
            return
        near = range(max(0, number - 1), min(len(goals), number + 2))
        spoken = set().union(*(words_of(goals[k].description) for k in near))
        line = goals[number].description
        _, planned = turn_lines(context.act.acts, [goal.description for goal in goals]).get(
            act.number, (number, act.side)
        )
        if act.side is not None and (act.side not in spoken or planned != act.side):
            repair, how = None, "No sub-goal near it has the side of"
            if OTHER[act.side] in words_of(line):
                how = f"The plan turns {OTHER[act.side]} for"
                new = _SIDE.sub(lambda word: _like(word[0], act.side or ""), line)
                parameters = {"sub_goal": number, "line": new}
                repair = RepairPlan(kind="replace_plan_line", step=1, parameters=parameters)
            sentence = f"{how} {said(act)} (sub-goal {number + 1}: “{line}”)."
            quotes = [quote_of_sub_goal(None, goals, number), *act_quotes(context, act)]
            yield cause_of(self, context, sentence, quotes, sub_goal=number, repair=repair)


class PlanLostLandmark:
    """No line of the plan has the landmark that the text ties to the act."""

    id: ClassVar[str] = "plan-lost-landmark"
    name: ClassVar[str] = "Plan lost the landmark of the act"
    summary: ClassVar[str] = (
        "No line of the plan has the landmark that the instruction ties to the act and that stands"
        " there; proved by both texts and the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "route", "places"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the landmark that the plan lost."""
        act, number = context.act.act, context.goal_of_act
        if act is None or number is None or len(context.goals) < 2 or context.episode.tasks:
            return
        if context.due is not None and context.due < number and act.kind == "stop":
            return  # who never came to the plan's last line did not miss what it lacks
        route, goals = context.episode.reference_path, context.goals
        at = [] if act.at is None else [route[act.at]]
        whole = frozenset().union(*(words_of(goal.description) for goal in goals))
        for name in act.landmarks:
            own = {word.removesuffix("'s").removesuffix("s") for word in own_words(name)}
            kept = {word.removesuffix("s") for word in whole}
            pattern = name_pattern(name)
            match = None if pattern is None else pattern.search(context.episode.instruction)
            bearers = bearers_of_name(name, context.graph, at) if own and at else []
            if match is None or own & kept or not bearers:
                continue
            poi = context.graph.pois[bearers[0]]
            line = f"{goals[number].description.rstrip('.')}, at {match[0]}."
            parameters = {"sub_goal": number, "line": line}
            yield cause_of(
                self,
                context,
                f"The plan leaves out “{match[0]}” of {said(act)}, which stands there.",
                [
                    quote_of("instruction", context.episode.instruction, match.span()),
                    Quote(source="map", text=poi.name, poi=poi.id, position=poi.position),
                    quote_of_sub_goal(None, goals, number),
                ],
                sub_goal=number,
                repair=RepairPlan(kind="replace_plan_line", step=1, parameters=parameters),
            )
            return


def _like(word: str, side: str) -> str:
    return side.upper() if word.isupper() else side
