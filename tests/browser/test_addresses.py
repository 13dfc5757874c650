"""Links in a browser: old ones as a server's first request; back and forward between views."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import serving
from tests.browser.waits import expect, rested

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

RUN = "harbour/groke-by-hand"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    made = chromium.new_context().new_page()
    made.set_default_timeout(120_000)
    yield made
    made.context.close()


@pytest.mark.parametrize(
    ("old", "new", "title", "sign"),
    [
        (
            f"/batches?run={RUN}",
            r"/live\?(?=.*part=many)(?=.*run=harbour)",
            "Live · NavViz",
            "New batch",
        ),
        # each wants a server of its own: `new_place` says where they lead, one is seen by day
        pytest.param(
            f"/tasks?run={RUN}&episode=7",
            r"/live\?(?=.*way=write-a-task)(?=.*episode=7)",
            "Live · NavViz",
            "Write a task",
            marks=pytest.mark.nightly,
        ),
        pytest.param("/evaluate", r"/study", "Study · NavViz", "", marks=pytest.mark.nightly),
    ],
)
def test_an_old_link_as_the_first_request_leads_on(
    page: Page, tmp_path: Path, old: str, new: str, title: str, sign: str
) -> None:
    with serving(workspace=tmp_path) as fresh:
        page.goto(f"{fresh}{old}")
        page.wait_for_url(re.compile(new))
        expect(page).to_have_title(title)
        if sign:
            expect(page.get_by_text(sign, exact=True).first).to_be_visible()
        rested(page)
        expect(page.get_by_text("Page not found")).to_have_count(0)


def test_back_forward_and_reload_show_the_same_view(page: Page, tmp_path: Path) -> None:
    with serving(workspace=tmp_path) as address:
        page.goto(f"{address}/?run={RUN}")
        page.get_by_text("Gallery", exact=True).click()
        cards = page.locator(".nl-card")
        expect(cards.first).to_be_visible()
        page.wait_for_url(re.compile("view=gallery"))
        page.go_back()
        expect(cards).to_have_count(0)
        # whoever goes back looks at what comes: going on while the page still turns is a race
        rested(page)
        page.go_forward()
        expect(cards.first).to_be_visible()
        page.reload()
        expect(cards.first).to_be_visible()
        assert "view=gallery" in page.url
