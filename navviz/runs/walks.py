"""What a map shows of a walk, and what its map contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, pairwise

from navviz.errors import Problem
from navviz.metrics.departures import Departure, follow, moves_of, route_of
from navviz.metrics.walked import unknown_places
from navviz.records import Trace
from navviz.records.base import plural
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph


def map_walk(
    trace: Trace, graph: Graph, outcome: str, departures: tuple[Departure, ...] = ()
) -> AtlasWalk:
    """Gather what the atlas shows of a walk; of one that nobody walked, its route.

    `outcome`: ``success``, ``failure`` or ``unknown``. `departures`: where it left its route, where
    somebody has found that already: it takes a third of the time of measuring a walk.
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
    # of a walk that never left it, `place` is where it ended
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
    return replace(
        plain,
        departures=tuple(one.node for one in departures),
        passed=passed,
        failed_at=failed_at,
    )


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


def walk_faults(trace: Trace, graph: Graph, file: str) -> Iterator[Problem]:
    """Yield what does not fit, each as a sentence."""
    where = Problem("", "", file, trace.episode.id)
    if trace.is_free:
        return
    unknown = unknown_places(trace, graph)
    if unknown:
        places = plural(len(trace.path), "place")
        what = f"the graph lacks {len(unknown)} of {places}, such as {unknown[0]}"
        do = "choose the graph that it was walked on; the walk is not scored"
        yield replace(where, what=what, do=do, field="path")
        return
    yield from route_faults(trace, graph, file)
    yield from _gaps(trace, where)
    yield from _jumps(trace, graph, where)
    yield from _end(trace, graph, where)


def route_faults(trace: Trace, graph: Graph, file: str) -> Iterator[Problem]:
    """Yield what the map lacks of the route: figures that need it are missing.

    The parameters are those of `walk_faults`. A foreign log's reader says the rest: it holds the
    walk against the map, but not the ground truth.
    """
    episode = trace.episode
    where = Problem("", "", file, episode.id)
    lacking = [node for node in episode.reference_path if node not in graph]
    if lacking:
        places = plural(len(episode.reference_path), "place")
        what = f"the graph lacks {len(lacking)} of {places}, such as {lacking[0]}"
        do = "figures that need the route are missing"
        yield replace(where, what=what, do=do, field="reference_path")
    if episode.goal is not None and episode.goal not in graph:
        what = f"the graph lacks the goal {episode.goal}"
        yield replace(where, what=what, do="figures that need it are missing", field="goal")


def _gaps(trace: Trace, where: Problem) -> Iterator[Problem]:
    """Yield a step that begins elsewhere than where the last move led: a move lacks between."""
    here = trace.episode.start
    for step in trace.steps:
        if step.node is not None and step.node != here:
            what = f"step {step.index} begins at {step.node}, the walk has come to {here}"
            do = "the moves count; look for lines that are missing"
            yield replace(where, what=what, do=do, field="node")
            return
        here = step.path[-1] if step.path else here


def _jumps(trace: Trace, graph: Graph, where: Problem) -> Iterator[Problem]:
    """Yield how often the walk goes where no link leads: its length is then a guess."""
    links = chain.from_iterable(pairwise(step.path) for step in trace.steps)
    jumps = sum(a != b and not graph.has_link(a, b) for a, b in links)
    if jumps:
        what = f"the walk jumps {plural(jumps, 'time')} between places that are not linked"
        yield replace(where, what=what, do="jumps are measured as straight lines", field="path")


def _end(trace: Trace, graph: Graph, where: Problem) -> Iterator[Problem]:
    """Yield an end elsewhere than where the last move led: moves lack, as after a cut."""
    node = None if trace.end is None else trace.end.node
    if node is not None and node in graph and trace.path[-1] != node:
        what = f"the last move leads to {trace.path[-1]}, the end says {node}"
        yield replace(
            where, what=what, do="the moves count; look for lines that are missing", field="node"
        )
