"""Files of a folder that look like data and that no reader takes; each is reported."""

from __future__ import annotations

import re
import shlex
import stat
from collections.abc import Container, Iterable
from pathlib import Path
from xml.etree.ElementTree import ParseError

from navviz.errors import InputError, Problem, Problems, UnknownFormatError
from navviz.formats.files import PEEK_BYTES, invalid_json, peek
from navviz.formats.mapping.structure import format_by_content, head_document
from navviz.support.guarded import (
    FILE_BYTES,
    Json,
    head_bytes,
    is_folder,
    is_regular,
    opened_bytes,
    refuse_binary,
    refuse_packed,
    size_of,
    tail_bytes,
    xml_events,
)

_ENDINGS = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".geojson", ".gpx", ".gpx.gz", ".kml")

_XML = (".gpx", ".gpx.gz", ".kml")

_OURS = re.compile(
    r'"(instr_id|trajectory|scan|route_panoids|osm_path|predicated_path|navigation_text|instructions_id|a_t'
    r'|reference_path|pano_path|image_id|agent_pose)"\s*:'
)
"""Fields by which episodes, results and houses of every format are known."""

_PARSED_BYTES = 1 << 23
"""Read through in one folder to look for damage in the middle (0.4 s); of the rest the two ends."""

_ONE_BYTES = 1 << 22

_HEAD_BYTES = 4096

_LEFT_OUT = "it is left out"

_DO = f"mend it or get it again; {_LEFT_OUT}"

_CLOSERS = {"{": b"}", "[": b"]"}


def add_passed_over(
    paths: Iterable[Path], taken: Container[Path], recognised: Container[Path], problems: Problems
) -> None:
    """Report files that nobody will read although they look like data.

    `taken`: what is read when the folder is opened: files, and folders with all that is in them.
    `recognised`: what a reader knows and opens when it is asked for: only damage is reported of it.
    `problems`: gets one for each file that is damaged, or that holds fields of a known format in a
    shape that is not.
    """
    left = _PARSED_BYTES
    for path in paths:
        if (
            is_folder(path)
            or not path.name.endswith(_ENDINGS)
            or (path.name != "run.json" and _is_in(path, taken))
        ):
            continue
        if not is_regular(path):
            problems.skip(Problem("is no regular file", _LEFT_OUT, _named(path)))
            continue
        size = path.stat().st_size
        fault = damage_of(path, parse=size <= min(_ONE_BYTES, left))
        left -= min(size, left) if size <= _ONE_BYTES else 0
        if not fault and not _is_in(path, taken) and not _is_in(path, recognised):
            match = _OURS.search(peek(path).text)
            fault = (
                f"holds '{match[1]}' as episodes or results do, but is of no format that NavViz"
                " knows"
                if match
                else ""
            )
        if fault:
            problems.skip(Problem(fault, _DO, _named(path)))


def is_passed_over(problem: Problem) -> bool:
    """Tell whether `add_passed_over` reported a problem: no reader takes the file as it is."""
    return problem.do.endswith(_LEFT_OUT)


def _is_in(path: Path, places: Container[Path]) -> bool:
    return path in places or any(parent in places for parent in path.parents)


def _named(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def damage_of(path: Path, *, parse: bool = True) -> str:
    """Say what is wrong with a file that ends like JSON or JSON lines; empty where it looks whole.

    `parse`: whether it is read through; else its first bytes and its last one speak for it.
    """
    try:
        if size_of(path, FILE_BYTES) == 0:
            return "is empty"
        if path.name.endswith(_XML):
            return _xml_fault(path)
        opener = peek(path).opener
        if opener not in _CLOSERS:
            refuse_binary(head_bytes(path, _HEAD_BYTES), path)
            return "is no JSON that can be unpacked" if path.suffix == ".gz" else "is no JSON"
        if path.suffix == ".gz" or not parse:
            # the last bytes of a packed file say nothing of its text
            return "" if path.suffix == ".gz" else _end_fault(path, opener)
        return invalid_json(path) or ""
    except InputError as error:
        return error.problem.what


def _xml_fault(path: Path) -> str:
    """Say where a file of GPX or KML breaks; empty where it is whole XML."""
    try:
        with opened_bytes(path) as file:
            for _, element in xml_events(file):
                element.clear()
    except ParseError as error:
        return f"is no whole {'KML' if path.suffix == '.kml' else 'GPX'} ({error})"
    return ""


def _end_fault(path: Path, opener: str) -> str:
    last = tail_bytes(path, 4096).rstrip()[-1:]
    closers = {_CLOSERS[opener]} if not path.name.endswith(".jsonl") else {b"}", b"]"}
    return "" if last in closers else "is no whole JSON: it is cut off"


_DEPTH = 3
"""Folders below the one opened; Matterport's graphs and Map2Seq's splits lie two deep."""

ENTRIES = 5000
"""Folders looked at, so that opening a home folder answers with a sentence and does not hang."""


def looked_into(folder: Path) -> list[Path]:
    """List what a folder holds, a few levels deep; each folder stands before what it holds."""
    folders, front = [folder], [folder]
    for _ in range(_DEPTH):
        following: list[Path] = []
        for parent in front:
            children = [path for path in _entries(parent) if not path.name.startswith(".")]
            # level by level, so that one deep folder does not use up the room of its neighbours
            folders.extend(children[: ENTRIES - len(folders)])
            following.extend(path for path in children if is_folder(path))
        front = following
    return folders


def _entries(folder: Path) -> list[Path]:
    """Return what a folder holds, by name; nothing where it may not be looked into."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def check_exists(path: Path, what: str) -> None:
    """Raise `InputError` where there is no such file or folder (`what`), or nothing in it."""
    try:
        state = path.stat()
    except FileNotFoundError as error:
        raise InputError(f"there is no such {what}", "check the path", file=path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is no path"
        raise InputError(
            f"cannot be opened ({reason})", "check the path and its permissions", file=path
        ) from error
    if stat.S_ISDIR(state.st_mode):
        if not _children(path, what):
            raise InputError("the folder is empty", "choose a folder that holds data", file=path)
    elif not stat.S_ISREG(state.st_mode):
        raise InputError("is a pipe or a device, not a file", "choose a regular file", file=path)
    elif state.st_size == 0:
        raise InputError("the file is empty", "get it again", file=path)


def _children(path: Path, what: str) -> list[Path]:
    try:
        return sorted(path.iterdir())
    except OSError as error:
        do = f"ask for the right to read it, or choose another {what}"
        raise InputError(f"cannot be opened ({error.strerror})", do, file=path) from error


_SMALLEST = {
    "graph": "nodes.txt with id,lat,lng and links.txt with id,heading,id in one folder",
    "episodes": '[{"scan": "SCAN", "path": ["VIEWPOINT"], "instructions": ["Go on."]}]',
    "results": '[{"instr_id": "1_0", "trajectory": [["VIEWPOINT", 0.0, 0.0]]}]',
}
"""The smallest file of one common format of each kind; docs/formats shows the others."""

_KEYS = 4

_LONGEST = 24
"""Characters of a key that are shown."""


def refusal(path: Path, kind: str) -> UnknownFormatError:
    """Say what a path looks like, and the smallest form of its kind that opens."""
    try:
        fault = _fault_of(path) if is_regular(path) else None
    except InputError as error:
        return UnknownFormatError(error.problem.what, error.problem.do, file=path)
    if fault is not None:
        return UnknownFormatError(fault, "mend it or get the file again", file=path)
    do = f"the smallest file that opens is {_SMALLEST[kind]}"
    if kind != "graph" and format_by_content(path) is not None:
        whole = shlex.quote(str(path.absolute()))
        do += f", or say what is what in it: navviz data map {whole}"
    what = f"no {kind} that NavViz knows: it looks like {look_of(path)}"
    return UnknownFormatError(what, do, file=path)


def _fault_of(path: Path) -> str | None:
    """Say where a file breaks that looks like JSON; raises `InputError` for archives and binaries,
    whose names may say otherwise.
    """
    with opened_bytes(path) as file:
        refuse_packed(file.read(PEEK_BYTES), path)
    return invalid_json(path)


def look_of(path: Path) -> str:
    """Say in a few words what a file or folder looks like."""
    if is_folder(path):
        return "a folder without files of a known form"
    form = format_by_content(path)
    if form == "json":
        return _look_of_value(head_document(path))
    if form == "json lines":
        return f"JSON lines, {_look_of_value(peek(path).first_line)} each"
    if form is not None:
        return f"a table ({form})"
    return "text or something else than data" if peek(path).opener else "no text"


def _look_of_value(value: Json) -> str:
    if isinstance(value, dict):
        return f"a JSON object with {_keys(value)}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return f"a JSON list of objects with {_keys(value[0])}"
    return "a JSON list" if isinstance(value, list) else "JSON"


def _keys(value: dict[str, Json]) -> str:
    names = [str(key)[:_LONGEST] for key in list(value)[:_KEYS]]
    more = " …" if len(value) > _KEYS else ""
    return (", ".join(names) or "no keys") + more
