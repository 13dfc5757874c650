"""Task folders of LHPR-VLN: ``task/batch_k/N/<instruction>/`` with ``config.json`` and recorded
trials.

``success/trial_1/task.json`` holds the trajectory, one entry a folder
``<step>_<action>_for_<target>``: the pose after that action. Where it is missing, the folders'
names (or ``folders.txt`` that lists them) give the actions, and poses are dead reckoned from the
start. Failed tries lie in ``fail/trial_k_i-n``, unfinished ones in ``tmp``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.files import Json, json_items, peek
from navviz.formats.texts import as_list, as_mapping, id_text, say_unlike
from navviz.records import EndEvent, EndStatus, Episode, Trace, TraceHeader
from navviz.support import guarded
from navviz.support.guarded import is_folder, is_regular
from navviz.systems.lhvln.logs.motion import step_counts
from navviz.systems.lhvln.logs.scenes import PREFIX, bare_scene
from navviz.systems.lhvln.logs.subtasks import (
    DATASET,
    Places,
    batch_of,
    long_task,
    parse_subtasks,
    place_targets,
    read_step_tasks,
    region_id,
    slug,
    step_task_of,
    tasks_of,
    unused_id,
)
from navviz.systems.lhvln.logs.trials import (
    build_walk,
    ground_truth,
    motions_of,
    overlay,
    read_json,
    read_record,
    reckoned,
    start_of,
    step_numbers,
    with_views,
)
from navviz.world.graph import Graph
from navviz.world.info import Scene

_CONFIG = "config.json"

_LOOKED_AT = 5
"""Files looked at to know a folder: the first may be damaged."""

_MOST = 5000
"""Folders taken at most, so that a wrong folder is answered soon."""

DEAD_RECKONED = "dead reckoned from the actions (good to about 0.2 m)"

RECORDED = "recorded by the simulator"


def find_tasks(path: Path, problems: Problems) -> list[Path]:
    """Task folders below a path (it, ``task/``, a batch, a number or one task), by name.

    A ``config.json`` that cannot be read is reported, and so are tasks beyond the most that are
    taken.
    """
    if is_regular(path / _CONFIG):
        return [path] if _is_config(path / _CONFIG) else []
    root = path / "task" if is_folder(path / "task") else path
    if not is_folder(root):
        return []
    folders: set[Path] = set()
    # the path may be a batch, a number of sub-tasks or all of them
    for below in ("*", "*/*", "*/*/*"):
        folders |= {config.parent for config in root.glob(f"{below}/{_CONFIG}")}
    ordered = sorted(folders, key=str)
    tasks = [folder for folder in ordered if _is_config(folder / _CONFIG, problems)]
    if len(tasks) > _MOST:
        what = f"holds {len(tasks):,} tasks, of which the first {_MOST:,} are read"
        problems.skip(Problem(what, "open one of its folders", path.name), len(tasks) - _MOST)
    return tasks[:_MOST]


def _is_config(path: Path, problems: Problems | None = None) -> bool:
    try:
        config = guarded.read_json(path, lenient=True)
    except InputError as error:
        if problems is not None:
            where = f"{path.parent.name}/{path.name}"
            problems.skip(
                Problem(error.problem.what, "the other tasks are shown; get it again", where)
            )
        return False
    return isinstance(config, dict) and {"Task instruction", "Subtask list"} <= config.keys()


def _first_task(path: Path) -> Path | None:
    """Return the first task folder, looking at a few folders only."""
    if not is_folder(path):
        return None
    root = path / "task" if is_folder(path / "task") else path
    # from the top down and a few files a level, so that a wrong folder is answered soon
    for depth in range(4):
        pattern = "/".join([*["*"] * depth, _CONFIG])
        for config in islice(root.glob(pattern), _LOOKED_AT):
            if _is_config(config):
                return config.parent
    return None


class TaskFolders:
    """Reads trials of task folders as runs: ``success``, and ``fail`` and ``tmp`` if any."""

    name: ClassVar[str] = "LHPR-VLN task folders"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a folder of tasks, or above one, with recorded trials."""
        task = _first_task(path)
        return task is not None and any(_trials(task, kind) for kind in _KINDS)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read all trials; a run for each kind of trial."""
        problems = Problems()
        runs: dict[str, dict[str, Trace]] = {}
        scenes = SceneFinder(graph_of, problems)
        for folder in find_tasks(path, problems):
            for kind in _KINDS:
                for trace in _traces(folder, kind, scenes, problems):
                    traces = runs.setdefault(kind, {})
                    traces[unused_id(trace.episode.id, traces)] = trace
        if not runs:
            raise InputError(
                "holds no recorded trial", "open a folder with success/trial_1", file=path.name
            )
        if episodes:
            missing = sum(len(traces.keys() - episodes.keys()) for traces in runs.values())
            if missing:
                what = f"{missing} tasks are not in the episodes file"
                problems.add(Problem(what, "they are shown", path.name))
        several = len(runs) > 1
        return [_run(path, kind, runs[kind], problems, several=several) for kind in runs]


_KINDS = ("success", "fail", "tmp", "temp")


def _run(
    path: Path, kind: str, traces: dict[str, Trace], problems: Problems, *, several: bool
) -> Run:
    name = f"{path.name}/{kind}" if several else path.name
    return Run(name, "expert", kind if several else None, traces, problems, path)


class TaskFoldersEpisodes:
    """Reads the tasks alone."""

    name: ClassVar[str] = "LHPR-VLN tasks"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a folder of tasks, or above one."""
        return _first_task(path) is not None

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all tasks; raises `InputError` where there is none."""
        problems, episodes = Problems(), dict[str, Episode]()
        for folder in find_tasks(path, problems):
            episode = episode_of(read_json(folder / _CONFIG), folder, problems)
            episodes[unused_id(episode.id, episodes)] = episode
        if not episodes:
            raise InputError(
                "holds no task", "open the folder that holds task/batch_k", file=path.name
            )
        return EpisodeSet(f"{DATASET} {path.name}", cls.name, episodes, problems, path)


_FIELD_KINDS = {
    "text": "Task instruction, Scene, Robot",
    "texts": "Subtask list",
    "lists": "Object",
    "numbers": "gt_step, Start pos",
}


def episode_of(
    config: Mapping[str, Any], folder: Path, problems: Problems, file: str = _CONFIG
) -> Episode:
    """Read the episode of a ``config.json`` (or an archive's ``lh_task``), without goals: see
    `place_targets`.
    """
    batch = batch_of(folder)
    instruction = str(config.get("Task instruction", "")).strip()
    name = "-".join(part for part in (batch, slug(instruction)) if part)
    needed = "Scene, Subtask list"
    say_unlike(config, _FIELD_KINDS, Problem("", "", file, name), problems, needed)
    moves = parse_subtasks(as_list(config.get("Subtask list")), file, name, problems)
    rooms: dict[str, str] = {}
    for pair in as_list(config.get("Object")):
        if isinstance(pair, list) and len(pair) == 2 and region_id(str(pair[1])):
            rooms[region_id(str(pair[1]))] = str(pair[1])
        elif isinstance(pair, list):
            what, do = f"{str(pair)[:40]!r} is no object and its region", "its room has no name"
            problems.add(Problem(what, do, file, name, "Object"))
    scene = str(config.get("Scene", ""))
    place = start_of(config)
    extra = {
        "robot": config.get("Robot"),
        "start_position": list(place) if place is not None else None,
        "batch": batch or None,
        "gt_step": step_counts(config.get("gt_step")),
        "subtask_list": [str(text) for text in as_list(config.get("Subtask list"))],
    }
    return long_task(name, batch, instruction, scene, tasks_of(moves, rooms), extra)


@dataclass
class SceneFinder:
    """Gives the scene of a world, and says once which are missing."""

    graph_of: GraphOf
    problems: Problems
    found_scenes: dict[str, Scene | None] = field(default_factory=dict)

    def __call__(self, world: str) -> Scene | None:
        """Return the scene; ``None``, with a problem, where its list is not there."""
        if world not in self.found_scenes:
            self.found_scenes[world] = scene_of(self.graph_of, world, self.problems)
        return self.found_scenes[world]


PlacedEpisode = tuple[Episode, Places]


class SceneWorlds:
    """The worlds ``hm3d:SCENE``, see `navviz.runs.graphs.WorldKind`."""

    @staticmethod
    def bare(world: str) -> Graph:
        """Return a scene of which nothing is known."""
        return bare_scene(world)

    @staticmethod
    def placing(graph_of: GraphOf, problems: Problems) -> Callable[[Episode], PlacedEpisode]:
        """Return what gives an episode that nobody has walked its targets and its start."""
        return partial(_opened_episode, SceneFinder(graph_of, problems), problems)


def _opened_episode(scenes: SceneFinder, problems: Problems, episode: Episode) -> PlacedEpisode:
    episode, places = place_targets(episode, scenes(episode.world), "", problems)
    start = episode.extra.get("start_position")
    return episode, {**places, episode.start: (start[0], start[1], start[2])} if start else places


def scene_of(graph_of: GraphOf, world: str, problems: Problems) -> Scene | None:
    """Return the scene behind a world's graph; a problem where there is no scene list."""
    try:
        scene = graph_of(world).info.scene
    except InputError:
        scene = None
    # a bare scene, or one of another name, knows nothing of these targets
    if scene is not None and scene.regions and PREFIX + scene.name == world:
        return scene
    what = (
        f"there is no list of scene {world.removeprefix(PREFIX)}: rooms and targets are not on"
        " the map"
    )
    problems.add(
        Problem(what, f"put {world.removeprefix(PREFIX)}.txt of NavGen's scene folder beside it")
    )
    return None


def _trials(task: Path, kind: str) -> list[Path]:
    folder = task / kind
    if not is_folder(folder):
        return []
    # an unfinished try lies in the folder itself, not in a trial_k
    if kind in {"tmp", "temp"}:
        return [folder]
    return sorted(path for path in folder.iterdir() if is_folder(path))


def _traces(task: Path, kind: str, scenes: SceneFinder, problems: Problems) -> Iterator[Trace]:
    for trial in _trials(task, kind):
        try:
            yield _trace(task, trial, kind, scenes, problems)
        except InputError as error:
            problems.skip(error.problem)


def _trace(task: Path, trial: Path, kind: str, scenes: SceneFinder, problems: Problems) -> Trace:
    config = read_json(trial / "task.json") or read_json(task / _CONFIG) or {}
    # of the trial's own file the step counts alone: the task is what its config.json says
    config = {**(read_json(task / _CONFIG) or {}), "gt_step": config.get("gt_step")}
    episode = episode_of(config, task, problems)
    record = read_record(trial, episode.id, problems)
    episode, places = place_targets(episode, scenes(episode.world), _CONFIG, problems)
    step_tasks = read_step_tasks(task, episode.instruction, problems)
    source, poses = RECORDED, record.poses
    if not poses:
        source, poses = DEAD_RECKONED, reckoned(record, config, step_tasks, episode.id, problems)
    motions, after = motions_of(record, poses)
    walk = build_walk(after, with_views(motions, after, record, trial))
    steps = step_numbers(record)
    actions = [motion.action for motion in motions]
    update: dict[str, Any] = {
        "start": walk.start,
        "start_heading_deg": walk.start_heading_deg,
        "reference_path": (),
        "step_tasks": tuple(overlay(each, steps, actions) for each in step_tasks),
    }
    if kind == "success":
        # only a successful recording is an expert's walk
        path = [walk.start]
        for step in walk.steps:
            path.extend(node for node in step.path if node != path[-1])
        update["reference_path"] = tuple(path)
        update["extra"] = {**episode.extra, "gt_step": ground_truth(record)}
    episode = episode.model_copy(update=update)
    header = TraceHeader(
        run=kind,
        episode=episode,
        navigator="expert",
        source=str(trial),
        poses={**places, **walk.places},
        pose_source=source,
    )
    reason = None if kind == "success" else f"recorded as {trial.name}"
    statuses = {"success": EndStatus.DONE, "fail": EndStatus.LIMIT}
    return Trace(
        header=header,
        steps=walk.steps,
        end=EndEvent(status=statuses.get(kind, EndStatus.UNKNOWN), reason=reason, node=walk.end),
    )


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
    episode = episode_of(task, batch, problems, file)
    where = Problem("", "", file, episode.id)
    say_unlike({"st_task": steps}, {"objects": "st_task"}, where, problems)
    step_tasks = []
    for raw in as_list(steps):
        step_task = step_task_of(raw, file, problems) if isinstance(raw, dict) else None
        if step_task is not None:
            # archives count actions from 0, task folders and traces from 1
            first, last = step_task.first_step + 1, step_task.last_step + 1
            step_tasks.append(step_task.model_copy(update={"first_step": first, "last_step": last}))
    step_tasks.sort(key=lambda step_task: step_task.first_step)
    return episode.model_copy(update={"step_tasks": tuple(step_tasks)})
