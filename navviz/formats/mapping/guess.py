"""Guess what the fields of an unknown log are: by their names, their shapes and their ranges."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from navviz.errors import InputError, Problems
from navviz.formats.mapping import values
from navviz.formats.mapping.csv_form import is_number
from navviz.formats.mapping.entries import name_of
from navviz.formats.mapping.geometry import kind_of_text
from navviz.formats.mapping.guess_order import IN_DEGREES, declared_frame
from navviz.formats.mapping.guess_positions import is_scan, last_name, rank, words_of
from navviz.formats.mapping.guess_walks import first_picture, guess_walk
from navviz.formats.mapping.model import (
    BY_FILE,
    EpisodeFields,
    FigureField,
    JoinedFile,
    Mapping,
    WalkFields,
    entries,
    first_value,
    joined,
    key_text,
    parse_path,
    series,
)
from navviz.formats.mapping.structure import (
    HEAD_ROWS,
    Structure,
    files_of,
    format_by_content,
    grouped,
    is_keyed,
    structure,
)
from navviz.formats.texts import as_list
from navviz.support.guarded import Json, is_folder, is_regular
from navviz.world.graph import Graph

_MOST_FILES = 5

_EPISODE = {True: "{id}"}

_MOST_BYTES = 64_000_000
"""Of a file that is looked into beside the log; episode files have less."""


def ids_of(layout: Structure, field: str, records: list[Json]) -> set[str]:
    """Return the ids of the episodes that a guess found."""
    if field == BY_FILE:
        return {file.name.split(".")[0] for file in layout.files}
    if field == "{folder}":
        return {file.parent.name for file in layout.files}
    if field.startswith("{"):
        return set()
    return {name_of(first_value(record, field)) for record in records} - {""}


def guess_join(
    layout: Structure, ids: set[str], guess: Callable[[Path], Mapping]
) -> JoinedFile | None:
    """Return the file of a folder that has the instructions of these episodes, if any."""
    others = [file for file in files_of(layout.path, "*") if file not in layout.files]
    for file in others[:_MOST_FILES]:
        form = format_by_content(file)
        if form is None or file.stat().st_size > _MOST_BYTES:
            continue
        try:
            layout_there, there = structure(file), guess(file)
        except (InputError, OSError):
            continue
        if not (there.episode.id and there.episode.instruction) or there.group_by:
            continue
        way = there.episodes or ("" if form == "json" else "[*]")
        names = set[str]()
        for key, value in entries(layout_there.documents[0], parse_path(way)):
            name = key if there.episode.id == "{key}" else first_value(value, there.episode.id)
            names.add(name_of(name))
        if names & ids:
            fields = {"files": file.name, "format": form, "episodes": way, "episode": there.episode}
            return JoinedFile.model_validate(fields)
    return None


def picture_folder(layout: Structure, records: list[Json], field: str, pictures: str) -> str:
    """Return the folder beside the log that holds the first picture it names.

    Empty where the name itself leads there, or where it is nowhere near.
    """
    named = first_picture(records, pictures).replace("\\", "/")
    parts = [part for part in named.split("/") if part not in {"", ".", ".."}]
    base = layout.path if is_folder(layout.path) else layout.path.parent
    if not parts or any(letter in parts[-1] for letter in "*?["):
        return ""
    # logs name the paths of the machine that ran: the end of one is enough
    if any(is_regular(base.joinpath(*parts[k:])) for k in range(len(parts))):
        return ""
    # a relative name keeps its folders, another machine's are left out
    inner = parts[:-1] if not (named.startswith("/") or named[1:2] == ":") else []
    ids = ids_of(layout, field, records)
    for above in ("*", "*/*", "*/*/*"):
        for file in files_of(base, f"{above}/{parts[-1]}"):
            folder = list(file.parent.relative_to(base).parts)
            if folder[len(folder) - len(inner) :] != inner:
                continue
            folder = folder[: len(folder) - len(inner)]
            return "/".join(_EPISODE.get(part in ids, part) for part in folder)
    return ""


_FIGURES = (
    "success", "sr", "spl", "oracle_success", "osr", "os", "ne", "nav_error", "distance_to_goal",
    "ndtw", "sdtw", "path_length", "tl", "trajectory_length", "steps_taken", "steps", "score",
    "error", "collisions",
)  # fmt: skip

_SPELLED = {
    **dict.fromkeys(("navigation_error", "goal_distance", "final_goal_distance", "final_distance",
                     "final_distance_to_goal", "dist_to_goal", "distance_to_target",
                     "final_dist", "goal_dist"), "distance_to_goal"),
    **dict.fromkeys(("n_dtw", "normalized_dtw"), "ndtw"),
    "s_dtw": "sdtw",
    **dict.fromkeys(("oracle_sr", "oracle_success_rate", "success_oracle"), "oracle_success"),
    **dict.fromkeys(("succ", "is_success", "successful"), "success"),
    **dict.fromkeys(("traj_length", "distance_travelled", "distance_traveled"), "path_length"),
    **dict.fromkeys(("num_steps", "n_steps", "step_count"), "steps_taken"),
}  # fmt: skip
"""Other spellings of figures, by the name that is recorded."""

_METRES = re.compile(r"_(m|meters|metres)$")

_WORLD = "{world}"
"""The key above episodes that are listed by scene."""

_ROW_FORMATS = {"csv", "parquet", "json lines"}

_ROWS = 300
"""Entries that are looked at for each guess."""


def guess(
    layout: Structure | Path,
    graphs: Sequence[Graph] = (),
    among: tuple[str, tuple[str, ...]] | None = None,
) -> Mapping:
    """Return the mapping that a log most likely has.

    `layout`: a file or folder, or its structure. `graphs`: graphs that are open: their nodes tell
    node ids, their bounds the frame of positions. `among`: one of `ways_to_episodes`, where it is
    certain what an episode is.
    """
    if isinstance(layout, Path):
        layout = structure(layout)
    ways = [among] if among is not None else ways_to_episodes(layout)
    readings = [_reading(layout, way, group, graphs) for way, group in ways]
    best, best_score = dict[str, Any](), -10.0
    nearest_m = min((each.move_m for each in readings if each.move_m), default=0.0)
    for reading in readings:
        score = reading.score
        # rows that belong together lie next to each other, however their column is called
        if reading.move_m:
            score -= _APART * (1.0 - nearest_m / reading.move_m)
        # of equal readings the first one stays: the way to it is the simplest
        if score > best_score:
            best, best_score = reading.fields, score
    whole: dict[str, Any] = {"numbered_columns": layout.is_numbered}
    if is_folder(layout.path):
        whole["files"] = layout.pattern
    if best:
        records = entries_of(layout, best["episodes"], best["group_by"])
        walk, episode = best["walk"], best["episode"]
        if walk.pictures:
            folder = picture_folder(layout, records, episode.id, walk.pictures)
            best["walk"] = walk.model_copy(update={"picture_folder": folder})
        if is_folder(layout.path) and not episode.instruction:
            whole["join"] = guess_join(layout, ids_of(layout, episode.id, records), guess)
        frame = declared_frame(layout)
        is_frame_open = walk.frame in {"lonlat", "enu"} or layout.format in IN_DEGREES
        if frame and walk.positions and is_frame_open:
            best["walk"] = best["walk"].model_copy(update={"frame": frame})
    name = layout.path.name.split(".")[0][:100] or "log"
    return Mapping.model_validate({"name": name, "format": layout.format} | whole | best)


def ways_to_episodes(layout: Structure) -> list[tuple[str, tuple[str, ...]]]:
    """Return what may be an episode: the way there, and fields that rows of one episode share."""
    document = layout.documents[0] if layout.documents else None
    # rows of a table are one walk only where they are grouped so
    return [*([] if _are_rows(document) else [("", ())]), *_containers(layout)]


def paths_within(layout: Structure, mapping: Mapping) -> list[str]:
    """Return the paths within an episode of a mapping that its fields may have."""
    return [path for path in _leaves(first_records(layout, mapping)) if path]


def first_records(layout: Structure, mapping: Mapping) -> list[Json]:
    """Return the first entries that a mapping calls episodes."""
    records = entries_of(layout, mapping.episodes, tuple(mapping.group_by))
    return [each for each in records if each is not None]


def _containers(layout: Structure) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield ways to the episodes: lists and keyed objects; rows grouped by a column."""
    for path, facts in layout.fields.items():
        if path.endswith(("[*]", "{key}")) and set(facts.types) <= {"object", "list"}:
            # what stands above all episodes of a scene is its name
            inner = path.partition("{key}")[2]
            above = "[*]" in inner or "{key}" in inner
            yield (path.replace("{key}", _WORLD, 1) if above else path), ()
    document = layout.documents[0] if layout.documents else None
    if layout.format in _ROW_FORMATS or _are_rows(document):
        yield from _groups("", document)
    elif isinstance(document, dict) and document.get("type") == "FeatureCollection":
        features = as_list(document.get("features"))
        # points that belong together by one of their properties
        if features and first_value(features[0], "geometry.type") == "Point":
            yield from _groups("features[*]", features)


def _are_rows(document: Json) -> bool:
    """Tell whether a list of JSON is a table: objects that hold single values."""
    first = document[:HEAD_ROWS] if isinstance(document, list) else []
    if len(first) < _FEWEST_ROWS or not all(isinstance(row, dict) for row in first):
        return False
    return not any(isinstance(cell, list | dict) for row in first[:20] for cell in row.values())


_FEWEST_ROWS = 4


def _groups(way: str, rows: Json) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield the columns by which rows may be grouped, those that are called an id first."""
    # which of them is right is tried: its rows make continuous walks
    first = [row for row in as_list(rows)[:HEAD_ROWS] if isinstance(row, dict)]
    if not first:
        return
    yield way, (BY_FILE,)
    inner = "" if not way else "properties"
    columns = list(first_value(first[0], inner) or ()) if inner else list(first[0])
    ranked: list[tuple[float, str]] = []
    for column in columns[:_MOST_COLUMNS]:
        path = joined(inner, key_text(column))
        names = [name for row in first if (name := name_of(first_value(row, path)))]
        rank_of_id = rank(last_name(path), "id")
        is_decimal = any("." in name and is_number(name) for name in names[:50])
        # a number of each row, or of its place in the walk, holds nothing together
        if not names or is_decimal or len(set(names)) > len(names) / 2:
            continue
        # what is the same in all rows is a group where it is called an episode
        if len(set(names)) > 1 or rank_of_id > 1.0:
            ranked.append((rank_of_id, path))
    ranked.sort(key=lambda each: -each[0])
    for _, path in ranked[:_MOST_GROUPS]:
        yield way, (path,)


_MOST_COLUMNS, _MOST_GROUPS = 60, 8

_APART = 3.0
"""What a reading loses whose places lie far apart beside those of another one."""


def entries_of(layout: Structure, way: str, group: tuple[str, ...]) -> list[Json]:
    """Return the first entries that a way leads to."""
    records: list[Json] = []
    if group:
        for document in layout.documents:
            rows = [row for _, row in entries(document, parse_path(way))] if way else document
            records += grouped(rows, group, "", Problems())
        return records[:_ROWS]
    # as the engine reads it: of lines and tables each row is an entry
    if not way and layout.format in _ROW_FORMATS:
        way = "[*]"
    for document in layout.documents:
        for _, value in entries(document, parse_path(way)):
            records.append(value)
            if len(records) >= _ROWS:
                return records
    return records


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a log is, if an episode is this."""

    fields: dict[str, Any]
    score: float
    move_m: float = 0.0
    """How far the places of its walks lie apart in the mean, of rows that are grouped."""


def _reading(
    layout: Structure, way: str, group: tuple[str, ...], graphs: Sequence[Graph]
) -> _Reading:
    """Return the fields of a mapping with these episodes, and how good they are."""
    records = [each for each in entries_of(layout, way, group) if isinstance(each, dict | list)]
    if not records:
        return _Reading({}, -20.0)
    leaves = _leaves(records)
    episode: dict[str, Any] = {}
    score = 0.0
    for role in ("id", "world"):
        path = _scalar(records, leaves, role)
        # rows that are grouped are named by what they share
        if path is not None and not (group and role == "id"):
            episode[role] = path
            score += 2.0
    world = first_value(records[0], episode["world"]) if "world" in episode else ""
    walk, walk_score, is_line = guess_walk(records, leaves, graphs, str(world))
    score += walk_score
    instruction = _instruction(records, leaves, is_line=is_line)
    if instruction:
        episode["instruction"] = instruction
        score += 2.0
    score += _name(episode, layout, way, group)
    figures = _figures(records, leaves)
    score += min(len(figures), 3) * 0.5 + (0.5 if len(records) > 1 else 0.0)
    by_position = "nodes" not in walk and bool(walk)
    for role in ("reference", "start", "goal"):
        path = _places(records, leaves, role, by_position)
        if path is not None:
            episode[role] = path
    if by_position:
        path = _start_heading(records, leaves, episode.get("start", ""))
        if path is not None:
            episode["start_heading"] = path
    if not walk and not figures and "instruction" not in episode:
        score -= 5.0
    score -= 0.2 * len(parse_path(way))
    read = WalkFields.model_validate(walk)
    fields = {
        "episodes": way,
        "group_by": group,
        "episode": EpisodeFields.model_validate(episode),
        "walk": read,
        "figures": figures,
    }
    return _Reading(fields, score, mean_move(records, read) if group else 0.0)


def mean_move(records: Sequence[Json], walk: WalkFields) -> float:
    """Return how far places that follow each other lie apart in the mean; 0 without any."""
    length, count = 0.0, 0
    for record in records if walk.positions else ():
        raw = values.raw_positions(record, walk.positions, walk.polyline_digits)
        # metres of height beside degrees would say nothing
        width = 2 if walk.frame in {"latlon", "lonlat"} else 3
        places = [each[:width] for each in raw if each is not None]
        for before, after in pairwise(places):
            if len(before) == len(after):
                length, count = length + math.dist(before, after), count + 1
    return length / count if count else 0.0


def _instruction(records: Sequence[Json], leaves: Sequence[str], *, is_line: bool) -> str:
    """Return the path of the instruction: one text, the texts of a route's steps, or the first
    of several that say the same.
    """
    path = _scalar(records, leaves, "instruction")
    best, best_score = path or "", 0.0
    if path is not None:
        samples = [first_value(record, path) for record in records]
        best_score = rank(last_name(path), "instruction") + _looks_like(samples, "instruction")
    for listed in leaves:
        # a list of entries is not one entry, and rows are its steps
        if "[*]" not in listed or listed.startswith(("rows[", "[")):
            continue
        name = rank(last_name(listed), "instruction")
        # of several people the first one's words; of a route all of its steps
        taken = listed if is_line else listed.replace("[*]", "[0]")
        if not name or not _AMOUNTS.isdisjoint(words_of(listed)):
            continue
        words = 0.0
        for record in records[:20]:
            texts = [text for _, text in entries(record, parse_path(taken))]
            counts = [len(text.split()) for text in texts if isinstance(text, str)]
            words = max(words, statistics.mean(counts) if counts else 0.0)
        if words < 2:
            continue
        score = name + min(words, 5.0) / 5.0 - 0.1 * listed.count(".")
        if is_line and not _STEPS.isdisjoint(words_of(listed)):
            score += 1.0
        elif is_line or listed.count("[*]") > 1 or name < 1.0:
            continue
        if score > best_score:
            best, best_score = taken, score
    return best


_AMOUNTS = {"distance", "duration", "time", "summary", "units"}

_STEPS = {"steps", "maneuvers", "manoeuvres", "instructions", "legs", "segments"}


def _name(episode: dict[str, Any], layout: Structure, way: str, group: tuple[str, ...]) -> float:
    """Fill in what keys and files name: ids and worlds; return how much better that is."""
    score = 0.0
    if "id" not in episode and way.endswith("}"):
        episode["id"] = "{key}"
        score += 1.0
    if _WORLD in way and "world" not in episode:
        episode["world"] = _WORLD
        score += 1.0
    if group and group != (BY_FILE,):
        episode["id"] = f"rows[0].{group[0]}"
        # where each row is a whole episode, that is the simpler reading
        named = rank(last_name(group[0]), "id")
        score += named - (1.0 if named else 1.5)
    elif group or ("id" not in episode and is_folder(layout.path)):
        # where each episode has a folder, the folders have the names
        alike = len({file.name for file in layout.files}) < len(layout.files)
        episode["id"] = "{folder}" if alike else BY_FILE
        score -= 0.5 * bool(group)
    return score


def _leaves(records: Sequence[Json]) -> list[str]:
    """Return paths within an entry, down to lists of numbers and single values."""
    paths: dict[str, None] = {}
    for record in records[:20]:
        _add_leaves(record, "", paths, 0)
    return list(paths)


def _add_leaves(value: Json, path: str, paths: dict[str, None], depth: int) -> None:
    if depth > 6 or len(paths) > 300:
        return
    paths.setdefault(path)
    if isinstance(value, dict) and not is_keyed(value):
        for key in list(value)[:60]:
            _add_leaves(value[key], joined(path, key_text(str(key))), paths, depth + 1)
    elif isinstance(value, list):
        for item in value[:3]:
            _add_leaves(item, f"{path}[*]", paths, depth + 1)


def _scalar(records: Sequence[Json], leaves: Sequence[str], role: str) -> str | None:
    """Return the path whose single value best fits a role of the episode."""
    best, best_score = None, 0.0
    for path in leaves:
        rows = path.startswith("rows[*].")
        if "[*]" in path.removeprefix("rows[*]") or not path:
            continue
        # the rows of an episode repeat what holds for all of it, so the first one tells
        taken = path.replace("rows[*]", "rows[0]", 1) if rows else path
        score = rank(last_name(path), role) - 0.1 * path.count(".")
        samples = [first_value(record, taken) for record in records]
        score += _looks_like(samples, role)
        # what differs from row to row is of a step, not of the episode
        if rows and any(_differs(record, path) for record in records[:20]):
            continue
        if score > max(best_score, 0.9):
            best, best_score = taken, score
    return best


def _differs(record: Json, path: str) -> bool:
    return len({str(each) for each in series(record, path)}) > 1


def _start_heading(records: Sequence[Json], leaves: Sequence[str], start: str) -> str | None:
    for path in leaves:
        fits = "[*]" not in path and rank(last_name(path), "start_heading") >= 1.5
        # beside the coordinates of the start stands where the agent looks
        is_of_start = bool(start) and path.startswith(f"{start}.")
        fits = fits or (is_of_start and rank(last_name(path), "headings") > 1.0)
        if fits and values.number(first_value(records[0], path)) is not None:
            return path
    return None


def _looks_like(samples: Sequence[Json], role: str) -> float:
    present = [each for each in samples if each is not None]
    if role == "id" and present and isinstance(present[0], list):
        # a list of ids names one thing
        present = [name_of(each) or {} for each in present]
    if not present or isinstance(present[0], list | dict | bool):
        return -9.0
    texts = [str(each) for each in present]
    if role == "instruction":
        return _reads_like_instruction(present)
    if sum(len(text) for text in texts) / len(texts) > 80:
        return -9.0
    if role == "id":
        # what repeats among episodes names something else, such as their world
        return 0.4 if len(set(texts)) == len(texts) else -1.0
    if not isinstance(present[0], str):
        return -1.0
    return 1.0 if all(map(is_scan, texts)) else 0.0


def _reads_like_instruction(samples: Sequence[Json]) -> float:
    if not isinstance(samples[0], str):
        return -9.0
    # a line in a cell has blanks, too
    if kind_of_text(samples[0]) or len(values.listed(samples[0])) > 1:
        return -9.0
    words = sum(len(str(text).split()) for text in samples) / len(samples)
    if words >= 4:
        return 1.5
    # of two or three words its name has to say that it is one
    return -1.0 if words >= 2 else -1.5


def _places(
    records: Sequence[Json], leaves: Sequence[str], role: str, by_position: bool
) -> str | None:
    ranked = [path for path in leaves if rank(last_name(path), role) >= 1.0]
    for path in sorted(ranked, key=lambda each: -rank(last_name(each), role)):
        if "[*]" in path and role != "reference":
            continue
        value = next((each for record in records if (each := first_value(record, path))), None)
        if role == "reference" and isinstance(value, list) and value:
            value = value[0]
        raw = values.numbers(value)
        if by_position and raw is not None and len(raw) >= 2:
            return path
        if not by_position and raw is None and values.node_ids(value):
            return path
    return None


def _figures(records: Sequence[Json], leaves: Sequence[str]) -> dict[str, FigureField]:
    figures: dict[str, FigureField] = {}
    for path in leaves:
        if "[*]" in path:
            continue
        bare = _METRES.sub("", last_name(path))
        name = _SPELLED.get(bare, bare)
        samples = [first_value(record, path) for record in records[:20]]
        numbers = [values.figure(each, "") for each in samples]
        # a list of steps is no number of steps
        if name not in _FIGURES or all(number is None for number in numbers):
            continue
        key = [part.key for part in parse_path(path) if part.kind == "key"][-1]
        figures.setdefault(key if key.lower() == name else name, FigureField(path=path))
    return figures
