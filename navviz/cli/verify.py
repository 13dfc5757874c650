"""``navviz diagnose verify``: walk each trace again with its recorded replies, and say whether the
same comes out.

With ``--paper`` it compares the figures that a paper prints with those of its published runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.command import add_command
from navviz.cli.ending import FAILED
from navviz.cli.options import EpisodeFile, Episodes, Format, Graphs, Run
from navviz.cli.output import Form, columns_of, print_json, print_records
from navviz.errors import SettingsError

if TYPE_CHECKING:
    from navviz.runner.verify import Verdict, Verification
    from navviz.runs.opened import OpenRun


_Paper = Annotated[
    str | None,
    typer.Option(
        "--paper",
        help=(
            "Compare each printed figure of a paper (groke) with its published runs; RUN is"
            " then their folder."
        ),
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "verify",
        _verify,
        "Walk traces again with their recorded replies: does the same come out?",
        "navviz diagnose verify runs/mine",
        "navviz diagnose verify runs/mine 1 2 --format json",
        "navviz diagnose verify --paper groke paper_results --graphs map2seq",
    )


def _verify(
    run: Run,
    episodes: Episodes = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    paper: _Paper = None,
    form: Format = Form.TABLE,
) -> None:
    if paper is not None:
        _verify_paper(paper, Path(run), episodes, graphs, form)
        return
    from navviz.cli.named_run import open_named
    from navviz.runner.verify import Verdict, Verification, verify_run

    _, opened = open_named(run, graphs, episodes=episode_file)
    traces = {key: opened.trace(key) for key in episodes} if episodes else dict(opened.traces)
    verdicts = verify_run(traces, opened.graph, opened.source.results)
    # episodes are walked while the tuple fills, so that the bar moves
    verification = Verification(tuple(_counted(verdicts, len(traces))))
    if form is Form.JSON:
        print_json(_document(opened, verification))
    else:
        records = [asdict(verdict) for verdict in verification.verdicts]
        print_records(form, columns_of(Verdict), records, _lines(verification))
    # a script must notice it
    if not verification.reproduces:
        raise typer.Exit(FAILED)


def _verify_paper(
    paper: str, folder: Path, episodes: list[str] | None, graphs: Path | None, form: Form
) -> None:
    """Print each cell of a paper's tables, and the sums last."""
    from navviz.analysis.paper_check import CellCheck, check_paper, summary_of

    if episodes:
        raise SettingsError("--paper compares whole runs: name a folder and no episodes.")
    cells = list(check_paper(paper, folder, graphs))
    rows = [asdict(cell) for cell in cells]
    if form is Form.JSON:
        document = {"paper": paper, "summary": summary_of(cells), "cells": rows}
        print_json(document)
    else:
        lines = [*(cell.sentence for cell in cells), *summary_of(cells)]
        print_records(form, columns_of(CellCheck), rows, lines)
    # a cell without published runs is no difference
    if any(cell.state == "differs" for cell in cells):
        raise typer.Exit(FAILED)


def _counted(verdicts: Iterator[Verdict], count: int) -> Iterator[Verdict]:
    from navviz.cli.console import Counting

    with Counting(f"{count} episodes", count) as bar:
        for verdict in verdicts:
            bar.advance()
            yield verdict


def _lines(verification: Verification) -> list[str]:
    """Return a line for each episode that does not reproduce, and the sums last."""
    lines = []
    for verdict in verification.verdicts:
        if verdict.state != "reproduces" or verdict.reason is not None:
            sentence = verdict.sentence
            lines.append(f"episode {verdict.episode}: {sentence}")
    return [*lines, verification.sentence]


def _document(opened: OpenRun, verification: Verification) -> dict[str, Any]:
    from navviz.runner.verify import STATES

    counts = {state.replace(" ", "_"): verification.count(state) for state in STATES}
    rows = [asdict(verdict) for verdict in verification.verdicts]
    record = {
        "run": opened.name,
        "navigator": opened.run.navigator,
        "summary": verification.sentence,
    }
    return {**record, **counts, "episodes": rows}
