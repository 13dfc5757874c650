"""Sub-task lists of LH-VLN, and the episodes made of them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_lines, peek
from navviz.formats.texts import as_count, as_list, as_number, id_text, say_unlike
from navviz.records import Episode, StepTask, Task
from navviz.support.guarded import is_folder, is_regular, note_folder, read_json
from navviz.systems.lhvln.logs.motion import START_YAW_DEG, heading_deg, metric_place, step_counts
from navviz.systems.lhvln.logs.scenes import PREFIX
from navviz.world.info import Scene, object_id

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
    """Read a sub-task list; entries of none of the three forms are reported, and left out."""
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
    """Return the innermost folder ``batch_k`` that a path lies in; empty where there is none."""
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


STEP_TASKS = "step tasks"
"""Group of these episodes in tables, as LH-VLN reports it."""

_NEEDED = {"trajectory path", "target", "Task instruction"}

_KINDS = {
    "text": "Task instruction, trajectory path, Robot, Scene",
    "text or texts": "target",
    "id or ids": "Region",
    "numbers": "start_pos",
    "number": "start_yaw, start, end",
}

_MOST = 20_000
"""Files taken at most, so that a wrong folder is answered soon."""


class StepTaskEpisodes:
    """Reads step tasks as episodes of one target: a file, a batch or folder ``step_task``."""

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
            say_unlike(raw, _KINDS, Problem("", "", file.name), problems)
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
    """Return one step task as an episode of one target."""
    # it starts as it was recorded. The released runner takes ``start_yaw`` for radians, so its
    # agent looks elsewhere
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
    """Step tasks of a task folder, in order; numbers are those of the action folders."""
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
            note_folder(folder)
            yield from sorted(folder.glob("*.json")) if is_folder(folder) else ()
            return


def _json(path: Path) -> Json:
    try:
        return read_json(path, lenient=True)
    except InputError:
        return None


def step_task_of(raw: Mapping[str, Any], file: str, problems: Problems) -> StepTask | None:
    """One step task; ``None``, with a problem, where its span is missing."""
    say_unlike(raw, _KINDS, Problem("", "", file), problems)
    start, end = as_count(raw.get("start")), as_count(raw.get("end"))
    if start is None or end is None or end < start:
        problems.skip(Problem("has no span of steps", "it is left out", file, field="start, end"))
        return None
    return StepTask(
        first_step=start,
        last_step=end,
        instruction=str(raw.get("Task instruction", "")),
        target=_first(raw.get("target")) or None,
        start_position=metric_place(raw.get("start_pos")),
    )


_EASI_NEEDED = {"id", "instruction", "scene", "objects", "regions"}

_EASI_KINDS = {
    "id": "id, batch",
    "text": "instruction, scene, robot",
    "texts": "objects, rooms, subtask_list",
    "ids": "regions",
    "numbers": "gt_steps",
}


class EasiEpisodes:
    """Reads a split of EASI's version."""

    name: ClassVar[str] = "LHPR-VLN episodes of EASI"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line is such an episode."""
        first = peek(path).first_line
        return isinstance(first, dict) and first.keys() >= _EASI_NEEDED

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all lines; raises `InputError` where not one is an episode."""
        problems, episodes = Problems(), dict[str, Episode]()
        for number, line in json_lines(path, problems):
            where = f"{path.name}:{number}"
            if not isinstance(line, dict) or not line.keys() >= _EASI_NEEDED:
                missing = "everything"
                if isinstance(line, dict):
                    missing = ", ".join(sorted(_EASI_NEEDED - line.keys()))
                problems.skip(Problem(f"lacks {missing}", "the other lines are shown", where))
                continue
            name, scene = id_text(line["id"]), str(line["scene"]).strip()
            say_unlike(line, _EASI_KINDS, Problem("", "", where, name), problems)
            rooms: dict[str, str] = {}
            # rooms are not needed: without them a region has no name
            for region, room in zip(
                as_list(line["regions"]), as_list(line.get("rooms")), strict=False
            ):
                rooms[id_text(region)] = f"Region {id_text(region)}: {room}"
            moves = parse_subtasks(
                as_list(line.get("subtask_list")), where, name, problems
            ) or _moves(line)
            unknown = [move.region for move in moves if rooms and move.region not in rooms]
            if unknown:
                what = f"lacks region {unknown[0]}, which a sub-task names"
                problems.add(Problem(what, "its room has no name", where, name, "regions"))
            extra = {
                "robot": line.get("robot"),
                "batch": line.get("batch"),
                "gt_step": step_counts(line.get("gt_steps")),
                "subtask_list": line.get("subtask_list"),
            }
            batch, instruction = str(line.get("batch", "")), str(line["instruction"])
            episode = long_task(name, batch, instruction, scene, tasks_of(moves, rooms), extra)
            if episode.id in episodes:
                do = "the last one is shown"
                problems.skip(Problem("is there twice", do, where, episode.id))
            episodes[episode.id] = episode
        if not episodes:
            raise InputError(
                "holds no episode of LHPR-VLN", "open a split of LHPR-VLN_easi", file=path.name
            )
        return EpisodeSet(f"{DATASET} {path.stem}", cls.name, episodes, problems, path)


def episodes_beside(run: Path, problems: Problems) -> dict[str, Episode]:
    """Episodes of the splits that lie in a run's folder, or in the two above it."""
    episodes: dict[str, Episode] = {}
    for folder in (run, *list(run.parents)[:2]):
        note_folder(folder)
        for path in sorted(folder.glob("*.jsonl")):
            head = peek(path)
            if head.opener == "{" and head.first_line is None:
                # no reader would know the file, and nobody would name it
                do = "its episodes are missing; get it again"
                problems.skip(Problem("breaks off within its first line", do, path.name))
            if EasiEpisodes.handles(path):
                episode_set = EasiEpisodes.read(path)
                # the nearest folder wins: a run may lie beside a split that it was cut from
                episodes = {**episode_set.episodes, **episodes}
                problems.extend(episode_set.problems)
    return episodes


def _moves(line: Mapping[str, Any]) -> tuple[Move, ...]:
    """Sub-tasks from objects and regions, where there is no list of them."""
    pairs = zip(as_list(line["objects"]), as_list(line["regions"]), strict=False)
    named = [(str(name), id_text(region)) for name, region in pairs]
    return tuple(Move(f"Move_to('{name}_{region}')", name, region) for name, region in named)
