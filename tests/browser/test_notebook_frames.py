"""Replays in a notebook's outputs, in a real browser: plotly's script comes from whichever output
carries it.
"""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from navviz.runs.opened import open_run
from navviz.views.player.document import replay_document
from navviz.views.player.html import plotly_carrier, replay_frame
from tests.browser.conftest import page_of
from tests.chromium import PLAIN, launched
from tests.paths import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, ViewportSize

pytestmark = pytest.mark.browser

# up to 1280 the plan leads and the scene is one click away
WIDE: ViewportSize = {"width": 1920, "height": 1080}
PLAYER = '.navviz-player[data-ready="true"]'
SCENE = '.nv-scene[data-ready="true"]'
WAITING = '.nv-scene .nv-nothing:has-text("run that cell again")'


@pytest.fixture(scope="module")
def chromium(chromium):
    """A Chromium of these tests' own: in the suite's, a frame in its own process stayed unpainted
    now and then.
    """
    with launched(chromium.browser_type, PLAIN) as fresh:
        yield fresh


@pytest.fixture
def page(chromium):
    with page_of(chromium) as page:
        page.set_viewport_size(WIDE)
        yield page


@pytest.fixture(scope="module")
def cell():
    """What one cell shows of a house; drawn at once, not when it is scrolled to."""
    run = open_run(SAMPLES / "house" / "runs" / "navgpt-by-hand")
    key = next(iter(run.traces))
    frame = replay_frame(replay_document(run.trace(key), run.graph(key), running=False), 600)
    return frame.replace('loading="lazy"', "")


def notebook(folder: Path, *parts: str) -> str:
    path = folder / "notebook.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{''.join(parts)}", encoding="utf-8")
    return path.as_uri()


def show_scene(frame: FrameLocator) -> None:
    """Ask for the scene, as its reader does: the plan comes first."""
    frame.locator(PLAYER).wait_for()
    frame.get_by_role("button", name="Plan and 3-D scene").click()


@pytest.mark.nightly
def test_the_plan_is_there_at_once_and_the_scene_when_it_can_be(page, tmp_path, cell):
    """Cells run in any order and again, and outputs are cleared."""
    page.goto(notebook(tmp_path, cell))
    inner = page.frame_locator("iframe")
    show_scene(inner.first)
    inner.first.locator(WAITING).wait_for()
    carrier = plotly_carrier().removeprefix("<script>").removesuffix("</script>")
    page.evaluate("code => { for (let k = 0; k < 2; k += 1) (0, eval)(code); }", carrier)
    inner.first.locator(SCENE).wait_for()
    page.evaluate("cell => document.body.insertAdjacentHTML('beforeend', cell)", cell)
    show_scene(inner.nth(1))
    inner.nth(1).locator(SCENE).wait_for()


@pytest.mark.nightly
def test_a_saved_notebook_shows_the_scene(page, tmp_path, cell):
    """As nbconvert writes it: the carrier may stand below a frame that needs it."""
    page.goto(notebook(tmp_path, cell, plotly_carrier()))
    show_scene(page.frame_locator("iframe"))
    page.frame_locator("iframe").locator(SCENE).wait_for()


def test_a_frame_runs_no_script_but_those_it_names(chromium, tmp_path, cell):
    packed = base64.b64encode(
        gzip.compress(b"globalThis.hacked = 1; globalThis.Plotly = {};")
    ).decode()
    answer = f"e.source.postMessage({{ navviz: 'plotly', packed: '{packed}' }}, '*')"
    context = chromium.new_context(offline=True, viewport=WIDE)
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    # the script stands first, so that it hears what the frame asks
    page.goto(
        notebook(tmp_path, f"<script>addEventListener('message', (e) => {answer})</script>", cell)
    )
    show_scene(page.frame_locator("iframe"))
    page.frame_locator("iframe").locator(WAITING).wait_for()
    assert page.frames[1].evaluate("[globalThis.hacked ?? 0, typeof globalThis.Plotly]") == [
        0,
        "undefined",
    ]
    assert any("Content Security Policy" in text for text in said)
    context.close()
