"""``navviz app``: what it says before it starts, and what it tells the pages."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from navviz.commands import app
from tests.browser.server import started
from tests.paths import ROOT


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "navviz", "app", "--results", str(tmp_path / "gone.json")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert done.stderr.strip() == f"--results {tmp_path / 'gone.json'}: is not there; check the path."


def test_paths_are_told_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NAVVIZ_WORKSPACE", "mine")
    told = app._environment({"data": Path("runs"), "graphs": None})
    assert json.loads(told["NAVVIZ_OPEN"]) == {"data": str(tmp_path / "runs")}
    assert told["NAVVIZ_WORKSPACE"] == str(tmp_path / "mine")
    assert "NAVVIZ_OPEN" not in app._environment({"data": None})


def free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # closed connections may linger
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_app_frees_its_port(tmp_path: Path, how: signal.Signals) -> None:
    with started(workspace=tmp_path) as (port, process):
        os.kill(process.pid, how)
        process.wait(timeout=60)
        for _ in range(600):  # what the killed process started ends a moment after it
            if free(port):
                break
            time.sleep(0.1)
        assert free(port)


def test_every_command_explains_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "navviz", "--help"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0
    for name in ("app", "score", "fetch", "run", "show-context", "schema"):
        assert name in done.stdout
