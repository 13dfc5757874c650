"""axe-core finds nothing serious on any page, panel and theme; no text lies on another or is cut
off, and each stop of Tab has a ring, which is looked at on the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Literal

import pytest

from tests.browser.rings import RINGS
from tests.browser.server import serving
from tests.browser.test_pages_look import FAULTS
from tests.browser.waits import expect, rested, soon
from tests.browser.windows import GO
from tests.nights import alternating
from tests.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = pytest.mark.browser

RUN = "run=harbour/groke-by-hand"
PAGES = {
    "explore": f"/?{RUN}",
    "explore's map and atlas": f"/?{RUN}&view=map&panel=atlas",
    "explore's gallery and what goes wrong": f"/?{RUN}&view=gallery&panel=wrong",
    "explore's groups by words": "/?run=harbour/random-walker&panel=alike",
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
    "explore's gallery and what goes wrong",
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


@pytest.mark.parametrize("fault", STOPS)
def test_a_stop_without_a_ring_is_found(page: Page, fault: str) -> None:
    style = "button:focus-visible { outline: 2px solid #06c; outline-offset: 2px; }"
    around = "<p style='padding: 9px'><button>one</button></p>" * 8
    page.set_content(f"<style>{style}</style>{around}{STOPS[fault]}")
    page.keyboard.press("Tab")
    faults = page.evaluate(RINGS)
    assert [each.startswith(fault) for each in faults] == ([True] if fault else [])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(workspace=tmp_path_factory.mktemp("axe")) as running:
        yield running


@pytest.fixture(scope="module")
def windows(chromium: Browser, address: str) -> Iterator[dict[str, Page]]:
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
    "explore's gallery and what goes wrong",
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
def test_nothing_is_hard_to_use_cut_or_covered(
    windows: dict[str, Page], name: str, theme: str
) -> None:
    page = windows[theme]
    page.evaluate("document.title = 'on the way'")
    page.evaluate(GO, PAGES[name])
    expect(page).to_have_title(re.compile("NavViz$"))
    rested(page)
    # at 1280 x 720, more sizes at night: see `test_pages_look`
    if name in LOOKED_AT:
        soon(page, lambda: page.evaluate(FAULTS), lambda faults: faults == [])
    page.keyboard.press("Tab")
    soon(page, lambda: page.evaluate(RINGS), lambda faults: faults == [])
    if not AXE.exists():
        pytest.skip("axe-core is not here; npm ci installs it")
    soon(page, lambda: page.evaluate(SERIOUS), lambda faults: faults == [])
