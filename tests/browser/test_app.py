"""The app as a newcomer meets it: from Explore to a step of a failed episode, with no host but this
machine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.browser.server import serving
from tests.browser.waits import at_step, expect, ready, rested, until
from tests.browser.windows import shared
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Request

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script> turn right & stop'


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("app")
    graph = write_world(folder)
    walks = {
        "1": {"json": ["s1", "x", "e1"]},
        "2": {"json": ["s1", "x", "w1"]},
        "3 <b>": {"json": ["s1", None, "zz"]},
    }
    results = write_states(folder / "walks.json", walks, instruction=HOSTILE)
    with serving("--graphs", str(graph), str(results), workspace=folder) as running:
        yield running


@pytest.fixture(scope="module")
def window(chromium, address):
    """One tab for all: `load` begins another session, `visit` another episode; nothing else is left
    behind.
    """
    with shared(chromium, address, viewport={"width": 1440, "height": 900}) as window:

        def note(request: Request) -> None:
            host = urlsplit(request.url).hostname
            if host not in {"127.0.0.1", None}:
                window.wrong.append(f"asked for {request.url}")

        window.context.on("request", note)
        yield window


@pytest.fixture
def tab(window, request):
    """A tab that may only reach this machine; anything else it asks for fails the test, and so does
    markup that runs.
    """
    with window.lent(request.node):
        yield window.tab
        assert window.tab.evaluate("window.hacked") is None


def test_from_the_table_to_a_step(window, tab):
    window.load("")
    tab.get_by_text("Success rate").wait_for()
    expect(tab.get_by_text("33.3 %").first).to_be_visible()
    tab.get_by_text("Gallery", exact=True).click()
    tab.locator(".nl-card", has_text=re.compile(r"^2( · |$)")).click()
    ready(tab, "2")
    tab.wait_for_url(re.compile(r"/replay\?.*episode=2"))
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowRight")
    at_step(tab, 1)
    tab.keyboard.press("d")
    at_step(tab, 2)
    tab.wait_for_url(re.compile(r"step=2"))


def test_a_deep_link_as_the_first_request_opens_the_step(window, tab):
    window.load("/replay?run=walks&episode=2&step=2")
    ready(tab, "2")
    at_step(tab, 2)
    tab.get_by_role("link", name="Explore").click()
    tab.get_by_text("Success rate").wait_for()


def test_stepping_never_asks_the_server(window, tab):
    window.load("/replay?run=walks&episode=2&step=1")
    ready(tab)
    tab.get_by_role("link", name="Explore").wait_for()
    rested(tab)
    tab.wait_for_load_state("networkidle")  # Streamlit's own first messages are over
    sent: list[str] = []

    def note(request: Request) -> None:
        sent.append(request.url)

    tab.on("request", note)
    tab.evaluate("() => { window.sent = 0; const s = WebSocket.prototype.send;"
                 " WebSocket.prototype.send = function (...a) { window.sent++; return s.apply(this, a); }; }")  # fmt: skip
    for key, step in (
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 2),
        ("Home", 0),
        ("d", 2),
    ):
        tab.keyboard.press(key)
        at_step(tab, step)
    tab.wait_for_url(re.compile("step=2"))  # the address is written last
    assert tab.evaluate("window.sent") == 0
    tab.remove_listener("request", note)
    assert not sent


def test_the_search_finds_other_episodes_and_goes_there(window, tab):
    window.replay("1", other="2")
    tab.locator(".navviz-player").press("Control+k")
    tab.locator(".nv-search-field").fill("stop right")
    others = tab.locator(".nv-hit-episode")
    expect(others).to_have_count(2)
    expect(others.last).to_contain_text("</script> turn right")
    others.first.click()
    tab.wait_for_selector('.navviz-player[data-episode="2"][data-ready="true"]')
    until(tab, "new URLSearchParams(location.search).get('episode') === '2'")
    # the older one goes when the script has ended
    expect(tab.locator(".navviz-player")).to_have_count(1)
    tab.locator(".navviz-player").press("Control+k")
    tab.locator(".nv-search-field").fill("3")
    expect(others).to_have_count(1)
    tab.locator(".nv-search-field").press("Enter")
    tab.wait_for_selector('.navviz-player[data-episode="3 <b>"][data-ready="true"]')
    assert tab.evaluate("window.hacked") is None


def test_the_exported_file_replays_offline(window, tab, chromium, tmp_path):
    window.replay("2", other="1")
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="Replay as one HTML file").click()
    target = tmp_path / "replay.html"
    waiting.value.save_as(target)
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.goto(target.as_uri())
    ready(page)
    page.keyboard.press("End")
    at_step(page, 2)
    assert page.evaluate("window.hacked") is None
    context.close()
