"""``navviz repair``: repair the cause of each failure, walk again, and count what it mends."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.ending import with_exit_code
from navviz.cli.why import WhyForm
from navviz.errors import SettingsError, StoreError

if TYPE_CHECKING:
    from navviz.analysis.counterfactuals.report import RepairEstimate
    from navviz.analysis.counterfactuals.walking import RepairWalker
    from navviz.runs.opened import OpenRun
    from navviz.views.figures.figure import FigureFormat

__all__ = ["register"]


class Kind(StrEnum):
    """Kinds of repair."""

    SHOW_LANDMARK = "show_landmark"
    REOPEN_SUB_GOAL = "reopen_sub_goal"
    REPLACE_PLAN_LINE = "replace_plan_line"
    SWAP_INSTRUCTION_WORD = "swap_instruction_word"
    UNHIDE_WAY = "unhide_way"
    TAKE_LINK = "take_link"


_Run = Annotated[
    str,
    typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several."),
]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Method = Annotated[
    str | None, typer.Option("--method", help="One of several methods in the results.")
]
_Cause = Annotated[
    str | None, typer.Option("--cause", help="Only failures with this likely cause.")
]
_KindOption = Annotated[
    Kind | None,
    typer.Option(
        "--kind",
        help=(
            "Only this kind of repair; take_link gives every failure the right link once, whatever"
            " its cause."
        ),
    ),
]
_Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="A seeded sample of so many failures.")
]
_Seed = Annotated[int, typer.Option("--seed", help="Of the sample and the placebos.")]
_Usd = Annotated[
    float | None,
    typer.Option("--budget-usd", help="Stop when the calls have cost so many US dollars."),
]
_Tokens = Annotated[
    int | None,
    typer.Option("--budget-tokens", help="Stop when the calls have used so many tokens."),
]
_Llm = Annotated[
    str | None, typer.Option("--llm", help="The model that walked, for navigators that ask one.")
]
_Workers = Annotated[
    int, typer.Option("--workers", min=1, max=256, help="Episodes at the same time.")
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Folder of runs for the walks; the workspace's if not given."),
]
_Form = Annotated[WhyForm, typer.Option("--format", help="How it is written.")]
_Figure = Annotated[
    Path | None,
    typer.Option("--figure", help="Draw the report, too: a file that ends in .svg, .pdf or .png."),
]
_Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before a model is called.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "repair",
        help=(
            "Repair the cause of each failure and walk again, beside chance and a placebo; the same"
            " command goes on where it was stopped."
        ),
    )(with_exit_code(_repair))


def _repair(
    run: _Run,
    graphs: _Graphs = None,
    method: _Method = None,
    cause: _Cause = None,
    kind: _KindOption = None,
    limit: _Limit = None,
    seed: _Seed = 0,
    llm: _Llm = None,
    budget_usd: _Usd = None,
    budget_tokens: _Tokens = None,
    workers: _Workers = 1,
    out: _Out = None,
    form: _Form = WhyForm.TABLE,
    figure: _Figure = None,
    *,
    yes: _Yes = False,
) -> None:
    from navviz.analysis.causes.kept import explained_run
    from navviz.analysis.causes.registry import get_detector
    from navviz.analysis.counterfactuals.report import estimate_repairs, walk_repairs
    from navviz.analysis.counterfactuals.trials import plan_repairs
    from navviz.analysis.tables import Format, write_table
    from navviz.cli.named_run import open_named
    from navviz.llm.registry import close_model

    drawn_as = None if figure is None else _figure_format(figure)
    if cause is not None:
        get_detector(cause)  # an unknown name is refused before a run is read
    _, opened = open_named(run, graphs, method)
    walker = _walker(opened, llm, workers, out, budget_usd, budget_tokens)
    plans = plan_repairs(
        opened,
        walker.navigator,
        explained_run(opened),
        cause=cause,
        kind=None if kind is None else kind.value,
        limit=limit,
        seed=seed,
    )
    if walker.llm is not None and plans.trials and not yes:
        question = _estimated(estimate_repairs(opened, plans))
        typer.confirm(f"{question} Ask {walker.llm.name}?", abort=True, err=True)
    try:
        report = walk_repairs(opened, plans, walker)
    finally:
        close_model(walker.llm)
    if figure is not None and drawn_as is not None:
        _write_figure(figure, report.figure(drawn_as))
    if form is WhyForm.JSON:
        typer.echo(json.dumps(report.document(), ensure_ascii=False))
        return
    if form is WhyForm.TABLE:
        for row in report.rows:
            typer.echo(f"{row.name}: {row.sentence}.")
    typer.echo(write_table(report.table(), Format(form.value), report.note))
    if report.open:
        typer.echo(f"{report.open} walks were broken off; the same command goes on.", err=True)


def _figure_format(figure: Path) -> FigureFormat:
    """Return how a figure is written, by its file's end."""
    formats: dict[str, FigureFormat] = {".svg": "svg", ".pdf": "pdf", ".png": "png"}
    kind = formats.get(figure.suffix.lower())
    if kind is None:
        raise SettingsError(
            f"--figure is {figure.name}: name a file that ends in .svg, .pdf or .png."
        )
    return kind


def _write_figure(figure: Path, content: bytes) -> None:
    try:
        figure.parent.mkdir(parents=True, exist_ok=True)
        figure.write_bytes(content)
    except OSError as error:
        raise StoreError(
            f"{figure} cannot be written ({error.strerror}): choose another place with --figure."
        ) from error


def _walker(
    opened: OpenRun,
    llm: str | None,
    workers: int,
    out: Path | None,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> RepairWalker:
    from navviz.analysis.counterfactuals.walking import run_walker
    from navviz.llm.registry import make_model
    from navviz.llm.streaming import ModelOptions
    from navviz.runner.budget import Budget
    from navviz.runner.config import parted_settings

    model = None
    if llm is not None:
        header = next(iter(opened.outlines.values())).header
        options = ModelOptions.model_validate(parted_settings(header.settings)[1])
        model = make_model(llm, options)
    limited = budget_usd is not None or budget_tokens is not None
    return run_walker(
        opened,
        llm=model,
        out=out,
        workers=workers,
        budget=Budget(budget_usd, budget_tokens) if limited else None,
    )


def _estimated(estimate: RepairEstimate) -> str:
    """Say what the walks will take, by what their steps took when they were recorded."""
    usd = "at an unknown price" if estimate.usd is None else f"about ${estimate.usd:.2f}"
    return (
        f"{estimate.walks} walks, about {estimate.calls:,} calls and {estimate.tokens:,} tokens,"
        f" {usd}."
    )
