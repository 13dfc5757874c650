"""One list everywhere, links that hold it, and visitors that do not touch each other, in a real
browser.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import serving
from tests.browser.waits import expect, ready, rested, soon, until
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hacked=1"> Walk.'
DROP = """([names, text, kind]) => {
  const dataTransfer = new DataTransfer();
  for (const name of names) dataTransfer.items.add(new File([text], name));
  const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector('[data-testid="stMain"]').dispatchEvent(event);
}"""
FAILED = {"2": ["s1", "x", "w1"], "3": ["s1", "n0"], "5": ["s1", "x", "w0"]}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server that lets others in, so that no browser counts as its own user."""
    folder = tmp_path_factory.mktemp("server")
    graph = write_world(folder)
    walks = {
        key: {"json": path}
        for key, path in {"1": ["s1", "e1"], **FAILED, "4": ["s1", "e1"]}.items()
    }
    results = write_states(folder / "walks.json", walks, instruction=HOSTILE)
    with serving(
        "--graphs", str(graph), str(results), "--address", "0.0.0.0", "--open-to-all", "--request-s", "600",
        workspace=folder,
    ) as running:  # fmt: skip
        yield running


@pytest.fixture(scope="module")
def window(chromium):
    """A browser that keeps the app's files: to load them anew costs as much as a test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    yield context
    context.close()


@pytest.fixture
def tab(window):
    """A visitor whom the server has not seen: who visits and what the page keeps is forgotten after
    each test.
    """
    page = window.new_page()
    yield page
    page.evaluate("localStorage.clear()")
    page.close()  # and with it its session storage
    window.clear_cookies()


def test_back_restores_filters_and_sort(tab, address):
    tab.goto(f"{address}/?run=walks&view=map")
    tab.locator('[data-testid="breakdown"] [data-value="failure"]').click()
    tab.wait_for_url(re.compile(r"outcome=failure"))
    shown = tab.get_by_text(re.compile(r"[1-4] of 5 episodes")).inner_text()
    tab.locator('[data-testid="overview"] g[data-value] .reach').first.dispatch_event(
        "click", {"bubbles": True}
    )
    ready(tab)
    tab.wait_for_url(re.compile("outcome=failure"))
    tab.go_back()
    tab.get_by_text(shown).wait_for()
    pressed = tab.locator('[data-testid="breakdown"] [aria-pressed="true"]')
    expect(pressed).to_have_attribute("data-value", "failure")
    tab.go_back()
    # from its beginning: a button says "Read 5 of 5 episodes"
    tab.get_by_text(re.compile(r"^5 of 5 episodes")).wait_for()


@pytest.mark.nightly
def test_a_click_on_a_disc_of_the_atlas_filters_the_list_and_another_ends_it(tab, address):
    tab.goto(f"{address}/?run=walks&view=map&layer=atlas")
    frame = tab.frame_locator('iframe[title*="folium"]')
    disc = frame.locator(".leaflet-marker-icon.nv-left")
    expect(disc).to_have_text("3")
    disc.dispatch_event("click")
    tab.wait_for_url(re.compile(r"feature=left"))
    expect(tab.get_by_text(re.compile(r"^3 of 5 episodes")).first).to_be_visible()
    button = tab.get_by_role("button", name=re.compile("a departure at x"))
    expect(button).to_be_visible()
    expect(disc).to_have_text("3")
    disc.dispatch_event("click")
    expect(button).to_have_count(0)
    expect(tab.get_by_text(re.compile(r"^5 of 5 episodes")).first).to_be_visible()
    soon(tab, lambda: "feature=" in tab.url, lambda there: not there)
    tab.get_by_role("button", name=re.compile("^success")).click()
    expect(disc).to_have_count(0)  # the filter of the list is the map's


def _hover(tab: Page) -> None:
    """Hold a file over the page until it says what it takes; a browser tells this again and again,
    too, and a page that is drawn once more misses one.
    """
    says = "document.querySelector('.nv-drop')?.textContent"
    until(
        tab,
        f"(dragged) => {{ ({DROP})(dragged); return {says} === 'Drop a file or a folder to open it'; }}",
        arg=[["a.json"], "{}", "dragover"],
    )


def test_several_files_that_are_dropped_become_one_archive(tab, address):
    tab.goto(address)
    rested(tab)
    _hover(tab)
    tab.evaluate(DROP, [["a.json", "b.json"], "{}", "drop"])
    expect(tab.get_by_role("tabpanel", name="Upload")).to_contain_text("dropped.zip")
    expect(tab.locator(".nv-drop")).to_be_hidden()
