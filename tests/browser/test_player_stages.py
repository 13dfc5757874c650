"""The player on tasks of several parts, in Chromium: bands, flags, second track, task tree, targets, glide."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from navviz.runs.opened import OpenRun, open_run
from navviz.views.player.document import replay_document
from tests.paths import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPlayer

pytestmark = pytest.mark.browser

SIZES = [(1280, 720), (1440, 900)]


Document = dict[str, Any]


def _document(run: OpenRun, key: str) -> Document:
    trace, graph = run.trace(key), run.graph(key)
    return replay_document(trace, graph, divergence=run.divergence(key), metrics=run.scores.rows[key])


def _open(open_player: OpenPlayer, document: Document, size: tuple[int, int]) -> Page:
    page = open_player(document)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(200)
    return page


def _to(page: Page, step: int) -> None:
    page.keyboard.press("Home")
    for _ in range(step):
        page.keyboard.press("ArrowRight")


@pytest.fixture
def real(data_dir: Path) -> Document:
    run = open_run(data_dir / "lhvln" / "lhpr", graphs=data_dir / "lhvln" / "scene")
    return _document(run, next(iter(run.traces)))


@pytest.fixture
def sample() -> Document:
    run = open_run(SAMPLES / "house" / "runs" / "mgdm-scripted", graphs=SAMPLES / "house")
    return _document(run, "LH-3")


@pytest.mark.parametrize("size", SIZES)
def test_the_public_episode_replays_with_both_step_tasks(
    open_player: OpenPlayer, real: Document, size: tuple[int, int]
) -> None:
    page = _open(open_player, real, size)
    assert page.locator(".nv-band").count() == 2
    assert [band.inner_text() for band in page.locator(".nv-band").all()] == ["1 kettle", "2 coffee table"]
    assert page.locator(".nv-flagpole.nv-good").count() == 2
    assert page.locator(".nv-oracle").count() == 2
    assert page.locator(".nv-steptask").count() == 2
    assert page.locator(".nv-steptask").first.locator(".nv-stretch-part").count() == 5
    assert "dead reckoned" in page.locator(".nv-notes").inner_text()
    assert page.locator(".navviz-player").get_attribute("data-steps") == "133"
    lower, upper = (page.locator(where).bounding_box() for where in (".nv-second", ".nv-bands"))
    assert lower is not None
    assert upper is not None
    assert lower["y"] + lower["height"] <= size[1]


def test_shift_and_arrows_go_by_stage_and_the_tree_follows(open_player: OpenPlayer, real: Document) -> None:
    page = _open(open_player, real, (1280, 720))
    player = page.locator(".navviz-player")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert player.get_attribute("data-step") == "80"
    assert [said.inner_text() for said in page.locator(".nv-said").all()] == ["reached · 79 of 80 steps", "now"]
    page.locator(".nv-task").first.click()
    assert player.get_attribute("data-step") == "1"
    page.locator(".nv-steptask").nth(1).click()
    assert player.get_attribute("data-step") == "88"
    page.keyboard.press("End")
    assert [said.inner_text() for said in page.locator(".nv-said").all()][1] == "reached · 54 of 54 steps"
    page.get_by_role("tab", name="Whole task").click()
    assert "[1·2 + 1·(1 + 1·1)] / 4 = 1.0000" in page.locator(".nv-pane").inner_text()


def test_targets_are_numbered_and_the_path_is_coloured_by_stage(open_player: OpenPlayer, sample: Document) -> None:
    page = _open(open_player, sample, (1440, 900))
    page.keyboard.press("End")
    numbers = {sign.inner_text() for sign in page.locator(".nv-sign-target").all()}
    assert numbers <= {"1", "2"}
    assert numbers
    assert page.locator(".nv-flagpole.nv-good").count() == 1
    assert page.locator(".nv-flagpole.nv-missed").count() == 1
    assert page.locator(".nv-said").nth(1).inner_text().startswith("stopped too far: 3.2 m")
    assert page.locator(".nv-second").is_hidden()


def test_memory_and_forgetting_show_at_their_step(open_player: OpenPlayer, sample: Document) -> None:
    page = _open(open_player, sample, (1440, 900))
    _to(page, 7)
    tabs = [tab.inner_text() for tab in page.get_by_role("tab").all()]
    assert any(tab.startswith("Memory: 6 of 6") for tab in tabs)
    page.get_by_role("tab", name="Entropies").click()
    rows = page.locator(".nv-bar-row")
    assert rows.count() == 6
    assert page.locator(".nv-bar-row.nv-chosen").count() == 1
    page.keyboard.press("Shift+ArrowRight")  # a new part: the chain of thought has changed
    page.get_by_role("tab", name="Chain of step").click()
    assert page.locator(".nv-changes").count() == 1


def test_an_agent_that_walks_freely_glides(open_player: OpenPlayer, real: Document) -> None:
    page = _open(open_player, real, (1280, 720))
    player = page.locator(".navviz-player")
    page.keyboard.press("9")
    page.keyboard.press(" ")
    assert player.get_attribute("data-playing") == "true"
    assert player.get_attribute("data-free") == "true"
    duration = page.evaluate("getComputedStyle(document.querySelector('.nv-agent-icon')).transitionDuration")
    assert duration not in {"", "0s"}
    page.keyboard.press(" ")
