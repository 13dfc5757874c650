"""Whether a prompt holds what tells the right way, so that any reader can take it.

At the first junction of the route that lies ahead in a step, the text singles out one way by a
side, a number, a landmark or the shape of the street. What singles it out is looked for in the
step's prompt. Nothing of the model's own words counts, so that the audit is about the prompt.
docs/diagnose.md says how often each verdict is right, and how that was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from navviz.analysis.causes.shown import STREET
from navviz.analysis.causes.texts import name_pattern, names_of, where_shown
from navviz.analysis.causes.told import said
from navviz.analysis.contradictions import Claim
from navviz.analysis.crossings import HALVES_M, has_light, is_crossing, passed_things
from navviz.analysis.street_acts import THERE_M, TURN_DEG
from navviz.analysis.told_route import ToldRoute
from navviz.records import Quote, Step
from navviz.records.act import Act
from navviz.systems.causes import CauseContext
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

Verdict = Literal["enough", "not enough", "contradicts"]
Missing = Literal["way", "direction", "landmark", "count", "place", "turn"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
WORDS: Final[Mapping[Missing, str]] = {
    "way": "the right way",
    "direction": "words that tell the right way from others",
    "landmark": "the landmark or light of the turn",
    "count": "which junction is counted",
    "place": "the place of the turn",
    "turn": "the turn (the instruction has no words)",
}
"""What a prompt lacks, in words."""

_FORWARD_DEG: Final = 45.0
"""Within this of the way that it came by, a way is called *straight*."""

_BACK_DEG: Final = 150.0

_PLAIN_DEG: Final = 60.0
_CLEARLY_DEG: Final = 30.0
_SLIGHTLY_DEG: Final = 10.0
"""The way that plainly goes on bends no more than the first, and less than all others by the
second; by the third where it bends no more than that.
"""

_HOW_SHARP: Final = re.compile(
    r"\b(?:half|slight\w*|sharp\w*|bear\w*|veer\w*|hard|soft|diagonal\w*|fork)\b", re.IGNORECASE
)

_JUNCTIONS: Final = frozenset({"light", "intersection", "corner"})

_SHAPES: Final = frozenset({"T", "end", "fork", "corner"})

_END: Final = re.compile(
    r"\b(?:end of|dead[- ]?end|T[- ](?:junction|intersection|stop)|fork|have to turn)\b",
    re.IGNORECASE,
)
"""Words for a place that the shape of the street shows."""

_LIGHT: Final = re.compile(r"\b(?:stop ?|traffic[_ ]?)?(?:lights?|signals?)\b", re.IGNORECASE)

_AND: Final = re.compile(r"[,;]|\b(?:and|then)\b", re.IGNORECASE)

_FIRST: Final = re.compile(r"\b(?:first|1st|next)\b", re.IGNORECASE)

_CIRCLE: Final = re.compile(r"\b(?:roundabout|circle|rotary)\b", re.IGNORECASE)
"""Who is told to go across one walks around it."""

_SENTENCE: Final = re.compile(r"[.!?](?:\s|$)")


@dataclass(frozen=True, slots=True)
class StepInformation:
    """Whether one step's prompt holds what tells the right way at the next junction."""

    episode: str
    step: int
    verdict: Verdict
    missing: Missing | None
    """What the prompt, or the instruction in it, lacks."""
    fork: str
    """The junction."""
    link: str
    """Where the reference goes from there."""
    links: int
    """Ways onward at the junction; who guesses is right once in so many."""
    by: str
    """What tells the way: ``direction``, ``landmark``, ``count``, ``shape``; else empty."""
    format: str
    """Format of the step's prompt."""
    sentence: str
    act: int | None = None
    """Number of the act that is due."""
    quote: Quote | None = None
    """Where the prompt holds what tells the way."""


def information_at(
    context: CauseContext, route: ToldRoute, step: Step, place: int, claims: Sequence[Claim]
) -> StepInformation | None:
    """Judge the step that stands at a place of its route; ``None`` without a junction ahead in its
    prompt, and where text or map is not clear. `claims`: of `contradictions`.
    """
    fork = _fork_ahead(route, context.graph, place, step)
    return None if fork is None else _Judge(context, route, step, fork, claims).judge()


def prompt_of(step: Step) -> str:
    """Return all that a step's model read; empty where none was asked, or that was not logged."""
    texts = [message.text for call in step.calls for message in call.messages]
    seen = "" if step.observation is None or not texts else step.observation.text
    return seen + "".join(texts)


def _angles_deg(route: ToldRoute, graph: Graph, place: int) -> dict[str, float]:
    """Return by how much each way on from a place of the route bends, the one back left out."""
    before, here = route.path[place - 1], route.path[place]
    came_deg = graph.heading_deg(before, here)
    onward = [node for node in graph.neighbours(here) if node != before]
    return {node: turn_deg(came_deg, graph.heading_deg(here, node)) for node in onward}


def _onward(route: ToldRoute, graph: Graph, place: int) -> list[str]:
    """Return the ways on from a place of the route, but for those that turn back."""
    angles, right = _angles_deg(route, graph, place), route.path[place + 1]
    return [node for node, angle in angles.items() if abs(angle) < _BACK_DEG or node == right]


def _fork_ahead(route: ToldRoute, graph: Graph, place: int, step: Step) -> int | None:
    """Return the first junction of the route from a place on, where the step was shown it."""
    text = prompt_of(step)
    for at in range(max(place, 1), len(route.path) - 1):
        node = route.path[at]
        # what lies beyond the visible area is decided in another step
        seen = step.observation is not None and node in step.observation.visible_nodes
        if at > place and not seen and _short(node) not in text:
            return None
        if is_crossing(graph, node) and len(_onward(route, graph, at)) > 1:
            return at
    return None


def _short(node: str) -> str:
    """Return what prompts write of a node: some cut long names."""
    return node[:8] if len(node) > 16 else node


class _Judge:
    """One step before one junction of the route."""

    def __init__(
        self,
        context: CauseContext,
        route: ToldRoute,
        step: Step,
        fork: int,
        claims: Sequence[Claim],
    ) -> None:
        self.context, self.graph, self.route = context, context.graph, route
        self.step, self.fork, self.claims = step, fork, claims
        self.node, self.right = route.path[fork], route.path[fork + 1]
        self.ways = {node: self._word(node) for node in _onward(route, self.graph, fork)}
        turns = [turn for turn in route.turns if turn.place == fork]
        self.turn = turns[0] if turns else None
        self.act = route.act_of.get(fork)
        self.quote: Quote | None = None

    def _word(self, node: str) -> str:
        """Return the side of a way: by the prompt's word, else as the drawn map shows it."""
        seen = self.step.observation
        for candidate in () if seen is None else seen.candidates:
            if candidate.node == node and candidate.direction:
                word = candidate.direction.lower()
                return next((side for side in ("left", "right") if side in word), "straight")
        angle_deg = _angles_deg(self.route, self.graph, self.fork)[node]
        if abs(angle_deg) <= _FORWARD_DEG:
            return "straight"
        return "right" if angle_deg > 0 else "left"

    def judge(self) -> StepInformation | None:
        """Return the verdict, the first that holds; ``None`` where text or map is not clear."""
        return next(self._verdicts(), None)

    def _verdicts(self) -> Iterator[StepInformation | None]:
        along_m, here_m = self.route.along_m, self.route.along_m[self.fork]
        # at a crossing of two nodes nobody knows at which of them a turn is meant
        for place, node in enumerate(self.route.path):
            near = place != self.fork and abs(along_m[place] - here_m) <= HALVES_M
            if near and (is_crossing(self.graph, node) or place in self.route.act_of):
                yield None
        seen = self.step.observation
        drawn = seen is not None and (self.right in seen.visible_nodes or seen.format == "grid")
        if not drawn and _short(self.right) not in prompt_of(self.step):
            sentence = "The prompt does not hold the way that the route takes."
            yield self._result("not enough", sentence, missing="way")
        for claim in self.claims:
            if claim.kind == "turn" and claim.evidence.node == self.node:
                yield self._result("contradicts", claim.sentence)
        if self.turn is not None and abs(self.turn.angle_deg) >= TURN_DEG:
            if self.act is None and not self._goes_on():
                is_said = any(a.at is None or self._is_here(a, THERE_M) for a in self.route.loose)
                if is_said or _CIRCLE.search(self.context.episode.instruction):
                    yield None  # the words may be about this turn
                sentence = f"The route turns {self.turn.side} here, and no words say so."
                yield self._result("not enough", sentence, missing="turn")
            if self.act is not None:
                yield from (
                    [None] if self.act.side is None else self._turned(self.act, self.act.side)
                )
        if any(self._is_here(act, HALVES_M) for act in self.route.loose):
            yield None  # a told turn that the route does not make as told
        # a bend that the text tells
        yield from self._straight() if self.act is None else [None]

    def _is_here(self, act: Act, within_m: float) -> bool:
        along_m = self.route.along_m
        return act.at is not None and abs(along_m[act.at] - along_m[self.fork]) <= within_m

    def _goes_on(self) -> bool:
        """Whether the right way is the one that plainly goes on: all others bend more."""
        angles = {n: abs(a) for n, a in _angles_deg(self.route, self.graph, self.fork).items()}
        others = [angle for node, angle in angles.items() if node != self.right]
        clearly_deg = _SLIGHTLY_DEG if angles[self.right] <= _SLIGHTLY_DEG else _CLEARLY_DEG
        return angles[self.right] <= _PLAIN_DEG and min(others) >= angles[self.right] + clearly_deg

    def _straight(self) -> Iterator[StepInformation | None]:
        """Judge a junction that the route passes: who is told nothing of it goes straight on."""
        word = self.ways[self.right]
        alike = [node for node, other in self.ways.items() if other == word]
        if not self._goes_on() and (word != "straight" or len(alike) > 1):
            sentence = f"{len(alike)} ways are called “{word}” here, and no words tell them apart."
            if word != "straight":
                sentence = f"The route goes on here by the way called “{word}”; no words say so."
            yield self._result("not enough", sentence, missing="direction")
        ahead = [place for place in self.route.act_of if place > self.fork]
        act = self.route.act_of[min(ahead)] if ahead else None
        passed = [a for a in self.route.acts if a.kind == "pass" and self._is_here(a, HALVES_M)]
        if act is None or act.side not in {*self.ways.values(), None} or passed:
            yield self._result("enough", "Straight on is what is told here.", by="direction")
            return
        yield from self._further_on(act)

    def _further_on(self, act: Act) -> Iterator[StepInformation | None]:
        """Judge a junction before a told turn that may be meant here, too."""
        if act.side is None or (_LIGHT.search(act.text) is None and act.place == "light"):
            yield None  # words of another sentence say where
        names, unclear = self._names(act), f"{said(act)} may be meant here as well"
        if act.place == "light":
            if not self._light_shown():
                yield self._result("enough", "No light is shown here.", by="landmark", act=act)
            count = self._count(act)
            if count is not None and not count[1] <= count[0] <= count[2]:
                yield self._result("enough", f"{said(act)} counts further.", by="count", act=act)
            yield self._result("not enough", f"{unclear}: a light is shown.", "count", act=act)
        if names:
            yield self._result(
                "enough", f"“{names[0]}” is told further on.", by="landmark", act=act
            )
        if act.place in _SHAPES or _END.search(act.text):
            yield self._result("enough", f"{said(act)} is told by its shape.", by="shape", act=act)
        count = self._count(act)
        if count is not None:
            if count[1] <= count[0] <= count[2]:
                yield self._result("not enough", f"{unclear} by its number.", "count", act=act)
            yield self._result("enough", f"{said(act)} counts further.", by="count", act=act)
        if act.counted:
            yield None
        yield self._result("not enough", f"{unclear}: nothing tells its place.", "place", act=act)

    def _turned(self, act: Act, side: str) -> Iterator[StepInformation | None]:
        """Judge a junction at which the route makes a told turn."""
        word = self.ways[self.right]
        if _HOW_SHARP.search(act.text):
            yield None  # headings may tell it
        if word != side or list(self.ways.values()).count(side) > 1:
            sentence = f"The prompt calls the right way “{word}”, and {said(act)} asks for {side}."
            if word == side:
                sentence = f"The prompt calls several ways “{side}”; {said(act)} means one of them."
            yield self._result("not enough", sentence, "direction", act=act)
        yield from self._placed(act, side)

    def _placed(self, act: Act, side: str) -> Iterator[StepInformation | None]:
        """Judge whether the prompt tells that a told turn is made here."""
        count, names = self._count(act), self._names(act)
        if count is not None and not count[1] <= count[0] <= count[2]:
            yield None  # text and map count differently
        for name in names:
            self.quote = where_shown(self.context, names_of(self.context, name), [self.step])
            if self.quote is not None:
                yield self._result("enough", f"The prompt shows “{name}”.", by="landmark", act=act)
        if act.place == "light" and self._light_shown():
            yield self._result("enough", "The prompt shows the light.", by="landmark", act=act)
        if act.place in _SHAPES or _END.search(act.text):
            yield self._result("enough", f"{said(act)} is told by its shape.", by="shape", act=act)
        if self._is_counted_off(act):
            yield self._result("enough", f"{said(act)} is told by counting.", by="count", act=act)
        if act.counted and act.place != "light":
            is_first = _FIRST.search(act.text) is not None and not self._earlier(act)
            counted = self._result("enough", f"It is the first way {side}.", by="count", act=act)
            yield counted if is_first else None
        if names or (act.place == "light" and self._earlier(act)):
            what = f"“{names[0]}”" if names else "the light"
            sentence = f"The prompt does not show {what} of {said(act)}."
            yield self._result("not enough", sentence, "landmark", act=act)
        if self._earlier(act):
            sentence = f"{said(act)} fits an earlier junction as well."
            yield self._result("not enough", sentence, "place", act=act)
        yield self._result("enough", f"It is the first way {side}.", by="direction", act=act)

    def _names(self, act: Act) -> list[str]:
        """Return the places by which the text says where a turn is made: its own, those told right
        before it, and those behind it in its sentence.
        """
        text, end = self.context.episode.instruction, 0 if act.span is None else act.span[1]
        mark = _SENTENCE.search(text, end)
        last, close = len(text) if mark is None else mark.start(), True
        names: list[str] = []
        for other in reversed(self.route.acts[: act.number + 1]):
            # what lies before a junction that is passed says nothing of this one
            close = close and other.group == act.group
            close = close and (other.kind != "pass" or other.at is None)
            if close:
                names += self._told_by(other)
        for other in self.route.acts[act.number + 1 :]:
            begins, ends = other.span or (last, last)
            joined = _AND.search(text, min(end, begins), begins) is None
            if other.kind in {"landmark", "pass"} and joined and begins < last and ends > end:
                names += self._told_by(other)
        return [name for name in dict.fromkeys(names) if not STREET.search(name)]

    def _told_by(self, act: Act) -> list[str]:
        names: list[str] = []
        for name in act.landmarks:
            names += re.split(r" and |, ", name)
        if act.kind == "landmark":
            for mark in self.context.landmarks:
                pattern = name_pattern(mark.name)
                names += [mark.name] if pattern is not None and pattern.search(act.text) else []
        return names

    def _light_shown(self) -> bool:
        """Whether the prompt ties a light to the junction."""
        for poi in () if self.step.observation is None else self.step.observation.pois:
            is_light = _LIGHT.search(poi.name) and poi.node is not None and poi.node in self.graph
            if is_light and self.graph.distance_m(poi.node or "", self.node) <= HALVES_M:
                return True
        return False

    def _count(self, act: Act) -> tuple[int, int, int] | None:
        """Return the number of a turn among the lights or intersections told since the last turn,
        and how many the map has up to here, counted narrowly and widely.
        """
        same = [a for a in self.route.acts if a.group == act.group and a.number <= act.number]
        same = [a for a in same if a.kind in {"pass", "turn"}]
        places = {a.place for a in same}
        if places not in ({"light"}, {"intersection"}) or any(a.at is None for a in same):
            return None
        is_thing = has_light if places == {"light"} else is_crossing
        passed = passed_things(self.graph, self.route.path[self._begin() : self.fork + 1], is_thing)
        return len(same), passed.least, passed.most

    def _is_counted_off(self, act: Act) -> bool:
        """Whether the junctions told since the last turn are just those that the map has up to
        here: then counting leads here, whatever stands at them.
        """
        same = [a for a in self.route.acts if a.group == act.group and a.number < act.number]
        same = [a for a in same if a.kind == "pass"]
        # "go to the light by the bank. Turn right": what has no place of its own is this junction
        is_junction = act.place in _JUNCTIONS or any(a.at is None for a in same[-1:])
        number = 1 + sum(a.at is not None for a in same)
        way = self.route.path[self._begin() : self.fork + 1]
        passed = passed_things(self.graph, way, is_crossing)
        return is_junction and passed.least <= number <= passed.most

    def _begin(self) -> int:
        return max((place for place in self.route.act_of if place < self.fork), default=0)

    def _earlier(self, act: Act) -> bool:
        """Whether a junction since the last turn that no words pass has a way to the act's side."""
        along_m, sign = self.route.along_m, 1 if act.side == "right" else -1
        begin = self._begin()
        for at in range(begin + 1, self.fork):
            passes = [a for a in self.route.acts if a.kind == "pass" and a.at is not None]
            if any(abs(along_m[a.at or 0] - along_m[at]) <= HALVES_M for a in passes):
                continue
            if not is_crossing(self.graph, self.route.path[at]):
                continue
            if (
                along_m[at] - along_m[begin] <= HALVES_M
                or along_m[self.fork] - along_m[at] <= HALVES_M
            ):
                continue
            angles = _angles_deg(self.route, self.graph, at).values()
            if any(_FORWARD_DEG < sign * angle < _BACK_DEG for angle in angles):
                return True
        return False

    def _result(
        self,
        verdict: Verdict,
        sentence: str,
        missing: Missing | None = None,
        *,
        by: str = "",
        act: Act | None = None,
    ) -> StepInformation:
        due = act or self.act
        return StepInformation(
            episode=self.context.episode.id,
            step=self.step.index,
            verdict=verdict,
            missing=missing,
            fork=self.node,
            link=self.right,
            links=len(self.ways),
            by=by,
            format="" if self.step.observation is None else self.step.observation.format,
            sentence=sentence,
            act=None if due is None else due.number,
            quote=self.quote,
        )
