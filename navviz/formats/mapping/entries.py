"""The entries of a log that its mapping calls episodes, one at a time where its form allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import json_items, json_lines, peek
from navviz.formats.mapping import values
from navviz.formats.mapping.model import (
    BY_FILE,
    Keys,
    Mapping,
    PathParts,
    entries,
    first_value,
    keyed_entries,
    parse_path,
)
from navviz.formats.mapping.parts import parts_of
from navviz.formats.mapping.printed import printed_document, say_cut_step
from navviz.formats.mapping.structure import files_of, grouped, read_document
from navviz.formats.mapping.tables import RowGroups, doubled, grouped_table, read_table, unordered
from navviz.formats.texts import id_text, whole_lines
from navviz.records.base import plural
from navviz.support.guarded import Json, is_folder, note_entries, opened_text

MOST_EPISODES = 100_000
"""Of one log. An episode of figures alone takes 7 kB as records, so that these take 0.8 GB."""
_BATCH = 10_000
"""Rows of a table that are objects at a time, 15 MB."""
_FIRST_ROW = "rows[0]."


@dataclass(frozen=True, slots=True)
class MappedEntry:
    """One entry of a log that may be an episode."""

    file: Path
    key: str
    """Its key or index among the others."""
    whole: Json = None
    """What it holds; ``None`` where it is made of a table's rows when it is asked for."""
    groups: RowGroups | None = None
    at: int = 0
    """Which of the groups it is."""
    keys: Keys = ()
    """Keys on the way to it, by the names in the path's braces."""

    @property
    def value(self) -> Json:
        """What it holds."""
        return self.whole if self.groups is None else self.groups[self.at]

    @property
    def size(self) -> int:
        """Rows of a table that it is made of; 0 for other entries, which are in memory anyway."""
        return 0 if self.groups is None else int(self.groups.counts[self.at])

    @property
    def where(self) -> str:
        """Name its place in a sentence."""
        return f"{self.file.name}, entry {self.key}" if self.key else self.file.name

    @property
    def file_name(self) -> str:
        """Name of its file without its ending, packed or not."""
        return Path(self.file.name.removesuffix(".gz").removesuffix(".bz2")).stem

    def taken(self, path: str) -> Json:
        """Return a single value; its keys and its file's name have names of their own."""
        if path == "{key}":
            return self.key
        if path == "{file}":
            return self.file.name.split(".")[0]
        if path == "{folder}":
            return self.file.parent.name
        if path.startswith("{") and path[1:-1] in dict(self.keys):
            return dict(self.keys)[path[1:-1]]
        if self.groups is not None and path.startswith(_FIRST_ROW):
            return first_value(self.groups.first_row(self.at), path)
        return first_value(self.value, path) if path else None


@dataclass(slots=True)
class ReadEntries:
    """The entries of a log, and the lines of means among them."""

    episodes: list[MappedEntry] = field(default_factory=list)
    means: list[MappedEntry] = field(default_factory=list)
    is_cut: bool = False
    """Whether there are more than were wanted."""


def read_entries(
    mapping: Mapping, path: Path, problems: Problems, most: int | None = None
) -> ReadEntries:
    """Return the entries that a mapping calls episodes; what is left out is reported.

    With `most`, the first ones alone, as a preview shows them.
    """
    read = ReadEntries()
    for entry in _all_entries(mapping, path, problems):
        if len(read.episodes) == most:
            read.is_cut = True
            break
        if any(values.exists(entry.value, each) for each in mapping.means.lines_with):
            read.means.append(entry)
            continue
        lacking = [each for each in mapping.skip_without if not values.exists(entry.value, each)]
        if lacking:
            what, do = "is no episode", "it is left out, as lines of means are"
            problems.skip(Problem(what, do, entry.where, field=lacking[0]))
            continue
        if len(read.episodes) == MOST_EPISODES:
            what = f"holds more than {MOST_EPISODES:,} entries"
            do = "the first ones are shown; cut the file up to see the others"
            problems.skip(Problem(what, do, path.name))
            break
        read.episodes.append(entry)
    return read


def _all_entries(mapping: Mapping, path: Path, problems: Problems) -> Iterator[MappedEntry]:
    if is_folder(path):
        files = files_of(path, mapping.files)
    else:
        files, missing = parts_of(path, mapping.parts)
        if missing:
            what = f"{missing} of its parts are not there"
            problems.add(Problem(what, "put all ranks or chunks into one folder", path.name))
    for file in files:
        try:
            yield from _entries_of_file(mapping, file, path, problems)
        except InputError as error:
            if len(files) == 1:
                raise
            problems.skip(error.problem)


def _entries_of_file(
    mapping: Mapping, file: Path, path: Path, problems: Problems
) -> Iterator[MappedEntry]:
    way = parse_path(mapping.episodes)
    if mapping.group_by and not way and mapping.format in {"csv", "parquet"}:
        yield from _groups_of_table(mapping, file, problems)
        return
    for key, keys, value in _values_of_file(mapping, file, path, way, problems):
        yield MappedEntry(file, key, value, keys=keys)


def _groups_of_table(mapping: Mapping, file: Path, problems: Problems) -> Iterator[MappedEntry]:
    """Yield the groups of a table's rows; none of them is made before somebody looks at it."""
    table = read_table(file, mapping.format, numbered=mapping.numbered_columns)
    note_entries(file, len(table))
    names = [parse_path(path) for path in mapping.group_by if path != BY_FILE]
    columns = [way[0].key for way in names]
    lacking = [name for name in columns if name not in table.table.column_names]
    # a path into a cell, or a column that is not there: the rows have no such name
    if lacking or any(len(way) > 1 for way in names):
        listed = grouped(table.rows(), mapping.group_by, file.name, problems)
        for key, value in entries(listed, parse_path("[*]")):
            yield MappedEntry(file, key, value)
        return
    groups = grouped_table(table, columns)
    if groups.nameless:
        what = f"{groups.nameless} rows have no {' and '.join(mapping.group_by)}"
        problems.skip(Problem(what, "they are left out", file.name))
    column, count = unordered(groups)
    if count:
        what = f"the rows of {count:,} of {len(groups):,} episodes do not follow their {column}"
        do = "sort the table by it; the walks are read as the rows stand"
        problems.add(Problem(what, do, file.name, field=column))
    column, count = doubled(groups)
    if count:
        what = f"repeats {plural(count, 'row')}, with the same {column}"
        problems.add(Problem(what, "look for damaged lines", file.name, field=column))
    for k in range(len(groups)):
        yield MappedEntry(file, str(k), groups=groups, at=k)


def _values_of_file(
    mapping: Mapping, file: Path, path: Path, way: PathParts, problems: Problems
) -> Iterator[tuple[str, Keys, Json]]:
    if mapping.group_by:
        document = read_document(file, mapping.format, problems)
        rows = [row for _, row in entries(document, way)] if way else document
        listed = grouped(rows, mapping.group_by, file.name, problems)
        yield from keyed_entries(listed, parse_path("[*]"))
    elif mapping.printed is not None:
        with opened_text(file) as lines:
            whole = whole_lines(lines, file.name, problems)
            listed = printed_document(whole, mapping.printed, file.name, problems)
        say_cut_step(listed, file.name, problems)
        note_entries(file, len(listed))
        yield from keyed_entries(listed, parse_path("[*]"))
    # objects that follow each other are no list, which is read item by item
    elif mapping.format == "json" and _is_top_level(way) and not _is_sequence(file, way):
        yield from _items(file, way, problems)
    elif mapping.format in {"csv", "parquet", "json lines"} and not way:
        for number, row in enumerate(_rows(mapping, file, problems)):
            yield str(number), (), row
    else:
        is_rows = mapping.format != "json" and not way
        numbered = mapping.numbered_columns
        document = read_document(file, mapping.format, problems, numbered=numbered)
        listed_entries = list(keyed_entries(document, parse_path("[*]") if is_rows else way))
        # in a folder each file is one of many; the account counts files, then
        if not is_folder(path) and mapping.format == "json":
            note_entries(file, len(listed_entries))
        yield from listed_entries


def _rows(mapping: Mapping, file: Path, problems: Problems) -> Iterator[Json]:
    """Yield the rows of a file one by one: those past the bound never become objects."""
    if mapping.format == "json lines":
        for _, line in json_lines(file, problems):
            yield line
        return
    table = read_table(file, mapping.format, numbered=mapping.numbered_columns)
    note_entries(file, len(table))
    for start in range(0, len(table), _BATCH):
        yield from table.rows(start, _BATCH)


def _is_sequence(file: Path, way: PathParts) -> bool:
    return way == parse_path("[*]") and peek(file).opener == "{"


def _is_top_level(way: PathParts) -> bool:
    return len(way) == 1 and way[0].kind in {"items", "values"}


def _items(file: Path, way: PathParts, problems: Problems) -> Iterator[tuple[str, Keys, Json]]:
    """Yield the items of a file one by one: of a file that breaks, those before the break."""
    keyed = way[0].kind == "values"
    for number, (key, value) in enumerate(json_items(file, problems)):
        if (key is not None) == keyed:
            keys = () if key is None else ((way[0].key, key),)
            yield str(number) if key is None else key, keys, value


def name_of(value: Json) -> str:
    """Return an id as text; empty where it is none.

    A list of ids (map, object, description) names one thing: ``map_5_1``.
    """
    if isinstance(value, list):
        if any(isinstance(each, list) for each in value) or len(value) > _MOST_PARTS:
            return ""
        parts = list(map(name_of, value))
        return "_".join(parts) if all(parts) else ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return id_text(value)


_MOST_PARTS = 6


def world_name(value: Json) -> str:
    """Name the world: the stem of a scene's file, ``mp3d/SCAN/SCAN.glb``."""
    last = name_of(value).replace("\\", "/").rsplit("/", 1)[-1]
    for ending in (".glb", ".ply", ".basis"):
        last = last.removesuffix(ending)
    return last
