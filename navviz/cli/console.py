"""What commands show besides sentences: tables on stdout, progress on stderr (rich; it comes with
typer).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from navviz.support.guarded import visible
from navviz.support.notes import is_quiet

_WIDE = 10_000
"""Columns of a table that goes to a file or a pipe: whoever reads it there wants whole lines."""


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str]) -> None:
    """Print columns of figures, the first one to the left, and a note after each row.

    Names come from files of the user, so nothing in them is read as markup.
    """
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = _WIDE
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    for i, title in enumerate(head):
        table.add_column(Text(title), justify="right" if i else "left", no_wrap=True)
    table.add_column("", overflow="fold")
    for row, note in zip(rows, notes, strict=True):
        # as texts, since rich reads words in brackets as markup; it leaves in what a terminal obeys
        table.add_row(*(Text(visible(cell)) for cell in row), Text(visible(note)))
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        print(line.rstrip())  # noqa: T201 - rich pads every line to the table's width


class _Bar:
    """A progress bar on stderr, so that stdout holds the result alone; it appears with the first
    thing it can tell.
    """

    def __init__(self, label: str, total: int | None, counter: ProgressColumn) -> None:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            counter,
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True))
        self._task = self._progress.add_task(label, total=total)
        self._shown = False
        # asked for here, in the thread of the command: walks advance the bar from threads of theirs
        self._quiet = is_quiet()

    def __enter__(self) -> Self:
        return self

    def _show(self) -> None:
        if not self._shown and not self._quiet:
            self._progress.start()
            self._shown = True

    def __exit__(self, *_error: object) -> None:
        if self._shown:
            self._progress.stop()


class Counting(_Bar):
    """Progress of things that are counted."""

    def __init__(self, label: str, count: int) -> None:
        super().__init__(label, count, MofNCompleteColumn())

    def advance(self, count: int = 1) -> None:
        """Count some more."""
        self._show()
        self._progress.advance(self._task, count)


class Loading(_Bar):
    """Progress of a download; where nobody knows how long it is, it counts the bytes that came."""

    def __init__(self, label: str) -> None:
        super().__init__(label, None, DownloadColumn())

    def __call__(self, done: int, total: int | None) -> None:
        """Show that `done` of `total` bytes are there."""
        self._show()
        self._progress.update(self._task, completed=done, total=total)


class ReadingBar(_Bar):
    """Progress of files that are read; it goes away when they are."""

    def __init__(self) -> None:
        super().__init__("Reading", None, DownloadColumn())
        self.visible = self._progress.console.is_terminal

    def show(self, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are read."""
        self._progress.update(self._task, completed=done, total=total)
        # a later file begins the bar again
        if done >= total and self._shown:
            self._progress.stop()
            self._shown = False
        elif done < total and self.visible:
            self._show()
