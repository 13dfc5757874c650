"""The notebook's widget in JupyterLab and marimo themselves, with a kernel each.

Both are installed into a throw-away environment, which needs a package index; the packages that
NavViz itself needs come from the environment that runs the tests.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sysconfig
import time
import urllib.request
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import free_port
from tests.conftest import missing
from tests.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.nightly]

HOSTS = ("jupyterlab>=4.6,<5", "ipykernel", "marimo>=0.25,<1", "anywidget>=0.9.13,<1")
OPEN = """import navviz
run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "groke-by-hand")
shown = navviz.replay(run, 1, step=2)
"""
STATE = (
    'state = shown.widget\nprint("STATE", state.episode, state.step, state.playing,'
    " repr(state.selection))"
)
CELLS = (f"{OPEN}shown", "shown.widget.step = 3", STATE)
MARIMO = f"""import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo
    {OPEN.replace(chr(10), chr(10) + "    ")}
    seen = mo.ui.anywidget(shown.widget)
    seen
    return mo, seen

@app.cell
def _(seen, mo):
    mo.md(f"STATE {{seen.widget.step}} {{seen.widget.playing}} {{seen.value.get('step')}}")
    return

@app.cell
def _(mo, seen):
    def go(_):
        seen.widget.step = 3
    mo.ui.button(label="Third step", on_click=go)
    return

if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def hosts(tmp_path_factory):
    """Programs of a throw-away environment with both notebooks."""
    home = tmp_path_factory.mktemp("hosts")
    venv.create(home / "venv", with_pip=True)
    folder = home / "venv" / "bin"
    install = [str(folder / "python"), "-m", "pip", "install", "--quiet", *HOSTS]
    done = subprocess.run(install, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode != 0:
        missing(f"JupyterLab and marimo cannot be installed: {done.stderr[-300:]}")
    own = next((home / "venv" / "lib").glob("python*/site-packages"))
    # behind its own packages on the path, so that those of the notebooks win
    paths = [str(ROOT), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    (own / "navviz.pth").write_text("\n".join(dict.fromkeys(paths)))
    return folder


@contextmanager
def answering(command: Sequence[str], port: int, folder: Path) -> Iterator[str]:
    """Run a notebook's server until its page answers; yields its address."""
    # a home of its own: both write settings and histories there
    environment = os.environ | {"HOME": str(folder), "JUPYTER_PREFER_ENV_PATH": "1"}
    environment["NAVVIZ_WORKSPACE"] = str(folder / "workspace")
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(480):
            assert server.poll() is None, (folder / "server.log").read_text()
            try:
                with urllib.request.urlopen(address, timeout=5):
                    break
            except OSError:
                time.sleep(0.25)
        yield address
    finally:
        server.terminate()
        # JupyterLab waits for kernels that a page has just begun; nothing of them is needed
        with suppress(subprocess.TimeoutExpired):
            server.wait(timeout=20)
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait(timeout=60)


@pytest.fixture
def online(chromium):
    """A page that reaches the notebook's server; the hosts' own complaints are not ours."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1100})
    yield context.new_page()
    context.close()


def player(page: Page) -> FrameLocator:
    frame = page.frame_locator("iframe.navviz-replay")
    frame.locator('.navviz-player[data-ready="true"]').wait_for()
    assert frame.locator(".navviz-player").get_attribute("data-step") == "2"
    assert page.locator("iframe.navviz-replay").count() == 1
    return frame


def at_step(frame: FrameLocator, step: int) -> None:
    frame.locator(f'.navviz-player[data-step="{step}"]').wait_for()


def test_jupyterlab_hears_the_player_and_moves_it_and_keeps_it(hosts, online, tmp_path):
    path = tmp_path / "n.ipynb"
    cells = []
    for number, source in enumerate(CELLS):
        cell = {"cell_type": "code", "execution_count": None, "id": f"c{number}", "metadata": {}}
        cells.append(cell | {"outputs": [], "source": source})
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}}
    path.write_text(json.dumps(notebook | {"nbformat": 4, "nbformat_minor": 5}))
    port = free_port()
    command = [str(hosts / "jupyter"), "lab", "--no-browser", "--ip=127.0.0.1", "--allow-root"]
    command += [f"--port={port}", f"--ServerApp.root_dir={tmp_path}"]
    command += ["--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]
    with answering(command, port, tmp_path) as address:
        online.goto(f"{address}/lab/tree/n.ipynb")
        run_cell(online, 0)
        frame = player(online)
        run_cell(online, 1)
        at_step(frame, 3)
        frame.locator('[data-press="next"]').click()
        at_step(frame, 4)
        run_cell(online, 2)
        said = online.locator(".jp-OutputArea-output pre", has_text="STATE")
        said.wait_for()
        assert said.inner_text().strip() == "STATE 1 4 False ''"

        online.keyboard.press("Escape")
        online.keyboard.press("Control+s")
        wait_until(lambda: bool(json.loads(path.read_text())["cells"][2]["outputs"]))
        for session in json.loads(called(f"{address}/api/sessions")):
            called(f"{address}/api/sessions/{session['id']}", "DELETE")
        online.goto("about:blank")
        # no kernel: what is left is what the file holds
        online.goto(f"{address}/lab/tree/n.ipynb?reset")
        player(online)


def run_cell(page: Page, number: int) -> None:
    """Run a cell; JupyterLab drops keys until its kernel is there, so they are pressed again."""
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    prompt = cell.locator(".jp-InputPrompt")
    for _ in range(12):
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        with suppress(AssertionError):
            expect(prompt).not_to_have_text("[ ]:", timeout=10_000)
            return
    pytest.fail(f"cell {number} does not run: {prompt.inner_text()}")


def called(address: str, method: str = "GET") -> bytes:
    with urllib.request.urlopen(urllib.request.Request(address, method=method)) as answer:
        return bytes(answer.read())


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(240):
        if holds():
            return
        time.sleep(0.25)
    pytest.fail("it did not come within a minute")


def test_marimo_hears_the_player_and_moves_it(hosts, online, tmp_path):
    (tmp_path / "m.py").write_text(MARIMO)
    port = free_port()
    command = [str(hosts / "python"), "-m", "marimo", "run", "m.py", "--headless", "--no-token"]
    with answering([*command, f"--port={port}"], port, tmp_path) as address:
        online.goto(address)
        frame = player(online)
        frame.locator('[data-press="next"]').click()
        online.get_by_text("STATE 3 False 3").wait_for()
        frame.locator('[data-press="first"]').click()
        online.get_by_text("STATE 0 False 0").or_(online.get_by_text("STATE 1 False 1")).wait_for()
        online.get_by_role("button", name="Third step").click()
        at_step(frame, 3)
