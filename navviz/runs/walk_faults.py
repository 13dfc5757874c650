"""What one of our own traces says that its map, or it itself, contradicts.

Readers of foreign logs hold each walk against the map and report what does not fit. A trace holds
whole paths, so that it is read without a map: another program's trace, or one beside another map,
would else be scored without a word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise

from navviz.errors import Problem
from navviz.metrics.walked import unknown_places
from navviz.records import Trace
from navviz.records.plural import plural
from navviz.world.graph import Graph


def walk_faults(trace: Trace, graph: Graph, file: str) -> Iterator[Problem]:
    """Yield what does not fit, each as a sentence.

    Parameters
    ----------
    trace
        A walk.
    graph
        Its world, with the trace's own poses.
    file
        Name of the file that it lies in.
    """
    where = Problem("", "", file, trace.episode.id)
    yield from _numbers(trace, where)
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


def _numbers(trace: Trace, where: Problem) -> Iterator[Problem]:
    """Yield a fault of the numbers of steps: lines that lack, or stand there twice."""
    for place, step in enumerate(trace.steps, start=1):
        if step.index != place:
            what = f"step {step.index} stands where step {place} is due"
            do = "look for lines that are missing or repeated; the walk is shown as it is written"
            yield replace(where, what=what, do=do, field="index")
            return


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
