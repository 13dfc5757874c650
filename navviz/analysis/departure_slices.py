"""At which junctions agents leave the route: slices over junctions instead of episodes.

Counted is each junction of the reference path that the agent came to before it first left the path,
and the one where it did. Whether it leaves at a junction is asked only of walks that came so far (a
discrete-time hazard: Allison 1982, doi:10.2307/270718), so that junctions of one walk may be
counted as separate trials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from navviz.analysis.landmarks import LandmarkFate, fate_of_landmarks
from navviz.analysis.slices import (
    Slice,
    banded,
    content_words,
    degree_feature,
    find_slices,
    poi_kind,
    turn_feature,
)
from navviz.language.skills import skill_by_rules
from navviz.metrics.departures import ReferenceWalk, follow, moves_of, route_of
from navviz.records import Step, Trace
from navviz.world.geometry import great_circle_m
from navviz.world.graph import Graph

_LANDMARK_M: Final = 30.0
"""A landmark this near to a junction stands at it: half the width of a crossing of two avenues."""
_THIRDS: Final = ("first", "middle", "last")


@dataclass(frozen=True, slots=True)
class Passage:
    """One junction of the reference path that an agent came to while it followed the path."""

    episode: str
    place: int
    """Where on the reference path, counted from 0."""
    node: str
    step: int | None
    """Index of the step that went on from it, counted from 1."""
    left: bool
    """Whether the agent left the path here."""
    features: frozenset[str]

    @property
    def key(self) -> str:
        """Name it among those of a run."""
        return f"{self.episode} {self.place}"


def departure_slices(traces: Mapping[str, Trace], graph_of: Callable[[str], Graph]) -> list[Slice]:
    """Find at what kinds of junction a run's agents leave the route; see `find_slices`."""
    features, left = {}, {}
    for trace in traces.values():
        for passage in passages(trace, graph_of(trace.episode.world)):
            features[passage.key] = passage.features
            left[passage.key] = passage.left
    return [replace(each, unit="junction") for each in find_slices(features, left)]


def passages(trace: Trace, graph: Graph) -> list[Passage]:
    """List the junctions that an agent came to before it first left the path, and the one where it
    did.

    Empty where nobody knows the route, and where the first departure was an overshoot or lay at no
    junction the list ends before it.
    """
    path = trace.episode.reference_path
    # between two nodes there is no junction
    if len(path) < 3 or any(node not in graph for node in path):
        return []
    moves = [(step, node) for step, node in moves_of(trace) if node in graph]
    walk = follow(route_of(trace.episode, graph, [node for _, node in moves]), moves, graph)
    # without steps, so that places near the route count, and none near the agent's own way
    fates = fate_of_landmarks(trace.model_copy(update={"steps": (), "waypoints": None}), graph)
    # the step that first went on from each node
    steps: dict[str, Step] = {}
    here = trace.episode.start
    for step, node in moves_of(trace):
        if node != here:
            steps.setdefault(here, step)
        here = node
    return list(_passages(trace, graph, walk, steps, fates))


def _passages(
    trace: Trace,
    graph: Graph,
    walk: ReferenceWalk,
    steps: Mapping[str, Step],
    fates: tuple[LandmarkFate, ...],
) -> Iterator[Passage]:
    path = trace.episode.reference_path
    first = walk.departures[0] if walk.departures else None
    # where the walk never left, it did not go on from the junction at which it ended
    last = first.place if first is not None else (walk.place or 0) - 1
    # start and goal have no link before or behind them, and so no turn
    for place in range(1, min(last, len(path) - 2) + 1):
        node = path[place]
        left = first is not None and place == first.place
        wrong = left and first is not None and (first.kind != "wrong turn" or first.node != node)
        if graph.degree(node) <= 2 or wrong:
            continue
        step = steps.get(node)
        done = graph.path_length_m(path[: place + 1]) / max(graph.path_length_m(path), 1e-9)
        # the very end would be in a fourth third
        third = _THIRDS[min(int(3 * done), 2)]
        turn = turn_feature(graph, path[place - 1], node, path[place + 1])
        features = (
            {turn, degree_feature(graph.degree(node)), f"the {third} third of the route"}
            | _landmark_features(graph, node, fates)
            | _plan(trace, step)
        )
        yield Passage(
            trace.episode.id,
            place,
            node,
            step.index if step is not None else None,
            left,
            frozenset(features),
        )


def _landmark_features(graph: Graph, node: str, fates: tuple[LandmarkFate, ...]) -> set[str]:
    """Landmarks of the instruction that stand at the junction."""
    here = graph.position(node)
    pois = [graph.pois[fate.poi] for fate in fates if fate.poi is not None]
    near = [poi for poi in pois if _distance_m(graph, here, poi.position) <= _LANDMARK_M]
    if not near:
        # a text without any landmark says nothing of this junction
        return {"no named landmark"} if fates else set()
    return {f"landmark there: {poi_kind(poi)}" for poi in near} | {"a named landmark"}


def _distance_m(graph: Graph, a: tuple[float, ...], b: tuple[float, ...]) -> float:
    if graph.frame == "geo":
        return float(great_circle_m((a[0], a[1]), (b[0], b[1])))
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)


def _plan(trace: Trace, step: Step | None) -> set[str]:
    """Tell the sub-goal that was due, by number, words and skill, and the shown area's size."""
    if step is None:
        return set()
    features: set[str] = set()
    if step.observation is not None and step.observation.visible_nodes:
        features |= set(banded("nodes shown", len(step.observation.visible_nodes), (25, 50, 100)))
    plan = step.plan or trace.sub_goals
    if step.sub_goal is None or not 0 <= step.sub_goal < len(plan):
        return features
    due = plan[step.sub_goal].description
    skill = skill_by_rules(due)
    features |= {f"sub-goal word: {word}" for word in content_words(due.replace("_", " "))}
    features |= {f"sub-goal skill: {skill.value}"} if skill is not None else set()
    third = _THIRDS[min(3 * step.sub_goal // len(plan), 2)]
    return features | {f"sub-goal {step.sub_goal + 1} due", f"the {third} third of the plan"}
