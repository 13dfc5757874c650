"""``navviz app --window``: a window of its own, which ends with the server and the server with it.

An installed Chromium, Chrome or Edge shows it without tabs and address bar; else pywebview, where
it is installed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from navviz.errors import InputError, SettingsError, StoreError
from navviz.support.guarded import is_there, read_json, write_whole
from navviz.support.installation.processes import child_environment
from navviz.support.version import DISTRIBUTION

BROWSER_VARIABLE = "NAVVIZ_BROWSER"
"""Names the program that shows the window, where it is not found by itself."""
_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
_MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS = (
    ("LOCALAPPDATA", "Chromium/Application/chrome.exe"),
    ("PROGRAMFILES", "Google/Chrome/Application/chrome.exe"),
    ("PROGRAMFILES(X86)", "Google/Chrome/Application/chrome.exe"),
    ("LOCALAPPDATA", "Google/Chrome/Application/chrome.exe"),
    ("PROGRAMFILES(X86)", "Microsoft/Edge/Application/msedge.exe"),
    ("PROGRAMFILES", "Microsoft/Edge/Application/msedge.exe"),
)
_FIRST_SIZE = (1440, 900)
"""Width and height until somebody has changed them."""
_PORTS = 50
_UP_S, _END_S, _LOOK_S = 60.0, 10.0, 0.1


def has_window() -> bool:
    """Whether something that can show a window of its own is installed."""
    return browser() is not None or find_spec("webview") is not None


def no_window_sentence() -> str:
    """Say what to install for a window of its own."""
    install = f"pip install '{DISTRIBUTION}[window]'"
    return (
        "No Chromium, Chrome, Edge or pywebview is installed, so NavViz opens in the browser;"
        f" install one of them for a window of its own ({install})."
    )


def browser() -> str | None:
    """Return the program of a browser that has windows without tabs; ``None`` where there is none.

    Raises `SettingsError` when the variable names a program that is not there.
    """
    named = os.environ.get(BROWSER_VARIABLE)
    if named:
        program = shutil.which(named)
        if program is None:
            raise SettingsError(f"{BROWSER_VARIABLE}={named}: is no program; check the path.")
        return program
    for name in _NAMES:
        program = shutil.which(name)
        if program is not None:
            return program
    places = [Path(place) for place in _MAC]
    for variable, below in _WINDOWS:
        folder = os.environ.get(variable)
        if folder:
            places.append(Path(folder) / below)
    return next((str(place) for place in places if is_there(place)), None)


def show_window(
    command: Sequence[str], environment: dict[str, str], *, host: str, port: int
) -> int:
    """Start the server, show it in a window, and end with either; returns the exit code.

    Raises `SettingsError` when the port is in use; `StoreError` when the server does not come up.
    """
    check_free(host, port)
    address = f"http://{host}:{port}"
    # one folder a port: a browser that runs already with the same folder takes the window over,
    # and its process would end at once, and the server with it
    folder = Path(environment["NAVVIZ_WORKSPACE"]) / "window" / str(port)
    program = browser()
    with _ended_by_signals(), _server(command, environment) as server:
        if not _is_up(server, address):
            raise StoreError("The server did not start; the reason is above.")
        if program is not None:
            # Chromium keeps a window's place by the host's name, and finds none whose name has dots
            shown = f"http://localhost:{port}" if host == "127.0.0.1" else address
            return _browser_window(program, shown, folder, server)
        webview = import_module("webview")
        saved = folder / "window.json"
        folder.mkdir(parents=True, exist_ok=True)
        window = webview.create_window("NavViz", address, **_place(saved))

        def keep() -> None:
            place = {name: getattr(window, name) for name in ("x", "y", "width", "height")}
            write_whole(saved, json.dumps(place))

        window.events.closing += keep

        def watch() -> None:
            server.wait()
            # it is gone already where it was closed by hand
            with contextlib.suppress(Exception):
                window.destroy()

        webview.start(watch)
        return server.returncode or 0
    return 0  # Ctrl+C and a kill end it as a closed window does


def check_free(host: str, port: int) -> None:
    """Raise `SettingsError` where somebody listens on a port."""
    with socket.socket() as listening:
        # a server that ended a moment ago leaves its port half open; it may be used again
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
        except OSError as error:
            raise SettingsError(f"--port {port}: is in use; choose another one.") from error


def next_free(host: str, port: int) -> int:
    """Return the first free port from a port on: after a double click nobody reads an error."""
    for candidate in range(port, port + _PORTS):
        with contextlib.suppress(SettingsError):
            check_free(host, candidate)
            return candidate
    raise SettingsError(f"Ports {port} to {port + _PORTS - 1} are in use; name one with --port.")


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a kill end this process as Ctrl+C does, so that server and window end with it."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _server(
    command: Sequence[str], environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, env=environment)  # noqa: S603 - our own app
    try:
        yield process
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _is_up(server: subprocess.Popen[bytes], address: str) -> bool:
    last = time.monotonic() + _UP_S
    while server.poll() is None and time.monotonic() < last:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):  # noqa: S310 - http, our own
                return True
        except OSError:
            time.sleep(_LOOK_S)
    return False


def _browser_window(
    program: str, address: str, folder: Path, server: subprocess.Popen[bytes]
) -> int:
    command = [program, f"--app={address}", f"--user-data-dir={folder}", "--no-first-run"]
    command += ["--no-default-browser-check"]
    if not is_there(folder):
        # the browser remembers size and place in its folder; this option would win over them
        command.append(f"--window-size={_FIRST_SIZE[0]},{_FIRST_SIZE[1]}")
    folder.mkdir(parents=True, exist_ok=True)
    # its own messages (GPU, D-Bus ...) are none of ours; a session of its own, since some browsers
    # are shell scripts, and a signal to the script would leave the browser open
    window = subprocess.Popen(  # noqa: S603 - found above, no shell
        command, stderr=subprocess.DEVNULL, start_new_session=True, env=child_environment()
    )
    try:
        while window.poll() is None and server.poll() is None:
            time.sleep(_LOOK_S)
        # a closed window leaves the server without a code, which is no fault
        return server.returncode or 0
    finally:
        # Windows has no groups of processes to signal; the browsers of `_WINDOWS` are no scripts
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(window.pid, signal.SIGTERM)
        _end(window)


def _place(saved: Path) -> dict[str, int]:
    """Return size and place as the window was left."""
    try:
        noted = read_json(saved)
        return {name: int(noted[name]) for name in ("x", "y", "width", "height")}
    except (InputError, ValueError, TypeError, KeyError):  # none yet, or cut off
        return {"width": _FIRST_SIZE[0], "height": _FIRST_SIZE[1]}
