"""Episodes that a user draws on a map: one goal, or several targets in order."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence

from navviz.language.mentions import readable
from navviz.language.rooms import room_word
from navviz.records import Episode, Task
from navviz.records.base import capital
from navviz.world.geometry import great_circle_m
from navviz.world.graph import Graph, Poi
from navviz.world.link_lines import departure_deg

DATASET = "drawn"

_RADII_M = {"geo": 25.0, "metric": 3.0}
_NEAR_M = {"geo": 40.0, "metric": 2.5}
_CLAUSE = re.compile(
    r"(?<=[.!?;])\s++|(?:,|(?<![\s,]))\s++(?:and\s++)?then\s++|,\s++and\s++", re.IGNORECASE
)


def drawn_episode(graph: Graph, start: str, legs: Sequence[Sequence[str]]) -> Episode:
    """Return the episode of a drawing; each of several targets is a sub-task."""
    targets = [leg[-1] for leg in legs]
    route = list(legs[0])
    for leg in legs[1:]:
        route += leg[1:]  # a leg begins where the one before it ends
    tasks: list[Task] = []
    if len(targets) > 1:
        tasks = [_task(graph, node, k) for k, node in enumerate(targets, start=1)]
    # the same drawing has the same id, so that its walks are found again
    key = hashlib.sha256("|".join([graph.name, start, *targets]).encode()).hexdigest()[:8]
    heading_deg = departure_deg(graph, route[0], route[1]) if len(route) > 1 else 0.0
    return Episode(
        id=f"drawn-{key}",
        dataset=DATASET,
        instruction="",
        world=graph.name,
        start=start,
        start_heading_deg=round(heading_deg, 2),
        reference_path=tuple(route),
        goal=targets[-1],
        success_radius_m=_RADII_M[graph.frame],
        tasks=tuple(tasks),
    )


def _task(graph: Graph, node: str, number: int) -> Task:
    name = place_name(graph, node)
    if name is None:
        return Task(description=f"Go to target {number}.", goals=(node,))
    target_name = name if name[:1].isupper() else f"the {name}"
    return Task(description=f"Walk to {target_name} and stop there.", goals=(node,), target=name)


def place_name(graph: Graph, node: str) -> str | None:
    """Return what a node may be called: a named place or an object near it, or its room."""
    near = graph.pois_near(graph.position(node), _NEAR_M[graph.frame])
    named = [poi for poi in near if "name" in poi.tags]
    if named:
        return min(named, key=lambda poi: _distance_m(graph, node, poi)).name
    seen = graph.info.observations
    return room_word(seen.summaries.get(node, "")) if seen else None


def _distance_m(graph: Graph, node: str, poi: Poi) -> float:
    here = graph.position(node)
    if graph.frame == "geo":
        return float(great_circle_m(here, poi.position))
    return math.dist(here[:2], poi.position[:2])


def clauses(instruction: str) -> tuple[str, ...]:
    """Return an instruction cut at sentence ends and at "then"; very long ones are not cut."""
    near = readable(instruction)
    *parts, last = _CLAUSE.split(near)
    # what `readable` left off comes back behind the last clause
    parts = [part.strip(" ,;") for part in (*parts, last + instruction[len(near) :])]
    return tuple(capital(part) for part in parts if part)


def in_own_words(episode: Episode) -> Episode:
    """Return a drawn episode whose sub-tasks take the instruction's clauses, if as many."""
    parts = clauses(episode.instruction)
    if episode.dataset != DATASET or len(parts) != len(episode.tasks):
        return episode
    tasks = []
    for task, part in zip(episode.tasks, parts, strict=True):
        description = part if part.endswith((".", "!", "?")) else f"{part}."
        tasks.append(task.model_copy(update={"description": description}))
    return episode.model_copy(update={"tasks": tuple(tasks)})
