"""A page for each browser test, in the one Chromium of `tests.chromium`; it reports what went wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from navviz.views.player.html import document_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page without network; errors in it fail the test at its end."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert not errors, errors


OpenPlayer = Callable[..., "Page"]


@pytest.fixture
def open_player(page: Page, tmp_path: Path) -> OpenPlayer:
    """Open a document as a file in the browser and wait until the player is painted.

    A house comes without its 3-D scene, which a browser without a graphics card draws for seconds, unless a test asks.
    """

    def opened(document: dict[str, Any], query: str = "", *, scene: bool = False) -> Page:
        path = tmp_path / "replay.html"
        path.write_text(document_page(document, scene=scene), encoding="utf-8")
        page.goto(path.as_uri() + query)
        page.wait_for_selector('.navviz-player[data-ready="true"]')
        return page

    return opened
