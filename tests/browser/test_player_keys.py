"""The keyboard belongs to the player: whatever one has clicked in the page, unless one types there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import serving
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("keys")
    graph = write_world(folder)
    walks = {str(k): {"json": ["s1", "x", ("e1", "w1", "n0")[k % 3]]} for k in range(1, 6)}
    results = write_states(folder / "walks.json", walks, instruction="Walk to the light, then turn right.")
    with serving("--graphs", str(graph), "--results", str(results), workspace=folder) as running:
        yield running


@pytest.fixture
def replay(chromium: Browser, address: str) -> Iterator[Page]:
    """Episode 3 on the Replay page, with the page's own messages over."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_default_timeout(30_000)
    page.goto(f"{address}/replay?run=walks&episode=3&step=1")
    episode(page, "3")
    yield page
    context.close()
    assert not errors


def episode(page: Page, name: str) -> None:
    page.wait_for_selector(f'.navviz-player[data-episode="{name}"][data-ready="true"]')


def steps(page: Page) -> bool:
    """Whether keys step at once, back and forth, and play."""
    page.keyboard.press("Home")
    shown = [page.get_attribute(".navviz-player", "data-step")]
    page.keyboard.press("ArrowRight")
    shown.append(page.get_attribute(".navviz-player", "data-step"))
    page.keyboard.press(" ")
    shown.append(page.get_attribute(".navviz-player", "data-playing"))
    page.keyboard.press(" ")
    return shown == ["0", "1", "true"]


def rings(page: Page) -> int:
    """Elements with a visible focus ring."""
    return int(page.evaluate("document.querySelectorAll(':focus-visible').length"))


def test_after_the_next_and_previous_buttons(replay: Page) -> None:
    replay.get_by_role("button", name="Next").click()
    episode(replay, "4")
    assert steps(replay)
    assert rings(replay) == 0
    replay.get_by_role("button", name="Previous").click()
    episode(replay, "3")
    assert steps(replay)


def test_after_the_episode_box(replay: Page) -> None:
    replay.get_by_role("combobox", name="Episode").click()
    replay.get_by_role("option").nth(4).click()
    episode(replay, "5")
    assert steps(replay)


def test_after_another_page(replay: Page) -> None:
    replay.get_by_role("link", name="Explore").click()
    replay.get_by_text("Success rate").first.wait_for()
    replay.get_by_role("link", name="Replay").click()
    episode(replay, "3")
    assert steps(replay)
    assert rings(replay) == 0


@pytest.mark.parametrize("place", [(1255, 300), (640, 8), (1100, 30), (20, 690)])
def test_after_a_click_anywhere(replay: Page, place: tuple[int, int]) -> None:
    replay.mouse.click(*place)
    assert steps(replay)
    assert rings(replay) == 0, "no ring around the page"


@pytest.mark.parametrize(
    "part", [".nv-map", ".nv-instruction", ".nv-tab", ".nv-track", "[data-press=next]", ".nv-head"]
)
def test_after_a_click_in_the_player(replay: Page, part: str) -> None:
    replay.locator(part).first.click()
    assert steps(replay)


def test_n_and_p_go_to_the_next_and_previous_episode(replay: Page) -> None:
    replay.keyboard.press("n")
    episode(replay, "4")
    replay.keyboard.press("n")
    episode(replay, "5")
    replay.keyboard.press("p")
    episode(replay, "4")
    assert "episode=4" in replay.url
    assert steps(replay)


def test_a_field_keeps_its_keys(replay: Page) -> None:
    box = replay.get_by_role("combobox", name="Episode")
    box.click()
    replay.keyboard.type("n1d")
    assert box.input_value() == "n1d"
    assert replay.get_attribute(".navviz-player", "data-episode") == "3"
    assert replay.get_attribute(".navviz-player", "data-step") == "1"


def test_a_button_reached_by_tab_keeps_space(replay: Page) -> None:
    replay.get_by_role("button", name="Previous").click()
    episode(replay, "2")
    replay.keyboard.press("Tab")
    assert "Next" in str(replay.evaluate("document.activeElement.innerText"))
    replay.keyboard.press(" ")
    episode(replay, "3")
