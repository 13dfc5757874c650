"""How far the reading of files is, and then the measuring of their walks, reported to a page or
command that may also stop it.

Readers do not know who waits: a page, a command or nobody. So they report here, and `watched` says
who listens in this thread. Where nobody does, a report costs one look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from navviz.errors import ReadingStoppedError

SLOW_BYTES = 50_000_000
"""Files that take two seconds and more to read: whoever waits is shown how far that is."""


@dataclass
class ReadProgress:
    """How far it is; another thread may look at it and stop it."""

    done_bytes: int = 0
    total_bytes: int = 0
    """0 where nobody knows yet."""
    report: Callable[[ReadProgress], None] | None = None
    """Called in the thread that reads, after each piece; most often some thousand times a second.
    """
    done_walks: int = 0
    total_walks: int = 0
    """0 until the bytes are read and the walks are being measured."""
    _planned: bool = False
    _stopped: bool = False

    def stop(self) -> None:
        """End it at its next piece, by `ReadingStoppedError`."""
        self._stopped = True

    @property
    def part(self) -> float:
        """What is done of the bytes, then of the walks, between 0 and 1."""
        done, total = self.done_bytes, self.total_bytes
        if self.total_walks:
            done, total = self.done_walks, self.total_walks
        return min(1.0, done / total) if total else 0.0

    def plan(self, count: int, *, whole: bool) -> None:
        """Add bytes to read; `whole` where they are all, so that single files no longer count."""
        if whole:
            self.total_bytes, self._planned = self.done_bytes + count, True
        elif not self._planned:
            self.total_bytes += count

    def advance(self, count: int) -> None:
        """Count bytes that were read; raises `ReadingStoppedError` where somebody stopped it."""
        self._go_on()
        self.done_bytes += count
        if self.report is not None:
            self.report(self)

    def measure(self, done: int, total: int) -> None:
        """Count walks that were measured; raises `ReadingStoppedError` as `advance` does."""
        self._go_on()
        self.done_walks, self.total_walks = done, total
        if self.report is not None:
            self.report(self)

    def _go_on(self) -> None:
        if self._stopped:
            raise ReadingStoppedError(
                "Reading was stopped; nothing was changed. Open it again to read it."
            )


_WATCHED: ContextVar[ReadProgress | None] = ContextVar("reading", default=None)


@contextmanager
def watched(reading: ReadProgress) -> Iterator[None]:
    """Let what is read in this thread report to `reading`."""
    token = _WATCHED.set(reading)
    try:
        yield
    finally:
        _WATCHED.reset(token)


def expect(count: int) -> None:
    """Tell that a file of so many bytes is about to be read."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.plan(count, whole=False)


def expect_all(count: int) -> None:
    """Tell how many bytes several files have together, before the first of them is read."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.plan(count, whole=True)


def passed(count: int) -> None:
    """Report that bytes were read; raises `ReadingStoppedError` where reading was stopped."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.advance(count)


def measured(done: int, total: int) -> None:
    """Report that walks were measured; raises `ReadingStoppedError` where reading was stopped."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.measure(done, total)
