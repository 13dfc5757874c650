"""A throw-away PostgreSQL on loopback, started by the tests as a user that is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


def binaries() -> Path | None:
    """Folder of PostgreSQL's programs, wherever Debian or another system puts them; ``None``
    without one.
    """
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[4])
    )
    if found:
        return found[-1].parent
    on_path = shutil.which("postgres")
    return Path(on_path).resolve().parent if on_path else None


@dataclass
class Server:
    """A cluster in a folder of its own."""

    programs: Path
    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://navviz@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder}"
        options += " -c fsync=off"  # the tests kill processes, not the machine
        self._run(
            "pg_ctl",
            "-D",
            f"{self.folder}/data",
            "-l",
            f"{self.folder}/log",
            "-w",
            "-o",
            options,
            "start",
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-m", "immediate", "stop")

    def make(self) -> None:
        self._run(
            "initdb",
            "-D",
            f"{self.folder}/data",
            "-U",
            "navviz",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        )

    def _run(self, program: str, *arguments: str) -> None:
        user = {"user": _user()} if os.getuid() == 0 else {}
        subprocess.run(
            [str(self.programs / program), *arguments],
            check=True, capture_output=True, timeout=300, cwd=self.folder, **user,
        )  # fmt: skip


def _user() -> str:
    """PostgreSQL refuses to run as root."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def running(programs: Path) -> Iterator[Server]:
    """A server that is stopped and removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="navviz-pg-", dir="/tmp"))
    if os.getuid() == 0:
        shutil.chown(folder, _user())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(programs, folder, port)
    try:
        server.make()
        server.start()
        yield server
    finally:
        subprocess.run(
            [str(programs / "pg_ctl"), "-D", f"{folder}/data", "-m", "immediate", "stop"],
            check=False, capture_output=True, cwd=folder, **({"user": _user()} if os.getuid() == 0 else {}),
        )  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)
