"""Causes in the rooms and things of a house: never shown, or another one taken for it.

Outdoors a landmark is a place of the map with a name. Indoors the house's own labels say what
stands within about 3 m of a viewpoint (NavGPT's lists of objects, REVERIE's boxes), and the words
of an instruction are compared with them by their stems, so that *couch* and *sofas* are one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import cos, dist, radians, sin
from typing import ClassVar, Final

from navviz.analysis.causes.replies import right_link
from navviz.analysis.causes.texts import searched_quotes
from navviz.language.clauses import content_words
from navviz.observations.panorama import GEOMETRY, observations_of
from navviz.records import Candidate, Step
from navviz.records.finding import Explanation, Quote, RepairPlan
from navviz.systems.causes import ENDS, CauseContext, Need, cause_of, quote_of, quote_of_node
from navviz.world.graph import Graph
from navviz.world.house import NearObject

_WORD: Final = re.compile(r"[A-Za-z]+")

_EVERYWHERE: Final = frozenset({"door", "hall", "stair", "window", "picture", "opening", "area"})

"""Stems of what nearly every viewpoint has beside it: they lead nowhere in particular."""

_ROOMS: Final = frozenset(
    {
        "kitchen", "bedroom", "bathroom", "lounge", "dining", "office", "laundry", "gym", "garage",
        "library", "sauna", "patio", "balcony", "theater", "bar", "pool", "foyer", "lobby",
    }
)  # fmt: skip

"""Stems of rooms; no list of objects has them, so that the sentences on a viewpoint count."""

_SECTORS_OF_A_ROOM: Final = 3

"""Of the eight sentences on a viewpoint so many name the room that one stands in; one or two may
look into another room through a door."""

_AHEAD: Final = 2

"""Viewpoints beyond the fork in which a thing still tells which way is meant."""

_APART_M: Final = 3.0

"""Labels are measured from each viewpoint anew; two within this may be one thing."""


@dataclass(frozen=True, slots=True)
class _Thing:
    """A room or an object beside a viewpoint, as the house's labels have it."""

    name: str
    node: str
    distance_m: float | None = None
    at: tuple[float, float] | None = None
    """Where it stands on the floor."""
    id: str | None = None
    """Its number in the house, where the labels give one."""

    def is_apart(self, other: _Thing) -> bool:
        """Whether two labels are surely two things."""
        # numbers are certain, while places are measured
        if self.id is not None and other.id is not None:
            return self.id != other.id
        if self.at is None or other.at is None:
            return False
        return dist(self.at, other.at) > _APART_M


def _named(text: str) -> dict[str, tuple[int, int]]:
    """Return where an instruction first names each thing, by stem."""
    named: dict[str, tuple[int, int]] = {}
    for word in _WORD.finditer(text):
        for stem in content_words(word[0]):
            if stem not in _EVERYWHERE:
                named.setdefault(stem, word.span())
    return named


def _things(graph: Graph, node: str) -> dict[str, _Thing]:
    """Return one thing of each stem beside a viewpoint: the nearest that the labels have."""
    things: list[_Thing] = []
    seen = observations_of(graph)
    for sector in seen.objects.get(node, ()):
        things += [_measured(graph, node, thing) for thing in sector]
    # the nearest first: of each stem the first one is kept below
    things.sort(key=lambda thing: thing.distance_m or 0.0)
    # after the sort: boxes have no distance, and come behind what was measured
    labels = graph.info.visible_objects
    for box in () if labels is None else labels.at.get(node, ()):
        if box.visible:
            things.append(_Thing(box.name, node, id=box.id))
    counts = Counter(chain.from_iterable(map(content_words, seen.scenes.get(node, ()))))
    things += [_Thing(room, node) for room in _ROOMS if counts[room] >= _SECTORS_OF_A_ROOM]
    by_stem: dict[str, _Thing] = {}
    for thing in things:
        for stem in content_words(thing.name):
            by_stem.setdefault(stem, thing)
    return by_stem


def _measured(graph: Graph, node: str, thing: NearObject) -> _Thing:
    x, y = graph.position(node)[:2]
    # headings are clockwise from +y, so that the sine belongs to x
    angle = radians(thing.heading_deg)
    at = (x + thing.distance_m * sin(angle), y + thing.distance_m * cos(angle))
    return _Thing(thing.name.strip(), node, thing.distance_m, at)


@dataclass(frozen=True, slots=True)
class _Due:
    """A thing of the instruction beside the route's next viewpoints, where the walk left it."""

    stem: str
    span: tuple[int, int]
    """Where the instruction names it."""
    step: Step
    thing: _Thing
    taken: _Thing | None
    """The thing of that stem on the way that was taken instead."""


def _due_thing(context: CauseContext) -> _Due | None:
    """Return the first thing of the text that the route has yet to come to, where that is next."""
    place, step, route = context.act.route_place, context.step, context.episode.reference_path
    if place is None or step is None or context.graph.frame != "metric":
        return None
    if context.how in {*ENDS, "turned back"} or place + 1 >= len(route):
        return None
    due = _first_of(context.graph, route[place + 1 :][:_AHEAD])
    behind = context.whole[(context.act.walk_place or 0) + 1 :]
    taken = _first_of(context.graph, behind[:_AHEAD])
    # what was passed already is not what the text speaks of next
    passed = _first_of(context.graph, route[: place + 1])
    rest = _first_of(context.graph, route[place + 1 :])
    for stem, span in _named(context.episode.instruction).items():
        # what stands nowhere on the rest of the route may be a word for something else
        if stem in passed or stem not in rest:
            continue
        # what comes later in the text is not due yet
        return _Due(stem, span, step, due[stem], taken.get(stem)) if stem in due else None
    return None


def _first_of(graph: Graph, nodes: Sequence[str]) -> dict[str, _Thing]:
    """Return the first thing of each stem along a way."""
    things: dict[str, _Thing] = {}
    for node in nodes:
        # the right side wins, so that the thing that came first stays
        things = _things(graph, node) | things
    return things


def _shown_text(step: Step) -> str:
    """Return what a step's agent read; nothing where it saw pictures or geometry alone."""
    seen = step.observation
    if seen is None or seen.format == GEOMETRY or "pictures" in seen.format:
        return ""
    return seen.text


class ThingNeverShown:
    """A room or object of the instruction stands on the route's way, and no text showed it."""

    id: ClassVar[str] = "thing-never-shown"
    name: ClassVar[str] = "Room or object never shown"
    summary: ClassVar[str] = (
        "Indoors, where the route was left: its next two viewpoints have the room or object"
        " beside them that the instruction names next, and no text so far named it; proved by the"
        " house's labels, the instruction and the text searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the thing of the instruction that was due and never shown."""
        due = context.once(_due_thing)
        # another one on the way that was taken is a matter of `AnotherThing`
        if due is None or due.taken is not None:
            return
        texts = [_shown_text(step) for step in context.trace.steps]
        named = any(due.stem in content_words(text) for text in texts)
        # a step whose text was not logged may have named it
        if all(texts) and not named:
            yield _cause(self, context, due, "no text had named it so far")


class AnotherThing:
    """The agent went to another thing of the kind that the instruction names."""

    id: ClassVar[str] = "another-thing-taken"
    name: ClassVar[str] = "Another room or object taken"
    summary: ClassVar[str] = (
        "Indoors, where the route was left: what the instruction names next stands beside the"
        " route's next two viewpoints, and another of its kind on the way that was taken; proved by"
        " the house's labels of both and by the text searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the thing of the instruction for which another was taken."""
        due = context.once(_due_thing)
        if due is None or due.taken is None or not due.taken.is_apart(due.thing):
            return
        # the agent cannot have taken a thing for another of which it never read
        if due.stem in content_words(_shown_text(due.step)):
            yield _cause(self, context, due, "another one stands on the way that was taken")


def _cause(
    detector: ThingNeverShown | AnotherThing, context: CauseContext, due: _Due, fate: str
) -> Explanation:
    text, start = context.episode.instruction, due.span[0]
    word = text[start : due.span[1]]
    quotes = [quote_of("instruction", text, due.span), _label(context, due.thing, "on the route")]
    if due.taken is not None:
        quotes.append(_label(context, due.taken, "the one that was taken"))
    quotes += searched_quotes(due.step)
    sentence = f"“{word}” stands ahead on the route from step {due.step.index}; {fate}."
    return cause_of(detector, context, sentence, quotes, repair=right_link(context))


def _label(context: CauseContext, thing: _Thing, where: str) -> Quote:
    far = "" if thing.distance_m is None else f", {thing.distance_m:.1f} m away"
    return quote_of_node(context.graph, thing.node, f"{thing.name}{far}: {where}")


_MARGIN: Final = 0.5

"""Share of the chosen way's score from which on a runner-up fits nearly as well: odds of 2 to 1."""


class Ambiguous:
    """The navigator scored the right way nearly as high as the one that it took."""

    id: ClassVar[str] = "ambiguous"
    name: ClassVar[str] = "Two ways scored alike"
    summary: ClassVar[str] = (
        "Where the route was left, the navigator scored a way that keeps to the route, or ends at"
        " the goal, within odds of 2 to 1 of the one it took; proved by both ways and their scores."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the step that did otherwise though the right way scored nearly as high."""
        step = context.step
        if step is None or step.observation is None:
            return
        chosen = None
        for candidate in step.observation.candidates:
            if candidate.state == "chosen":
                chosen = candidate
        # half of a score of 0 or less is no nearness
        if chosen is None or not chosen.score or chosen.score < 0:
            return
        # who walks back to stop elsewhere chose that place; this way is only the first link there
        target = step.decision.target if step.decision is not None else None
        if target is not None and target not in {chosen.node, *chosen.path}:
            return
        for right in step.observation.candidates:
            # who explores may take a way that it scored far lower, and was not unsure
            if right is chosen or not (
                right.score is not None
                and _MARGIN * chosen.score <= right.score <= chosen.score / _MARGIN
            ):
                continue
            if not _is_right(context, right):
                continue
            text = context.episode.instruction
            words = Quote(source="instruction", text=text, start=0, end=len(text))
            sentence = (
                f"In step {step.index} the navigator scored the right way {right.score:.2f}, and"
                f" {chosen.score:.2f} the one that it took."
            )
            quotes = (_drawn(context, step, chosen, "taken"), _drawn(context, step, right, "right"))
            link = _link_where_they_part(step, chosen, right)
            yield cause_of(self, context, sentence, (*quotes, words), repair=link)
            return


def _link_where_they_part(step: Step, chosen: Candidate, right: Candidate) -> RepairPlan | None:
    """Return the link of the right way where both ways part."""
    for place, node in enumerate(right.path):
        if place and right.path[: place + 1] != chosen.path[: place + 1]:
            parameters = {"node": right.path[place - 1], "to": node}
            return RepairPlan(kind="take_link", step=step.index, parameters=parameters)
    return None


def _drawn(context: CauseContext, step: Step, candidate: Candidate, what: str) -> Quote:
    links = max(1, len(candidate.path) - 1)
    return quote_of_node(
        context.graph,
        candidate.node,
        f"the {what} way, score {candidate.score:.2f}, {links} links",
        step.index,
    )


def _is_right(context: CauseContext, candidate: Candidate) -> bool:
    """Whether a candidate keeps to the route where it was left, or ends at its goal."""
    route, place = context.episode.reference_path, context.act.route_place
    leaves = context.how not in ENDS and place is not None
    ahead = route[(place or 0) + 1 :][:1] if leaves else ()
    if set(ahead) & {candidate.node, *candidate.path}:
        return True
    goal = context.episode.goal or route[-1]
    if candidate.node not in context.graph or len(candidate.path) < 2:
        return False
    away_m = context.graph.distance_m(candidate.node, goal)
    return float(away_m) <= context.episode.success_radius_m
