"""How a command joins the command line: its help, its examples, how it ends, and ``--quiet``."""

from __future__ import annotations

from collections.abc import Callable

import typer

from navviz.cli.ending import with_exit_code


def add_command(
    group: typer.Typer, name: str, function: Callable[..., None], text: str, *examples: str
) -> None:
    """Add a command to the command line or to one of its groups.

    Parameters
    ----------
    group
        The command line, or a group such as ``navviz data``.
    name
        As it is typed.
    function
        Takes the arguments and options.
    text
        Says in one sentence what the command does.
    examples
        Command lines that can be copied; a test runs those that need no model and no network.
    """
    # the help joins single lines to a paragraph, so that each example is a paragraph
    epilog = "\n\n".join(("Examples:" if len(examples) > 1 else "Example:", *examples))
    group.command(name, help=text, epilog=epilog)(with_exit_code(function))


def new_group(text: str) -> typer.Typer:
    """Return an empty group of commands, which prints its help where no command is named."""
    group = typer.Typer(no_args_is_help=True, help=text)
    group.callback()(_nothing)
    return group


def _nothing() -> None:
    """Keep a group a group: Typer makes one with a single command the command itself."""
