"""The journey of a batch in a real browser: from Explore's failures to Compare, and over a stop, a
reload and a restart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import serving
from tests.browser.waits import expect
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

_SLOW_MS = 120_000


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two walks that failed and one that did not."""
    folder = tmp_path_factory.mktemp("server")
    write_world(folder)
    walks = {"1": ["s1", "x", "e1"], "2": ["s1", "n0"], "3": ["s1", "x", "w1"]}
    write_states(
        folder / "walks.json",
        {key: {"json": path} for key, path in walks.items()},
        "Turn right at the light.",
    )
    return folder


@pytest.fixture(scope="module")
def address(world: Path) -> Iterator[str]:
    with serving(
        "--graphs",
        str(world / "osm" / "graph"),
        str(world / "walks.json"),
        workspace=world,
    ) as running:
        yield running


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.set_default_timeout(_SLOW_MS)
    yield page
    page.context.close()


def badge(card: Locator, word: str) -> Locator:
    """The badge that ends with a word; before it stands the name of its icon, which is text too."""
    return card.get_by_text(re.compile(rf"\b{word}$"))


def test_failures_are_walked_again_and_compared(tab: Page, address: str) -> None:
    tab.goto(f"{address}/?run=walks&outcome=failure")
    tab.get_by_role("button", name="Run over these episodes").click()
    expect(tab.get_by_text("filtered 2")).to_be_visible(timeout=_SLOW_MS)
    tab.get_by_role("button", name="Start").click()
    card = tab.locator(".st-key-batches_card")
    expect(badge(card, "Done")).to_be_visible(timeout=_SLOW_MS)
    expect(card.get_by_text("2 of 2 walks")).to_be_visible(timeout=_SLOW_MS)
    tab.reload()
    expect(card.get_by_text("rules-walks-failures")).to_be_visible(timeout=_SLOW_MS)
    tab.get_by_role("button", name="Compare with the original").click()
    tab.wait_for_url("**/compare?*other=walks*", timeout=_SLOW_MS)
    tab.wait_for_selector('.navviz-player[data-ready="true"]')
