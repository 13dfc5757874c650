"""Step tasks of LHPR-VLN: ``step_task/batch_k/<first 100 characters>.json``, a stretch of a long
task in words.

They lie on the walk of their task as a second track; a folder of them opens as short episodes of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, peek
from navviz.formats.texts import as_count, as_number, id_text
from navviz.records import Episode, StepTask
from navviz.support.guarded import is_folder, is_regular, looked_in, read_json
from navviz.systems.lhvln.logs.motion import heading_deg, metric_place
from navviz.systems.lhvln.logs.subtasks import (
    DATASET,
    Move,
    batch_of,
    cut_instruction,
    long_task,
    slug,
    tasks_of,
    unused_id,
)

STEP_TASKS = "step tasks"
"""Group of these episodes in tables, as LH-VLN reports it."""
_NEEDED = {"trajectory path", "target", "Task instruction"}
_MOST = 20_000
"""Files taken at most, so that a wrong folder is answered soon."""


class StepTaskEpisodes:
    """Reads step tasks as episodes of one target each: a file, a batch or the folder
    ``step_task``.
    """

    name: ClassVar[str] = "LHPR-VLN step tasks"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first file is a step task."""
        first = next(_files(path), None)
        if first is None:
            return False
        # a large file is known by its beginning; it is read whole only when it is opened
        head = peek(first)
        if isinstance(head.first_line, dict):
            return head.first_line.keys() >= _NEEDED
        return head.opener == "{" and all(f'"{key}"' in head.text for key in _NEEDED)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all step tasks; raises `InputError` where there is none."""
        problems, episodes = Problems(), dict[str, Episode]()
        for file in _files(path):
            raw = _json(file)
            if not isinstance(raw, dict) or not raw.keys() >= _NEEDED:
                problems.skip(Problem("is no step task", "the others are shown", file.name))
                continue
            episode = _episode(raw, file)
            name = unused_id(episode.id, episodes)
            episodes[name] = episode.model_copy(update={"id": name})
        if not episodes:
            raise InputError(
                "holds no step task", "open the folder step_task of LHPR-VLN", file=path.name
            )
        return EpisodeSet(f"{DATASET} {STEP_TASKS}", cls.name, episodes, problems, path)


def _files(path: Path) -> Iterator[Path]:
    if is_regular(path):
        yield from [path] if path.suffix == ".json" else []
        return
    if is_folder(path):
        # a batch holds files, the folder of all batches holds folders
        below = chain(sorted(path.glob("*.json")), sorted(path.glob("*/*.json")))
        yield from islice(below, _MOST)


def _episode(raw: Mapping[str, Any], file: Path) -> Episode:
    """Return one step task as an episode of one target.

    It starts as it was recorded. The released runner takes ``start_yaw`` for radians, so its agent
    looks elsewhere.
    """
    batch = batch_of(file)
    instruction = str(raw["Task instruction"]).strip()
    target, region = _first(raw["target"]), _first(raw.get("Region"))
    move = Move(f"Move_to('{target}_{region}')", target, region)
    place, yaw = metric_place(raw.get("start_pos")), as_number(raw.get("start_yaw"))
    first, last = as_number(raw.get("start")), as_number(raw.get("end"))
    counts = None
    if first is not None and last is not None and last >= first:
        # both ends belong to the stretch
        counts = [last - first + 1]
    extra = {
        "robot": raw.get("Robot"),
        "batch": batch or None,
        "start_position": None if place is None else list(place),
        "gt_step": counts,
        "group": STEP_TASKS,
    }
    name = "-".join(part for part in (batch, "step", slug(instruction)) if part)
    scene, tasks = str(raw.get("Scene", "")), tasks_of([move], {})
    episode = long_task(name, batch, instruction, scene, tasks, extra)
    if yaw is None:
        return episode
    return episode.model_copy(update={"start_heading_deg": heading_deg(yaw)})


def _first(value: object) -> str:
    """Return a name or an id, alone or the first of a list."""
    value = value[0] if isinstance(value, list) and value else value
    return "" if value is None or isinstance(value, list) else id_text(value)


def read_step_tasks(task: Path, instruction: str, problems: Problems) -> tuple[StepTask, ...]:
    """Step tasks that belong to a task folder, in order; numbers are those of the action
    folders.
    """
    step_tasks = []
    for path in _beside(task):
        raw = _json(path)
        if not isinstance(raw, dict):
            problems.skip(Problem("is no JSON object", "the other step tasks are shown", path.name))
            continue
        # a step task does not name its task; only the path that it was cut from holds the
        # instruction
        if cut_instruction(instruction) in str(raw.get("trajectory path", "")):
            step_task = step_task_of(raw, path.name, problems)
            step_tasks += [step_task] if step_task is not None else []
    return tuple(sorted(step_tasks, key=lambda each: each.first_step))


def _beside(task: Path) -> Iterator[Path]:
    """Files of the ``step_task`` folder beside ``task``, of the same batch."""
    for k, part in enumerate(task.parts):
        if part.startswith("batch_") and k > 0:
            # batch_k lies below "task"; its step tasks lie below "step_task" of the same parent
            folder = Path(*task.parts[: k - 1]) / "step_task" / part
            looked_in(folder)
            yield from sorted(folder.glob("*.json")) if is_folder(folder) else ()
            return


def _json(path: Path) -> Json:
    try:
        return read_json(path, lenient=True)
    except InputError:
        return None


def step_task_of(raw: Mapping[str, Any], file: str, problems: Problems) -> StepTask | None:
    """One step task; ``None``, with a problem, where its span is missing."""
    start, end = as_count(raw.get("start")), as_count(raw.get("end"))
    if start is None or end is None or end < start:
        problems.skip(Problem("has no span of steps", "it is left out", file, field="start, end"))
        return None
    target = raw.get("target")
    return StepTask(
        first_step=start,
        last_step=end,
        instruction=str(raw.get("Task instruction", "")),
        target=str(target[0]) if isinstance(target, list) and target else None,
        start_position=metric_place(raw.get("start_pos")),
    )
