"""What the opening of files changes or cuts off, noted for the reader of the file.

Whoever decodes does not know what becomes of the text, and readers do not know how it was decoded.
So a note goes to the innermost `taking_notes` of this thread, which adds it to the problems of what
was read; where nobody takes notes, what has to be told is refused instead. Counts of entries go to
every `taking_notes` around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path

from navviz.errors import Problem, Problems, ReadingStoppedError


@dataclass
class Notes:
    """What was noted while files were read."""

    kept: dict[tuple[Path, str], Problem] = field(default_factory=dict)
    """By file and advice: of what goes on through a file, where it begins."""
    entries: dict[Path, int] = field(default_factory=dict)
    """Entries (lines, items of a list, rows) that each file holds, read or not."""
    files: dict[Path, None] = field(default_factory=dict)
    """Files that were read, in this order; those of which only the head was looked at are none."""
    changes: dict[Path, dict[str, int]] = field(default_factory=dict)
    """What was written otherwise than it is kept, in words, and how often."""
    folders: dict[Path, None] = field(default_factory=dict)
    """Folders further away than beside a file that was read, in which others were looked for."""

    @property
    def problems(self) -> Problems:
        """Problems to add to the reader's; files of one name get the names of their folders."""
        paths = {path for path, _ in self.kept}
        names = Counter(path.name for path in paths)
        problems = Problems()
        for (path, _), problem in self.kept.items():
            name = path.name if names[path.name] == 1 else f"{path.parent.name}/{path.name}"
            problems.add(replace(problem, file=name))
        return problems


_OPEN: ContextVar[tuple[Notes, ...]] = ContextVar("notes", default=())


@contextmanager
def taking_notes() -> Iterator[Notes]:
    """Take the notes of what is read in this block."""
    notes = Notes()
    token = _OPEN.set((*_OPEN.get(), notes))
    try:
        yield notes
    finally:
        _OPEN.reset(token)


def notes_are_taken() -> bool:
    """Tell whether anybody takes notes."""
    return bool(_OPEN.get())


def note_problem(path: Path, what: str, do: str) -> None:
    """Tell what was changed in a file, or is missing of it."""
    if open_notes := _OPEN.get():
        open_notes[-1].kept.setdefault((path, do), Problem(what, do, path.name))


def note_read(path: Path) -> None:
    """Tell that a file is read."""
    for notes in _OPEN.get():
        notes.files[path] = None


def note_folder(folder: Path) -> None:
    """Tell that a reader looks for files in a folder, where it may find none today."""
    for notes in _OPEN.get():
        notes.folders[folder] = None


def note_again(notes: Notes) -> None:
    """Tell again what was noted when something was read that is now taken from a cache."""
    for around in _OPEN.get():
        around.files |= notes.files
        around.folders |= notes.folders
        for path, changes in notes.changes.items():
            around.changes.setdefault(path, {}).update(changes)
        for path, count in notes.entries.items():
            around.entries[path] = max(count, around.entries.get(path, 0))


def note_change(path: Path, what: str, count: int = 1) -> None:
    """Note what is written otherwise than it is kept; of several passes the furthest counts."""
    for notes in _OPEN.get():
        own = notes.changes.setdefault(path, {})
        own[what] = max(count, own.get(what, 0))


def note_encoding(path: Path, encoding: str) -> None:
    """Tell that a file is written in another encoding than UTF-8."""
    note_change(path, f"decoded as {encoding}")


def note_entries(path: Path, count: int) -> None:
    """Note how many entries a file holds; of several passes the furthest counts."""
    note_read(path)
    for notes in _OPEN.get():
        notes.entries[path] = max(count, notes.entries.get(path, 0))


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
def reporting_to(reading: ReadProgress) -> Iterator[None]:
    """Let what is read in this thread report to `reading`."""
    token = _WATCHED.set(reading)
    try:
        yield
    finally:
        _WATCHED.reset(token)


def report_size(count: int) -> None:
    """Tell that a file of so many bytes is about to be read."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.plan(count, whole=False)


def report_sizes(count: int) -> None:
    """Tell how many bytes several files have together, before the first of them is read."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.plan(count, whole=True)


def report_bytes(count: int) -> None:
    """Report that bytes were read; raises `ReadingStoppedError` where reading was stopped."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.advance(count)


def report_walks(done: int, total: int) -> None:
    """Report that walks were measured; raises `ReadingStoppedError` where reading was stopped."""
    reading = _WATCHED.get()
    if reading is not None:
        reading.measure(done, total)
