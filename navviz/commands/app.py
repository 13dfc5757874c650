"""``navviz app``: open the app in a browser."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from navviz.commands.ending import with_exit_code
from navviz.errors import SettingsError
from navviz.guarded import is_there
from navviz.installation.files import app_file

__all__ = ["register"]

_Data = Annotated[Path | None, typer.Option("--data", help="Folder with graph, episodes and results together.")]
_Episodes = Annotated[Path | None, typer.Option(help="Episode file; not needed where the results name their episodes.")]
_Graphs = Annotated[Path | None, typer.Option(help="Graph folder.")]
_Results = Annotated[Path | None, typer.Option(help="Result file, or folder of traces.")]
_Port = Annotated[int, typer.Option(help="Port on this machine.")]
_Address = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")]
_NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser window.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("app", help="Open the app on a run; without arguments, on the bundled sample.")(with_exit_code(_open))


def _open(
    data: _Data = None,
    episodes: _Episodes = None,
    graphs: _Graphs = None,
    results: _Results = None,
    port: _Port = 8501,
    address: _Address = "127.0.0.1",
    *,
    no_browser: _NoBrowser = False,
) -> None:
    asked = {"data": data, "episodes": episodes, "graphs": graphs, "results": results}
    for name, path in asked.items():
        if path is not None and not is_there(path):
            raise SettingsError(f"--{name} {path}: is not there; check the path.")
    environment = os.environ | _environment(asked)
    # -P: a file of the current folder (types.py, a data set called pandas ...) must not shadow a module
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(app_file()), "--server.port", str(port)]
    command += ["--server.address", address, "--server.headless", "true" if no_browser else "false"]
    _become(command, environment)


def _become(command: list[str], environment: dict[str, str]) -> None:
    """Go on as another program: whoever kills this process, in whatever way, kills the server and frees its port."""
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(command[0], command, environment)  # noqa: S606 - our own app, no shell
    # Windows has no exec that keeps the process: there the server is a child, and only Ctrl+C ends both.
    try:
        code = subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - our own app
    except KeyboardInterrupt:
        code = 0
    raise typer.Exit(code)


def _environment(asked: dict[str, Path | None]) -> dict[str, str]:
    """Return what the app is told; paths are made absolute, since links outlive the folder it was started in."""
    workspace = Path(os.environ.get("NAVVIZ_WORKSPACE", "workspace")).expanduser().resolve()
    told = {name: str(path.resolve()) for name, path in asked.items() if path is not None}
    return {"NAVVIZ_WORKSPACE": str(workspace)} | ({"NAVVIZ_OPEN": json.dumps(told)} if told else {})
