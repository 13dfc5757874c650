"""Gather what detectors of causes read of one episode."""

from __future__ import annotations

from collections.abc import Iterator

from navviz.analysis.landmarks import LandmarkFate, fate_of_landmarks
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.records import Trace
from navviz.systems.causes import CauseContext, LandmarkPlace, Need
from navviz.world.graph import Graph


def context_of(trace: Trace, graph: Graph, divergence: Divergence | None = None) -> CauseContext:
    """Return one episode as detectors see it.

    Parameters
    ----------
    trace
        With its texts; an outline hides what prompts and thoughts prove.
    graph
        With the poses of the trace, where the agent walked freely.
    divergence
        Of the same trace, where it is there already.
    """
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
