"""``navviz slices``: which instructions, routes and junctions a run fails on more often than on the
rest.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.ending import with_exit_code
from navviz.errors import SettingsError

if TYPE_CHECKING:
    from navviz.analysis.slices import Slice


class By(StrEnum):
    """What is counted."""

    EPISODE = "episode"
    JUNCTION = "junction"


_Run = Annotated[
    str,
    typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several."),
]
_Other = Annotated[
    str | None, typer.Argument(help="Another run: say on what the first one is worse than it.")
]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Method = Annotated[
    str | None, typer.Option("--method", help="One of several methods in the results.")
]
_By = Annotated[
    By,
    typer.Option(
        "--by", help="Count episodes that fail, or junctions where the agent leaves the route."
    ),
]
_Most = Annotated[int, typer.Option("--most", min=1, help="How many slices are printed.")]
_Causes = Annotated[
    bool,
    typer.Option("--causes", help="Count the causes of `navviz why` among the features."),
]
_Json = Annotated[
    bool,
    typer.Option("--json", help="One JSON object a line, with odds ratio, interval, p, episodes."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("slices", help="Say on what a run fails more often than on the rest.")(
        with_exit_code(_slices)
    )


def _slices(
    run: _Run,
    other: _Other = None,
    graphs: _Graphs = None,
    method: _Method = None,
    by: _By = By.EPISODE,
    most: _Most = 20,
    *,
    causes: _Causes = False,
    as_json: _Json = False,
) -> None:
    if other is not None and by is By.JUNCTION:
        raise SettingsError("Two runs are compared by episode; leave out --by junction.")
    if causes and (other is not None or by is By.JUNCTION):
        raise SettingsError("Causes are those of one run's episodes; leave out the other option.")
    if causes:
        slices = _with_causes(run, graphs, method)
    elif other is not None:
        slices = _of_two(run, other, graphs)
    else:
        slices = _of_one(run, graphs, method, by)
    for row in slices[:most]:
        typer.echo(json.dumps(_document(row), ensure_ascii=False) if as_json else row.sentence)
    if not slices:
        typer.echo("No feature is shared by five of them and missing in five others.")


def _of_one(run: str, graphs: Path | None, method: str | None, by: By) -> list[Slice]:
    from navviz.analysis.departure_slices import departure_slices
    from navviz.analysis.kept.marks import finished_marks
    from navviz.analysis.slices import failed_episodes, failure_slices
    from navviz.cli.named_run import open_named

    _, opened = open_named(run, graphs, method)
    if (kept := finished_marks(opened)) is not None:
        return kept.departures if by is By.JUNCTION else kept.slices
    if by is By.JUNCTION:
        return departure_slices(opened.traces, opened.graph_of)
    return failure_slices(opened.traces, failed_episodes(opened.scores), opened.graph_of)


def _with_causes(run: str, graphs: Path | None, method: str | None) -> list[Slice]:
    from navviz.analysis.causes.kept import explained_run
    from navviz.analysis.causes.slices import CONFOUNDED, slices_with_causes
    from navviz.cli.named_run import open_named

    _, opened = open_named(run, graphs, method)
    typer.echo(CONFOUNDED, err=True)
    return slices_with_causes(opened, explained_run(opened))


def _of_two(run: str, other: str, graphs: Path | None) -> list[Slice]:
    from navviz.analysis.slice_features import run_features
    from navviz.analysis.slices import failed_episodes, worse_slices
    from navviz.cli.named_run import open_named

    (first, a), (second, b) = open_named(run, graphs), open_named(other, graphs)
    failed, other_failed = failed_episodes(a.scores), failed_episodes(b.scores)
    shared = failed.keys() & other_failed.keys()
    if not shared:
        raise SettingsError(
            f"{first} and {second} share no episode that both walked; choose runs that do."
        )
    alone = sum(failed[key] and not other_failed[key] for key in shared)
    other_alone = sum(other_failed[key] and not failed[key] for key in shared)
    both = f"Of {len(shared)} episodes that both walked, "
    typer.echo(f"{both}{first} alone fails in {alone}, {second} alone in {other_alone}.", err=True)
    return worse_slices(run_features(a.traces, a.graph_of), failed, other_failed, (first, second))


def _document(row: Slice) -> dict[str, object]:
    """One slice with the interval of its odds ratio."""
    return asdict(row) | {"low": row.low, "high": row.high}
