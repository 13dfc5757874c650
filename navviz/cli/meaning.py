"""``navviz diagnose similar`` and ``clusters``: thoughts like these, and failures by words."""

from __future__ import annotations

from typing import Annotated

import typer

from navviz.cli.command import add_command
from navviz.cli.options import EpisodeFile, Format, Graphs, Method, Most, Run
from navviz.cli.output import Form, print_records

_Text = Annotated[str, typer.Argument(help="Words to look for.")]
_Of = Annotated[str, typer.Option("--of", help="thoughts, replies or instructions.")]
_Clusters = Annotated[
    int | None, typer.Option("--most", min=1, max=40, help="How many clusters at most.")
]
_SHOWN_CHARACTERS = 160


def register(group: typer.Typer) -> None:
    """Add the commands to ``navviz diagnose``."""
    add_command(
        group,
        "similar",
        _similar,
        "Thoughts, replies or instructions that are like these words.",
        'navviz diagnose similar runs/mine "turn left at the light" --of instructions',
        'navviz diagnose similar runs/groke "the landmark is missing" --most 5 --format json',
    )
    add_command(
        group,
        "clusters",
        _clusters,
        "Failures by what was thought where the route was left.",
        "navviz diagnose clusters runs/groke",
        "navviz diagnose clusters runs/groke --most 4 --format md",
    )


def _similar(
    run: Run,
    text: _Text,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    method: Method = None,
    of: _Of = "thoughts",
    most: Most = 10,
    form: Format = Form.TABLE,
) -> None:
    from navviz.analysis.meaning import Meaning, check_source, passages_of
    from navviz.cli.named_run import open_named

    source = check_source(of)
    _, opened = open_named(run, graphs, method, episode_file)
    records, lines = [], []
    for hit in Meaning(passages_of(opened, source)).similar(text, most):
        row = {
            "episode": hit.passage.episode,
            "step": hit.passage.step,
            "likeness": round(hit.likeness, 3),
            "text": hit.passage.text,
        }
        records.append(row)
        place = row["episode"] if row["step"] is None else f"{row['episode']} step {row['step']}"
        # thoughts have ends of lines, which would break the list
        words = " ".join(hit.passage.text.split())[:_SHOWN_CHARACTERS]
        lines.append(f"{hit.likeness:5.2f}  {place}: {words}")
    print_records(form, ("episode", "step", "likeness", "text"), records, lines)


def _clusters(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    method: Method = None,
    most: _Clusters = None,
    form: Format = Form.TABLE,
) -> None:
    from navviz.analysis.alike import cluster_failures
    from navviz.analysis.meaning import cluster_name
    from navviz.cli.named_run import open_named

    _, opened = open_named(run, graphs, method, episode_file)
    records, lines = [], []
    for cluster in cluster_failures(opened, most):
        episodes = [passage.episode for passage in cluster.passages]
        records.append({"words": cluster.words, "episodes": episodes})
        lines.append(f"{len(episodes):4d}  {cluster_name(cluster.words)}")
        lines.append(f"      {' '.join(episodes)}")
    print_records(form, ("words", "episodes"), records, lines)
