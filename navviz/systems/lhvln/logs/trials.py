"""Recorded trials of LHPR-VLN: actions from folder names or ``task.json``, poses recorded or dead
reckoned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_list, as_mapping, as_number, say_unlike
from navviz.records import Call, Decision, Panel, Step, StepTask, StepView, Trace
from navviz.support import guarded
from navviz.support.guarded import head_text, is_folder
from navviz.systems.lhvln.logs.motion import (
    START_YAW_DEG,
    Pose,
    dead_reckon,
    heading_deg,
    metric_place,
)
from navviz.systems.lhvln.logs.subtasks import Places
from navviz.systems.lhvln.navgen.backward import segments

_STAYED_M = 1e-4
"""Poses nearer than this are one place: a turn action moves the camera by rounding alone."""

_NODE = "pose {}"


@dataclass(frozen=True, slots=True)
class Motion:
    """One action of a log."""

    action: str
    stop: bool = False
    """Whether the agent declares its current target reached with, or right after, this action."""
    reason: str | None = None
    calls: tuple[Call, ...] = ()
    panels: tuple[Panel, ...] = ()
    views: tuple[StepView, ...] = ()
    """What the agent saw when it chose the action."""


@dataclass(frozen=True, slots=True)
class PoseWalk:
    """What motions and poses become."""

    steps: tuple[Step, ...]
    places: Places
    """Positions of the nodes."""
    start: str
    end: str
    start_heading_deg: float


def build_walk(poses: Sequence[Pose], motions: Sequence[Motion]) -> PoseWalk:
    """Make steps of motions."""
    nodes, places = _nodes(poses)
    steps = []
    for k, motion in enumerate(motions):
        here, there = nodes[k], nodes[k + 1]
        step = Step(
            index=k + 1,
            node=here,
            # further digits are rounding noise of turns by 30 degrees
            heading_deg=round(poses[k].heading_deg, 2),
            calls=motion.calls,
            decision=Decision(action=motion.action, stop=motion.stop, reason=motion.reason),
            path=(here, there) if here != there else (),
            panels=motion.panels,
            views=motion.views,
        )
        steps.append(step)
    return PoseWalk(tuple(steps), places, nodes[0], nodes[-1], round(poses[0].heading_deg, 2))


def _nodes(poses: Sequence[Pose]) -> tuple[list[str], Places]:
    """Return a node id for each pose; who only turns, or is blocked, stays on the same node."""
    nodes: list[str] = []
    places: Places = {}
    for k, pose in enumerate(poses):
        if (
            nodes
            and max(abs(a - b) for a, b in zip(places[nodes[-1]], pose.position, strict=True))
            < _STAYED_M
        ):
            # a node a pose would give 12 nodes to a look around, each a step of 0 m on the map
            nodes.append(nodes[-1])
            continue
        x, y, z = (round(value, 4) for value in pose.position)
        nodes.append(_NODE.format(k))
        places[nodes[-1]] = (x, y, z)
    return nodes, places


_SIDES = (("left", -60.0), ("front", 0.0), ("right", 60.0))
"""The three cameras of LH-VLN's agent, and how far each is turned from ahead."""

_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".webp"})

_PLACE_PARTS = 4
"""Folders that name a trial: TASK, its batch, ``success``, ``trial_1``."""

_DATA_SET_FOLDER = re.compile(r"^(task|batch_\d+)$")
"""Folders of the data set above those: without them nothing is found where its root is opened."""

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
    return metric_place(config.get("Start pos"))


def read_record(trial: Path, episode: str, problems: Problems) -> TrialRecord:
    """Actions of a trial, with their poses where ``task.json`` has as many.

    Raises `InputError` where the trial holds no action.
    """
    names = [path.name for path in trial.iterdir() if is_folder(path)]
    if not names:
        names = head_text((trial / "folders.txt"), 1 << 20).splitlines()
    entries = [_entry(name) for name in names if name]
    # by number: a folder's own order differs between machines, and as a text 10 comes before 2
    actions = tuple(sorted(filter(None, entries), key=_in_order))
    wrong = entries.count(None)
    if wrong:
        folders = "folder is" if wrong == 1 else "folders are"
        what = f"{wrong} {folders} not named STEP_ACTION_for_TARGET"
        problems.skip(Problem(what, "they are passed over", trial.name, episode))
    poses, listed = _poses(trial / "task.json", episode, problems)
    if not actions:
        actions = listed
    if not actions:
        raise InputError(
            "holds no action", "open a trial with its action folders or task.json", file=trial.name
        )
    if poses and len(poses) != len(actions):
        what = f"{len(poses)} poses for {len(actions)} actions"
        do = "the poses are dead reckoned instead"
        problems.add(Problem(what, do, "task.json", episode, "trial"))
        poses = ()
    return TrialRecord(actions, poses)


def _entry(name: str) -> tuple[int, str, str] | None:
    match = _FOLDER.match(name.strip())
    return (int(match[1]), match[2], match[3]) if match else None


def _in_order(entry: tuple[int, str, str]) -> tuple[int, bool]:
    """Where a number has a move and a stop, the move comes first."""
    return entry[0], entry[1] == "stop"


def _poses(
    path: Path, episode: str, problems: Problems
) -> tuple[tuple[Pose, ...], tuple[tuple[int, str, str], ...]]:
    """Poses and actions of ``task.json``: an entry a folder, a trial a target, in order."""
    config = read_json(path)
    trials = as_mapping(config).get("trial")
    if not isinstance(trials, dict):
        return (), ()
    poses: list[Pose] = []
    actions: list[tuple[int, str, str]] = []
    names: list[str] = []
    targets = config.get("Object")
    for name in as_list(targets):
        is_pair = isinstance(name, list) and name
        names.append(str(name[0] if is_pair else name))
    # targets are matched by order, and as a text trial_10 comes before trial_2
    for k, key in enumerate(sorted(trials, key=_number)):
        target = names[k] if k < len(names) else key
        where = Problem("", "", path.name, episode)
        say_unlike(as_mapping(trials[key]), {"texts": "action"}, where, problems)
        for pose, action in _entries(trials[key]):
            if pose is not None:
                poses.append(pose)
            # a stop has the number of the move before it, as in the names of the folders
            step = actions[-1][0] + (action != "stop") if actions else -1
            actions.append((step, action, target))
    return tuple(poses), tuple(actions)


def _entries(trial: Json) -> Iterator[tuple[Pose | None, str]]:
    """Pose and action of each entry of one trial; a pose that cannot be read is ``None``."""
    columns = as_mapping(trial)
    places, yaws = _column(columns, "pos"), _column(columns, "yaw")
    actions = _column(columns, "action")
    # cut to the actions: further poses would make up actions without a name
    for place, yaw, action in zip_longest(places[: len(actions)], yaws[: len(actions)], actions):
        yield _pose(place, as_number(yaw)), str(action)


def _column(columns: Mapping[str, Json], name: str) -> list[Json]:
    return as_list(columns.get(name))


def _pose(place: Json, yaw_deg: float | None) -> Pose | None:
    position = metric_place(place)
    if position is None or yaw_deg is None:
        return None
    return Pose(position, heading_deg(yaw_deg))


def _number(key: str) -> int:
    match = re.search(r"(\d+)$", key)
    return int(match[1]) if match else 0


def motions_of(record: TrialRecord, poses: Sequence[Pose]) -> tuple[list[Motion], list[Pose]]:
    """Motions with the stop that follows them, and the poses before the first and after each."""
    motions: list[Motion] = []
    after = [poses[0]]
    # the first entry is the start: its stop ends nothing
    for (step, action, _), pose in zip(record.actions[1:], poses[1:], strict=True):
        if action == "stop" and motions and step >= 0:
            motions[-1] = Motion(motions[-1].action, stop=True, reason="then stop")
        else:
            motions.append(Motion(action, stop=action == "stop"))
            after.append(pose)
    return motions, after


def with_views(
    motions: Sequence[Motion], after: Sequence[Pose], record: TrialRecord, trial: Path
) -> list[Motion]:
    """Give each motion its three pictures: the folder before it holds what the agent saw then.

    Only the first folder is looked into: all of a trial have pictures of the same names.
    """
    folders = [f"{step}_{action}_for_{target}" for step, action, target in record.actions]
    endings = _picture_endings(trial / folders[0])
    if not endings:
        return list(motions)
    before: list[str] = []
    for folder, (step, action, _) in zip(folders, record.actions[1:], strict=False):
        # a stop that belongs to the motion before it is no motion of its own
        if action != "stop" or step < 0 or not before:
            before.append(folder)
    count = _PLACE_PARTS
    while count < len(trial.parts) and _DATA_SET_FOLDER.match(trial.parts[-count - 1]):
        count += 1
    place = "/".join(trial.parts[-count:])
    seen = []
    for motion, pose, folder in zip(motions, after, before, strict=False):
        views = []
        for name, turn_deg in _SIDES:
            if name in endings:
                source = f"{place}/{folder}/{name}{endings[name]}"
                heading = (pose.heading_deg + turn_deg) % 360
                views.append(StepView(source=source, heading_deg=heading, label=name))
        seen.append(replace(motion, views=tuple(views)))
    return seen


def _picture_endings(folder: Path) -> dict[str, str]:
    """Return the endings of the pictures in a folder, by ``front``, ``left`` and ``right``."""
    names = [path.name for path in folder.iterdir()] if is_folder(folder) else []
    return {Path(name).stem: Path(name).suffix for name in names if Path(name).suffix in _ENDINGS}


def targets_of(trace: Trace) -> tuple[str, ...]:
    """Return the target that each step of a recorded walk was made for."""
    names = [task.target or task.description for task in trace.episode.tasks] or ["target"]
    targets: list[str] = []
    current = 0
    for step in trace.steps:
        # steps after the last stop count to the last target
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
    """Return a step task with steps of the trace, and its segments as NavGen cuts them."""
    first, last = (
        steps.get(task.first_step, task.first_step + 1),
        steps.get(task.last_step, task.last_step + 1),
    )
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
    # the stop of the last target opens one more count, which stays empty
    return [count - 1 for count in counts if count]


def reckoned(
    record: TrialRecord,
    config: Mapping[str, Any],
    step_tasks: Sequence[StepTask],
    episode: str,
    problems: Problems,
) -> tuple[Pose, ...]:
    """Poses from the actions alone; heights run from one recorded position to the next."""
    start = start_of(config)
    if start is None:
        do = "the walk is drawn from (0, 0, 0)"
        problems.add(Problem("is missing", do, "config.json", episode, "Start pos"))
        start = (0.0, 0.0, 0.0)
    actions = [action for _, action, _ in record.actions[1:]]
    flat = dead_reckon(Pose(start, heading_deg(START_YAW_DEG)), actions)
    recorded = {0: start[2]}
    for task in step_tasks:
        place = _entry_before(record, task.first_step)
        if task.start_position is not None and place is not None:
            recorded[place] = task.start_position[2]
    return tuple(map(_at_height, flat, _heights(record, recorded)))


def _at_height(pose: Pose, height_m: float) -> Pose:
    x, y, _ = pose.position
    return Pose((x, y, height_m), pose.heading_deg)


def _entry_before(record: TrialRecord, step: int) -> int | None:
    """Entry after which a step task's recorded start stands."""
    # the released script indexes the trial's entries with the step's number less the entries
    # before: for the first target that is the entry before the step, for later ones one earlier for
    # each target
    places = []
    for k, (number, action, _) in enumerate(record.actions):
        if number == step and action != "stop":
            places.append(k)
    if not places:
        return None
    place = places[0]
    before = sum(action == "stop" and number >= 0 for number, action, _ in record.actions[:place])
    return max(0, place - 1 - before)


def _heights(record: TrialRecord, recorded: Mapping[int, float]) -> list[float]:
    """Return heights after each entry, between recorded ones in proportion to the forwards."""
    places = sorted(recorded)
    walked = [0]
    for _, action, _ in record.actions[1:]:
        walked.append(walked[-1] + (action == "move_forward"))
    heights = []
    for k in range(len(record.actions)):
        before = max((place for place in places if place <= k), default=places[0])
        after = min((place for place in places if place >= k), default=before)
        # without a forward between two recorded places the height of the first one holds
        span = walked[after] - walked[before]
        share = (walked[k] - walked[before]) / span if span else 0.0
        heights.append(recorded[before] + share * (recorded[after] - recorded[before]))
    return heights
