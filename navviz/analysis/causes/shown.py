"""Explanations in what the agent was shown: the right way, and the landmarks of the act."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

import numpy as np

from navviz.analysis.causes.replies import right_link
from navviz.analysis.causes.texts import (
    name_pattern,
    names_of,
    searched_quotes,
    shown_nodes,
    thoughts_quote,
    where_shown,
)
from navviz.analysis.causes.told import NEAR_M, act_quotes, said
from navviz.analysis.landmarks import own_words
from navviz.language.plan_map import words_of
from navviz.language.said import missing_clauses
from navviz.records import SeenPoi, Step
from navviz.records.act import Act
from navviz.records.finding import Explanation, Quote, RepairPlan
from navviz.systems.causes import (
    FORKS,
    CauseContext,
    LandmarkPlace,
    Need,
    cause_of,
    due_sub_goal,
    quote_of_node,
    quote_of_sub_goal,
    target_quotes,
)

_SENTENCE_END: Final = re.compile(r"[.;!?](?=\s|$)")

_PASSED_M: Final = 60.0

"""Who came no nearer to a landmark could not be shown it, which explains nothing."""

STREET: Final = re.compile(
    r"\b(?:lights?|signals?|intersections?|stoplights?|corners?|blocks?|streets?|roads?|junctions?)\b",
    re.IGNORECASE,
)

_UNSEEN: Final = re.compile(
    r"\b(?:roads? merges?|merg(?:es?|ing)|bends?\b|curves?\b|veers?\b|bridges?|overpass(?:es)?"
    r"|tunnels?|underpass(?:es)?|awnings?|murals?|scaffolding|hill|uphill|downhill|water|river"
    r"|walls?|fences?|gates?|trees?|statues?|mail ?(?:drop )?box(?:es)?|crosswalks?|medians?"
    r"|one[- ]way|cobblestones?|construction|flags?|stop signs?|buildings?)\b",
    re.IGNORECASE,
)

"""Words for what neither the links nor the tagged places of a street map say."""


class WayNeverShown:
    """The right way on was not in the prompt, and the way that was taken was."""

    id: ClassVar[str] = "way-never-shown"
    name: ClassVar[str] = "Right way never shown"
    summary: ClassVar[str] = (
        "Where the route was left, its next two nodes stand nowhere in the prompt, and the way that"
        " was taken does; proved by the map and the prompt searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the way that was not shown."""
        decisive, step, route = context.act, context.step, context.episode.reference_path
        if step is None or decisive.how not in FORKS or decisive.route_place is None:
            return
        if "prompts" not in context.has and context.graph.frame == "geo":
            return  # navigators without a model note what they chose from, not all that they saw
        place, act = decisive.route_place, decisive.act
        # on streets the turn may come a few nodes behind the place where walk and route part
        if act is not None and act.at is not None and decisive.route_side is not None:
            place = max(place, act.at) if context.graph.frame == "geo" else place
        # indoors only the ways from where one stands are shown
        if context.graph.frame != "geo" and decisive.node != step.node:
            return
        right = route[place + 1 : place + 3]
        taken = context.whole[(decisive.walk_place or 0) + 1 :][:2]
        if not right or any(_holds(step, node) for node in right):
            return
        if not any(_holds(step, node) for node in taken):
            return
        words = "the route goes on here, and the prompt does not hold it"
        quotes = [quote_of_node(context.graph, right[0], words, step.index)]
        quotes += [*target_quotes(step, context.target), *act_quotes(context, act)]
        parameters = {"node": route[place], "to": right[0]}
        yield cause_of(
            self,
            context,
            f"In step {step.index} the way that the route takes was not shown.",
            quotes,
            repair=RepairPlan(kind="unhide_way", step=step.index, parameters=parameters),
        )


_WALKED_ON: Final = frozenset(
    {"skipped", "too late", "went on", "did not stop", "unsaid turn", "other way"}
)

"""Hows of who waits: it walks on."""


def _holds(step: Step, node: str) -> bool:
    """Whether a step's prompts or its list of places name a node; some write its first letters."""
    if node in (shown_nodes(step) or ()):
        return True
    short = node[:8] if len(node) > 16 else node
    return any(short in message.text for call in step.calls for message in call.messages)


def nearest_m(context: CauseContext, poi: str, nodes: Iterable[str]) -> float:
    """Return how near some nodes come to a place, in metres; infinite where the map has none."""
    graph = context.graph
    rows = [graph.index[node] for node in nodes if node in graph]
    if not rows:
        return float("inf")
    position = np.array([graph.pois[poi].position], dtype=float)
    at = graph.to_metric(position) if graph.frame == "geo" else position
    return float(np.linalg.norm(graph.metric_positions[rows] - at, axis=1).min())


def landmarks_of_act(context: CauseContext, *, strictly: bool = False) -> list[LandmarkPlace]:
    """Return the places that the text ties to the act; strictly, in its own sentence or line."""
    decisive, act, text = context.act, context.act.act, context.episode.instruction
    if act is None:
        return []
    names = list(act.landmarks)
    for other in decisive.acts:
        if other.kind == "landmark" and other.number == act.number - 1:
            names += other.landmarks
    if decisive.how in {"went on", "stopped early"} and decisive.acts:
        names += decisive.acts[-1].landmarks
    line = ""
    if context.goal_of_act is not None and len(context.goals) > 1:
        line = context.goals[context.goal_of_act].description
    kept: list[LandmarkPlace] = []
    for place in context.landmarks:
        pattern = name_pattern(place.name)
        if place.of_the_street or STREET.search(place.name) or pattern is None:
            continue
        places = [match.start() for match in pattern.finditer(text)]
        near = not places or any(_is_told_at(context, act, at, strictly) for at in places)
        near = near or (strictly and pattern.search(line) is not None)
        if near and any(_is_one_name(place.name, name) for name in names):
            kept.append(place)
    return kept


def _is_told_at(context: CauseContext, act: Act, at: int, strictly: bool) -> bool:
    """Whether words of the instruction stand in the act's sentence or, not strictly, before it; of
    a stop also behind it.
    """
    if act.span is None:
        return True
    behind = at > act.span[1]
    if not strictly and (not behind or act.kind == "stop"):
        return True
    between = context.episode.instruction[min(at, act.span[1]) : max(at, act.span[0])]
    return _SENTENCE_END.search(between) is None


def _is_one_name(name: str, other: str) -> bool:
    """Whether two names may mean one place: "a park" is not "Eleven Madison Park"."""
    own, others = set(own_words(name)), set(own_words(other))
    if not own and not others:
        own, others = set(words_of(name)), set(words_of(other))
    return bool(own) and len(own & others) >= min(2, len(own))


def _show(context: CauseContext, place: LandmarkPlace) -> RepairPlan | None:
    if place.poi is None or context.step is None:
        return None
    parameters = {"name": place.name, "poi": place.poi}
    return RepairPlan(kind="show_landmark", step=context.step.index, parameters=parameters)


def _on_map(context: CauseContext, place: LandmarkPlace) -> list[Quote]:
    if place.poi is None:
        return []
    poi = context.graph.pois[place.poi]
    far = "on the map" if place.route_m is None else f"{place.route_m:.0f} m from the route"
    return [Quote(source="map", text=f"{poi.name}, {far}", poi=poi.id, position=poi.position)]


def _tied(context: CauseContext, place: LandmarkPlace) -> list[SeenPoi]:
    """Return the entries of the decisive prompt that answer to a landmark."""
    seen = None if context.step is None else context.step.observation
    patterns = [p for name in names_of(context, place.name) if (p := name_pattern(name))]
    return [
        poi
        for poi in (() if seen is None else seen.pois)
        if any(pattern.search(poi.name) for pattern in patterns)
    ]


class WaitsFor:
    """The agent waits for something that the prompt does not hold."""

    id: ClassVar[str] = "waits-for"
    name: ClassVar[str] = "Waits for what is not shown"
    summary: ClassVar[str] = (
        "The thoughts miss a place of the act or of the due sub-goal that the prompt does not show,"
        " or the open sub-goal waits for such a place or condition; proved by the words and the"
        " prompts searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "prompts"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield what is missed, else what is waited for."""
        step, act, due = context.step, context.act.act, context.due
        if step is None or act is None:
            return
        line = "" if due is None or len(context.goals) < 2 else context.goals[due].description
        tied = {place.name for place in landmarks_of_act(context)}
        # lights and corners are what every street has; their number is a matter of `Miscounted`
        places = [p.name for p in context.landmarks if not p.of_the_street]
        names = [name for name in places if not STREET.search(name)]
        unseen = _UNSEEN.search(line)
        # "the Jensen Lewis building" is a place with a name
        if unseen is not None and not any(unseen[0].lower() in name.lower() for name in names):
            names.append(unseen[0])
        pattern_of = {name: p for name in names if (p := name_pattern(name)) is not None}
        wanted = [n for n, p in pattern_of.items() if n in tied or p.search(line)]
        steps = [s for s in context.trace.steps if s.sub_goal == due or s is step]
        text = context.thoughts
        for span in missing_clauses(text):
            for name in wanted:
                pattern = pattern_of[name]
                if not pattern.search(text[slice(*span)]):
                    continue
                quote = thoughts_quote(step, span, text)
                if quote is None or where_shown(context, names_of(context, name), [step]):
                    continue
                sentence = (
                    f"The thoughts of step {step.index} miss “{name}”, which no prompt shows there."
                )
                yield self._cause(context, step, sentence, [quote], name)
                return
        open_line = line and step.decision and step.decision.sub_goal_status == "IN_PROGRESS"
        if not open_line or context.how not in _WALKED_ON:
            return
        for name in [n for n in wanted if pattern_of[n].search(line)]:
            if where_shown(context, names_of(context, name), steps) is None:
                sentence = (
                    f"Sub-goal {(due or 0) + 1} waits for “{name}”, which no prompt of its steps"
                    " shows."
                )
                yield self._cause(context, step, sentence, [], name)
                return

    def _cause(
        self,
        context: CauseContext,
        step: Step,
        sentence: str,
        quotes: list[Quote],
        name: str | None,
    ) -> Explanation:
        due = due_sub_goal(context, step)
        if due is not None and step.sub_goal is not None:
            quotes.append(quote_of_sub_goal(step.index, context.goals, step.sub_goal))
        quotes += searched_quotes(step)
        quotes += act_quotes(context, context.act.act)
        places = [place for place in context.landmarks if place.name == name]
        repair = _show(context, places[0]) if places else None
        return cause_of(self, context, sentence, quotes, sub_goal=step.sub_goal, repair=repair)


class LandmarkNodeTaken:
    """It stopped at the node to which the prompt ties the landmark of the stop."""

    id: ClassVar[str] = "landmark-node-taken"
    name: ClassVar[str] = "Landmark's node taken as the stop"
    summary: ClassVar[str] = (
        "The walk stopped at the node to which the prompt ties the landmark of the stop, short of"
        " the end of the route; proved by the prompt and the reply."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "prompts", "route"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the node that was taken for the place to stop."""
        step = context.step
        if step is None or context.how != "stopped early" or not context.act.acts:
            return
        for place in landmarks_of_act(context):
            nodes = [poi.node for poi in _tied(context, place) if poi.node is not None]
            if context.act.node not in nodes:
                continue
            shown = where_shown(context, names_of(context, place.name), [step])
            sentence = (
                f"Step {step.index} stopped at the node to which the prompt ties “{place.name}”,"
                f" {context.act.off_m or 0:.0f} m before the end of the route."
            )
            quotes = [*([shown] if shown else []), *target_quotes(step, context.act.node)]
            quotes += [*_on_map(context, place), *act_quotes(context, context.act.acts[-1])]
            yield cause_of(self, context, sentence, quotes)
            return


class LandmarkBeyond:
    """The prompt ties the landmark of the act to a node straight on past it."""

    id: ClassVar[str] = "landmark-tied-beyond"
    name: ClassVar[str] = "Landmark's node lies past the act"
    summary: ClassVar[str] = (
        "The prompt ties the landmark of a turn, or of the stop, to a node off the route that lies"
        " straight on past it, and the walk went on to that node or towards it; proved by the"
        " prompt and the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "prompts", "route", "links", "streets"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the landmark that led past its own act."""
        step, act, route = context.step, context.act.act, context.episode.reference_path
        if step is None or act is None or act.at is None or context.act.walk_place is None:
            return
        if context.how not in {"skipped", "too late", "went on"} or len(step.path) < 2:
            return
        if _other_in_thoughts(context, step) is not None:
            return  # it took another place for the landmark, wherever that stands
        here, taken = route[act.at], context.whole[context.act.walk_place + 1 :]
        onward = [node for node in step.path if node in taken]
        for place in context.landmarks:
            if place.of_the_street or STREET.search(place.name):
                continue
            nodes = {poi.node for poi in _tied(context, place)} - {None}
            # a place of a later act leads past this one where the reply went right to it
            # told between the last turn and the end of the act's sentence, or of a stop itself
            last, pattern = context.act.last_turn, name_pattern(place.name)
            text, begin = context.episode.instruction, last.span[1] if last and last.span else 0
            end = len(text)
            if act.kind != "stop" and act.span is not None:
                mark = _SENTENCE_END.search(text, act.span[1])
                end = end if mark is None else mark.end()
            is_due = (
                pattern is not None and pattern.search(text, begin, end) is not None
            ) or nodes == {context.target}
            shown = where_shown(context, names_of(context, place.name), [step])
            beyond = [node for node in nodes if node and _is_ahead(context, here, onward, node)]
            if not is_due or shown is None or not beyond or len(beyond) < len(nodes):
                continue
            away_m = context.graph.distance_m(here, beyond[0])
            # a stop so near to the end of the route would have been right
            if context.how == "went on" and away_m <= context.episode.success_radius_m:
                continue
            to = "to" if beyond[0] in onward else "towards"
            past = "the end of the route" if context.how == "went on" else said(act)
            sentence = (
                f"The prompt of step {step.index} ties “{place.name}” to a node straight on,"
                f" {away_m:.0f} m past {past}; the walk went on {to} it."
            )
            tie = quote_of_node(context.graph, beyond[0], f"the node of {place.name}", step.index)
            quotes = [shown, tie, *target_quotes(step, context.target), *act_quotes(context, act)]
            yield cause_of(self, context, sentence, quotes, repair=right_link(context))
            return


def _is_ahead(context: CauseContext, here: str, onward: list[str], node: str) -> bool:
    """Whether a node off the route lies on a way straight on, or ahead of its end."""
    graph, rest = context.graph, context.episode.reference_path
    if node in rest or node not in graph or not onward:
        return False
    begin, end, there = graph.metric_positions[[graph.index[n] for n in (here, onward[-1], node)]]
    walked_m, away_m = np.linalg.norm(end - begin), np.linalg.norm(there - begin)
    if not walked_m or not away_m:
        return False
    straight = float((end - begin) @ (there - begin)) >= _STRAIGHT * walked_m * away_m
    return node in onward or bool(straight and np.linalg.norm(there - end) < away_m)


_STRAIGHT: Final = 0.7
"""Cosine of 45 degrees."""


class LandmarkShown:
    """The landmark of the act was in the prompt, and the reply chose another place."""

    id: ClassVar[str] = "landmark-passed-over"
    name: ClassVar[str] = "Landmark shown, other place chosen"
    summary: ClassVar[str] = (
        "The landmark that the text ties to the act was in the prompt of the step, tied to a node,"
        " and the reply chose another; proved by the prompt and the reply."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "prompts", "route"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the landmark that the reply passed over."""
        step = context.step
        if step is None or context.target is None or context.how in {"broke off", "did not stop"}:
            return
        for place in landmarks_of_act(context):
            nodes = [poi.node for poi in _tied(context, place) if poi.node is not None]
            shown = where_shown(context, names_of(context, place.name), [step])
            other = None if shown is None else _other_in_thoughts(context, step)
            if shown is not None and other is not None:
                name = context.thoughts[slice(*other)]
                sentence = (
                    f"“{place.name}” was in the prompt of step {step.index}; the thoughts take"
                    f" “{name}” for it, which the instruction does not name."
                )
                thought = thoughts_quote(step, other, context.thoughts)
                yield cause_of(self, context, sentence, [shown, *([thought] if thought else [])])
                return
            # who went by a place long before, or on to it, passed over nothing
            if not nodes or shown is None or set(nodes) & {context.target, *_elsewhere(context)}:
                continue
            on = "on" if set(nodes) & set(context.episode.reference_path) else "off"
            sentence = (
                f"“{place.name}” was in the prompt of step {step.index}, at a place {on} the route;"
                " the reply named another one."
            )
            quotes = [shown, *target_quotes(step, context.target), *_on_map(context, place)]
            quotes += act_quotes(context, context.act.act)
            yield cause_of(self, context, sentence, quotes)
            return


def _elsewhere(context: CauseContext) -> Iterator[str]:
    """Yield the nodes of the step that are not at the act."""
    act, step, route = context.act.act, context.step, context.episode.reference_path
    if act is None or act.at is None or step is None:
        return
    for node in step.path:
        if node not in route or context.graph.distance_m(node, route[act.at]) > NEAR_M:
            yield node


def _other_in_thoughts(context: CauseContext, step: Step) -> tuple[int, int] | None:
    """Return where the thoughts name a place of the prompt that the instruction does not."""
    text = f"{context.episode.instruction} {' '.join(g.description for g in context.goals)}"
    for poi in () if step.observation is None else step.observation.pois:
        pattern = name_pattern(poi.name)
        if pattern is None or pattern.search(text) or not own_words(poi.name):
            continue
        match = pattern.search(context.thoughts)
        if match is not None:
            return match.span()
    return None


class LandmarkNeverShown:
    """The landmark of the act stands on the map beside the walk, and no prompt showed it."""

    id: ClassVar[str] = "landmark-never-shown"
    name: ClassVar[str] = "Landmark never shown"
    summary: ClassVar[str] = (
        "The walk came within 60 m of the landmark that the text ties to the act, and no prompt up"
        " to the step shows it in any format; proved by its place on the map and the prompts."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "places", "prompts"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the landmark that was never shown."""
        step, act = context.step, context.act.act
        if step is None or act is None or context.how == "broke off":
            return
        for place in landmarks_of_act(context, strictly=True):
            if place.poi is None or nearest_m(context, place.poi, context.whole) > _PASSED_M:
                continue
            steps = context.trace.steps
            if where_shown(context, names_of(context, place.name), steps) is not None:
                continue
            sentence = (
                f"“{place.name}” of {said(act)} is on the map beside the walk, and no prompt up to"
                f" step {step.index} shows it."
            )
            quotes = [*act_quotes(context, act), *_on_map(context, place), *searched_quotes(step)]
            yield cause_of(self, context, sentence, quotes, repair=_show(context, place))
            return


class LandmarkNotOnMap:
    """The landmark of the act stands nowhere on the map."""

    id: ClassVar[str] = "landmark-not-on-map"
    name: ClassVar[str] = "Landmark not on the map"
    summary: ClassVar[str] = (
        "No place of the map within 60 m of route and walk answers to the landmark that the text"
        " ties to the act; it never leads."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "places", "prompts"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the landmark that the map lacks."""
        act, node = context.act.act, context.act.node
        if act is None or node is None:
            return
        for place in landmarks_of_act(context, strictly=True):
            steps = context.trace.steps
            shown = where_shown(context, names_of(context, place.name), steps)
            if place.poi is not None or shown is not None:
                continue
            where = "no place answers to that name within 60 m of the route or the walk"
            sentence = f"“{place.name}” of {said(act)} is not on the map near route and walk."
            quotes = [*act_quotes(context, act), quote_of_node(context.graph, node, where)]
            yield cause_of(self, context, sentence, quotes)
            return
