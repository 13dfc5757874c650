"""GROKE's step logs: a folder of ``stepN_METHOD.jsonl`` with requests, thoughts, replies and usage, as full traces.

A state file that lies in the folder or beside it is joined where its waypoints agree with the replies: it adds the
reference path, the landmarks, the plan and how each episode ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json, json_lines, peek
from navviz.formats.groke.calls import Prompt, as_mapping, read_call, read_prompt
from navviz.formats.groke.states import State, end_event, is_states, joined_episode, read_states
from navviz.formats.groke.street_map import street_map
from navviz.formats.groke.views import MapView, observation, read_view
from navviz.guarded import is_folder, is_regular
from navviz.records import Call, Decision, EndEvent, Episode, Landmark, Step, SubGoal, Trace, TraceHeader
from navviz.world.graph import Graph
from navviz.world.search import fewest_links

__all__ = ["GrokeSteps"]

_FILE = re.compile(r"^step(\d+)_(.+)\.jsonl$")


@dataclass
class _Line:
    """One step of one episode; what its prompt shows is read when it is asked for, as that takes most of the memory."""

    step: int
    call: Call
    created: str

    @cached_property
    def prompt(self) -> Prompt:
        """The prompt, taken apart."""
        return read_prompt("\n".join(message.text for message in self.call.messages if message.role == "user"))

    @cached_property
    def view(self) -> MapView:
        """The map in the prompt."""
        return read_view(self.prompt)

    def forget(self) -> None:
        """Let go of what the prompt shows."""
        self.__dict__.pop("prompt", None)
        self.__dict__.pop("view", None)

    @property
    def target(self) -> str | None:
        """The node that the reply names."""
        value = self.call.parsed.get("next_place") if self.call.parsed is not None else None
        return value if isinstance(value, str) and value else None


_Lines = dict[str, list[_Line]]


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
        node = _line(1, first).view.node if "request" in first else None
        return {} if node is None else {"": node}

    @classmethod
    def read(cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None) -> list[Run]:
        """Read a run for each method."""
        files, graph = _step_files(path), street_map(graph_of, path)
        folder = path if is_folder(path) else path.parent
        methods = list(dict.fromkeys(method for method, _, _ in files))
        runs, state_files = [], _state_files(folder)
        for method in methods:
            problems = Problems()
            lines = _read_lines([(step, file) for name, step, file in files if name == method], problems)
            states, source = _best_states(state_files, method, lines)
            name = folder.name if len(methods) == 1 else f"{folder.name}-{method}"
            reader = _StepReader(name, method, folder.name, graph, states, episodes, problems)
            details = {"joined": source.name if source else None, "model": _model(lines)}
            traces = {key: reader.trace(key, lines.pop(key)) for key in list(lines)}
            if traces:
                runs.append(Run(name, "groke", method, traces, problems, folder, details))
        if not runs:
            raise InputError("holds no model call that can be read", "check the step logs", file=folder)
        return runs


def _read_lines(files: list[tuple[int, Path]], problems: Problems) -> _Lines:
    by_key: _Lines = {}
    known: dict[str, Any] = {}
    for step, file in files:
        for number, value in json_lines(file, problems):
            where = f"{file.name}:{number}"
            key = as_mapping(value).get("key")
            if key is None or not isinstance(value.get("request"), dict):
                problems.add(Problem("has no key or no request", "it is left out", where))
                continue
            line = _line(step, value)
            before = by_key.setdefault(str(key), [])
            if before and before[-1].step == step:
                problems.add(Problem("has this step twice", "keep one; the first is used", where, str(key)))
                continue
            if step != (before[-1].step if before else 0) + 1:
                problems.add(Problem("a step before this one is missing", "the others are shown", where, str(key)))
            line.call = _shared(line.call, known)
            before.append(line)
    return by_key


def _line(step: int, value: Mapping[str, Json]) -> _Line:
    created = as_mapping(value.get("response")).get("createTime")
    return _Line(step, read_call(value), created if isinstance(created, str) else "")


def _shared(call: Call, known: dict[str, Any]) -> Call:
    """Return a call that shares what every call of a run repeats: system prompt and schema of the reply."""
    messages = tuple(
        known.setdefault(message.text, message) if message.role == "system" else message for message in call.messages
    )
    schema = call.response_schema
    schema = None if schema is None else known.setdefault(repr(schema), schema)
    return call.model_copy(update={"messages": messages, "response_schema": schema})


def _model(lines: _Lines) -> str | None:
    return next((line.call.model for listed in lines.values() for line in listed if line.call.model), None)


def _waypoints(lines: list[_Line]) -> tuple[str | None, ...]:
    """Waypoints as GROKE keeps them: the start, then the place that each reply names; empty replies add none."""
    node = lines[0].view.node
    lines[0].forget()
    return (node, *(line.target for line in lines if line.target is not None))


def _state_files(folder: Path) -> dict[Path, list[State]]:
    """Return the state files in a folder and beside it, each read once, whatever the number of methods."""
    paths = sorted((*folder.glob("*.json"), *folder.parent.glob("*.json")))
    return {path: list(read_states(path, Problems())) for path in paths if is_states(path)}


def _best_states(files: Mapping[Path, list[State]], method: str, lines: _Lines) -> tuple[dict[str, State], Path | None]:
    """Return the state file whose waypoints agree best with the log, and at least for half of the episodes."""
    best: tuple[int, dict[str, State], Path | None] = (0, {}, None)
    for path, states in files.items():
        agree = {
            state.episode.id: state
            for state in states
            if state.episode.id in lines
            and method in state.methods
            and state.methods[method].waypoints == _waypoints(lines[state.episode.id])
        }
        if len(agree) > best[0]:
            best = (len(agree), agree, path)
    return (best[1], best[2]) if 2 * best[0] >= len(lines) else ({}, None)


@dataclass(frozen=True)
class _StepReader:
    """Makes traces of the lines of one run."""

    run: str
    method: str
    source: str
    graph: Graph
    states: Mapping[str, State]
    episodes: Mapping[str, Episode] | None
    problems: Problems

    def trace(self, key: str, lines: list[_Line]) -> Trace:
        """Return the trace of an episode."""
        state = self.states.get(key)
        episode = self._episode(key, lines[0], state)
        steps = tuple(self._steps(key, lines))
        place = steps[-1].path[-1] if steps[-1].path else steps[-1].node
        plan = episode.sub_goals or lines[0].prompt.plan
        header = TraceHeader(
            run=self.run,
            episode=episode,
            navigator="groke",
            settings={"method": self.method},
            model=next((line.call.model for line in lines if line.call.model), None),
            created=lines[0].created,
            source=self.source,
        )
        return Trace(
            header=header,
            sub_goals=tuple(SubGoal(description=goal.description) for goal in plan),
            landmarks=_lettered(episode.landmarks, lines),
            steps=steps,
            end=end_event(state.methods[self.method], plan, place or "") if state else _guess_end(lines, place),
            waypoints=_waypoints(lines),
        )

    def _episode(self, key: str, line: _Line, state: State | None) -> Episode:
        given = (self.episodes or {}).get(key)
        if state is not None:
            return joined_episode(state.episode, self.episodes, self.source, self.problems)
        if given is not None:
            return given
        what = "has no state file or episodes file that knows it"
        self.problems.add(Problem(what, "it is shown without a reference path", self.source, key))
        return Episode(
            id=key,
            dataset="map2seq",
            instruction=line.prompt.instruction or "",
            start=line.view.node or "",
            start_heading_deg=line.view.heading_deg,
            sub_goals=tuple(SubGoal(description=goal.description) for goal in line.prompt.plan),
        )

    def _steps(self, key: str, lines: list[_Line]) -> Iterator[Step]:
        following = [line.view.node for line in lines[1:]] + [None]
        for line, after in zip(lines, following, strict=True):
            decision = _judge(line)
            path = self._walk(key, line, after or (decision.target if decision.legal else None))
            yield Step(
                index=line.step,
                node=line.view.node,
                heading_deg=line.view.heading_deg,
                plan=line.prompt.plan,
                sub_goal=line.prompt.sub_goal,
                observation=observation(line.prompt, line.view, self.method, self.graph, decision.target),
                calls=(line.call,),
                decision=decision,
                path=path,
            )

    def _walk(self, key: str, line: _Line, target: str | None) -> tuple[str, ...]:
        here = line.view.node
        if here is None or target is None or target == here:
            return ()
        if here not in self.graph or target not in self.graph:
            what = f"step {line.step} names a node that is not in the graph"
            self.problems.add(Problem(what, "choose the graph of this run", self.source, key))
            return ()
        path = fewest_links(self.graph, here, target)
        if path is None:
            what = f"no links lead to where step {line.step} ends"
            self.problems.add(Problem(what, "choose the graph of this run", self.source, key))
        return path or ()


def _judge(line: _Line) -> Decision:
    """Return the decision of a step, legal where the node named can be reached on the map shown."""
    status = line.call.parsed.get("subplan_status") if line.call.parsed is not None else None
    known = status if status in {"IN_PROGRESS", "COMPLETED"} else None
    fault = line.call.error or line.call.parse_error
    if fault is None and line.target is None:
        fault = "next_place names no node"
    if fault is None and line.view.links and line.target not in {line.view.node, *line.view.routes()}:
        fault = "the node named is not on the map shown"
    return Decision(target=line.target, sub_goal_status=known, legal=fault is None, reason=fault)


def _lettered(landmarks: tuple[Landmark, ...], lines: list[_Line]) -> tuple[Landmark, ...]:
    """Landmarks with the letters under which the prompts show them."""
    letters = {name.lower(): letter for line in lines for name, letter in line.view.letters.items()}
    return tuple(mark.model_copy(update={"letter": letters.get(mark.name.lower())}) for mark in landmarks)


def _guess_end(lines: list[_Line], place: str | None) -> EndEvent:
    """How it ended, from the last reply alone."""
    last = lines[-1]
    through = last.prompt.plan and last.prompt.sub_goal == len(last.prompt.plan) - 1
    if through and last.call.parsed is not None and last.call.parsed.get("subplan_status") == "COMPLETED":
        return EndEvent(status="done", node=place)
    return EndEvent(status="unknown", reason="the log stops while the agent was under way", node=place)
