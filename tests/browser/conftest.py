"""A page for each browser test, in the one Chromium of `tests.chromium`; it reports what went wrong
in it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from navviz.views.player.html import document_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

VIEWPORT: ViewportSize = {"width": 1440, "height": 900}
EMPTY = """async () => {
  localStorage.clear();
  sessionStorage.clear();
  globalThis.name = "";
  const looks = ["prefers-color-scheme: dark", "prefers-reduced-motion: reduce", "prefers-contrast: more", "forced-colors: active"];
  const { matches } = matchMedia(looks.map((look) => `(${look})`).join() + ",print");
  return { kept: (await indexedDB.databases()).length + document.cookie.length, media: matches };
}"""
"""Empty what documents of one origin share (all files have one), and tell what else there is to put
back.
"""

PAINTED = """new Promise((done) => {
  const root = document.getElementById("navviz"), painted = () => root?.dataset.ready === "true";
  if (!root || painted()) return done(painted());
  new MutationObserver(() => painted() && done(true)).observe(root, { attributes: true });
  setTimeout(() => done(painted()), 10_000);
})"""
"""Wait in the page itself: `wait_for_selector` asks for a quarter of the processor time that a load
takes.
"""

FAILED = pytest.StashKey[bool]()
OpenPlayer = Callable[..., "Page"]


class Tab:
    """One page that tests take one after another: a page of its own costs a third more than the
    player that it shows.

    Each test begins on a new document, so that no script, focus, selection or scroll of another is
    there; what outlives a document is put back by `put_back`. Who set more than that (an address on
    a server, a second page) or failed leaves no page to the next test. Tests that listen, route, or
    add scripts to every document take `own_page`.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.context: BrowserContext | None = None
        self.errors: list[str] = []
        (folder / "empty.html").write_text("<!DOCTYPE html><title>Empty</title>")

    def take(self) -> Page:
        """Return the page, on which nothing has happened."""
        # it may have crashed while other tests had pages of their own
        if self.context is not None and (self.foreign or not self.context.pages):
            self.close()
        if self.context is None:
            self.context, page = watched(self.browser, self.errors)
            self.foreign = False
            page.on("framenavigated", lambda frame: self.notice(frame.url))
            page.on("crash", lambda _: setattr(self, "foreign", True))
        return self.context.pages[0]

    def notice(self, url: str) -> None:
        self.foreign = self.foreign or url.startswith("http")

    def put_back(self, *, failed: bool) -> list[str]:
        """Leave the test's document and undo what outlives it; return the errors in it, the last
        ones too.
        """
        assert self.context is not None
        if failed or self.foreign or len(self.context.pages) != 1:
            self.close()
        else:
            self.clear(self.context.pages[0])
        errors = self.errors[:]
        self.errors.clear()
        return errors

    def clear(self, page: Page) -> None:
        page.goto((self.folder / "empty.html").as_uri())
        left = page.evaluate(EMPTY)
        if left["kept"]:  # in a store that the player does not use
            self.close()
            return
        page.mouse.move(-1, -1)  # over nothing, as in a new page
        if left["media"]:
            page.emulate_media(
                media="null",
                color_scheme="light",
                reduced_motion="null",
                contrast="null",
                forced_colors="null",
            )
        if page.viewport_size != VIEWPORT:
            page.set_viewport_size(VIEWPORT)

    def close(self) -> None:
        if self.context is not None:
            self.context.close()
        self.context = None


def watched(browser: Browser, errors: list[str]) -> tuple[BrowserContext, Page]:
    """A page without network in a context of its own, and where its errors go."""
    context = browser.new_context(viewport=VIEWPORT, offline=True)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console", lambda message: errors.append(message.text) if message.type == "error" else None
    )
    return context, page


@contextmanager
def page_of(browser: Browser) -> Iterator[Page]:
    """A page of one test's own; errors in it fail the test at its end."""
    errors: list[str] = []
    context, page = watched(browser, errors)
    yield page
    context.close()
    assert not errors, errors


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, object, object]:
    """Remember which test failed: the page it leaves may be in any state."""
    item.stash[FAILED] = item.stash.get(FAILED, False) or call.excinfo is not None
    return (yield)


@pytest.fixture(scope="session")
def tab(chromium, tmp_path_factory):
    tab = Tab(chromium, tmp_path_factory.mktemp("tab"))
    yield tab
    tab.close()


@pytest.fixture
def page(tab, request):
    """A page without network; errors in it fail the test at its end."""
    yield tab.take()
    errors = tab.put_back(failed=request.node.stash.get(FAILED, False))
    assert not errors, errors


@pytest.fixture
def own_page(chromium):
    """The same, for a test that listens, routes, or adds scripts to every document."""
    with page_of(chromium) as page:
        yield page


@pytest.fixture
def open_player(page, tab):
    """Open a document as a file in the browser and wait until the player is painted.

    A house comes without its 3-D scene, which a browser without a graphics card draws for seconds,
    unless a test asks.
    """
    # of one name for all tests: Chromium knows the compiled scripts of a file again by its address
    path = tab.folder / "replay.html"

    def opened(document: dict[str, Any], query: str = "", *, scene: bool = False) -> Page:
        path.write_text(document_page(document, scene=scene), encoding="utf-8")
        page.goto(path.as_uri() + query)
        if not page.evaluate(PAINTED):
            page.wait_for_selector('.navviz-player[data-ready="true"]')
        beside = page.get_by_role("button", name="Plan and 3-D scene")
        if scene and beside.count():
            # the plan comes first, and the scene when one asks
            assert page.locator(".nv-scene").is_hidden()
            beside.click()
        return page

    return opened
