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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.files import PEEK_BYTES, Json, peek
from navviz.formats.map2seq.folders import data_set_name
from navviz.formats.texts import as_number
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
from navviz.support.guarded import FILE_BYTES, count_entries, head_text, read_json
from navviz.world.graph import Graph

SMALLEST = (
    '{"prompt_template": "", "instances": {"1": {"navigation_text": "...", "start_heading": 0,'
    ' "gold_pano_path": ["p1", "p2"], "agent_actions": ["init", "forward", "stop"],'
    ' "agent_states": [["p1", 0], ["p2", 0], ["p2", 0]]}}}'
)
"""The smallest file that opens."""
ACTIONS = frozenset({"init", "forward", "left", "right", "turn_around", "stop"})
_ESCAPED = re.compile(r"\\u00([2-7][0-9a-fA-F])")
_FIELDS = (re.compile(r'"instances"\s*:\s*\{'), re.compile(r'"agent_(states|actions)"\s*:\s*\['))
_TEMPLATES = ("{}", "{navigation_text}", "{instructions}")
"""Where a template takes the instruction."""


def _is_output(path: Path) -> bool:
    if peek(path).opener != "{":
        return False
    head = head_text(path, PEEK_BYTES)
    # some writers escape every letter, of keys too
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), head)
    return all(field.search(plain) is not None for field in _FIELDS)


@dataclass(frozen=True, slots=True)
class _Instance:
    """One instance of a file, whose fields are checked as they are asked for."""

    name: str
    value: Mapping[str, Json]
    file: str

    def texts(self, field: str) -> list[str]:
        """Return a list of texts; empty where it is none."""
        raw = self.value.get(field)
        listed = raw if isinstance(raw, list) else []
        texts = [each for each in listed if isinstance(each, str)]
        return texts if len(texts) == len(listed) else []

    def states(self, field: str) -> list[tuple[str, float | None]]:
        """Return panoramas with headings; empty where it is no list of them."""
        raw = self.value.get(field)
        states = []
        for state in raw if isinstance(raw, list) else []:
            if not isinstance(state, list) or not state or not isinstance(state[0], str):
                return []
            heading_deg = as_number(state[1]) if len(state) > 1 else None
            states.append((state[0], None if heading_deg is None else heading_deg % 360.0))
        return states

    def reference(self) -> tuple[str, ...]:
        """Return the panoramas of the reference, each once while the agent only turns."""
        panoramas = self.texts("gold_pano_path")
        panoramas = panoramas or [panorama for panorama, _ in self.states("gold_states")]
        return _without_repeats(panoramas)

    def fault(self, what: str, field: str) -> Problem:
        """Say what is wrong with a field."""
        do = f"it is left out; the smallest file is {SMALLEST}"
        return Problem(what, do, self.file, self.name, field)


def _without_repeats(panoramas: list[str]) -> tuple[str, ...]:
    once: list[str] = []
    for panorama in panoramas:
        if not once or once[-1] != panorama:
            once.append(panorama)
    return tuple(once)


def _instances(path: Path, problems: Problems) -> tuple[dict[str, Json], Iterator[_Instance]]:
    """Return what a file says of all its instances, and these; what is none is reported."""
    held = read_json(path, lenient=True, limit=FILE_BYTES)
    instances = held.get("instances") if isinstance(held, dict) else None
    if not isinstance(instances, dict):
        what, do = "holds no instances by id", f"the smallest file is {SMALLEST}"
        raise InputError(what, do, file=path.name)
    count_entries(path, len(instances))
    return held, _checked(instances, path, problems)


def _checked(instances: Mapping[str, Json], path: Path, problems: Problems) -> Iterator[_Instance]:
    for name, value in instances.items():
        instance = _Instance(str(name), value if isinstance(value, dict) else {}, path.name)
        if not isinstance(value, dict):
            problems.skip(instance.fault("is no JSON object", "instances"))
            continue
        yield instance


def _episode(instance: _Instance, path: Path, opts: Json) -> Episode | None:
    """Return what an instance says of its episode; ``None`` where it has no route."""
    reference = instance.reference()
    states = instance.states("agent_states")
    if not reference and not states:
        return None
    named = opts.get("dataset_name") if isinstance(opts, dict) else None
    text = instance.value.get("navigation_text")
    heading_deg = as_number(instance.value.get("start_heading"))
    novel = instance.value.get("is_novel")
    return Episode(
        id=instance.name,
        dataset=named if isinstance(named, str) and named else data_set_name(path),
        instruction=text.strip() if isinstance(text, str) else "",
        start=reference[0] if reference else states[0][0],
        start_heading_deg=None if heading_deg is None else heading_deg % 360.0,
        reference_path=reference,
        goal=reference[-1] if reference else None,
        extra={"is_novel": novel} if isinstance(novel, bool) else {},
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
        held, instances = _instances(path, problems)
        episodes: dict[str, Episode] = {}
        for instance in instances:
            episode = _episode(instance, path, held.get("opts"))
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
        held, instances = _instances(path, problems)
        template = held.get("prompt_template")
        reader = _WalkReader(
            path, graph_of, problems, template if isinstance(template, str) else "", held
        )
        traces: dict[str, Trace] = {}
        for instance in instances:
            episode = _episode(instance, path, held.get("opts"))
            known = (episodes or {}).get(instance.name)
            if episode is not None and known is not None and known.start == episode.start:
                episode = known
            trace = None if episode is None else reader.trace(instance, episode)
            if episode is None:
                problems.skip(instance.fault("has no route", "gold_pano_path"))
            if trace is not None:
                traces[trace.episode.id] = trace
        if not traces:
            first = f" ({str(problems.kept[0]).rstrip('.')})" if problems.kept else ""
            do = f"the smallest file is {SMALLEST}"
            raise InputError(f"holds no walk of VELMA{first}", do, file=path.name)
        return [Run(path.stem, "velma", None, traces, problems, path)]


@dataclass(frozen=True, slots=True)
class _WalkReader:
    """Makes traces of the instances of one file."""

    path: Path
    graph_of: GraphOf
    problems: Problems
    template: str
    held: Mapping[str, Json]

    def trace(self, instance: _Instance, episode: Episode) -> Trace | None:
        """Return the walk of an instance; ``None``, and reported, where it has none."""
        states = instance.states("agent_states")
        actions = instance.texts("agent_actions")
        if not states or len(states) != len(actions):
            what = f"{len(actions)} actions do not fit {len(states)} states"
            self.problems.skip(instance.fault(what, "agent_states"))
            return None
        graph = self.graph_of(episode.world)
        unknown = next((panorama for panorama, _ in states if panorama not in graph), None)
        if unknown is not None:
            what = f"panorama {unknown} is not in the graph"
            self.problems.skip(instance.fault(what, "agent_states"))
            return None
        lines = self._lines(instance, len(actions))
        prompt = _prompt(self.template, episode.instruction)
        steps = []
        for k in range(1, len(states)):
            observed, reply = lines[k] if lines else ("", None)
            so_far = "\n".join(_line_texts(lines[:k], observed)) if lines else ""
            calls = _calls(prompt, so_far, reply)
            steps.append(_step(k, states, actions[k], graph, observed, calls))
        stopped = actions[-1] == "stop"
        header = TraceHeader(
            run=self.path.stem,
            episode=episode,
            navigator="velma",
            model=self._model(),
            source=str(self.path),
        )
        status = EndStatus.DONE if stopped else EndStatus.LIMIT
        return Trace(
            header=header, steps=tuple(steps), end=EndEvent(status=status, node=states[-1][0])
        )

    def _model(self) -> str | None:
        opts = self.held.get("opts")
        named = opts.get("model_name", opts.get("model")) if isinstance(opts, dict) else None
        return named if isinstance(named, str) else None

    def _lines(self, instance: _Instance, count: int) -> list[tuple[str, str | None]]:
        """Return what was seen before each action, and the action's own line, along the actions.

        Empty where there are no lines, or, reported, where they do not fit the actions.
        """
        texts = instance.texts("agent_navigation_lines")
        marks = instance.value.get("agent_is_actions")
        if not texts:
            return []
        if not isinstance(marks, list) or len(marks) != len(texts):
            marks = []
        pairs: list[tuple[str, str | None]] = []
        seen: list[str] = []
        for text, is_action in zip(texts, marks, strict=False):
            if not is_action:
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
    return template if instruction in template else f"{template}\n{instruction}".strip()


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
    moved = here != there
    legal = not moved or graph.has_link(here, there)
    return Step(
        index=k,
        node=here,
        heading_deg=heading_deg,
        observation=Observation(format="velma", text=observed) if observed else None,
        calls=calls,
        decision=Decision(
            target=there,
            action=action,
            stop=action == "stop",
            legal=legal,
            reason=None if legal else f"jump: no link leads from {here} to {there}",
        ),
        path=(here, there) if moved else (),
        end_heading_deg=end_heading_deg,
    )
