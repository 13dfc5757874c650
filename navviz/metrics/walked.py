"""The graph of one walk: the world, with the poses of an agent that walks freely."""

from __future__ import annotations

from navviz.records import Trace
from navviz.world.graph import Graph
from navviz.world.scene import with_places

__all__ = ["walked_graph"]


def walked_graph(trace: Trace, graph: Graph) -> Graph:
    """Return the world with the nodes that only this trace has (`TraceHeader.poses`), linked along what was walked."""
    poses = trace.header.poses
    if not poses or graph.frame != "metric":
        return graph
    walks = [step.path for step in trace.steps if len(step.path) > 1]
    return with_places(graph, poses, [*walks, trace.episode.reference_path])
