"""``navviz verify``: walk each trace again with its recorded replies, and say whether the same
comes out.

With ``--paper`` it compares the figures that a paper prints with those of its published runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.ending import FAILED, with_exit_code
from navviz.errors import SettingsError

if TYPE_CHECKING:
    from navviz.runner.verify import Verdict, Verification
    from navviz.runs.opened import OpenRun


class _Format(StrEnum):
    TABLE = "table"
    JSON = "json"


_Run = Annotated[
    str,
    typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several."),
]
_Episodes = Annotated[list[str] | None, typer.Argument(help="Episodes; all where none is named.")]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Paper = Annotated[
    str | None,
    typer.Option(
        "--paper",
        help=(
            "Compare each printed figure of a paper (groke) with its published runs; RUN is then"
            " their folder."
        ),
    ),
]
_Form = Annotated[
    _Format,
    typer.Option("--format", help="A line for each episode that differs, or one JSON object."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "verify", help="Walk traces again with their recorded replies: does the same come out?"
    )(with_exit_code(_verify))


def _verify(
    run: _Run,
    episodes: _Episodes = None,
    graphs: _Graphs = None,
    paper: _Paper = None,
    form: _Form = _Format.TABLE,
) -> None:
    if paper is not None:
        _verify_paper(paper, Path(run), episodes, graphs, form)
        return
    from navviz.cli.named_run import open_named
    from navviz.runner.verify import Verification, verify_run

    _, opened = open_named(run, graphs)
    traces = {key: opened.trace(key) for key in episodes} if episodes else dict(opened.traces)
    verdicts = verify_run(traces, opened.graph, opened.source.results)
    verification = Verification(tuple(_counted(verdicts, len(traces))))
    typer.echo(_document(opened, verification) if form is _Format.JSON else _lines(verification))
    if not verification.reproduces:
        raise typer.Exit(FAILED)


def _verify_paper(
    paper: str, folder: Path, episodes: list[str] | None, graphs: Path | None, form: _Format
) -> None:
    """Print each cell of a paper's tables, and the sums last."""
    from navviz.analysis.paper_check import check_paper, summary_of

    if episodes:
        raise SettingsError("--paper compares whole runs: name a folder and no episodes.")
    cells = list(check_paper(paper, folder, graphs))
    if form is _Format.JSON:
        rows = [asdict(cell) for cell in cells]
        typer.echo(
            json.dumps(
                {"paper": paper, "summary": summary_of(cells), "cells": rows}, ensure_ascii=False
            )
        )
    else:
        typer.echo("\n".join([*(cell.sentence for cell in cells), *summary_of(cells)]))
    if any(cell.state == "differs" for cell in cells):
        raise typer.Exit(FAILED)


def _counted(verdicts: Iterator[Verdict], count: int) -> Iterator[Verdict]:
    from navviz.cli.console import Counting

    with Counting(f"{count} episodes", count) as bar:
        for verdict in verdicts:
            bar.advance()
            yield verdict


def _lines(verification: Verification) -> str:
    """Return a line for each episode that does not reproduce, and the sums last."""
    lines = []
    for verdict in verification.verdicts:
        if verdict.state != "reproduces" or verdict.reason is not None:
            sentence = verdict.sentence
            lines.append(f"episode {verdict.episode}: {sentence}")
    return "\n".join([*lines, verification.sentence])


def _document(opened: OpenRun, verification: Verification) -> str:
    from navviz.runner.verify import STATES

    counts = {state.replace(" ", "_"): verification.count(state) for state in STATES}
    rows = [asdict(verdict) for verdict in verification.verdicts]
    record = {
        "run": opened.name,
        "navigator": opened.run.navigator,
        "summary": verification.sentence,
    }
    return json.dumps({**record, **counts, "episodes": rows}, ensure_ascii=False)
