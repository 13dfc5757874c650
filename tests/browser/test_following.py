"""A run that grows under one's eyes: Explore takes what is new, Replay plays it as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.server import serving
from tests.browser.waits import until
from tests.paths import SAMPLES

pytestmark = pytest.mark.browser

RUN = SAMPLES / "harbour" / "runs" / "groke-by-hand"
PLAYER = ".navviz-player"


class Writer:
    """Writes traces of a recorded run anew, as far as a test says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)

    def write(self, episode: str, first: int = 0, last: int | None = None) -> None:
        lines = (RUN / f"{episode}.trace.jsonl").read_text().splitlines(keepends=True)
        with (self.folder / f"{episode}.trace.jsonl").open("a") as file:
            file.write("".join(lines[first:last]))


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Writer]]:
    workspace = tmp_path_factory.mktemp("following")
    writer = Writer(workspace / "runs" / "growing")
    writer.write("1")
    writer.write("3")
    writer.write("9", 0, 14)
    with serving(workspace=workspace) as address:
        yield address, writer


def test_a_run_is_followed(chromium: Browser, growing: tuple[str, Writer]) -> None:
    address, writer = growing
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"{address}/explore?run=growing&sort=-NE")
    count = page.locator(".nl-count")
    expect(count).to_have_text("3 of 3 episodes · 1 succeeded")
    switch = page.get_by_role("switch", name="Following")
    expect(switch).to_be_checked()
    page.get_by_role("searchbox").fill("the")
    page.wait_for_url("**q=the*")
    # nothing of the list is lost when more comes
    writer.write("2")
    expect(count).to_have_text("4 of 4 episodes · 2 succeeded")
    expect(page.get_by_role("searchbox")).to_have_value("the")
    assert "sort=-NE" in page.url
    switch.locator("xpath=ancestor::label").click()
    expect(switch).not_to_be_checked()
    writer.write("10")
    page.wait_for_timeout(3000)
    expect(count).to_have_text("4 of 4 episodes · 2 succeeded")
    switch.locator("xpath=ancestor::label").click()
    expect(count).to_have_text("5 of 5 episodes · 2 succeeded")

    # the switch has the focus, and leaves the page its keys
    page.get_by_role("button", name="Watch 9").wait_for()
    page.keyboard.press("l")
    page.wait_for_url(re.compile(r"/replay\?.*episode=9"))
    player = page.locator(PLAYER)
    expect(player.locator(".nv-outcome")).to_have_text("running")
    begun = str(player.get_attribute("data-step"))
    expect(player).to_have_attribute("data-steps", begun)
    writer.write("9", 14, 26)
    until(page, f"Number(document.querySelector('{PLAYER}').dataset.step) > {begun}")
    # who looks back is left there
    page.keyboard.press("Home")
    expect(player).to_have_attribute("data-step", "0")
    steps = str(player.get_attribute("data-steps"))
    writer.write("9", 26, 38)
    until(page, f"Number(document.querySelector('{PLAYER}').dataset.steps) > {steps}")
    expect(player).to_have_attribute("data-step", "0")
    page.keyboard.press("End")
    writer.write("9", 38)
    expect(player.locator(".nv-outcome")).to_contain_text("failure")
    expect(player).to_have_attribute("data-step", "7")
    context.close()
