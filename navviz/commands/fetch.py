"""``python -m navviz fetch``: download a public data set."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self

import typer

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
    with _Progress(f"Loading {wanted.name}") as progress:
        fetched = fetch(wanted, folder, url, progress)
    _tell(fetched)


def _tell(fetched: Fetched) -> None:
    state = "is already there" if fetched.already_there else "is ready"
    typer.echo(f"{fetched.folder} {state} ({fetched.files:,} files). Open it with:")
    typer.echo(f'  python -m navviz app --data "{fetched.folder}"')


class _Progress:
    """A progress bar that appears with the first bytes; without a known size it counts megabytes."""

    def __init__(self, label: str) -> None:
        self._label, self._done = label, 0
        self._open = ExitStack()
        self._advance: Callable[[int], None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def __call__(self, done: int, total: int | None) -> None:
        """Show that `done` of `total` bytes are there."""
        if total is None:
            if done // _MEGABYTE > self._done // _MEGABYTE:
                typer.echo(f"{self._label}: {done / 1e6:,.0f} MB")
        else:
            if self._advance is None:
                self._advance = self._open.enter_context(typer.progressbar(length=total, label=self._label)).update
            self._advance(done - self._done)
        self._done = done


_MEGABYTE = 1 << 20
