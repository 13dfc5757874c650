"""``navviz publish``: runs as a static site."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import EpisodeFile, Graphs, Runs
from navviz.cli.output import add_command
from navviz.errors import InputError
from navviz.support.guarded import read_text, write_whole
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.analysis.site.redaction import Part
    from navviz.runs.run import OpenRun

_Out = Annotated[
    Path, typer.Option("--out", help="Folder to write; an older site in it is replaced.")
]
_Space = Annotated[
    Path | None,
    typer.Option(
        "--space",
        help="Folder to write instead of --out: it runs as a static Space of Hugging Face.",
        show_default=False,
    ),
]
_Title = Annotated[str, typer.Option("--title", help="Of the site; else the names of the runs.")]
_Authors = Annotated[
    str, typer.Option("--authors", help="For the BibTeX entry, with 'and' between them.")
]
_Url = Annotated[str, typer.Option("--url", help="Where it will lie; for the BibTeX entry.")]
_Licence = Annotated[str, typer.Option("--licence", help="Of the runs and their data.")]
_Source = Annotated[
    str, typer.Option("--source", help="Where the runs come from: a paper, a repository.")
]
_Bibtex = Annotated[
    Path | None, typer.Option("--bibtex", help="File with the entry to show instead of our own.")
]
_Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        help=(
            "Leave out prompts, thoughts or pictures; may be repeated. Without thoughts, texts that"
            " repeat one letter by letter lose it, too; one in other words stays."
        ),
    ),
]
_TalkFile = Annotated[
    Path | None,
    typer.Option(
        "--talk",
        help="Talk (talk.json) to write to --out as one HTML file, in place of a site.",
        show_default=False,
    ),
]
_MB = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "publish",
        _publish,
        "Write runs as a static site: list, maps, replays, sources.",
        "navviz publish runs/mine runs/other --out site",
        'navviz publish runs/mine --title "Our paper" --without thoughts',
        "navviz publish runs/mine --talk workspace/talk.json --out talk.html",
    )


def _publish(
    runs: Runs,
    out: _Out = Path("site"),
    space: _Space = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    title: _Title = "",
    authors: _Authors = "",
    url: _Url = "",
    licence: _Licence = "",
    source: _Source = "",
    bibtex: _Bibtex = None,
    without: _Without = None,
    talk: _TalkFile = None,
) -> None:
    from navviz.analysis.site.publish import SiteOptions, publish_runs
    from navviz.analysis.site.redaction import check_parts
    from navviz.cli.options import open_all_named

    if talk is not None:
        left_out = check_parts(without or [])
        _write_talk(talk, open_all_named(runs, graphs, episode_file), out, left_out)
        return
    # made first, so that a wrong option is refused before the runs are read
    options = SiteOptions(
        title=title,
        authors=authors,
        url=url,
        licence=licence,
        source=source,
        bibtex="" if bibtex is None else read_text(bibtex),
        without=check_parts(without or []),
        space=space is not None,
    )
    site = publish_runs(open_all_named(runs, graphs, episode_file), space or out, options)
    tell(
        f"{site.index}: {site.episodes} episodes, {site.files} files,"
        f" {site.size_bytes / _MB:.1f} MB. Open it, or put the folder on any static host."
    )


def _write_talk(
    file: Path, runs: Mapping[str, OpenRun], out: Path, without: Collection[Part]
) -> None:
    from navviz.analysis.site.talk import kept_talk, talk_html
    from navviz.formats.passed_over import check_exists

    check_exists(file, "talk")

    def run_named(name: str) -> OpenRun:
        # the app puts the world before a name, and numbers behind those that it has already
        last = name.rpartition("/")[2]
        run = runs.get(name) or runs.get(last)
        if run is None:
            raise InputError(f"the talk shows {name}", "name that run, too", file=str(file))
        return run

    page = talk_html(kept_talk(file), run_named, without)
    write_whole(out, page)
    tell(f"{out}: {len(page.encode()) / _MB:.1f} MB. Open it: Space or a clicker goes on, f fills.")
