"""One Chromium for all browser tests; each test has a page of its own that reports what went wrong in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from navviz.views.replay_html import document_page
from tests.conftest import missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def lacking(reason: str) -> None:
    """Skip, or fail where a browser is required."""
    if os.environ.get("NAVVIZ_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{reason} (required by NAVVIZ_REQUIRE_BROWSER=1)")
    missing(reason)


def chromium_path() -> str | None:
    """The machine's Chromium; ``NAVVIZ_CHROMIUM`` names another."""
    named = os.environ.get("NAVVIZ_CHROMIUM")
    return named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless Chromium."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    from playwright.sync_api import sync_playwright

    path = chromium_path()
    if path is None:
        lacking("no Chromium on this machine: install it, or name one in NAVVIZ_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page without network; errors in it fail the test at its end."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.set_default_timeout(10_000)
    yield page
    context.close()
    assert not errors, errors


OpenPlayer = Callable[..., "Page"]


@pytest.fixture
def open_player(page: Page, tmp_path: Path) -> OpenPlayer:
    """Open a document as a file in the browser and wait until the player is painted."""

    def opened(document: dict[str, Any], query: str = "") -> Page:
        path = tmp_path / "replay.html"
        path.write_text(document_page(document), encoding="utf-8")
        page.goto(path.as_uri() + query)
        page.wait_for_selector('.navviz-player[data-ready="true"]')
        return page

    return opened
