"""What a command prints: its result in the form that was chosen."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import typer
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

from navviz.errors import InputError, NavVizError, SettingsError
from navviz.support.guarded import (
    SLOW_BYTES,
    ReadProgress,
    csv_text,
    is_finite,
    json_text,
    reporting_to,
    visible,
)
from navviz.support.installation.plugins import noticed
from navviz.support.notes import is_quiet, note, quieted, tell

if TYPE_CHECKING:
    import pandas as pd

    from navviz.analysis.tables import Format


class Form(StrEnum):
    """How a result is printed; every command has these words."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MD = "md"
    TEX = "tex"

    @property
    def is_data(self) -> bool:
        """Whether a program reads it: numbers stay numbers, and nothing else is printed."""
        return self in {Form.JSON, Form.JSONL, Form.CSV}


def table_format(form: Form) -> Format:
    """Return what the tables of `navviz.analysis` call a form."""
    # only here: pandas and its friends take half a second, and most results are lines
    from navviz.analysis.tables import Format

    return Format({"md": "markdown", "tex": "latex"}.get(form.value, form.value))


def print_table_as(
    form: Form, head: Sequence[str], rows: Iterable[Sequence[object]], note_text: str = ""
) -> None:
    """Print rows of words as Markdown or LaTeX."""
    import pandas as pd

    # as objects: pandas would write 3 as 3.0 in a column with a gap
    frame = pd.DataFrame([list(row) for row in rows], columns=list(head), dtype=object)
    print_frame(frame.set_index(head[0]), form, note_text)


def print_frame(frame: pd.DataFrame, form: Form, note_text: str = "") -> None:
    """Print a table, whose cells a terminal does not obey."""
    from navviz.analysis.tables import write_table

    typer.echo(write_table(frame, table_format(form), note_text))


def print_json(document: object) -> None:
    """Print one document as JSON."""
    typer.echo(json_text(document, ensure_ascii=False))


def print_data(
    form: Form,
    columns: Sequence[str],
    records: Iterable[Mapping[str, Any]],
    document: object = None,
) -> None:
    """Print a result for programs."""
    if form is Form.JSON:
        print_json(list(records) if document is None else document)
        return
    if form is Form.JSONL:
        for record in records:
            print_json(record)
        return
    rows: list[list[object]] = [list(columns)]
    for record in records:
        rows.append([_cell(record.get(name)) for name in columns])
    typer.echo(csv_text(rows), nl=False)


def print_records(
    form: Form,
    columns: Sequence[str],
    records: Iterable[Mapping[str, Any]],
    lines: Iterable[str],
    note_text: str = "",
) -> None:
    """Print a result that has many records alike, see `print_data`."""
    if form is Form.TABLE:
        for line in lines:
            tell(line)
    elif form.is_data:
        print_data(form, columns, records)
    else:
        cells = []
        for row in records:
            cells.append([_cell(row.get(name)) for name in columns])
        print_table_as(form, columns, cells, note_text)


def columns_of(kind: type[Any]) -> tuple[str, ...]:
    """Return the fields of a data class, which are the columns of its records."""
    return tuple(each.name for each in fields(kind))


def _cell(value: object) -> object:
    """Return a value as a cell of a table, where lists become words."""
    if value is None or not is_finite(value):
        return ""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return " ".join(value)
    if isinstance(value, list | tuple | dict):
        return json_text(value, ensure_ascii=False)
    return value


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
    for row, words in zip(rows, notes, strict=True):
        # as texts, since rich reads words in brackets as markup; it leaves in what a terminal obeys
        table.add_row(*(Text(visible(cell)) for cell in row), Text(visible(words)))
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


_PIECE_BYTES = 4_000_000
"""Read between two looks at the bar."""


@contextmanager
def reading_shown() -> Iterator[None]:
    """Show how far large files are read, for as long as they are."""
    with ExitStack() as stack:
        bar: ReadingBar | None = None
        shown = 0

        def tell(reading: ReadProgress) -> None:
            nonlocal bar, shown
            # the bar counts bytes, and those have come to their end
            if reading.total_walks:
                return
            ended = reading.done_bytes >= reading.total_bytes
            if reading.total_bytes < SLOW_BYTES or (
                reading.done_bytes - shown < _PIECE_BYTES and not ended
            ):
                return
            if bar is None:
                # rich takes a while to import, and most need no bar

                bar = stack.enter_context(ReadingBar())
            shown = reading.done_bytes
            bar.show(reading.done_bytes, reading.total_bytes)

        stack.enter_context(reporting_to(ReadProgress(report=tell)))
        yield


FAILED, WRONG, PARTIAL, STOPPED = 1, 2, 3, 130

ENDINGS: Final[Mapping[int, str]] = {
    0: "done",
    FAILED: (
        "tried and failed: a model, a disk or a database; episodes of a run ended in an error; or a"
        " check found something: data that is not read, a figure that differs, a walk that leaks"
    ),
    WRONG: "an option, a file or a setting is wrong: call it differently",
    PARTIAL: (
        "only a part is done: the budget or the time of a batch was used up; the figures are over"
        " that part"
    ),
    STOPPED: "stopped with Ctrl+C",
}
"""When a command ends with which code; the reason is one sentence on stderr."""

Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="Print the result and errors only: no progress, notes, warnings."
    ),
]


def exit_code(error: NavVizError) -> int:
    """Return the exit code for an error."""
    return WRONG if isinstance(error, InputError | SettingsError) else FAILED


def with_exit_code(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command end as this module says, name unusable plug-ins, and give it ``--quiet``."""
    signature = inspect.signature(command, eval_str=True)
    if "quiet" in signature.parameters:
        return command  # a command of another package may have been here before

    @wraps(command)
    def called(*arguments: object, quiet: bool = False, **options: object) -> None:
        with quieted(quiet):
            try:
                with reading_shown():
                    command(*arguments, **options)
            except NavVizError as error:
                # it may quote a file of somebody else; its own lines stay lines
                for line in str(error).split("\n"):
                    tell(line, err=True)
                raise typer.Exit(exit_code(error)) from error
            except KeyboardInterrupt as error:
                typer.echo("Stopped; run the same command again to go on.", err=True)
                raise typer.Exit(STOPPED) from error
            finally:
                # after a fault too, which a plug-in that could not be used may explain
                for problem in noticed():
                    note(f"warning: {problem}")

    quiet = inspect.Parameter(
        "quiet", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Quiet
    )
    # typer reads the options of a command from its signature
    parameters = [*signature.parameters.values(), quiet]
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called


def add_command(
    group: typer.Typer, name: str, function: Callable[..., None], text: str, *examples: str
) -> None:
    """Add a command to the command line or to one of its groups."""
    # the help joins single lines to a paragraph, so that each example is a paragraph
    epilog = "\n\n".join(("Examples:" if len(examples) > 1 else "Example:", *examples))
    group.command(name, help=text, epilog=epilog)(with_exit_code(function))


def new_group(text: str) -> typer.Typer:
    """Return an empty group of commands, which prints its help where no command is named."""
    group = typer.Typer(no_args_is_help=True, help=text)
    group.callback()(_nothing)
    return group


def _nothing() -> None:
    """Keep a group a group: Typer makes one with a single command the command itself."""
