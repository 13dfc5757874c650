"""One JSON document from which the player replays an episode without asking the server again.

The document is small however large the graph: see `navviz.views.player.cut` for what it keeps of the graph and
`navviz.views.player.texts` for how texts are shared. Nodes are given by index into ``nodes.ids``; a node that is not in
the graph is given by its id, a hole in the log by ``None``. Texts are indices into ``strings``; what is missing is left
out. Positions are flat, ``lat, lon`` outdoors and ``x, y, z`` indoors::

    version, frame, world, title, run, navigator, model, settings, created, source, forked_from, notes, metrics
    episode     id, dataset, split, instruction, start, start_heading_deg, goal, success_radius_m, tasks
    nodes       ids, at (flat positions), crossings (indices)
    links       flat pairs of indices: outdoors between nodes of paths and visible areas, indoors all
    streets     flat lines around them, outdoors          backdrop    [{kind, rings, line}]
    pois        [{id, name, at, kind, light, letter}]     reference   [node]
    planning    sub_goals, landmarks, calls, panels, so_far
    steps       [{index, node, heading_deg, plan, sub_goal, observation, calls, decision, path, jumps, panels, so_far,
                retries, to_goal_m}]
      plan      [[description, status, iteration]]
      observation  format, text, visible [node], pois [{name, letter, node, at, poi ...}],
                candidates [{node, state, path ...}]
      calls     [{purpose, messages: [{role, parts: [[kind, text]]}], thoughts, reply, usage, seconds, cost_usd ...}]
      decision  target (node), target_id, sub_goal_status, stop, legal, reason
      so_far    calls, tokens, seconds, cost_usd, partial (some calls did not tell)
    end         status, reason, node, plan                running, streaming {thoughts, reply}
    divergence  step, kind, sentence, node, returned_step
    compare     label, instruction, sub_goals, steps [{node, target, path}], end, metrics, first_difference
    strings     [text], or {gzip: base64 of the JSON list} where it is long
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from navviz.records import Landmark, Step, Trace
from navviz.views.player.backdrop import backdrop
from navviz.views.player.cut import Cut, cut_graph
from navviz.views.player.floor_plan import indoor_part
from navviz.views.player.pois import PoiTable
from navviz.views.player.texts import Strings
from navviz.views.player.writer import Writer, without_none
from navviz.world.graph import Graph

__all__ = ["DOCUMENT_VERSION", "replay_document"]

DOCUMENT_VERSION = 1

TEXT_LIMIT_CHARS = 1_000_000
"""Room for texts in a document; with the cut graph it stays under 1.5 MB."""


def replay_document(
    trace: Trace,
    graph: Graph,
    *,
    divergence: object | None = None,
    metrics: Mapping[str, float | None] | None = None,
    compare: Trace | None = None,
    compare_label: str | None = None,
    compare_metrics: Mapping[str, float | None] | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
    running: bool | None = None,
) -> dict[str, Any]:
    """Build the player's document.

    Parameters
    ----------
    trace
        Finished, cut off or still running; with or without model calls, steps, or a reference path.
    graph
        The whole world of the episode.
    divergence
        Anything with ``step``, ``kind``, ``sentence`` and perhaps ``node`` and ``returned_step``.
    metrics
        Figures for the header by their short names (``NE`` in metres, ``SR``, ``nDTW`` as fractions); ``None`` is
        shown as missing.
    compare
        An older run of the same episode, drawn over this one.
    compare_label, compare_metrics
        How to name it, and its figures.
    title
        Heading of the player; the episode's id where ``None``.
    notes
        Sentences that the player shows below its header (what could not be read, for example).
    running
        Whether more may come. Without an end, a trace of ours counts as running unless this is ``False`` (for
        a log that is only read): then the player says that the end is missing.

    Returns
    -------
    A dict that ``json.dumps`` takes; its keys stand in the module's docstring.
    """
    steps = tuple(_steps(trace, graph))
    others = tuple(_steps(compare, graph)) if compare is not None else ()
    cut = cut_graph(graph, _essential(trace, steps, compare, others))
    pois = PoiTable(graph, cut, _landmarks(trace), (*steps, *others))
    writer = Writer(graph, cut.index, pois, Strings())
    document: dict[str, Any] = {
        "version": DOCUMENT_VERSION,
        "frame": graph.frame,
        "world": graph.name,
        "title": title or f"Episode {trace.episode.id}",
        **_header(trace),
        "episode": _episode(trace, writer),
        **_graph(cut, graph),
        **indoor_part(graph, cut),
        "reference": [writer.node(node) for node in trace.episode.reference_path],
        **_run(trace, steps, writer),
        "metrics": _finite(metrics),
        "divergence": _divergence(divergence, writer),
        "compare": None,
        "notes": list(notes),
    }
    if running is not None:
        document["running"] = running and trace.end is None
    if running is False and trace.end is None and trace.waypoints is None:
        document["notes"].append("The log does not say how the run ended: it was cut off, or has not ended yet.")
    if compare is not None:
        document["compare"] = {
            "label": compare_label or compare.header.run or compare.header.navigator,
            **_header(compare),
            **_overlay(compare, others, writer),
            "metrics": _finite(compare_metrics),
            "first_difference": _first_difference(steps, others),
        }
    document["pois"] = pois.dump()
    document["strings"] = writer.strings.dump(TEXT_LIMIT_CHARS)
    return document


def _header(trace: Trace) -> dict[str, Any]:
    header = trace.header
    fork = header.forked_from
    return without_none(
        {
            "run": header.run,
            "navigator": header.navigator,
            "model": header.model,
            "settings": header.settings,
            "created": header.created or None,
            "source": header.source,
            "forked_from": fork.model_dump(mode="json") if fork else None,
        }
    )


def _episode(trace: Trace, writer: Writer) -> dict[str, Any]:
    episode = trace.episode
    return without_none(
        {
            "id": episode.id,
            "dataset": episode.dataset,
            "split": episode.split,
            "instruction": episode.instruction,
            "start": writer.node(episode.start),
            "start_heading_deg": episode.start_heading_deg,
            "goal": writer.node(episode.goal),
            "success_radius_m": episode.success_radius_m,
            "language": episode.language,
            "tasks": [
                {"description": task.description, "goals": [writer.node(goal) for goal in task.goals]}
                for task in episode.tasks
            ],
        }
    )


def _graph(cut: Cut, graph: Graph) -> dict[str, Any]:
    return {
        "nodes": {"ids": cut.ids, "at": [value for p in cut.positions for value in p], "crossings": cut.crossings},
        "links": cut.links,
        "streets": cut.streets,
        "backdrop": backdrop(graph.info.backdrop, cut),
        "graph": {"nodes": len(graph), "attribution": graph.info.attribution},
    }


def _run(trace: Trace, steps: Sequence[Step], writer: Writer) -> dict[str, Any]:
    """What the agent planned, did, and how it ended."""
    tally = writer.tally(trace.plan_calls)
    planning = without_none(
        {
            "sub_goals": writer.plan(trace.sub_goals or trace.episode.sub_goals),
            "landmarks": [mark.model_dump(mode="json", exclude_none=True) for mark in _landmarks(trace)],
            "calls": [writer.call(call) for call in trace.plan_calls],
            "panels": [writer.panel(panel) for panel in trace.plan_panels],
            "so_far": tally.dump(),
        }
    )
    told = [writer.step(step, tally) for step in steps]
    _fill_distances(told, steps, trace, writer.graph)
    end = trace.end
    return {
        "planning": planning,
        "steps": told,
        "end": None
        if end is None
        else without_none(
            {
                "status": end.status,
                "reason": end.reason,
                "node": writer.node(end.node or (trace.path[-1] if steps else None)),
                "plan": writer.plan(end.plan) or None,
            }
        ),
        "running": end is None and trace.waypoints is None,
        "streaming": {channel: text for channel, text in trace.streaming.items() if text},
    }


def _overlay(trace: Trace, steps: Sequence[Step], writer: Writer) -> dict[str, Any]:
    """The older run of a comparison: its way, plan and decisions, without prompts and thoughts."""
    return {
        "instruction": trace.episode.instruction,
        "sub_goals": writer.plan(trace.sub_goals or trace.episode.sub_goals),
        "steps": [
            without_none(
                {
                    "node": writer.node(step.node),
                    "target": writer.node(step.decision.target) if step.decision else None,
                    "path": [writer.node(node) for node in step.path],
                }
            )
            for step in steps
        ],
        "end": None if trace.end is None else writer.node(trace.end.node),
    }


def _first_difference(steps: Sequence[Step], others: Sequence[Step]) -> int | None:
    """First step (from 1) at which two runs stand elsewhere, decide or walk differently; ``None`` if they are alike."""
    for step, other in zip(steps, others, strict=False):
        if _doing(step) != _doing(other):
            return step.index
    if len(steps) == len(others):
        return None
    return min(len(steps), len(others)) + 1


def _doing(step: Step) -> tuple[object, ...]:
    target = step.decision.target if step.decision else None
    return step.node, target, step.path


def _steps(trace: Trace, graph: Graph) -> Iterator[Step]:
    """The trace's steps; where a foreign log holds waypoints alone, one step a waypoint."""
    if trace.steps or not trace.waypoints:
        yield from trace.steps
        return
    following = [*trace.waypoints[1:], None]
    for k, (here, there) in enumerate(zip(trace.waypoints, following, strict=True), start=1):
        way: tuple[str, ...] = ()
        if here in graph and there in graph and here != there:
            way = graph.hops(str(here), str(there)) or ()
        yield Step(index=k, node=here, path=way)


def _landmarks(trace: Trace) -> tuple[Landmark, ...]:
    return trace.landmarks or trace.episode.landmarks


def _essential(trace: Trace, steps: Sequence[Step], compare: Trace | None, others: Sequence[Step]) -> Iterable[str]:
    """Nodes that a document cannot do without."""
    episode = trace.episode
    yield from (episode.start, *episode.reference_path)
    yield from (goal for task in episode.tasks for goal in task.goals)
    ends = [run.end.node for run in (trace, compare) if run is not None and run.end is not None]
    for node in (episode.goal, *ends, *(node for step in (*steps, *others) for node in _nodes_of(step))):
        if node is not None:
            yield node


def _nodes_of(step: Step) -> Iterator[str | None]:
    yield step.node
    yield from step.path
    if step.decision is not None:
        yield step.decision.target
    if step.observation is None:
        return
    yield from step.observation.visible_nodes
    yield from (poi.node for poi in step.observation.pois)
    for candidate in step.observation.candidates:
        yield candidate.node
        yield from candidate.path


def _fill_distances(told: list[dict[str, Any]], steps: Sequence[Step], trace: Trace, graph: Graph) -> None:
    """Distance to the goal in metres after each step, where both are known: straight outdoors, walked indoors."""
    goal = trace.episode.goal or (trace.episode.reference_path[-1] if trace.episode.reference_path else None)
    if not steps or goal is None or goal not in graph:
        return
    walked = graph.geodesics_from(goal) if graph.frame == "metric" else {}
    following = [step.node for step in steps[1:]] + [trace.end.node if trace.end else None]
    for entry, step, after in zip(told, steps, following, strict=True):
        place = step.path[-1] if step.path else after or step.node
        if place is None or place not in graph:
            continue
        if graph.frame == "geo":
            entry["to_goal_m"] = round(graph.distance_m(place, goal), 1)
        elif place in walked:
            entry["to_goal_m"] = round(walked[place], 1)


def _divergence(divergence: object | None, writer: Writer) -> dict[str, Any] | None:
    if divergence is None:
        return None
    step = getattr(divergence, "step", None)
    kind = getattr(divergence, "kind", None)
    sentence = getattr(divergence, "sentence", None)
    if not isinstance(step, int) and not sentence:
        return None
    returned = getattr(divergence, "returned_step", None)
    found = {
        "step": step if isinstance(step, int) else None,
        "kind": str(kind) if kind is not None else None,
        "sentence": str(sentence) if sentence else None,
        "node": writer.node(getattr(divergence, "node", None)),
        "returned_step": returned if isinstance(returned, int) else None,
    }
    return without_none(found)


def _finite(metrics: Mapping[str, float | None] | None) -> dict[str, float | None]:
    """Figures as JSON knows them: what is not a finite number is missing."""
    return {
        name: float(value) if value is not None and math.isfinite(value) else None
        for name, value in (metrics or {}).items()
    }
