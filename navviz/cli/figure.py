"""``navviz figure``: episodes of a run as a figure for a paper."""

from __future__ import annotations

from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.options import EpisodeFile, Graphs, Pictures, Run, open_named
from navviz.cli.output import add_command
from navviz.errors import SettingsError
from navviz.records.base import plural
from navviz.support.guarded import write_whole
from navviz.support.notes import tell


class Width(StrEnum):
    """Columns of a paper."""

    SINGLE = "single"
    DOUBLE = "double"


_Episodes = Annotated[
    list[str],
    typer.Argument(metavar="EPISODE", help="Several episodes become panels of one figure."),
]
_Out = Annotated[
    Path, typer.Option("--out", help="Where it is written: a file that ends in .svg, .pdf or .png.")
]
_Width = Annotated[
    Width, typer.Option("--width", help="One column of a paper (3.5 in) or two (7.16 in).")
]
_Labels = Annotated[
    str,
    typer.Option(
        "--labels",
        help="What is named: landmarks (rooms as well), none, or some of their names: park,bank.",
    ),
]
_Steps = Annotated[
    str, typer.Option("--steps", help="Steps to number on the agent's path: 1,5,9 or 1-3.")
]

_Views = Annotated[
    str,
    typer.Option(
        "--views", help="Up to 5 steps whose views stand in a row beneath the map: 2,5,7."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "figure",
        _figure,
        "Draw episodes of a run as a figure for a paper.",
        "navviz figure runs/mine 1 --out 1.svg",
        "navviz figure runs/mine 1 2 --out both.pdf --width double --labels none",
    )


def _figure(
    run: Run,
    episodes: _Episodes,
    out: _Out,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    width: _Width = Width.SINGLE,
    labels: _Labels = "landmarks",
    steps: _Steps = "",
    views: _Views = "",
    pictures: Pictures = None,
) -> None:
    kind = out.suffix.lower().removeprefix(".")
    if kind not in {"svg", "pdf", "png"}:
        raise SettingsError(f"--out is {out.name}: name a file that ends in .svg, .pdf or .png.")
    from navviz.analysis.paper_figure import figure_of, parsed_steps
    from navviz.views.figures.figure import episodes_figure, figure_bytes, views_of
    from navviz.views.figures.figure_panels import names_in
    from navviz.views.figures.print_type import missing_letters

    numbered = parsed_steps(steps)
    names = None
    if labels not in {"landmarks", "none"}:
        names = [name.strip() for name in labels.split(",") if name.strip()]
    viewed = parsed_steps(views)
    if viewed and len(set(episodes)) > 1:
        raise SettingsError("--views shows one episode: draw one figure for each.")
    _, opened = open_named(run, graphs, episode_file, pictures)
    chosen = []
    # an episode that is named twice is one panel
    for episode in dict.fromkeys(episodes):
        trace, graph = opened.trace(episode), opened.graph(episode)
        # a view without its place on the map would say little
        chosen.append(figure_of(trace, graph, steps=[*numbered, *viewed], names=names))
    walk = chosen[0]
    seen = opened.pictures(walk.trace.episode.id)
    row = views_of(walk.trace, walk.graph, seen, viewed) if viewed else ()
    figure = episodes_figure(chosen, width=width.value, labels=labels != "none", views=row)
    # drawn before the folder is made, so that a fault leaves nothing behind
    content = figure_bytes(figure, kind)  # type: ignore[arg-type]
    write_whole(out, content)
    wide, high = figure.get_size_inches()
    texts = chain.from_iterable(names_in(one) for one in chosen)
    if missing := missing_letters(texts):
        tell(missing, err=True)
    tell(f"{out}: {wide:.2f} x {high:.2f} in, {plural(len(chosen), 'episode')}")
