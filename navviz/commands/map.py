"""``python -m navviz map``: make a world of an OpenStreetMap extract or of a place by its name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from navviz.errors import InputError, NavVizError
from navviz.graph import Graph
from navviz.readers import open_graph
from navviz.readers.osm import open_place
from navviz.readers.osm_world import write_world
from navviz.workspace import workspace_dir

__all__ = ["register"]

_What = Annotated[
    str,
    typer.Argument(
        help="An extract (.osm, .osm.bz2, .osm.gz, .graphml), a place as Nominatim knows it, or a box "
        "west,south,east,north in degrees. Places and boxes are downloaded.",
        show_default=False,
    ),
]
_To = Annotated[
    Path | None,
    typer.Option("--to", help="Folder of the world; in the workspace's data folder if not given.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("map", help="Make a world of any place on OpenStreetMap.")(_map)


def _map(what: _What, to: _To = None) -> None:
    try:
        graph = _opened(what)
        name = re.sub(r"[^\w-]+", "-", graph.name).strip("-") or "map"
        folder = to.expanduser() if to is not None else workspace_dir() / "data" / name / "graph"
        write_world(graph, folder)
    except NavVizError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    except OSError as error:
        typer.echo(f"{to or workspace_dir()}: cannot be written ({error.strerror}); choose another folder.", err=True)
        raise typer.Exit(1) from error
    typer.echo(f"{folder}: {len(graph):,} street nodes, {len(graph.targets):,} links, {len(graph.pois):,} POIs")


def _opened(what: str) -> Graph:
    if Path(what).expanduser().exists():
        return open_graph(Path(what).expanduser())
    edges = what.split(",")
    if len(edges) == 4:
        try:
            west, south, east, north = map(float, edges)
        except ValueError:
            return open_place(what)
        if not (west < east and south < north):
            raise InputError("is no box west,south,east,north", "give degrees in this order", file=what)
        return open_place((west, south, east, north))
    return open_place(what)
