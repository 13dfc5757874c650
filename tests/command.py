"""One command of ``navviz/cli`` in the test's own process, as a user calls it."""

from __future__ import annotations

import importlib

import typer
from click.testing import Result
from typer.testing import CliRunner

_PARTS = {
    "world": ("data", "register_world"),
    "audit": ("server", "register_audit"),
    "shares": ("server", "register_shares"),
    "stability": ("verify", "register_stability"),
}
"""Commands of a group, where a module holds several."""


def invoke(command: str, *given: object, typed: str | None = None) -> Result:
    """Call a command by its name with arguments and options, and with what is typed."""
    app = typer.Typer()
    module, register = _PARTS.get(command, (command, "register"))
    getattr(importlib.import_module(f"navviz.cli.{module}"), register)(app)
    app.command("other")(lambda: None)  # typer drops the name of an only command
    return CliRunner().invoke(app, [command, *map(str, given)], input=typed)
