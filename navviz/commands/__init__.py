"""The command line, one file a command: ``python -m navviz COMMAND``."""

from __future__ import annotations

import importlib

import typer

__all__ = ["main"]

_MODULES = ("app", "score", "fetch", "run", "show_context", "map", "schema")
"""Each defines ``register(app: typer.Typer) -> None``."""


def main() -> None:
    """Run the command line."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, help="NavViz: see why a navigation agent failed.")
    app.callback()(_callback)
    for name in _MODULES:
        try:
            module = importlib.import_module(f"navviz.commands.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"navviz.commands.{name}":
                raise
            continue
        module.register(app)
    app()


def _callback() -> None:
    """Make every command a sub-command, even where there is only one."""
