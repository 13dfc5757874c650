"""``navviz data world``: make a world of an OpenStreetMap extract or of a place by its name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.command import add_command

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
_Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="Folder of the world; in the workspace's data folder if not given.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "world",
        _world,
        "Make a world of any place on OpenStreetMap.",
        'navviz data world "Piedmont, California"',
        "navviz data world town.osm.pbf --out worlds/town",
    )


def _world(what: _What, out: _Out = None) -> None:
    from navviz.datasets.places import make_world

    folder, graph = make_world(what, out)
    typer.echo(
        f"{folder}: {len(graph):,} street nodes, {len(graph.targets):,} links, {len(graph.pois):,}"
        " POIs"
    )
