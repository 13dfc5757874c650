"""What visitors uploaded: each file or folder in a folder of its own, under an id that nobody can
guess.

The id stands in the run's name, so a link to an upload works in every tab, and never means somebody
else's file of the same name.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from navviz.errors import InputError, StoreError
from navviz.runs.source import Source
from navviz.runs.sources import path_name, workspace_dir
from navviz.runs.unknown_logs import sources_of
from navviz.support.guarded import folder_places, is_folder, read_json, replacing, unpack_zip

_ID_BYTES = 8
"""Nobody guesses another visitor's upload: 64 random bits."""
_NAME = re.compile(r".*~([0-9a-f]{16})(?:/.*)?", re.DOTALL)
_NOTE = "upload.json"
_ARCHIVE = ".part"
_LONGEST_NAME = 120
"""File systems take 255 bytes; a character can take four."""


def save_upload(name: str, content: bytes, graphs: Path | None) -> list[Source]:
    """Keep an uploaded file and return what it holds; a ZIP archive is opened as a folder.

    Raises `InputError` when it holds nothing that can be read; `StoreError` when it cannot be
    written.
    """
    # a name with folders in it must not leave the upload's own
    own_name = _own_name(Path(name).name[-_LONGEST_NAME:])
    if own_name.lower().endswith(".zip"):
        return _keep(_own_name(own_name[:-4]), [(own_name, content)], graphs, packed=True)
    return _keep(own_name, [(own_name, content)], graphs)


def save_folder(files: Sequence[tuple[str, bytes]], graphs: Path | None) -> list[Source]:
    """Keep several uploaded files as one folder and return what it holds.

    Raises `InputError` when a name leads out of the folder, two files have one name, or nothing can
    be read; `StoreError` when they cannot be written.
    """
    root, places = folder_places([name for name, _ in files], "The upload")
    kept = []
    for parts, (_, content) in zip(places, files, strict=True):
        if parts:
            kept.append(("/".join(parts), content))
    if not kept:
        raise InputError("holds no file", "choose the files of a log", file="The upload")
    return _keep(_own_name(root or "upload"), kept, graphs, as_folder=True)


def _own_name(name: str) -> str:
    """Return the name of an upload in its folder, where the note and the archive have theirs."""
    name = name.lstrip(".") or "upload"
    return f"my-{name}" if name == _NOTE else name


def _keep(
    own_name: str,
    files: Sequence[tuple[str, bytes]],
    graphs: Path | None,
    *,
    as_folder: bool = False,
    packed: bool = False,
) -> list[Source]:
    """Write an upload with a note of what it is; what is refused leaves nothing behind."""
    upload = secrets.token_hex(_ID_BYTES)
    folder = _root() / upload
    target = folder / own_name
    try:
        _write(folder, target, files, graphs, as_folder=as_folder, packed=packed)
        return _sources(upload, target, graphs)
    # whatever ends it: a page that took too long, a browser that was closed or pressed on, which
    # Streamlit raises as no `Exception`; half an upload has no link, and would take room for good
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _write(
    folder: Path,
    target: Path,
    files: Sequence[tuple[str, bytes]],
    graphs: Path | None,
    *,
    as_folder: bool,
    packed: bool,
) -> None:
    """Write the files of an upload, and last the note by which its link finds them."""
    try:
        for name, content in files:
            path = target / name if as_folder else target
            # the archive itself does not stay: its folder is what was meant
            if packed:
                path = folder / _ARCHIVE
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as part:
                part.write_bytes(content)
        if packed:
            unpack_zip(folder / _ARCHIVE, target)
            (folder / _ARCHIVE).unlink()
        note = {
            "file": target.name,
            "graphs": str(graphs.resolve()) if graphs is not None else None,
        }
        with replacing(folder / _NOTE) as part:
            part.write_text(json.dumps(note), encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"{target.name}: cannot be kept ({error.strerror}); make room in the workspace."
        ) from error


def upload_named(name: str) -> Source | None:
    """Return the upload that a run's name means; ``None`` where it means none, or that is gone."""
    match = _NAME.fullmatch(name)
    folder = _root() / match[1] if match else None
    if match is None or folder is None or not is_folder(folder):
        return None
    try:
        note = read_json(folder / _NOTE)
        target, graphs = folder / Path(note["file"]).name, note.get("graphs")
        sources = _sources(match[1], target, Path(graphs) if graphs else None)
    except (OSError, ValueError, KeyError, TypeError, InputError):
        return None
    # the name may mean a method that the file no longer has
    return next((source for source in sources if source.name == name), None)


def _root() -> Path:
    return workspace_dir() / "uploads"


def _sources(upload: str, target: Path, graphs: Path | None) -> list[Source]:
    """Return an upload's sources, named ``NAME~ID`` and, of several methods, ``NAME~ID/METHOD``."""
    stem = path_name(target)
    sources = []
    for source in sources_of(target, graphs):
        name = f"{stem}~{upload}{source.name.removeprefix(stem)}"
        # a map near the file would be another visitor's, and notes of a run may name any place
        graphs_shown = source.graphs
        if graphs is None:
            graphs_shown = tuple(path for path in source.graphs if _is_within(path, target))
        sources.append(replace(source, name=name, origin="upload", graphs=graphs_shown))
    return sources


def _is_within(path: Path, target: Path) -> bool:
    whole = path.resolve()
    return whole == target.resolve() or target.resolve() in whole.parents
