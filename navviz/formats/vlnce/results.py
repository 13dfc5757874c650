"""Walks of VLN-CE: ground truth, and predictions in the leaderboards' formats.

``{EP: {"locations", "actions", "forward_steps"}}`` is the expert's; ``{EP: [{"position",
"heading", "stop"}, ...]}`` is what VLN-CE's inference and ETPNav write (headings are yaw in
radians, counter-clockwise); lines ``{"instruction_id", "path": [[x, y, z], ...]}`` are RxR's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.texts import as_number
from navviz.formats.vlnce.episodes import episodes_near, place_of, with_instruction_ids
from navviz.formats.vlnce.walks import ACTIONS, FreePose, action_between, free_trace
from navviz.records import Episode, Trace

SMALLEST_WALK = '{"1": [{"position": [x, y, z], "heading": 0.0, "stop": false}, ...]}'
_TURN_DEG = {"R2R-CE": 15.0, "RxR-CE": 30.0}
_FIRST = 5
"""Entries of a file that are looked at to know it."""


class _WalkReader:
    """Reads files of walks by episode id."""

    name: ClassVar[str]
    pose_source: ClassVar[str]

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the walks as one run; raises `InputError` where not one can be read.

        Without an episode file the walks are shown alone: no instruction, no route, no world.
        """
        del graph_of
        problems = Problems()
        entries = list(cls._entries(path, problems))
        known = with_instruction_ids(episodes or {})
        known = known or episodes_near(path, {name for name, _ in entries})
        unknown = 0
        run = path.name.split(".")[0]
        traces: dict[str, Trace] = {}
        for name, value in entries:
            episode = known.get(name)
            unknown += episode is None
            walk = cls._walk(value, episode)
            if walk is None:
                do = f"the other walks are shown; a walk looks like {SMALLEST_WALK}"
                problems.skip(Problem("is no walk of positions", do, path.name, name))
                continue
            poses, actions = walk
            episode = episode or _unknown_episode(name, poses[0])
            if episode.id in traces:
                problems.skip(Problem("is there twice", "the last one is shown", path.name, name))
            traces[episode.id] = free_trace(
                episode, poses, actions, run=run, source=str(path), pose_source=cls.pose_source
            )
        if not traces:
            raise InputError(
                f"looks like {cls.name} and holds no walk that can be read",
                f"a walk looks like {SMALLEST_WALK}",
                file=path.name,
            )
        if unknown:
            what = f"{unknown} of {len(entries)} walks are of episodes that no open file knows"
            do = "open the episode file of their split with it (val_seen.json.gz)"
            problems.add(Problem(what, do, path.name))
        return [Run(run, run, None, traces, problems, path)]

    @classmethod
    def _entries(cls, path: Path, problems: Problems) -> Iterator[tuple[str, Json]]:
        for key, value in json_items(path, problems):
            yield str(key), value

    @classmethod
    def _walk(
        cls, value: Json, episode: Episode | None
    ) -> tuple[Sequence[FreePose], Sequence[str]] | None:
        raise NotImplementedError


def _first_values(path: Path) -> list[Json]:
    """Return the first values of a JSON object with keys; empty for any other file."""
    seen = peek(path)
    if seen.opener != "{":
        return []
    return [value for key, value in seen.items[:_FIRST] if key is not None]


def _unknown_episode(name: str, first: FreePose) -> Episode:
    return Episode(
        id=name,
        dataset="VLN-CE",
        instruction="",
        start=first.position,
        start_heading_deg=first.heading_deg,
        success_radius_m=3.0,
    )


class GroundTruth(_WalkReader):
    """Reads the expert's walks as a run."""

    name: ClassVar[str] = "VLN-CE ground truth"
    pose_source: ClassVar[str] = "the expert's locations, headings from its actions"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entries have locations and actions."""
        values = _first_values(path)
        return bool(values) and all(
            isinstance(value, dict) and {"locations", "actions"} <= value.keys() for value in values
        )

    @classmethod
    def _walk(
        cls, value: Json, episode: Episode | None
    ) -> tuple[Sequence[FreePose], Sequence[str]] | None:
        if not isinstance(value, dict):
            return None
        numbers = value.get("actions")
        places = _places(value.get("locations"))
        if not places or not isinstance(numbers, list):
            return None
        heading_deg = episode.start_heading_deg if episode is not None else None
        turn_deg = _TURN_DEG.get(episode.dataset if episode is not None else "", 15.0)
        turns = {"turn_left": -turn_deg, "turn_right": turn_deg}
        poses, actions, at = [FreePose(places[0], heading_deg)], list[str](), 0
        for number in numbers:
            action = ACTIONS[number] if number in range(len(ACTIONS)) else f"action {number}"
            if action == "move_forward":
                at += 1
            if at >= len(places):
                return None
            if heading_deg is not None:
                heading_deg = (heading_deg + turns.get(action, 0.0)) % 360.0
            actions.append(action)
            poses.append(FreePose(places[at], heading_deg))
        return poses, actions


def _places(value: Json) -> list[tuple[float, float, float]]:
    """Return positions of Habitat in NavViz's frame; empty where any is none."""
    places = [place_of(point) for point in value] if isinstance(value, list) else []
    known = [place for place in places if place is not None]
    return known if len(known) == len(places) else []


class Predictions(_WalkReader):
    """Reads ``predictions.json`` of R2R-CE."""

    name: ClassVar[str] = "VLN-CE predictions"
    pose_source: ClassVar[str] = "as the agent's evaluation wrote them"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entries are lists of objects with positions."""
        values = _first_values(path)
        return bool(values) and all(map(_is_prediction, values))

    @classmethod
    def _walk(
        cls, value: Json, episode: Episode | None
    ) -> tuple[Sequence[FreePose], Sequence[str]] | None:
        del episode
        if not isinstance(value, list) or not value:
            return None
        poses, stop = list[FreePose](), False
        for entry in value:
            place = place_of(entry.get("position")) if isinstance(entry, dict) else None
            if place is None:
                return None
            poses.append(FreePose(place, _heading_deg(entry.get("heading"))))
            stop = entry.get("stop") is True
        actions = [action_between(before, after) for before, after in pairwise(poses)]
        if stop and actions and actions[-1] == "stay":
            actions[-1] = "stop"
        elif stop:
            poses.append(poses[-1])
            actions.append("stop")
        return poses, actions


def _is_prediction(value: Json) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and isinstance(first.get("position"), list)


def _heading_deg(yaw: Json) -> float | None:
    """Return the heading of a yaw in radians, counter-clockwise."""
    number = as_number(yaw)
    return None if number is None else math.degrees(-number) % 360.0


class RxrPredictions(_WalkReader):
    """Reads ``predictions.jsonl`` of RxR-CE."""

    name: ClassVar[str] = "RxR-CE predictions"
    pose_source: ClassVar[str] = "as the agent's evaluation wrote them, without headings"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line has an instruction id and a path of positions."""
        line = peek(path).first_line
        if not isinstance(line, dict) or "instruction_id" not in line:
            return False
        way = line.get("path")
        return isinstance(way, list) and bool(way) and place_of(way[0]) is not None

    @classmethod
    def _entries(cls, path: Path, problems: Problems) -> Iterator[tuple[str, Json]]:
        for _, line in json_lines(path, problems):
            if isinstance(line, dict):
                yield str(line.get("instruction_id")), line.get("path")

    @classmethod
    def _walk(
        cls, value: Json, episode: Episode | None
    ) -> tuple[Sequence[FreePose], Sequence[str]] | None:
        del episode
        places = _places(value)
        if not places:
            return None
        poses = [FreePose(place) for place in (*places, places[-1])]
        return poses, [*["move_forward"] * (len(places) - 1), "stop"]
