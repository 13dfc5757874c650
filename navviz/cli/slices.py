"""``navviz diagnose slices``: which instructions, routes and junctions a run fails on more often
than on the rest.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import EpisodeFile, Format, Graphs, Most, Run, open_named
from navviz.cli.output import Form, add_command, print_records
from navviz.errors import SettingsError
from navviz.support.notes import note

if TYPE_CHECKING:
    from navviz.analysis.slices import Slice
    from navviz.runs.opened import OpenRun


class By(StrEnum):
    """What is counted."""

    EPISODE = "episode"
    JUNCTION = "junction"


_Other = Annotated[
    str | None,
    typer.Argument(metavar="RUN", help="Another run: find what the first one does worse."),
]

_By = Annotated[
    By,
    typer.Option(
        "--by", help="Count episodes that fail, or junctions where the agent leaves the route."
    ),
]

_Causes = Annotated[
    bool,
    typer.Option("--causes", help="Count the causes of `navviz why` among the features."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "slices",
        _slices,
        "Find what a run fails on more often than on the rest.",
        "navviz diagnose slices runs/mine --most 5",
        "navviz diagnose slices runs/mine --by junction --format csv",
        "navviz diagnose slices runs/mine runs/other",
    )


def _slices(
    run: Run,
    other: _Other = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    by: _By = By.EPISODE,
    most: Most = 20,
    form: Format = Form.TABLE,
    *,
    causes: _Causes = False,
) -> None:
    from navviz.analysis.slices import SLICE_COLUMNS

    if other is not None and by is By.JUNCTION:
        raise SettingsError("Two runs are compared by episode; leave out --by junction.")
    if causes and (other is not None or by is By.JUNCTION):
        raise SettingsError("Causes are those of one run's episodes; leave out the other option.")
    if other is not None:
        pair = [open_named(text, graphs, episodes=episode_file) for text in (run, other)]
        slices = _slices_of_pair(pair[0], pair[1])
    else:
        _, opened = open_named(run, graphs, episode_file)
        slices = _with_causes(opened) if causes else _slices_of_run(opened, by)
    shown = slices[:most]
    if not slices:
        note("No feature is in five episodes and missing in five others.")
    records = [row.record() for row in shown]
    print_records(form, SLICE_COLUMNS, records, [row.sentence for row in shown])


def _slices_of_run(opened: OpenRun, by: By) -> list[Slice]:
    from navviz.analysis.kept.marks import marks_of

    marks = marks_of(opened)
    return marks.departures if by is By.JUNCTION else marks.slices


def _with_causes(opened: OpenRun) -> list[Slice]:
    from navviz.analysis.causes.counting import CONFOUNDED, explained_run, slices_with_causes

    note(CONFOUNDED)
    return slices_with_causes(opened, explained_run(opened))


def _slices_of_pair(one: tuple[str, OpenRun], other: tuple[str, OpenRun]) -> list[Slice]:
    from navviz.analysis.slices import failed_episodes, run_features, worse_slices

    (first, a), (second, b) = one, other
    failed, other_failed = failed_episodes(a.scores), failed_episodes(b.scores)
    # other episodes would make the run on the harder set look like the worse one
    shared = failed.keys() & other_failed.keys()
    if not shared:
        raise SettingsError(
            f"{first} and {second} share no episode that both walked; choose runs that do."
        )
    alone = sum(failed[key] and not other_failed[key] for key in shared)
    other_alone = sum(other_failed[key] and not failed[key] for key in shared)
    both = f"Of {len(shared)} episodes that both walked, "
    note(f"{both}{first} alone fails in {alone}, {second} alone in {other_alone}.")
    return worse_slices(run_features(a.traces, a.graph_of), failed, other_failed, (first, second))


_Text = Annotated[str, typer.Argument(help="Words to look for.")]

_Of = Annotated[str, typer.Option("--of", help="thoughts, replies or instructions.")]

_Clusters = Annotated[
    int | None, typer.Option("--most", min=1, max=40, help="How many clusters at most.")
]

_SHOWN_CHARACTERS = 160


def register_meaning(group: typer.Typer) -> None:
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
    of: _Of = "thoughts",
    most: Most = 10,
    form: Format = Form.TABLE,
) -> None:
    from navviz.analysis.meaning import Meaning, check_source, passages_of
    from navviz.cli.options import open_named

    source = check_source(of)
    _, opened = open_named(run, graphs, episode_file)
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
    if not records:
        note("nothing is alike: these words are in no text of the run, or in nearly every one.")
    print_records(form, ("episode", "step", "likeness", "text"), records, lines)


def _clusters(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    most: _Clusters = None,
    form: Format = Form.TABLE,
) -> None:
    from navviz.analysis.alike import cluster_failures
    from navviz.analysis.meaning import cluster_name
    from navviz.cli.options import open_named

    _, opened = open_named(run, graphs, episode_file)
    records, lines = [], []
    for cluster in cluster_failures(opened, most):
        episodes = [passage.episode for passage in cluster.passages]
        records.append({"words": cluster.words, "episodes": episodes})
        lines.append(f"{len(episodes):4d}  {cluster_name(cluster.words)}")
        lines.append(f"      {' '.join(episodes)}")
    print_records(form, ("words", "episodes"), records, lines)
