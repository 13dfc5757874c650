"""Who a run of the workspace belongs to: a small note beside its traces, and the one rule of who
may open it.

Runs, live runs and saved episodes that a visitor of a server makes belong to that visitor. What has
no note belongs to the operator: whoever runs the server, and the user of a machine of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from navviz.errors import ConflictError, InputError, NotFoundError
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import is_regular, is_there, keep_first, not_written, read_json

CONTROL_FOLDER: Final = ".batch"
"""Folder within a run's folder for everything that is no trace; readers pass over it."""
_NOTE: Final = "owner.json"
_SHARED: Final = frozenset({"runs", "live", "episodes", "uploads"})
"""Folders of the workspace in which each entry is somebody's."""
_PRIVATE: Final = (
    "audit", "ledger", "prompts", "cache", "recent.json", "annotate.*", "annotations.sqlite3*",
)  # fmt: skip
"""What else of the workspace no visitor opens by its path: notes on visitors, their prompts and
ratings, and the key that signs their tickets.
"""
_DAMAGED: Final = "a note that cannot be read"


class Ownership(BaseModel):
    """The note beside a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    owner: str = Field(min_length=1)
    """Visitor, as `navviz.ui.server.identity` names them."""
    payer: str = ""
    """Account whose share of the server's tokens pays for the run; empty where nobody counts."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whoever looks: a visitor by name, or the operator."""

    name: str = ""
    operator: bool = False
    sees_recorded: bool = False
    """Whether the operator's recorded runs are shown, too."""


def ownership_of(folder: Path) -> Ownership | None:
    """Return the note of a run's folder; ``None`` where there is none.

    Raises `InputError` where the note is there and cannot be read.
    """
    path = folder / CONTROL_FOLDER / _NOTE
    if not is_there(path):
        return None
    try:
        return Ownership.model_validate(read_json(path))
    except (InputError, ValidationError) as error:
        raise InputError(
            "cannot be read", "delete it; the run is the operator's then", file=path
        ) from error


def owner_of(folder: Path) -> str | None:
    """Return whose a run is; ``None`` for the operator's, nobody's if the note is damaged."""
    try:
        note = ownership_of(folder)
    except InputError:
        return _DAMAGED
    return None if note is None else note.owner


def claim(folder: Path, ownership: Ownership | None) -> None:
    """Make a run's folder for its owner, or see that it is theirs already; nothing to do for the
    operator.

    Raises `ConflictError` where the folder is another's; `StoreError` where it cannot be written.
    """
    if ownership is None:
        return
    try:
        (folder / CONTROL_FOLDER).mkdir(parents=True, exist_ok=True)
        # a folder with traces and without a note is the operator's, and nobody may claim it
        if owner_of(folder) is None and not any(
            path
            for path in folder.rglob("*")
            if is_regular(path) and not path.name.startswith(_NOTE)
        ):
            note = ownership.model_dump_json().encode()
            keep_first(folder / CONTROL_FOLDER / _NOTE, note)
    except OSError as error:
        raise not_written(folder, error) from error
    # read again, since another process may have been quicker
    if owner_of(folder) != ownership.owner:
        raise ConflictError(
            f"There is a run {folder.name} already, and it is not yours; choose another name."
        )


def may_open(viewer: Viewer, path: Path) -> bool:
    """Whether somebody may read a run's folder, or any other path.

    Outside of the workspace's shared folders nothing is anybody's, and its private ones are the
    operator's. A folder that holds those of
    several people is the operator's; an upload is open to whoever has its link.
    """
    if viewer.operator:
        return True
    # a link must not lead around the rule
    place, root = path.resolve(), workspace_dir().resolve()
    if _is_private(place, root):
        return False
    shelf, entry = _entry(place, root)
    if shelf is None:
        return place != root and place not in root.parents
    # the shelf itself lists what belongs to others
    if entry is None:
        return False
    if shelf == "uploads":
        return True
    owner = owner_of(root / shelf / entry)
    return viewer.sees_recorded and shelf != "live" if owner is None else owner == viewer.name


def may_change(viewer: Viewer, folder: Path) -> bool:
    """Whether somebody may start, pause, stop or write into a run: its owner and the operator."""
    return viewer.operator or (bool(viewer.name) and owner_of(folder) == viewer.name)


def check_may_open(viewer: Viewer, *paths: Path | None) -> None:
    """Raise `NotFoundError` for what `may_open` refuses, in the words for what is not there."""
    for path in paths:
        if path is not None and not may_open(viewer, path):
            raise NotFoundError("is not here", "choose one of the listed runs", file=path.name)


def check_may_change(viewer: Viewer, folder: Path) -> None:
    """Raise `NotFoundError` for what `may_change` refuses."""
    if not may_change(viewer, folder):
        raise NotFoundError("is not here", "choose one of your own runs", file=folder.name)


def _is_private(place: Path, root: Path) -> bool:
    if root not in place.parents:
        return False
    first = place.relative_to(root).parts[0].casefold()
    return any(fnmatchcase(first, pattern) for pattern in _PRIVATE)


def _entry(place: Path, root: Path) -> tuple[str | None, str | None]:
    """Return the shared folder of the workspace that a path lies in, and the entry of it."""
    if root not in place.parents:
        return None, None
    shelf, *rest = place.relative_to(root).parts
    if shelf not in _SHARED:
        return None, None
    return shelf, rest[0] if rest else None
