"""Sub-task lists of LH-VLN, and the episodes made of them."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from navviz.errors import Problem, Problems
from navviz.records import Episode, Task
from navviz.systems.lhvln.logs.motion import START_YAW_DEG, heading_deg
from navviz.systems.lhvln.logs.scenes import PREFIX
from navviz.world.scene import Scene, object_id

DATASET = "LHPR-VLN"
SUCCESS_RADIUS_M = 1.0
"""LH-VLN: within 1 m of the target (Song et al. 2025)."""
START = "start"
"""Node id of a start that is not known."""

_SUBTASK = re.compile(r"^\s*(Move_to|Grab|Release)\(\s*['\"](.*)['\"]\s*\)\s*$")
_TRAIN_BATCHES, _VAL_BATCHES = 5, 6
_TRAIN_SCENES, _VAL_SCENES = 700, 800

Places = dict[str, tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Move:
    """One ``Move_to('kettle_8')`` with the grabs and releases that follow it."""

    text: str
    target: str
    region: str
    actions: tuple[str, ...] = ()


def parse_subtasks(
    subtasks: Sequence[Any], file: str, episode: str, problems: Problems
) -> tuple[Move, ...]:
    """Read a sub-task list; an entry that is none of the three forms is reported and passed
    over.
    """
    moves: list[Move] = []
    for text in subtasks:
        match = _SUBTASK.match(str(text))
        if match is None:
            what = f"{str(text)[:60]!r} is none of Move_to, Grab, Release"
            problems.add(
                Problem(what, "the other sub-tasks are shown", file, episode, "Subtask list")
            )
        elif match[1] == "Move_to":
            # names hold underscores themselves (``coffee_table_8``): the region is behind the last
            # one
            name, underscore, region = match[2].rpartition("_")
            moves.append(
                Move(str(text), name if underscore else match[2], region if underscore else "")
            )
        # the arm acts where the agent stands, so a grab belongs to the move before it
        elif moves:
            last = moves[-1]
            moves[-1] = Move(last.text, last.target, last.region, (*last.actions, str(text)))
    return tuple(moves)


def tasks_of(moves: Sequence[Move], rooms: Mapping[str, str]) -> tuple[Task, ...]:
    """Sub-tasks without goals yet; `rooms` names regions by id (``Region 8: Kitchen``)."""
    return tuple(_task(move, rooms) for move in moves)


def _task(move: Move, rooms: Mapping[str, str]) -> Task:
    region = rooms.get(move.region)
    if region is None and move.region:
        region = f"Region {move.region}"
    return Task(description=move.text, target=move.target, region=region, actions=move.actions)


def long_task(
    name: str,
    batch: str,
    instruction: str,
    scene: str,
    tasks: tuple[Task, ...],
    extra: Mapping[str, Any],
) -> Episode:
    """Make the episode of a long task, without goals: see `place_targets`; without ``None``."""
    details = {**extra, "unseen_split": unseen_split_of(scene)}
    return Episode(
        id=name,
        dataset=DATASET,
        split=split_of(batch),
        instruction=instruction.strip(),
        world=PREFIX + scene,
        start=START,
        start_heading_deg=heading_deg(START_YAW_DEG),
        success_radius_m=SUCCESS_RADIUS_M,
        tasks=tasks,
        extra={key: value for key, value in details.items() if value is not None},
    )


def region_id(region: str | None) -> str:
    """``8`` from ``Region 8: Kitchen``."""
    match = re.match(r"Region (\w+)", region or "")
    return match[1] if match else ""


def place_targets(
    episode: Episode, scene: Scene | None, file: str, problems: Problems
) -> tuple[Episode, Places]:
    """Give each sub-task its goals, the objects of its name in its region, with their positions by
    node id.

    An object that the scene does not have there is reported; the sub-task stays without goals, and
    without a distance.
    """
    if scene is None or not episode.tasks:
        return episode, {}
    places: Places = {}
    tasks = []
    for task in episode.tasks:
        things = scene.objects(task.target or "", region_id(task.region))
        near = {object_id(thing): thing.position for thing in things if thing.position is not None}
        if not near:
            what = f"{task.target!r} is not in {task.region or 'any region'} of scene {scene.name}"
            problems.add(
                Problem(what, "its distance is not known", file, episode.id, "Subtask list")
            )
        places |= near
        tasks.append(task.model_copy(update={"goals": tuple(near)}))
    return episode.model_copy(update={"tasks": tuple(tasks)}), places


def cut_instruction(text: str) -> str:
    """Cut an instruction without its last full stop or question mark, as folder names have it."""
    text = text.strip()
    return text[:-1] if text.endswith((".", "?")) else text


def slug(text: str, longest: int = 48) -> str:
    """Return a text as part of an id."""
    # of a text without a Latin letter or a digit nothing would be left
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:longest].rstrip("-") or "task"


def batch_of(path: Path) -> str:
    """Return the folder ``batch_k`` that a file or folder lies in, the innermost; empty where there
    is none.
    """
    return next((part for part in reversed(path.parts) if part.startswith("batch_")), "")


def unused_id(key: str, used: Container[str]) -> str:
    """Return an id, with a number behind it where it is used already."""
    number, name = 2, key
    while name in used:
        name, number = f"{key} ({number})", number + 1
    return name


def split_of(batch: str) -> str | None:
    """``train`` for batches 1 to 5, ``val`` for 6, ``test`` for the others."""
    match = re.search(r"(\d+)", batch)
    if match is None:
        return None
    number = int(match[1])
    if number <= _TRAIN_BATCHES:
        return "train"
    return "val" if number <= _VAL_BATCHES else "test"


def unseen_split_of(scene: str) -> str | None:
    """Split by scene, so that test scenes are unseen: below 700 train, below 800 val, else test."""
    if not scene[:5].isdigit():
        return None
    number = int(scene[:5])
    if number < _TRAIN_SCENES:
        return "train"
    return "val" if number < _VAL_SCENES else "test"
