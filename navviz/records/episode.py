"""What is asked of a navigator: an instruction with its start, and where known its route and goal."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from navviz.records.base import Record

__all__ = ["Episode", "Landmark", "StepTask", "SubGoal", "SubGoalStatus", "Task"]

SubGoalStatus = Literal["TODO", "IN_PROGRESS", "COMPLETED", "SKIPPED"]
"""``SKIPPED``: passed over without having been due (SkillNav); it does not count as done."""


class Landmark(Record):
    """A place that the instruction speaks of."""

    name: str
    category: str | None = None
    relative_position: str | None = None
    letter: str | None = None
    """The letter under which prompts and map show it."""


class SubGoal(Record):
    """One part of the plan."""

    description: str
    status: SubGoalStatus = "TODO"
    iteration: int | None = None
    """How many tries a sub-goal in progress has had, counted from 1."""


class Task(Record):
    """One sub-task of a long-horizon episode (LH-VLN): go to one of `goals`."""

    description: str
    goals: tuple[str, ...] = ()
    """Node ids at which the sub-task counts as done."""
    region: str | None = None
    target: str | None = None
    """Name of the object or place."""
    poi: str | None = None
    """Id of its POI, where the world has it."""
    actions: tuple[str, ...] = ()
    """What is to be done there, in words (grab, release); nobody walks for it."""


class StepTask(Record):
    """A stretch of a long-horizon episode that is also a short task of its own (LH-VLN's step-by-step tasks)."""

    first_step: int
    """First step of the walk that it covers, counted from 1."""
    last_step: int
    instruction: str = ""
    target: str | None = None
    start_position: tuple[float, float, float] | None = None
    """Where it was recorded to begin, ``(x, y, z)`` in metres."""
    segments: tuple[tuple[int, int, str], ...] = ()
    """``(first step, last step, label)`` of its parts, as NavGen cuts them."""


class Episode(Record):
    """An instruction with its start and, where the data set has them, its route and goal."""

    id: str
    dataset: str
    split: str | None = None
    instruction: str
    world: str = ""
    """Name of the graph: a city, a sample world, a Matterport3D scan."""
    start: str
    start_heading_deg: float | None = None
    reference_path: tuple[str, ...] = ()
    """Node ids from start to goal; empty where nobody knows the route (drawn or unseen episodes)."""
    goal: str | None = None
    success_radius_m: float = 25.0
    """25 m outdoors, 3 m indoors, 1 m in LH-VLN."""
    sub_goals: tuple[SubGoal, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    tasks: tuple[Task, ...] = ()
    step_tasks: tuple[StepTask, ...] = ()
    path_id: str | None = None
    """Id of the route where several instructions share one (R2R)."""
    language: str | None = None
    extra: dict[str, Any] = Field(default_factory=dict)
    """What a data set adds (difficulty, human label, target object ...), by its own names."""
