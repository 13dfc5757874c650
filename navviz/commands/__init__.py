"""The command line, one file a command: ``navviz COMMAND``, or ``python -m navviz COMMAND``."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

import navviz

__all__ = ["main"]

_MODULES = (
    "app",
    "score",
    "fetch",
    "run",
    "go_on",
    "show_context",
    "map",
    "atlas",
    "schema",
    "navgen",
    "score_objects",
    "compare",
    "slices",
    "scan",
    "influence",
    "stability",
    "figure",
    "film",
    "table",
    "verify",
    "export",
    "provenance",
)
"""Each defines ``register(app: typer.Typer) -> None``."""


_Version = Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version.")]


def main() -> None:
    """Run the command line."""
    app = typer.Typer(
        no_args_is_help=True,
        invoke_without_command=True,
        add_completion=False,
        help="NavViz: see why a navigation agent failed.",
    )
    app.callback()(_callback)
    for name in _MODULES:
        importlib.import_module(f"navviz.commands.{name}").register(app)
    app()


def _callback(*, version: _Version = False) -> None:
    if version:
        typer.echo(f"navviz {navviz.__version__}")
        raise typer.Exit
