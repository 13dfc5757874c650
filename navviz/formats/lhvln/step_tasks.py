"""Step tasks of LHPR-VLN: ``step_task/batch_k/<first 100 characters>.json``, a stretch of a long task in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.lhvln.motion import to_metric
from navviz.formats.lhvln.subtasks import cut_instruction
from navviz.guarded import is_folder, read_json
from navviz.records import StepTask

__all__ = ["read_step_tasks", "step_task_of"]


def read_step_tasks(task: Path, instruction: str, problems: Problems) -> tuple[StepTask, ...]:
    """Step tasks that belong to a task folder, in order; numbers are those of the action folders."""
    step_tasks = []
    for path in _beside(task):
        raw = _json(path)
        if not isinstance(raw, dict):
            problems.add(Problem("is no JSON object", "the other step tasks are shown", path.name))
            continue
        if cut_instruction(instruction) in str(raw.get("trajectory path", "")):
            step_task = step_task_of(raw, path.name, problems)
            step_tasks += [step_task] if step_task is not None else []
    return tuple(sorted(step_tasks, key=lambda each: each.first_step))


def _beside(task: Path) -> Iterator[Path]:
    """Files of the ``step_task`` folder beside ``task``, of the same batch."""
    for k, part in enumerate(task.parts):
        if part.startswith("batch_") and k > 0:
            folder = Path(*task.parts[: k - 1]) / "step_task" / part
            yield from sorted(folder.glob("*.json")) if is_folder(folder) else ()
            return


def _json(path: Path) -> Json:
    try:
        return read_json(path, lenient=True)
    except InputError:
        return None


def step_task_of(raw: Mapping[str, Any], file: str, problems: Problems) -> StepTask | None:
    """One step task; ``None``, with a problem, where its span is missing."""
    start, end = raw.get("start"), raw.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or end < start:
        problems.add(Problem("has no span of steps", "it is left out", file, field="start, end"))
        return None
    target = raw.get("target")
    place: Json = raw.get("start_pos")
    return StepTask(
        first_step=start,
        last_step=end,
        instruction=str(raw.get("Task instruction", "")),
        target=str(target[0]) if isinstance(target, list) and target else None,
        start_position=to_metric(place) if _is_place(place) else None,
    )


def _is_place(place: object) -> bool:
    return isinstance(place, Sequence) and len(place) == 3 and all(isinstance(v, int | float) for v in place)
