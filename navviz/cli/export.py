"""``navviz export``: a run in a format of other tools."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from navviz.cli.ending import with_exit_code
from navviz.support.guarded import csv_text, json_text, not_written, replacing

if TYPE_CHECKING:
    from navviz.records import Trace

__all__ = ["register"]


class _ExportFormat(StrEnum):
    OTEL = "otel"
    ATIF = "atif"
    CSV = "csv"


_Run = Annotated[str, typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several.")]
_Episodes = Annotated[list[str] | None, typer.Argument(help="Episodes; all where none is named.")]
_Graphs = Annotated[Path | None, typer.Option("--graphs", help="Graph folder, if it does not lie beside the results.")]
_Form = Annotated[
    _ExportFormat,
    typer.Option(
        "--format",
        help="otel: OpenTelemetry GenAI spans, a line of OTLP JSON an episode; atif: Harbor's trajectories, a line an "
        "episode; csv: a row a step.",
    ),
]
_Out = Annotated[Path | None, typer.Option("--out", help="File to write; standard output where not given.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", help="Write a run as OpenTelemetry spans, as ATIF or as CSV.")(with_exit_code(_export))


def _export(
    run: _Run,
    form: _Form,
    episodes: _Episodes = None,
    graphs: _Graphs = None,
    out: _Out = None,
) -> None:
    from navviz.cli.named_run import open_named

    _, opened = open_named(run, graphs)
    traces = [opened.trace(key) for key in episodes] if episodes else opened.traces.values()
    with _opened(out) as file:
        if form is _ExportFormat.CSV:
            _write_rows(file, traces)
            return
        write = _writer(form)
        for trace in traces:
            file.write(json_text(write(trace)) + "\n")


def _writer(form: _ExportFormat) -> Callable[[Trace], object]:
    from navviz.formats.export.atif import trajectory
    from navviz.formats.export.otel import traces_data

    return traces_data if form is _ExportFormat.OTEL else trajectory


def _write_rows(file: TextIO, traces: Iterable[Trace]) -> None:
    from navviz.formats.export.step_rows import STEP_COLUMNS, step_rows

    file.write(csv_text([STEP_COLUMNS]))
    file.writelines(csv_text(row.values() for row in step_rows(trace)) for trace in traces)


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    """Give the file to write into; what was there before stays where writing fails."""
    if out is None:
        yield sys.stdout
        return
    try:
        with replacing(out) as part, part.open("w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        raise not_written(out, error) from error
