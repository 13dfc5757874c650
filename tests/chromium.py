"""One Chromium for all tests of a session, in whichever folder they stand (playwright allows one at
a time).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from navviz.views.player.film import chromium_path

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, BrowserType

PLAIN = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

FLAGS = (
    *PLAIN,
    # Debian's Chromium paints by a software graphics card, and opens with each window two pages for
    # its address bar, which nobody sees headless: without both, four pages of the player take 3.5
    # instead of 8.3 seconds of processor time. A list replaces the earlier one, so what playwright
    # turns off and pages could notice stands here too.
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    (
        "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,InitialWebUI,WebUIToolbar,"
        "WebUIReloadButton,WebUILocationBar,PaintHolding,HttpsUpgrades,DestroyProfileOnBrowserClose,"
        "AvoidUnnecessaryBeforeUnloadCheckSync"
    ),
)

LIMIT_MS = 120_000
"""How long a browser test waits for anything: a loaded machine takes its time, and what is there at
once costs nothing.
"""


def lacking(reason: str) -> None:
    """Skip, or fail where a browser is required."""
    if os.environ.get("NAVVIZ_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{reason} (required by NAVVIZ_REQUIRE_BROWSER=1)")
    from tests.conftest import missing

    missing(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless Chromium."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=LIMIT_MS)
    if chromium_path() is None:
        lacking("no Chromium on this machine: install it, or name one in NAVVIZ_CHROMIUM")
    with sync_playwright() as playwright, launched(playwright.chromium) as browser:
        yield browser


@contextmanager
def launched(chromium: BrowserType, flags: tuple[str, ...] = FLAGS) -> Iterator[Browser]:
    """Start a browser whose pages wait as long as everything else, and end it."""
    browser = chromium.launch(executable_path=chromium_path(), args=list(flags))
    plain = browser.new_context

    def patient(**options: Any) -> BrowserContext:
        context = plain(**options)
        context.set_default_timeout(LIMIT_MS)
        return context

    browser.new_context = patient  # type: ignore[method-assign]
    yield browser
    browser.close()
