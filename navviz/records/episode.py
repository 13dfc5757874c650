"""What a navigator is asked to do: an instruction, its start and, if given, its route and goal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from navviz.records.base import NodeId, Place, Position, Record, as_id
from navviz.support.cut_texts import cut_name, cut_text

SubGoalStatus = Literal["TODO", "IN_PROGRESS", "COMPLETED", "SKIPPED"]
"""``SKIPPED``: passed over without having been due (SkillNav); it does not count as done."""
START_POSE = "pose 0"
"""Name of the place where an episode starts that is given by its position."""
OFF_MAP = "off the map"
"""World of a walk in degrees whose places are on none of the open maps: it draws its own ground."""
GOAL_POSE = "goal"
REFERENCE_POSE = "reference {}"
"""Name of a point of a reference path that is given by positions, counted from 1."""

LONGEST_INSTRUCTION = 20_000
"""Characters; the longest of any published data set has some 3,000 (RxR)."""
_BLANKS = re.compile(r"\s{33,}+")


class Landmark(Record):
    """A place that the instruction speaks of."""

    name: Annotated[str, AfterValidator(cut_name)]
    category: str | None = None
    relative_position: str | None = None
    letter: str | None = None
    """The letter under which prompts and map show it."""


def _cut_description(text: str) -> str:
    return cut_text(text, LONGEST_INSTRUCTION)


class SubGoal(Record):
    """One part of the plan."""

    description: Annotated[str, AfterValidator(_cut_description)]
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
    """A stretch of a long-horizon episode that is also a short task (LH-VLN: step-by-step task)."""

    first_step: int
    """First step of the walk that it covers, counted from 1."""
    last_step: int
    instruction: str = ""
    target: str | None = None
    start_position: tuple[float, float, float] | None = None
    """Where it was recorded to begin, ``(x, y, z)`` in metres."""
    segments: tuple[tuple[int, int, str], ...] = ()
    """``(first step, last step, label)`` of its parts, as NavGen cuts them."""


def readable_instruction(text: str) -> str:
    """Return an instruction of a length that can be analysed.

    A run of more than 32 blanks becomes one, or one line break, and a text of more than 20,000
    characters is cut; it then ends with a sentence that says so. Everything that reads instructions
    looks for words in them, in time that grows with such runs.
    """
    text = _BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
    return cut_text(text, LONGEST_INSTRUCTION)


class Episode(Record):
    """An instruction with its start and, where the data set has them, its route and goal.

    `start`, `goal` and the points of `reference_path` are node ids of the world; whole numbers
    become text. Each may be given as a position instead, ``(x, y, z)`` in metres; it then gets a
    name, and stands in `places`.

    Raises
    ------
    RecordError
        For a field that is missing, unknown or of a wrong type.
    """

    id: str
    dataset: str
    split: str | None = None
    instruction: str
    world: str = ""
    """Name of the graph: a city, a sample world, a Matterport3D scan."""
    start: str
    start_heading_deg: float | None = None
    reference_path: tuple[str, ...] = ()
    """Node ids from start to goal; empty where nobody knows the route (drawn or unseen episodes).
    """
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
    places: dict[str, Position] = Field(default_factory=dict, exclude_if=lambda places: not places)
    """Positions of start, goal and reference points that are no nodes of the world."""
    reference_positions: tuple[Position, ...] = Field(default=(), exclude_if=lambda line: not line)
    """The expert's whole walk, where the data set has it besides the reference path (VLN-CE)."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """What a data set adds (difficulty, human label, target object ...), by its own names."""

    @field_validator("instruction")
    @classmethod
    def _read_text(cls, instruction: str) -> str:
        return readable_instruction(instruction)

    if TYPE_CHECKING:
        # what a caller may give is more than what a field holds: ids as numbers, positions, lists
        def __init__(
            self,
            *,
            id: NodeId,  # noqa: A002 - the field's name
            dataset: str,
            instruction: str,
            start: Place,
            split: str | None = None,
            world: str = "",
            start_heading_deg: float | None = None,
            reference_path: Sequence[Place] = (),
            goal: Place | None = None,
            success_radius_m: float = 25.0,
            sub_goals: Sequence[SubGoal] = (),
            landmarks: Sequence[Landmark] = (),
            tasks: Sequence[Task] = (),
            step_tasks: Sequence[StepTask] = (),
            path_id: NodeId | None = None,
            language: str | None = None,
            places: Mapping[str, Position] = ...,
            reference_positions: Sequence[Position] = (),
            extra: Mapping[str, Any] = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _name_positions(cls, fields: Any) -> Any:  # noqa: ANN401 - whatever was given
        """Give names to a start, a goal and reference points that are positions."""
        if not isinstance(fields, Mapping):
            return fields
        named = dict(fields)
        for field in ("id", "path_id", "start", "goal"):
            if field in named:
                named[field] = as_id(named[field])
        # of " 5" and "5", which two tables write, a run would count one episode twice
        for field in ("id", "path_id"):
            if isinstance(named.get(field), str):
                named[field] = named[field].strip()
        given = named.get("places")
        if not isinstance(given, Mapping | None):
            return named  # pydantic says what is wrong with it
        places = dict(given or {})
        for field, name in (("start", START_POSE), ("goal", GOAL_POSE)):
            if isinstance(named.get(field), list | tuple):
                places[name] = named[field]
                named[field] = name
        path = as_id(named.get("reference_path"))
        if isinstance(path, list | tuple):
            named["reference_path"] = tuple(_named_points(path, places))
        return named | {"places": places} if places else named


def _named_points(path: Iterable[Any], places: dict[str, Any]) -> Iterator[Any]:
    """Yield the points of a path by name; those that are positions are added to `places`."""
    for number, point in enumerate(map(as_id, path), start=1):
        if not isinstance(point, list | tuple):
            yield point
            continue
        name = REFERENCE_POSE.format(number)
        places[name] = point
        yield name
