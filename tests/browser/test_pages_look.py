"""Every page as the eye sees it: no text lies on another, none is cut off, nothing reaches past the
window.

By day `test_accessibility` looks at each page on its way, at night it is opened here at each size
and in both themes. It ends with what a newcomer sees first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import pytest

from tests.browser.server import serving
from tests.browser.waits import at_step, expect, ready, soon

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAGES = {
    "explore": "?run=harbour/groke-by-hand",
    "replay": "replay?run=harbour/groke-by-hand&episode=7",
    "compare": "compare?run=harbour/groke-by-hand&other=harbour/rules&other=harbour/rules-local&episode=7",
    "live": "live?run=harbour/groke-by-hand&episode=7",
    "many episodes": "live?part=many&run=harbour/groke-by-hand",
    "a new task": "live?part=new&way=write-a-task&run=harbour/groke-by-hand",
    "annotate": "annotate",
    "study": "study",
    "a house": "replay?run=house/navgpt-by-hand",
}
SIZES = ((1280, 720), (1440, 900), (1920, 1080))

FAULTS = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  if (app?.dataset.testScriptState !== "notRunning") return ["the script runs"];
  if (document.querySelector("[data-testid=stSkeleton], .navviz-player:not([data-ready=true])")) return ["not painted"];
  const SKIPPED = "iframe, canvas, select, option, style, script, noscript, .nv-map, .nv-axis, .leaflet-container, [aria-hidden=true]";
  const texts = [], faults = [];
  const cut = (node, box) => {  // what the boxes around leave of a text, and whether one of them cuts it for good
    let { left, right, top, bottom } = box, lost = false, within = false;  // a box that scrolls may itself lie below a fold
    for (let e = node; e; e = e.parentElement ?? e.getRootNode().host) {
      const style = getComputedStyle(e), edge = e.getBoundingClientRect();
      if (edge.width <= 2 && style.overflowX !== "visible") return { left, right: left, top, bottom, lost: false };  // for screen readers
      if (style.overflowX !== "visible" || style.overflowY !== "visible") {
        const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
        const ends = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        const over = right > edge.right + 1.5 || left < edge.left - 1.5 || bottom > edge.bottom + 3 || top < edge.top - 3;
        if (over && !scrolls && !ends && !within) lost = true;
        left = Math.max(left, edge.left); right = Math.min(right, edge.right);
        top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom);
        within ||= over && (scrolls || ends);
      }
      if (style.position === "fixed") break;
    }
    return { left, right, top, bottom, lost };
  };
  const look = (root) => {
    for (const e of root.querySelectorAll("*")) if (e.shadowRoot) look(e.shadowRoot);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode, holder = node.parentElement;
      if (!node.data.trim() || !holder || holder.closest(SKIPPED)) continue;
      if (!holder.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (box.width < 2 || box.height < 2) continue;
        const seen = cut(holder, box), text = node.data.trim().slice(0, 40);
        if (seen.lost) faults.push(`cut off: ${text} (${holder.className || holder.tagName})`);
        if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) continue;
        if (seen.right > innerWidth + 1 || seen.left < -1) faults.push(`past the window: ${text}`);
        texts.push({ ...seen, text, node });
      }
    }
  };
  look(document.body);
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((a, i) => {
    for (let k = i + 1; k < texts.length && texts[k].top < a.bottom - 3; k += 1) {
      const b = texts[k];
      if (a.node !== b.node && a.left < b.right - 3 && b.left < a.right - 3 && a.top < b.bottom - 3) faults.push(`overlap: ${a.text} | ${b.text}`);
    }
  });
  const main = document.querySelector("[data-testid=stMain]") ?? document.documentElement;
  if (main.scrollWidth > main.clientWidth + 1) faults.push(`the page is ${main.scrollWidth - main.clientWidth} px too wide`);
  return [...new Set(faults)].slice(0, 12);
}"""
"""Texts that overlap, are cut by a box that neither scrolls nor ends in an ellipsis, or reach past
the window.
"""


PLANTED = {
    "overlap: one | two": "<p style='position:absolute;top:40px'>one</p><p style='position:absolute;top:44px'>two</p>",
    "cut off: much too long for it (tight)": (
        "<p class=tight style='width:40px;overflow:hidden;white-space:nowrap'>much too long for it</p>"
    ),
    "past the window: far out": "<p style='position:fixed;left:99vw;white-space:nowrap'>far out</p>",
    "the page is 100 px too wide": "<div style='width:calc(100% + 100px)'>wide</div>",
}


@pytest.mark.parametrize("fault", PLANTED)
def test_faults_are_told(page: Page, fault: str) -> None:
    page.set_content(
        f"<div data-testid=stApp data-test-script-state=notRunning><div data-testid=stMain>{PLANTED[fault]}</div></div>"
    )
    assert fault in page.evaluate(FAULTS)
    page.locator("[data-testid=stMain]").evaluate("e => { e.innerHTML = '<p>one</p><p>two</p>'; }")
    assert page.evaluate(FAULTS) == []


def test_a_wide_text_below_a_fold_lies_on_nothing(page: Page) -> None:
    fold = (
        "<div style='height:20px;overflow-y:auto'><div style='height:20px'>in sight</div>"
        "<div style='width:40px;overflow-x:auto'>abcdefghijklmnopqrstuvwxyz</div></div>"
    )
    page.set_content(
        f"<div data-testid=stApp data-test-script-state=notRunning>{fold}<p style='margin:0'>foot</p></div>"
    )
    assert page.evaluate(FAULTS) == []
    page.get_by_text("foot").evaluate("e => { e.style.marginTop = '-20px'; }")
    assert page.evaluate(FAULTS) == ["overlap: in sight | foot"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(workspace=tmp_path_factory.mktemp("looks")) as running:
        yield running


@pytest.fixture(scope="module")
def windows(chromium: Browser) -> Iterator[dict[str, Page]]:
    """A window for each theme, opened when it is asked for."""
    opened: dict[str, Page] = {}
    yield opened
    for page in opened.values():
        page.context.close()


def _window(windows: dict[str, Page], chromium: Browser, theme: Literal["light", "dark"]) -> Page:
    if theme not in windows:
        windows[theme] = chromium.new_context(color_scheme=theme).new_page()
    return windows[theme]


def _look(page: Page, sizes: tuple[tuple[int, int], ...]) -> None:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        soon(page, lambda: page.evaluate(FAULTS), lambda faults: faults == [])


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_text_lies_on_another_at_any_size(
    windows: dict[str, Page],
    chromium: Browser,
    address: str,
    name: str,
    theme: Literal["light", "dark"],
) -> None:
    page = _window(windows, chromium, theme)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    page.goto(f"{address}/{PAGES[name]}")  # by a link, each page for itself
    page.get_by_test_id("stApp").wait_for()
    _look(page, SIZES)


def test_a_newcomer_sees_a_failure_where_it_left_the_route(
    windows: dict[str, Page], chromium: Browser, address: str
) -> None:
    # a session of its own in a window that has the app's files
    tab = _window(windows, chromium, "dark").context.new_page()
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.goto(address)
    ready(tab, "7")
    at_step(tab, 2)
    tab.get_by_text("1 of 6 failures, by NE, highest first").wait_for()
    expect(tab.locator(".navviz-player")).to_contain_text(
        "sharp one and a half right one", use_inner_text=True
    )
    tab.keyboard.press("n")
    tab.get_by_text("2 of 6 failures, by NE, highest first").wait_for()
    tab.get_by_role("link", name="Explore").click()
    tab.get_by_text("Success rate").wait_for()
    tab.close()
