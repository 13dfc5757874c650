"""NDH, navigation from dialogue history (Thomason et al. 2019, CVDN): episodes and people's walks.

A JSON list of ``{inst_idx, game_idx, scan, target, start_pano: {pano, heading, elevation},
dialog_history: [{nav_idx, role, message}], nav_history, player_path, planner_path, end_panos}``;
headings in radians, clockwise from +y. ``nav_idx`` counts the viewpoints of ``nav_history``, where
a turn was said. Test splits lack paths and ends. Results are those of the R2R family with
``inst_idx`` (`navviz.formats.trajectories`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.files import Json
from navviz.formats.matterport import where_is
from navviz.formats.r2r import SUCCESS_RADIUS_M, first_item, iter_items, split_of
from navviz.formats.texts import as_list, as_mapping, as_number, as_stripped, id_text, say_unlike
from navviz.records import Decision, EndEvent, EndStatus, Episode, Panel, Step, Trace, TraceHeader

SMALLEST = (
    '[{"inst_idx": 1, "scan": "SCAN", "target": "towel", "start_pano": {"pano": "VIEWPOINT",'
    ' "heading": 0.0}, "dialog_history": []}]'
)
"""The smallest file that opens."""
_MARKS = frozenset({"inst_idx", "scan", "start_pano", "dialog_history"})
_ROLES = {"navigator": "Navigator", "oracle": "Oracle"}
_NUMBERS = (
    "navigator_game_quality",
    "oracle_game_quality",
    "R2R_success",
    "R2R_spl",
    "R2R_oracle_success",
    "R2R_oracle_spl",
)
"""What the data set says of the people's walk, kept by its own names."""


class NdhEpisodes:
    """Reads episode files of NDH."""

    name: ClassVar[str] = "NDH episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry has a scan, a start and a dialogue."""
        return first_item(path).keys() >= _MARKS

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes; raises `InputError` where not one can be read.

        The reference is what the person walked where that passes the end of the planner's path,
        else the planner's path; which one it is stands in ``extra``.
        """
        problems, split = Problems(), split_of(path)
        episodes: dict[str, Episode] = {}
        for number, item in enumerate(iter_items(path, problems), start=1):
            episode = _episode(item, split, path.name, number, problems)
            if episode is not None and episode.id in episodes:
                what, do = "is there twice", "the first one is shown"
                problems.skip(Problem(what, do, path.name, episode.id))
            elif episode is not None:
                episodes[episode.id] = episode
        if not episodes:
            what, do = "holds no episode of NDH", f"the smallest file is {SMALLEST}"
            raise InputError(what, do, file=path.name)
        title = f"NDH {(split or path.stem).replace('_', '-')}"
        return EpisodeSet(title, cls.name, episodes, problems, path)


def _fault(item: Mapping[str, Json]) -> tuple[str, str] | None:
    """Return which field of an entry is wrong, and how."""
    if not isinstance(item.get("inst_idx"), str | int):
        return "inst_idx", "names no episode"
    if not isinstance(item.get("scan"), str):
        return "scan", "names no scan"
    start = item.get("start_pano")
    if not isinstance(start, dict) or not isinstance(start.get("pano"), str):
        return "start_pano", "names no viewpoint"
    # test splits have no paths, which is no fault
    for field in ("player_path", "planner_path", "end_panos", "nav_history"):
        if not _is_viewpoints(item.get(field, [])):
            return field, "is no list of viewpoint ids"
    return None


def _is_viewpoints(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(node, str) for node in value)


def _episode(
    item: Mapping[str, Json], split: str | None, file: str, number: int, problems: Problems
) -> Episode | None:
    fault = _fault(item)
    if fault is not None:
        do = f"the other episodes are shown; the smallest file is {SMALLEST}"
        name = id_text(item.get("inst_idx", f"number {number}"))
        problems.skip(Problem(fault[1], do, file, name, fault[0]))
        return None
    start = item["start_pano"]
    where = Problem("", "", file, id_text(item["inst_idx"]))
    kinds = {"text": "target", "objects": "dialog_history", "id": "game_idx"}
    say_unlike(item, kinds | {"figure": ", ".join(_NUMBERS)}, where, problems)
    say_unlike(start, {"number": "heading"}, where, problems)
    for turn in map(as_mapping, as_list(item.get("dialog_history"))):
        say_unlike(turn, {"text": "role", "number": "nav_idx"}, where, problems, "role")
    turns = _turns(item, file, problems)
    target = as_stripped(item.get("target"))
    extra: dict[str, Json] = {"dialogue": turns, "target": target}
    for name in _NUMBERS:
        if as_number(item.get(name)) is not None:
            is_text = isinstance(item[name], str)
            extra[name] = as_number(item[name]) if is_text else item[name]
    # goal progress is measured to the nearest of these, not to the end of a path
    if item.get("end_panos"):
        extra["end_panos"] = item["end_panos"]
    reference, extra["reference"] = _trusted(
        item.get("player_path", []), item.get("planner_path", [])
    )
    heading, game = as_number(start.get("heading")), item.get("game_idx")
    heading_deg = path_id = None
    if heading is not None:
        # radians, clockwise, as in R2R
        heading_deg = math.degrees(heading) % 360.0
    if isinstance(game, int | str):
        path_id = id_text(game)
    return Episode(
        id=id_text(item["inst_idx"]),
        dataset="NDH",
        split=split,
        instruction=_instruction(target, turns),
        world=item["scan"],
        start=start["pano"],
        start_heading_deg=heading_deg,
        reference_path=reference,
        goal=next(reversed(reference), None),
        success_radius_m=SUCCESS_RADIUS_M,
        path_id=path_id,
        extra=extra,
    )


def _trusted(player: Sequence[str], planner: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return the path that is trusted, and whose it is."""
    # the paper trusts the person only where they came to what the planner aimed at
    if planner and planner[-1] not in player[1:]:
        return tuple(planner), "the planner's path"
    return tuple(player), "the person's path"


def _turns(item: Mapping[str, Json], file: str, problems: Problems) -> list[dict[str, Json]]:
    """Return the turns of the dialogue with the viewpoint of each; what is none is reported."""
    raw = as_list(item.get("dialog_history"))
    # nav_idx of a message is an index into this list
    places = dict(enumerate(item.get("nav_history", [])))
    turns: list[dict[str, Json]] = []
    for turn in map(as_mapping, raw):
        if not isinstance(turn.get("message"), str):
            continue
        role, place = str(turn.get("role") or "Somebody"), as_number(turn.get("nav_idx"))
        turns.append(
            {
                "who": _ROLES.get(role, role),
                "message": as_stripped(turn["message"]),
                "viewpoint": places.get(int(-1 if place is None else place)),
            }
        )
    if len(turns) < len(raw):
        what = f"{len(raw) - len(turns)} turns of the dialogue have no message"
        name = id_text(item["inst_idx"])
        problems.add(Problem(what, "they are left out", file, name, "dialog_history"))
    return turns


def _instruction(target: str, turns: Sequence[Mapping[str, Json]]) -> str:
    """Return what the agent reads: the target, then the dialogue so far."""
    lines = [f"{turn['who']}: {turn['message']}" for turn in turns]
    return "\n".join([f"Target: {target}", *lines])


def dialogue_panel(episode: Episode) -> Panel | None:
    """Return the dialogue of an episode with the viewpoints where it was held, if it has one."""
    turns = episode.extra.get("dialogue")
    if episode.dataset != "NDH" or not isinstance(turns, list) or not turns:
        return None
    rows = [[turn["who"], turn["message"], turn["viewpoint"] or "–"] for turn in turns]
    data = {"columns": ["Who", "Words", "Said at"], "rows": rows}
    return Panel(kind="table", title="Dialogue so far", data=data)


def with_dialogue(steps: Sequence[Step], episode: Episode) -> tuple[Step, ...]:
    """Return the steps of a walk with the dialogue before it at its first step."""
    panel = dialogue_panel(episode)
    if panel is None or not steps:
        return tuple(steps)
    first = steps[0].model_copy(update={"panels": (panel, *steps[0].panels)})
    return (first, *steps[1:])


class NdhPeople:
    """Reads the walks of the people who held the dialogues, as a run."""

    name: ClassVar[str] = "NDH people's walks"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it holds episodes of NDH with walks."""
        return NdhEpisodes.handles(path) and "player_path" in first_item(path)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read one walk an episode; raises `InputError` where not one can be shown."""
        del episodes  # the file holds its own
        read = NdhEpisodes.read(path)
        problems = Problems()
        problems.extend(read.problems)
        traces: dict[str, Trace] = {}
        for item in iter_items(path, Problems()):
            episode = read.episodes.get(id_text(item.get("inst_idx")))
            if episode is None or episode.id in traces:
                continue
            trace = _walk(item.get("player_path", []), episode, graph_of, path, problems)
            if trace is not None:
                traces[episode.id] = trace
        if not traces:
            do = "open the connectivity graphs of its houses with it"
            raise InputError(
                f"holds no walk of NDH that can be shown{problems.because}", do, file=path.name
            )
        return [Run(path.stem, "people", None, traces, problems, path)]


def _walk(
    nodes: Sequence[str], episode: Episode, graph_of: GraphOf, path: Path, problems: Problems
) -> Trace | None:
    where = Problem("", "the other walks are shown", path.name, episode.id, "player_path")
    try:
        graph = graph_of(episode.world)
    except InputError as error:
        problems.skip(replace(error.problem, file=path.name, episode=episode.id))
        return None
    unknown = [node for node in nodes if node not in graph]
    if unknown:
        problems.skip(replace(where, what=str(where_is(graph, unknown[0]))))
        return None
    if not nodes:
        problems.skip(replace(where, what="is an empty path"))
        return None
    steps = tuple(_steps(nodes))
    header = TraceHeader(run=path.stem, episode=episode, navigator="people", source=str(path))
    end = EndEvent(status=EndStatus.DONE, node=nodes[-1])
    return Trace(header=header, steps=with_dialogue(steps, episode), end=end)


def _steps(nodes: Sequence[str]) -> Iterator[Step]:
    for number, (here, there) in enumerate(pairwise(nodes), start=1):
        yield Step(index=number, node=here, decision=Decision(target=there), path=(here, there))
    stop = Decision(target=nodes[-1], stop=True)
    yield Step(index=len(nodes), node=nodes[-1], decision=stop)
