"""``navviz table``: runs by difficulty, split, format, tag ... and the tables of papers, computed
from the runs.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import EpisodeFile, Graphs, Runs, open_all_named
from navviz.cli.output import Form, add_command, table_format
from navviz.errors import SettingsError
from navviz.support.guarded import json_text, write_whole
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.analysis.grouped import GroupedTable
    from navviz.analysis.walks import Difficulties, ScoredWalk
    from navviz.runs.run import OpenRun


class TableForm(StrEnum):
    """How the table is written."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MD = "md"
    TEX = "tex"
    SVG = "svg"
    PDF = "pdf"


_Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        help=(
            "A paper's table: groke-2, groke-3, groke-5, groke-7, groke-9, groke-10, groke-a1,"
            " groke-figure-7 (two runs, the dearer first), r2r, msnav, msnav-5, navgpt-2, navgpt-3,"
            " reverie, lhvln, lhvln-step."
        ),
    ),
]
_By = Annotated[
    str | None,
    typer.Option(
        "--by",
        help=(
            "Groups, with commas: difficulty, split, dataset, format, navigator, model, length,"
            " sub-goals, sub-tasks, words, world, tag, skill, temporal, set.NAME (a setting),"
            " extra.NAME (a field of the episodes)."
        ),
    ),
]
_Rows = Annotated[
    str | None,
    typer.Option("--rows", help="Groups of the rows, with commas; run, then --by, if not given."),
]
_Columns = Annotated[
    str | None, typer.Option("--columns", help="Groups beside each other, each with all metrics.")
]
_Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        help=(
            "Metrics as score names them, steps, tokens, cost_usd ...; NAME% in per cent, NAME:2"
            " digits. Without it, those of the head that the runs have."
        ),
    ),
]
_Form = Annotated[TableForm, typer.Option("--format", help="How the table is written.")]
_Out = Annotated[
    Path | None, typer.Option("--out", help="File to write it to; else it is printed (not pdf).")
]
_Ratings = Annotated[
    Path | None,
    typer.Option(
        "--ratings",
        help="GROKE's correctness_hardness.json; else one near the results counts for difficulty.",
    ),
]
_Names = Annotated[
    str | None, typer.Option("--names", help="Names of the runs in the table, with commas.")
]
_Intervals = Annotated[
    bool,
    typer.Option(
        "--intervals",
        help="Add 95 % intervals: bootstrap over episodes; exact for rates of fewer than 30.",
    ),
]
_Best = Annotated[
    bool,
    typer.Option(
        "--best",
        help=("Set the best of each column in bold, of rows on the same episodes (tex, md, svg)."),
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "table",
        _table,
        "Print runs by groups, or a paper's table.",
        "navviz table runs/mine runs/other --by length --intervals",
        "navviz table runs/mine --preset groke-2 --format tex --out table.tex",
    )


def _table(
    runs: Runs,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    preset: _Preset = None,
    by: _By = None,
    rows: _Rows = None,
    columns: _Columns = None,
    metrics: _Metrics = None,
    form: _Form = TableForm.TABLE,
    out: _Out = None,
    ratings: _Ratings = None,
    names: _Names = None,
    *,
    intervals: _Intervals = False,
    best: _Best = False,
) -> None:
    from navviz.analysis.charts import FIGURE_7
    from navviz.analysis.walks import walks_of

    opened = _renamed(open_all_named(runs, graphs, episode_file), names)
    difficulties = _difficulties(opened, ratings)
    walks = walks_of(opened, difficulties)
    # a table without bands needs no note on where they come from
    uses = "difficulty" in f"{by},{rows},{columns}" or _needs_bands(preset)
    notes = []
    for name, run in opened.items():
        if run.scores.walked < len(run.scores):
            summary = run.scores.summary()
            notes.append(f"{name}: {summary}")
        notes += [f"{name}: {mark.sentence}" for mark in run.marks]
    if uses and difficulties is not None:
        notes.append(f"difficulty bands by {difficulties.source}")
    if preset == FIGURE_7:
        table = _figure_7(opened, walks)
    elif preset is not None:
        if by or rows or columns or metrics is not None:
            raise SettingsError(
                "A preset has rows, columns and metrics of its own: leave out --by, --rows,"
                " --columns, --metrics."
            )
        from navviz.analysis.grouped import preset_table

        table = preset_table(walks, preset, intervals=intervals, notes=notes)
    else:
        named = _listed(metrics)
        if metrics is None:
            named = _head(opened)
        table = _chosen(walks, len(opened), by, rows, columns, named, notes, intervals=intervals)
    _write(table, form, out, best=best)


def _needs_bands(preset: str | None) -> bool:
    from navviz.analysis.grouped import presets

    chosen = None if preset is None else presets().get(preset)
    return chosen is not None and "difficulty" in chosen.rows


def _renamed(opened: dict[str, OpenRun], names: str | None) -> dict[str, OpenRun]:
    if names is None:
        return opened
    given = [name.strip() for name in names.split(",")]
    if len(given) != len(opened) or len(set(given)) != len(given) or not all(given):
        raise SettingsError(
            f"--names must name each of the {len(opened)} runs once: {', '.join(opened)}."
        )
    return dict(zip(given, opened.values(), strict=True))


def _difficulties(opened: dict[str, OpenRun], ratings: Path | None) -> Difficulties | None:
    from navviz.analysis.walks import difficulties_beside, read_difficulties

    if ratings is not None:
        return read_difficulties(ratings)
    return difficulties_beside(
        run.source.results for run in opened.values() if run.source.results is not None
    )


def _figure_7(opened: dict[str, OpenRun], walks: list[ScoredWalk]) -> GroupedTable:
    from navviz.analysis.charts import FIGURE_7, marginal_table

    if len(opened) != 2:
        raise SettingsError(
            f"{FIGURE_7} takes two runs, the dearer first; {len(opened)} were named."
        )
    # a dict keeps the order of the command line
    dear, cheap = opened
    return marginal_table(
        [walk for walk in walks if walk.run == dear],
        [walk for walk in walks if walk.run == cheap],
    )


def _chosen(
    walks: list[ScoredWalk],
    runs: int,
    by: str | None,
    rows: str | None,
    columns: str | None,
    metrics: list[str],
    notes: list[str],
    *,
    intervals: bool,
) -> GroupedTable:
    from navviz.analysis.grouped import TableSpec, grouped_table
    from navviz.analysis.measures import measure
    from navviz.analysis.walks import grouping

    # a single run needs no column with its name
    groups = _listed(rows) or (["run"] if runs > 1 or not by else [])
    groups += [name for name in _listed(by) if name not in groups]
    spec = TableSpec(
        rows=tuple(grouping(name) for name in groups),
        measures=tuple(measure(name) for name in metrics),
        columns=grouping(columns) if columns else None,
        intervals=intervals,
    )
    return grouped_table(walks, spec, notes=notes)


def _head(opened: dict[str, OpenRun]) -> list[str]:
    """Return the metrics of the head that any run has, the navigation error first."""
    from navviz.analysis.family import compared_metrics, head_metrics

    by_metric: dict[str, dict[str, float | None]] = {}
    for name, run in opened.items():
        for metric, mean in run.scores.means.items():
            by_metric.setdefault(metric, {})[name] = mean
    # without any figure, the usual ones are shown as missing
    present = head_metrics(by_metric) or compared_metrics()
    return sorted(present, key=lambda name: name != "NE")


def _listed(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _write(table: GroupedTable, form: TableForm, out: Path | None, *, best: bool) -> None:
    from navviz.analysis.tables import grouped_records, write_grouped

    if form in {TableForm.SVG, TableForm.PDF}:
        from navviz.analysis.tables import table_bytes

        content = table_bytes(table, "pdf" if form is TableForm.PDF else "svg", best=best)
        if form is TableForm.PDF and out is None:
            raise SettingsError("A PDF is not printed: name a file with --out.")
    elif form is TableForm.JSONL:
        content = "".join(json_text(row) + "\n" for row in grouped_records(table)).encode()
    else:
        content = (write_grouped(table, table_format(Form(form.value)), best=best) + "\n").encode()
    if out is None:
        typer.echo(content.decode().rstrip("\n"))
        return
    write_whole(out, content)
    tell(f"{out}: {len(table.rows)} rows, {len(table.columns)} columns of figures")
