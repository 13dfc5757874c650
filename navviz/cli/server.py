"""``navviz server``: what the visitors of a server did and spent; for its operator."""

from __future__ import annotations

import typer

from navviz.cli import audit, shares
from navviz.cli.command import new_group


def register(app: typer.Typer) -> None:
    """Add the group with its commands."""
    server = new_group("Look at what visitors of a server did and spent.")
    audit.register(server)
    shares.register(server)
    app.add_typer(server, name="server")
