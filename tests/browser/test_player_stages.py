"""The player on tasks of several parts, in Chromium: bands, flags, second track, task tree,
targets, glide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from navviz.runs.opened import OpenRun, open_run
from navviz.views.player.document import replay_document
from tests.browser.waits import at_step, expect, soon, until
from tests.paths import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPlayer

pytestmark = pytest.mark.browser


Document = dict[str, Any]


def _document(run: OpenRun, key: str) -> Document:
    trace, graph = run.trace(key), run.graph(key)
    return replay_document(
        trace, graph, divergence=run.divergence(key), metrics=run.scores.rows[key]
    )


def _open(open_player: OpenPlayer, document: Document, size: tuple[int, int]) -> Page:
    page = open_player(document)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    until(page, f"innerWidth === {size[0]} && innerHeight === {size[1]}")
    return page


def _to(page: Page, step: int) -> None:
    page.keyboard.press("Home")
    for _ in range(step):
        page.keyboard.press("ArrowRight")
    at_step(page, step)


@pytest.fixture(scope="module")
def real(data_dir):
    run = open_run(data_dir / "lhvln" / "lhpr", graphs=data_dir / "lhvln" / "scene")
    return _document(run, next(iter(run.traces)))


@pytest.fixture(scope="module")
def sample():
    run = open_run(SAMPLES / "house" / "runs" / "mgdm-scripted", graphs=SAMPLES / "house")
    return _document(run, "LH-3")


def test_the_public_episode_replays_with_both_step_tasks(open_player, real):
    page = _open(open_player, real, (1280, 720))
    expect(page.locator(".nv-band")).to_have_text(
        ["1 kettle", "2 coffee table"], use_inner_text=True
    )
    expect(page.locator(".nv-flagpole.nv-good")).to_have_count(2)
    expect(page.locator(".nv-oracle")).to_have_count(2)
    expect(page.locator(".nv-steptask")).to_have_count(2)
    expect(page.locator(".nv-steptask").first.locator(".nv-stretch-part")).to_have_count(5)
    expect(page.locator(".nv-notes")).to_contain_text("dead reckoned")
    figures = page.locator(".nv-figure > span:first-child")
    expect(figures).to_have_text(["NE", "SPL", "ISR", "CSR", "CGT", "TAR"], use_inner_text=True)
    expect(page.locator(".navviz-player")).to_have_attribute("data-steps", "133")
    expect(page.locator(".nv-bands")).to_be_visible()
    second = page.locator(".nv-second").bounding_box
    soon(page, second, lambda lower: lower is not None and lower["y"] + lower["height"] <= 720)


def test_shift_and_arrows_go_by_stage_and_the_tree_follows(open_player, real):
    page = _open(open_player, real, (1280, 720))
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    at_step(page, 80)
    expect(page.locator(".nv-said")).to_have_text(
        ["reached · 79 of 80 steps", "now"], use_inner_text=True
    )
    page.locator(".nv-task").first.click()
    at_step(page, 1)
    page.locator(".nv-steptask").nth(1).click()
    at_step(page, 88)
    page.keyboard.press("End")
    expect(page.locator(".nv-said").nth(1)).to_have_text(
        "reached · 54 of 54 steps", use_inner_text=True
    )
    page.get_by_role("tab", name="Whole task").click()
    expect(page.locator(".nv-pane")).to_contain_text(
        "[1·2 + 1·(1 + 1·1)] / 4 = 1.0000", use_inner_text=True
    )


def test_targets_are_numbered_and_the_path_is_coloured_by_stage(open_player, sample):
    page = _open(open_player, sample, (1440, 900))
    page.keyboard.press("End")
    numbers = page.locator(".nv-sign-target").all_inner_texts
    soon(page, lambda: set(numbers()), lambda signs: signs and signs <= {"1", "2"})
    expect(page.locator(".nv-flagpole.nv-good")).to_have_count(1)
    expect(page.locator(".nv-flagpole.nv-missed")).to_have_count(1)
    expect(page.locator(".nv-said").nth(1)).to_contain_text("stopped too far: 3.2 m")
    expect(page.locator(".nv-second")).to_be_hidden()


def test_memory_and_forgetting_show_at_their_step(open_player, sample):
    page = _open(open_player, sample, (1440, 900))
    _to(page, 7)
    expect(page.get_by_role("tab", name="Memory: 6 of 6")).to_have_count(1)
    page.get_by_role("tab", name="Entropies").click()
    expect(page.locator(".nv-bar-row")).to_have_count(6)
    expect(page.locator(".nv-bar-row.nv-chosen")).to_have_count(1)
    page.keyboard.press("Shift+ArrowRight")  # a new part: the chain of thought has changed
    page.get_by_role("tab", name="Chain of step").click()
    expect(page.locator(".nv-changes")).to_have_count(1)


def test_an_agent_that_walks_freely_glides(open_player, real):
    page = _open(open_player, real, (1280, 720))
    player = page.locator(".navviz-player")
    page.keyboard.press("9")
    page.keyboard.press(" ")
    expect(player).to_have_attribute("data-playing", "true")
    expect(player).to_have_attribute("data-free", "true")
    duration = "getComputedStyle(document.querySelector('.nv-agent-icon')).transitionDuration"
    soon(page, lambda: page.evaluate(duration), lambda message: message not in {"", "0s"})
    page.keyboard.press(" ")
