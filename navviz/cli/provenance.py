"""``navviz provenance``: where the figures of a run come from."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.ending import with_exit_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from navviz.runner.provenance import Provenance

__all__ = ["register"]

_Run = Annotated[str, typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several.")]
_Graphs = Annotated[Path | None, typer.Option("--graphs", help="Graph folder, if it does not lie beside the results.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object, with the run's figures.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("provenance", help="Tell where the figures of a run come from: code, settings, model, data.")(
        with_exit_code(_provenance)
    )


def _provenance(run: _Run, graphs: _Graphs = None, *, as_json: _Json = False) -> None:
    from navviz.cli.named_run import open_named
    from navviz.runner.provenance import provenance_of

    _, opened = open_named(run, graphs)
    told = provenance_of(opened)
    if as_json:
        typer.echo(json.dumps({**asdict(told), "figures": dict(opened.scores.means)}))
        return
    for line in _lines(told):
        typer.echo(line)


def _lines(told: Provenance) -> Iterator[str]:
    yield f"run         {told.run}, {told.episodes} episodes"
    yield f"navigator   {_counted(told.navigators)}"
    yield f"model       {_counted(told.models) or 'none'}"
    yield f"walked with {_counted(told.code_versions)}"
    if told.package_version:
        yield f"package     navviz {told.package_version}"
    yield f"begun       {told.created or 'not told'}"
    yield f"scored with {told.scored_with}"
    for settings, count in told.settings.items():
        yield f"settings    {settings}" + (f" ({count})" if len(told.settings) > 1 else "")
    for file in told.files:
        state = "  CHANGED since the run began" if file.changed else ""
        yield f"{file.role:<11} {file.sha256 or 'not hashed':<64}  {file.path}{state}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(name if len(counts) == 1 else f"{name} ({count})" for name, count in counts.items())
