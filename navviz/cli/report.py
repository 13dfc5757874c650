"""``navviz report``: a run's error analysis for a paper, each claim with its n or its quote."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import EpisodeFile, Graphs, Run
from navviz.cli.output import add_command
from navviz.support.guarded import json_text, write_whole
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.analysis.report import RunReport
    from navviz.runs.opened import OpenRun


class ReportForm(StrEnum):
    """How a report is written."""

    JSON = "json"
    JSONL = "jsonl"
    MD = "md"


_Form = Annotated[
    ReportForm,
    typer.Option("--format", help="Markdown; json is one document, jsonl the same on one line."),
]
_Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="Folder for report.md and its figures; without it the text is printed, without them.",
    ),
]
_Site = Annotated[
    str, typer.Option("--site", help="Address of the published site that links lead to.")
]
_Controls = Annotated[
    int,
    typer.Option(
        "--controls",
        min=0,
        help="Walk so many episodes with spoilt instructions, where no model is asked; 0 for none.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "report",
        _report,
        "Write a run's error analysis: figures, causes, typical episodes.",
        "navviz report runs/mine --out report",
        "navviz report runs/mine --site https://lab.example/run/ --format json",
    )


def _report(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    form: _Form = ReportForm.MD,
    out: _Out = None,
    site: _Site = "",
    controls: _Controls = 50,
) -> None:
    from navviz.analysis.report import report_document, report_markdown, report_of
    from navviz.cli.options import open_named

    name, opened = open_named(run, graphs, episodes=episode_file)
    report = report_of(name, opened, site=site, controls=controls)
    if form in {ReportForm.JSON, ReportForm.JSONL}:
        text = json_text(report_document(report), ensure_ascii=False) + "\n"
    else:
        pictures = {} if out is None else _drawn(opened, report, out)
        text = report_markdown(report, pictures)
    if out is None:
        tell(*text.rstrip("\n").split("\n"))
        return
    path = out / f"report.{form.value}"
    write_whole(path, text)
    tell(str(path))


def _drawn(opened: OpenRun, report: RunReport, out: Path) -> dict[str, str]:
    """Draw the typical episodes; returns the names of the files by episode."""
    from navviz.analysis.paper_figure import figure_of
    from navviz.views.figures.figure import episodes_figure, figure_bytes

    names = {}
    for number, one in enumerate(report.typical, start=1):
        graph = opened.graph(one.episode)
        drawn = figure_of(opened.trace(one.episode), graph, steps=(one.act.step or 1,))
        # numbered: an episode's id may be no name for a file
        names[one.episode] = f"episode-{number}.svg"
        write_whole(out / names[one.episode], figure_bytes(episodes_figure([drawn]), "svg"))
    return names
