"""``navviz compare``: two to eight runs on the episodes they share, with intervals and tests against a baseline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.commands.ending import with_exit_code
from navviz.errors import SettingsError

if TYPE_CHECKING:
    import pandas as pd

    from navviz.analysis.significance import Inference

__all__ = ["Format", "register", "written"]

_MOST = 8


class Format(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"
    JSON = "json"


_Runs = Annotated[
    list[str],
    typer.Argument(help="Two to eight runs: result files or folders of traces; METHOD@FILE where one holds several."),
]
_Graphs = Annotated[Path | None, typer.Option("--graphs", help="Graph folder, if it does not lie beside the results.")]
_Baseline = Annotated[str | None, typer.Option("--baseline", help="Name of the run to compare with; else the first.")]
_Metrics = Annotated[str, typer.Option("--metrics", help="Metrics with commas between them, as score names them.")]
_Format = Annotated[Format, typer.Option("--format", help="How the table is printed.")]
_Seed = Annotated[int, typer.Option("--seed", help="Of bootstrap and permutations; the same seed, the same table.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", help="Compare runs on the episodes that all of them walked.")(with_exit_code(_compare))


def _compare(
    runs: _Runs,
    graphs: _Graphs = None,
    baseline: _Baseline = None,
    metrics: _Metrics = "SR,OSR,NE,SPL,nDTW,SDTW",
    form: _Format = Format.TABLE,
    seed: _Seed = 0,
) -> None:
    from navviz.analysis.significance import compare_to_baseline
    from navviz.runs.opened import open_run

    if not 2 <= len(runs) <= _MOST:
        raise SettingsError(f"Compare takes two to {_MOST} runs; {len(runs)} were named.")
    scores = {}
    for text in runs:
        method, at, place = text.rpartition("@") if "@" in text and not Path(text).exists() else ("", "", text)
        opened = open_run(place, graphs=graphs, method=method if at else None)
        name = f"{method} ({opened.name})" if at else opened.name
        scores[name if name not in scores else str(place)] = opened.scores
    inference = compare_to_baseline(
        scores, baseline, [name.strip() for name in metrics.split(",") if name.strip()], seed=seed
    )
    dropped = [f"{name}: {score.summary()}" for name, score in scores.items() if score.errors]
    for line in dropped:
        typer.echo(f"warning: {line}; the errors are part of no mean", err=True)
    typer.echo(_document(inference) if form is Format.JSON else written(_frame(inference), form, _note(inference)))


def _document(inference: Inference) -> str:
    means = {
        metric: {run: None if one is None else asdict(one) for run, one in runs.items()}
        for metric, runs in inference.means.items()
    }
    differences = [asdict(one) | {"significant": one.significant} for one in inference.differences]
    return json.dumps(
        {
            "episodes": len(inference.comparison.episodes),
            "baseline": inference.baseline,
            "means": means,
            "differences": differences,
        }
    )


def _frame(inference: Inference) -> pd.DataFrame:
    import pandas as pd

    rows = {}
    for run in inference.comparison.runs:
        cells = {}
        for metric, runs in inference.means.items():
            interval, difference = runs[run], inference.difference(metric, run)
            star = "*" if difference is not None and difference.significant else ""
            cells[metric] = "–" if interval is None else f"{interval.mean:.3f}{star}"
            cells[f"{metric} 95 %"] = "–" if interval is None else f"{interval.low:.3f} … {interval.high:.3f}"
            cells[f"{metric} p"] = "" if difference is None else _p(difference.p_holm)
        rows[run] = cells
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("run")


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _note(inference: Inference) -> str:
    return (
        f"{len(inference.comparison.episodes)} shared episodes; p against {inference.baseline}, two-sided, paired by "
        "episode (McNemar's exact test for SR and OSR, permutation for the rest), adjusted after Holm; * p < 0.05"
    )


def written(frame: pd.DataFrame, form: Format, note: str = "") -> str:
    """Write a table in one of the formats; `note` says how to read it."""
    table = frame.reset_index()
    if form is Format.CSV:
        return str(table.to_csv(index=False, lineterminator="\n")).rstrip("\n")
    if form is Format.LATEX:
        return _latex(table, note)
    if form is Format.JSON:
        return str(table.to_json(orient="records", force_ascii=False))
    rows = [list(map(str, table.columns)), *([str(value) for value in row] for row in table.to_numpy().tolist())]
    if form is Format.MARKDOWN:
        rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + " --- |" * len(rows[0]))
        return "\n".join([*lines, *(["", note] if note else [])])
    return "\n".join([*_aligned(rows), *(["", note] if note else [])])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "…": "--",
        "–": "--",
        "<": r"$<$",
        ">": r"$>$",
    }
)


def _latex(table: pd.DataFrame, note: str) -> str:
    """Write a booktabs table; all text is escaped."""
    lines = [f"% {note}"] if note else []
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}", r"\toprule"]
    lines.append(" & ".join(str(name).translate(_SPECIAL) for name in table.columns) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(str(value).translate(_SPECIAL) for value in row) + r" \\" for row in table.to_numpy().tolist()]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
