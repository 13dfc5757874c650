"""One logged walk of MapGPT or MSNav as a trace: its steps, calls, decisions and panels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from navviz.errors import Problem, Problems
from navviz.observations.discrete_views import (
    CandidateView,
    candidate_views,
    snapped_heading_deg,
    view_heading_deg,
)
from navviz.records import (
    Call,
    Candidate,
    Decision,
    EndEvent,
    Episode,
    Message,
    Observation,
    Panel,
    Step,
    Trace,
    TraceHeader,
    Usage,
)
from navviz.systems.msnav.logs.output import LoggedStep
from navviz.systems.msnav.logs.predictions import CasePrediction
from navviz.systems.msnav.place_map.hints import early_stop
from navviz.systems.msnav.place_map.memory import MAPGPT, NAVIGATOR, SCRIPT, PrunedAt
from navviz.systems.msnav.place_map.panels import (
    OptionRow,
    hint_panel,
    logged_map_panel,
    logged_pruning_panel,
    no_scores_panel,
    off_the_map,
    options_panel,
    planning_panel,
)
from navviz.systems.msnav.place_map.prompt import (
    FROM_LOG,
    Chosen,
    Option,
    action_text,
    forced_stop,
    landmarks,
    read_map,
    read_reply,
    spatial_panel,
)
from navviz.systems.spatial import ExtendedInstructions, SpatialReading
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph


def unknown(place: int) -> str:
    """How a Place is called whose viewpoint nobody knows."""
    return f"Place {place} (unknown viewpoint)"


@dataclass
class PlaceNames:
    """The viewpoints of the Places, as far as they are known."""

    graph: Graph
    node: str
    """Where the agent stands."""
    heading_deg: float
    names: dict[int, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, graph: Graph, start: str, heading_deg: float | None) -> PlaceNames:
        """At the start, which is Place 0."""
        return cls(graph, start, snapped_heading_deg(heading_deg or 0.0), {0: start})

    def name(self, place: int) -> str:
        """Return the viewpoint of a Place, or words that say it is unknown."""
        return self.names.get(place, unknown(place))

    def number(self, node: str) -> int | None:
        """Return the Place of a viewpoint."""
        return next((place for place, name in self.names.items() if name == node), None)

    def offered(self, options: Sequence[Option]) -> dict[str, CandidateView]:
        """Return the candidates behind options, by letter; empty if their order does not fit."""
        moves = [(option, option.place) for option in options if option.place is not None]
        ways = candidate_views(self.graph, self.node) if self.node in self.graph else ()
        if len(moves) != len(ways) or any(
            not self._fits(place, way.node) for (_, place), way in zip(moves, ways, strict=True)
        ):
            return {}
        # named only where all of them fit: an order that is wrong in one place is wrong in the
        # others
        for (_, place), way in zip(moves, ways, strict=True):
            self.names[place] = way.node
        return {option.letter: way for (option, _), way in zip(moves, ways, strict=True)}

    def _fits(self, place: int, node: str) -> bool:
        name, number = self.names.get(place), self.number(node)
        return name in {None, node} and number in {None, place}

    def go(self, place: int, node: str | None, way: CandidateView | None) -> tuple[str, ...]:
        """Go to a Place; gives the nodes walked, none where nobody knows its viewpoint."""
        target = node or self.names.get(place)
        if target is None:
            return ()
        # the trajectory may tell a viewpoint that the options could not
        self.names.setdefault(place, target)
        path = (self.node, target)
        if way is not None:
            self.heading_deg = view_heading_deg(way.selected)
        elif self.node in self.graph and target in self.graph:
            self.heading_deg = snapped_heading_deg(self.graph.heading_deg(self.node, target))
        self.node = target
        return path


_ACTION = re.compile(r"Action:\s*([A-Z])")

_PLAIN = re.compile(
    r"Thought:\s*(.*?)\s*(?:Distance:.*?)?New Planning:\s*(.*?)\s*Action:", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class LoggedWalk:
    """What is known of one walk."""

    episode: Episode
    steps: tuple[LoggedStep, ...] = ()
    """Empty where there is a prediction alone."""
    prediction: CasePrediction | None = None

    @property
    def is_msnav(self) -> bool:
        """Whether MSNav wrote it: MapGPT has neither pruning nor a guess at the destination."""
        return any(step.scores or step.prompt.destination is not None for step in self.steps)


def logged_trace(
    walk: LoggedWalk,
    graph: Graph,
    path: Path,
    extended: Sequence[ExtendedInstructions],
    problems: Problems,
) -> Trace:
    """Return the trace of a walk; what the log contradicts is reported."""
    names = PlaceNames.begin(graph, walk.episode.start, walk.episode.start_heading_deg)
    reading = _reading(walk, extended)
    reader = _PrintedWalk(walk, names, path, problems, reading or SpatialReading())
    steps = tuple(reader.steps() if walk.steps else reader.predicted())
    panels = [spatial_panel(reading, "boxes in pictures, which no log holds")] if reading else []
    if walk.prediction is not None and walk.prediction.evaluation:
        items = [[name, value] for name, value in walk.prediction.evaluation.items()]
        panels.append(Panel(kind="keyvalue", title="Figures of the log", data={"items": items}))
    return Trace(
        header=TraceHeader(
            run=path.stem,
            episode=walk.episode,
            navigator=NAVIGATOR if walk.is_msnav else MAPGPT,
            source=str(path),
        ),
        landmarks=landmarks(reading) if reading else (),
        plan_panels=tuple(panels),
        steps=steps,
        end=_end(steps, names),
    )


def _reading(walk: LoggedWalk, extended: Sequence[ExtendedInstructions]) -> SpatialReading | None:
    """Return what the log's prompts, and files beside it, say of the instruction."""
    episode = walk.episode
    layout = next((step.prompt.destination for step in walk.steps if step.prompt.destination), "")
    direct: tuple[str, ...] = ()
    potential: tuple[str, ...] = ()
    for file in extended:
        entry = file.of(episode.world, episode.path_id, episode.instruction)
        if entry is not None:
            # the log's own layout comes first, then the first file that has a part
            direct, potential = direct or entry.direct, potential or entry.potential
            layout = layout or entry.layout
    if not layout and not direct and not potential:
        return None
    return SpatialReading(direct, potential, layout, FROM_LOG)


def _end(steps: Sequence[Step], names: PlaceNames) -> EndEvent:
    last = steps[-1].decision if steps else None
    if last is None:
        return EndEvent(status="unknown", reason="the log ends before a decision", node=names.node)
    if last.stop:
        return EndEvent(
            status="done", reason=last.reason or "The model chose to stop.", node=names.node
        )
    return EndEvent(status="limit", reason="the log ends without a stop", node=names.node)


class _PrintedWalk:
    """Goes through the steps of one walk."""

    def __init__(
        self,
        walk: LoggedWalk,
        names: PlaceNames,
        path: Path,
        problems: Problems,
        reading: SpatialReading,
    ) -> None:
        self.walk, self.names, self.path, self.problems, self.reading = (
            walk,
            names,
            path,
            problems,
            reading,
        )
        self.thoughts: list[str] = []
        self.plans: list[tuple[int, str]] = []
        self.taken: dict[int, PrunedAt] = {}
        """Places off the map now."""
        self.trajectory = walk.prediction.nodes if walk.prediction is not None else ()

    # --- with a printed log

    def steps(self) -> Iterator[Step]:
        """One step for each environment prompt."""
        for logged in self.walk.steps:
            node, heading = self.names.node, self.names.heading_deg
            # before the map is drawn, which shows the viewpoints that the options tell
            offered = self.names.offered(logged.prompt.options)
            if not offered and any(option.place is not None for option in logged.prompt.options):
                what = f"step {logged.prompt.step}: the options do not fit the ways at {node}"
                self._say(what, "they are shown as unknown viewpoints", logged.line)
            lines = [line for line in logged.prompt.map.splitlines() if line.strip()]
            lost = len(lines) - len(read_map(logged.prompt.map))
            if lost > 0:
                what = f"step {logged.prompt.step}: {lost} lines of the map cannot be read"
                self._say(what, "their links are not drawn", logged.line)
            panels = [*self._map(logged)]
            chosen = _chosen(logged)
            path = self._go(logged, chosen, offered)
            yield Step(
                index=logged.prompt.step + 1,
                node=node,
                heading_deg=heading,
                observation=_observation(logged, offered, heading, path[-1] if path else None),
                calls=_calls(logged, chosen),
                decision=_decision(chosen, node, path, logged),
                path=path,
                panels=(*panels, *self._explained(logged, chosen, offered)),
            )

    def _map(self, logged: LoggedStep) -> Iterator[Panel]:
        names = {place: self.names.name(place) for place in range(self._count(logged))}
        scores: list[dict[str, Any]] = []
        for score in logged.scores:
            place = self.names.number(score.node)
            scores.append({**score.values, "node": score.node, "place": place})
        self._take_off(logged, {score["place"]: score.get("score") for score in scores})
        yield logged_map_panel(logged.prompt, names, scores, self.taken)
        if logged.scores:
            yield logged_pruning_panel(logged.prompt, scores)
        elif self.walk.is_msnav:
            yield no_scores_panel(logged.prompt.step, SCRIPT.start_step)

    def _take_off(self, logged: LoggedStep, scores: Mapping[int | None, float | None]) -> None:
        """Note which places are off the map at a step, and since when."""
        off = off_the_map(logged.prompt)
        # a place that came back may go again: then it counts from its second time
        self.taken = {place: at for place, at in self.taken.items() if place in off}
        for place in off:
            self.taken.setdefault(place, PrunedAt(logged.prompt.step, scores.get(place)))

    def _count(self, logged: LoggedStep) -> int:
        prompt = logged.prompt
        offered = [option.place for option in prompt.options if option.place is not None]
        shown = map(int, re.findall(r"\d+", f"{prompt.trajectory} {prompt.map}"))
        return max([*offered, *shown, *self.names.names], default=0) + 1

    def _go(
        self, logged: LoggedStep, chosen: Chosen | None, offered: dict[str, CandidateView]
    ) -> tuple[str, ...]:
        """Follow the decision; without pictures the prediction's trajectory says where it leads."""
        step = logged.prompt.step
        # the trajectory begins with the start: the place after step k is its number k + 1
        node = self.trajectory[step + 1] if step + 1 < len(self.trajectory) else None
        moves = [option for option in logged.prompt.options if option.place is not None]
        if chosen is None or chosen.candidate is None or chosen.candidate >= len(moves):
            return ()
        option = moves[chosen.candidate]
        way = offered.get(option.letter)
        if way is not None and node is not None and node != way.node:
            what = f"step {step}: the trajectory goes to {node}, the option to {way.node}"
            self._say(what, "the trajectory is shown")
            # its view would turn the agent the way that it did not go
            way = None
        return self.names.go(option.place or 0, node, way)

    def _explained(
        self, logged: LoggedStep, chosen: Chosen | None, offered: dict[str, CandidateView]
    ) -> Iterator[Panel]:
        rows = []
        for option in logged.prompt.options:
            way = offered.get(option.letter)
            node = self.names.names.get(option.place) if option.place is not None else None
            if way is None:
                rows.append(OptionRow(option, node))
            else:
                rows.append(OptionRow(option, node, way.view, way.selected))
        if chosen is None:
            yield options_panel(rows, None, None)
            return
        yield options_panel(rows, chosen.letter, chosen.rule)
        self.plans.append((logged.prompt.step, chosen.planning))
        self.thoughts.append(chosen.thought)
        yield planning_panel(self.plans)
        if chosen.stop and chosen.rule is None:
            # no views: a log holds what the model wrote, not what it saw
            missing, quoted = early_stop(self.reading, [], self.thoughts, chosen.thought)
            if missing and quoted:
                yield hint_panel(missing, quoted)

    # --- with a prediction alone

    def predicted(self) -> Iterator[Step]:
        """One step for each place of the trajectory, with the option index that was chosen."""
        choices = self.walk.prediction.choices if self.walk.prediction is not None else {}
        if self.trajectory and self.trajectory[0] != self.walk.episode.start:
            self._say(
                f"the trajectory starts at {self.trajectory[0]}",
                "check that it belongs to these episodes",
            )
        for step, node in enumerate(self.trajectory):
            self.names.node = node
            following = self.trajectory[step + 1] if step + 1 < len(self.trajectory) else None
            ways = candidate_views(self.names.graph, node) if node in self.names.graph else ()
            path = (node, following) if following is not None else ()
            yield Step(
                index=step + 1,
                node=node,
                decision=Decision(target=following or node, stop=following is None),
                path=path,
                panels=(self._indices(step, ways, choices.get(step), following),),
            )

    def _indices(
        self, step: int, ways: Sequence[CandidateView], index: int | None, following: str | None
    ) -> Panel:
        options = [
            Option("0", None, None),
            *(Option(str(k), "way", k) for k in range(1, len(ways) + 1)),
        ]
        rows = [OptionRow(options[0])]
        rows += [
            OptionRow(o, w.node, w.view, w.selected) for o, w in zip(options[1:], ways, strict=True)
        ]
        chosen = ways[index - 1].node if index is not None and 0 < index <= len(ways) else None
        # index 0 is a stop, which leads to no place
        if index and following is not None and chosen != following:
            self._say(
                f"step {step}: option {index} is {chosen}, the trajectory goes to {following}",
                "the latter is shown",
            )
        return options_panel(rows, None if index is None else str(index), None)

    def _say(self, what: str, do: str, line: int | None = None) -> None:
        file = self.path.name if line is None else f"{self.path.name}:{line}"
        self.problems.add(Problem(what, do, file, self.walk.episode.id))


def _chosen(logged: LoggedStep) -> Chosen | None:
    """Return the decision by the published rules; ``None`` where the log ends before a reply."""
    if logged.limit:
        return forced_stop("too many pictures stop the walk without a call")
    if logged.reply is None:
        return None
    plain = _PLAIN.search(logged.reply)
    # a reply in plain words; within JSON the same words may stand in a thought
    if plain is not None and not logged.reply.lstrip().startswith(("{", "```")):
        # the last one counts, since a thought may speak of an action, too
        letters = _ACTION.findall(logged.reply)
        fields: dict[str, Any] = {
            "Thought": plain[1],
            "New Planning": plain[2],
            "Action": letters[-1] if letters else None,
        }
        return read_reply(json.dumps(fields), logged.prompt.options)
    return read_reply(logged.reply, logged.prompt.options)


def _calls(logged: LoggedStep, chosen: Chosen | None) -> tuple[Call, ...]:
    if logged.reply is None or chosen is None:
        return ()
    usage = None
    if logged.tokens:
        usage = Usage(
            prompt_tokens=logged.tokens.get("prompt"), output_tokens=logged.tokens.get("completion")
        )
    parts = {"Thought": chosen.thought, "New Planning": chosen.planning, "Action": chosen.letter}
    return (
        Call(
            purpose="decide",
            messages=(Message(role="user", text=logged.text),),
            thoughts=chosen.thought or None,
            reply=logged.reply,
            parsed={name: part for name, part in parts.items() if part is not None},
            parse_error=chosen.parse_error or (logged.faults[0] if logged.faults else None),
            usage=usage,
        ),
    )


def _observation(
    logged: LoggedStep, offered: dict[str, CandidateView], heading_deg: float, target: str | None
) -> Observation:
    options = {option.letter: option for option in logged.prompt.options}
    candidates = []
    for letter, way in offered.items():
        candidate = Candidate(
            node=way.node,
            state="chosen" if way.node == target else "offered",
            label=letter,
            direction=options[letter].direction,
            heading_deg=round(way.heading_deg, 2),
            angle_deg=round(turn_deg(heading_deg, way.heading_deg), 2),
            distance_m=round(way.distance_m, 2),
        )
        candidates.append(candidate)
    return Observation(
        format="places-pictures",
        text=logged.text,
        visible_nodes=tuple(way.node for way in offered.values()),
        candidates=tuple(candidates),
    )


def _decision(
    chosen: Chosen | None, node: str, path: tuple[str, ...], logged: LoggedStep
) -> Decision | None:
    if chosen is None:
        return None
    if chosen.stop:
        # a stop that a rule made is not the model's own
        return Decision(target=node, stop=True, legal=chosen.rule is None, reason=chosen.rule)
    moves = [option for option in logged.prompt.options if option.place is not None]
    place = moves[chosen.candidate or 0].place or 0
    reason = chosen.rule
    if not path:
        reason = f"{action_text('it went', place)}, whose viewpoint the log does not name"
    return Decision(target=path[-1] if path else None, legal=chosen.rule is None, reason=reason)
