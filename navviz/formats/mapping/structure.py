"""What a file of unknown form holds: each path with its types, how often it occurs, and samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError, Problems
from navviz.formats.mapping.documents import (
    DEPTHS,
    HEAD_ROWS,
    files_of,
    format_by_content,
    read_head,
)
from navviz.formats.mapping.model import Format
from navviz.formats.mapping.paths import joined, key_text
from navviz.support.guarded import Json, is_folder

MOST_FIELDS = 400
_MOST_ITEMS = 200
"""Items of each list and object that are looked at; all of them are counted."""
_MOST_DEPTH = 12
_SAMPLES = 3
_SAMPLE_CHARACTERS = 60
_FILES = 5


@dataclass(slots=True)
class FieldFacts:
    """What stands at one path."""

    path: str
    count: int = 0
    types: Counter[str] = field(default_factory=Counter)
    samples: list[str] = field(default_factory=list)
    most_items: int = 0
    """Of the longest list or object there."""
    is_more: bool = False
    """Whether there are more."""


@dataclass(frozen=True, slots=True)
class Structure:
    """What a file or folder holds."""

    path: Path
    format: Format
    files: tuple[Path, ...]
    fields: dict[str, FieldFacts]
    documents: tuple[Json, ...]
    """What was read of it: the first files of a folder, the first rows of a table."""
    pattern: str = "*"
    """Of the files of a folder."""
    is_numbered: bool = False
    """Whether columns ``x_0``, ``x_1`` ... are read as one list."""


def structure(path: Path) -> Structure:
    """Look through a file, or the first files of a folder that hold data of one form.

    Raises
    ------
    InputError
        Where it is none of JSON, JSON lines, CSV and Parquet.
    """
    pattern, files = _alike(path)
    form = format_by_content(files[0]) if files else None
    if form is None:
        what = "is no JSON, JSON lines, CSV or Parquet, nor a folder of it"
        raise InputError(what, "a mapping can say nothing about it", file=path.name)
    problems = Problems()
    numbered = form == "csv"  # Parquet has lists of its own
    read = [read_head(file, form, problems, numbered=numbered) for file in files[:_FILES]]
    fields: dict[str, FieldFacts] = {}
    for document, count in read:
        _look(document, "", fields, 0)
        if isinstance(document, list):
            facts = fields[""]
            # of JSON lines nobody has counted the rest
            facts.is_more = facts.is_more or count is None
            facts.most_items = max(facts.most_items, count or HEAD_ROWS)
    documents = tuple(document for document, _ in read)
    is_numbered = numbered and any(_has_lists(document) for document in documents)
    return Structure(path, form, tuple(files), fields, documents, pattern, is_numbered)


def _has_lists(rows: Json) -> bool:
    """Tell whether rows of a table hold lists: in CSV only columns that count make them."""
    return bool(rows) and any(isinstance(cell, list) for cell in rows[0].values())


def _alike(path: Path) -> tuple[str, list[Path]]:
    """Return the most files of a folder that lie equally deep and end alike; a file alone."""
    if not is_folder(path):
        return "*", [path]
    best: tuple[str, list[Path]] = ("*", [])
    for depth in DEPTHS:
        by_ending: dict[str, list[Path]] = {}
        for file in files_of(path, depth):
            if format_by_content(file) is not None:
                by_ending.setdefault(file.suffix, []).append(file)
        for ending, files in by_ending.items():
            # a folder with one list of episodes and a file of steps for each is the latter
            if len(files) > len(best[1]):
                best = depth + ending, files
    return best


def _look(value: Json, path: str, fields: dict[str, FieldFacts], depth: int) -> None:
    if path not in fields:
        if len(fields) >= MOST_FIELDS:
            return
        fields[path] = FieldFacts(path)
    facts = fields[path]
    facts.count += 1
    facts.types[type_name(value)] += 1
    if isinstance(value, list | dict):
        facts.most_items = max(facts.most_items, len(value))
        if depth < _MOST_DEPTH:
            for part, item in _children(value):
                _look(item, joined(path, part), fields, depth + 1)
    elif len(facts.samples) < _SAMPLES:
        sample = str(value)[:_SAMPLE_CHARACTERS]
        if sample not in facts.samples:
            facts.samples.append(sample)


def _children(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        for item in value[:_MOST_ITEMS]:
            yield "[*]", item
        return
    by_key = is_keyed(value)
    for key in list(value)[:_MOST_ITEMS]:
        yield "{key}" if by_key else key_text(str(key)), value[key]


def is_keyed(value: dict[str, Json]) -> bool:
    """Tell whether the keys of an object are ids of things of one kind, not names of fields."""
    items = list(value.values())[:20]
    if not items or not all(isinstance(item, type(items[0])) for item in items):
        return False
    first = items[0]
    like_ids = all(map(_has_digit, list(value)[:20]))
    if isinstance(first, dict):
        shared = set(first).intersection(*items[1:])
        widest = max(len(item) for item in items)
        # a few named objects may share their fields too, as a start and a goal do
        return len(shared) * 2 > widest and (like_ids or len(value) > 3)
    if not isinstance(first, list):
        return False
    return like_ids or _lists_of_one_kind(items)


_FEW_LISTS = 4


def _lists_of_one_kind(lists: Sequence[list[Json]]) -> bool:
    """Tell whether lists hold objects of the same fields: episodes of houses, by house."""
    filled = [each for each in lists if each]
    firsts = [each[0] for each in filled if isinstance(each[0], dict)]
    if len(firsts) < max(2, len(filled)):
        return False
    # two named lists may share some fields: what is planned, and what was done
    if len(lists) < _FEW_LISTS:
        return all(set(each) == set(firsts[0]) for each in firsts)
    return len(set(firsts[0]).intersection(*firsts[1:])) * 2 > max(map(len, firsts))


def _has_digit(key: str) -> bool:
    return re.search(r"\d", key) is not None


def type_name(value: Json) -> str:
    """Name the type of a value in words of JSON."""
    if value is None:
        return "null"
    # before numbers: Python counts a truth value as a whole number
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, list) else "object"


def lines_of(layout: Structure) -> list[tuple[str, str, str, str]]:
    """Return path, count, types and samples of each field, as texts for a table."""
    rows = []
    for facts in layout.fields.values():
        kinds = ", ".join(facts.types)
        if facts.most_items:
            more = "more than" if facts.is_more else "up to"
            kinds += f" of {more} {facts.most_items:,}"
        rows.append((facts.path or "(all)", f"{facts.count:,}", kinds, " | ".join(facts.samples)))
    return rows
