"""The audit of a server: who came in, opened, ran, spent, stopped, exported and deleted, as lines
of JSON.

Each line is one write at the end of the file, so processes do not mix. Lines name runs and files;
they hold no prompt, no instruction and no key. Without a door nothing is written: the machine is
its user's.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from navviz.errors import SettingsError
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import is_there, opened_bytes, visible
from navviz.support.installation.serving import serving
from navviz.support.locks import locked

Action = Literal[
    "came in", "was not let in", "opened", "was refused", "uploaded", "mapped", "ran live",
    "ran batch",
    "went on", "paused",
    "stopped", "repaired", "kept", "spent", "exported", "deleted"
]  # fmt: skip
ACTIONS: Final[tuple[Action, ...]] = (
    "came in", "was not let in", "opened", "was refused", "uploaded", "mapped", "ran live",
    "ran batch",
    "went on", "paused",
    "stopped", "repaired", "kept", "spent", "exported", "deleted"
)  # fmt: skip
OPERATOR: Final = "operator"
Figures = Mapping[str, int | float | str]

_LOG = logging.getLogger(__name__)
_FILE: Final = "audit.jsonl"
_LARGEST_BYTES: Final = 5_000_000
_KEPT: Final = 9
"""Older files beside the newest: 50 MB in all."""
_LONGEST: Final = 200
"""Characters of a name; a line stays within one block of the disk."""
_MODE: Final = 0o600
# Windows knows no O_NOFOLLOW, and writes "\r\n" without O_BINARY, which others do not know
_FLAGS: Final = (
    os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)


class AuditEntry(BaseModel):
    """One line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    time: str
    """UTC, ISO 8601 with milliseconds; as the clock stood."""
    visitor: str = Field(max_length=_LONGEST)
    """As pages name visitors; ``operator``; an account or address's digest before there is a name.
    """
    action: Action
    object: str = Field("", max_length=_LONGEST)
    """Run, file or door."""
    figures: dict[str, int | float | str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuditLog:
    """The lines of one workspace."""

    folder: Path
    largest_bytes: int = _LARGEST_BYTES
    """Bytes after which a new file begins."""
    kept: int = _KEPT
    """Number of older files; the oldest is dropped."""

    def write(self, entry: AuditEntry) -> None:
        """Add a line; an error of the disk goes to the log of the server, never to a page."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._rotate()
            self._append(entry.model_dump_json().encode() + b"\n")
        except OSError as error:
            _LOG.warning("%s: the audit cannot be written (%s).", self.folder, error.strerror)

    def _append(self, line: bytes) -> None:
        file = os.open(self.folder / _FILE, _FLAGS, _MODE)
        try:
            size = os.fstat(file).st_size
            # a full disk, or a process that was killed, left a line without its end
            is_cut = size > 0 and _last_byte(file, size) != b"\n"
            os.write(file, b"\n" + line if is_cut else line)
        finally:
            os.close(file)

    def _rotate(self) -> None:
        """Begin a new file where the newest is large; one process does it, the others go on
        meanwhile.
        """
        if not self._is_large():
            return
        with locked(self.folder / "lock"):
            # looked at again within the lock: another process may have begun the new file
            if not self._is_large():
                return
            # from the oldest on, so that no file takes the place of one that has not moved
            for number in range(self.kept - 1, -1, -1):
                if is_there(self._path(number)):
                    self._path(number).replace(self._path(number + 1))

    def _is_large(self) -> bool:
        try:
            return self._path(0).stat().st_size >= self.largest_bytes
        except FileNotFoundError:
            return False

    def _path(self, number: int) -> Path:
        return self.folder / (f"audit.{number}.jsonl" if number else _FILE)

    def entries(
        self,
        *,
        since: datetime | None = None,
        visitor: str | None = None,
        action: str | None = None,
    ) -> Iterator[AuditEntry]:
        """Return the lines, the oldest first; a line that cannot be read is passed over.

        Parameters
        ----------
        since
            Lines of this moment and later; with a time zone.
        visitor, action
            Lines of this visitor and this action alone.

        Raises
        ------
        InputError
            A file is there and cannot be read.
        """
        for entry in self._all():
            if since is not None and _moment(entry) < since:
                continue
            if visitor in {None, entry.visitor} and action in {None, entry.action}:
                yield entry

    def _all(self) -> Iterator[AuditEntry]:
        for number in range(self.kept, -1, -1):
            if not is_there(self._path(number)):
                continue
            with opened_bytes(self._path(number)) as file:
                entries = [_parsed(line) for line in file]
            yield from (entry for entry in entries if entry is not None)


def _last_byte(file: int, size: int) -> bytes:
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1)


def _parsed(line: bytes) -> AuditEntry | None:
    try:
        entry = AuditEntry.model_validate_json(line)
        _moment(entry)
    except (ValidationError, ValueError):
        return None
    return entry


def _moment(entry: AuditEntry) -> datetime:
    return datetime.fromisoformat(entry.time).astimezone(UTC)


def audit_log() -> AuditLog:
    """Return the audit of the workspace."""
    return AuditLog(workspace_dir() / "audit")


def record(visitor: str, action: Action, what: str = "", figures: Figures | None = None) -> None:
    """Add a line where this process belongs to a server with a door; else do nothing.

    Parameters
    ----------
    visitor
        Who did it, see `AuditEntry`.
    action
        What was done.
    what
        Name of the run, file or door; never a text that somebody wrote for a model.
    figures
        Tokens, episodes and the like.
    """
    try:
        if serving() is None:
            return
    except SettingsError:
        return  # the door lets nobody in
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    entry = AuditEntry(
        time=now,
        visitor=_short(visitor),
        action=action,
        object=_short(what),
        figures=dict(figures or {}),
    )
    audit_log().write(entry)


def _short(name: str) -> str:
    """Return a name that fits a line; what is no text in UTF-8, or nothing to see, is replaced."""
    return visible(name[:_LONGEST]).encode(errors="replace").decode()
