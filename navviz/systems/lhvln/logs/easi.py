"""Runs of EASI (EvolvingLMMs-Lab) on LHPR-VLN: the log format that people bring today.

``<run>/config.json``, ``summary.json`` and ``episodes/000_ID/`` with ``result.json`` and
``trajectory.jsonl``: a reset, then one line an action with the pose and what the simulator says of
the sub-tasks (arrays as JSON text). Headings are not logged: they are counted from yaw 180.
Distances are the simulator's geodesics and are used as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json, json_lines
from navviz.formats.texts import as_count, as_flag, as_list, as_mapping, as_number, say_unlike
from navviz.records import (
    Call,
    EndEvent,
    Episode,
    Panel,
    StageLog,
    StepView,
    Task,
    Trace,
    TraceHeader,
)
from navviz.support.guarded import (
    decode_reply,
    head_text,
    is_folder,
    is_regular,
    is_there,
    parse_json,
    read_json,
)
from navviz.systems.lhvln.logs.folders import SceneFinder
from navviz.systems.lhvln.logs.motion import (
    START_YAW_DEG,
    Pose,
    advance,
    heading_deg,
    metric_place,
    turned,
)
from navviz.systems.lhvln.logs.scenes import PREFIX
from navviz.systems.lhvln.logs.subtasks import (
    DATASET,
    SUCCESS_RADIUS_M,
    Places,
    episodes_beside,
    place_targets,
)
from navviz.systems.lhvln.logs.trials import Motion, build_walk

_ACTIONS = ("move_forward", "turn_left", "turn_right", "stop")


def trajectory_lines(path: Path, name: str, problems: Problems) -> list[dict[str, Any]]:
    """Read a trajectory's lines; what is broken in them is named with the episode."""
    broken = Problems()
    lines = []
    for number, line in json_lines(path, broken):
        if isinstance(line, dict):
            lines.append(line)
        else:
            where = f"{path.name}:{number}"
            broken.skip(Problem("is no JSON object", "the other lines are read", where))
    for problem in broken.kept:  # every episode has a file of this name
        problems.skip(replace(problem, file=f"{path.parent.name}/{problem.file}", episode=name))
    # only the first problems are kept, but all of them are counted
    problems.count += broken.count - len(broken.kept)
    return lines


def say_other_actions(
    steps: Sequence[Mapping[str, Any]], where: str, name: str, problems: Problems
) -> None:
    """Report actions of other names: turns that nobody counts leave every later heading wrong."""
    others = [str(step.get("action")) for step in steps]
    others = [action for action in others if action not in _ACTIONS]
    if others:
        what = f"{len(others)} actions are none of {', '.join(_ACTIONS)}, such as {others[0]:.40}"
        do = "they count as no turn and no stop"
        problems.add(Problem(what, do, where, name, "action"))


def say_lost_steps(
    steps: Sequence[Mapping[str, Any]], where: str, name: str, problems: Problems
) -> None:
    """Report a line that is missing or stands there twice: a lost turn makes headings wrong."""
    for due, step in enumerate(steps, start=1):
        number = as_count(step.get("step"))
        # some writers number no steps
        if number is not None and number != due:
            what = f"step {number} stands where step {due} is due"
            do = "look for lines that are missing or repeated; later headings may be wrong"
            problems.add(Problem(what, do, where, name, "step"))
            return


_THOUGHTS = ("visual_state_description", "reasoning_and_reflection", "language_plan")

_TITLE = "Plan being carried out"


def calls_of(
    steps: Sequence[Mapping[str, Any]],
) -> list[tuple[tuple[Call, ...], tuple[Panel, ...]]]:
    """Return calls and panels of each step; a step without a reply shows its plan."""
    replies: list[tuple[tuple[Call, ...], tuple[Panel, ...]]] = []
    plan: list[str] = []
    place = 0
    for step in steps:
        reply = step.get("llm_response")
        calls: tuple[Call, ...] = ()
        if isinstance(reply, str) and reply.strip():
            call, plan = _call(reply)
            # a new reply replaces the rest of the plan before it, carried out or not
            calls, place = (call,), 0
        replies.append((calls, (_panel(plan, place),) if plan else ()))
        place += 1
    return replies


def _call(reply: str) -> tuple[Call, list[str]]:
    try:
        parsed = decode_reply(reply)
        fault = None if isinstance(parsed, dict) else "the reply is no JSON object"
    except ValueError as error:
        parsed, fault = None, f"the reply is no JSON ({error})"
    if not isinstance(parsed, dict):
        return Call(reply=reply, parse_error=fault), []
    thoughts = "\n\n".join(
        text for key in _THOUGHTS if isinstance(text := parsed.get(key), str) and text.strip()
    )
    return Call(reply=reply, thoughts=thoughts or None, parsed=parsed), _plan(
        parsed.get("executable_plan")
    )


def _plan(entries: Json) -> list[str]:
    listed = as_list(entries)
    items = [item for item in listed if isinstance(item, dict)]
    return [str(item.get("action_name", item.get("action_id", "?"))) for item in items]


def _panel(plan: Sequence[str], place: int) -> Panel:
    rows = []
    for k, name in enumerate(plan):
        state = "done" if k < place else ""
        if k == place:
            state = "now"
        rows.append([state, k + 1, name])
    title = _TITLE if place < len(plan) else "Plan, carried out; the log goes on without a reply"
    return Panel(kind="table", title=title, data={"columns": ["", "#", "action"], "rows": rows})


_TRAJECTORY = "trajectory.jsonl"

_PLACE_PARTS = 4
"""Folders that name an episode: data set, run, ``episodes``, its own."""

_LOOKED_AT = 20
"""Trajectories looked at to know a run: the first may be damaged."""

LOGGED = "positions as logged, headings counted from the turns"


class EasiRuns:
    """Reads run folders of EASI."""

    name: ClassVar[str] = "EASI runs of LHPR-VLN"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a run's folder with a trajectory of LHPR-VLN in it."""
        return any(
            _is_trajectory(folder / _TRAJECTORY) for folder in islice(_folders(path), _LOOKED_AT)
        )

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read all episodes of a run; one that cannot be read is reported."""
        problems = Problems()
        given = dict(episodes or episodes_beside(path, problems))
        scenes = SceneFinder(graph_of, problems)
        config = _object(path / "config.json", problems)
        say_unlike(config, {"object": "cli_options"}, Problem("", "", "config.json"), problems)
        model = _model(config, problems)
        traces: dict[str, Trace] = {}
        for result in sorted(path.glob("episodes/*/result.json")):
            folder = result.parent
            if is_regular(folder / _TRAJECTORY):
                continue
            what, do = f"holds no {_TRAJECTORY}", "get the run again, or remove it"
            problems.skip(Problem(what, do, folder.name, _episode_id(folder)))
        for folder in _folders(path):
            try:
                trace = _trace(folder, path.name, given, scenes, model, problems)
            except InputError as error:
                file = error.problem.file
                # every episode has files of these names
                named = file if "/" in file else f"{folder.name}/{file}"
                problems.skip(replace(error.problem, file=named, episode=_episode_id(folder)))
                continue
            if trace.episode.id in traces:
                do = "keep one; the last one is shown"
                problems.skip(Problem("is there twice", do, folder.name, trace.episode.id))
            traces[trace.episode.id] = trace
        if not traces:
            why = f" ({problems.kept[0]})" if problems.kept else ""
            raise InputError(
                f"holds no episode that can be read{why}", "choose another run", file=path.name
            )
        details = {
            "model": model,
            "config": config,
            "summary": _object(path / "summary.json", problems),
        }
        return [Run(path.name, "easi", None, traces, problems, path, details)]


_GROUPS = {"base": "all"}

_FIGURES = ("SR", "OSR", "SPL", "NE", "ISR", "CSR", "CGT", "TAR")


def logged_summary(path: Path) -> list[dict[str, Any]]:
    """Return the figures of a run's ``summary.json`` by our names, one row a group."""
    summary = _object(path / "summary.json", Problems()) if is_folder(path) else {}
    rows = []
    for group, figures in summary.items():
        if not isinstance(figures, dict):
            continue
        values = {name: as_number(figures.get(name)) for name in _FIGURES}
        if any(value is not None for value in values.values()):
            name, count = _GROUPS.get(str(group), str(group)), figures.get("num_episodes")
            contest = as_number(figures.get("contest_score"))
            rows.append({"group": name, "tasks": as_number(count), **values, "contest": contest})
    return rows


def _folders(path: Path) -> list[Path]:
    root = path / "episodes"
    if not is_folder(root):
        return []
    return sorted(folder for folder in root.iterdir() if is_regular(folder / _TRAJECTORY))


def _is_trajectory(path: Path) -> bool:
    try:
        first = parse_json(
            head_text(path, 1 << 16).lstrip().partition("\n")[0], path.name, lenient=True
        )
    except InputError:
        return False
    return isinstance(first, dict) and first.get("type") == "reset" and "agent_pose" in first


def _object(path: Path, problems: Problems, episode: str = "") -> dict[str, Any]:
    """Return what a file beside the walk adds."""
    if not is_there(path):
        return {}
    try:
        raw = read_json(path, lenient=True)
    except InputError as error:
        problems.skip(Problem(error.problem.what, "what it adds is missing", path.name, episode))
        return {}
    return as_mapping(raw)


def _model(config: Mapping[str, Any], problems: Problems) -> str | None:
    """Return the model's name, wherever the configuration has it."""
    for key, value in config.items():
        if key in {"model", "model_name", "llm_model"}:
            say_unlike(config, {"text": key}, Problem("", "", "config.json"), problems)
            if isinstance(value, str):
                return value
        if isinstance(value, dict) and (inner := _model(value, problems)):
            return inner
    return None


def _episode_id(folder: Path) -> str:
    """``ID`` of ``000_ID``."""
    number, underscore, name = folder.name.partition("_")
    return name if underscore and number.isdigit() and name else folder.name


def _trace(
    folder: Path,
    run: str,
    episodes: Mapping[str, Episode],
    scenes: SceneFinder,
    model: str | None,
    problems: Problems,
) -> Trace:
    name = _episode_id(folder)
    where = f"{folder.name}/{_TRAJECTORY}"
    lines = trajectory_lines(folder / _TRAJECTORY, name, problems)
    reset = next((line for line in lines if line.get("type") == "reset"), None)
    steps = [line for line in lines if line.get("type") == "step"]
    if reset is None or not steps:
        raise InputError(
            "holds no reset with steps after it", "run the episode again", file=where, episode=name
        )
    for line in lines:
        say_unlike(line, _LINE, Problem("", "", where, name), problems)
        say_unlike(_decoded(line.get("info")), _INFO, Problem("", "", where, name), problems)
    result = _object(folder / "result.json", problems, name)
    say_unlike(result, _RESULT, Problem("", "", f"{folder.name}/result.json", name), problems)
    private = {key.removeprefix("_"): result[key] for key in result if key.startswith("_")}
    # EASI keeps figures of the whole episode in the last step, and in keys with an underscore
    info = _infos(steps)[-1] | private
    episode = episodes.get(name) or _bare(name, info, result)
    if name not in episodes:
        do = "give the split's .jsonl for its instruction"
        problems.add(Problem("is not in an episodes file", do, where, name))
    places: Places = {}
    if episode.world:
        episode, places = place_targets(episode, scenes(episode.world), where, problems)
    say_other_actions(steps, where, name, problems)
    say_lost_steps(steps, where, name, problems)
    motions = []
    for motion, views in zip(_motions(steps), _views(reset, steps, folder), strict=True):
        motions.append(replace(motion, views=views))
    walk = build_walk(_poses(reset, steps, where, name, problems), motions)
    stages = _stages(steps, info, len(episode.tasks), where, name, problems)
    gt_step = episode.extra.get("gt_step") or [stage.reference_steps for stage in stages]
    episode = episode.model_copy(
        update={
            "start": walk.start,
            "start_heading_deg": walk.start_heading_deg,
            "extra": {**episode.extra, "gt_step": gt_step},
        }
    )
    header = TraceHeader(
        run=run,
        episode=episode,
        navigator="easi",
        model=model,
        source=str(folder),
        poses={**places, **walk.places},
        pose_source=LOGGED,
    )
    return Trace(header=header, steps=walk.steps, end=_end(steps, stages, walk.end))


_LINE = {
    "text": "type, action, llm_response, rgb_path",
    "number": "step",
    "numbers": "agent_pose",
    "object": "info",
    "flag": "done",
}

_INFO = {
    "flags": "subtask_successes, subtask_oracle_successes",
    "numbers": "subtask_nav_errors, subtask_nav_steps, gt_steps",
    "number or numbers or lists": "gt_paths",
    "number": "current_geo_distance, subtask_total",
    "text": "feedback",
}

_RESULT = {"text": "scene, instruction", "figure": "task_success"}


def _decoded(info: Json) -> dict[str, Json]:
    """Return what the simulator says of a step, with the arrays that stand there as JSON text."""
    details = dict(as_mapping(info))
    for key, value in details.items():
        if key.startswith(("subtask_", "gt_")):
            details[key] = _array(value) or value
    return details


def _infos(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [as_mapping(step.get("info")) for step in steps]


def _bare(name: str, info: Mapping[str, Any], result: Mapping[str, Any]) -> Episode:
    """Return an episode that nobody described: as many sub-tasks as the log counts."""
    count = len(_array(info.get("subtask_successes"))) or int(
        as_number(info.get("subtask_total")) or 0
    )
    scene = result.get("scene")
    return Episode(
        id=name,
        dataset=DATASET,
        instruction=str(result.get("instruction") or "The log does not hold the instruction."),
        world=PREFIX + scene if isinstance(scene, str) else PREFIX + "unknown",
        start="",
        success_radius_m=SUCCESS_RADIUS_M,
        tasks=tuple(Task(description=f"Sub-task {k + 1}") for k in range(count)),
    )


def _poses(
    reset: Mapping[str, Any],
    steps: Sequence[Mapping[str, Any]],
    where: str,
    name: str,
    problems: Problems,
) -> list[Pose]:
    """Positions as logged; where one is missing, the agent is taken to have moved freely."""
    first = _place(reset.get("agent_pose"))
    poses = [Pose(first or (0.0, 0.0, 0.0), heading_deg(START_YAW_DEG))]
    holes = int(first is None)
    for step in steps:
        action = str(step.get("action"))
        place = _place(step.get("agent_pose"))
        holes += place is None
        free = advance(poses[-1], action)
        poses.append(free if place is None else Pose(place, turned(poses[-1].heading_deg, action)))
    # an unknown start is no reason to lose the walk: its shape is right, its place is not
    if holes:
        what = f"{holes} of {len(steps) + 1} poses are missing"
        problems.add(Problem(what, "they are dead reckoned", where, name, "agent_pose"))
    return poses


def _place(pose: Json) -> tuple[float, float, float] | None:
    # a pose has rotations after the position
    return metric_place(pose[:3]) if isinstance(pose, list) else None


def _motions(steps: Sequence[Mapping[str, Any]]) -> list[Motion]:
    motions = []
    for step, info, (calls, panels) in zip(steps, _infos(steps), calls_of(steps), strict=True):
        action = str(step.get("action"))
        reason = str(info["feedback"]) if info.get("feedback") else None
        stop = action == "stop"
        motions.append(Motion(action, stop=stop, reason=reason, calls=calls, panels=panels))
    return motions


def _views(
    reset: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], folder: Path
) -> list[tuple[StepView, ...]]:
    """Return the picture that the agent saw before each step: that of the line before it."""
    # where the reset names none, each line names the picture of its own step
    lines = [reset, *steps] if reset.get("rgb_path") else [*steps]
    # of its own machine, or relative to the episode's folder
    place = "/".join(folder.parts[-_PLACE_PARTS:])
    views: list[tuple[StepView, ...]] = []
    for line in lines[: len(steps)]:
        path = line.get("rgb_path")
        if not isinstance(path, str) or not path:
            views.append(())
            continue
        is_whole = PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()
        views.append((StepView(source=path if is_whole else f"{place}/{path}"),))
    return views


def _array(value: Json) -> list[Any]:
    """Return a list, also where it is written as JSON text."""
    if isinstance(value, str):
        try:
            value = parse_json(value, _TRAJECTORY, lenient=True)
        except InputError:
            return []
    return as_list(value)


def _length_m(path: Json) -> float | None:
    """Length of a ground-truth path: a number, a list of points, or either as JSON text."""
    if isinstance(path, str):
        try:
            path = parse_json(path, _TRAJECTORY, lenient=True)
        except InputError:
            return None
    if isinstance(path, list):
        # points of the simulator's path, which goes around walls: its length is the geodesic
        # distance
        places = [place for point in path if (place := _place(point)) is not None]
        return sum(math.dist(a, b) for a, b in pairwise(places)) if places else None
    return as_number(path)


def _stages(
    steps: Sequence[Mapping[str, Any]],
    info: Mapping[str, Any],
    tasks: int,
    where: str,
    name: str,
    problems: Problems,
) -> tuple[StageLog, ...]:
    """Return what the log says of each sub-task; empty where it says nothing."""
    successes = _array(info.get("subtask_successes"))
    oracles = _array(info.get("subtask_oracle_successes"))
    errors, walked = _array(info.get("subtask_nav_errors")), _array(info.get("subtask_nav_steps"))
    count = max(len(successes), tasks)
    if not successes:
        do = "this episode is not scored"
        problems.add(Problem("is missing", do, where, name, "subtask_successes"))
        return ()
    stops = sum(step.get("action") == "stop" for step in steps)
    if steps[-1].get("action") == "stop" and stops < count and len(errors) == stops + 1:
        what = "the stop fell on the last step allowed, and its error is logged twice"
        problems.add(Problem(what, "the first counts", where, name, "subtask_nav_errors"))
        # a stop on the last step allowed ends the sub-task and the episode, and both write the
        # error
        errors, walked = errors[:stops], walked[:stops]
    reference = _array(info.get("gt_steps"))
    begins = [_length_m(path) for path in _array(info.get("gt_paths"))]
    distances = _distances(steps, count)
    # an infinite error is none of the finite numbers that `as_number` gives
    unreachable = sum(as_number(error) is None for error in errors)
    if unreachable:
        what = f"{unreachable} targets could not be reached (their error is infinite)"
        do = "they count 0 in TAR and not in NE"
        problems.add(Problem(what, do, where, name, "subtask_nav_errors"))
    stages = []
    for k in range(count):
        stage = StageLog(
            success=_flag(successes, k),
            oracle_success=_flag(oracles, k),
            error_m=_number_at(errors, k),
            unreachable=k < len(errors) and as_number(errors[k]) is None,
            begin_m=begins[k] if k < len(begins) else None,
            steps=_number_at(walked, k),
            reference_steps=_number_at(reference, k),
            ended=k < len(errors),
            distances_m=tuple(distances[k]),
        )
        stages.append(stage)
    return tuple(stages)


def _number_at(values: Sequence[Any], k: int) -> float | None:
    return as_number(values[k]) if k < len(values) else None


def _flag(values: Sequence[Any], k: int) -> bool | None:
    return as_flag(values[k]) if k < len(values) else None


def _distances(steps: Sequence[Mapping[str, Any]], count: int) -> list[list[float | None]]:
    """Distance to the current target after each step of each stage."""
    # after a stop the log speaks of the next target, so the stop's own distance is the one before
    # it
    distances: list[list[float | None]] = [[] for _ in range(count)]
    stage = 0
    for step, info in zip(steps, _infos(steps), strict=True):
        # what the log says after the last stop belongs to no sub-task
        if stage >= count:
            break
        distance = as_number(info.get("current_geo_distance"))
        # a target lies at no negative distance
        if distance is not None and distance < 0:
            distance = None
        if step.get("action") == "stop":
            distances[stage].append(distances[stage][-1] if distances[stage] else None)
            stage += 1
        else:
            distances[stage].append(distance)
    return distances


def _end(steps: Sequence[Mapping[str, Any]], stages: tuple[StageLog, ...], node: str) -> EndEvent:
    """How it ended: all stops made, or cut off by the limit of steps."""
    last = steps[-1]
    if stages and all(stage.ended for stage in stages) and last.get("action") == "stop":
        return EndEvent(status="done", node=node, stages=stages)
    if last.get("done"):
        reason = f"cut off after {len(steps)} steps"
        return EndEvent(status="limit", reason=reason, node=node, stages=stages)
    return EndEvent(
        status="unknown", reason="the log ends before the episode does", node=node, stages=stages
    )
