"""Every page as the eye sees it: no text lies on another, none is cut off, nothing reaches past the
window.

axe-core finds nothing serious on any page, panel and theme, and each stop of Tab has a ring. By day
each page is looked at on its way, at night it is opened at each size and in both themes.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Literal

import pytest

from tests.browser.rings import RINGS
from tests.browser.server import serving
from tests.browser.waits import at_step, expect, ready, rested, soon
from tests.browser.windows import GO
from tests.nights import alternating
from tests.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"

RUN = "run=harbour/groke-by-hand"
PAGES = {
    "explore": f"/?{RUN}",
    "explore's map and atlas": f"/?{RUN}&view=map&layer=atlas",
    "explore's gallery": f"/?{RUN}&view=gallery",
    "explore's groups by words": "/?run=harbour/random-walker",
    "explore's skills": "/?run=house/skillnav-router-log&panel=skills",
    "replay": f"/replay?{RUN}&episode=7",
    "replay of a house": "/replay?run=house/navgpt-by-hand",
    "live": f"/live?{RUN}&episode=7",
    "many episodes": f"/live?part=many&{RUN}",
    "a new task": f"/live?part=new&way=write-a-task&{RUN}",
    "compare": f"/compare?{RUN}&other=harbour/rules&other=harbour/rules-local&episode=7",
    "annotate": "/annotate",
    "study": "/study",
}
LOOKED_AT = PAGES.keys() - {
    "explore's map and atlas",
    "explore's gallery",
    "explore's skills",
}
"""Pages whose texts are looked at, too."""
SERIOUS = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return bad.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""


STOPS = {
    "": "<button>plain</button>",
    "no whole ring": "<button style='outline: 0'>bare</button>",
    "a ring of 1.6": "<button style='outline-color: #ccc'>pale</button>",
    "no whole ring: ": "<div style='overflow: hidden'><button>cut</button></div>",
    "out of sight": "<button style='position: fixed; left: -900px'>away</button>",
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
def test_faults_are_told(page, fault):
    page.set_content(
        f"<div data-testid=stApp data-test-script-state=notRunning><div data-testid=stMain>{PLANTED[fault]}</div></div>"
    )
    assert fault in page.evaluate(FAULTS)
    page.locator("[data-testid=stMain]").evaluate("e => { e.innerHTML = '<p>one</p><p>two</p>'; }")
    assert page.evaluate(FAULTS) == []


def test_a_wide_text_below_a_fold_lies_on_nothing(page):
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


@pytest.mark.parametrize("fault", STOPS)
def test_a_stop_without_a_ring_is_found(page, fault):
    style = "button:focus-visible { outline: 2px solid #06c; outline-offset: 2px; }"
    around = "<p style='padding: 9px'><button>one</button></p>" * 8
    page.set_content(f"<style>{style}</style>{around}{STOPS[fault]}")
    page.keyboard.press("Tab")
    faults = page.evaluate(RINGS)
    assert [each.startswith(fault) for each in faults] == ([True] if fault else [])


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(workspace=tmp_path_factory.mktemp("axe")) as running:
        yield running


@pytest.fixture(scope="module")
def windows(chromium, address):
    """A window for each theme, with the app loaded once."""
    opened: dict[str, Page] = {}
    for theme in THEMES:
        page = chromium.new_context(color_scheme=theme).new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/annotate")
        if AXE.exists():
            page.evaluate(AXE.read_text(encoding="utf-8"))
        opened[theme] = page
    yield opened
    for page in opened.values():
        page.context.close()


THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
IN_LIGHT = alternating(PAGES)
"""By day every second page is looked at in the light theme and the others in the dark one: both take
their colours from the same tokens. At night each is looked at in both.
"""


AT_NIGHT = {
    "explore's skills",
    "explore's map and atlas",
    "explore's gallery",
    "explore's groups by words",
    "many episodes",
    "compare",
}
"""Those that take longest; the list of Explore is looked at by day."""


def _night(name: str, theme: str) -> bool:
    return name in AT_NIGHT or (name in IN_LIGHT) is (theme == "dark")


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        pytest.param(name, theme, marks=[pytest.mark.nightly] if _night(name, theme) else [])
        for name, theme in product(PAGES, THEMES)
    ],
)
def test_nothing_is_hard_to_use_cut_or_covered(windows, name, theme):
    page = windows[theme]
    page.evaluate("document.title = 'on the way'")
    page.evaluate(GO, PAGES[name])
    expect(page).to_have_title(re.compile("NavViz$"))
    rested(page)
    # at 1280 x 720, more sizes at night
    if name in LOOKED_AT:
        soon(page, lambda: page.evaluate(FAULTS), lambda faults: faults == [])
    page.keyboard.press("Tab")
    soon(page, lambda: page.evaluate(RINGS), lambda faults: faults == [])
    if not AXE.exists():
        pytest.skip("axe-core is not here; npm ci installs it")
    soon(page, lambda: page.evaluate(SERIOUS), lambda faults: faults == [])


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", sorted(LOOKED_AT))
def test_no_text_lies_on_another_at_any_size(windows, address, name, theme):
    page = windows[theme].context.new_page()
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    page.goto(f"{address}{PAGES[name]}")  # by a link, each page for itself
    page.get_by_test_id("stApp").wait_for()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        soon(page, lambda: page.evaluate(FAULTS), lambda faults: faults == [])
    page.close()


def test_a_newcomer_sees_a_failure_where_it_left_the_route(windows, address):
    # a session of its own in a window that has the app's files
    tab = windows["dark"].context.new_page()
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
