"""``navviz map``: make a world of an OpenStreetMap extract or of a place by its name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.ending import with_exit_code

_What = Annotated[
    str,
    typer.Argument(
        help=(
            "An extract (.osm, .osm.pbf, .osm.bz2, .osm.gz, .graphml), a place as Nominatim knows"
            " it, or a box west,south,east,north in degrees. Places and boxes are downloaded."
        ),
        show_default=False,
    ),
]
_To = Annotated[
    Path | None,
    typer.Option(
        "--to",
        help="Folder of the world; in the workspace's data folder if not given.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("map", help="Make a world of any place on OpenStreetMap.")(with_exit_code(_map))


def _map(what: _What, to: _To = None) -> None:
    from navviz.datasets.places import make_world

    folder, graph = make_world(what, to)
    typer.echo(
        f"{folder}: {len(graph):,} street nodes, {len(graph.targets):,} links, {len(graph.pois):,}"
        " POIs"
    )
