"""How every command ends: `ENDINGS` is the one table of exit codes, which the docs print."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Final

import typer

from navviz.cli.reading import reading_shown
from navviz.errors import InputError, NavVizError, SettingsError
from navviz.support.guarded import visible
from navviz.support.installation.plugins import noticed
from navviz.support.notes import note, quieted

FAILED, WRONG, PARTIAL, STOPPED = 1, 2, 3, 130
ENDINGS: Final[Mapping[int, str]] = {
    0: "done",
    FAILED: (
        "tried and failed: a model, a disk or a database; episodes of a run ended in an error; or a"
        " check found something: data that is not read, a figure that differs, a walk that leaks"
    ),
    WRONG: "an option, a file or a setting is wrong: call it differently",
    PARTIAL: (
        "only a part is done: the budget or the time of a batch was used up; the figures are over"
        " that part"
    ),
    STOPPED: "stopped with Ctrl+C",
}
"""When a command ends with which code; the reason is one sentence on stderr."""

Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="Print the result and errors only: no progress, notes, warnings."
    ),
]


def exit_code(error: NavVizError) -> int:
    """Return the exit code for an error."""
    return WRONG if isinstance(error, InputError | SettingsError) else FAILED


def with_exit_code(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command end as this module says, name the plug-ins that could not be used, and give
    it ``--quiet``.
    """
    signature = inspect.signature(command, eval_str=True)
    if "quiet" in signature.parameters:
        return command  # a command of another package may have been here before

    @wraps(command)
    def called(*arguments: object, quiet: bool = False, **options: object) -> None:
        with quieted(quiet):
            try:
                with reading_shown():
                    command(*arguments, **options)
            except NavVizError as error:
                # it may quote a file of somebody else; its own lines stay lines
                for line in str(error).split("\n"):
                    typer.echo(visible(line), err=True)
                raise typer.Exit(exit_code(error)) from error
            except KeyboardInterrupt as error:
                typer.echo("Stopped; run the same command again to go on.", err=True)
                raise typer.Exit(STOPPED) from error
            finally:
                # after a fault too, which a plug-in that could not be used may explain
                for problem in noticed():
                    note(f"warning: {problem}")

    quiet = inspect.Parameter(
        "quiet", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Quiet
    )
    # typer reads the options of a command from its signature
    parameters = [*signature.parameters.values(), quiet]
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called
