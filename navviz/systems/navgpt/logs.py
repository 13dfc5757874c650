"""NavGPT's logs with ``detailed_output`` as traces (https://github.com/GengzeZhou/NavGPT).

An entry holds ``instr_id``, ``trajectory`` (nested), ``details`` (one a legal move:
``viewpointID``, ``turned_angle``, ``feature``, ``history``), ``llm_thought`` (one a decision),
``llm_observation`` (what the tool answered), ``action_plan`` and ``llm_output`` (a text, or the
list of its characters).

What the log lacks is left out, not made up: the first observation (unless ``init_observation.json``
lies beside), the prompt's fixed part and the model's name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json
from navviz.formats.r2r import first_item, iter_items
from navviz.formats.texts import as_list, id_text, is_id, say_unlike
from navviz.formats.trajectories import known_episodes, result_episode, result_world
from navviz.observations.panorama import DirectionView, disagreements, parse_views, views_panel
from navviz.records import (
    Call,
    Decision,
    EndEvent,
    EndStatus,
    Episode,
    Observation,
    Panel,
    Step,
    Trace,
    TraceHeader,
)
from navviz.records.base import plural
from navviz.support.guarded import packed_or_not, read_json
from navviz.systems.indoors import mark_chosen
from navviz.systems.navgpt.prompts.text import parse_reply
from navviz.world.graph import Graph

SCRATCHPAD_CHARACTERS = 7000
"""NavGPT cuts the history that it sends to its last 7,000 characters."""

# of "from left 30.00 to right 15.00" the second angle: it is the new heading, not the turn
_TURN = re.compile(r"to (left|right) (\d+(?:\.\d+)?)")
_INVALID = "is not valid"


class NavGptLogs:
    """Reads ``detail_*.json`` and ``runtime.json`` of NavGPT; the episodes have to be open."""

    name: ClassVar[str] = "NavGPT logs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry is a result with its details and thoughts."""
        return {"instr_id", "trajectory", "llm_thought"} <= first_item(path).keys()

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a log as one run; raises `InputError` where not one entry can be shown."""
        problems = Problems()
        given = known_episodes(episodes, path, problems)
        starts = _first_observations(path, problems)
        traces: dict[str, Trace] = {}
        for item in iter_items(path, problems):
            name = id_text(item.get("instr_id"))
            episode = result_episode(name, given, path.name, problems)
            if episode is None:
                continue
            graph = result_world(episode, graph_of, path.name, problems)
            if graph is None:
                continue
            entry = _Entry(item, episode, graph, path, problems, starts.get(name, {}))
            if not entry.usable():
                continue
            if episode.id in traces:
                do = "the last one is shown"
                problems.skip(Problem("is there twice", do, path.name, episode.id))
            traces[episode.id] = entry.trace()
        if not traces:
            what = f"holds no log for these episodes{problems.because}"
            raise InputError(what, "open the split it belongs to", file=path.name)
        return [Run(path.stem, "navgpt", None, traces, problems, path)]


def _first_observations(path: Path, problems: Problems) -> dict[str, dict[str, str]]:
    """Return texts of the first viewpoints, which the log itself lacks, from a file beside it."""
    file = packed_or_not(path.with_name("init_observation.json"))
    if file is None:
        return {}
    try:
        raw = read_json(file, lenient=True)
    except InputError:
        problems.skip(Problem("is no JSON", "the first observations are missing", file.name))
        return {}
    if not isinstance(raw, dict):
        return {}
    return {str(key): value for key, value in raw.items() if isinstance(value, dict)}


@dataclass
class _Place:
    """Where the agent is while its log is read."""

    node: str
    heading_deg: float | None
    text: str
    start_summary: str
    past: list[tuple[str, str]] = field(default_factory=list)
    """Reply and summary of each step before."""


_KINDS = {
    "id": "instr_id",
    "lists": "trajectory",
    "list": "details",
    "texts": "llm_thought, llm_observation",
    "text or texts": "llm_output",
}

_DETAIL = {"id": "viewpointID", "text": "turned_angle, feature, history"}


class _Entry:
    """One entry of a log, read step by step."""

    def __init__(
        self,
        item: Mapping[str, Json],
        episode: Episode,
        graph: Graph,
        path: Path,
        problems: Problems,
        first: Mapping[str, str],
    ) -> None:
        self.item, self.episode, self.graph = item, episode, graph
        self.path, self.problems = path, problems
        self.thoughts = self._texts("llm_thought")
        self.observations = self._texts("llm_observation")
        raw = as_list(item.get("details"))
        self.details = [detail for detail in raw if isinstance(detail, dict)]
        self.broken = len(raw) - len(self.details)
        """Moves that are no JSON objects."""
        text, summary = first.get("init_observation", ""), first.get("init_summary", "")
        where = Problem("", "", path.name, episode.id)
        say_unlike(item, _KINDS, where, problems)
        for detail in self.details:
            say_unlike(detail, _DETAIL, where, problems)
        self.place = _Place(episode.start, episode.start_heading_deg, text, summary)
        self.moves = 0

    def _texts(self, name: str) -> list[str]:
        raw = self.item.get(name)
        return [str(text) for text in raw] if isinstance(raw, list) else []

    def usable(self) -> bool:
        """Whether there is a step to show and all viewpoints are in the house; report it if not."""
        nodes = [detail.get("viewpointID") for detail in self.details]
        named = (*nodes, self.episode.start)
        unknown = [node for node in named if not is_id(node) or node not in self.graph]
        if self.thoughts and not unknown and not self.broken:
            return True
        what = "has no thoughts"
        if self.broken:
            # each move goes with a thought: past one that lacks, all would be another's
            what = f"{self.broken} of its moves are no JSON objects"
        elif self.thoughts:
            what = f"viewpoint {unknown[0]} is not in scan {self.graph.name}"
        do, file = "the other entries are shown", self.path.name
        self.problems.skip(Problem(what, do, file, self.episode.id, "details"))
        return False

    def trace(self) -> Trace:
        """Return the whole entry."""
        steps = tuple(self._steps())
        self._say_lost_moves()
        raw = self.item.get("llm_output")
        # some logs hold the list of its characters
        answer = raw if isinstance(raw, str) else "".join(self._texts("llm_output")) or None
        finished = bool(steps) and steps[-1].decision is not None and steps[-1].decision.stop
        status = EndStatus.DONE if finished else EndStatus.LIMIT
        header = TraceHeader(
            run=self.path.stem, episode=self.episode, navigator="navgpt", source=str(self.path)
        )
        end = EndEvent(status=status, reason=answer, node=self.place.node)
        return Trace(header=header, steps=steps, end=end)

    def _say_lost_moves(self) -> None:
        """Report moves that lack a thought, and a trajectory that is another walk than the moves.

        NavGPT writes both: where a move was lost, only the trajectory shows it.
        """
        do, count = "the walk is shown by its moves; it may lack places", len(self.details)
        if self.moves < count:
            what = f"{plural(count - self.moves, 'move')} of {count} without a thought"
            self._report(what, do, "llm_thought")
        parts = [as_list(part) for part in as_list(self.item.get("trajectory"))]
        if not parts or not all(len(part) == 1 and isinstance(part[0], str) for part in parts):
            return
        if [part[0] for part in parts[1:]] != [move["viewpointID"] for move in self.details]:
            what = f"is another walk, of {plural(len(parts) - 1, 'move')}, than the {count} moves"
            self._report(f"{what} of its details", do, "trajectory")

    def _report(self, what: str, do: str, field: str) -> None:
        self.problems.add(Problem(what, do, self.path.name, self.episode.id, field))

    def _steps(self) -> Iterator[Step]:
        for k, reply in enumerate(self.thoughts):
            thought, tool, target, answer = parse_reply(reply)
            views = parse_views(self.place.text)
            self._check(views)
            # taken before `_move`, which goes on to the next viewpoint
            node, heading, text = self.place.node, self.place.heading_deg, self.place.text
            panels = tuple(self._panels(views))
            observation = self.observations[k] if k < len(self.observations) else ""
            legal, reason = self._legal(target, observation)
            path = self._move(legal=legal and answer is None, observation=observation, reply=reply)
            yield Step(
                index=k + 1,
                node=node,
                heading_deg=heading,
                observation=_observation(views, text, target if legal else None),
                calls=(_call(reply, thought, tool, target, answer),),
                decision=Decision(
                    target=target if answer is None else node,
                    stop=answer is not None,
                    legal=legal,
                    reason=reason,
                ),
                path=path,
                panels=panels,
            )

    def _legal(self, target: str | None, observation: str) -> tuple[bool, str | None]:
        # after a legal move the text goes on with the next viewpoint, whose own words do not count
        if target is None or _INVALID not in observation.split("Current Viewpoint", maxsplit=1)[0]:
            return True, None
        return False, f"NavGPT refused it: viewpoint {target} is not navigable from here"

    def _move(self, *, legal: bool, observation: str, reply: str) -> tuple[str, ...]:
        """Go on to where the log says the agent went, and keep what it reads next."""
        # details hold legal moves only, so that they are counted apart from the thoughts
        if not legal or self.moves >= len(self.details):
            self.place.text = observation or self.place.text
            # of a refused turn NavGPT keeps one line
            self.place.past.append((reply, observation.strip().partition("\n")[0]))
            return ()
        detail = self.details[self.moves]
        self.moves += 1
        node = str(detail["viewpointID"])
        path = (self.place.node, node)
        self.place.node = node
        self.place.heading_deg = self._heading(str(detail.get("turned_angle", "")), path)
        self.place.text = str(detail.get("feature") or observation)
        self.place.past.append((reply, str(detail.get("history", ""))))
        return path

    def _heading(self, turned: str, path: tuple[str, str]) -> float:
        """Return the heading after a move, as the log says it; the link's where it does not."""
        match = _TURN.search(turned)
        if match is None:
            return self.graph.heading_deg(*path)
        angle_deg = float(match[2])
        return (-angle_deg if match[1] == "left" else angle_deg) % 360.0

    def _check(self, views: tuple[DirectionView, ...]) -> None:
        if self.place.heading_deg is None:
            return
        for wrong in disagreements(views, self.graph, self.place.node, self.place.heading_deg):
            text = f"{wrong.angle_deg:.2f} degrees and {wrong.distance_m:.2f} m"
            true = f"{wrong.graph_angle_deg:.2f} and {wrong.graph_distance_m:.2f}"
            where = f"at {self.place.node} the text puts {wrong.node}"
            what, do = f"{where} at {text}, the graph at {true}", "check the scan's files"
            self.problems.add(Problem(what, do, self.path.name, self.episode.id, "feature"))

    def _panels(self, views: tuple[DirectionView, ...]) -> Iterator[Panel]:
        if views:
            yield views_panel(views)
        yield Panel(kind="text", title="History buffer", data={"text": self._history()})

    def _history(self) -> str:
        """Return what the prompt held of the steps before, rebuilt as NavGPT does."""
        # each reply with the summary of what followed, the last observation in full, cut to its
        # last 7,000 characters
        if not self.place.past:
            return "Nothing yet: the first observation stands in the prompt in full."
        *earlier, (last_reply, _) = self.place.past
        turns = [*earlier, (last_reply, self.place.text.strip())]
        body = "".join(f"{reply}\nObservation: {seen}\nThought: " for reply, seen in turns)
        cut = body[-SCRATCHPAD_CHARACTERS:]
        note = ""
        if cut != body:
            note = f"[... {len(body) - len(cut):,} characters cut off here by NavGPT]\n"
        scene = "(its summary is not in the log)"
        if self.place.start_summary:
            scene = f"Scene from the viewpoint is a {self.place.start_summary}"
        first = f'Current viewpoint "{self.episode.start}": {scene}'
        head = f"Navigation start, no actions taken yet.\n{first}"
        return f"Initial Observation: {head}\nThought: {note}{cut}"


def _observation(
    views: tuple[DirectionView, ...], text: str, chosen: str | None
) -> Observation | None:
    if not text:
        return None
    candidates = mark_chosen(
        itertools.chain.from_iterable(view.candidates for view in views), chosen
    )
    return Observation(
        format="panorama",
        text=text,
        visible_nodes=tuple(way.node for way in candidates),
        pois=tuple(itertools.chain.from_iterable(view.objects for view in views)),
        candidates=candidates,
    )


def _call(
    reply: str, thought: str, tool: str | None, target: str | None, answer: str | None
) -> Call:
    parsed = {"thought": thought, "action": tool, "action_input": target, "final_answer": answer}
    wrong = tool is None and answer is None
    return Call(
        purpose="decide",
        thoughts=thought or None,
        reply=reply,
        parsed={key: value for key, value in parsed.items() if value is not None},
        parse_error="names neither an action nor a final answer" if wrong else None,
    )
