"""Recorded trials of LHPR-VLN: actions from folder names or ``task.json``, poses recorded or dead reckoned."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_number
from navviz.records import StepTask, Trace
from navviz.support import guarded
from navviz.support.guarded import head_text, is_folder
from navviz.systems.lhvln.logs.motion import START_YAW_DEG, Pose, dead_reckon, heading_deg, to_metric
from navviz.systems.lhvln.logs.walks import Motion
from navviz.systems.lhvln.navgen.backward import segments

__all__ = [
    "TrialRecord",
    "ground_truth",
    "motions_of",
    "overlay",
    "read_json",
    "read_record",
    "reckoned",
    "start_of",
    "step_numbers",
    "targets_of",
]

_FOLDER = re.compile(r"^(-?\d+)_(move_forward|turn_left|turn_right|stop)_for_(.+)$")


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """One recorded trial."""

    actions: tuple[tuple[int, str, str], ...]
    """``(step, action, target)`` in order; the first is -1, stop."""
    poses: tuple[Pose, ...] = ()
    """After each entry of `actions`; empty where nobody recorded them."""


def read_json(path: Path) -> Json:
    """Return what a small JSON file holds; ``None`` where it cannot be read."""
    try:
        return guarded.read_json(path, lenient=True)
    except InputError:
        return None


def start_of(config: Mapping[str, Any]) -> tuple[float, float, float] | None:
    """``Start pos`` in our frame; ``None`` where it is not given."""
    place = config.get("Start pos")
    if not isinstance(place, list) or len(place) != 3 or not all(isinstance(v, int | float) for v in place):
        return None
    return to_metric(place)


def read_record(trial: Path, episode: str, problems: Problems) -> TrialRecord:
    """Actions of a trial, with their poses where ``task.json`` has as many.

    Raises `InputError` where the trial holds no action.
    """
    names = [path.name for path in trial.iterdir() if is_folder(path)] or _listed(trial / "folders.txt")
    actions = tuple(sorted((entry for name in names if (entry := _entry(name)) is not None), key=_in_order))
    wrong = sum(_entry(name) is None for name in names if name)
    if wrong:
        what = f"{wrong} {'folder is' if wrong == 1 else 'folders are'} not named STEP_ACTION_for_TARGET"
        problems.skip(Problem(what, "they are passed over", trial.name, episode))
    poses, told = _poses(trial / "task.json")
    if not actions:
        actions = told
    if not actions:
        raise InputError("holds no action", "open a trial with its action folders or task.json", file=trial.name)
    if poses and len(poses) != len(actions):
        what = f"{len(poses)} poses for {len(actions)} actions"
        problems.add(Problem(what, "the poses are dead reckoned instead", "task.json", episode, "trial"))
        poses = ()
    return TrialRecord(actions, poses)


def _listed(path: Path) -> list[str]:
    return head_text(path, 1 << 20).splitlines()


def _entry(name: str) -> tuple[int, str, str] | None:
    match = _FOLDER.match(name.strip())
    return (int(match[1]), match[2], match[3]) if match else None


def _in_order(entry: tuple[int, str, str]) -> tuple[int, bool]:
    """Where a number has a move and a stop, the move comes first."""
    return entry[0], entry[1] == "stop"


def _poses(path: Path) -> tuple[tuple[Pose, ...], tuple[tuple[int, str, str], ...]]:
    """Poses and actions of ``task.json``: one entry for each folder, the trials (one a target) in order."""
    config = read_json(path)
    trials = config.get("trial") if isinstance(config, dict) else None
    if not isinstance(trials, dict):
        return (), ()
    poses: list[Pose] = []
    actions: list[tuple[int, str, str]] = []
    told = config.get("Object")
    names = (
        [str(name[0] if isinstance(name, list) and name else name) for name in told] if isinstance(told, list) else []
    )
    for k, key in enumerate(sorted(trials, key=_number)):
        target = names[k] if k < len(names) else key
        for pose, action in _entries(trials[key]):
            if pose is not None:
                poses.append(pose)
            step = actions[-1][0] + (action != "stop") if actions else -1
            actions.append((step, action, target))
    return tuple(poses), tuple(actions)


def _entries(trial: Json) -> Iterator[tuple[Pose | None, str]]:
    """Pose and action of each entry of one trial; a pose that cannot be read is ``None``."""
    told = trial if isinstance(trial, dict) else {}
    places, yaws, actions = (
        each if isinstance(each := told.get(key), list) else [] for key in ("pos", "yaw", "action")
    )
    for place, yaw, action in zip_longest(places[: len(actions)], yaws[: len(actions)], actions):
        yield _pose(place, as_number(yaw)), str(action)


def _pose(place: Json, yaw_deg: float | None) -> Pose | None:
    numbers = [as_number(value) for value in place] if isinstance(place, list) else []
    known = [value for value in numbers if value is not None]
    return (
        Pose(to_metric(known), heading_deg(yaw_deg))
        if len(known) == len(numbers) == 3 and yaw_deg is not None
        else None
    )


def _number(key: str) -> int:
    match = re.search(r"(\d+)$", key)
    return int(match[1]) if match else 0


def motions_of(record: TrialRecord, poses: Sequence[Pose]) -> tuple[list[Motion], list[Pose]]:
    """Motions with the stop that follows them, and the poses before the first and after each."""
    motions: list[Motion] = []
    after = [poses[0]]
    for (step, action, _), pose in zip(record.actions[1:], poses[1:], strict=True):
        if action == "stop" and motions and step >= 0:
            motions[-1] = Motion(motions[-1].action, stop=True, reason="then stop")
        else:
            motions.append(Motion(action, stop=action == "stop"))
            after.append(pose)
    return motions, after


def targets_of(trace: Trace) -> tuple[str, ...]:
    """Return the target that each step of a recorded walk was made for."""
    names = [task.target or task.description for task in trace.episode.tasks] or ["target"]
    targets: list[str] = []
    current = 0
    for step in trace.steps:
        targets.append(names[min(current, len(names) - 1)])
        current += step.decision is not None and step.decision.stop
    return tuple(targets)


def step_numbers(record: TrialRecord) -> dict[int, int]:
    """Step of the trace by the number that folders and step tasks use."""
    numbers: dict[int, int] = {}
    for step, action, _ in record.actions[1:]:
        if action != "stop" or step not in numbers:
            numbers[step] = len(numbers) + 1
    return numbers


def overlay(task: StepTask, steps: Mapping[int, int], actions: Sequence[str]) -> StepTask:
    """Return a step task with its numbers as steps of the trace, and its segments as NavGen cuts them."""
    first, last = steps.get(task.first_step, task.first_step + 1), steps.get(task.last_step, task.last_step + 1)
    cut = segments(actions[first - 1 : last], first)
    return task.model_copy(
        update={
            "first_step": first,
            "last_step": last,
            "segments": tuple((segment.start, segment.end, segment.label) for segment in cut),
        }
    )


def ground_truth(record: TrialRecord) -> list[int]:
    """Folders of each target minus one, as LHPR counts ground-truth steps."""
    counts = [0]
    for step, action, _ in record.actions:
        counts[-1] += 1
        if action == "stop" and step >= 0:
            counts.append(0)
    return [count - 1 for count in counts if count]


def reckoned(
    record: TrialRecord, config: Mapping[str, Any], step_tasks: Sequence[StepTask], episode: str, problems: Problems
) -> tuple[Pose, ...]:
    """Poses from the actions alone; heights run from one recorded position to the next."""
    start = start_of(config)
    if start is None:
        problems.add(Problem("is missing", "the walk is drawn from (0, 0, 0)", "config.json", episode, "Start pos"))
        start = (0.0, 0.0, 0.0)
    flat = dead_reckon(Pose(start, heading_deg(START_YAW_DEG)), [action for _, action, _ in record.actions[1:]])
    known = {0: start[2]} | {
        place: task.start_position[2]
        for task in step_tasks
        if task.start_position is not None and (place := _entry_before(record, task.first_step)) is not None
    }
    return tuple(_at_height(pose, height) for pose, height in zip(flat, _heights(record, known), strict=True))


def _at_height(pose: Pose, height_m: float) -> Pose:
    x, y, _ = pose.position
    return Pose((x, y, height_m), pose.heading_deg)


def _entry_before(record: TrialRecord, step: int) -> int | None:
    """Entry after which a step task's recorded start stands.

    The released script indexes the trial's entries with the step's number less the entries before: for the first
    target that is the entry before the step, for later ones one earlier for each target.
    """
    place = next(
        (k for k, (number, action, _) in enumerate(record.actions) if number == step and action != "stop"), None
    )
    if place is None:
        return None
    before = sum(action == "stop" and number >= 0 for number, action, _ in record.actions[:place])
    return max(0, place - 1 - before)


def _heights(record: TrialRecord, known: Mapping[int, float]) -> list[float]:
    """Height after each entry: known ones as they are, between them in step with the forwards."""
    places = sorted(known)
    walked = [0]
    for _, action, _ in record.actions[1:]:
        walked.append(walked[-1] + (action == "move_forward"))
    heights = []
    for k in range(len(record.actions)):
        before = max((place for place in places if place <= k), default=places[0])
        after = min((place for place in places if place >= k), default=before)
        span = walked[after] - walked[before]
        share = (walked[k] - walked[before]) / span if span else 0.0
        heights.append(known[before] + share * (known[after] - known[before]))
    return heights
