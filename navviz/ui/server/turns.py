"""Batches of a server's visitors: so many walks at a time for each, and the others wait in line.

Tokens bound what batches spend; here is bounded what they take of the machine. The line is in the
server's memory, as a key that was typed in is written nowhere. On the disk a batch that waits is
paused, so after a restart its owner lets it go on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from navviz.errors import InputError, NavVizError, SettingsError
from navviz.records.plural import plural
from navviz.runner.batches import Batch, Status, all_batches
from navviz.runner.config import read_record
from navviz.runner.plan import BatchState
from navviz.runs.owners import ownership_of
from navviz.support.installation.serving import serving
from navviz.ui.server.identity import is_operator

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
    """The lines of all visitors; safe in threads.

    Parameters
    ----------
    looks_s
        How often a thread looks whether a batch has made room; none does where it is 0.
    """

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

        Parameters
        ----------
        batch
            Its folder is claimed already: the note says who pays.
        limit
            Walks that the visitor may have at the same time; ``None`` for the operator.
        pilot, environment
            See `navviz.runner.batches.Batch.start`.

        Raises
        ------
        SettingsError
            Too many wait already.
        StoreError
            It is being walked already, or cannot be written.
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
