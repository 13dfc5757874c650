"""Files of a folder that look like data and that no reader takes; each is reported."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from pathlib import Path
from xml.etree.ElementTree import ParseError

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import invalid_json, peek
from navviz.support.guarded import (
    FILE_BYTES,
    head_bytes,
    is_folder,
    is_regular,
    opened_bytes,
    refuse_binary,
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

    Parameters
    ----------
    paths
        What a folder holds, a few levels deep.
    taken
        What is read when the folder is opened: files, and folders with all that is in them.
    recognised
        What a reader knows and opens when it is asked for: only damage is reported of it.
    problems
        Gets one for each file that is damaged, or that holds fields of a known format in a shape
        that is not.
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
            fault = _unknown(path)
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

    Parameters
    ----------
    path
        A regular file.
    parse
        Whether it is read through; else its first bytes and its last one speak for it.
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


def _unknown(path: Path) -> str:
    """Say that a whole file holds what episodes or results hold, and is neither."""
    match = _OURS.search(peek(path).text)
    return (
        f"holds '{match[1]}' as episodes or results do, but is of no format that NavViz knows"
        if match
        else ""
    )
