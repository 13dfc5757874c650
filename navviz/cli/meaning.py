"""``navviz diagnose similar`` and ``clusters``: thoughts like these, and failures by words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.ending import with_exit_code

__all__ = ["add_to"]

_Run = Annotated[
    str,
    typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several."),
]
_Text = Annotated[str, typer.Argument(help="Words to look for.")]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Method = Annotated[
    str | None, typer.Option("--method", help="One of several methods in the results.")
]
_Of = Annotated[str, typer.Option("--of", help="thoughts, replies or instructions.")]
_Count = Annotated[int, typer.Option("--count", min=1, help="How many are shown.")]
_Clusters = Annotated[
    int | None, typer.Option("--count", min=1, max=40, help="How many clusters at most.")
]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
_SHOWN_CHARACTERS = 160


def add_to(group: typer.Typer) -> None:
    """Add the commands to ``navviz diagnose``."""
    group.command("similar", help="Thoughts, replies or instructions that are like these words.")(
        with_exit_code(_similar)
    )
    group.command("clusters", help="Failures by what was thought where the route was left.")(
        with_exit_code(_clusters)
    )


def _similar(
    run: _Run,
    text: _Text,
    graphs: _Graphs = None,
    method: _Method = None,
    of: _Of = "thoughts",
    count: _Count = 10,
    *,
    as_json: _Json = False,
) -> None:
    from navviz.analysis.meaning import Meaning, check_source, passages_of
    from navviz.cli.named_run import open_named

    source = check_source(of)
    _, opened = open_named(run, graphs, method)
    for hit in Meaning(passages_of(opened, source)).similar(text, count):
        row = {
            "episode": hit.passage.episode,
            "step": hit.passage.step,
            "likeness": round(hit.likeness, 3),
            "text": hit.passage.text,
        }
        if as_json:
            typer.echo(json.dumps(row, ensure_ascii=False))
            continue
        place = row["episode"] if row["step"] is None else f"{row['episode']} step {row['step']}"
        words = " ".join(hit.passage.text.split())[:_SHOWN_CHARACTERS]
        typer.echo(f"{hit.likeness:5.2f}  {place}: {words}")


def _clusters(
    run: _Run,
    graphs: _Graphs = None,
    method: _Method = None,
    count: _Clusters = None,
    *,
    as_json: _Json = False,
) -> None:
    from navviz.analysis.meaning import cluster_failures
    from navviz.cli.named_run import open_named

    _, opened = open_named(run, graphs, method)
    for cluster in cluster_failures(opened, count):
        episodes = [passage.episode for passage in cluster.passages]
        if as_json:
            typer.echo(json.dumps({"words": cluster.words, "episodes": episodes}))
            continue
        typer.echo(f"{len(episodes):4d}  {', '.join(cluster.words) or cluster.name}")
        typer.echo(f"      {' '.join(episodes)}")
