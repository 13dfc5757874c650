"""Guess what the fields of an unknown log are: by their names, their shapes and their ranges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from navviz.errors import Problems
from navviz.formats.mapping import values
from navviz.formats.mapping.documents import grouped
from navviz.formats.mapping.guess_files import guess_join, ids_of, picture_folder
from navviz.formats.mapping.guess_walks import guess_walk, is_scan, last_name, rank
from navviz.formats.mapping.model import BY_FILE, EpisodeFields, FigureField, Mapping, WalkFields
from navviz.formats.mapping.paths import (
    entries,
    first_value,
    joined,
    key_text,
    parse_path,
    series,
)
from navviz.formats.mapping.structure import Structure, is_keyed, structure
from navviz.support.guarded import Json, is_folder
from navviz.world.graph import Graph

_FIGURES = (
    "success", "sr", "spl", "oracle_success", "osr", "os", "ne", "nav_error", "distance_to_goal",
    "ndtw", "sdtw", "path_length", "tl", "trajectory_length", "steps_taken", "steps", "score",
    "error", "collisions",
)  # fmt: skip
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

    Parameters
    ----------
    layout
        A file or folder, or its structure.
    graphs
        Graphs that are open: their nodes tell node ids, their bounds the frame of positions.
    among
        One of `ways_to_episodes`, where it is certain what an episode is.
    """
    if isinstance(layout, Path):
        layout = structure(layout)
    best, best_score = dict[str, Any](), -10.0
    for way, group in [among] if among is not None else ways_to_episodes(layout):
        fields, score = _fields_of(layout, way, group, graphs)
        # of equal readings the first one stays: the way to it is the simplest
        if score > best_score:
            best, best_score = fields, score
    whole: dict[str, Any] = {"numbered_columns": layout.is_numbered}
    if is_folder(layout.path):
        whole["files"] = layout.pattern
    if best:
        records = _records(layout, best["episodes"], best["group_by"])
        walk, episode = best["walk"], best["episode"]
        if walk.pictures:
            folder = picture_folder(layout, records, episode.id, walk.pictures)
            best["walk"] = walk.model_copy(update={"picture_folder": folder})
        if is_folder(layout.path) and not episode.instruction:
            whole["join"] = guess_join(layout, ids_of(layout, episode.id, records), guess)
    name = layout.path.name.split(".")[0][:100] or "log"
    return Mapping.model_validate({"name": name, "format": layout.format} | whole | best)


def ways_to_episodes(layout: Structure) -> list[tuple[str, tuple[str, ...]]]:
    """Return what may be an episode: the way there, and fields that rows of one episode share."""
    return [("", ()), *_containers(layout)]


def paths_within(layout: Structure, mapping: Mapping) -> list[str]:
    """Return the paths within an episode of a mapping that its fields may have."""
    return [path for path in _leaves(first_records(layout, mapping)) if path]


def first_records(layout: Structure, mapping: Mapping) -> list[Json]:
    """Return the first entries that a mapping calls episodes."""
    records = _records(layout, mapping.episodes, tuple(mapping.group_by))
    return [each for each in records if each is not None]


def _containers(layout: Structure) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield ways to the episodes: lists and keyed objects; rows grouped by an id that repeats."""
    for path, facts in layout.fields.items():
        if path.endswith(("[*]", "{key}")) and set(facts.types) <= {"object", "list"}:
            # what stands above all episodes of a scene is its name
            inner = path.partition("{key}")[2]
            above = "[*]" in inner or "{key}" in inner
            yield (path.replace("{key}", _WORLD, 1) if above else path), ()
    rows = layout.documents[0] if layout.documents else None
    if layout.format not in _ROW_FORMATS:
        return
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
        return
    yield "", (BY_FILE,)
    first = rows[:_ROWS]
    for key in _ranked(list(rows[0]), "id"):
        names = [str(row.get(key)) for row in first if isinstance(row, dict)]
        # an id that each row has for itself is an episode's; one that repeats holds its steps
        # together
        if 1 <= len(set(names)) <= len(names) / 2:
            yield "", (key_text(key),)
            return


def _records(layout: Structure, way: str, group: tuple[str, ...]) -> list[Json]:
    """Return the first entries that a way leads to."""
    records: list[Json] = []
    if group:
        for document in layout.documents:
            records += grouped(document, group, "", Problems())
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


def _fields_of(
    layout: Structure, way: str, group: tuple[str, ...], graphs: Sequence[Graph]
) -> tuple[dict[str, Any], float]:
    """Return the fields of a mapping with these episodes, and how good they are."""
    records = [each for each in _records(layout, way, group) if isinstance(each, dict | list)]
    if not records:
        return {}, -1.0
    leaves = _leaves(records)
    episode: dict[str, Any] = {}
    score = 0.0
    for role in ("id", "world", "instruction"):
        path = _scalar(records, leaves, role)
        if path is not None:
            episode[role] = path
            score += 2.0
    world = first_value(records[0], episode["world"]) if "world" in episode else ""
    walk, walk_score = guess_walk(records, leaves, graphs, str(world))
    score += walk_score
    score += _name(episode, layout, way, group)
    figures = _figures(leaves)
    score += min(len(figures), 3) * 0.5 + (0.5 if len(records) > 1 else 0.0)
    by_position = "nodes" not in walk and bool(walk)
    if by_position:
        path = _start_heading(records, leaves)
        if path is not None:
            episode["start_heading"] = path
    for role in ("reference", "start", "goal"):
        path = _places(records, leaves, role, by_position)
        if path is not None:
            episode[role] = path
    if not walk and not figures and "instruction" not in episode:
        score -= 5.0
    score -= 0.2 * len(parse_path(way))
    fields = {
        "episodes": way,
        "group_by": group,
        "episode": EpisodeFields.model_validate(episode),
        "walk": WalkFields.model_validate(walk),
        "figures": figures,
    }
    return fields, score


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
        score -= 1.0  # where each row is a whole episode, that is the simpler reading
    elif group or ("id" not in episode and is_folder(layout.path)):
        # where each episode has a folder, the folders have the names
        alike = len({file.name for file in layout.files}) < len(layout.files)
        episode["id"] = "{folder}" if alike else BY_FILE
        score -= 1.5 * bool(group)
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


def _ranked(keys: Sequence[str], role: str) -> list[str]:
    fitting = [key for key in keys if rank(key.lower(), role) > 0]
    return sorted(fitting, key=lambda key: -rank(key.lower(), role))


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


def _start_heading(records: Sequence[Json], leaves: Sequence[str]) -> str | None:
    for path in leaves:
        fits = "[*]" not in path and rank(last_name(path), "start_heading") >= 1.5
        if fits and values.number(first_value(records[0], path)) is not None:
            return path
    return None


def _looks_like(samples: Sequence[Json], role: str) -> float:
    present = [each for each in samples if each is not None]
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
    words = sum(len(str(text).split()) for text in samples) / len(samples)
    return 1.5 if words >= 4 else -1.5


def _places(
    records: Sequence[Json], leaves: Sequence[str], role: str, by_position: bool
) -> str | None:
    ranked = [path for path in leaves if rank(last_name(path), role) >= 1.0]
    for path in sorted(ranked, key=lambda each: -rank(last_name(each), role)):
        if "[*]" in path and role != "reference":
            continue
        value = first_value(records[0], path)
        raw = values.numbers(
            value[0] if role == "reference" and isinstance(value, list) and value else value
        )
        if by_position and raw is not None and len(raw) >= 2:
            return path
        if not by_position and values.node_ids(value):
            return path
    return None


def _figures(leaves: Sequence[str]) -> dict[str, FigureField]:
    figures: dict[str, FigureField] = {}
    for path in leaves:
        name = last_name(path)
        if "[*]" not in path and name in _FIGURES:
            key = [part.key for part in parse_path(path) if part.kind == "key"][-1]
            figures.setdefault(key, FigureField(path=path))
    return figures
