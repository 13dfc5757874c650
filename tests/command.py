"""One command of ``navviz/cli`` in the test's own process, as a user calls it."""

from __future__ import annotations

import importlib

import typer
from click.testing import Result
from typer.testing import CliRunner


def invoke(command: str, *given: object, typed: str | None = None) -> Result:
    """Call a command by its name with arguments and options, and with what is typed."""
    app = typer.Typer()
    importlib.import_module(f"navviz.cli.{command}").register(app)
    app.command("other")(lambda: None)  # typer drops the name of an only command
    return CliRunner().invoke(app, [command, *map(str, given)], input=typed)
