"""One Chromium for all tests of a session, in whichever folder they stand (playwright allows one at
a time).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from navviz.views.player.film import chromium_path

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, BrowserType

PLAIN = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

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


TEST_LIMIT_S = 300.0
"""How long one test with a browser takes at most: `Page.evaluate` knows no limit, and one page that
stood still held a whole run for a quarter of an hour.
"""
NIGHT_LIMIT_S = 1_800.0


@dataclass
class Limit:
    """Whether a limit of time was met."""

    met: bool = False


@contextmanager
def within(seconds: float) -> Iterator[Limit]:
    """End the pages of this process's browsers after so many seconds, and the browsers themselves
    where that did not help: what waits for them then fails, and what comes after takes a new page.
    """
    limit, is_over = Limit(), threading.Event()

    def watch() -> None:
        if is_over.wait(seconds):
            return
        limit.met = True
        _end("--type=renderer")
        if not is_over.wait(60):
            _end("--remote-debugging-pipe")

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield limit
    finally:
        is_over.set()
        watcher.join()


def _end(argument: str) -> None:
    """End the processes below this one that were started with an argument."""
    below: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            below.setdefault(parent, []).append(int(path.parent.name))
    found = [os.getpid()]
    for number in found:
        found += below.get(number, [])
    for number in found[1:]:
        with suppress(OSError):
            # parted by nothing but blanks in a renderer
            if argument.encode() in Path(f"/proc/{number}/cmdline").read_bytes():
                os.kill(number, signal.SIGKILL)


@pytest.fixture(scope="session")
def chromium():
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
    """Start a browser whose pages wait as long as everything else, and end it; one that was ended
    meanwhile gives way to another.
    """

    def started() -> Browser:
        return chromium.launch(executable_path=chromium_path(), args=list(flags))

    browser = started()
    running, plain = browser, browser.new_context

    def patient(**options: Any) -> BrowserContext:
        nonlocal running, plain
        if not running.is_connected():
            running = started()
            plain = running.new_context
        context = plain(**options)
        context.set_default_timeout(LIMIT_MS)
        return context

    browser.new_context = patient  # type: ignore[method-assign]
    yield browser
    running.close()
