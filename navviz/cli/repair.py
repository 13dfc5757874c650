"""``navviz repair``: repair the cause of each failure, walk again, and count what it mends."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import (
    Blind,
    BudgetTokens,
    BudgetUsd,
    Engine,
    EpisodeFile,
    Format,
    Graphs,
    Llm,
    Run,
    Seed,
    Workers,
    Yes,
)
from navviz.cli.output import PARTIAL, Form, add_command, print_data, print_frame
from navviz.errors import SettingsError
from navviz.support.guarded import write_whole
from navviz.support.notes import note, tell

if TYPE_CHECKING:
    from navviz.analysis.counterfactuals.report import RepairEstimate
    from navviz.analysis.counterfactuals.walking import RepairWalker
    from navviz.runner.budget import Budget
    from navviz.runner.recorded_walker import RecordedWalker
    from navviz.runs.opened import OpenRun
    from navviz.views.figures.figure import FigureFormat


class Kind(StrEnum):
    """Kinds of repair."""

    SHOW_LANDMARK = "show_landmark"
    REOPEN_SUB_GOAL = "reopen_sub_goal"
    REPLACE_PLAN_LINE = "replace_plan_line"
    SWAP_INSTRUCTION_WORD = "swap_instruction_word"
    UNHIDE_WAY = "unhide_way"
    TAKE_LINK = "take_link"


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
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Folder of runs for the walks; the workspace's if not given."),
]
_Figure = Annotated[
    Path | None,
    typer.Option("--figure", help="Draw the report, too: a file that ends in .svg, .pdf or .png."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "repair",
        _repair,
        "Repair the cause of each failure and walk again, next to chance and a placebo; the same"
        " command goes on where it was stopped.",
        "navviz repair runs/mine --cause miscounted --limit 2",
        "navviz repair runs/mine --kind take_link --out repairs --figure repairs.svg",
    )


def _repair(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    cause: _Cause = None,
    kind: _KindOption = None,
    limit: _Limit = None,
    seed: Seed = 0,
    llm: Llm = None,
    budget_usd: BudgetUsd = None,
    budget_tokens: BudgetTokens = None,
    workers: Workers = 1,
    engine: Engine = None,
    out: _Out = None,
    form: Format = Form.TABLE,
    figure: _Figure = None,
    *,
    blind: Blind = False,
    yes: Yes = False,
) -> None:
    from navviz.analysis.causes.counting import explained_run
    from navviz.analysis.causes.registry import get_detector
    from navviz.analysis.counterfactuals.report import (
        REPAIR_COLUMNS,
        estimate_repairs,
        walk_repairs,
    )
    from navviz.analysis.counterfactuals.trials import plan_repairs
    from navviz.cli.options import open_named
    from navviz.llm.registry import close_model

    # a wrong ending is refused before anything is walked and paid for
    drawn_as = None if figure is None else _figure_format(figure)
    if cause is not None:
        get_detector(cause)  # an unknown name is refused before a run is read
    _, opened = open_named(run, graphs, episode_file)
    budget = budget_of(budget_usd, budget_tokens)
    walker = walker_of(opened, llm, workers, engine, out, budget, blind=blind)
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
        question = estimated(estimate_repairs(opened, plans))
        typer.confirm(f"{question} Ask {walker.llm.name}?", abort=True, err=True)
    try:
        report = walk_repairs(opened, plans, walker)
    finally:
        close_model(walker.llm)
    if figure is not None and drawn_as is not None:
        write_whole(figure, report.figure(drawn_as))
    if form.is_data:
        print_data(form, REPAIR_COLUMNS, report.records(), report.document())
    else:
        if form is Form.TABLE:
            for row in report.rows:
                tell(f"{row.name}: {row.sentence}.")
        print_frame(report.table(), form, report.note)
    if report.open:
        note(f"{report.open} walks were broken off; the same command goes on.")
        raise typer.Exit(PARTIAL)


def _figure_format(figure: Path) -> FigureFormat:
    """Return how a figure is written, by its file's end."""
    formats: dict[str, FigureFormat] = {".svg": "svg", ".pdf": "pdf", ".png": "png"}
    kind = formats.get(figure.suffix.lower())
    if kind is None:
        raise SettingsError(
            f"--figure is {figure.name}: name a file that ends in .svg, .pdf or .png."
        )
    return kind


def walker_of(
    opened: OpenRun,
    llm: str | None,
    workers: int,
    engine: str | None,
    out: Path | None,
    budget: Budget | None,
    *,
    blind: bool,
) -> RepairWalker:
    """Return who walks a run again, asked as in the run; a note says what cannot be the same."""
    from navviz.analysis.counterfactuals.walking import run_walker
    from navviz.llm.prices import load_prices
    from navviz.llm.streaming import ModelOptions
    from navviz.runner.engine import ModelSpec
    from navviz.runner.recorded_walker import recorded_walker
    from navviz.runs.sources import workspace_dir

    spec = None
    first = next(iter(opened.traces.values()), None)
    if first is not None:
        recorded = recorded_walker(first, opened.source.results)
        if recorded.sentence:
            note(f"note: {recorded.sentence}")
        asks = _asks(recorded)
        llm = llm or (
            recorded.model
            if asks and not (recorded.model is not None and recorded.model.startswith("scripted"))
            else None
        )
    if first is not None and llm is not None:
        # the model is asked as it was in the run: another thinking level would be a second change
        options = ModelOptions.model_validate(dict(recorded.model_options))
        spec = ModelSpec(llm, options, load_prices(workspace_dir() / "prices.json"))
    return run_walker(
        opened,
        llm=None if spec is None else spec.make(),
        out=out,
        workers=workers,
        budget=budget,
        engine=engine,
        spec=spec,
        blind=blind,
    )


def _asks(recorded: RecordedWalker) -> bool:
    """Whether the run's navigator asks a model."""
    from navviz.systems.base import asks_model
    from navviz.systems.registry import get_navigator, settings_from

    if not recorded.is_here:
        return False
    navigator = get_navigator(recorded.navigator)
    return asks_model(navigator, settings_from(navigator, recorded.settings))


def budget_of(usd: float | None, tokens: int | None) -> Budget | None:
    """Return the limit of new calls; ``None`` without one."""
    from navviz.runner.budget import Budget

    return None if usd is None and tokens is None else Budget(usd, tokens)


def estimated(estimate: RepairEstimate) -> str:
    """Say what the walks will take, by what their steps took when they were recorded."""
    from navviz.llm.prices import about_usd

    return (
        f"{estimate.walks} walks, about {estimate.calls:,} calls and {estimate.tokens:,} tokens,"
        f" {about_usd(estimate.usd)}."
    )
