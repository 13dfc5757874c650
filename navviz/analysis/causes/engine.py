"""Explain the decisive act of a failed walk: run the detectors, check what they say, and order it.

First comes the act that was not done (`navviz.analysis.acts`), from instruction, map and path
alone. Then evidence about this act only: an explanation of another act is dropped, and so is one
that its own quotes, the prompts or the map contradict (`navviz.analysis.causes.check`). One leads,
by the order of the registry; the rest fold under it. Nothing found here changes the act.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from navviz.analysis.acts import decisive_act
from navviz.analysis.causes.check import contradiction_of
from navviz.analysis.causes.grades import grade_of
from navviz.analysis.causes.registry import NEVER_LEAD, cause_ids, cause_parts, detectors
from navviz.analysis.landmarks import fate_of_landmarks
from navviz.language.mentions import LONGEST_ANSWER, readable_trace
from navviz.language.plan_map import plan_map
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.walked import unknown_places
from navviz.records import Landmark, Trace
from navviz.records.act import DecisiveAct
from navviz.records.finding import Explanation
from navviz.systems.causes import CauseContext, CauseDetector, LandmarkPlace, Need
from navviz.world.graph import Graph


def context_of(
    trace: Trace, graph: Graph, act: DecisiveAct, divergence: Divergence
) -> CauseContext:
    """Return the decisive act of a walk as detectors see it."""
    steps = tuple(step for step in trace.steps if act.step is None or step.index <= act.step)
    names = chain.from_iterable(one.landmarks for one in act.acts)
    marks = {mark.name: mark for mark in trace.landmarks or trace.episode.landmarks}
    marks |= {name: Landmark(name=name) for name in names if name not in marks}
    named = trace.model_copy(update={"landmarks": tuple(marks.values())})
    places = []
    for fate in fate_of_landmarks(named, graph):
        places.append(
            LandmarkPlace(fate.name, fate.poi, fate.poi_name, fate.route_m, fate.of_the_street)
        )
    goals = (steps[-1].plan if steps else ()) or trace.sub_goals
    return CauseContext(
        trace=trace.model_copy(update={"steps": steps}),
        graph=graph,
        act=act,
        divergence=divergence,
        landmarks=tuple(places),
        has=frozenset(_available(trace, graph)),
        plan_map=plan_map(act.acts, [goal.description for goal in goals]),
        whole=trace.path,
    )


def _available(trace: Trace, graph: Graph) -> Iterator[Need]:
    """Yield what this episode has of what detectors need."""
    if trace.episode.reference_path and all(node in graph for node in trace.episode.reference_path):
        yield "route"
    if not trace.is_free:
        yield "links"
    if graph.frame == "geo":
        yield "streets"
    if graph.pois:
        yield "places"
    # a log may have its plan in the steps alone
    if trace.sub_goals or any(step.plan for step in trace.steps):
        yield "plan"
    if trace.steps:
        yield "steps"
    calls = trace.calls
    if any(call.messages for call in calls):
        yield "prompts"
    if any(call.thoughts for call in calls):
        yield "thoughts"
    if any(call.reply for call in calls):
        yield "replies"


NO_CAUSE = "no explanation found"

"""What stands where no evidence about the decisive act was found."""

_NEEDED: Mapping[Need, str] = {
    "route": "a reference path",
    "links": "links to walk along",
    "streets": "a street map",
    "places": "places on the map",
    "steps": "logged steps",
    "plan": "a plan",
    "prompts": "prompts",
    "thoughts": "thoughts",
    "replies": "replies",
}

"""What detectors need, in words, in the order of a sentence."""


@dataclass(frozen=True, slots=True)
class EpisodeCauses:
    """The decisive act of one episode, and what explains it."""

    episode: str
    success: bool | None
    departure: int | None
    """Index of the step that decided the end; ``None`` where nothing went wrong or nobody knows."""
    causes: tuple[Explanation, ...] = ()
    """In the order in which they lead, hints too."""
    act: DecisiveAct | None = None
    has: frozenset[Need] = frozenset()
    """What of the episode was logged and known."""
    is_cut: bool = False
    """Whether thoughts or replies are so long that only their beginning was read."""
    unanswered: str | None = None
    """Why the service did not answer; such an episode has no cause, and is no failure here."""

    @property
    def leading(self) -> Explanation | None:
        """The explanation that leads, a hint too; the others fold under it."""
        return next((cause for cause in self.causes if cause.id not in NEVER_LEAD), None)

    @property
    def likely(self) -> Explanation | None:
        """The leading explanation, where its kind was right in 85 of 100 unseen hits."""
        leading = self.leading
        return leading if leading is not None and leading.grade == "likely" else None

    @property
    def ids(self) -> frozenset[str]:
        """Ids of all causes that were found."""
        return frozenset(cause.id for cause in self.causes)


def explain_episode(
    trace: Trace,
    graph: Graph,
    divergence: Divergence | None = None,
    using: Sequence[CauseDetector] | None = None,
) -> EpisodeCauses:
    """Find the decisive act of one episode, and what explains it."""
    # without its places on the map, nothing that a detector reads of the map is about this walk
    if unknown_places(trace, graph):
        return EpisodeCauses(trace.episode.id, None, None)
    # what a service left out explains nothing of the agent
    if trace.unanswered is not None:
        return EpisodeCauses(trace.episode.id, None, None, unanswered=trace.unanswered)
    read = readable_trace(trace)
    if divergence is None:
        divergence = find_divergence(read, graph)
    error_m = divergence.error_m
    success = None if error_m is None else error_m <= trace.episode.success_radius_m
    act = decisive_act(read, graph, divergence)
    causes: tuple[Explanation, ...] = ()
    if act is not None:
        context = context_of(read, graph, act, divergence)
        causes = explanations_of(context, detectors() if using is None else using)
    return EpisodeCauses(
        episode=trace.episode.id,
        success=success,
        departure=divergence.step if act is None else act.step,
        causes=causes,
        act=act,
        has=frozenset(_available(trace, graph)),
        is_cut=read is not trace,
    )


def explanations_of(
    context: CauseContext, using: Iterable[CauseDetector]
) -> tuple[Explanation, ...]:
    """Run detectors over a decisive act; returns what is about it and holds, in leading order."""
    findings: list[Explanation] = []
    parts = cause_parts()
    for detector in using:
        # without what it needs a detector would take a gap of the log for a proof
        if detector.needs <= context.has:
            part = parts.get(detector.id)
            fault = f"fails on episode {context.episode.id}"
            with part.guarded(fault) if part is not None else nullcontext():
                findings += list(detector.find(context))
    about = {None if context.act.act is None else context.act.act.number}
    if context.how in _LAST_TURN_AGAIN and context.act.last_turn is not None:
        about.add(context.act.last_turn.number)
    kept = []
    for one in findings:
        own = one.act in about and (one.id == _REPEATED or one.act == _number(context))
        if own and contradiction_of(one, context) is None:
            kept.append(one.model_copy(update={"grade": grade_of(one.id)}))
    order = list(cause_ids())
    act = context.act.act
    if context.how == "stopped early" and act is not None and act.kind == "stop":
        # of a stop, what was shown of its landmark comes before how the plan was closed
        order.remove("closed-early")
        order.insert(order.index("landmark-passed-over") + 1, "closed-early")
    rank = {name: number for number, name in enumerate(order)}
    return tuple(sorted(kept, key=lambda one: (one.id in NEVER_LEAD, rank.get(one.id, -1))))


def _number(context: CauseContext) -> int | None:
    return None if context.act.act is None else context.act.act.number


_LAST_TURN_AGAIN: Final = frozenset(
    {"repeated", "too early", "went on", "extra turn", "wrong side"}
)

_REPEATED: Final = "repeated"

"""The one kind that may be about the last turn, which was made again where the act was due."""


def unchecked(explained: EpisodeCauses) -> str | None:
    """Say which kinds of cause nobody could look for, since the log lacks what proves them."""
    every = detectors()
    lacking = [detector.needs - explained.has for detector in every]
    count = sum(bool(needs) for needs in lacking)
    cut = (
        f"Of thoughts and replies, the first {LONGEST_ANSWER:,} characters are read;"
        " the rest is cut."
    )
    if not count:
        return cut if explained.is_cut else None
    missing = set().union(*lacking)
    words = [word for need, word in _NEEDED.items() if need in missing]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    lacking_words = f"{count} of {len(every)} kinds of cause cannot be checked without {listed}."
    return f"{lacking_words} {cut}" if explained.is_cut else lacking_words


def causes_of_failure(
    trace: Trace, graph: Graph, divergence: Divergence | None = None
) -> dict[str, Any] | None:
    """Return the causes of a failed walk as the player takes them; ``None`` where it succeeded."""
    explained = explain_episode(trace, graph, divergence)
    if explained.success or explained.departure is None:
        return None
    return causes_document(explained)


def causes_document(explained: EpisodeCauses) -> dict[str, Any]:
    """Return act and causes of one episode as JSON can hold them, quotes with their positions."""
    likely, leading = explained.likely, explained.leading
    return {
        "episode": explained.episode,
        "success": explained.success,
        "unanswered": explained.unanswered,
        "act": None if explained.act is None else explained.act.as_document(),
        "sentence": None if explained.act is None else explained.act.sentence,
        "act_grade": None if explained.act is None else explained.act.grade,
        "departure_step": explained.departure,
        "likely": None if likely is None else explained.causes.index(likely),
        "leading": None if leading is None else explained.causes.index(leading),
        "unchecked": unchecked(explained),
        "causes": [cause.model_dump(mode="json", exclude_none=True) for cause in explained.causes],
    }
