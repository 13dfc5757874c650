"""The walk of one entry of a mapped log: nodes or poses, with what was asked and answered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from navviz.errors import Problem, Problems
from navviz.formats.mapping import values
from navviz.formats.mapping.model import WalkFields, first_value
from navviz.formats.mapping.model import series as along
from navviz.formats.vlnce import ACTIONS, FreePose, action_between, free_trace
from navviz.records import (
    Call,
    Decision,
    EndEvent,
    EndStatus,
    Episode,
    Observation,
    Step,
    StepView,
    Trace,
    TraceHeader,
)
from navviz.records.base import Position
from navviz.records.provider_messages import messages_of
from navviz.records.trace import UNSAID_STOP
from navviz.support.guarded import Json
from navviz.world.graph import Graph

_Places = list[Position | None]
WalkOrFault = Trace | Literal["none", "faulty"]
"""``none``: the entry says nothing of a walk; ``faulty``: it does, and it was reported."""


@dataclass(frozen=True, slots=True)
class _WalkSeries:
    """What the log says of each place of a walk, along the places."""

    headings: list[Json]
    actions: list[Json]
    stop: list[Json]
    observations: list[Json]
    prompts: list[Json]
    thoughts: list[Json]
    replies: list[Json]
    pictures: list[Json]
    picture_folder: str


_SERIES = (
    "headings", "actions", "stop", "observations", "prompts", "thoughts", "replies", "pictures",
)  # fmt: skip
_TEXTS = frozenset({"observations", "thoughts", "replies"})


@dataclass(frozen=True, slots=True)
class MappedWalk:
    """An entry that may hold a walk, and how it is read."""

    walk: WalkFields
    record: Json
    episode: Episode
    graph: Graph | None
    """To check the nodes of a walk; ``None`` where no map is open."""
    run: str
    file: str
    problems: Problems

    def problem(self, what: str, do: str, field: str) -> Problem:
        """Return what is wrong with a field of the entry."""
        return Problem(what, do, self.file, self.episode.id, field)

    def refused(self, what: str, do: str, field: str) -> Literal["faulty"]:
        """Report that the walk is left out."""
        self.problems.skip(self.problem(what, do, field))
        return "faulty"

    def is_too_long(self, count: int, field: str) -> bool:
        """Report a walk of more places than a minute can read: a wrong field, or hostile."""
        if count <= MOST_PLACES:
            return False
        what = f"the walk has {count:,} places, and at most {MOST_PLACES:,} are read"
        self.refused(what, "the walk is left out; check what an episode is", field)
        return True


def as_trace(entry: MappedWalk) -> WalkOrFault:
    """Return the walk of an entry as a trace; faults are reported."""
    walk = entry.walk
    if walk.nodes:
        return _by_nodes(entry)
    if walk.forwards:
        return _reckoned(entry)
    if not walk.positions and (walk.moved_m or walk.turned_deg):
        return _by_actions(entry)
    return _by_positions(entry)


def _by_positions(entry: MappedWalk) -> WalkOrFault:
    walk, graph = entry.walk, entry.graph
    raw = list[list[float] | None]()
    if walk.positions:
        raw = values.raw_positions(entry.record, walk.positions, walk.polyline_digits)
    if not raw:
        return "none"
    if entry.is_too_long(len(raw), walk.positions[0]):
        return "faulty"
    if walk.moves:
        return _replayed(entry, raw)
    series = _series(entry, len(raw))
    kept = [k for k, each in enumerate(raw) if each is not None]
    on_streets = graph is not None and graph.frame == "geo"
    first = values.first_place(raw)
    origin = None if on_streets else first
    given = [each for each in series.headings if each is not None]
    lost = sum(values.heading_deg(each, walk) is None for each in given)
    stops = [each for each in series.stop if each is not None]
    lost_stops = sum(values.figure(each, "") is None for each in stops)
    for count, all_given, field in (
        (lost, given, "headings"),
        (lost_stops, stops, "stop"),
    ):
        if count:
            what = f"{count} of {len(all_given)} are not what they should be"
            entry.problems.add(entry.problem(what, "they are shown as missing", field))
    poses = []
    for k in kept:
        position = values.placed(raw[k] or (), walk, origin)
        if position is not None:
            heading_deg = values.heading_deg(series.headings[k], walk)
            # latitude and longitude come without a height
            poses.append(FreePose(position, heading_deg))  # type: ignore[arg-type]
    if len(poses) < len(raw):
        what = f"{len(raw) - len(poses)} of {len(raw)} positions are no finite numbers up to 1e9 m"
        do = "the walk is left out; check the frame and the field"
        return entry.refused(what, do, walk.positions[0])
    return _free(entry, poses, series)


def _series(entry: MappedWalk, count: int) -> _WalkSeries:
    by_name: dict[str, list[Json]] = {}
    for name in _SERIES:
        path = getattr(entry.walk, name)
        paths = path if isinstance(path, tuple) else (path,)
        column = values.rows_along(entry.record, paths, count)
        if column is None:
            path = ", ".join(paths)
            what = f"{path} has another length than the walk of {count} places"
            entry.problems.add(entry.problem(what, "it is shown as missing", name))
            column = [None] * count
        by_name[name] = column
        if name in _TEXTS:
            _say_no_texts(entry, name, paths[0] if paths else "", column)
    # an id leads nowhere else: who looks the file up leaves out what is no name
    folder = entry.walk.picture_folder.replace("{id}", entry.episode.id)
    return _WalkSeries(**by_name, picture_folder=folder)


def _say_no_texts(entry: MappedWalk, name: str, path: str, column: Sequence[Json]) -> None:
    given = [each for each in column if each is not None]
    lost = sum(values.text_of(each) is None and each != [] for each in given)
    what = f"{lost} of {len(given)} are no texts" if lost else ""
    # a path to all items of what is no list leads to nothing
    whole, _, rest = path.partition("[*]")
    if not given and whole and not rest:
        value = first_value(entry.record, whole)
        what = "" if value is None or isinstance(value, list) else "is no list"
    if what:
        entry.problems.add(entry.problem(what, "they are shown as missing", name))


def _free(entry: MappedWalk, poses: list[FreePose], series: _WalkSeries) -> Trace:
    """Make a trace of poses; an action or a text of the last place makes it a step of its own."""
    walk = entry.walk
    # true, 1 and "True" are one answer
    stopped = walk.ends_by_stop or values.figure(series.stop[-1], "") == 1.0
    actions = [action_between(before, after) for before, after in pairwise(poses)]
    last = (
        series.actions[-1],
        series.prompts[-1],
        series.thoughts[-1],
        series.replies[-1],
        series.pictures[-1],
    )
    # VLN-CE writes the pose of the stop twice, ETPNav once: only the first has a place for it
    lacks_stop = stopped and not (actions and actions[-1] == "stay" and not walk.ends_by_stop)
    if any(value is not None for value in last) or len(poses) == 1 or lacks_stop:
        poses = [*poses, poses[-1]]
        actions.append("stay")
    if stopped:
        actions[-1] = "stop"
    for k, action in enumerate(series.actions[: len(actions)]):
        if action is not None:
            actions[k] = action_name(action, walk)
    # the last place has a step only where something was done or said there
    extras = [_extras(series, k) for k in range(min(len(actions), len(series.actions)))]
    trace = _framed(entry, poses, actions, extras)
    if trace.end is not None and not stopped and _says_no_stop(series):
        end = trace.end.model_copy(update={"reason": UNSAID_STOP})
        trace = trace.model_copy(update={"end": end})
    return trace


def _says_no_stop(series: _WalkSeries) -> bool:
    """Tell whether a log holds neither stops nor actions: who stopped, and who ran out of steps."""
    return all(value is None for value in (*series.stop, *series.actions))


def _extras(series: _WalkSeries, k: int) -> dict[str, Any]:
    """Return what was seen, asked and answered at a place, as fields of its step."""
    fields: dict[str, Any] = {}
    calls = _calls(series, k)
    if calls:
        fields["calls"] = calls
    seen = values.text_of(series.observations[k])
    if seen:
        fields["observation"] = Observation(format="text", text=seen)
    pictures = values.picture_names(series.pictures[k], series.picture_folder)
    if pictures:
        fields["views"] = tuple(StepView(source=name) for name in pictures)
    return fields


def _framed(
    entry: MappedWalk,
    poses: Sequence[FreePose],
    actions: Sequence[str],
    extras: Sequence[dict[str, Any]] = (),
) -> Trace:
    trace = free_trace(
        entry.episode,
        poses,
        actions,
        run=entry.run,
        source="",
        pose_source=entry.walk.pose_source,
        extras=extras,
    )
    header = trace.header.model_copy(update={"frame": entry.walk.frame})
    return trace.model_copy(update={"header": header})


def _replayed(entry: MappedWalk, raw: Sequence[Sequence[float] | None]) -> WalkOrFault:
    """Return a walk whose log has a position only where the agent moved, and every action."""
    # turns stand in the actions alone, so that headings are counted from the episode's first one
    walk, episode = entry.walk, entry.episode
    places = [values.placed(each or (), walk, None) for each in raw]
    actions = [action_name(action, walk) for action in along(entry.record, walk.actions)]
    actions = [_counted_name(action, walk) for action in actions]
    moves = sum(action in walk.moves for action in actions)
    places = _of_moves(places, actions, walk)
    # one more or less, and each later turn would stand in a wrong place
    if not actions or None in places or moves + 1 != len(places):
        what = f"{moves} moves need {moves + 1} positions, and it has {len(places)}"
        do = f"the other walks are shown; the field {walk.actions} has the actions"
        return entry.refused(what, do, walk.positions[0])
    turn_deg = walk.turn_deg.get(episode.dataset, _TURN_DEG)
    turns = {"turn_left": -turn_deg, "turn_right": turn_deg}
    heading_deg, at = episode.start_heading_deg, 0
    poses = [FreePose(places[0], heading_deg)]  # type: ignore[arg-type]
    for action in actions:
        at += action in walk.moves
        if heading_deg is not None:
            heading_deg = (heading_deg + turns.get(action, 0.0)) % 360.0
        poses.append(FreePose(places[at], heading_deg))  # type: ignore[arg-type]
    return _framed(entry, poses, actions)


def _of_moves(places: _Places, actions: Sequence[str], walk: WalkFields) -> _Places:
    """Return the first place and that after each move, also where each action has a place."""
    moves = [k for k, action in enumerate(actions) if action in walk.moves]
    if len(places) == len(moves) + 1:
        return places
    # places begin before the first action, with one after the stop or without, or only after it
    for shift in (1, 0):
        ends = len(places) - shift
        if len(actions) - ends not in {0, shift}:
            continue
        stayed = [k for k in range(1 - shift, ends) if k not in moves]
        if all(places[k + shift] == places[k + shift - 1] for k in stayed):
            return [places[0], *(places[k + shift] for k in moves if k < ends)]
    return places


def _reckoned(entry: MappedWalk) -> WalkOrFault:
    """Return a walk by dead reckoning: turn, then go straight on, from where the episode starts."""
    # walls stop an agent earlier than its log says, so that this is where it meant to be
    walk = entry.walk
    forwards = along(entry.record, walk.forwards)
    if not forwards:
        return "none"
    count = len(forwards)
    if entry.is_too_long(count, walk.forwards):
        return "faulty"
    moves_m = [values.printed_number(each) for each in forwards]
    # so large a number has no whole number of steps in it
    if any(each is not None and abs(each) > values.FARTHEST_M for each in moves_m):
        what = f"a move is longer than {values.FARTHEST_M:.0e} m"
        do = "the walk is left out; check the unit of the field"
        return entry.refused(what, do, walk.forwards)
    series = _series(entry, count)
    turns = values.aligned(entry.record, walk.turns, count) or [None] * count
    reckoner = _Reckoner.at_start(entry.episode)
    actions = list[str]()
    for k in range(count):
        forward_m = moves_m[k]
        if forward_m is not None and walk.forward_step_m is not None:
            # a hair more: 2.25 / 0.25 may be 8.999... in floating point
            forward_m = math.floor(forward_m / walk.forward_step_m + 1e-9) * walk.forward_step_m
        reckoner.go(values.turned_deg(turns[k], walk), forward_m or 0.0)
        given = series.actions[k]
        moved = action_between(reckoner.poses[-2], reckoner.poses[-1])
        actions.append(moved if given is None else action_name(given, walk))
    extras = [_extras(series, k) for k in range(count)]
    return _framed(entry, reckoner.poses, actions, extras)


@dataclass(slots=True)
class _Reckoner:
    """Poses by dead reckoning."""

    poses: list[FreePose]

    @classmethod
    def at_start(cls, episode: Episode) -> _Reckoner:
        start = episode.places.get(episode.start)
        x, y, z = start if start is not None and len(start) == 3 else (0.0, 0.0, 0.0)
        return cls([FreePose((x, y, z), episode.start_heading_deg or 0.0)])

    def go(self, turned_deg: float, ahead_m: float) -> None:
        """Turn, then go straight on."""
        last = self.poses[-1]
        x, y, z = (*last.position, 0.0)[:3]
        heading_deg = ((last.heading_deg or 0.0) + turned_deg) % 360.0
        x += ahead_m * math.sin(math.radians(heading_deg))
        y += ahead_m * math.cos(math.radians(heading_deg))
        self.poses.append(FreePose((x, y, z), heading_deg))


def _by_actions(entry: MappedWalk) -> WalkOrFault:
    """Return a walk of which the log has actions alone, by what the mapping says that each does."""
    walk = entry.walk
    given = along(entry.record, walk.actions)
    if not given:
        return "none"
    if entry.is_too_long(len(given), walk.actions):
        return "faulty"
    series = _series(entry, len(given))
    actions = [action_name(action, walk) for action in given]
    reckoner = _Reckoner.at_start(entry.episode)
    for action in actions:
        reckoner.go(walk.turned_deg.get(action, 0.0), walk.moved_m.get(action, 0.0))
    # an action that does nothing is as good as one that nobody named: say so
    unnamed = sorted(set(actions) - {*walk.moved_m, *walk.turned_deg, "stop"})
    if unnamed:
        what = f"moved_m and turned_deg do not say what {', '.join(unnamed[:3])} does"
        do = "such steps stay in place; add the action to walk.moved_m or walk.turned_deg"
        entry.problems.add(entry.problem(what, do, walk.actions))
    extras = [_extras(series, k) for k in range(len(given))]
    return _framed(entry, reckoner.poses, actions, extras)


MOST_PLACES = 50_000
"""Of one walk; published ones have at most some thousands."""
_TURN_DEG = 15.0
"""Of R2R-CE, the data set that most logs are of."""

_HABITAT_NAMES = {
    **dict.fromkeys(
        ("forward", "moveforward", "go_forward", "ahead", "moveahead", "straight"), "move_forward"
    ),
    **dict.fromkeys(("left", "turnleft", "rotateleft", "rotate_left"), "turn_left"),
    **dict.fromkeys(("right", "turnright", "rotateright", "rotate_right"), "turn_right"),
}
"""From the names that others, AI2-THOR among them, give to Habitat's actions."""


def habitat_name(action: str) -> str:
    """Return Habitat's name of an action; the action itself where it has none."""
    return _HABITAT_NAMES.get(action.lower(), action)


def _counted_name(action: str, walk: WalkFields) -> str:
    # what the mapping itself counts as a move keeps its name
    return action if action in walk.moves else habitat_name(action)


def action_name(action: Json, walk: WalkFields) -> str:
    """Name an action: of a number, by the names of the mapping or Habitat's."""
    number = values.number(action)
    if number is not None:
        names = walk.action_names or ACTIONS
        has_name = number.is_integer() and 0 <= number < len(names)
        return names[int(number)] if has_name else f"action {number:g}"
    text = values.text_of(action) or str(action)
    return text.lower() if text.isupper() else text


def _calls(series: _WalkSeries, k: int) -> tuple[Call, ...]:
    prompt = series.prompts[k]
    # most logs have none, and a million looks for one take 10 s
    messages = () if prompt is None else messages_of(prompt)
    thoughts, reply = values.text_of(series.thoughts[k]), values.text_of(series.replies[k])
    if not (messages or thoughts or reply):
        return ()
    return (Call(messages=messages, thoughts=thoughts, reply=reply),)


def _by_nodes(entry: MappedWalk) -> WalkOrFault:
    walk, graph, episode = entry.walk, entry.graph, entry.episode
    nodes = values.nodes_at(entry.record, walk.nodes)
    if not nodes:
        return "none"
    if entry.is_too_long(len(nodes), walk.nodes):
        return "faulty"
    unknown = [node for node in nodes if graph is not None and node not in graph]
    if unknown:
        return entry.refused(f"{unknown[0]} is not in the graph", "it is left out", walk.nodes)
    series = _series(entry, len(nodes))
    steps = []
    for k, node in enumerate(nodes):
        following = nodes[k + 1] if k + 1 < len(nodes) else None
        action = series.actions[k]
        legal = graph is None or following is None or graph.has_link(node, following)
        decision = Decision(
            target=following or node,
            stop=following is None,
            action=None if action is None else action_name(action, walk),
            legal=legal,
            reason=None if legal else f"jump: no link leads from {node} to {following}",
        )
        step = Step(
            index=k + 1,
            node=node,
            heading_deg=values.heading_deg(series.headings[k], walk),
            decision=decision,
            path=() if following is None else (node, following),
            **_extras(series, k),
        )
        steps.append(step)
    if episode.start not in nodes and episode.start.startswith("pose"):
        episode = episode.model_copy(update={"start": nodes[0]})
    header = TraceHeader(run=entry.run, episode=episode, navigator=entry.run)
    end = EndEvent(status=EndStatus.DONE, node=nodes[-1])
    return Trace(header=header, steps=tuple(steps), end=end)
