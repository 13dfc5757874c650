"""VELMA's outputs as traces, with the text that the model had read before each decision.

``{"opts", "prompt_template", "time", "instances": {IDX: {...}}}``. An instance holds
``agent_actions`` (``init``, ``forward``, ``left``, ``right``, ``turn_around``, ``stop``),
``agent_states`` (``[panorama, heading in degrees]`` after each action), ``agent_pano_path``,
``agent_navigation_lines`` (what the model saw and did, line by line) and ``agent_is_actions``
(which of the lines are actions), the same with ``gold_`` for the reference, ``start_heading``, and
``navigation_text`` but for fine-tuned models. Source: raphael-sch/VELMA. Not tested on a real file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.export.predictions import check_on_graph
from navviz.formats.files import Json, peek, plain_head
from navviz.formats.map2seq.panoramas import data_set_name
from navviz.formats.texts import (
    as_flag,
    as_list,
    as_mapping,
    as_stripped,
    id_text,
    is_id,
    say_unlike,
    turn_deg,
)
from navviz.records import (
    Call,
    Decision,
    EndEvent,
    EndStatus,
    Episode,
    Message,
    Observation,
    Step,
    Trace,
    TraceHeader,
)
from navviz.support.guarded import FILE_BYTES, json_text, note_entries, read_json
from navviz.world.graph import Graph

SMALLEST = (
    '{"prompt_template": "", "instances": {"1": {"navigation_text": "...", "start_heading": 0,'
    ' "gold_pano_path": ["p1", "p2"], "agent_actions": ["init", "forward", "stop"],'
    ' "agent_states": [["p1", 0], ["p2", 0], ["p2", 0]]}}}'
)
"""The smallest file that opens."""

ACTIONS = frozenset({"init", "forward", "left", "right", "turn_around", "stop"})

_FIELDS = (re.compile(r'"instances"\s*:\s*\{'), re.compile(r'"agent_(states|actions)"\s*:\s*\['))

_TEMPLATES = ("{}", "{navigation_text}", "{instructions}")
"""Where a template takes the instruction."""


def _is_output(path: Path) -> bool:
    if peek(path).opener != "{":
        return False
    head = plain_head(path)
    return all(field.search(head) is not None for field in _FIELDS)


@dataclass(frozen=True, slots=True)
class _Instance:
    """One instance of a file, whose fields are checked as they are asked for."""

    name: str
    value: Mapping[str, Json]
    file: str

    def texts(self, field: str) -> list[str]:
        """Return a list of texts; empty where it is none."""
        listed = as_list(self.value.get(field))
        if all(isinstance(each, str) for each in listed):
            return [each.strip() for each in listed]
        return []

    def states(self, field: str) -> list[tuple[str, float | None]]:
        """Return panoramas with headings; empty where it is no list of them."""
        states = []
        for state in as_list(self.value.get(field)):
            panorama, *headings = as_list(state) or [None]
            if not is_id(panorama):
                return []
            states.append((id_text(panorama), turn_deg(next(iter(headings), None))))
        return states

    def reference(self) -> tuple[str, ...]:
        """Return the panoramas of the reference, each once while the agent only turns."""
        listed = as_list(self.value.get("gold_pano_path"))
        panoramas = list(map(id_text, listed)) if all(map(is_id, listed)) else []
        panoramas = panoramas or [panorama for panorama, _ in self.states("gold_states")]
        once: list[str] = []
        for panorama in panoramas:
            if not once or once[-1] != panorama:
                once.append(panorama)
        return tuple(once)

    def fault(self, what: str, field: str) -> Problem:
        """Say what is wrong with a field."""
        do = f"it is left out; the smallest file is {SMALLEST}"
        return Problem(what, do, self.file, self.name, field)


def _instances(path: Path, problems: Problems) -> tuple[dict[str, Json], Iterator[_Instance]]:
    """Return what a file says of all its instances, and these; what is none is reported."""
    document = as_mapping(read_json(path, lenient=True, limit=FILE_BYTES))
    instances = document.get("instances")
    if not isinstance(instances, dict):
        what, do = "holds no instances by id", f"the smallest file is {SMALLEST}"
        raise InputError(what, do, file=path.name)
    note_entries(path, len(instances))
    where = Problem("", "", path.name)
    say_unlike(document, {"object": "opts", "text": "prompt_template"}, where, problems)
    opts = {"text": "dataset_name, model_name, model"}
    say_unlike(as_mapping(document.get("opts")), opts, where, problems)
    return document, _checked(instances, path, problems)


def _checked(instances: Mapping[str, Json], path: Path, problems: Problems) -> Iterator[_Instance]:
    for name, value in instances.items():
        instance = _Instance(str(name), as_mapping(value), path.name)
        if not isinstance(value, dict):
            problems.skip(instance.fault("is no JSON object", "instances"))
            continue
        say_unlike(value, _KINDS, Problem("", "", path.name, instance.name), problems)
        yield instance


_KINDS = {
    "text": "navigation_text",
    "number": "start_heading",
    "ids": "gold_pano_path",
    "lists": "gold_states, agent_states",
    "texts": "agent_actions, agent_navigation_lines",
    "flags": "agent_is_actions",
    "flag": "is_novel",
}


def _episode(instance: _Instance, path: Path, opts: Json) -> Episode | None:
    """Return what an instance says of its episode; ``None`` where it has no route."""
    reference = instance.reference()
    walked = [panorama for panorama, _ in instance.states("agent_states")]
    route = (*reference, *walked)
    if not route:
        return None
    extra = {}
    if isinstance(instance.value.get("is_novel"), bool):
        extra["is_novel"] = instance.value["is_novel"]
    return Episode(
        id=instance.name,
        dataset=as_stripped(as_mapping(opts).get("dataset_name")) or data_set_name(path),
        instruction=as_stripped(instance.value.get("navigation_text")),
        start=route[0],
        start_heading_deg=turn_deg(instance.value.get("start_heading")),
        reference_path=reference,
        goal=next(reversed(reference), None),
        extra=extra,
    )


class VelmaEpisodes:
    """The episodes that an output of VELMA holds."""

    name: ClassVar[str] = "episodes of VELMA outputs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it holds instances with the agent's states."""
        return _is_output(path)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes; raises `InputError` where not one can be read."""
        problems = Problems()
        document, instances = _instances(path, problems)
        episodes: dict[str, Episode] = {}
        for instance in instances:
            episode = _episode(instance, path, document.get("opts"))
            if episode is None:
                problems.skip(instance.fault("has no route", "gold_pano_path"))
            else:
                episodes[episode.id] = episode
        if not episodes:
            what, do = "holds no episode of VELMA", f"the smallest file is {SMALLEST}"
            raise InputError(what, do, file=path.name)
        return EpisodeSet(f"{data_set_name(path)} {path.stem}", cls.name, episodes, problems, path)


class VelmaOutputs:
    """Reads an output of VELMA as one run."""

    name: ClassVar[str] = "VELMA outputs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it holds instances with the agent's states."""
        return _is_output(path)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the walks; raises `InputError` where not one can be shown.

        Episodes that are open give the instruction where the output has none, as those of
        fine-tuned models.
        """
        problems = Problems()
        document, instances = _instances(path, problems)
        reader = _InstanceReader(path, graph_of, problems, document)
        traces: dict[str, Trace] = {}
        for instance in instances:
            episode = _episode(instance, path, document.get("opts"))
            own = (episodes or {}).get(instance.name)
            # ids may be plain numbers, which another data set that is open may have, too
            if episode is not None and own is not None and own.start == episode.start:
                episode = own
            if episode is None:
                problems.skip(instance.fault("has no route", "gold_pano_path"))
                continue
            trace = reader.trace(instance, episode)
            if trace is not None:
                traces[trace.episode.id] = trace
        if not traces:
            do = f"the smallest file is {SMALLEST}"
            raise InputError(f"holds no walk of VELMA{problems.because}", do, file=path.name)
        return [Run(path.stem, "velma", None, traces, problems, path)]


@dataclass(frozen=True, slots=True)
class _InstanceReader:
    """Makes traces of the instances of one file."""

    path: Path
    graph_of: GraphOf
    problems: Problems
    document: Mapping[str, Json]

    def trace(self, instance: _Instance, episode: Episode) -> Trace | None:
        """Return the walk of an instance; ``None``, and reported, where it has none."""
        states = instance.states("agent_states")
        actions = instance.texts("agent_actions")
        if not states or len(states) != len(actions):
            what = f"{len(actions)} actions do not fit {len(states)} states"
            self.problems.skip(instance.fault(what, "agent_states"))
            return None
        lost = sum(heading_deg is None for _, heading_deg in states)
        # a log without any heading is one of another kind
        if 0 < lost < len(states):
            what = f"{lost} of {len(states)} states have no heading"
            self.problems.add(instance.fault(what, "agent_states"))
        graph = self.graph_of(episode.world)
        unknown = next((panorama for panorama, _ in states if panorama not in graph), None)
        if unknown is not None:
            what = f"panorama {unknown} is not in the graph"
            self.problems.skip(instance.fault(what, "agent_states"))
            return None
        off_map = [panorama for panorama in episode.reference_path if panorama not in graph]
        if off_map or not episode.reference_path:
            what = "names no panoramas of a route"
            if off_map:
                what = f"panorama {off_map[0]!r} of the route is not in the graph"
            do, where = "figures that need the route are missing", self.path.name
            self.problems.add(Problem(what, do, where, instance.name, "gold_pano_path"))
        lines = self._lines(instance, len(actions)) or [("", None)] * len(actions)
        prompt = _prompt(str(self.document.get("prompt_template") or ""), episode.instruction)
        steps = []
        for k in range(1, len(states)):
            observed, reply = lines[k]
            calls = _calls(prompt, "\n".join(_line_texts(lines[:k], observed)), reply)
            steps.append(_step(k, states, actions[k], graph, observed, calls))
        opts = as_mapping(self.document.get("opts"))
        header = TraceHeader(
            run=self.path.stem,
            episode=episode,
            navigator="velma",
            model=as_stripped(opts.get("model_name", opts.get("model"))) or None,
            source=str(self.path),
        )
        # a file names no reason for the end: without a stop the actions ran out
        status = EndStatus.DONE if actions[-1] == "stop" else EndStatus.LIMIT
        return Trace(
            header=header, steps=tuple(steps), end=EndEvent(status=status, node=states[-1][0])
        )

    def _lines(self, instance: _Instance, count: int) -> list[tuple[str, str | None]]:
        """Return what was seen before each action, and the action's own line, along the actions."""
        # empty where there are no lines, or, reported, where they do not fit the actions
        texts = instance.texts("agent_navigation_lines")
        marks = instance.value.get("agent_is_actions")
        if not texts:
            return []
        if not isinstance(marks, list) or len(marks) != len(texts):
            # without marks nobody can tell what was seen from what was done; the count below
            # reports it
            marks = []
        pairs: list[tuple[str, str | None]] = []
        seen: list[str] = []
        for text, is_action in zip(texts, marks, strict=False):
            if not as_flag(is_action):
                seen.append(text)
                continue
            pairs.append(("\n".join(seen), text))
            seen = []
        # "init" may be a line or not
        if len(pairs) == count - 1:
            pairs.insert(0, ("", None))
        if len(pairs) != count:
            what = f"marks {len(pairs)} of its lines as actions, for {count} actions"
            do = "the walk is shown without its text"
            self.problems.add(Problem(what, do, self.path.name, instance.name, "agent_is_actions"))
            return []
        return pairs


def _line_texts(before: list[tuple[str, str | None]], observed: str) -> Iterator[str]:
    for seen, action in before:
        yield from (text for text in (seen, action) if text)
    if observed:
        yield observed


def _prompt(template: str, instruction: str) -> str:
    """Return the template with the instruction in its place, or after it."""
    place = next((place for place in _TEMPLATES if place in template), None)
    if place is not None:
        return template.replace(place, instruction, 1)
    if instruction in template:
        return template
    return f"{template}\n{instruction}".strip()


def _calls(prompt: str, so_far: str, reply: str | None) -> tuple[Call, ...]:
    if reply is None:
        return ()
    messages = [Message(role="user", text=text) for text in (prompt, so_far) if text]
    return (Call(messages=tuple(messages), reply=reply),)


def _step(
    k: int,
    states: list[tuple[str, float | None]],
    action: str,
    graph: Graph,
    observed: str,
    calls: tuple[Call, ...],
) -> Step:
    (here, heading_deg), (there, end_heading_deg) = states[k - 1], states[k]
    path: tuple[str, ...] = ()
    reason = observation = None
    if here != there:
        path = (here, there)
    if path and not graph.has_link(here, there):
        reason = f"jump: no link leads from {here} to {there}"
    if observed:
        observation = Observation(format="velma", text=observed)
    return Step(
        index=k,
        node=here,
        heading_deg=heading_deg,
        observation=observation,
        calls=calls,
        decision=Decision(
            target=there,
            action=action,
            stop=action == "stop",
            legal=reason is None,
            reason=reason,
        ),
        path=path,
        end_heading_deg=end_heading_deg,
    )


def outputs_text(traces: Iterable[Trace]) -> Iterator[str]:
    """Yield the file of a run, an instance at a time.

    Raises `InputError` for a walk from pose to pose, which has no panoramas, and one of several
    stops.
    """
    head = {"exported_by": "navviz"}
    yield f'{{"opts": {json_text(head)}, "prompt_template": "", "time": 0, '
    yield '"instances": {'
    comma = ""
    for trace in traces:
        yield f"{comma}{json_text(trace.episode.id)}: {json_text(_instance(trace))}"
        comma = ", "
    yield "}}\n"


def _instance(trace: Trace) -> dict[str, Any]:
    episode = trace.episode
    check_on_graph(trace, "panoramas")
    walk = _ExportedWalk(episode.start, episode.start_heading_deg)
    for step in trace.steps:
        walk.add(step)
    # an agent that arrives ends its walk without a word; VELMA's last action is what says so
    if trace.end is not None and trace.end.status == EndStatus.DONE:
        walk.stop()
    if not trace.calls:
        # lines of a walk without a model would be read as its replies
        walk.lines, walk.marks = [], []
    return {
        "idx": episode.id,
        "navigation_text": episode.instruction,
        "start_heading": episode.start_heading_deg,
        "gold_pano_path": list(episode.reference_path),
        "agent_actions": walk.actions,
        "agent_states": walk.states,
        "agent_pano_path": [panorama for panorama, _ in walk.states],
        "agent_navigation_lines": walk.lines,
        "agent_is_actions": walk.marks,
    }


class _ExportedWalk:
    """Actions, states and lines of one walk, as they are added step by step."""

    def __init__(self, start: str, heading_deg: float | None) -> None:
        self.actions = ["init"]
        self.states: list[list[Any]] = [[start, heading_deg]]
        self.lines: list[str] = []
        self.marks: list[int] = []

    def add(self, step: Step) -> None:
        """Add a step: an action for each link walked, or the one that stays."""
        # the first step knows place and heading also where the episode gives none
        if step.node is not None and len(self.actions) == 1 and step.heading_deg is not None:
            self.states[0] = [step.node, step.heading_deg]
        if step.observation is not None and step.observation.text:
            self._line(step.observation.text, mark=0)
        decision = step.decision
        named = decision.action if decision is not None else None
        targets = step.path[1:]
        # VELMA moves a link at a time; a step of another agent may walk several
        for target in targets:
            self._act("forward", target, step.end_heading_deg, step)
        stops = decision is not None and decision.stop
        if stops:
            self._act("stop", self.states[-1][0], step.end_heading_deg, step)
        # of a step that stays, only a turn has a name among VELMA's actions; others leave no state
        elif not targets and named in ACTIONS:
            self._act(str(named), self.states[-1][0], step.end_heading_deg, step)

    def stop(self) -> None:
        """Add a stop where the walk ends without one."""
        if self.actions[-1] != "stop":
            self._line(f"{len(self.actions)}. stop", mark=1)
            self.actions.append("stop")
            self.states.append(list(self.states[-1]))

    def _act(self, action: str, panorama: str, heading_deg: float | None, step: Step) -> None:
        if heading_deg is None:
            heading_deg = self.states[-1][1]
        line = ""
        if step.calls:
            line = step.calls[-1].reply or ""
        # an entry of `agent_navigation_lines` is one line: a longer reply is named by its action
        if not line or "\n" in line:
            line = f"{len(self.actions)}. {action}"
        self._line(line, mark=1)
        self.actions.append(action)
        self.states.append([panorama, heading_deg])

    def _line(self, text: str, *, mark: int) -> None:
        self.lines.append(text)
        self.marks.append(mark)
