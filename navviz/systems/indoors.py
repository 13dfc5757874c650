"""What the navigators of houses share: find the place after a past, look around at a viewpoint."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import pairwise

from navviz.errors import InputError
from navviz.observations.panorama import look_around, observations_of, observe, views_panel
from navviz.records import (
    Candidate,
    Episode,
    Event,
    Observation,
    ObservationEvent,
    PanelEvent,
    StepEvent,
    SubGoal,
    Trace,
)
from navviz.world.graph import Graph


def place_after(episode: Episode, graph: Graph, past: Trace | None) -> tuple[str, float, int]:
    """Node, heading and number of the last step; at the start where there is no past.

    Raises `InputError` when the episode starts outside of the house.
    """
    if episode.start not in graph:
        raise InputError(
            f"viewpoint {episode.start} is not in {graph.name}",
            "open its house",
            episode=episode.id,
        )
    node = episode.start
    heading = episode.start_heading_deg if episode.start_heading_deg is not None else 0.0
    if past is None:
        return node, heading, 0
    for step in past.steps:
        for a, b in pairwise(step.path):
            node, heading = b, graph.heading_deg(a, b)
    return node, heading, past.steps[-1].index if past.steps else 0


def see(
    graph: Graph, index: int, node: str, heading_deg: float, plan: tuple[SubGoal, ...] = ()
) -> Generator[Event, None, Observation]:
    """Begin a step with what a viewpoint's texts say; returns the observation."""
    views = look_around(graph, node, heading_deg)
    seen = observe(views, described=node in observations_of(graph).scenes)
    current = next((k for k, goal in enumerate(plan) if goal.status == "IN_PROGRESS"), None)
    yield StepEvent(index=index, node=node, heading_deg=heading_deg, plan=plan, sub_goal=current)
    yield ObservationEvent(observation=seen)
    yield PanelEvent(panel=views_panel(views))
    return seen


def mark_chosen(candidates: Iterable[Candidate], chosen: str | None) -> tuple[Candidate, ...]:
    """Return the candidates with the one that leads to the chosen node marked, if any does."""
    marked = []
    for way in candidates:
        if way.node == chosen:
            marked.append(way.model_copy(update={"state": "chosen"}))
        else:
            marked.append(way)
    return tuple(marked)


def plan_at(parts: Iterable[str], done: int, tries: int | None = 1) -> tuple[SubGoal, ...]:
    """Return the parts of an instruction as sub-goals."""
    goals = []
    for k, part in enumerate(parts):
        if k < done:
            goal = SubGoal(description=part, status="COMPLETED")
        elif k == done:
            goal = SubGoal(description=part, status="IN_PROGRESS", iteration=tries)
        else:
            goal = SubGoal(description=part, status="TODO")
        goals.append(goal)
    return tuple(goals)
