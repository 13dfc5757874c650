"""What is typed outlives reloads, crashes and other pages; a server that dies takes no key away."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.live_pages import RUN
from tests.browser.server import free_port, started
from tests.browser.waits import at_step, ready, rested
from tests.worlds import write_states, write_world

pytestmark = pytest.mark.browser

FIELD = ".st-key-live_instruction textarea"
AWAY = ".nv-away"


def test_no_word_is_lost_and_a_dead_server_takes_no_key(chromium: Browser, tmp_path: Path) -> None:
    graph = write_world(tmp_path)
    walks: dict[str, dict[str, list[str | None]]] = {
        key: {"json": ["s1", "x", "w1"]} for key in "12"
    }
    results = write_states(tmp_path / "walks.json", walks, instruction="Walk to the light.")
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    port = free_port()
    live = f"http://127.0.0.1:{port}/live?run=walks&episode=1"
    with ExitStack() as first:
        _, server = first.enter_context(
            started("--graphs", str(graph), str(results), workspace=tmp_path, port=port)
        )
        page.goto(live)
        ready(page, "1")
        rested(page)
        field = page.locator(FIELD)
        field.press("End")
        page.keyboard.type(" Then wait.")
        expect(page.get_by_text("to apply")).to_be_hidden()
        # another window of the same browser has the words, as has one after a crash
        page.close(run_before_unload=False)
        page = context.new_page()
        page.goto(live)
        field = page.locator(FIELD)
        expect(field).to_have_value("Walk to the light. Then wait.")
        page.get_by_role("link", name="Compare").click()
        page.get_by_role("link", name="Live").click()
        expect(field).to_have_value("Walk to the light. Then wait.")
        page.get_by_role("button", name="Undo").click()
        expect(field).to_have_value("Walk to the light.")
        page.reload()
        ready(page, "1")
        rested(page)
        expect(field).to_have_value("Walk to the light.")
        field.press("End")
        page.keyboard.type(" Now.")
        page.keyboard.press("Escape")
        os.killpg(server.pid, signal.SIGKILL)
        expect(page.locator(AWAY)).to_be_visible()
        page.wait_for_timeout(8000)  # Streamlit's dialog comes after some failed tries
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("Home")
        at_step(page, 0)
        page.keyboard.press("End")
        at_step(page, 2)
        expect(field).to_have_value("Walk to the light. Now.")
    with started("--graphs", str(graph), str(results), workspace=tmp_path, port=port):
        expect(page.locator(AWAY)).to_be_hidden()
        expect(page.locator(RUN)).to_be_enabled()
        expect(field).to_have_value("Walk to the light. Now.")
        at_step(page, 2)
    context.close()
