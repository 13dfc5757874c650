"""``navviz compare``: two to eight runs on the episodes they share, with intervals and tests
against a baseline.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.analysis.tables import Format, inference_frame, inference_note, write_table
from navviz.cli.ending import with_exit_code
from navviz.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from navviz.analysis.significance import Inference
    from navviz.runs.opened import OpenRun

_MOST = 8
_USUAL = "SR,OSR,NE,SPL,nDTW,SDTW"


_Runs = Annotated[
    list[str],
    typer.Argument(
        help=(
            "Two to eight runs: result files or folders of traces; METHOD@FILE where one holds"
            " several."
        )
    ),
]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Baseline = Annotated[
    str | None, typer.Option("--baseline", help="Name of the run to compare with; else the first.")
]
_Metrics = Annotated[
    str, typer.Option("--metrics", help="Metrics with commas between them, as score names them.")
]
_Format = Annotated[Format, typer.Option("--format", help="How the table is printed.")]
_Seed = Annotated[
    int,
    typer.Option("--seed", help="Of bootstrap and permutations; the same seed, the same table."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", help="Compare runs on the episodes that all of them walked.")(
        with_exit_code(_compare)
    )


def _compare(
    runs: _Runs,
    graphs: _Graphs = None,
    baseline: _Baseline = None,
    metrics: _Metrics = _USUAL,
    form: _Format = Format.TABLE,
    seed: _Seed = 0,
) -> None:
    from navviz.analysis.paired_runs import beside, metrics_beside, pairing_sentences
    from navviz.analysis.significance import compare_to_baseline
    from navviz.cli.named_run import open_named

    if not 2 <= len(runs) <= _MOST:
        raise SettingsError(f"Compare takes two to {_MOST} runs; {len(runs)} were named.")
    named: dict[str, OpenRun] = {}
    for text in runs:
        name, opened = open_named(text, graphs)
        if named:
            opened = beside(next(iter(named.values())), opened)
        named[name if name not in named else str(text)] = opened
    wanted: Sequence[str] = [name.strip() for name in metrics.split(",") if name.strip()]
    if metrics == _USUAL:
        wanted = metrics_beside(wanted, named.values())
    first, *others = named.values()
    for sentence in pairing_sentences(first, others):
        typer.echo(f"note: {sentence}", err=True)
    scores = {name: opened.scores for name, opened in named.items()}
    inference = compare_to_baseline(scores, baseline, wanted, seed=seed)
    dropped = [
        f"{name}: {score.summary()}" for name, score in scores.items() if score.walked < len(score)
    ]
    for line in dropped:
        typer.echo(f"warning: {line}; what was not walked is part of no mean", err=True)
    typer.echo(
        _document(inference)
        if form is Format.JSON
        else write_table(inference_frame(inference), form, inference_note(inference))
    )


def _document(inference: Inference) -> str:
    means: dict[str, dict[str, object]] = {}
    for metric, runs in inference.means.items():
        means[metric] = {}
        for run, mean in runs.items():
            means[metric][run] = None if mean is None else asdict(mean)
    differences = []
    for difference in inference.differences:
        row = asdict(difference) | {"significant": difference.significant}
        differences.append(row)
    document = {
        "episodes": len(inference.comparison.episodes),
        "baseline": inference.baseline,
        "means": means,
        "differences": differences,
    }
    return json.dumps(document)
