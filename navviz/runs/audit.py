"""The audit of a server: who came in, opened, ran, spent, stopped, exported and deleted, as lines
of JSON.

Each line is one write at the end of the file, so processes do not mix. Lines name runs and files;
they hold no prompt, no instruction and no key. Without a door nothing is written: the machine is
its user's.

A flood must not push out what matters: visits and looks have a file of their own, and what one
visitor does many times in a short time is counted in few lines.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from heapq import merge
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
    "stopped", "edited", "repaired", "kept", "spent", "exported", "deleted"
]  # fmt: skip
ACTIONS: Final[tuple[Action, ...]] = (
    "came in", "was not let in", "opened", "was refused", "uploaded", "mapped", "ran live",
    "ran batch",
    "went on", "paused",
    "stopped", "edited", "repaired", "kept", "spent", "exported", "deleted"
)  # fmt: skip
OPERATOR: Final = "operator"
Figures = Mapping[str, int | float | str]

_LOG = logging.getLogger(__name__)
_FILE: Final = "audit"
_LOOKS_FILE: Final = "visits"
_LOOKS: Final[frozenset[Action]] = frozenset({"came in", "was not let in", "opened", "was refused"})
"""What changes nothing, and costs whoever does it nothing: a file of its own, else a flood of it
would rotate runs, spent tokens and deletions away.
"""
_SINGLE: Final = 30
"""Lines of one visitor and action within `_WINDOW_S`; more are counted."""
_WINDOW_S: Final = 600.0
_COUNTED: Final = 10_000
"""Visitors and actions that are counted at the same time."""
_LARGEST_BYTES: Final = 5_000_000
_KEPT: Final = 9
"""Older files beside the newest: 50 MB in all."""
_TAIL_BYTES: Final = 8_192
"""Holds some lines: each has up to 200 characters of a visitor and of an object, and figures."""
_writing: Final = threading.Lock()
_LONGEST: Final = 200
"""Characters of a name; a line stays within one block of the disk."""
_MODE: Final = 0o600
# Windows knows no O_NOFOLLOW, and writes "\r\n" without O_BINARY, which others do not know
_FLAGS: Final = (
    os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_READS: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class AuditEntry(BaseModel):
    """One line."""

    # a later NavViz on the same workspace may say more; passed over, its lines would be missing
    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal[1] = 1
    number: int = Field(0, ge=0)
    """Grows from line to line, whatever the clock does; 0 in lines of an earlier NavViz."""
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
            name = _LOOKS_FILE if entry.action in _LOOKS else _FILE
            self._rotate(name)
            # another process may take the same number in this very moment: there time decides
            with _writing:
                entry = entry.model_copy(
                    update={
                        "number": max(
                            self._last_number_of(_FILE), self._last_number_of(_LOOKS_FILE)
                        )
                        + 1
                    }
                )
                line = entry.model_dump_json().encode() + b"\n"
                file = os.open(self._path(name, 0), _FLAGS, _MODE)
                try:
                    size = os.fstat(file).st_size
                    # a full disk, or a process that was killed, left a line without its end
                    is_cut = size > 0 and _last_byte(file, size) != b"\n"
                    os.write(file, b"\n" + line if is_cut else line)
                finally:
                    os.close(file)
        except OSError as error:
            _LOG.warning("%s: the audit cannot be written (%s).", self.folder, error.strerror)

    def _last_number_of(self, name: str) -> int:
        for number in (0, 1):
            try:
                # not by a link, as it is written
                descriptor = os.open(self._path(name, number), _READS)
                with os.fdopen(descriptor, "rb") as file:
                    file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
                    lines = file.read().splitlines()
            except FileNotFoundError:
                continue
            # the last line may be cut, or of an earlier NavViz beside this one
            for line in reversed(lines):
                entry = _parsed(line)
                if entry is not None and entry.number:
                    return entry.number
        return 0

    def _rotate(self, name: str) -> None:
        """Begin a new file where the newest is large; one process does it, others go on."""
        if not self._is_large(name):
            return
        with locked(self.folder / "lock"):
            # looked at again within the lock: another process may have begun the new file
            if not self._is_large(name):
                return
            # from the oldest on, so that no file takes the place of one that has not moved
            for number in range(self.kept - 1, -1, -1):
                if is_there(self._path(name, number)):
                    self._path(name, number).replace(self._path(name, number + 1))

    def _is_large(self, name: str) -> bool:
        try:
            return self._path(name, 0).stat().st_size >= self.largest_bytes
        except FileNotFoundError:
            return False

    def _path(self, name: str, number: int) -> Path:
        return self.folder / (f"{name}.{number}.jsonl" if number else f"{name}.jsonl")

    def entries(
        self,
        *,
        since: datetime | None = None,
        visitor: str | None = None,
        action: str | None = None,
    ) -> Iterator[AuditEntry]:
        """Return the lines, the oldest first; a line that cannot be read is passed over.

        Raises `InputError` where a file is there and cannot be read.
        """
        # by their numbers, since a clock may be set back; by time where lines have none
        files = (_placed(self._all(_FILE)), _placed(self._all(_LOOKS_FILE)))
        for _, entry in merge(*files, key=lambda placed: placed[0]):
            if since is not None and _moment(entry) < since:
                continue
            if visitor in {None, entry.visitor} and action in {None, entry.action}:
                yield entry

    def _all(self, name: str) -> Iterator[AuditEntry]:
        for number in range(self.kept, -1, -1):
            if not is_there(self._path(name, number)):
                continue
            with opened_bytes(self._path(name, number)) as file:
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


def _placed(
    entries: Iterator[AuditEntry],
) -> Iterator[tuple[tuple[int, datetime], AuditEntry]]:
    """Add the place of each line among those of both files; one without a number, of an earlier
    NavViz, stands behind the one before it.
    """
    last = 0
    for entry in entries:
        last = max(last, entry.number)
        yield (last, _moment(entry)), entry


def _moment(entry: AuditEntry) -> datetime:
    return datetime.fromisoformat(entry.time).astimezone(UTC)


def audit_log() -> AuditLog:
    """Return the audit of the workspace."""
    return AuditLog(workspace_dir() / "audit")


class Floods:
    """Counts what one visitor does again and again; safe in threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, Action], _Count] = {}

    def lines(self, visitor: str, action: Action) -> list[tuple[str, Action, int]]:
        """Count once more; return which lines to write: visitor, action, and how often it was done
        (0 for a line of its own).
        """
        # what was spent must add up to the ledger, and each line of it was paid for
        if action == "spent":
            return [(visitor, action, 0)]
        with self._lock:
            now_s = self._clock()
            written: list[tuple[str, Action, int]] = []
            # in the order in which they began
            for key, count in list(self._counts.items()):
                if now_s - count.began_s < _WINDOW_S and len(self._counts) < _COUNTED:
                    break
                del self._counts[key]
                if count.unwritten:
                    written.append((*key, count.unwritten))
            count = self._counts.setdefault((visitor, action), _Count(self._clock()))
            count.all += 1
            if count.all <= _SINGLE:
                return [*written, (visitor, action, 0)]
            count.unwritten += 1
            # a line each time the number has doubled: a server that is killed keeps the size of it
            if count.unwritten * 2 >= count.all:
                written.append((visitor, action, count.unwritten))
                count.unwritten = 0
            return written


@dataclass(slots=True)
class _Count:
    began_s: float
    all: int = 0
    unwritten: int = 0


@lru_cache(maxsize=8)
def _floods(folder: Path) -> Floods:
    """Return the counts of this process for one workspace; a server is one process."""
    del folder
    return Floods()


def record(visitor: str, action: Action, what: str = "", figures: Figures | None = None) -> None:
    """Add a line where this process belongs to a server with a door; else do nothing.

    `visitor`: who did it, see `AuditEntry`. `what`: name of the run, file or door; never a text
    that somebody wrote for a model.
    """
    try:
        if serving() is None:
            return
    except SettingsError:
        return  # the door lets nobody in
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    for name, done, times in _floods(audit_log().folder).lines(_short(visitor), action):
        entry = AuditEntry(time=now, visitor=name, action=done, figures={"times": times})
        if not times:
            own = {"object": _short(what), "figures": dict(figures or {})}
            entry = entry.model_copy(update=own)
        audit_log().write(entry)


def _short(name: str) -> str:
    """Return a name that fits a line; what is no text in UTF-8, or nothing to see, is replaced."""
    return visible(name[:_LONGEST]).encode(errors="replace").decode()
