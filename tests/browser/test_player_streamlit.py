"""The player inside a Streamlit page: it outlives reruns, steps without them, and tells Python on
request.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import free_port, wait_for_server
from tests.browser.waits import at_step, ready, rested, soon, until
from tests.browser.windows import shared
from tests.paths import ROOT
from tests.zygote import Forked

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocket

pytestmark = pytest.mark.browser


APP = """
import streamlit as st
from navviz.ui.components.player import Action, player
from navviz.views.player.document import replay_document
from tests.replays import full_trace, tiny_graph

st.session_state["runs"] = st.session_state.get("runs", 0) + 1
trace = full_trace()
st.button("again")
if st.checkbox("short"):
    trace = trace.model_copy(update={"steps": trace.steps[:2]})
if st.button("other parameter"):
    st.query_params["other"] = "1"
pressed = player(replay_document(trace, tiny_graph()), key="demo", actions=[Action("fork", "Fork here")])
st.text(f"runs {st.session_state['runs']}")
st.text(f"pressed {pressed.name} {pressed.step}" if pressed else "nothing pressed")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("app")
    (folder / "app.py").write_text(APP)
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(folder / "app.py"), "--server.port", str(port), "--server.headless", "true",
               "--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"]  # fmt: skip
    with (folder / "log").open("w") as log:
        process = Forked(
            command,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for_server(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait(60)


@pytest.fixture(scope="module")
def window(chromium, server):
    """One tab for all: `app` puts back what a test leaves behind."""
    with shared(chromium, server, console=True, viewport={"width": 1440, "height": 900}) as window:
        yield window


@pytest.fixture
def lent(window, request):
    """The tab in whatever state."""
    with window.lent(request.node):
        yield window


@pytest.fixture
def app(lent):
    """The player at step 2 of the whole trace, in a session where nothing was pressed last and the
    address tells the step only.
    """
    page = lent.tab
    if not lent.is_loaded:
        lent.load("?step=2")
        ready(page)
    else:
        rested(page)
        page.evaluate("history.replaceState({}, '', '?step=2')")
        short = page.get_by_role("checkbox", name="short").is_checked()
        runs = _runs(page)
        page.click("label:has-text('short')" if short else "button:has-text('again')")
        page.wait_for_selector(f"text=runs {runs + 1}")
        page.wait_for_selector('.navviz-player[data-steps="4"]')
        for step, key in enumerate(("Home", "ArrowRight", "ArrowRight")):
            page.keyboard.press(key)
            at_step(page, step)
    page.wait_for_selector("text=nothing pressed")
    until(page, "location.search === '?step=2'")
    rested(page)
    page.evaluate("document.querySelector('.navviz-player').mine = true")
    return page


def _kept(page: Page) -> bool:
    return bool(page.evaluate("document.querySelector('.navviz-player').mine === true"))


def _runs(page: Page) -> int:
    return int(page.inner_text("text=/^runs \\d+$/").split()[1])


def test_a_rerun_leaves_the_player_alone(app):
    app.keyboard.press("ArrowRight")
    runs = _runs(app)
    app.click("button:has-text('again')")
    app.wait_for_selector(f"text=runs {runs + 1}")
    rested(app)
    assert _kept(app)
    at_step(app, 3)


def test_a_newer_document_keeps_the_player(app):
    app.keyboard.press("Home")
    at_step(app, 0)
    app.click("label:has-text('short')")
    app.wait_for_selector('.navviz-player[data-steps="2"]')
    assert _kept(app)
    at_step(app, 0)


def test_an_action_tells_python_the_step(app):
    app.keyboard.press("ArrowRight")
    at_step(app, 3)
    app.click("[data-action=fork]")
    app.wait_for_selector("text=pressed fork 3")
    assert _kept(app)


def test_a_parameter_set_by_the_script_does_not_lose_the_step(app):
    app.keyboard.press("ArrowRight")
    until(app, "location.search.includes('step=3')")
    app.click("button:has-text('other parameter')")
    until(app, "location.search.includes('other=1') && location.search.includes('step=3')")


def test_presenting_covers_the_page(app):
    app.keyboard.press("f")
    app.wait_for_selector(".navviz-player.nv-present")
    size = app.viewport_size
    assert size
    whole = {"x": 0, "y": 0, "width": size["width"], "height": size["height"]}
    soon(app, app.locator(".navviz-player").bounding_box, lambda box: box == whole)
    app.keyboard.press("Escape")
    app.wait_for_selector(".navviz-player:not(.nv-present)")


def test_a_rerun_sends_neither_code_nor_document_again(lent):
    received: list[int] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: received.append(len(frame)))

    page = lent.tab
    page.on("websocket", listen)
    lent.load("")
    ready(page)
    page.wait_for_selector("text=nothing pressed")
    rested(page)
    first = sum(received)
    received.clear()
    page.click("button:has-text('again')")
    until(
        page,
        "() => [...document.querySelectorAll('[data-testid=stText]')].some((e) => e.innerText.startsWith('runs 2'))",
    )
    rested(page)
    page.remove_listener("websocket", listen)
    assert first > 200_000, "Leaflet, the player and the document came once"
    assert sum(received) < 20_000
