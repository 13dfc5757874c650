"""``navviz whatif``: how walks end after another link, and at which steps that mends them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import (
    Blind,
    BudgetTokens,
    BudgetUsd,
    Episode,
    EpisodeFile,
    Format,
    Graphs,
    Llm,
    Run,
    Workers,
    Yes,
)
from navviz.cli.output import PARTIAL, Form, add_command, print_data, print_frame
from navviz.cli.repair import budget_of, estimated, walker_of
from navviz.support.notes import note

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from navviz.analysis.counterfactuals.walking import RepairWalker
    from navviz.analysis.what_if.kept import EpisodeWhatIf
    from navviz.runs.opened import OpenRun

_All = Annotated[
    bool, typer.Option("--all", help="The successes, too: how many other links ruin them.")
]
_Step = Annotated[
    int | None, typer.Option("--step", min=1, help="Only the forks of this step of the episode.")
]
_Samples = Annotated[
    int,
    typer.Option(
        "--samples",
        min=0,
        max=100,
        help="Of a run that asked a model: so many walks a cell, with that model. Needs EPISODE.",
    ),
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Folder of runs for sampled walks; the workspace's if not given."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "whatif",
        _what_if,
        "Say how each walk ends after another link at each fork, and which links mend a failure."
        " Of walks that asked a model: how far `rules`, reading on, still reaches the goal.",
        "navviz whatif runs/mine",
        "navviz whatif runs/mine 7 --format csv",
        "navviz whatif runs/mine 7 --step 3 --samples 5 --budget-usd 1",
    )


def _what_if(
    run: Run,
    episode: Episode = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    *,
    every: _All = False,
    step: _Step = None,
    samples: _Samples = 0,
    llm: Llm = None,
    budget_usd: BudgetUsd = None,
    budget_tokens: BudgetTokens = None,
    workers: Workers = 1,
    out: _Out = None,
    form: Format = Form.TABLE,
    blind: Blind = False,
    yes: Yes = False,
) -> None:
    from navviz.analysis.what_if.kept import what_if_of, what_ifs
    from navviz.analysis.what_if.tables import (
        CELL_SCHEMA,
        EPISODE_SCHEMA,
        cell_rows,
        cells_table,
        episode_row,
        episodes_table,
        sentence_of,
    )
    from navviz.cli.options import open_named

    _, opened = open_named(run, graphs, episode_file)
    if samples:
        if episode is None:
            raise typer.BadParameter("name an episode to sample", param_hint="EPISODE")
        budget = budget_of(budget_usd, budget_tokens)
        walker = walker_of(opened, llm, workers, None, out, budget, blind=blind)
        _sample(opened, episode, samples, step, walker, form, yes=yes)
        return
    if episode is not None:
        one = what_if_of(opened, episode)
        rows = [row for row in cell_rows(episode, one) if step in {None, row["step"]}]
        if form.is_data:
            print_data(form, [column.name for column in CELL_SCHEMA], rows)
            return
        table = cells_table(episode, one).drop(columns=["episode", "path"])
        table = table[table["step"] == step] if step is not None else table
        print_frame(_plain(table).set_index("step"), form, sentence_of(one) or "")
        return
    worked_out = what_ifs(opened, every=every)
    for key, why in worked_out.left_out.items():
        note(f"episode {key} is left out: {why}")
    if form.is_data:
        rows = [episode_row(key, one) for key, one in worked_out.episodes.items()]
        print_data(form, [column.name for column in EPISODE_SCHEMA], rows)
        return
    columns = ["walks_on", "links", "decisive", "decisive_any", "ne_m", "best_ne_m"]
    columns += ["unstable", *(["ruining"] if every else []), "follower_until"]
    table = episodes_table(worked_out.episodes)[columns]
    print_frame(_plain(table.dropna(axis=1, how="all")), form, _about(opened, worked_out.episodes))


def _plain(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose cells are words, metres with one digit."""
    shown = table.astype(object)
    for name in table.columns:
        if str(table[name].dtype) == "Float64":
            shown[name] = table[name].map("{:.1f}".format, na_action="ignore")
    return shown.where(table.notna(), "–").replace("", "none")


def _sample(
    opened: OpenRun,
    episode: str,
    samples: int,
    step: int | None,
    walker: RepairWalker,
    form: Form,
    *,
    yes: bool,
) -> None:
    """Walk the cells of one episode with its own model, after an estimate."""
    import pandas as pd

    from navviz.analysis.what_if.samples import estimate_samples, sample_cells
    from navviz.analysis.what_if.tables import SAMPLE_COLUMNS, sample_row
    from navviz.llm.registry import close_model

    if walker.llm is not None and not yes:
        question = estimated(estimate_samples(opened, episode, samples, step))
        typer.confirm(f"{question} Ask {walker.llm.name}?", abort=True, err=True)
    try:
        cells = sample_cells(opened, episode, walker, samples, step)
    finally:
        close_model(walker.llm)
    rows = [sample_row(cell) for cell in cells]
    if form.is_data:
        print_data(form, SAMPLE_COLUMNS, rows)
    else:
        about = "success: share of the walks that came to an end, with 95 % interval and n."
        frame = pd.DataFrame(rows, columns=list(SAMPLE_COLUMNS)).convert_dtypes()
        print_frame(_plain(frame).set_index("episode"), form, about)
    if any(cell.broken_off for cell in cells):
        note("Some walks were broken off; the same command goes on.")
        raise typer.Exit(PARTIAL)


def _about(opened: OpenRun, episodes: Mapping[str, EpisodeWhatIf]) -> str:
    """Say what the what-ifs of a run come to."""
    from navviz.analysis.what_if.tables import about_followed, act_steps, count_what_ifs

    counts = count_what_ifs(episodes, act_steps(opened, episodes))
    parts = []
    if counts.failures:
        parts.append(
            f"{counts.failures} failures: {len(counts.none)} without a decisive step,"
            f" {len(counts.one)} with one, {len(counts.several)} with several. The act's step is a"
            f" decisive one in {counts.agree} of {counts.acts}."
        )
    if counts.fragile:
        ruining = sum(ruin for ruin, _ in counts.fragile.values())
        links = sum(of for _, of in counts.fragile.values())
        parts.append(
            f"{ruining} of {links} other links ruin one of {len(counts.fragile)} successes."
        )
    if counts.unstable:
        parts.append(f"{counts.unstable} episodes have unstable forks, where nothing is claimed.")
    followed = about_followed(episodes)
    return " ".join([*parts, *([followed] if followed else [])])
