"""Files that visitors uploaded: each in a folder of its own, under an id that nobody can guess.

The id stands in the run's name, so a link to an upload works in every tab, and never means somebody
else's file of the same name.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import replace
from pathlib import Path

from navviz.errors import InputError, StoreError
from navviz.runs.naming import path_name
from navviz.runs.source import Source
from navviz.runs.sources import from_path, workspace_dir
from navviz.support.guarded import is_folder, read_json

__all__ = ["save_upload", "upload_named"]

_ID_BYTES = 8
"""Nobody guesses another visitor's upload: 64 random bits."""
_NAME = re.compile(r".*~([0-9a-f]{16})(?:/.*)?", re.DOTALL)
_NOTE = "upload.json"
_LONGEST_NAME = 120
"""File systems take 255 bytes; a character can take four."""


def save_upload(name: str, content: bytes, graphs: Path | None) -> list[Source]:
    """Keep an uploaded file and return what it holds.

    Parameters
    ----------
    name
        The file's name as the browser tells it; only its last part counts.
    content
        The file's bytes.
    graphs
        Folder of the graph it was walked on.

    Raises
    ------
    InputError
        When it holds nothing that can be read.
    StoreError
        When it cannot be written.
    """
    upload = secrets.token_hex(_ID_BYTES)
    folder = _root() / upload
    # a name with folders in it must not leave the upload's own
    target = folder / (Path(name).name[-_LONGEST_NAME:] or "upload")
    try:
        folder.mkdir(parents=True)
        target.write_bytes(content)
        note = {
            "file": target.name,
            "graphs": str(graphs.resolve()) if graphs is not None else None,
        }
        (folder / _NOTE).write_text(json.dumps(note), encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"{name}: cannot be kept ({error.strerror}); make room in the workspace."
        ) from error
    return _sources(upload, target, graphs)


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
    """Return what an upload holds, named ``NAME~ID`` and, of several methods,
    ``NAME~ID/METHOD``.
    """
    stem = path_name(target)
    sources = []
    for source in from_path(target, graphs):
        name = f"{stem}~{upload}{source.name.removeprefix(stem)}"
        # a map near the file would be another visitor's
        own = graphs is not None or source.graphs == (target,)
        graphs_shown = source.graphs if own else ()
        sources.append(replace(source, name=name, origin="upload", graphs=graphs_shown))
    return sources
