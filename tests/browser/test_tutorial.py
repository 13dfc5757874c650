"""docs/tutorial.md, walked as it says; with ``NAVVIZ_TUTORIAL_PICTURES=1`` its pictures are made anew.

NAVVIZ_TUTORIAL_PICTURES=1 python -m pytest tests/browser/test_tutorial.py -m nightly -n0
"""

from __future__ import annotations

import io
import os
import re

import pytest
from PIL import Image

from tests.browser.server import serving
from tests.browser.waits import expect, ready, rested
from tests.command import invoke
from tests.paths import ROOT, SAMPLES

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PICTURES = ROOT / "docs" / "images" / "tutorial"
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
COLOURS = 128


@pytest.fixture
def page(chromium):
    """A newcomer's window."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


@pytest.fixture
def shoot(page):
    """Take the next picture of the page; the one in the docs is replaced where that is wished."""
    taken: list[str] = []

    def shot(name: str) -> None:
        if page.url.startswith("http"):
            rested(page)
        # labels of the map are placed in the frame after
        page.wait_for_timeout(1_500)
        raw = page.screenshot()
        image = Image.open(io.BytesIO(raw)).convert("RGB")
        assert len(image.getcolors(1 << 24) or ()) > 50, f"{name} is empty"
        taken.append(name)
        if os.environ.get("NAVVIZ_TUTORIAL_PICTURES") == "1":
            PICTURES.mkdir(parents=True, exist_ok=True)
            image.quantize(COLOURS).save(PICTURES / f"{name}.png", optimize=True)

    shot.taken = taken
    return shot


def test_the_tutorial_leads_where_it_says(shoot, page, tmp_path):
    with serving(workspace=tmp_path) as address:
        page.goto(address)
        ready(page, "7")
        shoot("first")

        page.locator(".navviz-player").get_by_role("button", name=re.compile("^Proof")).click()
        shoot("proof")

        page.get_by_role("button", name="Hide proof").click()
        page.keyboard.press("x")
        page.keyboard.press("ArrowDown")
        shoot("what-if")

        page.goto(f"{address}/explore?run=harbour/groke-by-hand")
        page.get_by_text("Findings", exact=True).wait_for()
        shoot("explore")

        page.goto(f"{address}/live?run=harbour/rules-local&episode=6")
        ready(page)
        rested(page)
        words = page.get_by_label("Instruction", exact=True)
        told = words.input_value()
        words.click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(
            told.replace(" and stop in front", ", pass a pharmacy and stop in front")
        )
        page.keyboard.press("Control+Enter")
        page.get_by_text("Done", exact=False).first.wait_for()
        shoot("live")

        page.goto(f"{address}/compare?run=harbour/groke-by-hand&other=harbour/rules")
        ready(page)
        shoot("compare")

        page.goto(f"{address}/annotate")
        page.get_by_role("button", name="Try it on the sample study").click()
        page.get_by_text("What went wrong").first.wait_for()
        shoot("annotate")
    invoke("publish", SAMPLES / "harbour" / "runs" / "groke-by-hand", "--out", tmp_path / "site", "--title", "Groke in the harbour")  # fmt: skip
    page.goto((tmp_path / "site" / "index.html").as_uri())
    expect(page.get_by_text("Groke in the harbour").first).to_be_visible()
    shoot("site")
    assert shoot.taken == re.findall(r"images/tutorial/([\w-]+)\.png", PAGE)
