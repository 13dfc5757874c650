"""Starts the app as a user would, on a free port, and stops it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.paths import ROOT
from tests.zygote import Forked


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def serving(
    *arguments: str,
    workspace: Path,
    navviz: Sequence[str] = (sys.executable, "-m", "navviz"),
    folder: Path = ROOT,
    cold: bool = False,
) -> Iterator[str]:
    """Run ``navviz app ARGUMENTS`` in a folder; yields its address."""
    with started(*arguments, workspace=workspace, navviz=navviz, folder=folder, cold=cold) as (
        port,
        _,
    ):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def started(
    *arguments: str,
    workspace: Path,
    navviz: Sequence[str] = (sys.executable, "-m", "navviz"),
    folder: Path = ROOT,
    port: int | None = None,
    cold: bool = False,
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run ``navviz app ARGUMENTS`` in a folder; yields its port and the process that was started.

    It is forked from a process that has imported what servers import, unless it shall be `cold`, as
    users start it.
    """
    port = free_port() if port is None else port
    command = [*navviz, "app", *arguments, "--port", str(port), "--no-browser"]
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    with (workspace / "server.log").open("w") as log:
        process = (subprocess.Popen if cold else Forked)(
            command,
            cwd=folder,
            env=environment | {"NAVVIZ_WORKSPACE": str(workspace)},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        below = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "")
        wait_for_server(f"http://127.0.0.1:{port}{below}", process)
        yield port, process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=60)


def wait_for_server(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers that it is well."""
    for _ in range(480):  # two minutes: several start at once on two loaded cores
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with code {process.returncode}")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError("the app did not come up within two minutes")
