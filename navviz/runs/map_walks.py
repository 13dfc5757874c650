"""One walk as the atlas shows it: its way, where it left its route, and the junctions that it came
to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from navviz.metrics.departures import Departure, follow, moves_of, route_of
from navviz.records import Trace
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph


def map_walk(
    trace: Trace, graph: Graph, outcome: str, departures: tuple[Departure, ...] = ()
) -> AtlasWalk:
    """Gather what the atlas shows of a walk; of one that nobody walked, its route.

    Parameters
    ----------
    trace
        Its outline suffices.
    graph
        The world that it was walked on.
    outcome
        ``success``, ``failure`` or ``unknown``.
    departures
        Where it left its route, where somebody has found that already: it takes a third of the time
        of measuring a walk.
    """
    key, path = (
        trace.episode.id,
        trace.path if len(trace.path) > 1 else trace.episode.reference_path,
    )
    reference = trace.episode.reference_path
    plain = AtlasWalk(key, tuple(path), outcome, trace.episode.instruction)
    # without a route, or with one of another map, nobody can have left it
    if len(reference) < 2 or len(trace.path) < 2 or any(node not in graph for node in reference):
        # it is drawn all the same
        return plain
    place = None
    if not departures:
        moves = [(step, node) for step, node in moves_of(trace) if node in graph]
        walk = follow(route_of(trace.episode, graph, [node for _, node in moves]), moves, graph)
        departures, place = walk.departures, walk.place
    passed, failed_at = _junctions(reference, graph, departures, place)
    return replace(
        plain,
        departures=tuple(one.node for one in departures),
        passed=passed,
        failed_at=failed_at,
    )


def _junctions(
    reference: tuple[str, ...],
    graph: Graph,
    departures: tuple[Departure, ...],
    place: int | None,
) -> tuple[tuple[str, ...], str | None]:
    """Return the junctions that a walk came to before it first left the path, and the one where it
    did; of a walk that never left it, `place` is where it ended.
    """
    first = departures[0] if departures else None
    last = first.place if first is not None else (place or 0) - 1
    passed = tuple(
        dict.fromkeys(
            n for n in reference[: min(last, len(reference) - 2) + 1] if graph.degree(n) > 2
        )
    )
    wrong = (
        first is not None and first.kind == "wrong turn" and first.node == reference[first.place]
    )
    failed_at = first.node if first is not None and wrong and first.node in passed else None
    return passed, failed_at


def renamed(walk: AtlasWalk, names: Mapping[str, str]) -> AtlasWalk:
    """Return a walk over nodes of other names; those that are not in `names` keep theirs."""

    def all_of(nodes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(node, node) for node in nodes)

    at = walk.failed_at
    return replace(
        walk,
        path=all_of(walk.path),
        departures=all_of(walk.departures),
        passed=all_of(walk.passed),
        failed_at=names.get(at, at) if at is not None else None,
    )
