"""``navviz film``: the replay of an episode as a short film for slides."""

from __future__ import annotations

import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.options import EpisodeFile, Graphs, Pictures, Run, open_named
from navviz.cli.output import add_command
from navviz.errors import SettingsError
from navviz.records.base import plural
from navviz.support.notes import is_quiet, tell


class Theme(StrEnum):
    """Colours of the player."""

    LIGHT = "light"
    DARK = "dark"


_Episode = Annotated[str, typer.Argument(help="Id of an episode.")]
_Out = Annotated[
    Path, typer.Option("--out", help="Where it is written: a file that ends in .mp4 or .gif.")
]
_Size = Annotated[
    str, typer.Option("--size", help="In pixels: 1280x720, 1920x1080 or another with even numbers.")
]
_Seconds = Annotated[
    float,
    typer.Option(
        "--seconds-per-step",
        help="Time for each step, and for each further page of long thoughts; twice as much for"
        " the last.",
    ),
]
_Length = Annotated[
    float | None,
    typer.Option("--seconds", help="Time for the whole film, shared evenly by its pages."),
]
_Theme = Annotated[Theme, typer.Option("--theme", help="Light or dark.")]
_From = Annotated[
    int, typer.Option("--from", help="First step that is shown; 0 is before the first.")
]
_To = Annotated[
    int | None, typer.Option("--to", help="Last step that is shown; without it, the end.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "film",
        _film,
        "Film the replay of an episode for slides (MP4 or GIF).",
        "navviz film runs/mine 1 --out 1.mp4",
        "navviz film runs/mine 1 --out 1.gif --size 640x360 --theme dark --from 2 --to 3",
    )


def _film(
    run: Run,
    episode: _Episode,
    out: _Out,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    pictures: Pictures = None,
    size: _Size = "1280x720",
    seconds: _Seconds = 1.5,
    length: _Length = None,
    theme: _Theme = Theme.LIGHT,
    first: _From = 0,
    last: _To = None,
) -> None:
    from navviz.analysis.causes.engine import causes_of_failure
    from navviz.metrics.score import score_result
    from navviz.views.player.document import replay_document
    from navviz.views.player.film import FILM, FILM_KINDS, Film, film_replay, undrawn_letters
    from navviz.views.player.html import film_page
    from navviz.views.player.pictures import PictureTable

    if out.suffix.lower().removeprefix(".") not in FILM_KINDS:
        raise SettingsError(f"--out is {out.name}: name a file that ends in .mp4 or .gif.")
    match = re.fullmatch(r"(\d{3,4})[x×](\d{3,4})", size.strip().lower())
    if match is None:
        raise SettingsError(f"--size is {size}: write it as 1280x720.")
    film = Film((int(match[1]), int(match[2])), seconds, length, theme.value, first, last)
    _, opened = open_named(run, graphs, episode_file, pictures)
    trace, graph = opened.trace(episode), opened.graph(episode)
    seen = PictureTable(opened.pictures(episode))
    document = replay_document(
        trace,
        graph,
        divergence=opened.divergence(episode),
        causes=causes_of_failure(trace, graph, opened.divergence(episode)),
        metrics=score_result(trace, graph),
        running=False,
        pictures=seen,
    )
    steps = film.steps(len(document["steps"]))
    page = film_page(document, seen)
    # shows itself in a terminal only
    with typer.progressbar(
        length=len(steps), label="Filming", file=sys.stderr, hidden=is_quiet()
    ) as bar:
        filmed = film_replay(page, out, film, steps, lambda: bar.update(1))
    if missing := undrawn_letters(document, FILM):
        tell(missing, err=True)
    counted = plural(filmed.steps, "step")
    if filmed.pages > filmed.steps:
        counted += f", {filmed.pages} pages"
    tell(f"{out}: {film.size[0]} x {film.size[1]}, {counted}, {filmed.length_s:.1f} s")
