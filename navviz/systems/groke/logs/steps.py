"""GROKE's step logs: a folder of ``stepN_METHOD.jsonl`` with requests, thoughts, replies and usage, as full traces.

A state file that lies in the folder or beside it is joined: it adds the reference path, the landmarks and the plan of
each episode, and of each walk that agrees with it how it ended (`navviz.systems.groke.logs.joined_states`). Prompts and
replies stay in the files until an episode is opened (`navviz.records.lazy_traces`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import LinePlace, peek
from navviz.records import EndEvent, Episode, Landmark, Observation, Step, SubGoal, Trace, TraceHeader
from navviz.records.lazy_traces import LazyTraces
from navviz.records.trace import UNKNOWN_PLACE
from navviz.support.guarded import FILE_BYTES, expect_all, is_folder, is_regular, size_of
from navviz.systems.groke.logs.calls import as_mapping
from navviz.systems.groke.logs.joined_states import JoinedStates, join_states
from navviz.systems.groke.logs.log_walks import Agreement, LogWalk, agreement
from navviz.systems.groke.logs.states import STAYED, State, end_event, is_states, joined_episode, read_states
from navviz.systems.groke.logs.step_lines import EpisodeLog, StepLine, first_node, read_logs, whole_step
from navviz.systems.groke.logs.street_map import street_map
from navviz.world.graph import Graph
from navviz.world.search import UNREACHED, fewest_links

__all__ = ["GrokeSteps"]

_FILE = re.compile(r"^step(\d+)_(.+)\.jsonl$")


def _step_files(path: Path) -> list[tuple[str, int, Path]]:
    """Return ``(method, step, file)`` of the step logs in a folder, by method and step."""
    folder, only = (path, None) if is_folder(path) else (path.parent, _FILE.match(path.name))
    if is_regular(path) and only is None:
        return []
    matches = [(_FILE.match(file.name), file) for file in folder.iterdir()] if is_folder(folder) else []
    files = [(match[2], int(match[1]), file) for match, file in matches if match is not None]
    method_of = _methods({(method, step) for method, step, _ in files})
    files = [(method_of[method], step, file) for method, step, file in files]
    return sorted(item for item in files if only is None or item[0] == method_of[only[2]])


def _methods(steps: set[tuple[str, int]]) -> dict[str, str]:
    """Return the method that each name in the file names belongs to.

    A file like ``step8_none.jsonl`` among those of ``json`` is the step that they lack: a name without a first step
    belongs to the one other method that has the step before it and none of its own.
    """
    by_name: dict[str, set[int]] = {}
    for name, step in steps:
        by_name.setdefault(name, set()).add(step)
    methods = {name: name for name in by_name}
    for name, own in by_name.items():
        fitting = [other for other, has in by_name.items() if 1 in has and min(own) - 1 in has and not own & has]
        if 1 not in own and len(fitting) == 1:
            methods[name] = fitting[0]
    return methods


class GrokeSteps:
    """Runs of GROKE with every model call."""

    name: ClassVar[str] = "GROKE step logs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a folder of step logs (or one of them) whose first line holds a request."""
        files = _step_files(path)
        first = as_mapping(peek(files[0][2]).first_line) if files else {}
        return "key" in first and "request" in first

    @classmethod
    def starts(cls, path: Path) -> dict[str, str]:
        """Where the first episode stands, by the first line of the first log."""
        first = as_mapping(peek(_step_files(path)[0][2]).first_line)
        node = first_node(first)
        return {} if node is None else {"": node}

    @classmethod
    def read(cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None) -> list[Run]:
        """Read a run for each method."""
        files, graph = _step_files(path), street_map(graph_of, path)
        folder = path if is_folder(path) else path.parent
        states_at = _state_paths(folder)
        expect_all(sum(size_of(file, FILE_BYTES) for file in (*states_at, *(file for *_, file in files))))
        methods = list(dict.fromkeys(method for method, _, _ in files))
        runs, state_files = [], {place: list(read_states(place, Problems())) for place in states_at}
        for method in methods:
            problems = Problems()
            logs = read_logs([(step, file) for name, step, file in files if name == method], problems)
            if not logs:
                continue
            joined = join_states(state_files, method, logs, graph)
            name = folder.name if len(methods) == 1 else f"{folder.name}-{method}"
            details = {"joined": joined.file if joined.own else None, "model": _model(logs)}
            reader = _StepReader(name, method, folder.name, graph, joined, episodes, problems)
            runs.append(Run(name, "groke", method, _lazy(reader, logs), problems, folder, details))
        if not runs:
            raise InputError("holds no model call that can be read", "check the step logs", file=folder)
        return runs


def _lazy(reader: _StepReader, logs: dict[str, EpisodeLog]) -> LazyTraces:
    """Return the traces of one run; the logs are used up, so that both are never in memory as a whole."""
    method, graph = reader.method, reader.graph
    outlined: dict[str, Trace] = {}
    places: dict[str, tuple[tuple[LinePlace, ...], ...]] = {}
    for key in list(logs):
        log = logs.pop(key)
        outlined[key] = reader.outline(key, log)
        places[key] = tuple((*(call.place for call in line.before), line.place) for line in log.lines)
    known: dict[str, Any] = {}

    def read(key: str) -> Trace:
        steps = zip(outlined[key].steps, places[key], strict=True)
        whole = tuple(whole_step(step, lines, method, graph, known) for step, lines in steps)
        return outlined[key].model_copy(update={"steps": whole})

    sizes = {key: sum(place.length for lines in own for place in lines) for key, own in places.items()}
    return LazyTraces(outlined, sizes, read)


def _model(logs: Mapping[str, EpisodeLog]) -> str | None:
    return next((log.model for log in logs.values() if log.model), None)


def _state_paths(folder: Path) -> list[Path]:
    """Return the state files in a folder and beside it."""
    return [path for path in sorted((*folder.glob("*.json"), *folder.parent.glob("*.json"))) if is_states(path)]


@dataclass(frozen=True)
class _StepReader:
    """Makes traces of the lines of one run."""

    run: str
    method: str
    source: str
    graph: Graph
    joined: JoinedStates
    episodes: Mapping[str, Episode] | None
    problems: Problems

    def outline(self, key: str, log: EpisodeLog) -> Trace:
        """Return the trace of an episode without its texts."""
        state = self.joined.state(key, log)
        episode = self._episode(key, log, state)
        walk = self.joined.walk(log, episode, self.graph, state)
        agrees = self._agreement(key, walk, state)
        plan = episode.sub_goals or log.lines[0].plan
        theirs = state.methods[self.method] if state is not None and agrees is not None else None
        waypoints, after = walk.waypoints, walk.after
        if theirs is not None and agrees is not None and agrees.last:
            waypoints = theirs.waypoints
            after = (*after[:-1], next((node for node in reversed(waypoints) if node is not None), after[-1]))
        steps = tuple(self._steps(key, walk.lines, after, walk.elsewhere))
        place = steps[-1].path[-1] if steps[-1].path else steps[-1].node
        ends = theirs is not None and agrees is not None and (agrees.last or agrees.end)
        return Trace(
            header=self._header(episode, log),
            sub_goals=tuple(SubGoal(description=goal.description) for goal in plan),
            landmarks=_lettered(episode.landmarks, log.letters),
            steps=steps,
            end=end_event(theirs, plan, place or "") if ends and theirs is not None else _guess_end(walk, place),
            waypoints=waypoints,
        )

    def _header(self, episode: Episode, log: EpisodeLog) -> TraceHeader:
        return TraceHeader(
            run=self.run,
            episode=episode,
            navigator="groke",
            settings={"method": self.method},
            model=log.model,
            created=log.created,
            source=self.source,
        )

    def _agreement(self, key: str, walk: LogWalk, state: State | None) -> Agreement | None:
        """Compare with the state file, and say what disagrees; ``None`` where it holds no such walk."""
        for step, named, shown in walk.elsewhere:
            what = f"step {step} names {named}, but the next prompt shows the agent at {shown}"
            self.problems.add(Problem(what, "the walk follows the prompts", self.source, key))
        if any(line.decision.reason == UNKNOWN_PLACE for line in walk.lines):
            do = "add the episodes file, or the state file of this run; it is shown without figures"
            first = next(line for line in walk.lines if line.decision.reason == UNKNOWN_PLACE)
            what = f"which node the reply of step {first.step} means is not known, since a grid names cells"
            self.problems.add(Problem(what, do, self.source, key))
        if state is None or not self.joined.own or self.method not in state.methods:
            return None
        agrees = agreement(walk, state.methods[self.method].waypoints)
        if not agrees.whole:
            log, theirs = agrees.log or "nothing", agrees.state or "nothing"
            what = f"waypoint {agrees.waypoint} is {log} in the step logs and {theirs} in {self.joined.file}"
            self.problems.add(Problem(what, _kept(agrees), self.source, key))
        return agrees

    def _episode(self, key: str, log: EpisodeLog, state: State | None) -> Episode:
        given = (self.episodes or {}).get(key)
        if state is not None:
            return joined_episode(state.episode, self.episodes, self.source, self.problems)
        if given is not None:
            return given
        what = "has no state file or episodes file that knows it"
        self.problems.add(Problem(what, "it is shown without a reference path", self.source, key))
        first = log.lines[0]
        return Episode(
            id=key,
            dataset="map2seq",
            instruction=log.instruction,
            start=first.node or "",
            start_heading_deg=first.heading_deg,
            sub_goals=tuple(SubGoal(description=goal.description) for goal in first.plan),
        )

    def _steps(
        self,
        key: str,
        lines: Sequence[StepLine],
        after: Sequence[str | None],
        elsewhere: Sequence[tuple[int, str, str]],
    ) -> Iterator[Step]:
        shown_at = {step: shown for step, _, shown in elsewhere}
        for line, target in zip(lines, after, strict=True):
            path, fault = self._walk(key, line, target)
            if fault is None and line.step in shown_at:
                fault = f"the next prompt shows the agent at {shown_at[line.step]}"
            decision = line.decision if fault is None else line.decision.model_copy(update={"reason": fault})
            yield Step(
                index=line.step,
                node=line.node,
                heading_deg=line.heading_deg,
                plan=line.plan,
                sub_goal=line.sub_goal,
                calls=(*(call.call for call in line.before), line.call),
                observation=Observation(format="grid", visible_nodes=line.visible) if line.visible else None,
                decision=decision,
                path=path,
            )

    def _walk(self, key: str, line: StepLine, target: str | None) -> tuple[tuple[str, ...], str | None]:
        """Return the way of a step, and why there is none where it should have one."""
        here = line.node
        if here is None or target is None or target == here:
            return (), None
        if here not in self.graph or target not in self.graph:
            if line.decision.legal:
                what = f"step {line.step} names a node that is not in the graph"
                self.problems.add(Problem(what, "choose the graph of this run", self.source, key))
            return (), None
        path = fewest_links(self.graph, here, target)
        if path is None:
            what = f"no links lead to where step {line.step} ends"
            self.problems.add(Problem(what, "choose the graph of this run", self.source, key))
            return (), UNREACHED
        return path, None


def _kept(agrees: Agreement) -> str:
    if agrees.last:
        return "the walk ends as the state file has it, which GROKE's scripts score"
    if agrees.end:
        return "the walk is that of the step logs; how it ended is joined, since both end at one place"
    return "the walk is that of the step logs; how the state file has it end is left out"


def _lettered(landmarks: tuple[Landmark, ...], letters: Mapping[str, str]) -> tuple[Landmark, ...]:
    """Landmarks with the letters under which the prompts show them."""
    return tuple(mark.model_copy(update={"letter": letters.get(mark.name.lower())}) for mark in landmarks)


def _guess_end(walk: LogWalk, place: str | None) -> EndEvent:
    """How it ended, from the last reply alone; GROKE's loop also ends where a reply names the place it stands at."""
    last = walk.lines[-1]
    if walk.after[-1] is None:
        return EndEvent(status="unknown", reason=UNKNOWN_PLACE, node=None)
    through = last.plan and last.sub_goal == len(last.plan) - 1
    if through and last.decision.sub_goal_status == "COMPLETED":
        return EndEvent(status="done", node=place)
    if last.named is not None and last.decision.target is None:
        return EndEvent(status="error", reason=last.decision.reason, node=place)
    if last.node is not None and last.decision.target == last.node:
        return EndEvent(status="done", reason=STAYED, node=place)
    return EndEvent(status="unknown", reason="the log stops while the agent was under way", node=place)
