"""A run with a payload in every text, in the app: the browser runs none of it, draws none of it and
asks no other host.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import pytest

from navviz.annotation.records import Item, Queue
from navviz.annotation.store import FILE_NAME, AnnotationStore
from tests.alphabets import HIT, PAYLOADS, PRODUCT
from tests.browser.server import serving
from tests.browser.waits import at_step, expect, ready, rested
from tests.browser.windows import Window, shared
from tests.hostile import EVERYTHING, NAME, write_hostile

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

pytestmark = pytest.mark.browser

CALLED = f"window.{HIT} = () => console.error('a script of the data ran');"
EPISODE = f"{PAYLOADS['Markdown'][0]} Markdown"
SEEN = """() => {
  const all = [], roots = [document];
  while (roots.length) {
    for (const one of roots.pop().querySelectorAll("*")) {
      all.push(one);
      if (one.shadowRoot) roots.push(one.shadowRoot);
    }
  }
  const shown = all.filter((one) => !["SCRIPT", "STYLE"].includes(one.tagName));
  const own = (one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("");
  const texts = shown.flatMap((one) => [own(one), one.title, one.value].map(String));
  const never = "img[onerror], img[alt=x], img[src$='x'], [href^='javascript:'], .katex, del, h1 code";
  const letters = shown.filter((one) => one.matches("a, b, strong, em, span[class*=Color], [data-testid=stIconMaterial]"));
  const made = letters.filter((one) => /^[xyz]$|^home$/.test(one.textContent.trim()) && !one.closest(".navviz-player"));
  return [texts.join(" "), [...shown.filter((one) => one.matches(never)), ...made].map((one) => one.outerHTML)];
}"""
"""All words of a document, shadows too, and what Markdown or HTML of the data would have made; the
player shows a model's thoughts with their bold words.
"""


@pytest.fixture(scope="module")
def window(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    # beside the workspace, whose own runs come without a map
    folder, data = tmp_path_factory.mktemp("workspace"), tmp_path_factory.mktemp("hostile")
    _, run = write_hostile(data)
    shutil.copytree(run, run.parent / "other")
    store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
    item = Item(dataset="tiny", episode=EPISODE, run=NAME)
    store.study().queues.create(
        Queue(name=f"1 {EVERYTHING}"[:100], task="navigability", items=(item,), source=NAME)
    )
    store.close()
    with (
        serving(str(data), workspace=folder) as address,
        shared(
            chromium,
            address,
            script=CALLED,
            viewport={"width": 1280, "height": 720},
        ) as window,
    ):

        def note(request: Request) -> None:
            if urlsplit(request.url).hostname not in {"127.0.0.1", None}:
                window.wrong.append(f"asked for {request.url}")

        def told(message: ConsoleMessage) -> None:
            # Streamlit asks for its own settings below a page's path first
            if message.type == "error" and "404 (Not Found)" not in message.text:
                window.wrong.append(message.text)

        window.context.on("request", note)
        window.context.on("console", told)
        window.context.on("dialog", lambda dialog: window.wrong.append(dialog.message))
        yield window


@pytest.fixture
def tab(window: Window, request: pytest.FixtureRequest) -> Iterator[Page]:
    with window.lent(request.node):
        yield window.tab


def check(tab: Page) -> None:
    """Check every document of the page."""
    rested(tab)
    for frame in tab.frames:
        text, made = frame.evaluate(SEEN)
        assert not made, made
        assert PRODUCT not in text


def _path(page: str, **query: str) -> str:
    return f"/{page}?{urlencode({'run': NAME, **query})}"


def test_explore(window: Window, tab: Page) -> None:
    window.load(_path("") + "&panel=atlas&panel=wrong")
    atlas = tab.frame_locator("iframe")
    expect(atlas.locator(".leaflet-container")).to_be_visible()
    expect(tab.locator(".nl-row").first).to_be_visible()
    check(tab)


def test_replay(window: Window, tab: Page) -> None:
    window.visit(_path("replay", episode=EPISODE, step="0"))
    ready(tab)
    tab.keyboard.press("ArrowRight")
    at_step(tab, 1)
    for panel in tab.locator(".navviz-player [role=tab]").all():
        panel.click()
        check(tab)


def test_compare(window: Window, tab: Page) -> None:
    window.visit(_path("compare", episode=EPISODE, other="other"))
    ready(tab)
    expect(tab.get_by_text("shared episodes").first).to_be_visible()
    check(tab)


def test_annotate(window: Window, tab: Page) -> None:
    window.visit("/annotate")
    tab.get_by_role("textbox", name="Pseudonym").fill("fox")
    tab.get_by_role("button", name="Start").click()
    tab.wait_for_selector('.navviz-desk[data-ready="true"]')
    tab.keyboard.press("y")
    tab.wait_for_selector('.navviz-desk[data-waiting="0"]')
    check(tab)
