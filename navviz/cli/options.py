"""Arguments and options that several commands have: one word for one thing, and one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.output import Form

Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Result file or folder of traces; METHOD@FILE where one holds several.",
        show_default=False,
    ),
]
Runs = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="Result files or folders of traces; METHOD@FILE where one holds several.",
        show_default=False,
    ),
]
Episode = Annotated[
    str | None, typer.Argument(metavar="EPISODE", help="One episode; all without it.")
]
Episodes = Annotated[
    list[str] | None,
    typer.Argument(metavar="EPISODE", help="Episodes; all where none is named."),
]
Graphs = Annotated[
    Path | None,
    typer.Option(
        "--graphs", help="Graph folder, if it does not lie near the run.", show_default=False
    ),
]
EpisodeFile = Annotated[
    Path | None,
    typer.Option(
        "--episodes",
        help="Episode file, if the run names its episodes by id alone.",
        show_default=False,
    ),
]
Method = Annotated[
    str | None,
    # METHOD@RUN says the same, for several runs too
    typer.Option("--method", help="Old spelling of METHOD@RUN.", hidden=True),
]

WalkedEpisodes = Annotated[
    Path, typer.Option("--episodes", help="Episode file.", show_default=False)
]
WalkedGraphs = Annotated[
    Path,
    typer.Option(
        "--graphs",
        help="Graph folder (or the data set's folder that holds it).",
        show_default=False,
    ),
]
Navigator = Annotated[
    str | None,
    typer.Option("--navigator", help="Who walks: rules, groke, a baseline ...", show_default=False),
]
Blind = Annotated[
    bool,
    typer.Option(
        "--blind",
        help="Walk too where nothing describes the views; such figures are marked blind.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Setting of the navigator, key=value; of the model as model.thinking=low. Repeatable.",
    ),
]
Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        help="Model: gemini:MODEL, openai:MODEL, openai:MODEL@URL or scripted:FILE.",
        show_default=False,
    ),
]
Workers = Annotated[
    int, typer.Option("--workers", min=1, max=256, help="Episodes at the same time.")
]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        help="dask://HOST:PORT for the workers of a Dask cluster; else this machine.",
        show_default=False,
    ),
]
BudgetUsd = Annotated[
    float | None,
    typer.Option(
        "--budget-usd",
        help="Stop when the calls have cost so many US dollars.",
        show_default=False,
    ),
]
BudgetTokens = Annotated[
    int | None,
    typer.Option(
        "--budget-tokens",
        help="Stop when the calls have used so many tokens.",
        show_default=False,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before a model is called.")]
Most = Annotated[int, typer.Option("--most", min=1, help="How many are shown.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed draws the same.")]
Cause = Annotated[
    str | None, typer.Option("--cause", help="Only this likely cause.", show_default=False)
]
Pictures = Annotated[
    Path | None,
    typer.Option(
        "--pictures",
        help="Folder of what the agent saw; not needed where it lies near the run.",
        show_default=False,
    ),
]

Format = Annotated[
    Form,
    typer.Option(
        "--format",
        help="How the result is printed: json is one document, jsonl one record a line, csv"
        " numbers, tex a LaTeX table.",
    ),
]
