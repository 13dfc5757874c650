"""``navviz beacon-sights``: the landmarks around a node."""

from pathlib import Path

import typer

from beacon.panels import sights
from navviz.formats import open_graph


def register(app):
    @app.command("beacon-sights", help="List the landmarks around a node.")
    def command(graph: Path, node: str):
        typer.echo(", ".join(sights(open_graph(graph), node)) or "nothing")
