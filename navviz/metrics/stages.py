"""A walk taken apart into the sub-tasks of its episode (LH-VLN); ``stop`` ends each.

A sub-task succeeds where the agent stops at less than the success radius from the nearest place of
its target; with ``distance+view`` the target must also lie within 60 degrees ahead, as the paper
(not its code) asks. Figures that a foreign log holds are used as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from navviz.metrics.long_horizon import SubtaskOutcome
from navviz.records import EndStatus, Episode, StageLog, Step, Task, Trace
from navviz.world.geometry import bearing_deg, heading_metric_deg, turn_deg
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg
from navviz.world.search import TargetRuler, cut_at_goals, tour

Success = Literal["distance", "distance+view"]
Lengths = Literal["moves", "metres"]

_VIEW_DEG = 60.0
"""Horizontal field of view in which a target must lie (Song et al. 2025, section 3.1)."""
_TURN_DEG = 30.0
"""One turn action of LH-VLN's agent."""
_ENDS: dict[str, Literal["stop", "limit"]] = {"done": "stop", "limit": "limit", "budget": "limit"}
"""What an end means for the sub-task that was on: an agent that says it is done has stopped."""


@dataclass(frozen=True, slots=True)
class StageWalk:
    """One sub-task of a walk."""

    index: int
    """From 0."""
    task: Task
    steps: tuple[Step, ...] = ()
    ended: Literal["stop", "limit"] | None = None
    """By a stop, cut off in the middle, or ``None``: still on, or never begun."""
    to_target_m: tuple[float | None, ...] = ()
    """Distance to the target after each step."""
    begin_m: float | None = None
    in_view: bool | None = None
    """Whether the target lay ahead at the stop."""
    radius_m: float = 1.0
    moves: float | None = None
    """Links walked; actions where the agent walks freely."""
    walked_m: float | None = None
    reference_moves: float | None = None
    reference_m: float | None = None
    log: StageLog | None = None
    """What a foreign log says of it; counts before what is computed."""
    note: str | None = None
    """How distances were measured, where it is not over links."""
    is_open: bool = False
    """Whether a foreign log breaks off before this sub-task ends: nobody knows its result."""

    @property
    def error_m(self) -> float | None:
        """Distance to the target when the sub-task ended; infinite where it cannot be reached."""
        if self.log is not None:
            return math.inf if self.log.unreachable else self.log.error_m
        return self.to_target_m[-1] if self.ended and self.to_target_m else None

    @property
    def begun(self) -> bool:
        """Whether the agent did anything for it."""
        return bool(self.steps)

    def success(self, rule: Success = "distance") -> bool | None:
        """Whether it was done; ``None`` where the distance is not known."""
        if self.log is not None and self.log.success is not None:
            return self.log.success
        if self.ended != "stop":
            return None if self.is_open else False
        if self.error_m is None:
            return None
        near = self.error_m < self.radius_m
        if rule == "distance+view":
            # where nobody knows what lay ahead, the distance alone decides
            return near and self.in_view is not False
        return near

    @property
    def oracle_step(self) -> int | None:
        """First step (as counted in the trace) after which the agent was within the radius."""
        near = (k for k, d in enumerate(self.to_target_m) if d is not None and d < self.radius_m)
        place = next(near, None)
        return self.steps[place].index if place is not None else None

    @property
    def oracle(self) -> bool | None:
        """Whether the agent came within the radius while the sub-task was on."""
        if self.log is not None and self.log.oracle_success is not None:
            return self.log.oracle_success
        if self.oracle_step is not None:
            return True
        if self.is_open or (self.begun and all(d is None for d in self.to_target_m)):
            return None
        return False

    @property
    def nearest_m(self) -> float | None:
        """Nearest that the agent came while the sub-task was on."""
        return min((d for d in self.to_target_m if d is not None), default=None)

    def status(self, rule: Success = "distance") -> str:
        """In words, such as ``reached``, ``stopped too far: 3.2 m``, ``cut off: 3.2 m``."""
        if not self.begun:
            return "not in the log" if self.is_open else "not attempted"
        error_m = self.error_m
        if self.ended == "limit":
            return f"cut off: {_away(error_m)}"
        if self.ended != "stop":
            return "under way"
        if self.success(rule):
            return "reached"
        if error_m is not None and error_m < self.radius_m:
            return "stopped near, but looked away"
        return f"stopped too far: {_away(error_m)}"


def _away(error_m: float | None) -> str:
    """Say how far the target is."""
    if error_m is None:
        return "distance not known"
    return "cannot be reached" if math.isinf(error_m) else f"{error_m:.1f} m"


def walk_stages(trace: Trace, graph: Graph) -> tuple[StageWalk, ...]:
    """Take a walk apart; empty for an episode without sub-tasks.

    `trace`: finished, cut off or still running. `graph`: the world of the episode, with the trace's
    own poses where it has any.
    """
    tasks = trace.episode.tasks
    if not tasks:
        return ()
    ruler = TargetRuler(graph)
    parts = _parts(trace, len(tasks))
    logs = trace.end.stages if trace.end is not None else ()
    references = _references(trace.episode, graph)
    # what a log never came to would count as failed, which nobody saw
    breaks_off = trace.header.source is not None and (
        trace.end is not None and trace.end.status == EndStatus.UNKNOWN
    )
    here: str | None = trace.episode.start
    stage_walks = []
    for k, task in enumerate(tasks):
        steps = parts[k]
        begin = steps[0].node or here if steps else here
        ended = _ended(
            trace, steps, last=k == max((k for k, steps in enumerate(parts) if steps), default=0)
        )
        stage = _stage(k, task, steps, begin, graph, ruler, trace.episode, ended)
        moves, metres = references[k]
        log = logs[k] if k < len(logs) else None
        stage = replace(stage, is_open=breaks_off and ended is None and log is None)
        # what a log says replaces our figures
        update: dict[str, Any] = {"reference_moves": moves, "reference_m": metres, "log": log}
        if log is not None:
            update |= _logged(stage, log)
        stage_walks.append(replace(stage, **update))
        here = _after(steps[-1]) if steps else here
    return tuple(stage_walks)


def _parts(trace: Trace, count: int) -> list[list[Step]]:
    """Return steps by sub-task; what comes after the last stop belongs to none."""
    parts: list[list[Step]] = [[] for _ in range(count)]
    current = 0
    for step in trace.steps:
        if current >= count:
            break
        parts[current].append(step)
        current += step.decision is not None and step.decision.stop
    return parts


def _ended(trace: Trace, steps: Sequence[Step], *, last: bool) -> Literal["stop", "limit"] | None:
    if not steps:
        return None
    decision = steps[-1].decision
    if decision is not None and decision.stop:
        return "stop"
    if not last or trace.end is None:
        return None
    return _ENDS.get(trace.end.status)


def _after(step: Step) -> str | None:
    return step.path[-1] if step.path else step.node


def _stage(
    index: int,
    task: Task,
    steps: Sequence[Step],
    begin: str | None,
    graph: Graph,
    ruler: TargetRuler,
    episode: Episode,
    ended: Literal["stop", "limit"] | None,
) -> StageWalk:
    measure = ruler.to(task.goals)
    to_target_m = []
    for step in steps:
        after = _after(step)
        to_target_m.append(None if after is None else measure(after))
    moves, walked_m = _walked(steps, graph) if steps else (None, None)
    return StageWalk(
        index=index,
        task=task,
        steps=tuple(steps),
        ended=ended,
        to_target_m=tuple(to_target_m),
        begin_m=measure(begin) if steps and begin is not None else None,
        in_view=_in_view(steps[-1], task, graph) if ended == "stop" else None,
        radius_m=episode.success_radius_m,
        moves=moves,
        walked_m=walked_m,
        note=graph.info.distances,
    )


def _is_move(path: Sequence[str], graph: Graph) -> bool:
    return len(path) > 1 and all(node in graph for node in path)


def _walked(steps: Sequence[Step], graph: Graph) -> tuple[float, float]:
    """Return the moves and the metres of steps; a free agent's moves are its actions."""
    paths = [step.path for step in steps if _is_move(step.path, graph)]
    decisions = [step.decision for step in steps if step.decision is not None]
    moves = sum(len(path) - 1 for path in paths)
    if any(decision.action is not None for decision in decisions):
        moves = len(steps)
    return float(moves), math.fsum(graph.path_length_m(path) for path in paths)


def _logged(stage: StageWalk, log: StageLog) -> dict[str, Any]:
    update: dict[str, Any] = {}
    if log.begin_m is not None:
        update["begin_m"] = log.begin_m
    if log.steps is not None:
        update["moves"] = log.steps
    if log.reference_steps is not None:
        update["reference_moves"] = log.reference_steps
    # distances of another number of steps would stand at the wrong ones
    if len(log.distances_m) == len(stage.steps) and any(d is not None for d in log.distances_m):
        update["to_target_m"] = log.distances_m
    update["note"] = "as logged"
    return update


def _in_view(step: Step, task: Task, graph: Graph) -> bool | None:
    """Whether the target lies within 60 degrees ahead; ``None`` where that is not known."""
    here, heading = _after(step), _heading_after(step, graph)
    if here is None or here not in graph or heading is None:
        return None
    place = graph.position(here)
    things: list[tuple[float, ...]] = []
    if task.poi is not None and task.poi in graph.pois:
        things.append(graph.pois[task.poi].position)
    # a goal where the agent stands has no direction
    things += [graph.position(goal) for goal in task.goals if goal in graph and goal != here]
    bearings = [_bearing(place, thing, graph) for thing in things]
    if not bearings:
        return None
    return min(abs(turn_deg(heading, bearing)) for bearing in bearings) <= _VIEW_DEG / 2


def _bearing(a: tuple[float, ...], b: tuple[float, ...], graph: Graph) -> float:
    if graph.frame == "geo":
        return bearing_deg((a[0], a[1]), (b[0], b[1]))
    return heading_metric_deg(a, b)


def _heading_after(step: Step, graph: Graph) -> float | None:
    # what was recorded counts before what the action should have done: turns differ by agent
    if step.end_heading_deg is not None:
        return step.end_heading_deg
    if len(step.path) > 1 and all(node in graph for node in step.path[-2:]):
        return arrival_deg(graph, step.path[-2], step.path[-1])
    action = step.decision.action if step.decision is not None else None
    # the heading of a step is the one before its action
    turn = {"turn_left": -_TURN_DEG, "turn_right": _TURN_DEG}.get(action or "", 0.0)
    return None if step.heading_deg is None else (step.heading_deg + turn) % 360.0


def reference_legs(episode: Episode, graph: Graph) -> tuple[tuple[str, ...], ...] | None:
    """Return the expert's way to each target: the cut reference, else the shortest way."""
    goals = [task.goals for task in episode.tasks]
    if not all(goals) or any(places[0] not in graph for places in goals):
        return None
    if episode.reference_path:
        return cut_at_goals(episode.reference_path, goals)
    # where distances are not over links, a tour over links is no expert's way
    if graph.info.distances is not None or episode.start not in graph:
        return None
    return tour(graph, episode.start, goals)


def _references(episode: Episode, graph: Graph) -> list[tuple[float | None, float | None]]:
    """Return moves and metres of the ground truth of each sub-task."""
    legs = reference_legs(episode, graph)
    count = len(episode.tasks)
    # LH-VLN's own numbers of moves go before those of our shortest paths
    steps = episode.extra.get("gt_step")
    if not isinstance(steps, list) or len(steps) != count:
        steps = [None] * count
    references: list[tuple[float | None, float | None]] = []
    for k in range(count):
        moves = float(steps[k]) if isinstance(steps[k], int | float) else None
        length_m = None
        leg = legs[k] if legs is not None else None
        if leg is not None:
            moves = float(len(leg) - 1) if moves is None else moves
            if leg and all(node in graph for node in leg):
                length_m = graph.path_length_m(leg)
        references.append((moves, length_m))
    return references


def outcomes(
    stages: Sequence[StageWalk], success: Success = "distance", lengths: Lengths = "moves"
) -> tuple[SubtaskOutcome, ...]:
    """Return the sub-tasks as the metrics take them.

    `success`: ``distance``, as LH-VLN's code has it, or ``distance+view``, as its paper says.
    `lengths`: whether g and p are moves (LH-VLN's steps) or metres.
    """
    return tuple(_outcome(stage, success, lengths) for stage in stages)


def _outcome(stage: StageWalk, success: Success, lengths: Lengths) -> SubtaskOutcome:
    reference, walked = stage.reference_moves, stage.moves
    if lengths == "metres":
        reference, walked = stage.reference_m, stage.walked_m
    return SubtaskOutcome(
        success=stage.success(success),
        reference=reference,
        walked=walked,
        error_m=stage.error_m,
        begin_m=stage.begin_m,
        oracle=stage.oracle,
        ended=stage.log.ended if stage.log is not None else stage.ended is not None,
    )
