"""Causes in the plan's progress: sub-goals closed too early, and moves that go against them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from navviz.analysis.causes.counts import (
    LIGHT,
    GoalStretch,
    counted_thing,
    led_astray,
    stretches,
    way_through,
)
from navviz.analysis.causes.landmarks import has_own_name, named_span, nearest_m
from navviz.analysis.crossings import has_light, is_crossing, passed_things
from navviz.analysis.landmarks import bearers_of_name
from navviz.analysis.turns import WalkedTurn, possible_sides, spoken_sides, walked_turns
from navviz.records import Step
from navviz.records.base import plural
from navviz.records.finding import Explanation, Grade, Quote, RepairPlan
from navviz.systems.causes import (
    CauseContext,
    Need,
    Precision,
    cause_of,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
    sentence_with,
)
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

TO_A_LIGHT: Final = re.compile(
    r"\b(?:to|until|reach(?:ing)?|at|through|past|towards?)\s++(?:you (?:reach|get to)\s++)?"
    r"(?:the|a|another|one|1)?\s*+(?:(?:first|1st|next|following|immediate|traffic|stop)\s*+){0,9}"
    r"(?P<thing>(?:stop ?|traffic ?)?lights?\b|traffic signals?\b|(?:t-)?intersections?\b)",
    re.IGNORECASE,
)

_STRAIGHT: Final = re.compile(
    r"\b(?:go|goes|continue|walk|head|move|proceed|pass|keep)\w*\b[^.]{0,300}"
    r"\b(?:straight|forward|through|past)\b|\bstraight\b",
    re.IGNORECASE,
)

_END_OF_ROAD: Final = re.compile(
    r"\bt[- ]intersection\b|\bend of the (?:road|street)\b|\b(?:road|street) ends\b|\bdead end\b"
    r"|\bcan(?:'t| ?not) go (?:any )?(?:further|straight)",
    re.IGNORECASE,
)

_BEFORE: Final = re.compile(r"\b(?:before|stop|half|1/2|almost|towards)\b", re.IGNORECASE)

"""Such a sub-goal ends ahead of its light."""

_FAR_M: Final = 60.0

"""As far as a landmark of the route may stand from it."""

_STRAIGHT_DEG: Final = 30.0

"""A link that bends by no more leads straight on."""


class ClosedEarly:
    """A sub-goal was marked as completed before its light or intersection was reached."""

    id: ClassVar[str] = "sub-goal-closed-early"
    name: ClassVar[str] = "Sub-goal closed too early"
    summary: ClassVar[str] = (
        "A sub-goal was marked as completed although the walk had not come to its light or"
        " intersection; proved by the status and by the way walked on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "replies", "streets"})
    precision: ClassVar[Precision] = Precision(read=14, right=10, mended=4, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield a cause for each sub-goal that was closed on a way without what it asks for."""
        rows = stretches(context)
        for number, stretch in enumerate(rows):
            waits = _BEFORE.search(stretch.text) is not None
            if not stretch.closed or waits or not led_astray(context, stretch):
                continue
            before = rows[number - 1] if number else None
            after = rows[number + 1] if number + 1 < len(rows) else None
            if after is not None and _made_up(context, stretch, after):
                continue
            cause = (
                self._without_thing(context, stretch, before)
                or self._not_at_the_end(context, stretch, before)
                or self._without_landmark(context, stretch)
            )
            if cause is not None:
                yield cause

    def _without_thing(
        self, context: CauseContext, stretch: GoalStretch, before: GoalStretch | None
    ) -> Explanation | None:
        """Return a cause where the way has no light, or no intersection, though one is due."""
        counted = counted_thing(stretch.text)
        wanted = TO_A_LIGHT.search(stretch.text.replace("_", " "))
        # more than one of a thing is a matter of `CountLost`
        if wanted is None or (counted is not None and counted.number > 1):
            return None
        # a map without places has no lights, so that its junctions stand for them
        light = LIGHT.search(wanted["thing"]) is not None and bool(context.graph.pois)
        path = stretch.path
        if before is not None and not _takes_a_crossing(before.text.replace("_", " ")):
            path = (*before.path, *path)  # it may have been passed while nobody asked for it
        is_thing = has_light if light else is_crossing
        if passed_things(context.graph, path, is_thing).most > 0:
            return None
        if not _lies_ahead(context, stretch.path[-1], is_thing):
            return None
        thing = "traffic light" if light else "intersection"
        links = plural(max(0, len(stretch.path) - 1), "link")
        why = f"after {links} on which the map has no {thing}"
        if light and (named := _light_in_prompt(stretch)):
            why += f", though the prompt names one at {named}"
        here = f"closed here; no {thing} lies on the way"
        return self._cause(context, stretch, wanted.span("thing"), why, here)

    def _not_at_the_end(
        self, context: CauseContext, stretch: GoalStretch, before: GoalStretch | None
    ) -> Explanation | None:
        """Return a cause where the road does not end, though its end or a T is due."""
        wanted = _END_OF_ROAD.search(stretch.text)
        # a turn at its first node shows only with the way by which the agent came there
        earlier = () if before is None else before.path[:-1]
        way = (*earlier, *stretch.path)
        at = len(way) - 1
        turns = [turn for turn in walked_turns(way, context.graph) if turn.place >= len(earlier)]
        # the T is where the turn was made, not where the sub-goal was closed
        if turns:
            at = turns[-1].place
        if wanted is None or at < 1 or not _leads_straight_on(context.graph, way, at):
            return None
        node = way[at]
        # the street of a walk that ends between two junctions goes on, of course
        place = "junction" if context.graph.degree(node) > 2 else "place"
        why = f"at a {place} where the street goes straight on ({node})"
        here = "the street goes straight on here"
        return self._cause(context, stretch, wanted.span(), why, here, node)

    def _without_landmark(self, context: CauseContext, stretch: GoalStretch) -> Explanation | None:
        """Return a cause where a named landmark was neither shown nor near."""
        for place in context.landmarks:
            span = named_span(place.name, stretch.text)
            if span is None or place.poi is None or not has_own_name(place):
                continue
            away_m = nearest_m(context, place.poi, stretch.path)
            # who was shown it may have closed the sub-goal for that
            if away_m <= _FAR_M or _shown_in(stretch, place.name):
                continue
            # another place of that name was near, and may be the one that was meant
            if bearers_of_name(place.name, context.graph, stretch.path):
                continue
            why = (
                f"without {place.name} in a prompt or within {_FAR_M:.0f} m of its way; the one at"
                f" the route is {away_m:.0f} m away"
            )
            here = f"closed here, {away_m:.0f} m from {place.name}"
            return self._cause(context, stretch, span, why, here)
        return None

    def _cause(
        self,
        context: CauseContext,
        stretch: GoalStretch,
        span: tuple[int, int],
        why: str,
        here: str,
        node: str | None = None,
    ) -> Explanation:
        step, node = stretch.last, node or stretch.path[-1]
        goal = quote_of_sub_goal(step.index, context.plan_at(step), stretch.sub_goal, span)
        place = quote_of_node(context.graph, node, here, step.index)
        number = stretch.sub_goal
        return cause_of(
            self,
            sentence=f"Sub-goal {number + 1} (“{stretch.text}”) was marked as completed {why}.",
            step=step.index,
            sub_goal=number,
            quotes=(goal, closing_quote(step), place),
            repair=RepairPlan(
                kind="reopen_sub_goal", step=step.index, parameters={"sub_goal": number}
            ),
        )


def _made_up(context: CauseContext, stretch: GoalStretch, after: GoalStretch) -> bool:
    """Whether a walk that stopped too early first went through what a sub-goal was closed without.

    It lost nothing by that: the next sub-goal, which asks for no such thing, came by it.
    """
    if context.divergence.kind != "undershoot" or _takes_a_crossing(after.text.replace("_", " ")):
        return False
    wanted = TO_A_LIGHT.search(stretch.text.replace("_", " "))
    if wanted is None or possible_sides(stretch.text.replace("_", " ")):
        return False
    light = LIGHT.search(wanted["thing"]) is not None and bool(context.graph.pois)
    passed = passed_things(context.graph, after.path[:-1], has_light if light else is_crossing)
    return bool(passed.nodes)


def _light_in_prompt(stretch: GoalStretch) -> str | None:
    """Return the node of a way without a light at which a prompt all the same names one.

    The published links of places give a light to every corner that it can be seen from.
    """
    for step in stretch.steps:
        for poi in () if step.observation is None else step.observation.pois:
            if poi.node in stretch.path and LIGHT.search(poi.name):
                return poi.node
    return None


def _takes_a_crossing(text: str) -> bool:
    """Whether a sub-goal has a light, an intersection or a turn of its own."""
    return TO_A_LIGHT.search(text) is not None or bool(possible_sides(text))


def _lies_ahead(context: CauseContext, node: str, is_thing: Callable[[Graph, str], bool]) -> bool:
    """Whether the route has such a thing further on; a map that lacks it proves nothing."""
    route = context.episode.reference_path
    # off the route nobody knows how much of it is behind, so that all of it counts
    ahead = route[route.index(node) + 1 :] if node in route else route
    return any(place in context.graph and is_thing(context.graph, place) for place in ahead)


def _leads_straight_on(graph: Graph, path: Sequence[str], at: int) -> bool:
    """Whether a link leads straight on from a node of a path."""
    before, node = path[at - 1], path[at]
    if before not in graph or node not in graph:
        return False
    arrival_deg = graph.heading_deg(before, node)
    for neighbour in graph.neighbours(node):
        bend = abs(turn_deg(arrival_deg, graph.heading_deg(node, neighbour)))
        if neighbour != before and bend <= _STRAIGHT_DEG:
            return True
    return False


def _shown_in(stretch: GoalStretch, name: str) -> bool:
    """Whether a landmark was shown while a sub-goal was due, or nobody logged it."""
    for step in stretch.steps:
        if step.observation is None:
            return True
        for poi in step.observation.pois:
            if poi.name.casefold() == name.casefold():
                return True
    return False


def closing_quote(step: Step) -> Quote:
    """Quote the word of the reply that closed a sub-goal."""
    for number, call in enumerate(step.calls):
        match = re.search(r"COMPLETED", call.reply or "")
        if match is not None and call.reply is not None:
            return quote_of("reply", call.reply, match.span(), step=step.index, call=number)
    return Quote(source="decision", text="COMPLETED", step=step.index)


class AgainstSubGoal:
    """The move goes against the sub-goal: it turns where straight on or the other side is due."""

    id: ClassVar[str] = "against-sub-goal"
    name: ClassVar[str] = "Reply against the sub-goal"
    summary: ClassVar[str] = (
        "The due sub-goal goes straight on or to one side, and the move turned otherwise at a"
        " junction where the due way existed; proved by the sub-goal and by the turn on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "replies", "streets"})
    precision: ClassVar[Precision] = Precision(read=2, right=2, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield a cause for each step whose move and sub-goal differ."""
        before: tuple[str, ...] = ()
        for stretch in stretches(context):
            allowed = _allowed(stretch.text)
            for step in stretch.steps:
                # the nodes before show from where the step's first node was entered
                way = (*before[-12:], *step.path)
                before = (*before, *step.path)
                if allowed is None or len(step.path) < 2:
                    continue
                for turn in walked_turns(way, context.graph):
                    # a turn at the last node is made by the next step
                    own = turn.node in step.path[:-1]
                    if own and turn.side not in allowed and could_obey(context, way, turn):
                        yield self._cause(context, step, stretch, turn)
                        break

    def _cause(
        self, context: CauseContext, step: Step, stretch: GoalStretch, turn: WalkedTurn
    ) -> Explanation:
        sentence = (
            f"In step {step.index} sub-goal {stretch.sub_goal + 1} says “{stretch.text}”, but the"
            f" move turned {turn.side}."
        )
        place = quote_of_node(
            context.graph,
            turn.node,
            f"turned {turn.side} by {abs(turn.angle_deg):.0f}° here",
            step.index,
        )
        goal = quote_of_sub_goal(step.index, context.plan_at(step), stretch.sub_goal)
        quotes = (goal, place, *_target_quote(step), *_turn_in_thoughts(step, turn.side))
        return cause_of(
            self,
            sentence=sentence,
            step=step.index,
            sub_goal=stretch.sub_goal,
            quotes=quotes,
        )


def _allowed(text: str) -> frozenset[str] | None:
    """Return the sides to which a sub-goal lets one turn; ``None`` where it says nothing clear."""
    plain = text.replace("_", " ")
    sides = frozenset(spoken_sides(plain))
    if sides:
        return sides
    # a side without a verb may be a turn all the same
    if possible_sides(plain) or not _STRAIGHT.search(plain):
        return None
    return frozenset()


def could_obey(context: CauseContext, way: tuple[str, ...], turn: WalkedTurn) -> bool:
    """Whether the turn's junction has a way straight on, so that the street did not just bend."""
    nodes = list(dict.fromkeys(way))
    if turn.node not in nodes or nodes.index(turn.node) == 0:
        return False
    return _leads_straight_on(context.graph, nodes, nodes.index(turn.node))


def _target_quote(step: Step) -> Iterator[Quote]:
    """Quote the place that the reply names."""
    target = step.decision.target if step.decision is not None else None
    for number, call in enumerate(step.calls):
        at = (call.reply or "").find(target) if target else -1
        if at >= 0 and call.reply is not None and target is not None:
            span = (at, at + len(target))
            yield quote_of("reply", call.reply, span, step=step.index, call=number)
            return


def _turn_in_thoughts(step: Step, side: str) -> Iterator[Quote]:
    for number, call in enumerate(step.calls):
        span = sentence_with(
            re.compile(rf"\b{re.escape(side)}\b", re.IGNORECASE), call.thoughts or ""
        )
        if span is not None and call.thoughts is not None:
            yield quote_of("thoughts", call.thoughts, span, step=step.index, call=number)
            return


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

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield a cause for each sub-goal that was closed too late where the route was left."""
        rows = stretches(context)
        for number, stretch in enumerate(rows):
            if not led_astray(context, stretch):
                continue
            yield from self._turned_twice(context, stretch)
            if number + 1 < len(rows):
                yield from self._used_up(context, stretch, rows[number + 1])

    def _turned_twice(self, context: CauseContext, stretch: GoalStretch) -> Iterator[Explanation]:
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
    ) -> Explanation:
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
    ) -> Iterator[Explanation]:
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
