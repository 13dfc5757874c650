"""Files of a log as documents: JSON as it is; rows of JSON lines, CSV and Parquet as a list.

A GPX file is a list of its tracks and routes, ``{"name", "desc", "cmt", "points": [[lat, lon],
...]}``.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import head_of, json_lines, peek
from navviz.formats.mapping.model import SIDECAR, Format
from navviz.formats.mapping.paths import first_value
from navviz.support.brackets import closed
from navviz.support.guarded import (
    FILE_BYTES,
    MAX_BYTES,
    Json,
    count_entries,
    csv_table,
    head_bytes,
    head_decoded,
    is_folder,
    is_regular,
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
MOST_ROWS = 5_000_000
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
    if not is_regular(path):
        return None
    # the look that all readers share comes first: a file of JSON is not opened again
    seen = peek(path)
    if seen.opener == "[":
        return "json"
    if seen.opener == "{":
        whole_line = isinstance(seen.first_line, dict)
        return "json lines" if whole_line and _has_second_line(path) else "json"
    # XML of other kinds is not ours to guess at
    if seen.opener == "<":
        return "gpx" if "<gpx" in seen.text else None
    if head_bytes(path, 4) == _PARQUET:
        return "parquet"
    by_ending = _ENDINGS.get(path.suffix.lower())
    return by_ending if by_ending == "csv" and seen.opener else None


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
    """Tell whether a pattern names a file, which may be packed."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.removesuffix(".gz"), pattern)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir())
    except OSError:
        return []


def read_document(path: Path, form: Format, problems: Problems) -> Json:
    """Read one file; rows are a list. Raises `InputError` where it cannot be read."""
    if form == "json":
        return read_json(path, lenient=True, limit=FILE_BYTES)
    if form == "json lines":
        return [line for _, line in json_lines(path, problems)]
    readers = {"parquet": _parquet_rows, "gpx": _gpx_tracks, "csv": _csv_rows}
    rows = readers[form](path)
    count_entries(path, len(rows))
    return rows


def _csv_rows(path: Path) -> list[Json]:
    text = read_text(path, MAX_BYTES)
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    _, rows = csv_table(text, path.name, separator=separator)
    return [row for _, row in rows]


def _parquet_rows(path: Path) -> list[Json]:
    # 0.3 s that every start would pay
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with opened_bytes(path) as file:
            table_file = parquet.ParquetFile(pa.PythonFile(file, mode="r"))
            groups = range(table_file.metadata.num_row_groups)
            size = sum(table_file.metadata.row_group(k).total_byte_size for k in groups)
            if size > FILE_BYTES or table_file.metadata.num_rows > MOST_ROWS:
                raise InputError("unpacks to too much", "cut it up", file=path.name)
            rows: list[Json] = table_file.read().to_pylist()
    except (pa.ArrowException, ValueError, OSError) as error:
        what = f"is no Parquet that can be read ({type(error).__name__})"
        raise InputError(what, "write it again", file=path.name) from error
    return rows


def _gpx_tracks(path: Path) -> list[Json]:
    """Return the tracks and routes of a GPX file; heights and times are not read."""
    tracks: list[Json] = []
    track: dict[str, Json] = {"points": []}
    size_of(path, MAX_BYTES)
    with opened_bytes(path) as file:
        try:
            for event, element in xml_events(file):
                if event == "start":
                    continue
                tag = element.tag.rpartition("}")[2]
                if tag in {"trkpt", "rtept"}:
                    track["points"].append([element.get("lat"), element.get("lon")])
                    element.clear()
                elif tag in {"trk", "rte"}:
                    texts = {each.tag.rpartition("}")[2]: each.text for each in element}
                    tracks.append({**track, **{key: texts.get(key) for key in _GPX_TEXTS}})
                    track = {"points": []}
                    element.clear()
        except ET.ParseError as error:
            what = f"is no whole GPX ({error})"
            raise InputError(what, "get the file again", file=path.name) from error
    return tracks


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
    """Return episodes of rows: ``{"rows": [...]}`` in the order of their first rows."""
    groups: dict[tuple[str, ...], list[Json]] = {}
    nameless = 0
    for row in rows if isinstance(rows, list) else []:
        # text, so that 7 and "7" of two files are one episode
        names = tuple(str(first_value(row, path)) for path in group_by)
        if "None" in names:
            nameless += 1
            continue
        groups.setdefault(names, []).append(row)
    if nameless:
        what = f"{nameless} rows have no {' and '.join(group_by)}"
        problems.skip(Problem(what, "they are left out", file))
    return [{"rows": group} for group in groups.values()]
