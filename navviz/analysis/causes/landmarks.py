"""Causes in landmarks: never shown, not on the map, said to be missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

import numpy as np

from navviz.analysis.causes.counts import GoalStretch, led_astray, stretches
from navviz.analysis.causes.stops import target_quotes
from navviz.analysis.causes.ways import decisive_departure
from navviz.analysis.landmarks import fate_of_landmarks
from navviz.analysis.turns import walked_turns
from navviz.records import Landmark, SeenPoi, Step
from navviz.records.finding import Explanation, Grade, Quote, RepairPlan
from navviz.systems.causes import (
    CauseContext,
    LandmarkPlace,
    Need,
    Precision,
    cause_of,
    due_sub_goal,
    quote_of,
    quote_of_node,
    quote_of_sub_goal,
)
from navviz.world.graph import Poi

_PASSED_M: Final = 60.0

"""As near as a landmark of the route may stand (`navviz.analysis.landmarks.NEAR_M`): who came no
nearer could not be shown it, which is no cause but what follows from another.
"""

_COMMON: Final = re.compile(
    r"\b(?:lights?|signals?|intersections?|stoplights?|corners?|blocks?|streets?|buildings?)\b",
    re.IGNORECASE,
)

"""What every street has; counts and closed sub-goals tell more of it than a name never shown."""

_PASSING: Final = re.compile(r"\b(?:pass(?:es|ing)?|past)\b", re.IGNORECASE)

"""A place on the way marks no end; who does not see it may go on."""

_MISSING: Final = re.compile(
    r"(?:n't|\bnot)\s+(?:yet\s+|currently\s+|immediately\s+|explicitly\s+)*"
    r"(?:in|visible|shown|listed|present|seen|apparent|found|available|on|within|mentioned)\b"
    r"|\bmissing\b|\babsen(?:ce|t)\b|\black(?:s|ing)?\b|\bno sign of\b|\bnowhere\b|\bunseen\b"
    r"|\b(?:haven't|cannot|can't|don't|didn't|not) (?:yet )?"
    r"(?:seen?|find|locate|confirm|identify)\b",
    re.IGNORECASE,
)

_CLAUSE: Final = re.compile(r"(?:[^.!?;,\n]|[.,](?=\w))+[.!?;,]?")

_NEAR_CHARACTERS: Final = 45

"""How far the name may stand from the words that say it is missing, within one clause."""


def nearest_m(context: CauseContext, poi: str, nodes: Iterable[str]) -> float:
    """Return how near some nodes come to a place, in metres; infinite where the map has none."""
    graph = context.graph
    rows = [graph.index[node] for node in nodes if node in graph]
    if not rows:
        return float("inf")
    position = np.array([graph.pois[poi].position], dtype=float)
    at = graph.to_metric(position) if graph.frame == "geo" else position
    return float(np.linalg.norm(graph.metric_positions[rows] - at, axis=1).min())


def named_span(name: str, text: str) -> tuple[int, int] | None:
    """Return where a text names a landmark, without its article; ``None`` where it does not."""
    words = re.sub(r"^(?:the|a|an)\s+", "", name.strip(), flags=re.IGNORECASE)
    if not words:
        return None
    # not `\b`, which finds no edge beside a name that ends with a sign
    match = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)
    return None if match is None else match.span()


def has_own_name(place: LandmarkPlace) -> bool:
    """Whether a landmark is more than a light, a corner or a building."""
    return not place.of_the_street and not _COMMON.search(place.name)


class LandmarkNeverShown:
    """The landmark of a sub-goal stands on the map, was walked by, and was never shown."""

    id: ClassVar[str] = "landmark-never-shown"
    name: ClassVar[str] = "Landmark never shown"
    summary: ClassVar[str] = (
        "The walk came within 60 m of a landmark of the due sub-goal, and no prompt so far had"
        " shown it; proved by its place on the map, the instruction and the prompts searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "places", "prompts"})
    precision: ClassVar[Precision] = Precision(read=4, right=3, mended=1, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield a cause for each landmark that was due, near and never shown."""
        for stretch in stretches(context):
            # without a log nobody can say that it was never shown
            if not all(step.observation is not None for step in stretch.steps) or not led_astray(
                context, stretch
            ):
                continue
            for place in context.landmarks:
                span = named_span(place.name, stretch.text)
                if span is None or place.poi is None or not has_own_name(place):
                    continue
                step = self._walked_by(context, stretch, place.poi)
                if step is not None and not self._shown(place, stretch):
                    yield self._cause(context, stretch, place, step, span)

    def _shown(self, place: LandmarkPlace, stretch: GoalStretch) -> bool:
        # what is shown later comes too late for this sub-goal
        return place.shown_in is not None and place.shown_in <= stretch.last.index

    def _walked_by(self, context: CauseContext, stretch: GoalStretch, poi: str) -> Step | None:
        """Return the first step of a sub-goal that came within 60 m of a place."""
        for step in stretch.steps:
            nodes = step.path or ((step.node,) if step.node else ())
            if nearest_m(context, poi, nodes) <= _PASSED_M:
                return step
        return None

    def _cause(
        self,
        context: CauseContext,
        stretch: GoalStretch,
        place: LandmarkPlace,
        step: Step,
        span: tuple[int, int],
    ) -> Explanation:
        poi = context.graph.pois[place.poi or ""]
        far = f"{place.route_m:.0f} m from the route" if place.route_m is not None else "on the map"
        sentence = (
            f"“{place.name}”, landmark of sub-goal {stretch.sub_goal + 1}, stands {far} but was"
            f" never in the prompt."
        )
        quotes = [
            quote_of_sub_goal(step.index, context.plan_at(step), stretch.sub_goal, span),
            Quote(source="map", text=f"{poi.name}, {far}", poi=poi.id, position=poi.position),
        ]
        quotes += _in_instruction(context, place.name)
        quotes += searched_quotes(step)
        return cause_of(
            self,
            sentence=sentence,
            step=step.index,
            sub_goal=stretch.sub_goal,
            quotes=tuple(quotes),
            repair=RepairPlan(
                kind="show_landmark",
                step=step.index,
                parameters={"name": place.name, "poi": poi.id},
            ),
        )


class LandmarkNotOnMap:
    """A landmark of the due sub-goal stands nowhere on the map, so no prompt could show it."""

    id: ClassVar[str] = "landmark-not-on-map"
    name: ClassVar[str] = "Landmark not on the map"
    summary: ClassVar[str] = (
        "The sub-goal that was due where the route was left ends at a landmark that no place of the"
        " map within 60 m of route and walk answers to; proved by its words and the map searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "places"})
    precision: ClassVar[Precision] = Precision(read=2, right=1, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield a cause where the route was left while such a landmark was due."""
        step = context.step(context.departure or 0)
        if step is None:
            return
        logged = bool(context.has & {"prompts", "thoughts", "replies"})
        number = step.sub_goal
        plan = context.plan_at(step)
        if number is None and not logged and context.trace.end is not None:
            # a file of results without a log still says in which sub-goal the agent gave up
            number, plan = context.divergence.gave_up, context.trace.end.plan
        elif not logged:
            return
        if number is None or not 0 <= number < len(plan):
            return
        for place in context.landmarks:
            span = named_span(place.name, plan[number].description)
            passed = _PASSING.search(plan[number].description) is not None
            if span is None or place.poi is not None or passed or not has_own_name(place):
                continue
            # GROKE's prompts called "small triangular park" a "park": that hit was wrong
            if _kind_is_near(context, place.name):
                continue
            line = quote_of_sub_goal(step.index if step.plan else None, plan, number, span)
            yield self._cause(context, step, place, line, number, logged=logged)

    def _cause(
        self,
        context: CauseContext,
        step: Step,
        place: LandmarkPlace,
        line: Quote,
        number: int,
        *,
        logged: bool,
    ) -> Explanation:
        node = context.divergence.node
        where = Quote(
            source="map",
            text="no place answers to that name within 60 m of the route or the walk",
            node=node,
            position=None if node is None else context.graph.position(node),
        )
        sentence = f"“{place.name}”, landmark of sub-goal {number + 1}, is not on the map"
        rest = ", so no prompt could show it."
        if not logged:
            rest = "; a log would show what the agent took for it."
        return cause_of(
            self,
            sentence=sentence + rest,
            step=step.index,
            sub_goal=number,
            quotes=(
                line,
                *_in_instruction(context, place.name),
                where,
            ),
        )


def _kind_is_near(context: CauseContext, name: str) -> bool:
    """Whether the map has a place of the kind that a name ends with ("small triangular park")."""
    landmark = Landmark(name=name.rsplit(maxsplit=1)[-1])
    update = {"landmarks": (landmark,), "sub_goals": ()}
    fates = fate_of_landmarks(context.trace.model_copy(update=update), context.graph)
    return any(fate.poi is not None for fate in fates)


class SaidMissing:
    """The model says itself that a landmark of its sub-goal is missing."""

    id: ClassVar[str] = "said-missing"
    name: ClassVar[str] = "The model says what it misses"
    summary: ClassVar[str] = (
        "In the step that left the route the thoughts say that a landmark of the due sub-goal is"
        " not in view; proved by the thoughts, and checked against the prompt."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "thoughts"})
    precision: ClassVar[Precision] = Precision(read=2, right=2, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield what is missed in the step that left the route."""
        step = context.step(context.departure or 0)
        goal = None if step is None else due_sub_goal(context, step)
        if step is None or goal is None:
            return
        for place in context.landmarks:
            if named_span(place.name, goal.description) is None or place.of_the_street:
                continue
            quote = _missed(step, place.name)
            if quote is None:
                continue
            shown = _is_shown(step, place.name)
            check = (
                "but the prompt shows it: it was overlooked"
                if shown
                else "and the prompt does not show it"
            )
            yield cause_of(
                self,
                sentence=(
                    f"In step {step.index} the model says that {place.name} is missing, {check}."
                ),
                step=step.index,
                sub_goal=step.sub_goal,
                quotes=(quote, *searched_quotes(step)),
                repair=_show(place, step),
            )


def _show(place: LandmarkPlace, step: Step) -> RepairPlan | None:
    if place.poi is None:
        return None
    parameters = {"name": place.name, "poi": place.poi}
    return RepairPlan(kind="show_landmark", step=step.index, parameters=parameters)


def _missed(step: Step, name: str) -> Quote | None:
    """Quote the sentence that says a landmark is missing."""
    for number, call in enumerate(step.calls):
        thoughts = call.thoughts or ""
        for clause in _CLAUSE.finditer(thoughts):
            text = clause[0]
            if _says_missing(name, text):
                start = clause.start() + len(text) - len(text.lstrip())
                span = (start, clause.end())
                return quote_of("thoughts", thoughts, span, step=step.index, call=number)
    return None


def _says_missing(name: str, clause: str) -> bool:
    span = named_span(name, clause)
    if span is None:
        return False
    for missing in _MISSING.finditer(clause):
        # negative where the two overlap, so that it counts as near
        gap = max(missing.start() - span[1], span[0] - missing.end())
        if gap <= _NEAR_CHARACTERS:
            return True
    return False


def _is_shown(step: Step, name: str) -> bool:
    if step.observation is None:
        return False
    return any(poi.name.casefold() == name.casefold() for poi in step.observation.pois)


def _in_instruction(context: CauseContext, name: str) -> Iterator[Quote]:
    text = context.episode.instruction
    span = named_span(name, text)
    if span is not None:
        yield quote_of("instruction", text, span)


_QUOTED: Final = 400

"""Characters of what was shown that a quote holds, where no list of places stands in it."""

_LIST_OF_PLACES: Final = re.compile(r'"pois": ?\[[^\]]*\]|"poi_legend": ?(?:\{[^}]*\}|null)')


def searched_quotes(step: Step) -> Iterator[Quote]:
    """Quote what a step's prompt lists, in which a landmark does not stand."""
    shown = "" if step.observation is None else step.observation.text
    for number, call in enumerate(step.calls):
        for at, message in enumerate(call.messages):
            lists = list(_LIST_OF_PLACES.finditer(message.text))
            start = message.text.find(shown) if shown else -1
            if lists:
                span = lists[-1].span()
            elif start >= 0:
                span = (start, start + min(len(shown), _QUOTED))
            else:
                continue
            yield quote_of("prompt", message.text, span, step=step.index, call=number, message=at)
            return


_APART_M: Final = 60.0

"""Two places nearer than this may be one: a place is attached to a node up to 50 m away."""


class AnotherTaken:
    """A place that answers to the landmark's name was shown, and it was the wrong one."""

    id: ClassVar[str] = "another-taken"
    name: ClassVar[str] = "Another place taken for the landmark"
    summary: ClassVar[str] = (
        "The walk turned or stopped at a place that answers to the due landmark's name, and another"
        " that answers to it stands where the route turns or ends; proved by the prompt, the reply"
        " and both places on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "places", "route"})
    precision: ClassVar[Precision] = Precision(read=6, right=3, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the place that was taken in the step that left the route, or that stopped."""
        step = context.step(context.departure or 0)
        goal = None if step is None else due_sub_goal(context, step)
        due = _due_place(context)
        if step is None or goal is None or due is None or step.observation is None:
            return
        for place in context.landmarks:
            if named_span(place.name, goal.description) is None or not has_own_name(place):
                continue
            taken = _taken(step, place)
            right = _answering(context, place.name, due)
            if taken is None or taken.node is None or right is None:
                continue
            if taken.node in context.graph and _apart(context, taken, right):
                yield self._cause(context, step, place, taken, right)

    def _cause(
        self,
        context: CauseContext,
        step: Step,
        place: LandmarkPlace,
        taken: SeenPoi,
        right: Poi,
    ) -> Explanation:
        node = taken.node or ""
        away_m = nearest_m(context, right.id, [node])
        letter = f" ({taken.letter})" if taken.letter else ""
        target = step.decision.target if step.decision is not None else None
        quotes = [
            quote_of_node(
                context.graph, node, f"{taken.name}{letter}, the one that was taken", step.index
            ),
            Quote(
                source="map",
                text=f"{right.name}, the one of the route, {away_m:.0f} m away",
                poi=right.id,
                position=right.position,
            ),
        ]
        quotes += searched_quotes(step)
        quotes += target_quotes(step, target or "")
        return cause_of(
            self,
            sentence=(
                f"In step {step.index} another {place.name}{letter} was taken for the one of the"
                f" route, which stands {away_m:.0f} m away."
            ),
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=tuple(quotes),
            repair=RepairPlan(
                kind="show_landmark",
                step=step.index,
                parameters={"name": place.name, "poi": right.id},
            ),
        )


def _due_place(context: CauseContext) -> str | None:
    """Return the node where the route turns next after it was left, or where it ends."""
    route = context.episode.reference_path
    if context.divergence.kind in {"undershoot", "overshoot"}:
        return context.episode.goal or route[-1]
    departure = decisive_departure(context)
    if departure is None:
        return None
    for turn in walked_turns(route, context.graph):
        # the fork itself is where the walk left, not where it was to go
        if turn.place >= departure.place and turn.node != departure.node:
            return turn.node
    return None


def _taken(step: Step, place: LandmarkPlace) -> SeenPoi | None:
    """Return the shown place that the reply went to: it is attached to a node of the step's way."""
    if step.observation is None or step.decision is None:
        return None
    target = step.decision.target
    for poi in step.observation.pois:
        if poi.name.casefold() == place.name.casefold() and target in {poi.node, poi.poi_id}:
            return poi
    # a reply may name the node behind the corner at which the place stands
    ends = set(step.path[-3:])
    for poi in step.observation.pois:
        if poi.name.casefold() == place.name.casefold() and poi.node in ends:
            return poi
    return None


def _answering(context: CauseContext, name: str, node: str) -> Poi | None:
    """Return the place near a node that answers to a name best."""
    # a route of this one node: the usual search for landmarks then looks near it alone
    episode = context.episode.model_copy(update={"reference_path": (node,), "start": node})
    header = context.trace.header.model_copy(update={"episode": episode})
    update = {"header": header, "steps": (), "waypoints": None, "landmarks": (Landmark(name=name),)}
    fates = fate_of_landmarks(context.trace.model_copy(update=update), context.graph)
    return context.graph.pois[fates[0].poi] if fates and fates[0].poi is not None else None


def _apart(context: CauseContext, taken: SeenPoi, right: Poi) -> bool:
    return nearest_m(context, right.id, [taken.node or ""]) > _APART_M
