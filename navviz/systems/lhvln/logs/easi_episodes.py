"""Episodes of EASI's version of LHPR-VLN: JSON lines with ``id, instruction, scene, robot, objects,
regions ...``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import json_lines, peek
from navviz.formats.texts import as_list, id_text
from navviz.records import Episode
from navviz.support.guarded import looked_in
from navviz.systems.lhvln.logs.motion import step_counts
from navviz.systems.lhvln.logs.subtasks import (
    DATASET,
    Move,
    long_task,
    parse_subtasks,
    tasks_of,
)

_NEEDED = {"id", "instruction", "scene", "objects", "regions"}


class EasiEpisodes:
    """Reads a split of EASI's version."""

    name: ClassVar[str] = "LHPR-VLN episodes of EASI"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line is such an episode."""
        first = peek(path).first_line
        return isinstance(first, dict) and first.keys() >= _NEEDED

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all lines; raises `InputError` where not one is an episode."""
        problems, episodes = Problems(), dict[str, Episode]()
        for number, line in json_lines(path, problems):
            where = f"{path.name}:{number}"
            if not isinstance(line, dict) or not line.keys() >= _NEEDED:
                missing = "everything"
                if isinstance(line, dict):
                    missing = ", ".join(sorted(_NEEDED - line.keys()))
                problems.skip(Problem(f"lacks {missing}", "the other lines are shown", where))
                continue
            episode = _episode(line, where, problems)
            if episode.id in episodes:
                do = "the last one is shown"
                problems.skip(Problem("is there twice", do, where, episode.id))
            episodes[episode.id] = episode
        if not episodes:
            raise InputError(
                "holds no episode of LHPR-VLN", "open a split of LHPR-VLN_easi", file=path.name
            )
        return EpisodeSet(f"{DATASET} {path.stem}", cls.name, episodes, problems, path)


def episodes_beside(run: Path, problems: Problems) -> dict[str, Episode]:
    """Episodes of the splits that lie in a run's folder, or in the two above it."""
    episodes: dict[str, Episode] = {}
    for folder in (run, *list(run.parents)[:2]):
        looked_in(folder)
        for path in sorted(folder.glob("*.jsonl")):
            if EasiEpisodes.handles(path):
                episode_set = EasiEpisodes.read(path)
                # the nearest folder wins: a run may lie beside a split that it was cut from
                episodes = {**episode_set.episodes, **episodes}
                problems.extend(episode_set.problems)
    return episodes


def _episode(line: Mapping[str, Any], where: str, problems: Problems) -> Episode:
    name, scene = id_text(line["id"]), str(line["scene"]).strip()
    rooms: dict[str, str] = {}
    # rooms are not needed: without them a region has no name
    for region, room in zip(as_list(line["regions"]), as_list(line.get("rooms")), strict=False):
        rooms[id_text(region)] = f"Region {id_text(region)}: {room}"
    moves = parse_subtasks(as_list(line.get("subtask_list")), where, name, problems) or _moves(line)
    extra = {
        "robot": line.get("robot"),
        "batch": line.get("batch"),
        "gt_step": step_counts(line.get("gt_steps")),
        "subtask_list": line.get("subtask_list"),
    }
    batch, instruction = str(line.get("batch", "")), str(line["instruction"])
    return long_task(name, batch, instruction, scene, tasks_of(moves, rooms), extra)


def _moves(line: Mapping[str, Any]) -> tuple[Move, ...]:
    """Sub-tasks from objects and regions, where there is no list of them."""
    pairs = zip(as_list(line["objects"]), as_list(line["regions"]), strict=False)
    named = [(str(name), id_text(region)) for name, region in pairs]
    return tuple(Move(f"Move_to('{name}_{region}')", name, region) for name, region in named)
