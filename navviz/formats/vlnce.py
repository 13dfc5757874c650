"""VLN-CE: R2R-CE and RxR-CE (``{split}.json.gz``), with the expert's walks and agents' poses."""

from __future__ import annotations

import math
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, peek, plain_head
from navviz.formats.r2r import SUCCESS_RADIUS_M, split_of
from navviz.formats.texts import as_list, as_mapping, as_number, id_text
from navviz.records import Decision, EndEvent, EndStatus, Episode, Step, Trace, TraceHeader
from navviz.records.episode import START_POSE
from navviz.records.folding import is_same_place
from navviz.records.frames import Position, habitat_heading_deg, to_navviz
from navviz.support.guarded import is_folder, is_regular, note_folder, read_json, whole_or_float

SMALLEST = (
    '{"episodes": [{"episode_id": 1, "scene_id": "mp3d/SCAN/SCAN.glb", "start_position": [x, y, z],'
    ' "instruction": {"instruction_text": "..."}}]}'
)
"""The smallest file that opens."""

FILE_LIMIT_BYTES = 2_000_000_000

_EPISODES = re.compile(r'"episodes"\s*:\s*\[')

_FIELDS = ('"start_position"', '"scene_id"', '"episode_id"', '"instruction"')

_ENDINGS = (".json.gz", ".json")

_EXPERT_FIELDS = ('"locations"', '"actions"')

_QUATERNION = 4

_UPRIGHT = 1e-3
"""What rounding leaves of the two parts of a rotation that are 0."""

_KEPT = ("instruction_id", "annotator_id", "edit_distance")
"""Numbers and names of RxR's instructions that are kept."""


class VlnceEpisodes:
    """Reads episode files of VLN-CE."""

    name: ClassVar[str] = "VLN-CE episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is an object with episodes that start at positions."""
        # a split is one large object: only its head is looked at
        if peek(path).opener != "{" or not path.name.endswith(_ENDINGS):
            return False
        head = plain_head(path)
        return _EPISODES.search(head) is not None and all(field in head for field in _FIELDS)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all episodes; raises `InputError` where not one can be read."""
        # lenient: Python writes NaN and infinity, which are no JSON
        problems = Problems()
        content = read_json(path, lenient=True, limit=FILE_LIMIT_BYTES)
        items = as_mapping(content).get("episodes")
        episodes: dict[str, Episode] = {}
        walks = expert_walks(path, problems)
        split = split_of(path)
        lost = Counter[str]()
        for number, item in enumerate(as_list(items), start=1):
            fault = _fault(item)
            if fault is not None:
                do = f"the other episodes are shown; the smallest file is {SMALLEST}"
                name = f"number {number}"
                problems.skip(Problem(fault[1], do, path.name, name, fault[0]))
                continue
            episode = _episode(item, split, walks or {}, lost)
            if episode.id in episodes:
                problems.skip(
                    Problem("is there twice", "the first one is shown", path.name, episode.id)
                )
            episodes.setdefault(episode.id, episode)
        if not episodes:
            raise InputError(
                "looks like episodes of VLN-CE and holds none that can be read",
                f"the smallest file is {SMALLEST}",
                file=path.name,
            )
        for what, count in lost.items():
            field, _, wrong = what.partition(": ")
            sentence = f"{wrong} in {count} of {len(items or [])} episodes"
            problems.add(Problem(sentence, "they are shown without", path.name, field=field))
        if walks is None:
            _say_renamed(path, problems)
        first = next(iter(episodes.values()))
        title = f"{first.dataset} {split.replace('_', '-')}" if split else path.stem
        return EpisodeSet(title, cls.name, episodes, problems, path)


def _fault(item: Json) -> tuple[str, str] | None:
    """Return which field of an entry is wrong, and how."""
    if not isinstance(item, dict):
        return "episodes", "is no JSON object"
    # numbers in R2R-CE, texts in RxR-CE; results name both by texts
    if not isinstance(item.get("episode_id"), str | int):
        return "episode_id", "names no episode"
    if not isinstance(item.get("scene_id"), str):
        return "scene_id", "names no scene"
    if place_of(item.get("start_position")) is None:
        return "start_position", "is no position of three numbers"
    if instruction_text(item.get("instruction")) is None:
        return "instruction", "holds no text"
    return None


def instruction_text(instruction: Json) -> str | None:
    """Return the text of an instruction, plain or in an object."""
    text = instruction
    if isinstance(instruction, dict):
        text = instruction.get("instruction_text")
    return text.strip() if isinstance(text, str) else None


def place_of(value: Json) -> Position | None:
    """Return a position of Habitat in NavViz's frame; ``None`` where it is no finite position."""
    if not isinstance(value, list) or len(value) != 3:
        return None
    numbers = [number for number in map(as_number, value) if number is not None]
    return to_navviz(numbers, "habitat") if len(numbers) == len(value) else None


def scan_of(scene: str) -> str:
    """Name the scan of a scene file: ``mp3d/SCAN/SCAN.glb``, with whatever folders before it."""
    # seen: mp3d/SCAN/SCAN.glb, data/scene_datasets/..., absolute paths, those of Windows
    stem = re.split(r"[\\/]", scene)[-1]
    return re.sub(r"(\.basis)?\.(glb|ply)$", "", stem)


def _start_heading_deg(item: Mapping[str, Any], lost: Counter[str]) -> float | None:
    """Return where the agent looks first; ``None``, and counted, where nobody can tell."""
    rotation = item.get("start_rotation")
    if rotation is None:
        return None
    numbers = [as_number(each) for each in as_list(rotation)]
    components = [each for each in numbers if each is not None]
    if len(components) != _QUATERNION or len(numbers) != _QUATERNION:
        lost["start_rotation: is no rotation of four numbers"] += 1
        return None
    x, y, z, w = components
    # only yaw occurs, so that two of the four are 0: which two says where the real part stands
    if math.hypot(x, z) <= _UPRIGHT:
        return habitat_heading_deg(components)
    if math.hypot(y, w) <= _UPRIGHT:  # AerialVLN's order, w first
        return habitat_heading_deg([y, z, w, x])
    lost["start_rotation: turns about another axis than the upright one"] += 1
    return None


def _points(value: Json, field: str, lost: Counter[str]) -> tuple[Position, ...]:
    """Return positions in NavViz's frame; none, and counted, where any is no position."""
    if value is None:
        return ()
    points = [place_of(point) for point in (value if isinstance(value, list) else [None])]
    places = tuple(point for point in points if point is not None)
    if len(places) < len(points):
        lost[f"{field}: holds something that is no position"] += 1
        return ()
    return places


def _episode(
    item: Mapping[str, Any], split: str | None, walks: Mapping[str, Json], lost: Counter[str]
) -> Episode:
    instruction = as_mapping(item["instruction"])
    language = instruction.get("language")
    goals = item.get("goals")
    first = (goals[0] if isinstance(goals, list) else goals) if goals else {}
    # one that is no object names no position, which is counted below
    goal = first if isinstance(first, dict) else {"position": first}
    radius_m = as_number(goal.get("radius"))
    # test splits have neither goals nor reference path
    places = _points(item.get("reference_path"), "reference_path", lost)
    trajectory = item.get("trajectory_id")
    name = id_text(item["episode_id"])
    return Episode(
        id=name,
        # R2R-CE names no language; RxR-CE names one of four
        dataset="RxR-CE" if isinstance(language, str) else "R2R-CE",
        split=split,
        instruction=instruction_text(item["instruction"]) or "",
        world=scan_of(item["scene_id"]),
        start=place_of(item["start_position"]) or "",  # `_fault` refuses one without a position
        start_heading_deg=_start_heading_deg(item, lost),
        reference_path=places,
        goal=next(iter(_points([goal.get("position")] if goal else [], "goals", lost)), None),
        success_radius_m=radius_m if radius_m and radius_m > 0 else SUCCESS_RADIUS_M,
        path_id=None if trajectory is None else id_text(trajectory),
        language=language if isinstance(language, str) else None,
        reference_positions=_points(
            as_mapping(walks.get(name)).get("locations"), "locations of the expert's walk", lost
        ),
        extra=_extra(item, instruction),
    )


def _extra(item: Mapping[str, Json], instruction: Mapping[str, Json]) -> dict[str, Json]:
    info = item.get("info")
    extra: dict[str, Json] = {}
    for name, value in as_mapping(info).items():
        # SPL is measured by geodesic_distance, which a table writes as a text
        if as_number(value) is not None:
            extra[name] = whole_or_float(value) if isinstance(value, str) else value
    for name in _KEPT:
        if isinstance(instruction.get(name), str | int | float):
            extra[name] = instruction[name]
    return extra


def _expert_files(path: Path) -> list[Path]:
    """Return where the expert's walks of an episode file may lie: beside it, packed or not."""
    stem = next((path.name.removesuffix(each) for each in _ENDINGS if path.name.endswith(each)), "")
    return [path.with_name(f"{stem}_gt{ending}") for ending in _ENDINGS]


def expert_walks(path: Path, problems: Problems) -> dict[str, Json] | None:
    """Return the expert's walks beside an episode file, by episode id; ``None`` where there is no
    such file, none, and reported, where it cannot be read.
    """
    for file in _expert_files(path):
        if is_regular(file):
            try:
                walks = read_json(file, lenient=True, limit=FILE_LIMIT_BYTES)
            except InputError as error:
                do = "the episodes are shown without the expert's walks"
                problems.add(Problem(error.problem.what, do, file.name))
                return {}
            return {id_text(key): walk for key, walk in as_mapping(walks).items()}
    return None


def _say_renamed(path: Path, problems: Problems) -> None:
    """Report a file with expert's walks that lies beside an episode file by another name."""
    split = split_of(path)
    for file in _files([path.parent], path):
        other = split_of(file)
        # the walks of another split are where they belong
        if other is not None and other != split:
            continue
        head = plain_head(file)
        if all(field in head for field in _EXPERT_FIELDS):
            names = " or ".join(each.name for each in _expert_files(path))
            what = f"holds the expert's walks, which are looked for as {names}"
            do = "give it that name; without them nDTW to the whole walk is missing"
            problems.add(Problem(what, do, file.name))
            return


def episodes_near(path: Path, ids: set[str], problems: Problems) -> dict[str, Episode]:
    """Return the episodes of the file near a result file that knows most of its ids; what is wrong
    with that file is added to `problems`.

    In its own folder and those within it any file counts; of those beside its folder only one of
    the same split that knows all ids, since other data sets give the same ids.
    """
    best: dict[str, Episode] = {}
    faults, most = Problems(), 0
    # the file that has most of the ids: a train split has many of val_seen's numbers
    for file in _files([path.parent, *_inner(path.parent)], path):
        read = _episodes_of(file)
        episodes_there = with_instruction_ids(read.episodes)
        if len(ids & episodes_there.keys()) > most:
            best, most = episodes_there, len(ids & episodes_there.keys())
            faults = read.problems
    split = split_of(path)
    if best or split is None:
        problems.extend(faults)
        return best
    # a temporary folder or a home holds the files of everything else, too
    above = path.resolve().parent.parent
    shared = {Path.home(), Path(tempfile.gettempdir()).resolve(), Path(above.anchor)}
    for file in _files([] if above in shared else [above, *_inner(above)], path):
        if split_of(file) == split:
            read = _episodes_of(file)
            episodes_there = with_instruction_ids(read.episodes)
            # numbers from 1 on stand in every split, so that a few common ones prove nothing
            if ids <= episodes_there.keys():
                problems.extend(read.problems)
                return episodes_there
    return {}


def with_instruction_ids(episodes: Mapping[str, Episode]) -> dict[str, Episode]:
    """Return episodes by id, and by instruction id, by which RxR's predictions name them."""
    episodes_there = dict(episodes)
    for episode in episodes.values():
        name = episode.extra.get("instruction_id")
        if name is not None:
            episodes_there.setdefault(id_text(name), episode)
    return episodes_there


def _episodes_of(file: Path) -> EpisodeSet:
    try:
        if VlnceEpisodes.handles(file):
            return VlnceEpisodes.read(file)
    except InputError:
        # a damaged neighbour may be no episode file at all
        pass
    return EpisodeSet("", VlnceEpisodes.name, {}, Problems(), file)


_MOST_FILES = 200


def _inner(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if is_folder(each))[:_MOST_FILES]
    except OSError:
        return []


def _files(folders: Iterable[Path], but: Path) -> Iterator[Path]:
    """Yield the files of folders that may hold episodes."""
    for folder in folders:
        note_folder(folder)
        try:
            files = sorted(each for each in folder.iterdir() if each.name.endswith(_ENDINGS))
        except OSError:
            continue
        yield from (file for file in files[:_MOST_FILES] if file != but)


ACTIONS = ("stop", "move_forward", "turn_left", "turn_right", "look_up", "look_down")
"""Names of Habitat's actions, by number."""

_TURNED_DEG = 0.01
"""Headings nearer than this are one: radians of a file are rounded."""


@dataclass(frozen=True, slots=True)
class FreePose:
    """Where an agent stands and looks, in NavViz's frame."""

    position: Position
    heading_deg: float | None = None


def action_between(before: FreePose, after: FreePose) -> str:
    """Name the action that led from one pose to the next: a move, else a turn, else a wait."""
    if not is_same_place(before.position, after.position):
        return "move_forward"
    if before.heading_deg is None or after.heading_deg is None:
        return "stay"
    # the short way round: from 350 to 5 degrees is a turn to the right
    turned_deg = (after.heading_deg - before.heading_deg + 180.0) % 360.0 - 180.0
    if abs(turned_deg) < _TURNED_DEG:
        return "stay"
    return "turn_right" if turned_deg > 0 else "turn_left"


@lru_cache(maxsize=256)
def _decision(action: str) -> Decision:
    # records are frozen, and a log of a million steps has few kinds of actions
    return Decision(action=action, stop=action == "stop")


def free_steps(
    poses: Sequence[FreePose], actions: Sequence[str], extras: Sequence[Mapping[str, Any]] = ()
) -> tuple[Step, ...]:
    """Make steps of poses and actions.

    `poses`: before the first action and after each: one more than `actions`. `extras`: more fields
    of the first steps: calls, observation, views.
    """
    # names of places, not of steps: who only turns stays on the same place
    nodes = [START_POSE]
    place = poses[0].position
    for k, pose in enumerate(poses[1:], start=1):
        if is_same_place(place, pose.position):
            nodes.append(nodes[-1])
        else:
            nodes.append(f"pose {k}")
            place = pose.position
    steps = []
    for k, action in enumerate(actions):
        here, there = poses[k], poses[k + 1]
        # forward against a wall leads nowhere, and is then no move
        moved = nodes[k] != nodes[k + 1]
        step = Step(
            index=k + 1,
            node=nodes[k],
            heading_deg=here.heading_deg,
            position=here.position,
            decision=_decision(action),
            path=(nodes[k], nodes[k + 1]) if moved else (),
            end_heading_deg=there.heading_deg,
            end_position=there.position,
            **(extras[k] if k < len(extras) else {}),
        )
        steps.append(step)
    return tuple(steps)


def free_trace(
    episode: Episode,
    poses: Sequence[FreePose],
    actions: Sequence[str],
    *,
    run: str,
    source: str,
    pose_source: str,
    extras: Sequence[Mapping[str, Any]] = (),
) -> Trace:
    """Make a trace of a walk; the episode begins where the walk does."""
    steps = free_steps(poses, actions, extras)
    first, last = poses[0], poses[-1]
    changes: dict[str, object] = {}
    # without an episode file the walk says where it began
    if episode.start not in episode.places:
        changes["places"] = {**episode.places, START_POSE: first.position}
        changes["start"] = START_POSE
    if episode.start_heading_deg is None:
        changes["start_heading_deg"] = first.heading_deg
    # an agent that ran out of steps did not stop, and may stand in the goal's circle
    stopped = bool(actions) and actions[-1] == "stop"
    return Trace(
        header=TraceHeader(
            run=run,
            episode=episode.model_copy(update=changes),
            navigator=run,
            source=source,
            pose_source=pose_source,
            frame="habitat",
        ),
        steps=steps,
        end=EndEvent(
            status=EndStatus.DONE if stopped else EndStatus.UNKNOWN,
            node=steps[-1].path[-1] if steps and steps[-1].path else _last_node(steps),
            position=last.position,
        ),
    )


def _last_node(steps: Sequence[Step]) -> str | None:
    return steps[-1].node if steps else START_POSE
