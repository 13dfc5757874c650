"""``navviz stability``: how well several walks of the same episodes agree, and where they part."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.ending import with_exit_code
from navviz.errors import SettingsError
from navviz.support.guarded import is_folder

if TYPE_CHECKING:
    from navviz.analysis.stability import Stability

_Runs = Annotated[
    list[str],
    typer.Argument(
        help="A run with --samples, whose further walks lie beside it; or several runs."
    ),
]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Most = Annotated[
    int, typer.Option("--most", min=1, help="How many episodes are listed, the least stable first.")
]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object an episode.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("stability", help="Say how well several walks of the same episodes agree.")(
        with_exit_code(_stability)
    )


def _stability(
    runs: _Runs, graphs: _Graphs = None, most: _Most = 10, *, as_json: _Json = False
) -> None:
    from navviz.analysis.stability import stability_of_runs
    from navviz.cli.named_run import open_named

    names = _with_samples(runs[0]) if len(runs) == 1 else runs
    if len(names) < 2:
        raise SettingsError(
            f"{runs[0]} has no further samples beside it; use run --samples, or name several runs."
        )
    rows = stability_of_runs([open_named(name, graphs)[1].traces for name in names])
    if not rows:
        raise SettingsError("These runs share no episode; choose runs on the same episodes.")
    if not as_json:
        typer.echo(
            f"{len(rows)} episodes, {len(names)} runs: links in common {_mean(rows, 'overlap')},"
            f" same path {_mean(rows, 'same_path')}, same end {_mean(rows, 'same_end')}"
        )
    for row in sorted(rows.values(), key=lambda each: each.overlap)[: None if as_json else most]:
        typer.echo(_record(row) if as_json else _line(row))


def _with_samples(name: str) -> list[str]:
    """Return a run with the folders of its further samples, which lie beside it."""
    from navviz.analysis.stability import is_sample_of

    path = Path(name)
    samples = sorted(path.parent.glob(f"{path.name}-sample-*")) if is_folder(path) else []
    return [name, *(str(other) for other in samples if is_sample_of(other.name, path.name))]


def _mean(rows: dict[str, Stability], name: str) -> str:
    return f"{100 * fmean(getattr(row, name) for row in rows.values()):.0f} %"


def _line(row: Stability) -> str:
    at = (
        f"; most at {row.junctions[0].node} ({row.junctions[0].bits:.2f} bits)"
        if row.junctions
        else ""
    )
    return f"  {row.episode}: {row.walks} walks, links in common {100 * row.overlap:.0f} %{at}"


def _record(row: Stability) -> str:
    names = ("episode", "walks", "same_path", "overlap", "same_end", "bits")
    record: dict[str, object] = {name: getattr(row, name) for name in names}
    junctions = []
    for each in row.junctions:
        choices = dict(each.choices)
        junctions.append({"node": each.node, "bits": each.bits, "choices": choices})
    record["junctions"] = junctions
    return json.dumps(record)
