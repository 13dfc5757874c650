"""The keyboard belongs to the player: whatever one has clicked in the page, unless one types
there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import serving
from tests.browser.waits import at_step, expect, ready, soon
from tests.browser.windows import shared
from tests.nights import by_day
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    graph = write_world(folder)
    walks = {str(k): {"json": ["s1", "x", ("e1", "w1", "n0")[k % 3]]} for k in range(1, 6)}
    results = write_states(
        folder / "walks.json", walks, instruction="Walk to the light, then turn right."
    )
    with serving("--graphs", str(graph), str(results), workspace=folder) as running:
        yield running


@pytest.fixture(scope="module")
def window(chromium, address):
    """One tab for all: what a test leaves behind (another episode, a field with its keys) the next
    one's fixture puts back.
    """
    with shared(chromium, address, viewport={"width": 1280, "height": 720}) as window:
        yield window


@pytest.fixture
def replay(window, request):
    """Episode 3 on the Replay page at step 1, in a player that is new."""
    with window.lent(request.node):
        _leave(window.tab)
        yield window.replay("3", other="1")


@pytest.fixture
def same_replay(window, request):
    """Episode 3 at its first step, in the player of the test before where that shows it: this one
    only clicks and steps.
    """
    with window.lent(request.node):
        page = window.tab
        _leave(page)
        if page.locator('.navviz-player[data-episode="3"]').count() == 0:
            window.replay("3", other="1")
        page.keyboard.press("Home")
        at_step(page, 0)
        yield page


def _leave(page: Page) -> None:
    """Leave a field and its list, so that nothing in the page has the keys."""
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement?.blur()")


def steps(page: Page) -> None:
    """Keys step, back and forth, and play."""
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press(" ")
    expect(page.locator(".navviz-player")).to_have_attribute("data-playing", "true")
    page.keyboard.press(" ")
    expect(page.locator(".navviz-player")).to_have_attribute("data-playing", "false")


def no_ring(page: Page) -> None:
    """No element has a visible focus ring."""
    expect(page.locator(":focus-visible")).to_have_count(0)


def test_after_the_episode_box(replay):
    replay.get_by_role("combobox", name="Episode").click()
    replay.get_by_role("option").nth(4).click()
    ready(replay, "5")
    steps(replay)


@pytest.mark.nightly
def test_after_another_page(replay):
    replay.get_by_role("link", name="Explore").click()
    replay.get_by_text("Success rate").first.wait_for()
    replay.get_by_role("link", name="Replay").click()
    ready(replay, "3")
    steps(replay)
    no_ring(replay)


@pytest.mark.parametrize(
    "place", by_day([(1255, 300), (640, 8), (1100, 30), (20, 690)], [(1255, 300), (20, 690)])
)
def test_after_a_click_anywhere(same_replay, place):
    same_replay.mouse.click(*place)
    steps(same_replay)
    no_ring(same_replay)


@pytest.mark.parametrize(
    "part",
    by_day(
        [".nv-map", ".nv-instruction", ".nv-tab", ".nv-track", "[data-press=next]", ".nv-head"],
        [".nv-map", ".nv-tab", "[data-press=next]"],
    ),
)
def test_after_a_click_in_the_player(same_replay, part):
    same_replay.locator(part).first.click()
    steps(same_replay)


def test_n_and_p_go_to_the_next_and_previous_episode(replay):
    replay.keyboard.press("n")
    ready(replay, "4")
    replay.keyboard.press("n")
    ready(replay, "5")
    replay.keyboard.press("p")
    ready(replay, "4")
    replay.wait_for_url(re.compile(r"episode=4\b"))
    steps(replay)


def test_a_field_keeps_its_keys(replay):
    box = replay.get_by_role("combobox", name="Episode")
    box.click()
    replay.keyboard.type("n1d")
    expect(box).to_have_value("n1d")
    assert replay.get_attribute(".navviz-player", "data-episode") == "3"
    at_step(replay, 1)


def test_a_button_reached_by_tab_keeps_space(replay):
    replay.get_by_role("button", name="Previous").click()
    ready(replay, "2")
    replay.keyboard.press("Tab")
    soon(
        replay,
        lambda: str(replay.evaluate("document.activeElement.innerText")),
        lambda name: "Next" in name,
    )
    replay.keyboard.press(" ")
    ready(replay, "3")
