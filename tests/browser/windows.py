"""A tab that tests share: to load Streamlit's bundle costs four times what another page of the
loaded app does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.browser.conftest import FAILED
from tests.browser.waits import at_step, ready, rested

if TYPE_CHECKING:
    import pytest
    from playwright.sync_api import Browser, ConsoleMessage, Page

GO = "path => { history.pushState({}, '', path); dispatchEvent(new PopStateEvent('popstate', { state: {} })); }"
"""What the browser's back button does: Streamlit shows the page of that address, in the same
session.
"""


class Window:
    """A tab of a context of its own, which notes the errors of its pages.

    Parameters
    ----------
    address
        Of the server.
    script
        What each page runs before its own scripts.
    console
        Whether an error that is only written to the console counts too.
    options
        Of the context.
    """

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        script: str = "",
        console: bool = False,
        **options: Any,
    ) -> None:
        self.address = address
        self.context = browser.new_context(**options)
        self.wrong: list[str] = []
        self._console = console
        self._tab: Page | None = None
        if script:
            self.context.add_init_script(script)

    @property
    def tab(self) -> Page:
        """The tab; another one, which has loaded nothing, where there is none or it has crashed."""
        if self._tab is None:
            self._tab = self.context.new_page()
            self._tab.on("pageerror", lambda error: self.wrong.append(f"{error}: {error.stack}"))
            self._tab.on("crash", lambda _: setattr(self, "_tab", None))
            if self._console:
                self._tab.on("console", self._told)
        return self._tab

    def _told(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    @property
    def is_loaded(self) -> bool:
        """Whether the tab has a page of the app."""
        return self.tab.url.startswith(self.address)

    def load(self, path: str) -> Page:
        """Load the app at a path of the server: the visitor has a new session."""
        self.tab.goto(f"{self.address}{path}")
        return self.tab

    def visit(self, path: str) -> Page:
        """Go to a path within the loaded app, in the same session; load it where nothing is
        loaded.
        """
        if not self.is_loaded:
            return self.load(path)
        self.tab.evaluate(GO, path)
        return self.tab

    def replay(self, episode: str, other: str, step: int = 1) -> Page:
        """Show an episode of the run ``walks`` on Replay, in a new player; one that shows it
        already gives way to another first.

        So what is waited for is never what stood there before.
        """
        if self.tab.locator(f'.navviz-player[data-episode="{episode}"]').count():
            ready(self.visit(f"/replay?run=walks&episode={other}"), other)
        page = self.visit(f"/replay?run=walks&episode={episode}&step={step}")
        ready(page, episode)
        rested(page)
        at_step(page, step)
        return page

    @contextmanager
    def lent(self, test: pytest.Item) -> Iterator[Window]:
        """Lend it to a test: what goes wrong in the pages meanwhile fails it; one that failed
        leaves no page to the next.
        """
        try:
            yield self
        except Exception:  # what was to be put back for the test could not be
            self._leave()
            raise
        failed = test.stash.get(FAILED, False)
        if not failed:
            # what was thrown before has been told by then
            self.tab.evaluate("new Promise((done) => setTimeout(done))")
        wrong = self.wrong[:]
        self.wrong.clear()
        if failed or wrong:
            self._leave()
        assert not wrong, wrong

    def _leave(self) -> None:
        if self._tab is not None:
            self._tab.close()
        self._tab = None
        self.wrong.clear()


@contextmanager
def shared(browser: Browser, address: str, **options: Any) -> Iterator[Window]:
    """Make a window, and close it at the end."""
    window = Window(browser, address, **options)
    try:
        yield window
    finally:
        window.context.close()
