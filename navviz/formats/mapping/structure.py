"""What a file of unknown form holds: each path with its types, how often it occurs, and samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError, Problems
from navviz.formats.mapping.documents import files_of, format_by_content, read_document
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


@dataclass(frozen=True, slots=True)
class Structure:
    """What a file or folder holds."""

    path: Path
    format: Format
    files: tuple[Path, ...]
    fields: dict[str, FieldFacts]
    documents: tuple[Json, ...]
    """What was read of it: the first files of a folder."""


def structure(path: Path) -> Structure:
    """Look through a file, or the first files of a folder that hold data of one form.

    Raises
    ------
    InputError
        Where it is none of JSON, JSON lines, CSV and Parquet.
    """
    files = _alike(path)
    form = format_by_content(files[0]) if files else None
    if form is None:
        what = "is no JSON, JSON lines, CSV or Parquet, nor a folder of it"
        raise InputError(what, "a mapping can say nothing about it", file=path.name)
    problems = Problems()
    documents = tuple(read_document(file, form, problems) for file in files[:_FILES])
    fields: dict[str, FieldFacts] = {}
    for document in documents:
        _look(document, "", fields, 0)
    return Structure(path, form, tuple(files), fields, documents)


def _alike(path: Path) -> list[Path]:
    """Return the files of a folder whose ending most of them have; a file alone."""
    if not is_folder(path):
        return [path]
    files = [file for file in files_of(path, "*") if format_by_content(file) is not None]
    endings = Counter(file.suffix for file in files)
    most = endings.most_common(1)
    return [file for file in files if file.suffix == most[0][0]]


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
    return isinstance(first, list) and like_ids


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
            kinds += f" of up to {facts.most_items:,}"
        rows.append((facts.path or "(all)", f"{facts.count:,}", kinds, " | ".join(facts.samples)))
    return rows
