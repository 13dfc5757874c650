"""What a browser test waits for.

A slow machine handles a key late and paints later: nothing is read once after an action.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from tests.chromium import LIMIT_MS

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Page

PAUSE_MS = 50

T = TypeVar("T")


def soon(page: Page, read: Callable[[], T], wanted: Callable[[T], object]) -> T:
    """Read until what was read is wanted, and return it."""
    for _ in range(LIMIT_MS // PAUSE_MS):
        value = read()
        if wanted(value):
            return value
        page.wait_for_timeout(PAUSE_MS)
    value = read()
    if not wanted(value):
        pytest.fail(f"never came true; last read: {value!r}")
    return value


def until(page: Page, condition: str, *, arg: object = None, timeout: float = LIMIT_MS) -> None:
    """Wait for a condition of the page; `Page.wait_for_function` needs eval, which the policies of
    the app and of the player forbid.
    """
    for _ in range(int(timeout // PAUSE_MS)):
        if page.evaluate(condition, arg):
            return
        page.wait_for_timeout(PAUSE_MS)
    assert page.evaluate(condition, arg), f"never came true: {condition}"


def expect(target: Any) -> Any:
    """Wait with playwright's `expect`, imported only where a browser test runs: who has no
    playwright skips these tests.
    """
    from playwright.sync_api import expect as waiting

    return waiting(target)


def at_step(page: Page, step: int | str) -> None:
    """Wait until the player shows a step."""
    expect(page.locator(".navviz-player")).to_have_attribute("data-step", str(step))


def ready(page: Page, episode: str | None = None) -> None:
    """Wait until the page has one player, which is painted and shows an episode.

    Streamlit takes what the last run of a script left (the player of another episode) off the page
    only when the script ends.
    """
    shown = "" if episode is None else f'[data-episode="{episode}"]'
    page.wait_for_selector(f'.navviz-player{shown}[data-ready="true"]')
    expect(page.locator(".navviz-player")).to_have_count(1)


def rested(page: Page) -> None:
    """Wait until Streamlit's script has ended and what it sent is shown."""
    expect(
        page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    ).to_have_count(1)


def frames(page: Page | Frame, count: int = 2) -> None:
    """Let the page paint so many frames: sizes are told after a layout, and the map follows in the
    frame after it.
    """
    page.evaluate(
        """(count) => new Promise((done) => {
          const next = (left) => left ? requestAnimationFrame(() => next(left - 1)) : setTimeout(done);
          next(count);
        })""",
        count,
    )


def same(page: Page, read: Callable[[], Any]) -> Any:
    """Read until three readings, some frames apart, are the same: an animation or a layout has come
    to rest.
    """
    last: list[Any] = []
    for _ in range(LIMIT_MS // PAUSE_MS):
        last = [*last[-2:], read()]
        if len(last) == 3 and all(value == last[0] for value in last):
            return last[0]
        frames(page)
        page.wait_for_timeout(PAUSE_MS)
    pytest.fail(f"never came to rest; last read: {last!r}")


def kept_cookie(tab: Page, name: str, *, gone: bool = False) -> None:
    """Wait until the browser keeps a cookie whose name begins so, or keeps none; no script of the
    page can read it.
    """

    def found() -> list[Any]:
        return [one for one in tab.context.cookies() if one["name"].startswith(name)]

    kept = soon(tab, found, lambda cookies: bool(cookies) is not gone)
    assert all(one["httpOnly"] for one in kept)
