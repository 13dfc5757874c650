"""Episode archives of LHPR-VLN: ``episode_task/batch_k.json.gz``, ``{key: {"lh_task": ...,
"st_task": [...]}}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_items, peek
from navviz.formats.texts import as_list, as_mapping, id_text
from navviz.records import Episode
from navviz.systems.lhvln.logs.folders import episode_of
from navviz.systems.lhvln.logs.step_tasks import step_task_of
from navviz.systems.lhvln.logs.subtasks import DATASET


class EpisodeArchives:
    """Reads an archive of one batch."""

    name: ClassVar[str] = "LHPR-VLN archives"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether its first item holds a long-horizon task."""
        return any(isinstance(value, dict) and "lh_task" in value for _, value in peek(path).items)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all tasks with their step tasks; raises `InputError` where there is none."""
        problems, episodes = Problems(), dict[str, Episode]()
        batch = path.name.split(".")[0]
        for key, item in json_items(path, problems):
            task = as_mapping(item).get("lh_task")
            if not isinstance(task, dict) or not task.get("Task instruction"):
                problems.skip(
                    Problem("holds no task", "the others are shown", path.name, str(key), "lh_task")
                )
                continue
            episode = _episode(task, item.get("st_task"), Path(batch), path.name, problems)
            # the id is made of the instruction, and one instruction may be given in several scenes
            first = episodes.get(episode.id)
            if first is not None and first == episode:
                do = "keep one; the first is used"
                problems.skip(Problem("holds a task twice", do, path.name, str(key)))
                continue
            name = episode.id if first is None else f"{episode.id} {id_text(key)}"
            episodes[name] = episode.model_copy(update={"id": name})
        if not episodes:
            raise InputError(
                "holds no task of LHPR-VLN", "open episode_task/batch_k.json.gz", file=path.name
            )
        return EpisodeSet(f"{DATASET} {batch}", cls.name, episodes, problems, path)


def _episode(
    task: Mapping[str, Any], steps: Json, batch: Path, file: str, problems: Problems
) -> Episode:
    episode = episode_of(task, batch, problems)
    step_tasks = []
    for raw in as_list(steps):
        step_task = step_task_of(raw, file, problems) if isinstance(raw, dict) else None
        if step_task is not None:
            # archives count actions from 0, task folders and traces from 1
            first, last = step_task.first_step + 1, step_task.last_step + 1
            step_tasks.append(step_task.model_copy(update={"first_step": first, "last_step": last}))
    step_tasks.sort(key=lambda step_task: step_task.first_step)
    return episode.model_copy(update={"step_tasks": tuple(step_tasks)})
