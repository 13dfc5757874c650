"""Arguments and options that several commands have: one word for one thing, and one help text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.output import Form
from navviz.support.addresses import is_address
from navviz.support.guarded import is_there

if TYPE_CHECKING:
    from collections.abc import Iterable

    from navviz.runs.opened import OpenRun


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


def open_named(
    text: str,
    graphs: Path | None,
    episodes: Path | None = None,
    pictures: Path | None = None,
) -> tuple[str, OpenRun]:
    """Open a run as the command line names it; returns its name and the run."""
    from navviz.runs.opened import open_run

    named, place = split_named(text)
    opened = open_run(place, graphs=graphs, episodes=episodes, method=named, pictures=pictures)
    return (opened.name if named is None else f"{named} ({opened.name})"), opened


def split_named(text: str) -> tuple[str | None, str]:
    """Return the method, if one is named, and the path of ``METHOD@PATH``."""
    named, _, place = text.rpartition("@")
    if is_address(text) or is_address(place):
        from navviz.runs.remote import local_path

        whole = is_address(text)
        return (None, str(local_path(text))) if whole else (named, str(local_path(place)))
    # a folder may be called runs@lab
    if "@" not in text or is_there(Path(text)):
        return None, text
    # at the last @, since the name of a method may hold one
    return named, place


def open_all_named(
    texts: Iterable[str], graphs: Path | None, episodes: Path | None = None
) -> dict[str, OpenRun]:
    """Open runs by their names in tables; a file of several methods gives a run each."""
    runs: dict[str, OpenRun] = {}
    for text in texts:
        name, opened = open_named(text, graphs, episodes=episodes)
        several = (
            [f"{method}@{text}" for method in _methods(opened)]
            if opened.source.method is None
            else []
        )
        for each in several:
            label, run = open_named(each, graphs, episodes=episodes)
            # two files may have methods of the same name
            runs[label if label not in runs else each] = run
        if not several:
            runs[name if name not in runs else text] = opened
    return runs


def _methods(opened: OpenRun) -> list[str]:
    """Names of the methods where a file holds several."""
    from navviz.runs.sources import expanded

    sources = expanded(opened.source)
    return (
        [source.method for source in sources if source.method is not None]
        if len(sources) > 1
        else []
    )
