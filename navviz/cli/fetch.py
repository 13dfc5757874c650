"""``navviz fetch``: download a public data set, or the traces of a run that lie at an address."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from navviz.cli.output import Loading, add_command
from navviz.datasets.fetching import DATA_SETS, data_set, fetch
from navviz.errors import InputError
from navviz.support.guarded import is_there
from navviz.support.notes import tell

_SETS = "; ".join(f"{each.name} - {each.about}" for each in DATA_SETS.values())
_Name = Annotated[
    str,
    typer.Argument(
        help=f"Which one: {_SETS}; or the address of a run (s3://BUCKET/RUNS/NAME).",
        show_default=False,
    ),
]
_Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help=(
            "Folder to unpack into. By default data/NAME (of a run runs/NAME) in the workspace,"
            " which is ./workspace or what the environment variable NAVVIZ_WORKSPACE says."
        ),
        show_default=False,
    ),
]
_Url = Annotated[
    str | None,
    typer.Option("--url", help="Another address of the same zip archive.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "fetch",
        _fetch,
        "Download a public data set, or a run's traces; run it again to go on after a cut.",
        "navviz fetch map2seq",
        "navviz fetch s3://bucket/runs/mine --out runs/mine",
    )


def _fetch(name: _Name, out: _Out = None, url: _Url = None) -> None:
    from navviz.runs.sources import workspace_dir

    if "://" in name:
        # a run's traces, which the app and every command open from here
        from navviz.runner.config import CONFIG_NAME
        from navviz.runner.store import TraceStore

        place, _, run = name.rstrip("/").rpartition("/")
        below = out.expanduser() if out is not None else workspace_dir() / "runs" / run
        store = TraceStore.at(place)
        store.check()
        copied, there = store.bring(run, below)
        if not copied + there:
            raise InputError(
                "holds no traces", "name the folder of one run: ADDRESS/NAME", file=name
            )
        tell(f"{below}: {copied:,} traces copied, {there:,} were there. Open it with:")
        # only a run's own run.json says where its graphs lie
        graphs = "" if is_there(below / CONFIG_NAME) else " --graphs MAP"
        tell(f"  navviz app {shlex.quote(str(below.absolute()))}{graphs}")
        return
    wanted = data_set(name)
    folder = out.expanduser() if out is not None else workspace_dir() / "data" / wanted.name
    with Loading(f"Loading {wanted.name}") as progress:
        fetched = fetch(wanted, folder, url, progress)
    state = "is already there" if fetched.already_there else "is ready"
    tell(f"{fetched.folder} {state} ({fetched.files:,} files). Open it with:")
    tell(f"  navviz app {shlex.quote(str(fetched.folder.absolute()))}")
