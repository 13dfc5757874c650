"""Episodes of the R2R family: R2R, R4R, RxR, REVERIE, GSA-R2R, and encoded variants.

Sources: Anderson et al. 2018 (R2R), Jain et al. 2019 (R4R), Ku et al. 2020 (RxR), Qi et al. 2020
(REVERIE). A file is a JSON list, or JSON lines, either one gzipped; entries hold ``scan``,
``path``, ``heading`` (radians, clockwise from +y) and either ``instructions`` (one episode each, id
``PATHID_N`` as on the leaderboard) or one ``instruction``. Files are streamed: what agents add
(encodings, timed words) is dropped entry by entry.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_items, json_lines, peek
from navviz.formats.matterport import scan_not_found, where_is
from navviz.formats.texts import as_mapping, as_number, id_text, one_name, say_unlike
from navviz.records import Episode
from navviz.world.graph import Graph
from navviz.world.matterport3d import SCANS

SUCCESS_RADIUS_M = 3.0
"""Success threshold of R2R and its descendants, in metres."""

_TURN_RAD = 2 * math.pi + 1e-3
"""A full turn and a rounding error: a larger heading is in degrees."""
_LONGEST_NAME = 40
_LONGEST_TEXT = 4000
"""Characters of a text that is kept; encodings of instructions and pictures are longer."""
_FIELDS_OF = {
    "REVERIE": {"objId", "objid", "ix", "instructions_l"},
    "RxR": {"instruction_id", "annotator_id", "timed_instruction"},
    "R4R": {"first_path_id", "second_path_id", "shortest_path_distance"},
}
"""Fields that only entries of one data set have."""
_SPLITS = (
    "val_seen",
    "val_unseen",
    "val_train_seen",
    "train",
    "test",
)


def iter_items(path: Path, problems: Problems) -> Iterator[dict[str, Json]]:
    """Stream the entries of a JSON list or of JSON lines; what is no entry is reported.

    Raises `InputError` when the file is neither, or is damaged before its first entry.
    """
    for where, item in _values(path, problems):
        if isinstance(item, dict):
            yield item
        else:
            problems.skip(
                Problem("is no JSON object", "the other entries are shown", f"{path.name}{where}")
            )


def _values(path: Path, problems: Problems) -> Iterator[tuple[str, Json]]:
    # RxR comes as JSON lines, all others of the family as one list
    if peek(path).opener == "{":
        for number, item in json_lines(path, problems):
            yield f":{number}", item
        return
    for number, (_, item) in enumerate(json_items(path, problems), start=1):
        yield f", entry {number}", item


def first_item(path: Path) -> dict[str, Json]:
    """Return the first entry of such a file, from its first bytes; empty where it has none."""
    seen = peek(path)
    item = seen.first_line if seen.opener == "{" else next((value for _, value in seen.items), None)
    return as_mapping(item)


class R2REpisodes:
    """Reads episode files of the R2R family."""

    name: ClassVar[str] = "R2R family"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry has what an entry of the R2R family has."""
        item = first_item(path)
        # some files have one text an entry, R2R has three
        has_text = "instructions" in item or "instruction" in item
        return has_text and {"scan", "path"} <= item.keys()

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes, one an instruction; raises `InputError` where not one can be read."""
        problems, split = Problems(), split_of(path)
        rows: list[tuple[Episode, float | None]] = []
        for number, item in enumerate(iter_items(path, problems), start=1):
            fault = _fault(item)
            if fault is not None:
                field, what = fault
                do, name = "the other entries are shown", _name(item, number)
                problems.skip(Problem(what, do, path.name, name, field))
                continue
            named = any(item.get(key) is not None for key in _NAMES)
            where = Problem("", "", path.name, _name(item, number))
            say_unlike(item, _KINDS, where, problems, "" if named else "path_id")
            # not every data set gives one
            heading = as_number(item.get("heading"))
            described = _episodes(item, _dataset(item, path), split)
            rows.extend((episode, heading) for episode in described)
        if not rows:
            what = f"holds no episode of the R2R family{problems.because}"
            raise InputError(what, "open R2R, R4R, RxR or REVERIE", file=path.name)
        _say_without_goal([episode for episode, _ in rows], path.name, problems)
        episodes = _by_id(_with_headings(rows, path.name, problems), path.name, problems)
        title = f"{rows[0][0].dataset} {split.replace('_', '-')}" if split else path.stem
        return EpisodeSet(title, cls.name, episodes, problems, path)


_NAMES = ("instr_id", "instruction_id", "id", "path_id")
_KINDS = {
    "number": "distance, edit_distance",
    "id": "path_id, instr_id, instruction_id, objId, annotator_id",
    "text": "language, split, dataset, instruction_template",
}


def _say_without_goal(episodes: Sequence[Episode], file: str, problems: Problems) -> None:
    """Report paths of one place, which an episode whose goal is its start would have, too."""
    count = sum(episode.goal is None for episode in episodes)
    if count:
        what = f"the path of {count:,} of {len(episodes):,} episodes is the start alone"
        do = "they count as R2R's test split: without a goal they have no figure but their length"
        problems.add(Problem(what, do, file, field="path"))


def _by_id(episodes: Iterable[Episode], file: str, problems: Problems) -> dict[str, Episode]:
    by_id: dict[str, Episode] = {}
    for episode in episodes:
        if episode.id in by_id:
            problems.skip(Problem("is there twice", "the first one is shown", file, episode.id))
        by_id.setdefault(episode.id, episode)
    return by_id


def missing_scans(
    episodes: Iterable[Episode], scans: Container[str], file: str = ""
) -> list[Problem]:
    """One problem for each house that episodes name and that is not there."""
    missing = Counter(episode.world for episode in episodes if episode.world not in scans)
    return [scan_not_found(scan, file=file, episodes=count) for scan, count in missing.items()]


def _fault(item: Mapping[str, Json]) -> tuple[str, str] | None:
    """Which field of an entry is wrong, and how."""
    if not isinstance(item.get("scan"), str):
        return "scan", "names no scan"
    path = item.get("path")
    if not isinstance(path, list) or not path or not all(isinstance(node, str) for node in path):
        return "path", "is no list of viewpoint ids"
    heading = item.get("heading")
    if heading is not None and as_number(heading) is None:
        return "heading", f"{heading!r} is no angle"
    texts = item.get("instructions", [item.get("instruction")])
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        return "instructions", "holds no instruction"
    return None


def _name(item: Mapping[str, Json], number: int) -> str:
    for key in _NAMES:
        if key in item:
            return id_text(item[key])
    return f"number {number}"


def split_of(path: Path) -> str | None:
    """Return the split that a file's name tells, if it does."""
    # the order of the list counts: "val_train_seen" holds "train", too
    name = path.name.lower().replace("-", "_")
    return next((split for split in _SPLITS if split in name), None)


def _dataset(item: Mapping[str, Json], path: Path) -> str:
    """Return the data set that an entry names, or whose fields it has."""
    # figures hang on it, so the file's name is a label for entries of other houses than R2R's alone
    named = item.get("dataset")
    if isinstance(named, str) and 0 < len(named.strip()) <= _LONGEST_NAME:
        return named.strip()
    marked = next((name for name, fields in _FIELDS_OF.items() if fields & item.keys()), None)
    if marked is None and item["scan"] not in SCANS and "gsa-r2r" in path.name.lower():
        return "GSA-R2R"
    return marked or "R2R"


def _episodes(item: Mapping[str, Json], dataset: str, split: str | None) -> Iterator[Episode]:
    texts = item.get("instructions", [item.get("instruction")])
    # numbers and short texts, no encodings, no timings
    extra = {}
    for key, given in item.items():
        if key in _KNOWN:
            continue
        # a target object is compared with the one that a result names
        value = one_name(given) if key in _OBJECTS else given
        is_short = isinstance(value, str) and len(value) <= _LONGEST_TEXT
        if is_short or isinstance(value, bool) or as_number(value) is not None:
            extra[key] = value
    nodes = tuple(map(id_text, item["path"]))
    route = nodes if len(nodes) > 1 else ()  # test splits give the start alone
    for number, text in enumerate(texts):
        yield Episode(
            id=_episode_id(item, number),
            dataset=dataset,
            split=item["split"] if isinstance(item.get("split"), str) else split,
            instruction=text.strip(),
            world=item["scan"].strip(),
            start=nodes[0],
            reference_path=route,
            goal=route[-1] if route else None,
            success_radius_m=SUCCESS_RADIUS_M,
            path_id=None if item.get("path_id") is None else id_text(item["path_id"]),
            language=item.get("language") if isinstance(item.get("language"), str) else None,
            extra=extra,
        )


def _episode_id(item: Mapping[str, Json], number: int) -> str:
    """Return the id in results: ``instr_id``, ``instruction_id``, or made of path and object."""
    for key in ("instr_id", "instruction_id"):
        # an entry of several instructions has one id for all of them
        if item.get(key) is not None and "instructions" not in item:
            return id_text(item[key])
    target = item.get("objId")
    named = [item[key] for key in ("path_id", "id") if item.get(key) is not None]
    path_id = id_text(named[0]) if named else "path"
    # REVERIE asks for several objects at the end of one path
    if target is not None and item.get("path_id") is not None:
        path_id = f"{path_id}_{id_text(target)}"
    return f"{path_id}_{number}"


_KNOWN = {
    "dataset",
    "scan",
    "path",
    "heading",
    "instructions",
    "instruction",
    "instr_id",
    "instruction_id",
    "path_id",
    "language",
}

_OBJECTS = {"objId", "objid"}


def _with_headings(
    rows: list[tuple[Episode, float | None]], file: str, problems: Problems
) -> tuple[Episode, ...]:
    """Headings in degrees; a file with headings over a full turn in radians is in degrees."""
    wild = sum(heading is not None and not in_turns(heading) for _, heading in rows)
    if wild:
        what = f"{wild} headings exceed 2 pi: they are in degrees where radians are due"
        do = "all headings of this file are read as degrees"
        problems.add(Problem(what, do, file, field="heading"))
    episodes = []
    for episode, heading in rows:
        if heading is not None:
            update = {"start_heading_deg": to_degrees(heading, wild > 0)}
            episodes.append(episode.model_copy(update=update))
        else:
            episodes.append(episode)
    return tuple(episodes)


def in_turns(heading: float) -> bool:
    """Whether a number can be a heading in radians: within one full turn."""
    # either sign: an angle below 0 says nothing of the unit
    return abs(heading) <= _TURN_RAD


def to_degrees(heading: float, given_in_degrees: bool) -> float:
    """Return a heading of a file, in degrees in ``[0, 360)``."""
    return (heading if given_in_degrees else math.degrees(heading)) % 360.0


def check_episode(episode: Episode, graph: Graph) -> list[Problem]:
    """Report viewpoints and links of the reference path that the house lacks."""
    problems: list[Problem] = []
    for node in episode.reference_path or (episode.start,):
        why = where_is(graph, node)
        if why is not None:
            do = "choose another episode"
            problems.append(Problem(why, do, episode=episode.id, field="path"))
    if not problems:
        pairs = zip(episode.reference_path, episode.reference_path[1:], strict=False)
        gaps = sum(not graph.has_link(a, b) for a, b in pairs if a != b)
        if gaps:
            what = f"the reference path jumps {gaps} times between viewpoints that are not linked"
            do = "it is drawn with straight jumps"
            problems.append(Problem(what, do, episode=episode.id, field="path"))
    return problems
