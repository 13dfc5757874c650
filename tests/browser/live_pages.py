"""What the browser tests of Live share: a tiny world, a model beside it, and a watch over the page's players."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.browser.server import serving
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

PLAN = json.dumps(
    {
        "landmarks": [],
        "sub_goals": [{"action": "MOVE_FORWARD", "description": "Move forward to the light", "status": "TODO"}],
    }
)

RUN = ".st-key-live_start button"
"""The button; what it is called tells its key as well."""

WATCH = """
window.navvizMost = 0;
const count = () => {
  const players = [...document.querySelectorAll(".navviz-player")].filter((player) => player.getClientRects().length);
  window.navvizMost = Math.max(window.navvizMost, players.length);
};
new MutationObserver(count).observe(document, { childList: true, subtree: true, attributes: true });
"""
"""Keeps the largest number of players that were visible at the same time, at any change of the page."""

_VISITED = set[str]()
"""Servers that have shown a page."""

SHARE = "document.querySelector('.navviz-player').getBoundingClientRect().width / innerWidth"


@contextmanager
def tiny_app(folder: Path) -> Iterator[str]:
    """Serve the tiny world with one walked episode; yields the address."""
    graph = write_world(folder)
    results = write_states(folder / "walks.json", {"1": {"json": ["s1", "x", "w1"]}}, instruction="Walk to the light.")
    with serving("--graphs", str(graph), "--results", str(results), workspace=folder) as running:
        yield running


@contextmanager
def live_tab(browser: Browser, width: int = 1440, height: int = 900, scheme: str = "light") -> Iterator[Page]:
    """Open a watched tab; errors in it fail the test at its end."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(f"{error}: {error.stack}"))
    page.add_init_script(WATCH)
    yield page
    context.close()
    assert not errors


def open_live(tab: Page, address: str, **query: str) -> None:
    """Open Live on the tiny world's episode; settings of its forms go into the address."""
    if (
        address not in _VISITED
    ):  # a page that is the first request after the start runs outside app.py, and once more inside it
        tab.goto(address)
        tab.get_by_text("Replay", exact=True).first.wait_for()
        _VISITED.add(address)
    tab.goto(f"{address}/live?{urlencode({'run': 'walks', 'episode': '1'} | query)}")
    tab.wait_for_selector('.navviz-player[data-ready="true"]')


def model_query(url: str) -> dict[str, str]:
    """Address parameters that choose the groke navigator with a model server."""
    server = "OpenAI-compatible server"
    return {"live_navigator_geo": "groke", "live_vendor": server, "live_url": url, "live_server_model": "toy"}


def run_again(tab: Page) -> str:
    """Press Run; return the name of the new run once the page shows it."""
    old = tab.evaluate("new URL(location.href).searchParams.get('live')")
    tab.locator(RUN).click()
    tab.wait_for_function(
        "old => { const run = new URL(location.href).searchParams.get('live');"
        " return run !== old && document.querySelector('.navviz-player')?.dataset.shows === run; }",
        arg=old,
    )
    return str(tab.evaluate("new URL(location.href).searchParams.get('live')"))


def settled(tab: Page, told: str) -> None:
    """Wait until the page tells how the run ended and the player has painted its end."""
    tab.locator(".st-key-live_head").filter(has_text=told).wait_for()
    tab.get_by_text("What changed").wait_for()
    tab.locator(".nv-outcome.nv-live").wait_for(state="detached")
