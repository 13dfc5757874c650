"""What the browser tests of Live share: a tiny world, a model beside it, and a watch over the
page's players.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

from tests.browser.server import serving
from tests.browser.waits import ready, rested, until
from tests.browser.windows import Window, shared
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

PLAN = json.dumps(
    {
        "landmarks": [],
        "sub_goals": [
            {"action": "MOVE_FORWARD", "description": "Move forward to the light", "status": "TODO"}
        ],
    }
)

RUN = ".st-key-live_start button"
"""The button; what it is called tells its key as well."""

WATCH = """
window.navvizMost = 0;
const count = () => {
  const players = [...document.querySelectorAll(".navviz-player")];
  if (players.length <= window.navvizMost) return; // a layout at every change costs more than the page itself
  const visible = players.filter((player) => player.getClientRects().length);
  window.navvizMost = Math.max(window.navvizMost, visible.length);
};
new MutationObserver(count).observe(document, { childList: true, subtree: true, attributes: true });
"""
"""Keeps the largest number of players that were visible at the same time, at any change of the
page.
"""

THEMED = "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme"

SHARE = "document.querySelector('.navviz-player').getBoundingClientRect().width / innerWidth"

_EPISODES = 60
"""One for each opening of Live, and for second tries."""


@contextmanager
def tiny_app(folder: Path) -> Iterator[str]:
    """Serve the tiny world with walked episodes, which are all the same; yields the address."""
    graph = write_world(folder)
    walks: dict[str, dict[str, list[str | None]]] = {
        str(key): {"json": ["s1", "x", "w1"]} for key in range(1, _EPISODES + 1)
    }
    results = write_states(folder / "walks.json", walks, instruction="Walk to the light.")
    with serving("--graphs", str(graph), str(results), workspace=folder) as running:
        yield running


class LiveWindow:
    """A watched tab that tests share: each opening of Live is of an episode that nobody has opened
    before.

    Live keeps runs, texts and forks by episode, and the choices of its forms stand in the address,
    so that nothing of an earlier test is there; what a drawing leaves ends with its session.
    """

    def __init__(self, window: Window) -> None:
        self.window = window
        self._episodes = map(str, range(1, _EPISODES + 1))
        self.episode = ""

    def open(
        self,
        width: int = 1440,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
        **query: str,
    ) -> Page:
        """Open Live on another episode; settings of its forms go into the address."""
        self.episode = next(self._episodes)
        tab, path = (
            self.window.tab,
            f"/live?{urlencode({'run': 'walks', 'episode': self.episode} | query)}",
        )
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme=scheme)
        fresh = not self.window.is_loaded or tab.locator(".st-key-live_drawing").count() > 0
        if fresh:
            self.window.load(path)
        else:
            # Streamlit tells the server its theme with a page
            until(tab, THEMED, arg=scheme)
            tab.evaluate("navvizMost = 0")
            self.window.visit(path)
        ready(tab, self.episode)
        rested(tab)
        if (
            fresh
        ):  # the first page after the server's start runs outside app.py, and once more inside it
            tab.evaluate("navvizMost = 0")
        return tab


@contextmanager
def live_window(browser: Browser, address: str) -> Iterator[LiveWindow]:
    """Make a window on Live, and close it at the end."""
    with shared(browser, address, script=WATCH) as window:
        yield LiveWindow(window)


def run_again(tab: Page) -> str:
    """Press Run; return the name of the new run once the page shows it."""
    old = tab.evaluate("new URL(location.href).searchParams.get('live')")
    tab.locator(RUN).click()
    until(
        tab,
        "old => { const run = new URL(location.href).searchParams.get('live');"
        " return run !== old && document.querySelector('.navviz-player')?.dataset.shows === run; }",
        arg=old,
    )
    return str(tab.evaluate("new URL(location.href).searchParams.get('live')"))


def settled(tab: Page, message: str) -> None:
    """Wait until the page tells how the run ended and the player has painted its end."""
    tab.locator(".st-key-live_head").filter(has_text=message).wait_for()
    tab.get_by_text("What changed").wait_for()
    tab.locator(".nv-outcome.nv-live").wait_for(state="detached")
