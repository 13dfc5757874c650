"""One walk with its graph: the world, with the poses of an agent that walks freely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from navviz.metrics.ruler import Ruler
from navviz.records import Trace
from navviz.world.graph import Graph
from navviz.world.scene_graph import with_places


@dataclass(frozen=True, slots=True)
class ScoredPath:
    """What a family of metrics is given of one walk."""

    trace: Trace
    graph: Graph
    """The world, without poses that only the trace has."""
    path: Sequence[str]
    """The nodes that count, see `navviz.metrics.score.evaluated_path`."""
    ruler: Ruler
    """Measures distances on the walk's own graph."""


def with_walks(graph: Graph, traces: Iterable[Trace]) -> Graph:
    """Return a world with the poses of several walks, whose names must differ."""
    for trace in traces:
        graph = walked_graph(trace, graph)
    return graph


def walked_graph(trace: Trace, graph: Graph) -> Graph:
    """Return the world with the trace's own places (`Trace.poses`), linked as walked."""
    poses = trace.poses
    if not poses:
        return graph
    walks = [step.path for step in trace.steps if len(step.path) > 1]
    return with_places(graph, poses, [*walks, trace.episode.reference_path])
