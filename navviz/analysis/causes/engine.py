"""Run the detectors of causes over an episode, and name the likely cause.

Causes are ordered by the step where they began; of one step, by the order of the registry. The
*likely cause* is the first that lies at or before the step that decided the end
(`navviz.metrics.divergence`). Where none does, no cause was found; a hint is never the likely
cause, but the first one leads where no cause was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from navviz.analysis.causes.registry import cause_parts, detectors
from navviz.analysis.landmarks import LandmarkFate, fate_of_landmarks
from navviz.language.mentions import LONGEST_ANSWER, readable_trace
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.walked import unknown_places
from navviz.records import Trace
from navviz.records.finding import Explanation
from navviz.systems.causes import CauseContext, CauseDetector, LandmarkPlace, Need
from navviz.world.graph import Graph


def context_of(trace: Trace, graph: Graph, divergence: Divergence | None = None) -> CauseContext:
    """Return one episode as detectors see it."""
    if divergence is None:
        divergence = find_divergence(trace, graph)
    success = None
    if divergence.error_m is not None:
        success = divergence.error_m <= trace.episode.success_radius_m
    return CauseContext(
        trace=trace,
        graph=graph,
        divergence=divergence,
        success=success,
        landmarks=tuple(_place(fate) for fate in fate_of_landmarks(trace, graph)),
        has=frozenset(_available(trace, graph)),
    )


def _place(fate: LandmarkFate) -> LandmarkPlace:
    return LandmarkPlace(
        name=fate.name,
        poi=fate.poi,
        poi_name=fate.poi_name,
        route_m=fate.route_m,
        shown_in=fate.shown_in,
        of_the_street=fate.of_the_street,
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


NO_CAUSE = "no cause found"

"""What stands where no detector proves anything at or before the departure."""

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
    """What the detectors found in one episode."""

    episode: str
    success: bool | None
    departure: int | None
    """Index of the step that decided the end; ``None`` where nothing went wrong or nobody knows."""
    causes: tuple[Explanation, ...]
    """By time, hints too."""
    likely: Explanation | None
    """The first cause at or before the departure."""
    has: frozenset[Need] = frozenset()
    """What of the episode was logged and known."""
    is_cut: bool = False
    """Whether thoughts or replies are so long that only their beginning was read."""
    unanswered: str | None = None
    """Why the service did not answer; such an episode has no cause, and is no failure here."""

    @property
    def leading(self) -> Explanation | None:
        """The likely cause; where there is none, the first hint at or before the departure."""
        if self.likely is not None or self.departure is None:
            return self.likely
        for cause in self.causes:
            if cause.step <= self.departure:
                return cause
        return None

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
    """Find the causes of one episode."""
    # without its places on the map, nothing that a detector reads of the map is about this walk
    if unknown_places(trace, graph):
        return EpisodeCauses(trace.episode.id, None, None, (), None)
    # what a service left out explains nothing of the agent
    if trace.unanswered is not None:
        return EpisodeCauses(trace.episode.id, None, None, (), None, unanswered=trace.unanswered)
    read = readable_trace(trace)
    context = context_of(read, graph, divergence)
    causes = causes_in(context, detectors() if using is None else using)
    return EpisodeCauses(
        episode=trace.episode.id,
        success=context.success,
        departure=context.departure,
        causes=causes,
        likely=_likely(causes, context),
        has=context.has,
        is_cut=read is not trace,
    )


def causes_in(context: CauseContext, using: Iterable[CauseDetector]) -> tuple[Explanation, ...]:
    """Run detectors over one episode; returns the causes by time."""
    causes: list[Explanation] = []
    parts = cause_parts()
    for detector in using:
        # without what it needs a detector would take a gap of the log for a proof
        if detector.needs <= context.has:
            part = parts.get(detector.id)
            fault = f"fails on episode {context.episode.id}"
            with part.guarded(fault) if part is not None else nullcontext():
                causes += list(detector.find(context))
    # stable: causes of one step keep the order of the registry
    return tuple(sorted(causes, key=lambda cause: cause.step))


def _likely(causes: Iterable[Explanation], context: CauseContext) -> Explanation | None:
    if context.departure is None or context.divergence.kind == "none":
        return None
    for cause in causes:
        if cause.grade == "likely" and cause.step <= context.departure:
            return cause
    return None


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
    """Return the causes of one episode as JSON can hold them, quotes with their positions."""
    likely, leading = explained.likely, explained.leading
    return {
        "episode": explained.episode,
        "success": explained.success,
        "unanswered": explained.unanswered,
        "departure_step": explained.departure,
        "likely": None if likely is None else explained.causes.index(likely),
        "leading": None if leading is None else explained.causes.index(leading),
        "unchecked": unchecked(explained),
        "causes": [cause.model_dump(mode="json", exclude_none=True) for cause in explained.causes],
    }
