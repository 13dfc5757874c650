"""``navviz slices``: which instructions and routes a run fails on more often than on the rest."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from navviz.commands.ending import with_exit_code

__all__ = ["register"]

_Run = Annotated[Path, typer.Argument(help="Result file or folder of traces.")]
_Graphs = Annotated[Path | None, typer.Option("--graphs", help="Graph folder, if it does not lie beside the results.")]
_Method = Annotated[str | None, typer.Option("--method", help="One of several methods in the results.")]
_Most = Annotated[int, typer.Option("--most", min=1, help="How many slices are printed.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object a line, with odds ratio, interval, p, episodes.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("slices", help="Say on what a run fails more often than on the rest.")(with_exit_code(_slices))


def _slices(
    run: _Run, graphs: _Graphs = None, method: _Method = None, most: _Most = 20, *, as_json: _Json = False
) -> None:
    from navviz.analysis.slices import failure_slices
    from navviz.runs.opened import open_run

    opened = open_run(run, graphs=graphs, method=method)
    rows = opened.scores.rows
    known = {key: rate for key in rows if (rate := rows[key].get("SR")) is not None and key not in opened.scores.errors}
    slices = failure_slices(opened.traces, {key: rate < 0.5 for key, rate in known.items()}, opened.graph_of)
    for one in slices[:most]:
        typer.echo(json.dumps(asdict(one), ensure_ascii=False) if as_json else one.sentence)
    if not slices:
        typer.echo("No feature is shared by five episodes and missing in five others.")
