"""The expert's way through the targets of a task, and the task as an episode."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from navviz.errors import InputError
from navviz.records import Episode, Task
from navviz.systems.lhvln.navgen.backward import Action
from navviz.systems.lhvln.navgen.checks import Written, cut_end, forms_of, things_of
from navviz.systems.lhvln.navgen.places import Places
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.tours import tour

DATASET = "NavGen"
FORWARD_M = 0.25
"""One forward action, as in LH-VLN."""
TURN_DEG = 30.0
"""One turn action, as in LH-VLN."""
_RADII_M = {"geo": 25.0, "metric": 1.0}


@dataclass(frozen=True, slots=True)
class Motions:
    """A path as the actions of a robot."""

    actions: tuple[Action, ...]
    targets: tuple[str, ...]
    """What each action is made for."""
    nodes: tuple[str, ...]
    """The node towards which each action goes."""


def motions_of(
    graph: Graph, legs: Sequence[Sequence[str]], targets: Sequence[str], heading_deg: float
) -> Motions:
    """Round turns to 30 degrees and lengths to 0.25 m; what rounding leaves of a turn goes into the
    next one.
    """
    actions: list[Action] = []
    names: list[str] = []
    nodes: list[str] = []
    heading = heading_deg
    for leg, target in zip(legs, targets, strict=True):
        for here, there in pairwise(leg):
            turns = round(turn_deg(heading, graph.heading_deg(here, there)) / TURN_DEG)
            forwards = round(graph.distance_m(here, there) / FORWARD_M)
            turn: Action = "turn_right" if turns > 0 else "turn_left"
            new: list[Action] = [turn] * abs(turns) + ["move_forward"] * forwards
            actions += new
            names += [target] * len(new)
            nodes += [there] * len(new)
            heading = (heading + turns * TURN_DEG) % 360.0
    return Motions(tuple(actions), tuple(names), tuple(nodes))


def episode_of_task(
    written: Written,
    places: Places,
    graph: Graph,
    start: str,
    *,
    author: str,
    robot: str,
    start_heading_deg: float = 0.0,
) -> Episode:
    """Return a checked task as an episode with its expert's path.

    Parameters
    ----------
    written, places
        The task and the world that it was checked against.
    graph, start
        Where it begins; in a scene without ways there is no path.
    author
        ``rules``, or the model's name.

    Raises
    ------
    InputError
        When a target cannot be reached from the one before.
    """
    things = things_of(written, places)
    tasks = []
    for k, (form, thing) in enumerate(things):
        task = Task(
            description=f"Move_to('{form.name}_{form.region}')",
            goals=thing.goals,
            region=None if places.outdoors else places.regions[form.region].label,
            target=thing.name,
            poi=thing.poi if thing.poi in graph.pois else None,
            actions=_after(written, k),
        )
        tasks.append(task)
    legs = tour(graph, start, [task.goals for task in tasks]) if places.walkable else ()
    if legs is None:
        raise InputError(
            "a target cannot be reached", "choose another start or task", field="start"
        )
    path: tuple[str, ...] = ()
    for leg in legs:
        # a leg begins where the one before it ends
        path += leg[1:] if path else leg
    # of world, start and words: the same task has the same id in every run, which hash() would not
    # give
    key = hashlib.sha256(f"{places.world}|{start}|{written.instruction}".encode()).hexdigest()[:8]
    extra = {
        "author": author,
        "robot": robot,
        "subtask_list": list(written.subtasks),
        "gt_step": [len(leg) - 1 for leg in legs] or None,
    }
    if any(places.regions[form.region].guessed for form, _ in things):
        extra["rooms"] = "guessed"
    return Episode(
        id=f"task-{key}",
        dataset=DATASET,
        instruction=cut_end(written.instruction),
        world=places.world,
        start=start,
        start_heading_deg=start_heading_deg,
        reference_path=path,
        goal=path[-1] if path else None,
        success_radius_m=_RADII_M[graph.frame],
        tasks=tuple(tasks),
        extra=extra,
    )


def _after(written: Written, k: int) -> tuple[str, ...]:
    """Grabs and releases that follow the k-th move."""
    seen, texts = -1, []
    for text, form in zip(written.subtasks, forms_of(written.subtasks), strict=True):
        if form is not None and form.kind == "Move_to":
            seen += 1
        elif seen == k:
            texts.append(text)
    return tuple(texts)
