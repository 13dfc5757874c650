"""Rename the places of a free walk: poses of two walks share their names, and lie elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from navviz.records.base import Position
from navviz.records.step import Step
from navviz.records.trace import Trace


def own_places(traces: Iterable[Trace]) -> list[Trace]:
    """Return walks whose poses and own places share no name; those on nodes are as they are."""
    # walk 1 is the one that these are compared with; it keeps its names
    return [with_own_places(trace, f"walk {k}") for k, trace in enumerate(traces, start=2)]


def with_own_places(trace: Trace, label: str) -> Trace:
    """Return a walk whose poses and own places carry a label before their names.

    A walk from node to node comes back as it is.
    """
    poses = trace.poses
    if not poses:
        return trace
    names = {name: f"{label}: {name}" for name in poses}
    episode = trace.episode
    # nodes of the graph keep their names here and below: in both walks they are the same places
    reference = tuple(names.get(node, node) for node in episode.reference_path)
    own = {
        "start": names.get(episode.start, episode.start),
        "goal": names.get(episode.goal or "", episode.goal),
        "reference_path": reference,
        "places": _renamed(episode.places, names),
    }
    header = {
        "episode": episode.model_copy(update=own),
        "poses": _renamed(trace.header.poses, names),
    }
    changes: dict[str, object] = {
        "header": trace.header.model_copy(update=header),
        "steps": tuple(_step(step, names) for step in trace.steps),
    }
    if trace.end is not None:
        node = names.get(trace.end.node or "", trace.end.node)
        changes["end"] = trace.end.model_copy(update={"node": node})
    return trace.model_copy(update=changes)


def _renamed(places: Mapping[str, Position], names: Mapping[str, str]) -> dict[str, Position]:
    return {names.get(name, name): place for name, place in places.items()}


def _step(step: Step, names: Mapping[str, str]) -> Step:
    changes: dict[str, object] = {
        "node": names.get(step.node or "", step.node),
        "path": tuple(names.get(node, node) for node in step.path),
    }
    if step.decision is not None:
        target = names.get(step.decision.target or "", step.decision.target)
        changes["decision"] = step.decision.model_copy(update={"target": target})
    return step.model_copy(update=changes)
