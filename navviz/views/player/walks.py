"""The walks of the player's document: the episode's own, step by step, and others of the same
episode as far as they are drawn over it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from navviz.metrics.stages import StageWalk
from navviz.observations.pictures.episode import WalkPictures
from navviz.records import Landmark, Panel, Step, Trace
from navviz.views.player.cut import rounded
from navviz.views.player.schema import (
    ComparedStep,
    EndEntry,
    LandmarkEntry,
    Planning,
    Streaming,
)
from navviz.views.player.stages import (
    distances_to_targets,
    stage_panels,
)
from navviz.views.player.writer import Writer, shared
from navviz.world.graph import Graph


def run_parts(
    trace: Trace,
    steps: Sequence[Step],
    writer: Writer,
    stages: Sequence[StageWalk],
    places: Mapping[str, Sequence[float] | str],
) -> dict[str, Any]:
    """Return what the agent planned, did, and how it ended."""
    tally = writer.tally(trace.plan_calls)
    planning = Planning(
        sub_goals=writer.plan(trace.sub_goals or trace.episode.sub_goals),
        landmarks=[_landmark(mark, places, writer.graph) for mark in landmarks_of(trace)],
        calls=[writer.call(call) for call in trace.plan_calls],
        panels=[writer.panel(panel) for panel in trace.plan_panels],
        so_far=tally.spent(),
    )
    distances = _distances(steps, trace, writer.graph)
    to_target = distances_to_targets(stages, trace) if stages else [None] * len(steps)
    panels = stage_panels(stages)
    entries = []
    # In the order of the walk: each entry holds what the run had spent until its end.
    rows = zip(steps, distances, to_target, strict=True)
    for number, (step, to_goal_m, to_target_m) in enumerate(rows):
        shown = _with_panels(step, panels)
        entries.append(writer.step(shown, tally, to_goal_m, to_target_m, number))
    streaming = {channel: text for channel, text in trace.streaming.items() if text}
    return {
        "planning": planning,
        "steps": entries,
        "end": _end(trace, steps, writer),
        "running": trace.end is None and trace.waypoints is None,
        "streaming": Streaming(**streaming),
    }


def _landmark(
    mark: Landmark, places: Mapping[str, Sequence[float] | str], graph: Graph
) -> LandmarkEntry:
    """Return a landmark with its place on the map, or with the reason why it has none."""
    entry = LandmarkEntry(**shared(mark, LandmarkEntry))
    place = places.get(mark.name)
    if place is None:
        return entry
    if isinstance(place, str):
        return entry.model_copy(update={"unplaced": place})
    return entry.model_copy(update={"at": list(rounded(tuple(place), graph.frame))})


def _with_panels(step: Step, panels: Mapping[int, Sequence[Panel]]) -> Step:
    more = panels.get(step.index)
    return step.model_copy(update={"panels": (*step.panels, *more)}) if more else step


def _end(trace: Trace, steps: Sequence[Step], writer: Writer) -> EndEntry | None:
    end = trace.end
    if end is None:
        return None
    node = end.node or (trace.path[-1] if steps else None)
    return EndEntry(
        status=end.status,
        reason=end.reason,
        node=writer.node(node),
        plan=writer.plan(end.plan) or None,
    )


def overlay_parts(
    trace: Trace, steps: Sequence[Step], writer: Writer, pictures: WalkPictures | None
) -> dict[str, Any]:
    """Return the older run of a comparison: way, plan, decisions, pictures; no prompts."""
    way = way_parts(trace, steps, writer)
    if pictures is not None:
        for number, (step, entry) in enumerate(zip(steps, way["steps"], strict=True)):
            views = writer.pictures.step(step, number, pictures) or None
            way["steps"][number] = entry.model_copy(update={"views": views})
    return {
        "instruction": trace.episode.instruction,
        "sub_goals": writer.plan(trace.sub_goals or trace.episode.sub_goals),
        **way,
    }


def way_parts(trace: Trace, steps: Sequence[Step], writer: Writer) -> dict[str, Any]:
    """Return where a run walked, step by step."""
    end = writer.node(trace.end.node) if trace.end is not None else None
    return {"steps": [_compared_step(step, writer) for step in steps], "end": end}


def _compared_step(step: Step, writer: Writer) -> ComparedStep:
    target = step.decision.target if step.decision else None
    return ComparedStep(
        node=writer.node(step.node),
        target=writer.node(target),
        path=writer.places(step.path),
        heading_deg=step.heading_deg,
    )


def first_difference(steps: Sequence[Step], others: Sequence[Step]) -> int | None:
    """Return the first step (from 1) at which two runs stand, decide or walk differently.

    ``None`` if they are alike.
    """
    # up to the end of the shorter run: where that is all alike, the lengths decide below
    for step, other in zip(steps, others, strict=False):
        if _stand_and_move(step) != _stand_and_move(other):
            return step.index
    if len(steps) == len(others):
        return None
    return min(len(steps), len(others)) + 1


def _stand_and_move(step: Step) -> tuple[object, ...]:
    target = step.decision.target if step.decision else None
    return step.node, target, step.path


def landmarks_of(trace: Trace) -> tuple[Landmark, ...]:
    """Return the landmarks that the agent named, else those of the episode."""
    return trace.landmarks or trace.episode.landmarks


def _distances(steps: Sequence[Step], trace: Trace, graph: Graph) -> list[float | None]:
    """Return the distance to the goal in metres after each step: straight outdoors, walked indoors.

    ``None`` where the goal or the place of the agent is missing.
    """
    goal = trace.episode.goal
    if not goal and trace.episode.reference_path:
        goal = trace.episode.reference_path[-1]
    if not steps or goal is None or goal not in graph:
        return [None] * len(steps)
    # one search from the goal serves all steps
    walked = graph.geodesics_from(goal) if graph.frame == "metric" else {}
    end_node = trace.end.node if trace.end else None
    following = [*(step.node for step in steps[1:]), end_node]
    distances: list[float | None] = []
    for step, after in zip(steps, following, strict=True):
        # some logs have no paths: then the step went to where the next one stands
        place = step.path[-1] if step.path else after or step.node
        if place is None or place not in graph:
            distances.append(None)
        elif graph.frame == "geo":
            distances.append(round(graph.distance_m(place, goal), 1))
        else:
            distances.append(round(walked[place], 2) if place in walked else None)
    return distances
