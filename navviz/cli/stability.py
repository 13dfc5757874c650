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

__all__ = ["register"]

_Runs = Annotated[
    list[str], typer.Argument(help="A run with --samples, whose further walks lie beside it; or several runs.")
]
_Graphs = Annotated[Path | None, typer.Option("--graphs", help="Graph folder, if it does not lie beside the results.")]
_Most = Annotated[int, typer.Option("--most", min=1, help="How many episodes are listed, the least stable first.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object an episode.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("stability", help="Say how well several walks of the same episodes agree.")(with_exit_code(_stability))


def _stability(runs: _Runs, graphs: _Graphs = None, most: _Most = 10, *, as_json: _Json = False) -> None:
    from navviz.analysis.stability import stability_of_runs
    from navviz.cli.named_run import open_named

    names = _with_samples(runs[0]) if len(runs) == 1 else runs
    if len(names) < 2:
        raise SettingsError(f"{runs[0]} has no further samples beside it; use run --samples, or name several runs.")
    rows = stability_of_runs([open_named(name, graphs)[1].traces for name in names])
    if not rows:
        raise SettingsError("These runs share no episode; choose runs on the same episodes.")
    if not as_json:
        typer.echo(
            f"{len(rows)} episodes, {len(names)} runs: links in common {_mean(rows, 'overlap')}, same path "
            f"{_mean(rows, 'same_path')}, same end {_mean(rows, 'same_end')}"
        )
    for one in sorted(rows.values(), key=lambda row: row.overlap)[: None if as_json else most]:
        typer.echo(_record(one) if as_json else _line(one))


def _with_samples(name: str) -> list[str]:
    """Return a run with the folders of its further samples, which lie beside it."""
    from navviz.analysis.stability import is_sample_of

    path = Path(name)
    beside = sorted(path.parent.glob(f"{path.name}-sample-*")) if is_folder(path) else []
    return [name, *(str(other) for other in beside if is_sample_of(other.name, path.name))]


def _mean(rows: dict[str, Stability], name: str) -> str:
    return f"{100 * fmean(getattr(row, name) for row in rows.values()):.0f} %"


def _line(one: Stability) -> str:
    at = f"; most at {one.junctions[0].node} ({one.junctions[0].bits:.2f} bits)" if one.junctions else ""
    return f"  {one.episode}: {one.walks} walks, links in common {100 * one.overlap:.0f} %{at}"


def _record(one: Stability) -> str:
    told = {name: getattr(one, name) for name in ("episode", "walks", "same_path", "overlap", "same_end", "bits")}
    junctions = [{"node": each.node, "bits": each.bits, "choices": dict(each.choices)} for each in one.junctions]
    return json.dumps(told | {"junctions": junctions})
