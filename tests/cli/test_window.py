"""``navviz app --window``: server and window end together, whichever ends first."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import types
from pathlib import Path

import pytest
from typer.testing import CliRunner

from navviz.cli import app as app_command
from navviz.cli import application, window
from navviz.errors import SettingsError, StoreError
from tests.browser.server import free_port
from tests.paths import ROOT

SERVER = """
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"ok")
        if self.path == "/quit":
            self.wfile.flush(); self.connection.shutdown(2); os._exit(3)
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
BROWSER = """#!{python}
import json, os, signal, sys, urllib.request
given = dict(each.lstrip("-").split("=", 1) for each in sys.argv[1:] if "=" in each)
answer = urllib.request.urlopen(given["app"] + "/_stcore/health").read().decode()
with open({record!r}, "w") as file:
    json.dump(given | {{"answer": answer, "pid": os.getpid()}}, file)
if {then!r} == "quit":
    try: urllib.request.urlopen(given["app"] + "/quit").read()
    except OSError: pass
if {then!r} != "close":
    print("open", flush=True)
    signal.pause()
"""


def _browser(folder: Path, then: str) -> tuple[Path, Path]:
    """A program that records what it is called with, then closes, waits, or ends the server."""
    program, record = folder / "browser", folder / "record.json"
    text = BROWSER.format(python=sys.executable, record=str(record), then=then)
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    return program, record


def _show(tmp_path: Path, port: int) -> int:
    environment = {**os.environ, "NAVVIZ_WORKSPACE": str(tmp_path / "ws")}
    command = [sys.executable, "-c", SERVER, str(port)]
    return window.show_window(command, environment, host="127.0.0.1", port=port)


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_server_ends_with_the_window(tmp_path, monkeypatch):
    program, record = _browser(tmp_path, "close")
    monkeypatch.setenv(window.BROWSER_VARIABLE, str(program))
    port = free_port()
    assert _show(tmp_path, port) == 0
    seen = json.loads(record.read_text())
    assert seen["app"] == f"http://localhost:{port}"  # Chromium keeps no place of 127.0.0.1
    assert seen["answer"] == "ok", "the window opens when the server answers"
    assert seen["user-data-dir"] == str(tmp_path / "ws" / "window" / str(port))
    assert seen["window-size"] == "1440,900"
    window.check_free("127.0.0.1", port)
    assert _show(tmp_path, port) == 0
    assert "window-size" not in json.loads(record.read_text()), "the browser remembers it now"


def test_the_window_ends_with_the_server(tmp_path, monkeypatch):
    program, record = _browser(tmp_path, "quit")
    monkeypatch.setenv(window.BROWSER_VARIABLE, str(program))
    assert _show(tmp_path, free_port()) == 3, "the code of the server"
    assert _is_gone(json.loads(record.read_text())["pid"])


def test_a_kill_ends_both(tmp_path):
    inner, record = _browser(tmp_path, "wait")
    program = tmp_path / "browser.sh"  # as Debian's chromium: a script that stays
    program.write_text(f'#!/bin/sh\n{inner} "$@"\ntrue\n', encoding="utf-8")
    program.chmod(0o755)
    port = free_port()
    script = (
        "import os, sys; from navviz.cli.window import show_window\n"
        f"show_window([sys.executable, '-c', {SERVER!r}, '{port}'], dict(os.environ),"
        f" host='127.0.0.1', port={port})"
    )
    environment = {
        **os.environ,
        window.BROWSER_VARIABLE: str(program),
        "NAVVIZ_WORKSPACE": str(tmp_path),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", script], env=environment, cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"open\n"
    process.send_signal(signal.SIGTERM)
    # the browser holds the pipe, too: it ends when all that may write have ended
    assert process.communicate(timeout=60) == (b"", None)
    assert process.returncode == 0
    assert record.exists()
    window.check_free("127.0.0.1", port)


def test_a_server_that_does_not_come_up_is_a_sentence(tmp_path, monkeypatch):
    program, record = _browser(tmp_path, "close")
    monkeypatch.setenv(window.BROWSER_VARIABLE, str(program))
    command, environment = [sys.executable, "-c", "raise SystemExit(1)"], dict(os.environ)
    environment["NAVVIZ_WORKSPACE"] = str(tmp_path)
    with pytest.raises(StoreError, match="did not start"):
        window.show_window(command, environment, host="127.0.0.1", port=free_port())
    assert not record.exists()


def test_a_port_in_use_is_named_and_the_next_one_taken(monkeypatch):
    import socket

    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with pytest.raises(SettingsError, match=f"--port {port}: is in use"):
            window.check_free("127.0.0.1", port)
        assert window.next_free("127.0.0.1", port) > port


def test_pywebview_keeps_size_and_place(tmp_path, monkeypatch):
    made: list[dict[str, object]] = []

    class Event(list):
        def __iadd__(self, handler: object) -> Event:
            self.append(handler)
            return self

    class Window:
        x, y, width, height = 5, 6, 700, 500

        def __init__(self) -> None:
            self.events = types.SimpleNamespace(closing=Event())

        def destroy(self) -> None:
            pass

    def create_window(title: str, url: str, **place: int) -> Window:
        made.append({"title": title, "url": url, **place})
        fake.window = Window()
        return fake.window

    def start(_watch: object) -> None:
        for handler in fake.window.events.closing:
            handler()

    fake = types.ModuleType("webview")
    fake.create_window, fake.start = create_window, start  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "webview", fake)
    monkeypatch.setattr(window, "browser", lambda: None)
    port = free_port()
    assert [_show(tmp_path, port), _show(tmp_path, port)] == [0, 0]
    first = {"title": "NavViz", "url": f"http://127.0.0.1:{port}"}
    assert made[0] == {**first, "width": 1440, "height": 900}
    assert made[1] == {**first, "x": 5, "y": 6, "width": 700, "height": 500}


def test_browsers_are_found(tmp_path, monkeypatch):
    monkeypatch.delenv(window.BROWSER_VARIABLE, raising=False)
    for variable in ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(window, "_MAC", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert window.browser() is None
    edge = tmp_path / "Microsoft" / "Edge" / "Application" / "msedge.exe"
    edge.parent.mkdir(parents=True)
    edge.touch()
    monkeypatch.setenv("PROGRAMFILES(X86)", str(tmp_path))
    assert window.browser() == str(edge)
    (tmp_path / "google-chrome").write_text("#!/bin/sh\n")
    (tmp_path / "google-chrome").chmod(0o755)
    assert window.browser() == str(tmp_path / "google-chrome")
    monkeypatch.setenv(window.BROWSER_VARIABLE, "no-such-browser")
    with pytest.raises(SettingsError, match="no-such-browser: is no program"):
        window.browser()


def test_without_any_the_browser_opens_with_one_sentence(tmp_path, monkeypatch):
    begun: list[list[str]] = []
    monkeypatch.setattr(app_command, "_become", lambda command, _environment: begun.append(command))
    monkeypatch.setattr(app_command.window, "has_window", lambda: False)
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    done = CliRunner().invoke(application(("app",), ()), ["app", "--window", "--port", "8600"])
    assert done.exit_code == 0, done.output
    assert begun[0][begun[0].index("--server.headless") + 1] == "false"
    assert "so NavViz opens in the browser" in done.stderr
    assert "pip install 'navviz-vln[window]'" in done.stderr
    refused = CliRunner().invoke(application(("app",), ()), ["app", "--window", "--no-browser"])
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
