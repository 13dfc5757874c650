"""How every command ends.

==== ==========================================================================================
code when
==== ==========================================================================================
0    done
1    tried and failed: a model, a disk or a database, or episodes of a run ended in an error
2    an option, a file or a setting is wrong: call it differently
130  stopped with Ctrl+C
==== ==========================================================================================

The reason is one sentence on stderr. README.md tells users the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import typer

from navviz.cli.reading import reading_shown
from navviz.errors import InputError, NavVizError, SettingsError
from navviz.support.installation.plugins import noticed

FAILED, WRONG, STOPPED = 1, 2, 130

P = ParamSpec("P")


def exit_code(error: NavVizError) -> int:
    """Return the exit code for an error."""
    return WRONG if isinstance(error, InputError | SettingsError) else FAILED


def with_exit_code(command: Callable[P, None]) -> Callable[P, None]:
    """Let a command end as this module says, and name the plug-ins that could not be used."""

    @wraps(command)
    def called(*arguments: P.args, **options: P.kwargs) -> None:
        try:
            with reading_shown():
                command(*arguments, **options)
        except NavVizError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(exit_code(error)) from error
        except KeyboardInterrupt as error:
            typer.echo("Stopped; run the same command again to go on.", err=True)
            raise typer.Exit(STOPPED) from error
        finally:
            for problem in noticed():
                typer.echo(f"warning: {problem}", err=True)

    return called
