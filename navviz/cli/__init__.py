"""The command line, one file a command: ``navviz COMMAND``, or ``python -m navviz COMMAND``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from navviz.cli.output import Quiet, with_exit_code
from navviz.support.notes import quieted
from navviz.support.systems import offered, working
from navviz.support.version import VERSION

__all__ = ["application", "main"]

_MODULES = (
    "app",
    "fetch",
    "run",
    "score",
    "table",
    "compare",
    "why",
    "whatif",
    "watch",
    "report",
    "repair",
    "diagnose",
    "atlas",
    "figure",
    "film",
    "publish",
    "export",
    "mcp",
    "annotate",
    "study",
    "navfault",
    "data",
    "server",
    "new_system",
)
"""Each defines ``register(app: typer.Typer) -> None``, which adds the command of its name with
hyphens.
"""

_Version = Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version.")]


def main() -> None:
    """Run the command line."""
    modules = _needed(sys.argv[1:2])
    # a command of ours needs none of the systems'
    application(modules, None if modules is _MODULES else ())()


def application(
    modules: Sequence[str] = _MODULES, commands: Sequence[str] | None = None
) -> typer.Typer:
    """Return the command line with the commands of these modules, and those of systems."""
    app = typer.Typer(
        no_args_is_help=True,
        invoke_without_command=True,
        help="NavViz: see why a navigation agent failed.",
    )
    app.callback()(_callback)
    for name in modules:
        importlib.import_module(f"navviz.cli.{name}").register(app)
    if commands is not None and not commands:
        return app
    parts = offered("commands")
    wanted = [part for name, part in parts.items() if commands is None or name in commands]
    for part, register in working(wanted):
        own = typer.Typer()
        with part.guarded("adds no command"):
            register(own)
            # before they join ours, so that an exit code means the same everywhere: a system
            # imports nothing from here
            _end_alike(own)
            app.registered_commands += own.registered_commands
            app.registered_groups += own.registered_groups
    return app


def _end_alike(group: typer.Typer) -> None:
    """Let all commands of a group end as ours do."""
    for command in group.registered_commands:
        if command.callback is not None:
            command.callback = with_exit_code(command.callback)
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _end_alike(inner.typer_instance)


def _needed(words: list[str]) -> tuple[str, ...]:
    """Name the modules to import: that of the command asked for, all where the first argument is
    none.

    Each imports pandas, SciPy and the like only where it needs them: with that at the top of four
    modules, help and version took 1.2 seconds of processor time, and now 0.3.
    """
    if not words or words[0].startswith("-"):
        return _MODULES
    return next(((name,) for name in _MODULES if name.replace("_", "-") == words[0]), _MODULES)


def _callback(ctx: typer.Context, *, version: _Version = False, quiet: Quiet = False) -> None:
    if version:
        typer.echo(f"navviz {VERSION}")
        raise typer.Exit
    ctx.with_resource(quieted(quiet))
