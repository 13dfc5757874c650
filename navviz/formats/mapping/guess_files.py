"""Guess what lies beside a log: the file with its episodes, the folder with its pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from navviz.errors import InputError
from navviz.formats.mapping.documents import files_of, format_by_content
from navviz.formats.mapping.entries import name_of
from navviz.formats.mapping.guess_along import first_picture
from navviz.formats.mapping.model import BY_FILE, JoinedFile, Mapping
from navviz.formats.mapping.paths import entries, first_value, parse_path
from navviz.formats.mapping.structure import Structure, structure
from navviz.support.guarded import Json, is_folder, is_regular

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
    inner = parts[:-1] if not _is_absolute(named) else []
    ids = ids_of(layout, field, records)
    for above in ("*", "*/*", "*/*/*"):
        for file in files_of(base, f"{above}/{parts[-1]}"):
            folder = list(file.parent.relative_to(base).parts)
            if folder[len(folder) - len(inner) :] != inner:
                continue
            folder = folder[: len(folder) - len(inner)]
            return "/".join(_EPISODE.get(part in ids, part) for part in folder)
    return ""


def _is_absolute(name: str) -> bool:
    return name.startswith("/") or name[1:2] == ":"
