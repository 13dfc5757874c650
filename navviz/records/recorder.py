"""Record the walks of a Habitat evaluation as traces that NavViz replays: ``navviz.record(env, "my-run")``.

This file needs nothing but the standard library and Python 3.6 or newer, since simulators live in
old environments: ``navviz data recorder > navviz_recorder.py`` writes a copy to drop in. It wraps
whatever has ``reset()``, ``step(action)``, ``current_episode`` and ``sim.get_agent_state()``
(`habitat.Env` of 0.1.7 to 0.3), and `Recorder` can be called by hand. Positions and quaternions come
in Habitat's frame (metres; x right, y up, z backward) and are written in NavViz's (z up, headings
clockwise from +y): ``X = x, Y = -z, Z = y``.
"""  # noqa: E501

import datetime
import json
import math
import os
import re
import struct
import zlib
from typing import IO, Any, Dict, List, Optional, Sequence, Set, Tuple

_SCHEMA_VERSION = 3
_ACTIONS = ("stop", "move_forward", "turn_left", "turn_right", "look_up", "look_down")
"""Habitat's actions by number."""
_STAYED_M = 1e-4
"""Poses nearer than this are one place: a turn moves the agent by rounding alone."""
_FLOOR_M = 1.0
"""Heights of one floor; a floor view is written once for each."""
_FLOOR_CELL_M = 0.05

_BESIDE_CALL = ("sub_goal", "sub_goal_status", "observation", "shown", "rejected")
"""What `Recorder.note` takes that is no part of a call."""

_Place = Tuple[float, float, float]
_Turn = Tuple[float, float, float, float]


def record(
    env: Any, run: str, folder: Optional[str] = None, navigator: str = "agent", **options: Any
) -> "RecordedEnv":
    """Wrap an environment so that every episode it walks is written as a trace.

    Parameters
    ----------
    env
        Anything with ``reset()``, ``step(action)``, ``current_episode`` and ``sim``.
    run
        Name of the run, and of its folder.
    folder
        Where the traces go; a folder named after the run if not given.
    navigator
        Name of the agent.
    options
        What `Recorder` takes: ``model``, ``settings``, ``frames``, ``floors``.

    Returns
    -------
    The environment with all its attributes, and `note` to add prompt, thoughts and reply to the next
    action.

    Raises
    ------
    OSError
        Where the folder cannot be written.

    Examples
    --------
    With ``env`` a `habitat.Env`, every further episode is written::

        env = navviz.record(env, "my-run")

    By hand, after each action with where the agent stands:

    >>> from navviz.records.recorder import Recorder
    >>> recorder = Recorder("my-run")
    >>> recorder.begin({"episode_id": 7, "start_position": [0, 0, 0], "instruction": "Go on."})
    >>> recorder.step("move_forward", position=[0, 0, -0.25])
    >>> recorder.end({"success": 1.0})
    >>> import navviz
    >>> navviz.open_run("my-run").trace("7").path
    ('pose 0', 'pose 1')
    """  # noqa: E501
    return RecordedEnv(env, Recorder(run, folder, navigator, **options))


class Recorder:
    """Write traces by plain calls: `begin` an episode, `step` after each action, `end` with the figures.

    Each call is with the system when it returns, so a killed process loses at most the action that
    it was in. An episode that is recorded again moves its older trace to ``NAME.old``.

    Parameters
    ----------
    run, folder, navigator
        As for `record`.
    model, settings
        What is needed to repeat the run; never a key.
    frames
        Name of the observation to write as a picture before each action (``rgb``); none if not given.
    floors
        Whether to write one view of each floor of each scan.
    """  # noqa: E501

    def __init__(
        self,
        run: str,
        folder: Optional[str] = None,
        navigator: str = "agent",
        model: Optional[str] = None,
        settings: Optional[Dict[str, Any]] = None,
        frames: Optional[str] = None,
        floors: bool = True,
    ) -> None:
        self.run, self.folder, self.navigator = str(run), str(folder or run), str(navigator)
        self.model, self.settings = model, dict(settings or {})
        self.frames, self.floors = frames, floors
        self._file: Optional[IO[str]] = None
        self._worlds: Dict[str, str] = {}
        self._floors: Set[Tuple[str, int]] = set()
        self._clear()
        if not os.path.isdir(self.folder):
            os.makedirs(self.folder)

    def _clear(self) -> None:
        self._steps, self._poses = 0, 0
        self._counts: Dict[str, int] = {}
        self._node = "pose 0"
        self._place: Optional[_Place] = None
        self._anchor: Optional[_Place] = None
        self._turn: Optional[_Turn] = None
        self._note: Dict[str, Any] = {}
        self._figures: Dict[str, Optional[float]] = {}
        self._stem = self._world = ""

    @property
    def recording(self) -> bool:
        """Whether an episode has begun and not ended."""
        return self._file is not None

    def begin(self, episode: Any, position: Any = None, rotation: Any = None) -> None:
        """Begin an episode; one that is still open is ended as stopped.

        Parameters
        ----------
        episode
            Habitat's episode, or a dictionary with the same names: ``episode_id``, ``scene_id``,
            ``instruction`` (a text, or with ``instruction_text``), ``start_position``,
            ``start_rotation``, ``goals``, ``reference_path``, ``trajectory_id``, ``info``.
        position, rotation
            Where the agent stands, if not at the episode's start: ``[x, y, z]`` and a quaternion.
        """
        if self.recording:
            self.end(status="stopped", reason="The next episode began before this one ended.")
        self._clear()
        world = _scan(_get(episode, "scene_id"))
        name = self._name(str(_get(episode, "episode_id", "episode")), world)
        first = position if position is not None else _get(episode, "start_position")
        turn = rotation if rotation is not None else _get(episode, "start_rotation")
        self._place, self._turn = _place(first), _quaternion(turn)
        self._anchor = self._place
        entry = _episode(episode, name, world, self._place, self._turn)
        self._world, self._stem = world, _file_name(name)
        path = os.path.join(self.folder, self._stem + ".trace.jsonl")
        if os.path.exists(path):
            os.replace(path, path + ".old")
        self._file = open(path, "w", encoding="utf-8")  # noqa: SIM115 - open until `end`
        header = {
            "type": "header",
            "schema_version": _SCHEMA_VERSION,
            "run": self.run,
            "episode": entry,
            "navigator": self.navigator,
            "settings": _plain(self.settings),
            "model": self.model,
            "created": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "pose_source": "recorded by the simulator",
            "frame": "habitat",
        }
        self._write([header])

    def plan(self, sub_goals: Sequence[str], landmarks: Sequence[str] = ()) -> None:
        """Write the plan of the episode that has begun, and the landmarks that it looks for."""
        event: Dict[str, Any] = {"type": "plan"}
        event["sub_goals"] = [{"description": str(text)} for text in sub_goals]
        event["landmarks"] = [{"name": str(name)} for name in landmarks]
        self._write([event])

    def note(
        self,
        prompt: Optional[str] = None,
        thoughts: Optional[str] = None,
        reply: Optional[str] = None,
        **more: Any,
    ) -> None:
        """Add what the model read, thought and said to the action that is taken next.

        Beside the texts of a call: ``sub_goal`` (index), ``sub_goal_status`` (``IN_PROGRESS`` or
        ``COMPLETED``), ``observation`` (text), ``shown`` (names of landmarks) and ``rejected`` (why
        some places were not chosen, by place).
        """
        texts = dict(more, prompt=prompt, thoughts=thoughts, reply=reply)
        self._note.update(_given(texts))

    def step(
        self,
        action: Any,
        position: Any = None,
        rotation: Any = None,
        metrics: Optional[Dict[str, Any]] = None,
        frame: Any = None,
        **texts: Any,
    ) -> None:
        """Write one action and where it led.

        Parameters
        ----------
        action
            A number or name of Habitat, or a dictionary with ``action``.
        position, rotation
            Where the agent stands after the action; not given, it stayed.
        metrics
            Figures after the action; only finite numbers are kept.
        frame
            The picture that the agent saw before the action, an array of ``(height, width, 3)``.
        texts
            ``prompt``, ``thoughts``, ``reply`` and whatever else `navviz.records.Call` has.
        """
        if not self.recording:
            return
        self.note(**texts)
        self._steps += 1
        name = action_name(action)
        step: Dict[str, Any] = {"type": "step", "index": self._steps, "node": self._node}
        step.update(_pose(self._place, self._turn))
        picture = self._picture(frame)
        if picture:
            step["views"] = [picture]
        more = {key: self._note.pop(key, None) for key in _BESIDE_CALL}
        if more["sub_goal"] is not None:
            step["sub_goal"] = int(more["sub_goal"])
        events = [step]
        if more["observation"] or more["shown"] or more["rejected"]:
            rejected = dict(more["rejected"] or {})
            observation: Dict[str, Any] = {"format": "text", "text": more["observation"] or ""}
            observation["pois"] = [{"name": str(name)} for name in more["shown"] or ()]
            observation["candidates"] = [
                {"node": str(place), "state": "rejected", "reason": str(rejected[place])}
                for place in rejected
            ]
            events.append({"type": "observation", "observation": observation})
        if self._note:
            events.append({"type": "call", "call": _call(self._note)})
            self._note = {}
        decision: Dict[str, Any] = {"action": name, "stop": name == "stop"}
        if more["sub_goal_status"]:
            decision["sub_goal_status"] = more["sub_goal_status"]
        events += [{"type": "decision", "decision": decision}, self._moved(position, rotation)]
        figures = _figures(metrics)
        if figures:
            events[-1]["figures"] = figures
            self._figures = dict(figures)
        self._write(events)

    def _moved(self, position: Any, rotation: Any) -> Dict[str, Any]:
        before, after = self._node, _place(position)
        if after is not None:
            if self._anchor is None or _apart(after, self._anchor) >= _STAYED_M:
                self._poses += 1
                self._node, self._anchor = "pose {}".format(self._poses), after
            self._place = after
        self._turn = _quaternion(rotation) or self._turn
        path = [before, self._node] if before != self._node else []
        move: Dict[str, Any] = {"type": "move", "path": path}
        move.update(_pose(self._place, self._turn))
        return move

    def end(
        self,
        metrics: Optional[Dict[str, Any]] = None,
        status: str = "done",
        reason: Optional[str] = None,
    ) -> None:
        """End the episode with the figures of its evaluator.

        `status` is ``done``, ``limit`` (too many steps), ``stopped`` or ``error``.
        """
        if self._file is None:
            return
        figures = _figures(metrics, whole=True) or self._figures
        event: Dict[str, Any] = {"type": "end", "status": status, "events": dict(self._counts)}
        event.update(reason=reason, node=self._node)
        if self._place is not None:
            event["position"] = list(self._place)
        if figures:
            event["figures"] = figures
        self._write([event])
        self._file.close()
        self._file = None

    def floor_view(self, simulator: Any) -> None:
        """Write the walkable ground of the agent's floor, once a scan and floor."""
        finder = getattr(simulator, "pathfinder", None)
        if not self.floors or finder is None or self._place is None:
            return
        world, height = self._world, self._place[2]
        floor = (world, math.floor(height / _FLOOR_M))
        if floor in self._floors:
            return
        self._floors.add(floor)
        try:
            rows = finder.get_topdown_view(_FLOOR_CELL_M, height)
            low, _high = finder.get_bounds()
        except Exception:  # noqa: BLE001 - a floor view is worth no evaluation
            return
        stem = os.path.join(self.folder, "{}_floor{}".format(_file_name(world), len(self._floors)))
        _write_png(stem + ".png", [_greys(row) for row in rows])
        place = {
            "metres_per_pixel": _FLOOR_CELL_M,
            "origin": [float(low[0]), -float(low[2])],
            "z": [height - _FLOOR_M, height + 2 * _FLOOR_M],
            "north_up": True,
            "source": "habitat",
        }
        _write_whole(stem + ".json", json.dumps(place).encode("utf-8"))

    def _name(self, episode: str, world: str) -> str:
        """Return the episode's id, with its scan where another scan has an episode of this id."""
        if self._worlds.setdefault(episode, world) != world:
            return "{}-{}".format(world, episode)
        return episode

    def _picture(self, frame: Any) -> str:
        if frame is None:
            return ""
        folder = self._stem + ".views"
        if not os.path.isdir(os.path.join(self.folder, folder)):
            os.makedirs(os.path.join(self.folder, folder))
        name = "{}/{:04d}.png".format(folder, self._steps)
        _write_png(os.path.join(self.folder, name), frame)
        return name

    def _write(self, events: Sequence[Dict[str, Any]]) -> None:
        if self._file is None:
            return
        lines = []
        for event in events:
            kept = _given(event)
            if event["type"] not in ("header", "end"):
                self._counts[event["type"]] = self._counts.get(event["type"], 0) + 1
            lines.append(json.dumps(kept, separators=(",", ":"), allow_nan=False) + "\n")
        self._file.write("".join(lines))
        self._file.flush()


class RecordedEnv:
    """An environment whose episodes are recorded; everything else is the environment's own."""

    def __init__(self, env: Any, recorder: Recorder) -> None:
        self._env, self.recorder = env, recorder
        self._seen: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._env, name)

    def __enter__(self) -> "RecordedEnv":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def note(self, **texts: Any) -> None:
        """Add prompt, thoughts and reply to the action that is taken next."""
        self.recorder.note(**texts)

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """Reset the environment and begin a trace."""
        result = self._env.reset(*args, **kwargs)
        self._seen = result
        position, rotation = _state(self._env)
        self.recorder.begin(_habitat(self._env).current_episode, position, rotation)
        self.recorder.floor_view(_habitat(self._env).sim)
        return result

    def step(self, action: Any, *args: Any, **kwargs: Any) -> Any:
        """Take an action and write it; the episode's last one ends its trace."""
        frame = _picture_of(self._seen, self.recorder.frames)
        try:
            result = self._env.step(action, *args, **kwargs)
        except BaseException as error:
            stopped = isinstance(error, KeyboardInterrupt)
            reason = "Stopped." if stopped else "The step failed: {}.".format(type(error).__name__)
            self.recorder.end(status="stopped" if stopped else "error", reason=reason)
            raise
        self._seen = result
        position, rotation = _state(self._env)
        metrics, over = _outcome(self._env, result)
        self.recorder.step(action, position, rotation, metrics, frame)
        if over:
            stop = action_name(action) == "stop"
            self.recorder.end(metrics, "done" if stop or over == "done" else "limit")
        return result

    def close(self, *args: Any, **kwargs: Any) -> Any:
        """Close the environment; an open episode ends as stopped."""
        self.recorder.end(status="stopped", reason="The environment was closed.")
        return self._env.close(*args, **kwargs) if hasattr(self._env, "close") else None


def action_name(action: Any) -> str:
    """Name an action as Habitat's tasks do: ``move_forward``, ``turn_left``, ``stop``."""
    while isinstance(action, dict) and "action" in action:
        action = action["action"]
    if isinstance(action, (list, tuple)) and len(action) == 1:
        action = action[0]
    name = getattr(action, "name", None)
    if isinstance(name, str):
        action = name
    if isinstance(action, str):
        return action.strip().lower()
    try:
        number = int(action)
    except (TypeError, ValueError):
        return type(action).__name__.lower()
    return _ACTIONS[number] if 0 <= number < len(_ACTIONS) else "action {}".format(number)


def _habitat(env: Any) -> Any:
    """Return the innermost environment that knows its episode (gym wrappers hold it in ``env``)."""
    seen: List[int] = []
    while not hasattr(env, "current_episode") or not hasattr(env, "sim"):
        inner = getattr(env, "habitat_env", None) or getattr(env, "env", None)
        if inner is None or id(inner) in seen:
            raise AttributeError(
                "{}: has no current_episode and sim; call Recorder.begin, step and end"
                " yourself.".format(type(env).__name__)
            )
        seen.append(id(inner))
        env = inner
    return env


def _state(env: Any) -> Tuple[Any, Any]:
    state = _habitat(env).sim.get_agent_state()
    return state.position, state.rotation


def _outcome(env: Any, result: Any) -> Tuple[Optional[Dict[str, Any]], Any]:
    """Return the figures after an action, and whether the episode is over; gym tells both."""
    inner = _habitat(env)
    metrics = inner.get_metrics() if hasattr(inner, "get_metrics") else None
    over = bool(getattr(inner, "episode_over", False))
    if isinstance(result, tuple) and len(result) in (4, 5):
        over = over or any(bool(value) for value in result[2:-1])
        if metrics is None and isinstance(result[-1], dict):
            metrics = result[-1]
    success = (metrics or {}).get("success")
    return metrics, "done" if over and success else over


def _picture_of(seen: Any, name: Optional[str]) -> Any:
    while isinstance(seen, tuple) and seen:
        seen = seen[0]
    return seen.get(name) if name and hasattr(seen, "get") else None


def _get(holder: Any, name: str, otherwise: Any = None) -> Any:
    value = holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)
    return otherwise if value is None else value


def _episode(
    episode: Any, name: str, world: str, place: Optional[_Place], turn: Optional[_Turn]
) -> Dict[str, Any]:
    instruction = _get(episode, "instruction", "")
    text = (
        instruction if isinstance(instruction, str) else _get(instruction, "instruction_text", "")
    )
    places: Dict[str, List[float]] = {}
    if place is not None:
        places["pose 0"] = list(place)
    reference = []
    for k, point in enumerate(_get(episode, "reference_path", ())):
        spot = _place(point)
        if spot is not None:
            reference.append("reference {}".format(k + 1))
            places[reference[-1]] = list(spot)
    goals = _get(episode, "goals", ())
    goal = _place(_get(goals[0], "position")) if len(goals) else None
    if goal is not None:
        places["goal"] = list(goal)
    radius = _number(_get(goals[0], "radius")) if len(goals) else None
    trajectory, language = _get(episode, "trajectory_id"), _get(instruction, "language")
    info = _figures(_get(episode, "info", {}))
    entry = {
        "id": name,
        "dataset": _dataset(trajectory, language),
        "instruction": str(text).strip(),
        "world": world,
        "start": "pose 0",
        "start_heading_deg": None if turn is None else heading_deg(turn),
        "reference_path": reference,
        "goal": "goal" if goal is not None else None,
        "success_radius_m": 3.0 if radius is None or radius <= 0 else radius,
        "places": places,
        "path_id": None if trajectory is None else str(trajectory),
        "language": language if isinstance(language, str) else None,
        "extra": info,
    }
    return _given(entry)


def _given(fields: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _dataset(trajectory: Any, language: Any) -> str:
    if isinstance(language, str):
        return "RxR-CE"
    return "Habitat" if trajectory is None else "R2R-CE"


def _scan(scene: Any) -> str:
    """Name the scan of a scene file, as ``mp3d/SCAN/SCAN.glb``."""
    stem = re.split(r"[\\/]", str(scene or ""))[-1]
    return re.sub(r"(\.basis)?\.(glb|ply|scene_instance\.json)$", "", stem)


def _file_name(name: str) -> str:
    """Make a file name of an id that may hold anything."""
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:100].lstrip(".") or "episode"
    if safe != name:
        safe += "-{:08x}".format(zlib.crc32(name.encode("utf-8", "replace")))
    return safe


def _numbers(value: Any, count: int) -> Optional[List[float]]:
    try:
        numbers = [float(each) for each in value]
    except (TypeError, ValueError):
        return None
    return numbers if len(numbers) == count and all(map(math.isfinite, numbers)) else None


def _place(value: Any) -> Optional[_Place]:
    """Return a position of Habitat in NavViz's frame; none where it is no finite position."""
    numbers = _numbers(value, 3)
    return None if numbers is None else (numbers[0], -numbers[2], numbers[1])


def _quaternion(value: Any) -> Optional[_Turn]:
    """Return a rotation of Habitat in NavViz's frame as ``(x, y, z, w)``.

    It may be a list ``[x, y, z, w]``, numpy's quaternion, or magnum's (``vector``, ``scalar``).
    """
    if all(hasattr(value, name) for name in "xyzw"):
        value = [value.x, value.y, value.z, value.w]
    elif hasattr(value, "vector") and hasattr(value, "scalar"):
        value = [*value.vector, value.scalar]
    numbers = _numbers(value, 4)
    if numbers is None or not any(numbers):
        return None
    return numbers[0], -numbers[2], numbers[1], numbers[3]


def heading_deg(turn: _Turn) -> float:
    """Return the compass heading of a rotation ``(x, y, z, w)`` of NavViz's frame."""
    x, y, z, w = turn
    east, north = 2 * (x * y - z * w), w * w + y * y - x * x - z * z
    return math.degrees(math.atan2(east, north)) % 360.0


def _pose(place: Optional[_Place], turn: Optional[_Turn]) -> Dict[str, Any]:
    pose: Dict[str, Any] = {}
    if place is not None:
        pose["position"] = list(place)
    if turn is not None:
        pose["heading_deg"] = round(heading_deg(turn), 4)
        pose["quaternion"] = list(turn)
    return pose


def _apart(a: _Place, b: _Place) -> float:
    return max(abs(p - q) for p, q in zip(a, b))  # noqa: B905 - Python 3.10 brought strict


def _number(value: Any) -> Optional[float]:
    if isinstance(value, str):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _figures(metrics: Any, whole: bool = False) -> Dict[str, Optional[float]]:
    """Keep the numbers of a dictionary; infinite ones are kept as missing where `whole`."""
    figures: Dict[str, Optional[float]] = {}
    for name, value in (metrics or {}).items():
        number = _number(value)
        if number is not None:
            figures[str(name)] = number
        elif whole and isinstance(value, float):
            figures[str(name)] = None
    return figures


def _call(note: Dict[str, Any]) -> Dict[str, Any]:
    texts = dict(note)
    prompt = texts.pop("prompt", None)
    call: Dict[str, Any] = {"purpose": "decide"}
    if prompt is not None:
        call["messages"] = [{"role": "user", "text": _text(prompt)}]
    for name, value in texts.items():
        call[name] = _text(value) if isinstance(value, str) else _plain(value)
    return call


def _text(value: Any) -> str:
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _plain(value: Any) -> Any:
    """Make anything something that JSON can hold."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, (bool, int)):
        return value
    number = None if isinstance(value, str) else _number(value)
    return _text(value) if number is None else number


def _greys(cells: Any) -> List[int]:
    """Return walkable cells in light grey, the others in dark."""
    shades = (120, 235)
    return [shades[bool(cell)] for cell in cells]


def _write_png(path: str, rows: Any) -> None:
    """Write a picture: rows of grey values, or an array of ``(height, width, 3 or 4)`` bytes."""
    shape = getattr(rows, "shape", None)
    if shape is not None and len(shape) == 3 and shape[2] in (3, 4):
        height, width, colour = int(shape[0]), int(shape[1]), 2 if shape[2] == 3 else 6
        raw, stride = bytes(rows.tobytes()), int(shape[1]) * int(shape[2])
    else:
        lines = [bytes(bytearray(row)) for row in rows]
        height, width, colour = len(lines), len(lines[0]) if lines else 0, 0
        raw, stride = b"".join(lines), width
    if not height or not width:
        return
    packed = zlib.compress(
        b"".join(b"\0" + raw[k * stride : (k + 1) * stride] for k in range(height)), 1
    )
    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b"")):
        check = zlib.crc32(kind + data) & 0xFFFFFFFF
        content += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
    _write_whole(path, content)


def _write_whole(path: str, content: bytes) -> None:
    """Write a file in one move: a full disk leaves no half of it."""
    part = path + ".part"
    try:
        with open(part, "wb") as file:
            file.write(content)
        os.replace(part, path)
    except Exception:
        if os.path.exists(part):
            os.remove(part)
        raise
