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

_Run = Annotated[
    str,
    typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several."),
]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object, with the run's figures.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "provenance", help="Tell where the figures of a run come from: code, settings, model, data."
    )(with_exit_code(_provenance))


def _provenance(run: _Run, graphs: _Graphs = None, *, as_json: _Json = False) -> None:
    from navviz.cli.named_run import open_named
    from navviz.runner.provenance import provenance_of

    _, opened = open_named(run, graphs)
    provenance = provenance_of(opened)
    if as_json:
        typer.echo(json.dumps({**asdict(provenance), "figures": dict(opened.scores.means)}))
        return
    for line in _lines(provenance):
        typer.echo(line)


def _lines(provenance: Provenance) -> Iterator[str]:
    yield f"run         {provenance.run}, {provenance.episodes} episodes"
    yield f"navigator   {_counted(provenance.navigators)}"
    yield f"model       {_counted(provenance.models) or 'none'}"
    yield f"walked with {_counted(provenance.code_versions)}"
    if provenance.package_version:
        yield f"package     navviz {provenance.package_version}"
    yield f"begun       {provenance.created or 'not provenance'}"
    yield f"scored with {provenance.scored_with}"
    for settings, count in provenance.settings.items():
        yield f"settings    {settings}" + (f" ({count})" if len(provenance.settings) > 1 else "")
    for file in provenance.files:
        state = "  CHANGED since the run began" if file.changed else ""
        yield f"{file.role:<11} {file.sha256 or 'not hashed':<64}  {file.path}{state}"


def _counted(counts: Mapping[str, int]) -> str:
    if len(counts) == 1:  # of all episodes
        return next(iter(counts))
    return ", ".join(f"{name} ({count})" for name, count in counts.items())
