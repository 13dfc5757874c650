"""GROKE's step logs as full traces: a folder of ``stepN_METHOD.jsonl`` with requests and replies.

A state file that lies in the folder or beside it is joined: it adds the reference path, the
landmarks and the plan of each episode, and of each walk that agrees with it how it ended
(`navviz.systems.groke.logs.log_walks`). Prompts and replies stay in the files until an episode
is opened (`navviz.records.lazy_traces`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import LinePlace, peek
from navviz.formats.texts import as_mapping
from navviz.records import (
    EndEvent,
    Episode,
    Landmark,
    Observation,
    Step,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.records.lazy_traces import LazyTraces
from navviz.records.trace import UNKNOWN_PLACE
from navviz.support.guarded import (
    FILE_BYTES,
    is_folder,
    is_regular,
    note_folder,
    report_sizes,
    size_of,
)
from navviz.systems.groke.logs.log_walks import (
    Agreement,
    JoinedStates,
    LogWalk,
    agreement,
    join_states,
)
from navviz.systems.groke.logs.states import (
    STAYED,
    State,
    end_event,
    is_states,
    joined_episode,
    read_states,
    street_map,
)
from navviz.systems.groke.logs.step_lines import (
    EpisodeLog,
    StepLine,
    first_node,
    read_logs,
    whole_step,
)
from navviz.world.graph import Graph
from navviz.world.search import UNREACHED, fewest_links

_FILE = re.compile(r"^step(\d+)_(.+)\.jsonl$")


def _step_files(path: Path) -> list[tuple[str, int, Path]]:
    """Return ``(method, step, file)`` of the step logs in a folder, by method and step."""
    folder, only = (path, None) if is_folder(path) else (path.parent, _FILE.match(path.name))
    if is_regular(path) and only is None:
        return []
    files = []
    for file in folder.iterdir() if is_folder(folder) else ():
        match = _FILE.match(file.name)
        if match is not None:
            files.append((match[2], int(match[1]), file))
    # A file like ``step8_none.jsonl`` among those of ``json`` is the step that they lack: a name
    # without a first step belongs to the one other method that has the step before it and none of
    # its own
    steps = {(name, step) for name, step, _ in files}
    by_name: dict[str, set[int]] = {}
    for name, step in steps:
        by_name.setdefault(name, set()).add(step)
    method_of = {name: name for name in by_name}
    for name, own in by_name.items():
        needed = {1, min(own) - 1}
        fitting = [other for other, has in by_name.items() if needed <= has and not own & has]
        if 1 not in own and len(fitting) == 1:
            method_of[name] = fitting[0]
    # one file stands for all files of its method: a single step would be no walk
    wanted = None if only is None else method_of.get(only[2], only[2])
    wanted_files = []
    for name, step, file in files:
        method = method_of[name]
        if wanted in {None, method}:
            wanted_files.append((method, step, file))
    return sorted(wanted_files)


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
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a run for each method."""
        files, graph = _step_files(path), street_map(graph_of, path)
        folder = path if is_folder(path) else path.parent
        states_at = _state_paths(folder)
        # all files of a run count together against the limit of what may be read
        expected = [*states_at, *(file for _, _, file in files)]
        report_sizes(sum(size_of(file, FILE_BYTES) for file in expected))
        by_method: dict[str, list[tuple[int, Path]]] = {}
        for method, step, file in files:
            by_method.setdefault(method, []).append((step, file))
        # read once for all methods of the folder
        state_files = {place: list(read_states(place, Problems())) for place in states_at}
        runs = []
        for method, method_files in by_method.items():
            problems = Problems()
            logs = read_logs(method_files, problems)
            if not logs:
                continue
            joined = join_states(state_files, method, logs, graph)
            name = folder.name if len(by_method) == 1 else f"{folder.name}-{method}"
            details = {
                "joined": joined.file if joined.own else None,
                "model": next((log.model for log in logs.values() if log.model), None),
            }
            reader = _StepReader(name, method, folder.name, graph, joined, episodes, problems)
            runs.append(Run(name, "groke", method, _lazy(reader, logs), problems, folder, details))
        if not runs:
            raise InputError(
                "holds no model call that can be read", "check the step logs", file=folder
            )
        return runs


def _lazy(reader: _StepReader, logs: dict[str, EpisodeLog]) -> LazyTraces:
    """Return the traces of one run; this empties the logs, so that memory never has both whole."""
    method, graph = reader.method, reader.graph
    outlined: dict[str, Trace] = {}
    places: dict[str, list[tuple[LinePlace, ...]]] = {}
    sizes: dict[str, int] = {}
    for key in list(logs):
        log = logs.pop(key)
        outlined[key] = reader.outline(key, log)
        places[key] = [_places(line) for line in log.lines]
        sizes[key] = sum(place.length for place in itertools.chain(*places[key]))
    repeated: dict[str, Any] = {}

    def read(key: str) -> Trace:
        steps = zip(outlined[key].steps, places[key], strict=True)
        whole = tuple(whole_step(step, lines, method, graph, repeated) for step, lines in steps)
        return outlined[key].model_copy(update={"steps": whole})

    return LazyTraces(outlined, sizes, read)


def _places(line: StepLine) -> tuple[LinePlace, ...]:
    """Return where the calls of a step lie, the one that counts last."""
    return (*(call.place for call in line.before), line.place)


def _state_paths(folder: Path) -> list[Path]:
    """Return the state files in a folder and beside it."""
    note_folder(folder.parent)
    # a folder's own order differs between machines, and of equally good files the first is joined
    paths = sorted((*folder.glob("*.json"), *folder.parent.glob("*.json")))
    return [path for path in paths if is_states(path)]


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
        waypoints, after, joined_end = walk.waypoints, walk.after, None
        if state is not None and agrees is not None:
            published = state.methods[self.method]
            # where a walk parts earlier, the end of the state file would be that of another walk
            if agrees.last or agrees.end:
                joined_end = published
            if agrees.last:
                waypoints = published.waypoints
                # holes at the end: the agent stayed at the last node that was named
                places = [node for node in waypoints if node is not None]
                after = (*after[:-1], places[-1] if places else after[-1])
        steps = tuple(self._steps(key, walk.lines, after, walk.elsewhere))
        place = steps[-1].path[-1] if steps[-1].path else steps[-1].node
        end = _guess_end(walk, place)
        if joined_end is not None:
            end = end_event(joined_end, plan, place or "")
        return Trace(
            header=self._header(episode, log),
            sub_goals=tuple(SubGoal(description=goal.description) for goal in plan),
            landmarks=_lettered(episode.landmarks, log.letters),
            steps=steps,
            end=end,
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
        """Compare with the state file, report differences; ``None`` where it has no such walk."""
        for step, named, shown in walk.elsewhere:
            what = f"step {step} names {named}, but the next prompt shows the agent at {shown}"
            self.problems.add(Problem(what, "the walk follows the prompts", self.source, key))
        unplaced = [line.step for line in walk.lines if line.decision.reason == UNKNOWN_PLACE]
        if unplaced:
            do = "add the episodes file, or the state file of this run; it is shown without figures"
            reply = f"the reply of step {unplaced[0]}"
            what = f"which node {reply} means is not known, since a grid names cells"
            self.problems.add(Problem(what, do, self.source, key))
        placeless = [line.step for line in walk.lines if line.node is None]
        if 0 < len(placeless) < len(walk.lines):
            file = f"step{placeless[0]}_{self.method}.jsonl"
            what = "the prompt shows no map that can be read"
            do = "the walk has no place there and no figures; look for a damaged line"
            self.problems.add(Problem(what, do, file, key))
        if state is None or not self.joined.own or self.method not in state.methods:
            return None
        agrees = agreement(walk, state.methods[self.method].waypoints)
        if not agrees.whole:
            logged = f"{agrees.log or 'nothing'} in the step logs"
            stated = f"{agrees.state or 'nothing'} in {self.joined.file}"
            what = f"waypoint {agrees.waypoint} is {logged} and {stated}"
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
            decision, observation = line.decision, None
            if fault is not None:
                decision = decision.model_copy(update={"reason": fault})
            if line.visible:
                observation = Observation(format="grid", visible_nodes=line.visible)
            yield Step(
                index=line.step,
                node=line.node,
                heading_deg=line.heading_deg,
                plan=line.plan,
                sub_goal=line.sub_goal,
                calls=(*(call.call for call in line.before), line.call),
                observation=observation,
                decision=decision,
                path=path,
            )

    def _walk(
        self, key: str, line: StepLine, target: str | None
    ) -> tuple[tuple[str, ...], str | None]:
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
        do = "how it ended is joined, since both end at one place"
        return f"the walk is that of the step logs; {do}"
    return "the walk is that of the step logs; how the state file has it end is left out"


def _lettered(landmarks: tuple[Landmark, ...], letters: Mapping[str, str]) -> tuple[Landmark, ...]:
    """Landmarks with the letters under which the prompts show them."""
    return tuple(
        mark.model_copy(update={"letter": letters.get(mark.name.lower())}) for mark in landmarks
    )


def _guess_end(walk: LogWalk, place: str | None) -> EndEvent:
    """Return the end by the last reply alone; the agent's own place ends GROKE's loop, too."""
    last = walk.lines[-1]
    if walk.after[-1] is None:
        return EndEvent(status="unknown", reason=UNKNOWN_PLACE, node=None)
    through = last.plan and last.sub_goal == len(last.plan) - 1
    if through and last.decision.sub_goal_status == "COMPLETED":
        return EndEvent(status="done", node=place)
    # a cell without a street: GROKE's scripts end the walk there
    if last.named is not None and last.decision.target is None:
        return EndEvent(status="error", reason=last.decision.reason, node=place)
    if last.node is not None and last.decision.target == last.node:
        return EndEvent(status="done", reason=STAYED, node=place)
    return EndEvent(
        status="unknown", reason="the log stops while the agent was under way", node=place
    )
