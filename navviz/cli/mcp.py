"""``navviz mcp``: open runs for agents that read, over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.options import BudgetTokens, BudgetUsd, EpisodeFile, Graphs, Llm
from navviz.cli.output import add_command
from navviz.errors import SettingsError

_Runs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN",
        help="Result files or folders of traces; the bundled sample without any.",
        show_default=False,
    ),
]
_Walks = Annotated[
    bool,
    typer.Option(
        "--allow-walks", help="Let a client walk an episode again by another instruction."
    ),
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Folder of runs for such walks; the workspace's if not given."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "mcp",
        _mcp,
        "Serve runs to an agent that reads: figures, causes, steps and maps over the Model Context"
        " Protocol, on standard input and output.",
        "navviz mcp runs/mine runs/other",
    )


def _mcp(
    runs: _Runs = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    *,
    allow_walks: _Walks = False,
    llm: Llm = None,
    budget_usd: BudgetUsd = None,
    budget_tokens: BudgetTokens = None,
    out: _Out = None,
) -> None:
    from navviz.cli.options import open_all_named
    from navviz.llm.registry import close_model, make_model
    from navviz.notebook.mcp_server import RunTools, WalkTools, make_server
    from navviz.runner.budget import Budget
    from navviz.runs.sources import workspace_dir
    from navviz.support.installation.extras import needs_extra
    from navviz.support.installation.files import samples_dir

    with needs_extra("mcp"):
        import mcp  # noqa: F401 - missing, it is named before runs are read
    if llm is not None and not allow_walks:
        raise SettingsError("--llm asks a model in walks: add --allow-walks, or leave it out.")
    if llm is not None and budget_usd is None and budget_tokens is None:
        raise SettingsError("A client may walk often: add --budget-usd or --budget-tokens.")
    named = runs or [str(samples_dir() / "harbour" / "runs" / "rules")]
    opened = open_all_named(named, graphs, episode_file)
    model = None if llm is None else make_model(llm)
    walks = None
    if allow_walks:
        budget = None if model is None else Budget(budget_usd, budget_tokens)
        walks = WalkTools(opened, out or workspace_dir() / "runs", model, budget)
    try:
        make_server(RunTools(opened), walks).run()
    finally:
        close_model(model)
