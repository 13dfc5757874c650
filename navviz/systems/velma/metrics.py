"""VELMA's metrics of walks on panorama graphs: task completion, distance in links, key points.

References
----------
Schumann et al., "VELMA: Verbalization Embodiment of LLM Agents for Vision and Language Navigation
in Street View", AAAI 2024, arXiv:2307.06082, section 5 (metrics).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from navviz.metrics.registry import Metric
from navviz.metrics.walked import ScoredPath
from navviz.world.graph import Graph

_S = "Schumann et al. 2024 (VELMA), arXiv:2307.06082, section 5"
_CROSSING_LINKS = 2
"""A panorama with more neighbours than these is a crossing."""

METRICS: tuple[Metric, ...] = (
    Metric("TC", "task completion", "fraction", "higher",
           "1 if the last panorama is the target or a neighbour of it", _S, yes_no=True,
           per_cent="everywhere"),
    Metric("SPD", "shortest-path distance", "count", "lower",
           "links of the shortest path from the last panorama to the target", _S),
    Metric("KPA", "key point accuracy", "fraction", "higher",
           "right decisions at the start, at each crossing of the reference and at its end", _S,
           per_cent="everywhere"),
)  # fmt: skip


def score_walk(walk: ScoredPath) -> dict[str, float | None]:
    """Measure one walk; empty on graphs that are no panoramas, or without a reference."""
    reference = walk.trace.episode.reference_path
    if walk.graph.info.yaw_deg is None or not reference:
        return {}
    on_graph = all(node in walk.graph for node in (*reference, *walk.path))
    if not on_graph or not walk.path:
        return {metric.name: None for metric in METRICS}
    return velma_scores(walk.path, reference, walk.graph)


def velma_scores(
    path: Sequence[str], reference: Sequence[str], graph: Graph
) -> dict[str, float | None]:
    """Return ``TC``, ``SPD`` (links) and ``KPA`` of a walk."""
    target, last = reference[-1], path[-1]
    complete = last == target or graph.has_link(target, last)
    scores: dict[str, float | None] = {"TC": float(complete), "SPD": None}
    back = graph.hops(last, target)
    if back is not None:
        scores["SPD"] = float(len(back) - 1)
    return scores | {"KPA": key_point_accuracy(path, reference, graph)}


def key_point_accuracy(path: Sequence[str], reference: Sequence[str], graph: Graph) -> float:
    """Share of key points of a reference at which a walk decides as the reference does.

    Key points are the start, each panorama with more than two neighbours on the way, and the end.
    The decision at a key point is right where the walk leaves it for the same neighbour; at the
    end, where it stops at the target or a neighbour of it.
    """
    # a walk may pass a key point twice: to leave it the right way once is enough
    moves = set(pairwise(path))
    target = reference[-1]
    right = [path[-1] == target or graph.has_link(target, path[-1])]
    for place, (here, there) in enumerate(pairwise(reference)):
        is_crossing = graph.degree(here) > _CROSSING_LINKS
        if place == 0 or is_crossing:
            right.append((here, there) in moves)
    return sum(right) / len(right)
