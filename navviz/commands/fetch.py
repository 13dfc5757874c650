"""``navviz fetch``: download a public data set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from navviz.commands.console import Loading
from navviz.commands.ending import with_exit_code
from navviz.datasets.fetching import DATA_SETS, Fetched, data_set, fetch
from navviz.runs.opened import workspace_dir

__all__ = ["register"]

_KNOWN = "; ".join(f"{known.name} - {known.about}" for known in DATA_SETS.values())
_Name = Annotated[str, typer.Argument(help=f"Which one. {_KNOWN}.", show_default=False)]
_To = Annotated[
    Path | None,
    typer.Option(
        "--to",
        help="Folder to unpack into. By default data/NAME in the workspace, which is ./workspace or what the "
        "environment variable NAVVIZ_WORKSPACE says.",
        show_default=False,
    ),
]
_Url = Annotated[str | None, typer.Option("--url", help="Another address of the same zip archive.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("fetch", help="Download and unpack a public data set; run it again to go on after a cut.")(
        with_exit_code(_fetch)
    )


def _fetch(name: _Name, to: _To = None, url: _Url = None) -> None:
    wanted = data_set(name)
    folder = to.expanduser() if to is not None else workspace_dir() / "data" / wanted.name
    with Loading(f"Loading {wanted.name}") as progress:
        fetched = fetch(wanted, folder, url, progress)
    _tell(fetched)


def _tell(fetched: Fetched) -> None:
    state = "is already there" if fetched.already_there else "is ready"
    typer.echo(f"{fetched.folder} {state} ({fetched.files:,} files). Open it with:")
    typer.echo(f'  navviz app --data "{fetched.folder}"')
