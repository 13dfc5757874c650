"""The command line, one file a command: ``navviz COMMAND``, or ``python -m navviz COMMAND``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from navviz.support.version import VERSION

__all__ = ["application", "main"]

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
    "new_system",
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
    "shares",
    "audit",
    "diagnose",
    "data",
)
"""Each defines ``register(app: typer.Typer) -> None``, which adds the command of its name with hyphens."""


_Version = Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version.")]


def main() -> None:
    """Run the command line."""
    application(_needed(sys.argv[1:2]))()


def application(modules: Sequence[str] = _MODULES) -> typer.Typer:
    """Return the command line with the commands of these modules."""
    app = typer.Typer(
        no_args_is_help=True,
        invoke_without_command=True,
        add_completion=False,
        help="NavViz: see why a navigation agent failed.",
    )
    app.callback()(_callback)
    for name in modules:
        importlib.import_module(f"navviz.cli.{name}").register(app)
    return app


def _needed(asked: list[str]) -> tuple[str, ...]:
    """Name the modules to import: that of the command asked for, all where the first argument is none.

    Each imports pandas, SciPy and the like only where it needs them: with that at the top of four modules, help and
    version took 1.2 seconds of processor time, and now 0.3.
    """
    return next(((name,) for name in _MODULES if [name.replace("_", "-")] == asked), _MODULES)


def _callback(*, version: _Version = False) -> None:
    if version:
        typer.echo(f"navviz {VERSION}")
        raise typer.Exit
