"""What the atlas shows of a run: each walk with its departures and the junctions that it came to; and its marks.

A mark is what a click on the atlas says, and what Explore's list is filtered by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import quote, unquote

from navviz.metrics.departures import ReferenceWalk, follow, moves_of, route_of
from navviz.records import Trace
from navviz.runs.run import OpenRun
from navviz.runs.tables import outcome
from navviz.views.figures.atlas_walk import LEFT_HERE, ONE_EPISODE, THROUGH, AtlasWalk
from navviz.world.graph import Graph
from navviz.world.scene import with_places

__all__ = ["MARKS", "atlas_walks", "has_mark", "mark_words", "run_walks"]

MARKS = (ONE_EPISODE, LEFT_HERE, THROUGH)


def atlas_walks(
    traces: Mapping[str, Trace], graph_of: Callable[[str], Graph], outcomes: Mapping[str, str], world: str | None = None
) -> list[AtlasWalk]:
    """Gather the walks of a run.

    Parameters
    ----------
    traces
        By episode id.
    graph_of
        Gives the graph of an episode, by the episode's id.
    outcomes
        ``success``, ``failure`` or ``unknown`` of each episode.
    world
        Only the episodes of this world.
    """
    return [
        _walk(key, trace, graph_of(key), outcomes[key])
        for key, trace in traces.items()
        if world is None or trace.episode.world == world
    ]


def _walk(key: str, trace: Trace, graph: Graph, outcome: str) -> AtlasWalk:
    path = trace.path if len(trace.path) > 1 else trace.episode.reference_path
    reference = trace.episode.reference_path
    plain = AtlasWalk(key, tuple(path), outcome, trace.episode.instruction)
    if len(reference) < 2 or len(trace.path) < 2 or any(node not in graph for node in reference):
        return plain
    moves = [(step, node) for step, node in moves_of(trace) if node in graph]
    walk = follow(route_of(trace.episode, graph, [node for _, node in moves]), moves, graph)
    passed, failed_at = _junctions(reference, graph, walk)
    left = tuple(one.node for one in walk.departures)
    return AtlasWalk(key, tuple(path), outcome, trace.episode.instruction, left, passed, failed_at)


def _junctions(reference: tuple[str, ...], graph: Graph, walk: ReferenceWalk) -> tuple[tuple[str, ...], str | None]:
    """Return the junctions that a walk came to before it first left the path, and the one where it did."""
    first = walk.departures[0] if walk.departures else None
    last = first.place if first is not None else (walk.place or 0) - 1
    passed = tuple(dict.fromkeys(n for n in reference[: min(last, len(reference) - 2) + 1] if graph.degree(n) > 2))
    wrong = first is not None and first.kind == "wrong turn" and first.node == reference[first.place]
    failed_at = first.node if first is not None and wrong and first.node in passed else None
    return passed, failed_at


def has_mark(walk: AtlasWalk, mark: str) -> bool:
    """Tell whether a walk has one of the atlas's marks."""
    for kind, own in ((ONE_EPISODE, (walk.episode,)), (LEFT_HERE, walk.departures), (THROUGH, walk.passed)):
        if mark.startswith(kind):
            return not {quote(each, safe="") for each in own}.isdisjoint(mark.removeprefix(kind).split(";"))
    return False


def mark_words(mark: str) -> str:
    """Say one of the atlas's marks in words."""
    if mark.startswith(ONE_EPISODE):
        return f"episode {unquote(mark.removeprefix(ONE_EPISODE))}"
    if mark.startswith(THROUGH):
        return f"a way over the junction {unquote(mark.removeprefix(THROUGH))}"
    nodes = mark.removeprefix(LEFT_HERE).split(";")
    return f"a departure at {unquote(nodes[0])}" if len(nodes) == 1 else f"a departure at one of {len(nodes)} places"


def run_walks(run: OpenRun, world: str) -> tuple[Graph, list[AtlasWalk]]:
    """Gather the walks of a run in one world, and the world with the poses of those who walked freely.

    Poses of different walks share their names, so each is named after its episode too.
    """
    graph, places, walks = run.graph_of(world), dict[str, tuple[float, float, float]](), []
    traces = {key: trace for key, trace in run.outlines.items() if trace.episode.world == world}
    outcomes = {key: outcome(run.scores.rows[key]) for key in traces}
    for walk in atlas_walks(traces, run.graph, outcomes):
        poses = traces[walk.episode].header.poses if graph.frame == "metric" else None
        own = {node: f"{walk.episode} {node}" for node in poses or ()}
        places |= {own[node]: place for node, place in (poses or {}).items()}
        walks.append(_renamed(walk, own) if own else walk)
    return with_places(graph, places), walks


def _renamed(walk: AtlasWalk, names: Mapping[str, str]) -> AtlasWalk:
    def renamed(nodes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(node, node) for node in nodes)

    at = walk.failed_at
    return replace(
        walk,
        path=renamed(walk.path),
        departures=renamed(walk.departures),
        passed=renamed(walk.passed),
        failed_at=names.get(at, at) if at is not None else None,
    )
