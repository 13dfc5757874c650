"""What one visitor of a server may use: time of a page, megabytes of uploads, tokens of live
models.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from navviz.errors import InputError, NavVizError, SettingsError
from navviz.records.base import plural
from navviz.runner.batches import Batch, Status, all_batches
from navviz.runner.config import read_record
from navviz.runner.ledger import Account, ledger
from navviz.runner.plan import BatchState
from navviz.runs.owners import ownership_of
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import serving
from navviz.ui.components.plain import plain
from navviz.ui.server.identity import account, is_operator
from navviz.ui.state.session import current

_MB = 1_000_000


class TooLongError(NavVizError):
    """Ends a page that computes for too long."""

    def __init__(self) -> None:
        super().__init__(
            "This page took longer than the server allows for one visitor and was ended; choose"
            " fewer episodes, or ask the operator for a higher --request-s."
        )


@contextmanager
def time_limit() -> Iterator[None]:
    """End a page of a server's visitor that computes for longer than the server allows, with one
    sentence.

    Python code is ended between two of its instructions; a single long call of a library ends when
    it returns.
    """
    rules = serving()
    if rules is None:
        yield
        return
    alarm = _Alarm(rules.request_s)
    try:
        yield
    except TooLongError as error:
        st.error(plain(error), icon=":material/timer_off:")
    finally:
        # else it would ring in what the thread does next
        alarm.cancel()


class _Alarm:
    """Raises `TooLongError` in the thread that made it, unless it is cancelled before.

    Streamlit runs a page in a thread of its own and has no public way to end it from outside;
    CPython's ``PyThreadState_SetAsyncExc`` is there for this.
    """

    def __init__(self, seconds: float) -> None:
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._over = False
        self._timer = threading.Timer(seconds, self._ring)
        # a server that ends must not wait for it
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        with self._lock:
            # the page may end in this very moment
            if not self._over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(TooLongError)
                )

    def cancel(self) -> None:
        """Let the thread go on; what did not ring by now never will."""
        self._timer.cancel()
        with self._lock:
            self._over = True


def check_upload(size: int) -> None:
    """Count an upload of `size` bytes; raises `InputError` where this visitor's share, or the
    server's, is used up.
    """
    rules = serving()
    if rules is None:
        return
    session = current()
    if session.uploaded_bytes + size > rules.upload_mb * _MB:
        left_mb = max(0.0, rules.upload_mb - session.uploaded_bytes / _MB)
        raise InputError(
            f"has {size / _MB:.1f} MB, and {left_mb:.1f} MB are left of your"
            f" {rules.upload_mb:g} MB",
            "upload a part of it, or ask the operator to open it for all",
            file="The upload",
        )
    if _size(workspace_dir() / "uploads") + size > rules.uploads_mb * _MB:
        raise InputError(
            "does not fit: the server's space for uploads is full",
            "ask the operator to clear them",
            file="The upload",
        )
    # a new visit has a whole share again: without this, forty reloads would leave no room to others
    name, room_mb = account(), max(rules.upload_mb, rules.uploads_mb / 2)
    if name is not None and not _rooms().take(name, size, room_mb):
        raise InputError(
            "does not fit: your uploads take half of the server's space",
            "ask the operator to open it for all",
            file="The upload",
        )
    # last: an upload that is refused takes nothing of the share
    session.uploaded_bytes += size


class _Rooms:
    """What each visitor has uploaded since the server came up; safe in threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bytes: dict[str, int] = {}

    def take(self, name: str, size: int, limit_mb: float) -> bool:
        """Count an upload; false where its visitor would have more than the limit."""
        with self._lock:
            taken = self._bytes.get(name, 0) + size
            if taken > limit_mb * _MB:
                return False
            self._bytes[name] = taken
            return True


@st.cache_resource(show_spinner=False)
def _rooms() -> _Rooms:
    return _Rooms()


def _size(folder: Path) -> int:
    return (
        sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        if folder.is_dir()
        else 0
    )


def share() -> Account | None:
    """Return the share of tokens that pays for all models this visitor asks; ``None`` where nobody
    limits it.

    It lies in the workspace's ledger, so neither a reload nor a restart of the server renews it.
    """
    rules, name = serving(), account()
    return None if rules is None or name is None else ledger().account(name, rules.tokens)


_LOOKS_S = 1.0

LONGEST_LINE = 20
"""Batches of one visitor that wait; each holds its episodes on the disk."""

_AFTER_RESTART = "It waited for its turn when the server ended; press Go on."


@dataclass(frozen=True, slots=True)
class _Turn:
    """A batch that waits, with what its process will get."""

    batch: Batch
    payer: str
    limit: int
    pilot: int
    environment: Mapping[str, str]


class Turns:
    """The lines of all visitors; safe in threads."""

    def __init__(self, looks_s: float = _LOOKS_S) -> None:
        self._looks_s = looks_s
        self._lock = threading.RLock()
        self._line: list[_Turn] = []
        self._looks = False

    def start(
        self,
        batch: Batch,
        limit: int | None,
        *,
        pilot: int = 0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a batch, or put it last into its visitor's line where too much is walked already.

        Raises `SettingsError` where too many wait already; `StoreError` where it is being walked
        already, or cannot be written.
        """
        note = ownership_of(batch.folder)
        if limit is None or note is None:
            # the operator lets a visitor's batch pass the line; left in it, it would be started
            # once more after it was stopped
            with self._lock:
                self._line = [turn for turn in self._line if turn.batch.folder != batch.folder]
            batch.start(pilot=pilot, environment=environment)
            return
        # a plan of before may name more workers than are allowed now
        workers = max(1, min(batch.plan.workers, limit))
        batch.plan = batch.plan.model_copy(update={"workers": workers})
        payer = note.payer or note.owner
        # counted and started in one piece, or two sessions would both find room
        with self._lock:
            # a second tab still shows the button: the batch keeps its place
            if any(turn.batch.folder == batch.folder for turn in self._line):
                return
            turn = _Turn(batch, payer, limit, pilot, environment or {})
            if not any(other.payer == payer for other in self._line) and _has_room(turn):
                batch.start(pilot=pilot, environment=environment)
                return
            self.check_line(payer)
            batch.put_off(_AFTER_RESTART)
            self._line.append(turn)
            if self._looks_s and not self._looks:
                self._looks = True
                threading.Thread(target=self._watch, daemon=True, name="navviz-turns").start()

    def check_line(self, payer: str) -> None:
        """Raise `SettingsError` where nothing more of a visitor fits into the line."""
        with self._lock:
            if sum(turn.payer == payer for turn in self._line) >= LONGEST_LINE:
                raise SettingsError(
                    f"{LONGEST_LINE} of your batches wait already; wait for them, or stop some."
                )

    def leave(self, folder: Path) -> bool:
        """Take a batch out of the line; false where it stands in none."""
        with self._lock:
            for turn in self._line:
                if turn.batch.folder == folder:
                    self._line.remove(turn)
                    turn.batch.put_off(None)
                    return True
        return False

    def status(self, batch: Batch) -> Status:
        """Return where a batch stands, in the line or behind it."""
        with self._lock:
            turn = next((turn for turn in self._line if turn.batch.folder == batch.folder), None)
            if turn is None:
                return batch.status()
            own = [other for other in self._line if other.payer == turn.payer]
            ahead = own.index(turn)
        at_a_time = plural(turn.limit, "walk")
        return Status(
            "queued",
            _state_of(batch),
            "It waits for your other batches, since a visitor of this server may have"
            f" {at_a_time} at a time. It is number {ahead + 1} in line, and starts by itself.",
        )

    def advance(self) -> None:
        """Start the batches whose turn has come; a line goes on in its order."""
        with self._lock:
            stands: set[str] = set()
            for turn in list(self._line):
                if turn.payer in stands:
                    continue
                if not _has_room(turn):
                    stands.add(turn.payer)
                    continue
                self._line.remove(turn)
                try:
                    turn.batch.start(pilot=turn.pilot, environment=turn.environment)
                except NavVizError as error:
                    _note_fault(turn.batch, str(error))

    def _watch(self) -> None:
        while True:
            time.sleep(self._looks_s)
            self.advance()
            with self._lock:
                if not self._line:
                    self._looks = False
                    return


def _has_room(turn: _Turn) -> bool:
    taken = sum(batch.plan.workers for batch in _busy(turn.payer))
    return taken + turn.batch.plan.workers <= turn.limit


def _busy(payer: str) -> Iterator[Batch]:
    """Find the batches that a visitor pays for and a process works on, as the disk says: they
    outlive the server.
    """
    for batch in all_batches():
        try:
            note = ownership_of(batch.folder)
        except InputError:
            continue
        if note is not None and (note.payer or note.owner) == payer and batch.status().busy:
            yield batch


def _state_of(batch: Batch) -> BatchState:
    try:
        return read_record(batch.control("state.json"), BatchState) or BatchState()
    except InputError:
        return BatchState()


def _note_fault(batch: Batch, fault: str) -> None:
    # a disk that takes no note has said so in the log of the server
    try:
        batch.put_off(fault)
    except NavVizError:
        return


def most_workers() -> int | None:
    """Return how many walks whoever looks may have at the same time; ``None`` where nobody limits
    it.
    """
    rules = serving()
    return None if rules is None or is_operator(rules) else rules.workers


@st.cache_resource(show_spinner=False)
def turns() -> Turns:
    """Return what all sessions share."""
    return Turns()
