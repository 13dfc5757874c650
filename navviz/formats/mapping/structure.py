"""What a file of unknown form holds: each path with its types, how often it occurs, and samples."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import RECORD, Peek, head_of, json_lines, peek
from navviz.formats.mapping.csv_form import looks_like_table
from navviz.formats.mapping.model import BY_FILE, SIDECAR, Format, first_value, joined, key_text
from navviz.formats.mapping.tables import read_table
from navviz.formats.texts import as_list
from navviz.records.base import plural
from navviz.support.brackets import closed, objects
from navviz.support.guarded import (
    FILE_BYTES,
    MAX_BYTES,
    Json,
    head_bytes,
    head_decoded,
    is_folder,
    is_regular,
    note_entries,
    note_problem,
    opened_bytes,
    parse_json,
    read_json,
    read_text,
    size_of,
    xml_events,
)

HEAD_CHARACTERS = 1 << 16
"""Enough for the first entries of the logs that are known; scanned in 3 ms."""

MOST_FILES = 20_000

MOST_LOOKED_AT = 100_000
"""Names of files and folders that are compared with a pattern."""

DEPTHS = ("*", "*/*", "*/*/*", "*/*/*/*", "*/*/*/*/*", "*/*/*/*/*/*")
"""Patterns by which the files of an unknown folder are looked for."""

HEAD_ROWS = 2_000
"""Rows that a guess looks at; a million of them would take 1 GB."""

_PARQUET = b"PAR1"

_ENDINGS: dict[str, Format] = {
    ".json": "json",
    ".geojson": "json",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
}


def format_by_content(path: Path) -> Format | None:
    """Return what a file is, by its first bytes and its ending; ``None`` where it is none of it."""
    # the look that all readers share comes first: a file of JSON is not opened again
    seen = peek(path) if is_regular(path) else Peek()
    if seen.opener in {"[", ""}:
        return "json" if seen.opener else None
    if seen.opener == "{":
        whole_line = isinstance(seen.first_line, dict)
        if seen.text.lstrip("\ufeff").startswith(RECORD):
            return "json lines"
        return "json lines" if whole_line and _has_second_line(path) else "json"
    # XML of other kinds is not ours to guess at
    if seen.opener == "<":
        return next((form for mark, form in _XML if mark.search(seen.text)), None)
    if head_bytes(path, 4) == _PARQUET:
        return "parquet"
    name = path.name.lower().removesuffix(".gz")
    # a table is known by its rows, whatever it is called
    is_table = _ENDINGS.get(Path(name).suffix) == "csv" or looks_like_table(seen.text)
    return "csv" if is_table else None


_XML: tuple[tuple[re.Pattern[str], Format], ...] = (
    (re.compile(r"<([\w.-]{1,40}:)?gpx[\s>]"), "gpx"),
    (re.compile(r"<([\w.-]{1,40}:)?kml[\s>]"), "kml"),
)


def _has_second_line(path: Path) -> bool:
    _, _, rest = peek(path).text.lstrip().partition("\n")
    return rest.lstrip().startswith("{") or path.suffix.lower() in {".jsonl", ".ndjson"}


def files_of(path: Path, pattern: str) -> list[Path]:
    """Return the regular files of a folder that a pattern names, and that lie in it; a file alone.

    Links that lead out of the folder are left out.
    """
    if not is_folder(path):
        return [path]
    return list(islice(named_files(path, pattern), MOST_FILES))


def named_files(path: Path, pattern: str) -> Iterator[Path]:
    """Yield such files of a folder one by one, by name: to know a folder, one is enough."""
    root = path.resolve()
    front, looked_at = [path], 0
    parts = pattern.replace("\\", "/").split("/")
    for part in parts:
        following: list[Path] = []
        for folder in front:
            for name in _names(folder):
                looked_at += 1
                if looked_at > MOST_LOOKED_AT:
                    break
                if is_named(name, part) and not name.endswith(SIDECAR):
                    following.append(folder / name)
        front = following
    for file in front:
        if is_regular(file) and root in file.resolve().parents:
            yield file


def is_named(name: str, pattern: str) -> bool:
    """Tell whether a pattern names a file, which may be packed, in letters of either case."""
    low, pattern = name.lower(), pattern.lower()
    return fnmatchcase(low, pattern) or fnmatchcase(low.removesuffix(".gz"), pattern)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir())
    except OSError:
        return []


def read_document(path: Path, form: Format, problems: Problems, *, numbered: bool = False) -> Json:
    """Read one file; rows are a list. Raises `InputError` where it cannot be read.

    With `numbered`, columns ``x_0``, ``x_1`` ... of a table are one list ``x``.
    """
    if form == "json":
        try:
            return read_json(path, lenient=True, limit=FILE_BYTES)
        except InputError:
            # one value after the other, each over several lines: `jq` writes them so
            values = objects(read_text(path, lenient=True))
            if len(values) < 2:
                raise
            return [parse_json(value, path.name, lenient=True) for value in values]
    if form == "json lines":
        return [line for _, line in json_lines(path, problems)]
    if form in {"gpx", "kml"}:
        rows = _tracks(path, _add_gpx if form == "gpx" else _add_kml, form.upper())
    else:
        rows = read_table(path, form, numbered=numbered).rows()
    note_entries(path, len(rows))
    return rows


def read_head(
    path: Path, form: Format, problems: Problems, *, numbered: bool = False
) -> tuple[Json, int | None]:
    """Read as much of one file as it takes to guess; the number of its rows, where it is known.

    Rows of large tables and lines are the first ones; other files are whole.
    """
    if form in {"csv", "parquet"}:
        table = read_table(path, form, numbered=numbered)
        return table.rows(0, HEAD_ROWS), len(table)
    if form == "json lines":
        lines = [line for _, line in islice(json_lines(path, problems), HEAD_ROWS + 1)]
        return lines[:HEAD_ROWS], len(lines) if len(lines) <= HEAD_ROWS else None
    document = read_document(path, form, problems)
    return document, len(document) if isinstance(document, list) else None


def _tracks(path: Path, add: Callable[[ET.Element, list[Json]], bool], kind: str) -> list[Json]:
    """Return the tracks of a file of GPX or KML; times are not read."""
    # heights are where all points of a track have one: a point without would lie at the sea
    tracks: list[Json] = [{"points": []}]
    size_of(path, MAX_BYTES)
    with opened_bytes(path) as file:
        try:
            for event, element in xml_events(file):
                if event == "start":
                    continue
                if _tag(element) in _HOLDERS:
                    between = [element.text, *(each.tail for each in element)]
                    if any(text and text.strip() for text in between):
                        what = "holds text between its elements"
                        note_problem(path, what, "points may be lost there")
                if add(element, tracks):
                    # the text behind it is looked at where its holder ends
                    tail = element.tail
                    element.clear()
                    element.tail = tail
                elif element.get("lat") and _tag(element) != "wpt":
                    what = f"has a point called {_tag(element):.40}, which GPX does not know"
                    note_problem(path, what, "it is left out; get the file again")
        except ET.ParseError as error:
            what = f"is no whole {kind} ({error})"
            if not tracks[:-1]:
                raise InputError(what, "get the file again", file=path.name) from error
            lost = plural(len(tracks[-1]["points"]), "point")
            note_problem(path, f"{what}: {lost} and what follows are lost", _DO)
    # what was begun last is no track
    for track in tracks[:-1]:
        if any(len(place) < _WITH_HEIGHT for place in track["points"]):
            track["points"] = [place[:2] for place in track["points"]]
    return tracks[:-1]


def _add_gpx(element: ET.Element, tracks: list[Json]) -> bool:
    """Add a point to the track that was begun, or end it; tell whether the element was taken."""
    tag = _tag(element)
    if tag in {"trkpt", "rtept"}:
        height = [each.text for each in element if _tag(each) == "ele"]
        tracks[-1]["points"].append([element.get("lat"), element.get("lon"), *height[:1]])
    elif tag in {"trk", "rte"}:
        texts = {_tag(each): each.text for each in element}
        tracks[-1] |= {key: texts.get(key) for key in _GPX_TEXTS}
        tracks.append({"points": []})
    else:
        return False
    return True


def _add_kml(element: ET.Element, tracks: list[Json]) -> bool:
    """Do the same for KML, whose points are longitude, latitude and height; places are no track."""
    tag = _tag(element)
    if tag == "coord":
        tracks[-1]["points"].append((element.text or "").split())
    elif tag == "LineString":
        listed = next((each.text or "" for each in element if _tag(each) == "coordinates"), "")
        tracks[-1]["points"] += [place.split(",") for place in listed.split()]
    elif tag == "Placemark":
        texts = {_tag(each): each.text for each in element}
        tracks[-1] |= {"name": texts.get("name"), "desc": texts.get("description")}
        if tracks[-1]["points"]:
            tracks.append({"points": []})
    else:
        return False
    return True


def _tag(element: ET.Element) -> str:
    # makers' files have the name space of GPX 1.0, of 1.1 or none
    return element.tag.rpartition("}")[2]


_DO = "what came before is shown; get the file again"

_HOLDERS = frozenset({"trk", "trkseg", "rte", "gpx", "Document", "Placemark", "LineString"})
"""Elements that hold elements alone."""

_WITH_HEIGHT = 3

_GPX_TEXTS = ("name", "desc", "cmt")


def head_document(path: Path) -> Json:
    """Return the whole values that begin a JSON file; ``None`` if none is whole."""
    state = path.stat()
    return _head(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _head(path: Path, _mtime_ns: int, _size: int) -> Json:
    text = head_decoded(head_of(path)[:HEAD_CHARACTERS]).lstrip("\ufeff \t\r\n")
    for attempt in (text, closed(text)):
        try:
            return parse_json(attempt, path.name, lenient=True)
        except InputError:
            continue
    return None


def documents(
    path: Path, pattern: str, form: Format, problems: Problems
) -> Iterator[tuple[Path, Json]]:
    """Yield the files of a log with what they hold; those that cannot be read are reported."""
    files = files_of(path, pattern)
    for file in files:
        try:
            yield file, read_document(file, form, problems)
        except InputError as error:
            if len(files) == 1:
                raise
            problems.skip(error.problem)


def grouped(rows: Json, group_by: Sequence[str], file: str, problems: Problems) -> list[Json]:
    """Return episodes of rows: ``{"rows": [...]}`` in the order of their first rows.

    Rows of a file that are grouped by nothing but their file are one episode.
    """
    groups: dict[tuple[str, ...], list[Json]] = {}
    nameless = 0
    columns = [path for path in group_by if path != BY_FILE]
    for row in as_list(rows):
        # text, so that 7 and "7" of two files are one episode
        names = tuple(str(first_value(row, path)) for path in columns)
        if "None" in names:
            nameless += 1
            continue
        groups.setdefault(names, []).append(row)
    if nameless:
        what = f"{nameless} rows have no {' and '.join(group_by)}"
        problems.skip(Problem(what, "they are left out", file))
    return [{"rows": group} for group in groups.values()]


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

    Raises `InputError` where it is none of JSON, JSON lines, CSV and Parquet.
    """
    pattern, files = _alike(path)
    form = format_by_content(files[0]) if files else None
    if form is None:
        what = "is no JSON, JSON lines, CSV or Parquet, nor a folder of it"
        raise InputError(what, "a mapping can say nothing about it", file=path.name)
    problems = Problems()
    numbered = form == "csv"  # Parquet has lists of its own
    read = [read_head(file, form, problems, numbered=numbered) for file in files[:_FILES]]
    if any(isinstance(each, dict) and each.get("type") == "Topology" for each, _ in read):
        what = "is TopoJSON, whose lines are written as differences"
        raise InputError(what, "save it as GeoJSON", file=path.name)
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
