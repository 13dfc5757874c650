"""What is said of a file that no reader takes: what it looks like, and what would open."""

from __future__ import annotations

import shlex
from pathlib import Path

from navviz.errors import InputError, UnknownFormatError
from navviz.formats.files import PEEK_BYTES, invalid_json, peek
from navviz.formats.mapping.documents import format_by_content, head_document
from navviz.support.guarded import Json, is_folder, is_regular, opened_bytes, refuse_packed

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
